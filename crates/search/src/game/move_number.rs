//! Numbers that a game gives for an action before it is played: what search uses as knowledge of the game.

use super::Game;
use std::fmt;

/// A number that a game computes for an action before it is played, such as the points that it gains or gives away.
#[derive(Debug)]
pub struct MoveNumber<G: Game> {
    /// Its name.
    pub name: &'static str,
    /// What it is, with its unit.
    pub about: &'static str,
    /// The number of an action of the seat to play. The last argument is a position of the game that may be
    /// overwritten.
    pub value: fn(&G, G::Action, &mut G) -> f64,
}

impl<G: Game> MoveNumber<G> {
    /// A number of this name.
    pub const fn new(
        name: &'static str,
        about: &'static str,
        value: fn(&G, G::Action, &mut G) -> f64,
    ) -> MoveNumber<G> {
        MoveNumber { name, about, value }
    }
}

/// Computes numbers of many actions of one position: for each action of the list, in its order, pushes number
/// `wanted[i]` of the game's list to `columns[i]`. The scratch position may be overwritten.
///
/// The numbers must equal those of [`MoveNumber::value`]; a game that computes them together can do so at a fraction of
/// the cost.
pub type FillMoveNumbers<G> = fn(&G, &[<G as Game>::Action], &[usize], &mut G, &mut [Vec<f64>]);

/// The numbers of a game that a search or a player asks for.
pub struct MoveNumbers<G: Game> {
    fill: FillMoveNumbers<G>,
    names: Vec<&'static str>,
    wanted: Vec<usize>,
}

impl<G: Game> MoveNumbers<G> {
    /// The numbers of these names; none of them twice.
    ///
    /// # Errors
    /// The first name that is not in the list of the game.
    pub fn of(
        list: &'static [MoveNumber<G>],
        fill: FillMoveNumbers<G>,
        names: &[&'static str],
    ) -> Result<MoveNumbers<G>, &'static str> {
        MoveNumbers::of_lists([list, &[]], fill, names)
    }

    /// The same for a game with two lists: the numbers of the second are counted on from the first.
    ///
    /// # Errors
    /// The first name that is in neither list.
    pub fn of_lists(
        lists: [&'static [MoveNumber<G>]; 2],
        fill: FillMoveNumbers<G>,
        names: &[&'static str],
    ) -> Result<MoveNumbers<G>, &'static str> {
        let list = || lists[0].iter().chain(lists[1]);
        let place = |name: &&'static str| list().position(|number| number.name == *name).ok_or(*name);
        let wanted = names.iter().map(place).collect::<Result<_, _>>()?;
        Ok(MoveNumbers { fill, names: names.to_vec(), wanted })
    }

    /// The same numbers of another game that computes them from this one's.
    pub fn filled_by<H: Game>(&self, fill: FillMoveNumbers<H>) -> MoveNumbers<H> {
        MoveNumbers { fill, names: self.names.clone(), wanted: self.wanted.clone() }
    }

    /// Their names, in the order of the columns.
    pub fn names(&self) -> &[&'static str] {
        &self.names
    }

    /// Pushes one number per action to each column. There must be a column per name.
    pub fn fill(&self, state: &G, actions: &[G::Action], scratch: &mut G, columns: &mut [Vec<f64>]) {
        debug_assert_eq!(columns.len(), self.wanted.len());
        (self.fill)(state, actions, &self.wanted, scratch, columns);
    }
}

impl<G: Game> Clone for MoveNumbers<G> {
    fn clone(&self) -> MoveNumbers<G> {
        MoveNumbers { fill: self.fill, names: self.names.clone(), wanted: self.wanted.clone() }
    }
}

impl<G: Game> fmt::Debug for MoveNumbers<G> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_list().entries(&self.names).finish()
    }
}
