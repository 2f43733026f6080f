//! The order of games by what is least decided: pairs of which little is known come first, then those with the smallest
//! |t|. A run that is stopped early then has its games where something is open; a run to the end plays the same games.

use crate::config::Experiment;
use crate::record::pair_games::{PairGames, SEATS, pair};
use crate::record::{FinishedGame, GameRecord};
use crate::schedule::Schedule;
use evouct_stats::Summary;
use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, PoisonError};

/// Why games cannot be ordered so.
pub(super) fn objection(experiment: &Experiment) -> Option<&'static str> {
    if experiment.sequential.is_some() {
        Some("and [sequential] are two ways to choose the next games, expected one of them")
    } else if experiment.rounds.is_some() {
        Some("is for pairs that are known, the schedule is Swiss")
    } else if experiment.rules.seats() != SEATS {
        Some("compares the pairs that meet, so it is for games of two")
    } else {
        None
    }
}

/// The missing games of a league, with what is known of its pairs.
pub(super) struct Undecided {
    schedule: Schedule,
    is_missing: Box<dyn Fn(&u64) -> bool + Send>,
    pairs: Vec<UndecidedPair>,
    places: BTreeMap<[usize; SEATS], usize>,
    records: PairGames,
    is_mirrored: bool,
}

/// A pair of players.
#[derive(Default)]
struct UndecidedPair {
    /// Places of its games among those of a deck.
    matches: Vec<u64>,
    /// Its next missing game, and how many of its games come before that; none where no game is missing.
    next: Option<u64>,
    at: u64,
    /// Games that were recorded or handed out, and those whose results are known.
    handed: u64,
    known: u64,
    /// Decks of which some games are known: the first player's score less the second's, none for a game that failed or was lost on
    /// time.
    parts: BTreeMap<u32, Vec<Option<f64>>>,
    /// Over whole decks, the mean difference.
    decks: Summary,
}

impl Undecided {
    /// The games of an experiment at the places that are missing, before anything is known.
    pub(super) fn of(experiment: &Experiment, is_missing: impl Fn(&u64) -> bool + Send + 'static) -> Undecided {
        let schedule = Schedule::of(experiment);
        let (mut places, mut pairs) = (BTreeMap::new(), Vec::<UndecidedPair>::new());
        for (at, seats) in schedule.matches().iter().enumerate() {
            let Some(pair) = pair(seats) else { continue };
            let place = *places.entry(pair).or_insert(pairs.len());
            if place == pairs.len() {
                pairs.push(UndecidedPair::default());
            }
            pairs[place].matches.push(at as u64);
        }
        let records = PairGames::of(experiment);
        let is_mirrored = experiment.mirror;
        let mut order = Undecided { schedule, is_missing: Box::new(is_missing), pairs, places, records, is_mirrored };
        (0..order.pairs.len()).for_each(|place| order.go_on(place));
        order
    }

    /// Takes in a game that was recorded before. Each game once, in any order.
    pub(super) fn recall(&mut self, game: &GameRecord) {
        if let Some(place) = self.learn(game) {
            self.pairs[place].handed += 1;
        }
    }

    /// Takes in a game that was handed out.
    fn learn(&mut self, game: &GameRecord) -> Option<usize> {
        let (seats, result) = self.records.read(game, GameRecord::shows_strength)?;
        let place = *self.places.get(&pair(&seats)?)?;
        let sign = if seats[0] < seats[1] { 1.0 } else { -1.0 };
        self.pairs[place].add(game.deck, result.map(|game| sign * game.difference), self.is_mirrored);
        Some(place)
    }

    /// The next game of the pair that is least decided, of equal ones the first in the schedule.
    fn take(&mut self) -> Option<u64> {
        let open = self.pairs.iter().enumerate().filter_map(|(place, pair)| Some((place, pair, pair.next?)));
        let ranked = open.map(|(place, pair, next)| (pair.decided(), next, place));
        let (_, _, place) = ranked.min_by(|a, b| {
            let [(a_known, a_size), (b_known, b_size)] = [a.0, b.0];
            a_known.cmp(&b_known).then(a_size.total_cmp(&b_size)).then(a.1.cmp(&b.1))
        })?;
        let found = self.pairs[place].next;
        self.pairs[place].handed += 1;
        self.go_on(place);
        found
    }

    /// Moves a pair to its next missing game.
    fn go_on(&mut self, place: usize) {
        let (of_deck, all) = (self.schedule.matches().len() as u64, self.schedule.len());
        let pair = &mut self.pairs[place];
        let own = pair.matches.len() as u64;
        loop {
            let position = pair.at / own * of_deck + pair.matches[(pair.at % own) as usize];
            pair.at += 1;
            pair.next = (position < all).then_some(position);
            if pair.next.is_none_or(|position| (self.is_missing)(&position)) {
                break;
            }
        }
    }
}

/// The same for those that take games and those that bring results.
#[derive(Clone)]
pub(super) struct SharedOrder(Arc<Mutex<Undecided>>);

impl SharedOrder {
    pub(super) fn of(order: Undecided) -> SharedOrder {
        SharedOrder(Arc::new(Mutex::new(order)))
    }

    /// Takes in a game that was handed out.
    pub(super) fn learn(&self, entry: &FinishedGame) {
        let game = entry.record();
        self.0.lock().unwrap_or_else(PoisonError::into_inner).learn(&game);
    }
}

impl Iterator for SharedOrder {
    type Item = u64;

    fn next(&mut self) -> Option<u64> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).take()
    }
}

impl UndecidedPair {
    fn add(&mut self, deck: u32, difference: Option<f64>, is_mirrored: bool) {
        self.known += 1;
        let games = if is_mirrored { self.matches.len() } else { 1 };
        let part = self.parts.entry(deck).or_default();
        part.push(difference);
        if part.len() >= games {
            let known: Vec<f64> = self.parts.remove(&deck).unwrap_or_default().into_iter().flatten().collect();
            if known.len() == games {
                self.decks.push(known.iter().sum::<f64>() / games as f64);
            }
        }
    }

    /// Whether there is a t, and its size once the games that are being played have ended, if they change no mean; without
    /// one the number of games.
    fn decided(&self) -> (bool, f64) {
        let (Ok(mean), Ok(error)) = (self.decks.mean(), self.decks.standard_error()) else {
            return (false, self.handed as f64);
        };
        // Decks that are all equal are sure of what they say.
        let size = if mean == 0.0 { 0.0 } else { (mean / error).abs() };
        let playing = self.handed.saturating_sub(self.known) as f64;
        (true, size * (1.0 + playing / self.known as f64).sqrt())
    }
}
