//! Who sits where in the first game of a table.

use super::request::NewSeat;
use crate::domain::{AnyDomain, GameRules};
use crate::parameter::Raw;
use std::collections::BTreeMap;

/// The kind of a person, and the level of the players that a person meets where no others are named.
const PERSON: &str = "human";
const OPPONENT: &str = "medium";
/// The name of the first of them.
const NAME: &str = "Medium";
/// The seats by rules that say no number, because they are refused when the game begins.
const USUAL: usize = 2;

/// The seats of a game by these rules: the players that are named, by name and kind, in their order. A person takes the
/// first of the seats that they leave empty, before them, and default players the others.
pub(super) fn first(
    game: &'static dyn AnyDomain,
    rules: &BTreeMap<String, String>,
    players: &[(String, String)],
) -> Vec<NewSeat> {
    let given: Vec<(String, Raw)> = rules.iter().map(|(key, value)| (key.clone(), Raw::Text(value.clone()))).collect();
    let count = GameRules::resolve(game, &given).map_or(USUAL, |rules| rules.seats());
    filled(count, players)
}

fn filled(count: usize, players: &[(String, String)]) -> Vec<NewSeat> {
    let seat = |name: &str, player: &str| NewSeat { name: name.to_owned(), player: player.to_owned() };
    let empty = count.saturating_sub(players.len());
    let person = (empty > 0).then(|| seat("You", PERSON));
    // With others at the table the names of default players have numbers: one of the others may be called alike.
    let opponents = (1..empty).map(|number| match players.len() + number {
        1 => seat(NAME, OPPONENT),
        number => seat(&format!("{NAME} {number}"), OPPONENT),
    });
    let named = players.iter().map(|(name, player)| seat(name, player));
    person.into_iter().chain(named).chain(opponents).collect()
}

#[cfg(test)]
mod tests {
    use super::filled;

    #[test]
    fn a_person_and_default_players_take_the_seats_that_are_left() {
        let named = |count: usize, names: &[&str]| -> Vec<String> {
            let players: Vec<_> = names.iter().map(|name| (name.to_string(), "random".to_owned())).collect();
            filled(count, &players).into_iter().map(|seat| format!("{}={}", seat.name, seat.player)).collect()
        };
        let (you, medium) = ("You=human", "Medium=medium");
        assert_eq!(named(1, &[]), [you]);
        assert_eq!(named(2, &[]), [you, medium]);
        assert_eq!(named(3, &[]), [you, medium, "Medium 2=medium"]);
        assert_eq!(named(1, &["a"]), ["a=random"]);
        assert_eq!(named(2, &["a"]), [you, "a=random"]);
        assert_eq!(named(3, &["Medium"]), [you, "Medium=random", "Medium 2=medium"]);
        assert_eq!(named(4, &["a", "b"]), [you, "a=random", "b=random", "Medium 3=medium"]);
        // More players than seats are refused where the game begins.
        assert_eq!(named(2, &["a", "b", "c"]), ["a=random", "b=random", "c=random"]);
    }
}
