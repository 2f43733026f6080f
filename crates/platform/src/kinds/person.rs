//! The player that is a person.

use crate::domain::{Domain, Kind};
use evouct_search::player::Person;

pub(super) fn kind<D: Domain>() -> Kind<D> {
    Kind::of_people("human", "a person, at the table of `evouct gui`", |(), _| Box::new(Person))
}
