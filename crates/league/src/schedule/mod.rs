//! The games of an experiment: a list of [`GameSpec`]s in a fixed order.

use crate::config::{Experiment, ScheduleKind, choose};
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
///
/// Each game is computed from its place: a list of a million takes a hundred megabytes.
#[derive(Clone, Debug)]
pub struct Schedule {
    decks: u32,
    tables: Tables,
    /// The orders in which the players of a table sit, as places in the table.
    orders: Vec<Vec<usize>>,
}

impl Schedule {
    /// The schedule of an experiment.
    pub fn of(experiment: &Experiment) -> Schedule {
        let (players, seats) = (experiment.players.len(), experiment.rules.seats());
        let sets = |alone, first, end| Tables::Sets { alone, first, end, size: seats - usize::from(alone) };
        let mut orders = experiment.seatings.orders(&(0..seats).collect::<Vec<_>>());
        let tables = match experiment.schedule {
            ScheduleKind::Gauntlet if seats == 2 => Tables::Gauntlet { fixed: experiment.fixed, players },
            ScheduleKind::Gauntlet if seats > 1 => sets(true, 1, players),
            ScheduleKind::RoundRobin | ScheduleKind::Swiss if seats == 2 && orders.len() == 2 => {
                // By home player, as the tables of matches are read. Journals keep this order.
                orders.truncate(1);
                Tables::Ordered { players }
            }
            ScheduleKind::RoundRobin | ScheduleKind::Swiss | ScheduleKind::Gauntlet => sets(false, 0, players),
            ScheduleKind::Neighbours => Tables::Neighbours { seats, players },
        };
        Schedule { decks: experiment.games_per_match, tables, orders }
    }

    /// The number of games.
    pub fn len(&self) -> u64 {
        u64::from(self.decks) * self.matches_per_deck()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The number of games of a deck.
    pub fn matches_per_deck(&self) -> u64 {
        self.tables.count() * self.orders.len() as u64
    }

    /// The players of each game of a deck, by seat; with two seats the ordered pairs that play, home first.
    pub fn matches(&self) -> impl Iterator<Item = Vec<usize>> {
        (0..self.matches_per_deck()).map(|place| self.players(place))
    }

    /// The players of the game of a deck at a place that it has.
    fn players(&self, place: u64) -> Vec<usize> {
        let orders = self.orders.len() as u64;
        let table = self.tables.nth(place / orders);
        self.orders[(place % orders) as usize].iter().map(|seat| table[*seat]).collect()
    }

    /// The place among the games of a deck at which these players sit so; none if they do not.
    fn place(&self, seats: &[usize]) -> Option<u64> {
        let mut table = seats.to_vec();
        if !matches!(self.tables, Tables::Ordered { .. }) {
            table.sort_unstable();
        }
        let is_it = |order: &Vec<usize>| {
            order.len() == seats.len() && order.iter().zip(seats).all(|(place, seat)| table[*place] == *seat)
        };
        let order = self.orders.iter().position(is_it)?;
        Some(self.tables.find(&table)? * self.orders.len() as u64 + order as u64)
    }

    /// Whether these players sit so in a game of each deck.
    pub fn has(&self, seats: &[usize]) -> bool {
        self.place(seats).is_some()
    }

    /// The positions of the games of these pairs, in ascending order.
    pub fn positions_of(&self, pairs: &[[usize; 2]]) -> Vec<u64> {
        let places = pairs.iter().flat_map(|[a, b]| [[*a, *b], [*b, *a]]).filter_map(|seats| self.place(&seats));
        let mut places: Vec<u64> = places.collect();
        places.sort_unstable();
        let matches = self.matches_per_deck();
        (0..u64::from(self.decks)).flat_map(|deck| places.iter().map(move |place| deck * matches + place)).collect()
    }

    /// The game at a position, from 0.
    pub fn nth(&self, position: u64) -> Option<GameSpec> {
        let matches = self.matches_per_deck();
        let place = position.checked_rem(matches)?;
        let deck = u32::try_from(position / matches).ok().filter(|deck| *deck < self.decks)? + 1;
        Some(GameSpec { deck, seats: self.players(place) })
    }

    /// All games.
    pub fn games(self) -> impl Iterator<Item = GameSpec> {
        (0..self.len()).filter_map(move |position| self.nth(position))
    }

    /// The game with this id, if the schedule has it.
    pub fn game(&self, id: &str, experiment: &Experiment) -> Option<GameSpec> {
        self.nth(Positions::of(self, experiment).find(id)?)
    }
}

/// The sets of players that play one another, each in the order of the file.
#[derive(Clone, Debug)]
enum Tables {
    /// Every two, in both orders.
    Ordered { players: usize },
    /// Contestant by contestant, so that an interrupted run has them complete against all fixed opponents.
    Gauntlet { fixed: usize, players: usize },
    /// Each player with the next ones.
    Neighbours { seats: usize, players: usize },
    /// All sets of so many from `first` to below `end`, with the first player if `alone`.
    Sets { alone: bool, first: usize, end: usize, size: usize },
}

impl Tables {
    fn count(&self) -> u64 {
        match *self {
            Tables::Ordered { players } => (players * players.saturating_sub(1)) as u64,
            Tables::Gauntlet { fixed, players } => (fixed * players.saturating_sub(fixed)) as u64,
            Tables::Neighbours { seats, players } => (players + 1).saturating_sub(seats) as u64,
            Tables::Sets { first, end, size, .. } => choose(end.saturating_sub(first), size),
        }
    }

    /// The table at a place that there is.
    fn nth(&self, place: u64) -> Vec<usize> {
        let place_of_pair = place as usize;
        match *self {
            Tables::Ordered { players } => {
                let (home, away) = (place_of_pair / (players - 1), place_of_pair % (players - 1));
                vec![home, away + usize::from(away >= home)]
            }
            Tables::Gauntlet { fixed, .. } => vec![place_of_pair % fixed, fixed + place_of_pair / fixed],
            Tables::Neighbours { seats, .. } => (place_of_pair..place_of_pair + seats).collect(),
            Tables::Sets { alone, mut first, end, size } => {
                let mut table = if alone { vec![0] } else { Vec::new() };
                let mut left = place;
                for size in (1..=size).rev() {
                    // The last player before whom no more sets begin than are left.
                    let mut range = first..end;
                    while range.len() > 1 {
                        let middle = range.start + range.len() / 2;
                        if before(first, middle, end, size) <= left { range.start = middle } else { range.end = middle }
                    }
                    left -= before(first, range.start, end, size);
                    table.push(range.start);
                    first = range.start + 1;
                }
                table
            }
        }
    }

    /// The place of a table; none if there is no such table.
    fn find(&self, table: &[usize]) -> Option<u64> {
        let place = match (self, table) {
            (Tables::Ordered { players }, [home, away]) => {
                home * players.saturating_sub(1) + away - usize::from(away > home)
            }
            (Tables::Gauntlet { fixed, .. }, [one, contestant]) => contestant.checked_sub(*fixed)? * fixed + one,
            (Tables::Neighbours { .. }, [one, ..]) => *one,
            (Tables::Sets { alone, first, end, .. }, _) => {
                let (mut place, mut first) = (0, *first);
                let others = &table[usize::from(*alone).min(table.len())..];
                for (player, size) in others.iter().zip((1..=others.len()).rev()) {
                    place += before(first, *player, *end, size);
                    first = player + 1;
                }
                place as usize
            }
            _ => return None,
        } as u64;
        (place < self.count() && self.nth(place) == table).then_some(place)
    }
}

/// Of the sets of so many from `first` to below `end` those that begin before a player.
fn before(first: usize, player: usize, end: usize, size: usize) -> u64 {
    let of = |first: usize| choose(end.saturating_sub(first), size);
    of(first).saturating_sub(of(player))
}

/// Where the games of a schedule stand in it, by id.
#[derive(Debug)]
pub struct Positions {
    schedule: Schedule,
    /// The players by their short identities.
    players: HashMap<String, usize>,
}

impl Positions {
    /// Those of this schedule of an experiment.
    pub fn of(schedule: &Schedule, experiment: &Experiment) -> Positions {
        let short = experiment.players.iter().map(|player| player.identity.short());
        Positions { schedule: schedule.clone(), players: short.zip(0..).collect() }
    }

    /// The position of the game with this id, from 0; none if the schedule does not have it.
    pub fn find(&self, id: &str) -> Option<u64> {
        let mut parts = id.split('-');
        let deck: u32 = parts.next()?.parse().ok().filter(|deck| (1..=self.schedule.decks).contains(deck))?;
        let seats: Vec<usize> = parts.map(|short| self.players.get(short).copied()).collect::<Option<_>>()?;
        Some(u64::from(deck - 1) * self.schedule.matches_per_deck() + self.schedule.place(&seats)?)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::config::Seatings;

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

    fn list(schedule: &Schedule) -> Vec<Vec<usize>> {
        schedule.matches().collect()
    }

    /// All sets of so many numbers from `first` to below `end`, in ascending order, as a list.
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

    #[test]
    fn positions_of_pairs_are_those_of_their_games() {
        let pairs = [[0, 3], [1, 2]];
        for (kind, more) in [("swiss", "rounds = 2\n"), ("round-robin", "mirror = false\n")] {
            let schedule = Schedule::of(&of_players(&["a", "b", "c", "d"], kind, more));
            let seats = |position: &u64| {
                let mut seats = schedule.nth(*position).unwrap().seats;
                seats.sort_unstable();
                seats
            };
            let is_of_pairs = |position: &u64| pairs.iter().any(|pair| seats(position) == pair);
            let expected: Vec<u64> = (0..schedule.len()).filter(is_of_pairs).collect();
            assert!(!expected.is_empty());
            assert_eq!(schedule.positions_of(&pairs), expected, "{kind}");
        }
    }

    #[test]
    fn places_are_those_of_a_list() {
        for seats in 1..=6 {
            for (players, seatings) in [(seats, Seatings::Mirrored), (7, Seatings::Mirrored), (8, Seatings::Once)] {
                let orders = seatings.orders(&(0..seats).collect::<Vec<_>>());
                let sets =
                    |alone: bool, first| Tables::Sets { alone, first, end: players, size: seats - usize::from(alone) };
                let with_first = |others: Vec<usize>| [&[0], &others[..]].concat();
                let schedules = [
                    (sets(false, 0), combinations(0, players, seats)),
                    (sets(true, 1), combinations(1, players, seats - 1).into_iter().map(with_first).collect()),
                    (
                        Tables::Neighbours { seats, players },
                        (seats..=players).map(|end| (end - seats..end).collect()).collect(),
                    ),
                ];
                for (tables, expected) in schedules {
                    let schedule = Schedule { decks: 3, tables, orders: orders.clone() };
                    let of_table = |table: &Vec<usize>| seatings.orders(table);
                    let expected: Vec<Vec<usize>> = expected.iter().flat_map(of_table).collect();
                    assert_eq!(list(&schedule), expected);
                    for (place, players) in (0..).zip(&expected) {
                        assert_eq!(schedule.place(players), Some(place));
                    }
                    let wrong: [&[usize]; 5] = [&[], &[9], &[0, 0], &[0, 1, 2, 3, 4, 5, 6], &[0, 99]];
                    assert!(wrong.iter().all(|players| !schedule.has(players)), "{schedule:?}");
                }
            }
        }
        // Places that no list could have.
        let orders = Seatings::All.orders(&[0, 1, 2, 3, 4, 5]);
        let tables = Tables::Sets { alone: false, first: 0, end: 24, size: 6 };
        let schedule = Schedule { decks: 1, tables, orders };
        for position in [0, 1, 719, 720, 50_000_000, 96_909_119] {
            let game = schedule.nth(position).unwrap();
            assert_eq!(schedule.place(&game.seats), Some(position));
        }
        assert_eq!((schedule.len(), schedule.nth(96_909_120)), (96_909_120, None));
    }

    #[test]
    fn every_schedule_plays_its_matches_on_every_deck() {
        for (name, expected) in [
            ("round-robin", vec![[0, 1], [0, 2], [1, 0], [1, 2], [2, 0], [2, 1]]),
            ("gauntlet", vec![[0, 1], [1, 0], [0, 2], [2, 0]]),
            ("neighbours", vec![[0, 1], [1, 0], [1, 2], [2, 1]]),
        ] {
            let schedule = Schedule::of(&experiment(name));
            assert_eq!(list(&schedule), expected);
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
        assert_eq!(list(&Schedule::of(&two)), [2, 3, 4].map(of_contestant).concat());
        assert_eq!((Schedule::of(&two).len(), two.games()), (24, 24));
        let once = of_players(&names, "gauntlet", "fixed = 3\nseatings = \"once\"\n");
        assert_eq!(list(&Schedule::of(&once)), [[0, 3], [1, 3], [2, 3], [0, 4], [1, 4], [2, 4]]);
        assert_eq!((Schedule::of(&once).len(), once.games()), (12, 12));
        // One is what a gauntlet has without the key, in everything that is recorded.
        let [plain, one] = ["", "fixed = 1\n"].map(|more| of_players(&names, "gauntlet", more));
        assert_eq!((list(&Schedule::of(&plain)), plain.hash()), (list(&Schedule::of(&one)), one.hash()));
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
