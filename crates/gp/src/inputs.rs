//! The inputs of formulas of the paper.

use super::terminal::Terminal;

/// The inputs of a formula of the paper's terminals for one child.
#[derive(Clone, Copy, Debug)]
pub struct Inputs {
    /// `Q`: mean reward of the child, from the view of the seat that chooses.
    pub mean: f64,
    /// `n`: visits of the child.
    pub visits: f64,
    /// `N`: visits of the parent.
    pub parent: f64,
    /// `c`.
    pub constant: f64,
}

impl Inputs {
    /// The value of a terminal; 0 for the columns that it does not hold.
    #[inline]
    pub fn value(&self, terminal: Terminal) -> f64 {
        match terminal {
            Terminal::Mean => self.mean,
            Terminal::ChildVisits => self.visits,
            Terminal::ParentVisits => self.parent,
            Terminal::Constant => self.constant,
            Terminal::Number(number) => number,
            Terminal::Column(_) => 0.0,
        }
    }
}
