//! The statistics that a formula may use beside `Q`, `n` and `N`: named columns, which a search keeps only if a formula
//! needs them.
//!
//! Every column has a value at any time, also for a child without visits:
//!
//! | name | what it is | unit, range | where nothing is known |
//! |---|---|---|---|
//! | `sd` | standard deviation of the child's rewards, shrunk to the pooled one (below) | rewards, from 0 | 0 if no child has two visits |
//! | `best` | highest reward of the child | rewards | 0 |
//! | `A` | mean reward by all moves as first | rewards | 0 |
//! | `m` | visits by all moves as first | from 0 | 0 |
//! | `G` | mean reward over the children with the same first part of the move, the child among them | rewards | 0 |
//! | `moves` | legal moves of the node | from 1 | |
//! | `depth` | decisions between the root and the node | from 0 | |
//! | `phase` | share of the game that is played | 0 to 1 | |
//! | `left` | share of the budget that is left | 0 to 1 | |
//! | `lead` | reward of the seat that chooses if the game ended at the node | rewards | |
//! | `Qbar` | mean reward over all children | rewards | 0 without visits |
//! | `Qmax` | highest mean reward of a child with visits | rewards | 0 without visits |
//! | `sdQ` | standard deviation of the mean rewards of the children with visits | rewards, from 0 | 0 with fewer than two |
//! | `R` | reward of a playout | rewards | |
//! | `V` | reward if the game ended where the playout began | rewards | |
//!
//! Further names are numbers that the game gives for a move, the same for every number of visits. `Q` is 0 without
//! visits. Rewards are those of the seat that chooses. With `S` the sum of squared deviations of a child's rewards from
//! their mean and `P` the sum of all `S` over the sum of all `n - 1`, for the children with visits, `sd = sqrt((S + 2P)
//! / (max(n - 1, 0) + 2))`: a child with one visit has the pooled deviation, one with many its own.

/// A statistic beside `Q`, `n` and `N`.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash)]
pub enum Column {
    /// `sd`: the standard deviation of the child's rewards, shrunk to the pooled one.
    Deviation,
    /// `best`: the highest reward of the child.
    Best,
    /// `A`: the child's mean reward by all moves as first.
    AmafMean,
    /// `m`: the child's visits by all moves as first.
    AmafVisits,
    /// `G`: the mean reward over the children with the same first part of the move.
    PartMean,
    /// A number that the game gives for the move, by its name.
    MoveNumber(&'static str),
    /// `moves`: the number of legal moves.
    Moves,
    /// `depth`: decisions between the root and the node.
    Depth,
    /// `phase`: the share of the game that is played.
    Phase,
    /// `left`: the share of the budget that is left.
    Left,
    /// `lead`: the reward if the game ended at the node.
    Lead,
    /// `Qbar`: the mean reward over all children.
    NodeMean,
    /// `Qmax`: the highest mean reward of a child.
    BestMean,
    /// `sdQ`: the standard deviation of the children's mean rewards.
    SpreadOfMeans,
    /// `R`: the reward of a playout.
    Reward,
    /// `V`: the reward if the game ended where the playout began.
    Standing,
}

/// What a column belongs to.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash)]
pub enum Scope {
    /// A child of a node: one value per child.
    Child,
    /// A node: one value for all its children.
    Node,
    /// A playout: one value per seat.
    Playout,
}

impl Column {
    /// The columns that any search has, in the order of the table.
    pub const STANDARD: [Column; 15] = [
        Column::Deviation,
        Column::Best,
        Column::AmafMean,
        Column::AmafVisits,
        Column::PartMean,
        Column::Moves,
        Column::Depth,
        Column::Phase,
        Column::Left,
        Column::Lead,
        Column::NodeMean,
        Column::BestMean,
        Column::SpreadOfMeans,
        Column::Reward,
        Column::Standing,
    ];

    /// The name in every notation.
    pub const fn name(self) -> &'static str {
        match self {
            Column::Deviation => "sd",
            Column::Best => "best",
            Column::AmafMean => "A",
            Column::AmafVisits => "m",
            Column::PartMean => "G",
            Column::MoveNumber(name) => name,
            Column::Moves => "moves",
            Column::Depth => "depth",
            Column::Phase => "phase",
            Column::Left => "left",
            Column::Lead => "lead",
            Column::NodeMean => "Qbar",
            Column::BestMean => "Qmax",
            Column::SpreadOfMeans => "sdQ",
            Column::Reward => "R",
            Column::Standing => "V",
        }
    }

    /// What it belongs to.
    pub const fn scope(self) -> Scope {
        match self {
            Column::Deviation
            | Column::Best
            | Column::AmafMean
            | Column::AmafVisits
            | Column::PartMean
            | Column::MoveNumber(_) => Scope::Child,
            Column::Reward | Column::Standing => Scope::Playout,
            _ => Scope::Node,
        }
    }

    /// Whether it differs from child to child, or from seat to seat.
    pub(super) const fn is_by_lane(self) -> bool {
        !matches!(self.scope(), Scope::Node)
    }
}

/// The columns that a formula uses beside `Q`, `n` and `N`, each once.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Needs {
    /// Those with a value per child (or, for [`Scope::Playout`], per seat), in the order in which they occur.
    pub by_child: Vec<Column>,
    /// Those with one value for all children, in the order in which they occur.
    pub by_node: Vec<Column>,
}

impl Needs {
    /// Adds a column.
    pub fn add(&mut self, column: Column) {
        let list = if column.is_by_lane() { &mut self.by_child } else { &mut self.by_node };
        if !list.contains(&column) {
            list.push(column);
        }
    }

    /// All columns.
    pub fn columns(&self) -> impl Iterator<Item = Column> + '_ {
        self.by_child.iter().chain(&self.by_node).copied()
    }

    /// Whether the formula uses no further columns.
    pub fn is_empty(&self) -> bool {
        self.by_child.is_empty() && self.by_node.is_empty()
    }

    /// The numbers of moves among the columns.
    pub fn move_numbers(&self) -> impl Iterator<Item = &'static str> + '_ {
        self.by_child.iter().filter_map(|column| match column {
            Column::MoveNumber(name) => Some(*name),
            _ => None,
        })
    }
}
