//! The games of an experiment: a list of [`GameSpec`]s in a fixed order.

use crate::config::{Experiment, ScheduleKind};
use evouct_base::seed::Identity;
pub use evouct_store::Shard;
use std::collections::HashMap;

/// One game: the deck, and the players by seat.
#[derive(Clone, PartialEq, Eq, Debug, Hash)]
pub struct GameSpec {
    /// The number of the deck, from 1.
    pub deck: u32,
    /// Indices of players, by seat.
    pub seats: Vec<usize>,
}

impl GameSpec {
    /// The id of the game: deck and identities. It does not depend on where or when the game is played.
    pub fn id(&self, experiment: &Experiment) -> String {
        game_id(self.deck, self.seats.iter().map(|player| &experiment.players[*player].identity))
    }
}

/// The id of a game on a deck between these players.
pub fn game_id<'a>(deck: u32, seats: impl IntoIterator<Item = &'a Identity>) -> String {
    let seats: Vec<String> = seats.into_iter().map(Identity::short).collect();
    format!("{deck}-{}", seats.join("-"))
}

/// The games of an experiment: deck by deck, and match by match on each deck, so that an interrupted run has about the
/// same number of games of every match. Of a Swiss league all games that may be played: which are depends on results.
#[derive(Clone, Debug)]
pub struct Schedule {
    decks: u32,
    /// Players by seat; with two seats home and away.
    matches: Vec<Vec<usize>>,
}

impl Schedule {
    /// The schedule of an experiment.
    pub fn of(experiment: &Experiment) -> Schedule {
        let (players, seats) = (experiment.players.len(), experiment.rules.seats());
        let tables: Vec<Vec<usize>> = match experiment.schedule {
            ScheduleKind::Gauntlet if seats == 2 => {
                // Contestant by contestant, so that an interrupted run has them complete against all fixed opponents.
                let fixed = experiment.fixed;
                (fixed..players).flat_map(|contestant| (0..fixed).map(move |fixed| vec![fixed, contestant])).collect()
            }
            ScheduleKind::Gauntlet if seats > 1 => {
                let others = combinations(1, players, seats - 1).into_iter();
                others.map(|others| [&[0], &others[..]].concat()).collect()
            }
            ScheduleKind::RoundRobin | ScheduleKind::Swiss | ScheduleKind::Gauntlet => combinations(0, players, seats),
            ScheduleKind::Neighbours => (seats..=players).map(|end| (end - seats..end).collect()).collect(),
        };
        let mut matches: Vec<Vec<usize>> = tables.iter().flat_map(|table| experiment.seatings.orders(table)).collect();
        if seats == 2 && matches!(experiment.schedule, ScheduleKind::RoundRobin | ScheduleKind::Swiss) {
            // By home player, as the tables of matches are read. Journals keep this order.
            matches.sort();
        }
        Schedule { decks: experiment.games_per_match, matches }
    }

    /// The number of games.
    pub fn len(&self) -> u64 {
        u64::from(self.decks) * self.matches.len() as u64
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The players of each game of a deck, by seat; with two seats the ordered pairs that play, home first.
    pub fn matches(&self) -> &[Vec<usize>] {
        &self.matches
    }

    /// The game at a position, from 0.
    pub fn nth(&self, position: u64) -> Option<GameSpec> {
        let matches = self.matches.len() as u64;
        let seats = self.matches.get(position.checked_rem(matches)? as usize)?;
        let deck = u32::try_from(position / matches).ok().filter(|deck| *deck < self.decks)? + 1;
        Some(GameSpec { deck, seats: seats.clone() })
    }

    /// All games.
    pub fn games(self) -> impl Iterator<Item = GameSpec> {
        let matches = self.matches;
        (1..=self.decks).flat_map(move |deck| matches.clone().into_iter().map(move |seats| GameSpec { deck, seats }))
    }

    /// The game with this id, if the schedule has it.
    pub fn game(&self, id: &str, experiment: &Experiment) -> Option<GameSpec> {
        let mut parts = id.split('-');
        let deck = parts.next()?.parse().ok().filter(|deck| (1..=self.decks).contains(deck))?;
        let seat = |short: &str| experiment.players.iter().position(|player| player.identity.short() == short);
        let seats: Vec<usize> = parts.map(seat).collect::<Option<_>>()?;
        let game = GameSpec { deck, seats };
        self.matches.contains(&game.seats).then_some(game)
    }
}

/// Where the games of a schedule stand in it, by id.
#[derive(Debug)]
pub struct Positions {
    decks: u32,
    matches: u64,
    /// The place of a match among those of a deck, by what its ids have behind the deck.
    places: HashMap<String, u64>,
}

impl Positions {
    /// Those of this schedule of an experiment.
    pub fn of(schedule: &Schedule, experiment: &Experiment) -> Positions {
        let short: Vec<String> = experiment.players.iter().map(|player| player.identity.short()).collect();
        let of_match = |seats: &Vec<usize>| seats.iter().map(|seat| &*short[*seat]).collect::<Vec<_>>().join("-");
        let places = (0..).zip(&schedule.matches).map(|(place, seats)| (of_match(seats), place)).collect();
        Positions { decks: schedule.decks, matches: schedule.matches.len() as u64, places }
    }

    /// The position of the game with this id, from 0; none if the schedule does not have it.
    pub fn find(&self, id: &str) -> Option<u64> {
        let (deck, seats) = id.split_once('-')?;
        let deck: u32 = deck.parse().ok().filter(|deck| (1..=self.decks).contains(deck))?;
        Some(u64::from(deck - 1) * self.matches + self.places.get(seats)?)
    }
}

/// All sets of so many numbers from `first` to below `end`, in ascending order.
fn combinations(first: usize, end: usize, count: usize) -> Vec<Vec<usize>> {
    if count == 0 {
        return vec![Vec::new()];
    }
    let with = |least: usize| {
        let rest = combinations(least + 1, end, count - 1).into_iter();
        rest.map(move |rest| [&[least], &rest[..]].concat())
    };
    (first..end).flat_map(with).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn experiment(schedule: &str) -> Experiment {
        of_players(&["a", "b", "c"], schedule, "")
    }

    fn of_players(names: &[&str], schedule: &str, more: &str) -> Experiment {
        evouct_carcassonne::add();
        let player = |name: &&str| format!("[[player]]\nname = \"{name}\"\nkind = \"random\"\n");
        let players: String = names.iter().map(player).collect();
        Experiment::parse(
            &format!("name = \"x\"\ngames_per_match = 2\nschedule = \"{schedule}\"\n{more}{players}"),
            "x.toml",
            crate::config::Overrides::default(),
        )
        .unwrap()
    }

    #[test]
    fn every_schedule_plays_its_matches_on_every_deck() {
        for (name, expected) in [
            ("round-robin", vec![[0, 1], [0, 2], [1, 0], [1, 2], [2, 0], [2, 1]]),
            ("gauntlet", vec![[0, 1], [1, 0], [0, 2], [2, 0]]),
            ("neighbours", vec![[0, 1], [1, 0], [1, 2], [2, 1]]),
        ] {
            let schedule = Schedule::of(&experiment(name));
            assert_eq!(schedule.matches(), expected);
            let games: Vec<GameSpec> = schedule.clone().games().collect();
            assert_eq!(games.len() as u64, schedule.len());
            let nth: Vec<GameSpec> = (0..schedule.len()).map(|position| schedule.nth(position).unwrap()).collect();
            assert_eq!(nth, games);
            assert_eq!(schedule.nth(schedule.len()), None);
            let experiment = experiment(name);
            let positions = Positions::of(&schedule, &experiment);
            for (position, game) in (0..).zip(&games) {
                let id = game.id(&experiment);
                assert_eq!(schedule.game(&id, &experiment).as_ref(), Some(game));
                assert_eq!(positions.find(&id), Some(position));
            }
            for wrong in ["", "3-", "9-a-b", "x-y-z", "1-00000000-11111111"] {
                assert_eq!((schedule.game(wrong, &experiment), positions.find(wrong)), (None, None));
            }
            assert_eq!(games.iter().filter(|game| game.deck == 2 && game.seats == [0, 1]).count(), 1);
        }
    }

    #[test]
    fn every_contestant_meets_every_fixed_opponent_and_no_others_meet() {
        let names = ["a", "b", "c", "d", "e"];
        let two = of_players(&names, "gauntlet", "fixed = 2\n");
        let of_contestant = |player| [[0, player], [player, 0], [1, player], [player, 1]];
        assert_eq!(Schedule::of(&two).matches(), [2, 3, 4].map(of_contestant).concat());
        assert_eq!((Schedule::of(&two).len(), two.games()), (24, 24));
        let once = of_players(&names, "gauntlet", "fixed = 3\nseatings = \"once\"\n");
        assert_eq!(Schedule::of(&once).matches(), [[0, 3], [1, 3], [2, 3], [0, 4], [1, 4], [2, 4]]);
        assert_eq!((Schedule::of(&once).len(), once.games()), (12, 12));
        // One is what a gauntlet has without the key, in everything that is recorded.
        let [plain, one] = ["", "fixed = 1\n"].map(|more| of_players(&names, "gauntlet", more));
        assert_eq!((Schedule::of(&plain).matches(), plain.hash()), (Schedule::of(&one).matches(), one.hash()));
        assert_eq!(serde_json::to_string(&plain.resolved()).unwrap(), serde_json::to_string(&one.resolved()).unwrap());
        assert_ne!(plain.hash(), two.hash());
    }

    #[test]
    fn ids_tell_games_apart() {
        let experiment = experiment("round-robin");
        let ids: std::collections::HashSet<String> =
            Schedule::of(&experiment).games().map(|game| game.id(&experiment)).collect();
        assert_eq!(ids.len(), 12);
    }
}
