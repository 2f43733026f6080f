//! Differences between two experiments, and whether the second only adds to the first.

use super::openings::OpeningSource;
use super::resolved::{Resolved, ResolvedPlayer};
use super::schedule_kind::ScheduleKind;
use super::seatings::Seatings;
use evouct_base::named::Named;
use evouct_platform::domain::GameRules;
use evouct_platform::registry;

/// One difference between a recorded experiment and a new one.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Difference {
    /// What differs, in words: the key, the recorded value and the new one.
    pub text: String,
    /// Whether all recorded games stay games of the new experiment: players or decks were added.
    pub extends: bool,
}

/// The differences that matter for the games.
pub fn differences(recorded: &Resolved, new: &Resolved) -> Vec<Difference> {
    let mut differences = Vec::new();
    let mut differ = |key: &str, recorded: String, new: String, extends: bool| {
        if recorded != new {
            differences.push(Difference { text: format!("{key} was {recorded} and is {new}"), extends });
        }
    };
    differ("seed", recorded.seed.to_string(), new.seed.to_string(), false);
    let games = [recorded.games_per_match, new.games_per_match];
    // A round of a Swiss schedule depends on all decks and players of those before, and on nothing that comes later.
    let rounds = [recorded.rounds, new.rounds];
    let is_swiss = rounds != [None, None];
    differ("decks", games[0].to_string(), games[1].to_string(), games[1] > games[0] && !is_swiss);
    differ("schedule", recorded.schedule.clone(), new.schedule.clone(), false);
    if let [Some(was), Some(is)] = rounds {
        differ("rounds", was.to_string(), is.to_string(), is > was);
    }
    differ("fixed", recorded.fixed.to_string(), new.fixed.to_string(), false);
    differ("seatings", recorded.seatings.name().to_owned(), new.seatings.name().to_owned(), false);
    differ("mirror", recorded.mirror.to_string(), new.mirror.to_string(), false);
    let clock = |of: &Resolved| of.clock.map_or("none".to_owned(), |clock| clock.to_string());
    differ("clock", clock(recorded), clock(new), false);
    differ("game", recorded.game.clone(), new.game.clone(), false);
    let openings = |of: &Resolved| of.openings.as_ref().map_or_else(|| "none".to_owned(), ToString::to_string);
    let is_longer = match (&recorded.openings, &new.openings) {
        (Some(OpeningSource::List(was)), Some(OpeningSource::List(is))) => is.starts_with(was),
        _ => false,
    };
    differ("openings", openings(recorded), openings(new), is_longer);
    let limit = |of: &Resolved| match of.limit {
        Some(limit) => format!("{} with at_limit = {}", limit.plies, limit.at_limit.name()),
        None => "none".to_owned(),
    };
    differ("max_plies", limit(recorded), limit(new), false);
    let only_recorded = recorded.rules.iter().filter(|(key, _)| !new.rules.iter().any(|(other, _)| other == key));
    // Another game has other options.
    let is_same_game = recorded.game == new.game;
    for (key, _) in new.rules.iter().chain(only_recorded).filter(|_| is_same_game) {
        // An option that is not named has its default.
        let named = |resolved: &Resolved| resolved.rule(key).unwrap_or_else(|| "the default".to_owned());
        differ(key, named(recorded), named(new), false);
    }

    let bound = [recorded, new].map(|of| &of.python);
    for name in bound[0].keys().chain(bound[1].keys().filter(|name| !bound[0].contains_key(*name))) {
        let [was, is] = bound.map(|python| python.get(name));
        let (what, extends) = match (was, is) {
            (None, _) => ("is new", true),
            (_, None) => ("is gone", false),
            (was, is) if was != is => ("had another source", false),
            _ => continue,
        };
        differences.push(Difference { text: format!("{name} of Python {what}"), extends });
    }

    let missing =
        |from: &Resolved, player: &ResolvedPlayer| !from.players.iter().any(|other| other.identity == player.identity);
    // The same name with other parameters is one difference, not two.
    let changed = |players: &[ResolvedPlayer], others: &Resolved, player: &ResolvedPlayer| {
        let found = players.iter().find(|other| other.name == player.name && missing(others, other));
        found.map(|other| other.player.clone())
    };
    for player in recorded.players.iter().filter(|player| missing(new, player)) {
        let (name, was) = (&player.name, &player.player);
        let text = match changed(&new.players, recorded, player) {
            Some(is) => format!("player {name} was {was} and is {is}"),
            None => format!("player {} is gone", with_parameters(player)),
        };
        differences.push(Difference { text, extends: false });
    }
    if !has_every_order(new) && in_order(recorded, new) != in_order(new, recorded) {
        let text = "players stand in another order, by which they meet and sit".to_owned();
        differences.push(Difference { text, extends: false });
    }
    let added =
        |player: &&ResolvedPlayer| missing(recorded, player) && changed(&recorded.players, new, player).is_none();
    for player in new.players.iter().filter(added) {
        let place = new.players.iter().position(|other| other == player);
        // A player before this place changes who meets whom.
        let (first, needs) = match new.schedule.as_str() {
            "round-robin" => (0, ""),
            "gauntlet" => (new.fixed, "and stands among the fixed opponents"),
            _ => (recorded.players.len(), "and does not stand last"),
        };
        let extends = place >= Some(first) && !is_swiss;
        let problem = if extends || is_swiss { String::new() } else { format!(" {needs}") };
        let text = format!("player {} is new{problem}", with_parameters(player));
        differences.push(Difference { text, extends });
    }
    differences
}

/// Whether every two players meet in both orders, so that games do not depend on the order in the file.
fn has_every_order(of: &Resolved) -> bool {
    let named = of.rule("seats").and_then(|seats| seats.parse().ok());
    let game = || registry::games().into_iter().find(|game| game.name() == of.game);
    let seats = named.or_else(|| game().map(|game| GameRules::default_of(game).seats()));
    let both = match of.seatings {
        Seatings::All => true,
        Seatings::Mirrored | Seatings::Rotations => seats.is_some_and(|seats| seats <= 2),
        Seatings::Once => seats == Some(1),
    };
    both && of.schedule == ScheduleKind::RoundRobin.name()
}

/// The players that both experiments have, in the order of the first.
fn in_order<'a>(of: &'a Resolved, other: &Resolved) -> Vec<&'a str> {
    let has = |identity: &&str| other.players.iter().any(|player| player.identity == **identity);
    of.players.iter().map(|player| player.identity.as_str()).filter(has).collect()
}

/// A player by its name, with its kind and parameters where these are not its name.
fn with_parameters(player: &ResolvedPlayer) -> String {
    if player.name == player.player { player.name.clone() } else { format!("{} ({})", player.name, player.player) }
}
