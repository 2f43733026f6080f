//! Moves of playouts by a formula over what the search learned of moves and the numbers that the game gives for them.

use super::decisive;
use super::move_table::{Lessons, MoveTable};
use super::search_column::SearchColumn;
use crate::game::{Game, MoveLog, MoveNumbers, Ply, RatedChoice, RatingScratch, choose_rated};
use evouct_gp::{Column, ColumnValues, Program, Scratch};
use rand::Rng;
use std::fmt;

/// How a playout chooses a move by a formula.
pub struct FormulaRating<G: Game> {
    /// The rating of a move, over numbers of moves and what playouts know of them.
    pub program: Program,
    /// The numbers of moves that it uses, if any.
    pub numbers: Option<MoveNumbers<G>>,
    /// How a move is chosen by its rating.
    pub by: RatedChoice,
}

impl<G: Game> fmt::Debug for FormulaRating<G> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut shown = f.debug_struct("FormulaRating");
        shown.field("program", &self.program).field("numbers", &self.numbers).field("by", &self.by).finish()
    }
}

/// Memory of a rating.
#[derive(Default)]
struct Memory {
    /// The numbers of the game.
    given: Vec<Vec<f64>>,
    /// The columns of the formula, one after another.
    columns: Vec<f64>,
    /// The numbers of the moves.
    moves: Vec<u32>,
    nothing: Vec<f64>,
    scratch: Scratch,
}

impl<G: Game> FormulaRating<G> {
    /// What must be learned for it.
    pub(super) fn lessons(&self) -> Lessons {
        SearchColumn::lessons_of(self.program.needs().by_child.iter().filter_map(|column| SearchColumn::of(*column)))
    }

    /// One of the actions in this memory, which are those of the seat to play after the moves of this log.
    pub(super) fn choose(
        &self,
        state: &G,
        table: &MoveTable<G>,
        (seat, log): (usize, &MoveLog<G>),
        scratch: &mut RatingScratch<G>,
        rng: &mut impl Rng,
    ) -> G::Action {
        self.rate(state, table, (seat, log), scratch);
        choose_rated(self.by, scratch, rng)
    }

    /// Rates the actions in this memory.
    pub(super) fn rate(
        &self,
        state: &G,
        table: &MoveTable<G>,
        (seat, log): (usize, &MoveLog<G>),
        scratch: &mut RatingScratch<G>,
    ) {
        let RatingScratch { actions, ratings, position, own, .. } = scratch;
        let own = own.get_or_insert_with(|| Box::<Memory>::default());
        let memory: &mut Memory = own.downcast_mut().expect("one formula uses the memory");
        let Memory { given, columns, moves, nothing, scratch } = memory;
        let count = actions.len();
        if let Some(numbers) = &self.numbers {
            given.resize_with(numbers.names().len(), Vec::new);
            given.iter_mut().for_each(Vec::clear);
            numbers.fill(state, actions, position.get_or_insert_with(|| state.clone()), given);
        }
        let drawn = log.drawn(seat);
        moves.clear();
        moves.extend(actions.iter().map(|action| table.known(state, Some(&Ply { seat, drawn, action: *action }))));
        let before = |back: usize| {
            let place = log.plies().len().checked_sub(back);
            table.known(state, place.map(|place| &log.plies()[place]))
        };
        let by_child = &self.program.needs().by_child;
        columns.clear();
        for column in by_child {
            match (SearchColumn::of(*column), *column) {
                (Some(known @ (SearchColumn::Wins | SearchColumn::Lets)), _) => {
                    let position = position.get_or_insert_with(|| state.clone());
                    let rated = if known == SearchColumn::Wins { decisive::wins } else { decisive::lets };
                    rated(state, (seat, actions), position, columns);
                }
                (Some(learned), _) => {
                    let last = learned.moves_before(before);
                    columns.extend(moves.iter().map(|number| learned.learned(table, (seat, last, 0), *number)));
                }
                (None, Column::MoveNumber(name)) => {
                    let names = self.numbers.as_ref().map_or(&[][..], |numbers| numbers.names());
                    let place = names.iter().position(|other| *other == name);
                    columns.extend_from_slice(&given[place.expect("the formula is over numbers of the game")]);
                }
                (None, Column::Declared(_)) => columns.resize(columns.len() + count, 0.0),
            }
        }
        let by_child: Vec<&[f64]> = (0..by_child.len()).map(|at| &columns[at * count..(at + 1) * count]).collect();
        nothing.clear();
        nothing.resize(count, 0.0);
        ratings.clear();
        ratings.resize(count, 0.0);
        let columns = ColumnValues { by_child: &by_child, by_node: &[] };
        self.program.evaluate_over((nothing, nothing), (0.0, 1.0), columns, scratch, ratings);
        // An infinite rating would have no width on a wheel.
        ratings.iter_mut().filter(|rating| !rating.is_finite()).for_each(|rating| *rating = -1e300);
    }
}
