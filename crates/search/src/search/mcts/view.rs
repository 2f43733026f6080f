//! A node of the tree as formulas see it: the columns that they need, from the tree and from the position.

use super::super::guidance::Guidance;
use super::super::move_table::MoveTable;
use super::super::policy::{Choice, TreePolicy, Values};
use super::super::reward_rule::RewardSource;
use super::super::search_column::SearchColumn;
use super::super::tree::{Proof, SearchTree};
use super::guided::move_columns::{MOST_COLUMNS, MoveColumns, OwnColumn, part_of};
use super::workspace::Step;
use crate::game::{Game, MoveLog};
use evouct_gp::{Column, ColumnValues, Needs, Program, Scratch};
use rand::Rng;

/// The columns of formulas that the tree does not keep.
#[derive(Debug, Default)]
pub(super) struct Columns {
    /// One after another, each as long as there are children.
    computed: Vec<f64>,
    by_node: Vec<f64>,
}

/// What a search has learned of moves when it comes to a node.
#[derive(Clone, Copy)]
pub(super) struct Learned<'t, G: Game> {
    pub table: &'t MoveTable<G>,
    /// The moves before the node.
    pub log: &'t MoveLog<G>,
    /// The nodes above it.
    pub path: &'t [Step],
    /// Visits that are enough for all moves as first.
    pub enough: u32,
}

/// A node as formulas see it.
pub(super) struct View<'t, G: Game> {
    pub tree: &'t SearchTree<G>,
    pub guidance: &'t Guidance<G>,
    pub moves: &'t MoveColumns,
    /// None where nothing is learned.
    pub learned: Option<Learned<'t, G>>,
    pub node: usize,
    /// Mean rewards and visits of its children; those without visits may be left out.
    pub statistics: (&'t [f64], &'t [f64]),
    pub state: &'t G,
    pub depth: usize,
    pub left: f64,
    pub source: RewardSource<'t, G>,
    /// Visits of the node.
    pub parent: f64,
}

impl<G: Game> View<'_, G> {
    /// Rewards over all children: their sum and number.
    fn total(&self) -> (f64, f64) {
        let (means, visits) = self.statistics;
        means.iter().zip(visits).fold((0.0, 0.0), |(sum, count), (mean, visits)| (sum + mean * visits, count + visits))
    }

    pub(super) fn mean(&self) -> f64 {
        let (sum, visits) = self.total();
        if visits > 0.0 { sum / visits } else { 0.0 }
    }

    fn of_node(&self, column: Column) -> f64 {
        let (means, visits) = self.statistics;
        match SearchColumn::of(column) {
            Some(SearchColumn::Moves) => self.tree.node(self.node).count as f64,
            Some(SearchColumn::Depth) => self.depth as f64,
            Some(SearchColumn::Phase) => self.state.phase().unwrap_or(0.0),
            Some(SearchColumn::Left) => self.left,
            Some(SearchColumn::Lead) => {
                let rewards = self.source.of(self.state, &self.state.scores());
                rewards[self.tree.node(self.node).mover]
            }
            Some(SearchColumn::NodeMean) => self.mean(),
            Some(SearchColumn::BestMean) => {
                let tried = means.iter().zip(visits).filter(|(_, visits)| **visits > 0.0);
                tried.map(|(mean, _)| *mean).reduce(f64::max).unwrap_or(0.0)
            }
            Some(SearchColumn::SpreadOfMeans) => {
                let tried = means.iter().zip(visits).filter(|(_, visits)| **visits > 0.0).map(|(mean, _)| *mean);
                let (count, sum) = tried.clone().fold((0.0, 0.0), |(count, sum), mean| (count + 1.0, sum + mean));
                if count < 2.0 {
                    return 0.0;
                }
                let squares: f64 = tried.map(|mean| (mean - sum / count) * (mean - sum / count)).sum();
                (squares / (count - 1.0)).sqrt()
            }
            _ => 0.0,
        }
    }

    /// By child, the mean reward over the children with the same first part of the move.
    fn push_part_means(&self, values: &mut Vec<f64>) {
        let (means, visits) = self.tree.statistics(self.node);
        let actions = self.tree.actions(self.node);
        let first = |child: usize| G::first_part(actions[child]);
        let mut last: Option<(G::Action, f64)> = None;
        for child in 0..actions.len() {
            let part = first(child);
            // Moves with the same first part mostly follow one another.
            let value = match last {
                Some((known, value)) if known == part => value,
                _ => {
                    let same = (0..actions.len()).filter(|other| first(*other) == part);
                    let (sum, count) = same.fold((0.0, 0.0), |(sum, count), other| {
                        (sum + means[other] * visits[other], count + visits[other])
                    });
                    if count > 0.0 { sum / count } else { 0.0 }
                }
            };
            last = Some((part, value));
            values.push(value);
        }
    }

    /// A column with a value per child that the tree keeps; none if it has to be computed.
    fn kept(&self, column: Column) -> Option<&[f64]> {
        if let Column::MoveNumber(name) = column {
            let names = self.guidance.number_names();
            // Mostly it is the very same name, which is found without a look at its letters.
            let same = names.iter().position(|other| std::ptr::eq(*other, name));
            let place = same.or_else(|| names.iter().position(|other| *other == name));
            let kept = place.and_then(|place| self.moves.column_of_number(place));
            return Some(self.tree.numbers(self.node, kept.expect("the number is kept")));
        }
        if let Some(place) = part_of(column) {
            return Some(self.tree.numbers(self.node, self.moves.column_of_part(place)));
        }
        match SearchColumn::of(column) {
            Some(SearchColumn::Best) => Some(self.tree.best(self.node)),
            Some(SearchColumn::Wins) => Some(self.own(OwnColumn::Wins)),
            Some(SearchColumn::Lets) => Some(self.own(OwnColumn::Lets)),
            Some(SearchColumn::Prior) => Some(self.tree.numbers(self.node, self.moves.column_of_priors())),
            Some(SearchColumn::AmafVisits) => {
                Some(self.tree.amaf(self.node).visits).filter(|visits| !visits.is_empty())
            }
            _ => None,
        }
    }

    /// Adds a column with a value per child that the tree does not keep.
    fn push(&self, column: Column, values: &mut Vec<f64>) {
        match SearchColumn::of(column) {
            Some(SearchColumn::Deviation) => self.push_deviations(values),
            Some(SearchColumn::PartMean) => self.push_part_means(values),
            Some(SearchColumn::AmafMean) => {
                let amaf = self.tree.amaf(self.node);
                let end = values.len() + self.tree.node(self.node).count;
                values.extend(amaf.sums.iter().zip(amaf.visits).map(|(sum, visits)| sum / visits.max(1.0)));
                values.resize(end, 0.0);
            }
            Some(proven @ (SearchColumn::ProvenWin | SearchColumn::ProvenLoss | SearchColumn::ProvenDraw)) => {
                self.push_proven(proven, values);
            }
            Some(column) if !column.lessons().is_empty() => self.push_learned(column, values),
            _ => values.resize(values.len() + self.tree.node(self.node).count, 0.0),
        }
    }

    /// What the search itself tells of the moves.
    fn own(&self, which: OwnColumn) -> &[f64] {
        self.tree.numbers(self.node, self.moves.column_of_own(which).expect("the column is kept"))
    }

    /// By child, 1 if it is proven so.
    fn push_proven(&self, proven: SearchColumn, values: &mut Vec<f64>) {
        let own = Proof::Win(self.tree.node(self.node).mover as u8);
        values.extend(self.tree.proofs(self.node).iter().map(|proof| {
            let is_so = match proven {
                SearchColumn::ProvenWin => *proof == own,
                SearchColumn::ProvenDraw => *proof == Proof::Draw,
                _ => *proof != own && matches!(proof, Proof::Win(_)),
            };
            f64::from(is_so)
        }));
    }

    /// By child, what the search has learned of the move.
    fn push_learned(&self, column: SearchColumn, values: &mut Vec<f64>) {
        let Some(Learned { table, log, path, enough }) = self.learned else {
            values.resize(values.len() + self.tree.node(self.node).count, 0.0);
            return;
        };
        let seat = self.tree.node(self.node).mover;
        let before = |back: usize| {
            let place = log.plies().len().checked_sub(back);
            table.known(self.state, place.map(|place| &log.plies()[place]))
        };
        let last = column.moves_before(before);
        let node = if column.lessons().nodes {
            let is_enough = |node: &usize| table.simulations(*node) >= enough;
            let above = path.iter().rev().map(|step| step.node);
            std::iter::once(self.node).chain(above).find(is_enough).unwrap_or(0)
        } else {
            0
        };
        let numbers = self.own(OwnColumn::Number).iter();
        values.extend(numbers.map(|number| column.learned(table, (seat, last, node), *number as u32)));
    }

    /// Squared deviations of a child's rewards from their mean, summed; rounding must not make them negative.
    pub(super) fn squared_deviations(&self) -> impl Iterator<Item = (f64, f64)> {
        let (means, visits) = self.tree.statistics(self.node);
        let row = means.iter().zip(visits).zip(self.tree.squares(self.node));
        row.map(|((mean, visits), squares)| ((squares - mean * mean * visits).max(0.0), *visits))
    }

    /// See the table of [`SearchColumn`].
    fn push_deviations(&self, values: &mut Vec<f64>) {
        let (sum, freedom) = self
            .squared_deviations()
            .fold((0.0, 0.0), |(sum, freedom), (squares, visits)| (sum + squares, freedom + (visits - 1.0).max(0.0)));
        let pooled = if freedom > 0.0 { sum / freedom } else { 0.0 };
        let shrunk = |(squares, visits): (f64, f64)| (squares + 2.0 * pooled) / ((visits - 1.0).max(0.0) + 2.0);
        values.extend(self.squared_deviations().map(|of_child| shrunk(of_child).sqrt()));
    }

    /// The columns with those of the node, and none by child.
    fn begin<'c>(&self, needs: &Needs, columns: &'c mut Columns) -> &'c mut Columns {
        let Columns { computed, by_node } = columns;
        computed.clear();
        by_node.clear();
        by_node.extend(needs.by_node.iter().map(|column| self.of_node(*column)));
        columns
    }

    /// Lets `evaluate` see the columns that a formula needs.
    pub(super) fn with_columns<T>(
        &self,
        needs: &Needs,
        columns: &mut Columns,
        evaluate: impl FnOnce(ColumnValues) -> T,
    ) -> T {
        let Columns { computed, by_node } = self.begin(needs, columns);
        let kept: Vec<Option<&[f64]>> = needs.by_child.iter().map(|column| self.kept(*column)).collect();
        for (column, _) in needs.by_child.iter().zip(&kept).filter(|(_, kept)| kept.is_none()) {
            self.push(*column, computed);
        }
        let mut computed = computed.chunks(self.tree.node(self.node).count.max(1));
        let mut by_child = Vec::with_capacity(kept.len());
        for kept in kept {
            by_child.push(kept.unwrap_or_else(|| computed.next().unwrap_or_default()));
        }
        evaluate(ColumnValues { by_child: &by_child, by_node })
    }

    /// As [`with_columns`](Self::with_columns), for the children at these places alone. The tree must
    /// [keep](super::guided::move_columns::keeps) the columns.
    pub(super) fn with_columns_of<T>(
        &self,
        places: &[u32],
        needs: &Needs,
        columns: &mut Columns,
        evaluate: impl FnOnce(ColumnValues) -> T,
    ) -> T {
        let Columns { computed, by_node } = self.begin(needs, columns);
        for column in &needs.by_child {
            let kept = self.kept(*column).expect("the tree keeps the column");
            computed.extend(places.iter().map(|place| kept[*place as usize]));
        }
        let (mut by_child, mut rest) = ([&[][..]; MOST_COLUMNS], &computed[..]);
        for column in &mut by_child[..needs.by_child.len()] {
            (*column, rest) = rest.split_at(places.len());
        }
        evaluate(ColumnValues { by_child: &by_child[..needs.by_child.len()], by_node })
    }

    /// The value of each child by the tree policy.
    pub(super) fn value_by<'m>(
        &self,
        policy: &TreePolicy,
        choice: Choice,
        columns: &mut Columns,
        memory: &'m mut Values,
        rng: &mut impl Rng,
    ) -> &'m [f64] {
        match policy {
            TreePolicy::Formula(formula) => self.with_columns(formula.program.needs(), columns, |columns| {
                policy.values_over(choice, columns, memory, rng)
            }),
            TreePolicy::Custom(custom) => {
                self.with_columns(custom.needs(), columns, |columns| policy.values_over(choice, columns, memory, rng))
            }
            _ if policy.needs_variances() => {
                let variances = self.squared_deviations().map(|(squares, visits)| squares / visits.max(1.0));
                let variances: Vec<f64> = variances.collect();
                policy.values_over(choice, ColumnValues { by_child: &[&variances], by_node: &[] }, memory, rng)
            }
            _ => policy.values_over(choice, ColumnValues::default(), memory, rng),
        }
    }

    /// The same for the children whose statistics the view has, at these places.
    pub(super) fn value_some_by<'m>(
        &self,
        policy: &TreePolicy,
        choice: Choice,
        places: &[u32],
        columns: &mut Columns,
        memory: &'m mut Values,
        rng: &mut impl Rng,
    ) -> &'m [f64] {
        match policy {
            TreePolicy::Formula(formula) => self.with_columns_of(places, formula.program.needs(), columns, |columns| {
                policy.values_over(choice, columns, memory, rng)
            }),
            _ => policy.values_over(choice, ColumnValues::default(), memory, rng),
        }
    }

    /// The values of a formula for the children at these places, with these mean rewards and visits.
    pub(super) fn evaluate_some(
        &self,
        program: &Program,
        (places, statistics): (&[u32], (&[f64], &[f64])),
        row: &mut (&mut Columns, &mut Scratch, &mut Vec<f64>),
    ) {
        let (columns, scratch, values) = row;
        values.resize(places.len(), 0.0);
        self.with_columns_of(places, program.needs(), columns, |columns| {
            program.evaluate_over(statistics, (self.parent, 1.0), columns, scratch, values);
        });
        for value in values.iter_mut().filter(|value| value.is_nan()) {
            *value = f64::NEG_INFINITY;
        }
    }

    /// The values of a formula for all children.
    pub(super) fn evaluate(&self, program: &Program, row: &mut (&mut Columns, &mut Scratch, &mut Vec<f64>)) {
        let (columns, scratch, values) = row;
        let statistics = self.tree.statistics(self.node);
        values.resize(statistics.0.len(), 0.0);
        self.with_columns(program.needs(), columns, |columns| {
            program.evaluate_over(statistics, (self.parent, 1.0), columns, scratch, values);
        });
        for value in values.iter_mut().filter(|value| value.is_nan()) {
            *value = f64::NEG_INFINITY;
        }
    }
}
