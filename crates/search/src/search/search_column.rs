//! The statistics that a search keeps for formulas beside `Q`, `n` and `N`, if a formula needs them.
//!
//! Every one has a value at any time, also for a child without visits:
//!
//! | name | what it is | unit, range | where nothing is known |
//! |---|---|---|---|
//! | `sd` | standard deviation of the child's rewards, shrunk to the pooled one (below) | rewards, from 0 | 0 if no child has two visits |
//! | `best` | highest reward of the child | rewards | 0 |
//! | `A` | mean reward by all moves as first | rewards | 0 |
//! | `m` | visits by all moves as first | from 0 | 0 |
//! | `G` | mean reward over the children with the same first part of the move, the child among them | rewards | 0 |
//! | `hm`, `hn` | mean reward and count of the move over all simulations of the search, wherever its seat made it | rewards; from 0 | the mean of all simulations; 0 |
//! | `hm2`, `hn2` | the same where the last move before it was the same, shrunk to `hm` by two decisions | rewards; from 0 | `hm`; 0 |
//! | `hm3`, `hn3` | the same where the last two moves were the same, shrunk to `hm2` by two decisions | rewards; from 0 | `hm2`; 0 |
//! | `Ag`, `mg` | mean reward and visits by all moves as first at the nearest node, from this one up, with enough visits (`grave_visits`), else at the root | rewards; from 0 | `hm`; 0 |
//! | `lgr` | 1 if the move is the last reply to the last move with which its seat won, until it loses with it | 0 or 1 | 0 |
//! | `pw`, `pl`, `pd` | 1 if the tree proves that the move wins, loses, draws | 0 or 1 | 0 |
//! | `w1` | 1 if the move wins the game at once | 0 or 1 | |
//! | `l1` | 1 if the next seat can win the game at once after the move, without chance in between | 0 or 1 | |
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
//! Rewards are those of the seat that chooses. With `S` the sum of squared deviations of a child's rewards from their
//! mean and `P` the sum of all `S` over the sum of all `n - 1`, for the children with visits, `sd = sqrt((S + 2P) /
//! (max(n - 1, 0) + 2))`: a child with one visit has the pooled deviation, one with many its own.

use super::move_table::{Lessons, MoveTable, NO_MOVE};
use crate::game::Game;
use evouct_gp::{Column, Scope, Statistic, Terminal};

/// Declares the columns: a line with name, what it belongs to, and LaTeX.
macro_rules! search_columns {
    ($(#[doc = $about:literal] $column:ident: $name:literal, $scope:ident, $latex:literal;)+) => {
        /// A statistic that a search has for formulas.
        #[derive(Clone, Copy, PartialEq, Eq, Debug)]
        pub enum SearchColumn {
            $(#[doc = concat!(" `", $name, "`:", $about)] $column,)+
        }

        impl SearchColumn {
            /// All of them, in the order of the table.
            pub const ALL: [SearchColumn; [$($name),+].len()] = [$(SearchColumn::$column),+];
        }

        static ROWS: [Statistic; SearchColumn::ALL.len()] = [$(
            Statistic {
                about: $about.trim_ascii_start(),
                latex: $latex,
                in_playouts: SearchColumn::$column.is_in_playouts(),
                ..Statistic::new($name, Scope::$scope, SearchColumn::$column as usize)
            },
        )+];
    };
}

search_columns! {
    /// the standard deviation of the child's rewards, shrunk to the pooled one.
    Deviation: "sd", Child, "";
    /// the highest reward of the child.
    Best: "best", Child, "";
    /// the child's mean reward by all moves as first.
    AmafMean: "A", Child, "";
    /// the child's visits by all moves as first.
    AmafVisits: "m", Child, "";
    /// the mean reward over the children with the same first part of the move.
    PartMean: "G", Child, "";
    /// the mean reward of the move over all simulations, wherever its seat made it.
    History: "hm", Child, r"\bar{h}";
    /// how often the move was made in all simulations.
    HistoryCount: "hn", Child, "n_h";
    /// the mean reward of the move after the last one, wherever its seat made it.
    PairMean: "hm2", Child, r"\bar{h}_2";
    /// how often the move was made after the last one.
    PairCount: "hn2", Child, "n_{h,2}";
    /// the mean reward of the move after the last two, wherever its seat made it.
    TripleMean: "hm3", Child, r"\bar{h}_3";
    /// how often the move was made after the last two.
    TripleCount: "hn3", Child, "n_{h,3}";
    /// the mean reward by all moves as first at the nearest node above with enough visits.
    GraveMean: "Ag", Child, "A_g";
    /// the visits by all moves as first at the nearest node above with enough visits.
    GraveVisits: "mg", Child, "m_g";
    /// 1 if the move is the last good reply to the last one, else 0.
    Reply: "lgr", Child, "";
    /// 1 if the move is proven to win, else 0.
    ProvenWin: "pw", Child, "p_w";
    /// 1 if the move is proven to lose, else 0.
    ProvenLoss: "pl", Child, "p_l";
    /// 1 if the move is proven to draw, else 0.
    ProvenDraw: "pd", Child, "p_d";
    /// 1 if the move wins the game at once, else 0.
    Wins: "w1", Child, "w_1";
    /// 1 if the next seat can win at once after the move, else 0.
    Lets: "l1", Child, "l_1";
    /// the number of legal moves.
    Moves: "moves", Node, "";
    /// decisions between the root and the node.
    Depth: "depth", Node, "";
    /// the share of the game that is played.
    Phase: "phase", Node, "";
    /// the share of the budget that is left.
    Left: "left", Node, "";
    /// the reward if the game ended at the node.
    Lead: "lead", Node, "";
    /// the mean reward over all children.
    NodeMean: "Qbar", Node, r"\bar{Q}";
    /// the highest mean reward of a child.
    BestMean: "Qmax", Node, r"Q_{\max}";
    /// the standard deviation of the children's mean rewards.
    SpreadOfMeans: "sdQ", Node, r"\sigma_Q";
    /// the reward of a playout.
    Reward: "R", Playout, "";
    /// the reward if the game ended where the playout began.
    Standing: "V", Playout, "";
    /// the prior of the move, its share by the policy of the player.
    Prior: "P", Child, "";
}

impl SearchColumn {
    /// The column of formulas.
    pub fn column(self) -> Column {
        Column::Declared(&ROWS[self as usize])
    }

    /// The terminal of formulas.
    pub fn terminal(self) -> Terminal {
        Terminal::Column(self.column())
    }

    /// The statistic of a column; none if it is not one of a search.
    #[inline]
    pub fn of(column: Column) -> Option<SearchColumn> {
        let Column::Declared(row) = column else { return None };
        SearchColumn::ALL.get(row.number).copied().filter(|known| known.column() == column)
    }

    /// Whether only the simulations of a search, or its positions, tell it: where values of moves are recorded it is not
    /// known.
    pub fn is_learned(self) -> bool {
        use SearchColumn as C;
        self.lessons() != Lessons::default()
            || matches!(self, C::ProvenWin | C::ProvenLoss | C::ProvenDraw | C::Wins | C::Lets)
    }

    /// Whether playouts know it, too: it depends on the moves before and on the position alone.
    const fn is_in_playouts(self) -> bool {
        use SearchColumn as C;
        matches!(
            self,
            C::History
                | C::HistoryCount
                | C::PairMean
                | C::PairCount
                | C::TripleMean
                | C::TripleCount
                | C::Reply
                | C::Wins
                | C::Lets
        )
    }

    /// The value of one that is learned, for a move of a seat by its number: after these moves, the older one first, and
    /// below this node.
    #[inline]
    pub(super) fn learned<G: Game>(
        self,
        table: &MoveTable<G>,
        (seat, [older, last], node): (usize, [u32; 2], usize),
        number: u32,
    ) -> f64 {
        use SearchColumn as C;
        match self {
            C::History => table.history(seat, number).0,
            C::HistoryCount => table.history(seat, number).1,
            C::PairMean => table.after_one(seat, last, number).0,
            C::PairCount => table.after_one(seat, last, number).1,
            C::TripleMean => table.after_two(seat, [older, last], number).0,
            C::TripleCount => table.after_two(seat, [older, last], number).1,
            C::GraveMean => table.below(seat, node, number).0,
            C::GraveVisits => table.below(seat, node, number).1,
            _ => f64::from(table.replies(seat, last, number)),
        }
    }

    /// The numbers of the last two moves that it depends on, the older one first: `number` has that of the move so many
    /// back.
    pub(super) fn moves_before(self, number: impl Fn(usize) -> u32) -> [u32; 2] {
        match self.lessons() {
            Lessons { triples: true, .. } => [number(2), number(1)],
            Lessons { pairs: true, .. } | Lessons { replies: true, .. } => [NO_MOVE, number(1)],
            _ => [NO_MOVE; 2],
        }
    }

    /// What a search must learn of moves for these.
    pub(super) fn lessons_of(columns: impl Iterator<Item = SearchColumn>) -> Lessons {
        columns.map(SearchColumn::lessons).fold(Lessons::default(), |all, one| Lessons {
            history: all.history || one.history,
            pairs: all.pairs || one.pairs,
            triples: all.triples || one.triples,
            nodes: all.nodes || one.nodes,
            replies: all.replies || one.replies,
        })
    }

    /// What a search must learn of moves for it.
    pub(super) fn lessons(self) -> Lessons {
        use SearchColumn as C;
        Lessons {
            history: matches!(self, C::History | C::HistoryCount),
            pairs: matches!(self, C::PairMean | C::PairCount | C::TripleMean | C::TripleCount),
            triples: matches!(self, C::TripleMean | C::TripleCount),
            nodes: matches!(self, C::GraveMean | C::GraveVisits),
            replies: matches!(self, C::Reply),
        }
    }

    /// The terminals that formulas of a search may have: those of the paper, all statistics, and numbers of these names
    /// that a game gives for a move.
    pub fn terminals(move_numbers: &[&'static str]) -> Vec<Terminal> {
        Terminal::with_columns(&ROWS, move_numbers)
    }

    /// The terminals of formulas of a leaf, where those of other formulas are these: what is known after a playout.
    pub fn leaf_terminals(others: &[Terminal]) -> Vec<Terminal> {
        let phase = SearchColumn::Phase.terminal();
        let mut terminals = vec![SearchColumn::Reward.terminal(), SearchColumn::Standing.terminal()];
        terminals.extend(others.contains(&phase).then_some(phase));
        terminals
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use evouct_gp::{LnRule, Tree};

    #[test]
    fn a_prior_is_written_out_in_every_form() {
        let tree = Tree::parse_over("Q + 9 * P / n", &SearchColumn::terminals(&[])).unwrap();
        assert_eq!(tree.latex(), r"Q + \frac{9 P}{n}");
        for text in [tree.sympy(LnRule::Abs), tree.python(LnRule::Abs)] {
            assert!(text.contains('P'), "{text}");
        }
    }

    #[test]
    fn columns_are_found_by_name_and_by_number() {
        for known in SearchColumn::ALL {
            let name = known.column().name();
            let tree = Tree::parse_over(name, &SearchColumn::terminals(&["dv"])).unwrap();
            let needs = tree.needs();
            assert_eq!(needs.columns().map(SearchColumn::of).collect::<Vec<_>>(), [Some(known)], "{name}");
        }
        static OTHER: Statistic = Statistic::new("sd", Scope::Child, 0);
        assert_eq!(SearchColumn::of(Column::Declared(&OTHER)), None);
        assert_eq!(SearchColumn::of(Column::MoveNumber("sd")), None);
    }
}
