//! The windows of the successors of a chance node.

/// The window of a successor.
#[derive(Clone, Copy)]
pub(super) struct Window {
    pub alpha: f64,
    pub beta: f64,
}

/// The least and the greatest contribution of the unsearched successors to the value of a chance node.
#[derive(Clone, Copy)]
pub(super) struct Rest {
    pub worst: f64,
    pub best: f64,
}

impl Window {
    /// A_i and B_i for a node's window: `known` is the contribution of the successors searched so far, `chance` the
    /// probability of this one.
    pub(super) fn of((alpha, beta): (f64, f64), known: f64, rest: Rest, chance: f64) -> Window {
        Window { alpha: (alpha - known - rest.best) / chance, beta: (beta - known - rest.worst) / chance }
    }

    pub(super) fn within(self, lower: f64, upper: f64) -> (f64, f64) {
        (self.alpha.max(lower), self.beta.min(upper))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The formulas of A_i and B_i on Heyden's figure 5.4: three successors of 0.6, 0.25 and 0.15, the first two worth
    /// 40 and 64, bounds ±100, window [−10, 25]: with the third at −100 the node is worth at least 25.
    #[test]
    fn windows_by_hand() {
        let (chances, values) = ([0.6, 0.25, 0.15], [40.0, 64.0]);
        let rest = Rest { worst: -100.0 * chances[2], best: 100.0 * chances[2] };
        let window = Window::of((-10.0, 25.0), chances[0] * values[0], rest, chances[1]);
        assert!((window.beta - 64.0).abs() < 1e-9, "{}", window.beta);
        assert!((window.alpha + 196.0).abs() < 1e-9, "{}", window.alpha);
        assert_eq!(window.within(-100.0, 100.0), (-100.0, window.beta));
        assert!(values[1] >= window.beta - 1e-9, "the second settles the node");
    }
}
