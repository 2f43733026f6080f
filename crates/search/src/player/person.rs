//! A person at the table.

use super::contract::{Decision, Player, Position, TurnInNotation};
use super::fault::{Fault, FaultReason};
use crate::game::Game;

/// The seat of a person. Its moves come from elsewhere; where they do not, it loses by a fault.
#[derive(Clone, Copy, Debug)]
pub struct Person;

impl<G: Game> Player<G> for Person {
    fn decide(&mut self, _: &Position<G>) -> Decision<G::Action> {
        panic!("a person decides at the table of `evouct gui` only")
    }

    fn take_turn(&mut self, _: &Position<G>, _told: &dyn Fn() -> TurnInNotation) -> Result<Decision<G::Action>, Fault> {
        Err(Fault::new(FaultReason::NoAnswer, "a person plays at the table of `evouct gui` only"))
    }
}
