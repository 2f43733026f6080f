//! A node of the tree as formulas see it: the columns that they need, from the tree and from the position.

use super::super::guidance::Guidance;
use super::super::reward_rule::RewardSource;
use super::super::tree::SearchTree;
use crate::game::Game;
use crate::gp::{Column, ColumnValues, Needs, Program, Scratch};

/// The columns that a formula needs.
#[derive(Debug, Default)]
pub(super) struct Columns {
    pub by_child: Vec<f64>,
    pub by_node: Vec<f64>,
    /// Means and visits of children without visits.
    nothing: Vec<f64>,
}

impl Columns {
    pub(super) fn values(&self) -> ColumnValues<'_> {
        ColumnValues { by_child: &self.by_child, by_node: &self.by_node }
    }
}

/// A node as formulas see it.
pub(super) struct View<'t, G: Game> {
    pub tree: &'t SearchTree<G>,
    pub guidance: &'t Guidance<G>,
    pub node: usize,
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
        let (means, visits) = self.tree.statistics(self.node);
        means.iter().zip(visits).fold((0.0, 0.0), |(sum, count), (mean, visits)| (sum + mean * visits, count + visits))
    }

    pub(super) fn mean(&self) -> f64 {
        let (sum, visits) = self.total();
        if visits > 0.0 { sum / visits } else { 0.0 }
    }

    fn of_node(&self, column: Column) -> f64 {
        let (means, visits) = self.tree.statistics(self.node);
        match column {
            Column::Moves => means.len() as f64,
            Column::Depth => self.depth as f64,
            Column::Phase => self.state.phase().unwrap_or(0.0),
            Column::Left => self.left,
            Column::Lead => {
                let rewards = self.source.of(self.state, &self.state.scores());
                rewards[self.tree.node(self.node).mover]
            }
            Column::NodeMean => self.mean(),
            Column::BestMean => {
                let tried = means.iter().zip(visits).filter(|(_, visits)| **visits > 0.0);
                tried.map(|(mean, _)| *mean).reduce(f64::max).unwrap_or(0.0)
            }
            Column::SpreadOfMeans => {
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

    /// Adds a column with a value per child.
    fn push(&self, column: Column, values: &mut Vec<f64>) {
        let (means, visits) = self.tree.statistics(self.node);
        match column {
            Column::Deviation => self.push_deviations(values),
            Column::PartMean => self.push_part_means(values),
            Column::Best => values.extend_from_slice(self.tree.best(self.node)),
            Column::MoveNumber(name) => {
                let names = self.guidance.numbers.as_ref().map_or(&[][..], |numbers| numbers.names());
                let place = names.iter().position(|other| *other == name);
                values.extend_from_slice(self.tree.numbers(self.node, place.expect("the number is kept")));
            }
            Column::AmafMean | Column::AmafVisits => {
                let amaf = self.tree.amaf(self.node);
                let end = values.len() + means.len();
                if column == Column::AmafVisits {
                    values.extend_from_slice(amaf.visits);
                } else {
                    values.extend(amaf.sums.iter().zip(amaf.visits).map(|(sum, visits)| sum / visits.max(1.0)));
                }
                values.resize(end, 0.0);
            }
            _ => values.resize(values.len() + visits.len(), 0.0),
        }
    }

    /// Squared deviations of a child's rewards from their mean, summed; rounding must not make them negative.
    pub(super) fn squared_deviations(&self) -> impl Iterator<Item = (f64, f64)> {
        let (means, visits) = self.tree.statistics(self.node);
        let row = means.iter().zip(visits).zip(self.tree.squares(self.node));
        row.map(|((mean, visits), squares)| ((squares - mean * mean * visits).max(0.0), *visits))
    }

    /// See the table of [`Column`].
    fn push_deviations(&self, values: &mut Vec<f64>) {
        let (sum, freedom) = self
            .squared_deviations()
            .fold((0.0, 0.0), |(sum, freedom), (squares, visits)| (sum + squares, freedom + (visits - 1.0).max(0.0)));
        let pooled = if freedom > 0.0 { sum / freedom } else { 0.0 };
        let shrunk = |(squares, visits): (f64, f64)| (squares + 2.0 * pooled) / ((visits - 1.0).max(0.0) + 2.0);
        values.extend(self.squared_deviations().map(|of_child| shrunk(of_child).sqrt()));
    }

    pub(super) fn fill(&self, needs: &Needs, columns: &mut Columns) {
        columns.by_child.clear();
        columns.by_node.clear();
        for column in &needs.by_child {
            self.push(*column, &mut columns.by_child);
        }
        columns.by_node.extend(needs.by_node.iter().map(|column| self.of_node(*column)));
    }

    /// The same for the children at these places only, which ascend.
    pub(super) fn fill_at(&self, places: &[usize], needs: &Needs, columns: &mut Columns) {
        columns.by_child.clear();
        columns.by_node.clear();
        for column in &needs.by_child {
            let start = columns.by_child.len();
            self.push(*column, &mut columns.by_child);
            keep_at(places, start, &mut columns.by_child);
        }
        columns.by_node.extend(needs.by_node.iter().map(|column| self.of_node(*column)));
    }

    /// The values of a formula for all children.
    pub(super) fn evaluate(&self, program: &Program, row: &mut (&mut Columns, &mut Scratch, &mut Vec<f64>)) {
        let (columns, scratch, values) = row;
        self.fill(program.needs(), columns);
        let statistics = self.tree.statistics(self.node);
        values.resize(statistics.0.len(), 0.0);
        program.evaluate_over(statistics, (self.parent, 1.0), columns.values(), scratch, values);
        without_nan(values);
    }

    /// The values of a formula for the children at these places, none of which has a visit.
    pub(super) fn evaluate_untried(
        &self,
        program: &Program,
        places: &[usize],
        row: &mut (&mut Columns, &mut Scratch, &mut Vec<f64>),
    ) {
        let (columns, scratch, values) = row;
        self.fill_at(places, program.needs(), columns);
        values.clear();
        values.resize(places.len(), 0.0);
        columns.nothing.resize(places.len(), 0.0);
        let statistics = (&columns.nothing[..], &columns.nothing[..]);
        program.evaluate_over(statistics, (self.parent, 1.0), columns.values(), scratch, values);
        without_nan(values);
    }
}

/// Keeps the values at these places of what follows `start`.
fn keep_at(places: &[usize], start: usize, values: &mut Vec<f64>) {
    for (kept, place) in places.iter().enumerate() {
        values[start + kept] = values[start + place];
    }
    values.truncate(start + places.len());
}

/// NaN counts as minus infinity.
fn without_nan(values: &mut [f64]) {
    for value in values.iter_mut().filter(|value| value.is_nan()) {
        *value = f64::NEG_INFINITY;
    }
}
