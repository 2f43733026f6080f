//! The player that is a person.

use crate::domain::{Domain, Fault, FaultReason, Kind, OutsidePlayer, TurnInNotation};

/// The seat of a person. Its moves come from elsewhere; where they do not, it loses by a fault.
#[derive(Debug)]
struct Person;

impl OutsidePlayer for Person {
    fn choose(&mut self, _: &TurnInNotation) -> Result<usize, Fault> {
        Err(Fault::new(FaultReason::NoAnswer, "a person plays at the table of `evouct gui` only"))
    }

    fn settings(&self) -> String {
        "a person".to_owned()
    }
}

pub(super) fn kind<D: Domain>() -> Kind<D> {
    Kind::of_people("human", "a person, at the table of `evouct gui`", |(), _| Box::new(Person))
}
