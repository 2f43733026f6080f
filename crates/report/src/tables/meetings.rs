//! Meetings of two players: in one game, or on one deck in games of one seat.
//!
//! With two seats a meeting is a game. A game of more seats is a meeting of each two of its players. In a league of
//! games of one seat, each two players meet on every deck that all matches share.

use super::league::{League, by_deck};
use super::listed::Listed;
use super::pairs::{ALL_COMPARED, pairs_of};
use crate::aggregate::game_result::{GameResult, OfDeck};
use evouct_league::schedule::Schedule;
use evouct_platform::domain::ScoreScale;
use evouct_stats::points::Row;
use std::collections::{BTreeMap, BTreeSet};

/// A meeting of two players.
#[derive(Clone, Copy, Debug)]
pub(super) struct Meeting {
    /// The players, the one on the lower seat first.
    pub players: [usize; 2],
    scores: [i32; 2],
    scale: ScoreScale,
    /// Whether its games repeat earlier ones.
    pub repeats: bool,
}

impl Meeting {
    fn of([one, other]: [(&GameResult, usize); 2]) -> Meeting {
        let seats = [one, other].map(|(game, seat)| &game.seats[seat]);
        Meeting {
            players: seats.map(|seat| seat.player),
            scores: seats.map(|seat| seat.score),
            scale: one.0.scale,
            repeats: one.0.repeats && other.0.repeats,
        }
    }

    /// The points of the first (0) or of the second (1).
    pub(super) fn points(&self, player: usize) -> f64 {
        self.scale.points(self.scores[player])
    }

    /// The points of the first less those of the second.
    pub(super) fn difference(&self) -> f64 {
        self.scale.difference(self.scores[0], self.scores[1])
    }

    /// The same meeting with the lower index first.
    pub(super) fn sorted(self) -> Meeting {
        let Meeting { players: [one, other], scores: [own, others], .. } = self;
        if one < other { self } else { Meeting { players: [other, one], scores: [others, own], ..self } }
    }
}

/// All meetings of the games of one deck.
pub(super) fn meetings<'a>(games: &'a [&'a GameResult], mirror: bool) -> Vec<Meeting> {
    let mut met = Vec::new();
    let mut add = |seats: &[(&'a GameResult, usize)]| {
        for (place, one) in seats.iter().enumerate() {
            met.extend(seats[place + 1..].iter().map(|other| Meeting::of([*one, *other])));
        }
    };
    let alone: Vec<(&GameResult, usize)> =
        games.iter().filter(|game| mirror && game.seats.len() == 1).map(|game| (*game, 0)).collect();
    add(&alone);
    for game in games {
        let seats: Vec<(&GameResult, usize)> = (0..game.seats.len()).map(|seat| (*game, seat)).collect();
        add(&seats);
    }
    met
}

impl League<'_> {
    /// The meetings that show strength with their decks, deck by deck.
    pub(super) fn meetings(&self) -> impl Iterator<Item = (u32, Meeting)> {
        self.meetings_on(self.decks())
    }

    fn meetings_on(&self, decks: Vec<Vec<&GameResult>>) -> impl Iterator<Item = (u32, Meeting)> {
        let mirror = self.experiment.mirror;
        let of_deck = move |games: Vec<&GameResult>| {
            let deck = games[0].deck;
            meetings(&games, mirror).into_iter().map(move |met| (deck, met))
        };
        decks.into_iter().flat_map(of_deck)
    }

    /// How often two players, by index, meet on a deck in games of several seats.
    pub(super) fn meetings_per_deck(&self) -> BTreeMap<[usize; 2], usize> {
        let mut counts = BTreeMap::new();
        for seats in Schedule::of(self.experiment).matches() {
            for (place, one) in seats.iter().enumerate() {
                for other in &seats[place + 1..] {
                    *counts.entry([*one.min(other), *one.max(other)]).or_default() += 1;
                }
            }
        }
        counts
    }

    /// The differences of a player's scores to those of all whom it meets in games of one seat, with their decks.
    pub(super) fn differences_to_all(&self, player: usize) -> impl Iterator<Item = (OfDeck, f64)> {
        let decks = if self.experiment.mirror { self.decks() } else { Vec::new() };
        decks.into_iter().flat_map(move |games| {
            let own = games.iter().find(|game| game.seats[0].player == player);
            let others = games.iter().filter(|game| game.seats[0].player != player);
            let difference = |own: &GameResult, other: &GameResult| {
                let of = OfDeck { deck: other.deck, repeats: own.repeats && other.repeats };
                (of, own.scale.difference(own.seats[0].score, other.seats[0].score))
            };
            let differences = own.into_iter().flat_map(|own| others.clone().map(move |other| difference(own, other)));
            differences.collect::<Vec<_>>()
        })
    }

    /// The players whose pairs are listed where more pairs met than can be; none where all are.
    pub(super) fn listed(&self) -> Option<&Listed> {
        self.listed.get_or_init(|| self.find_listed()).as_ref()
    }

    fn find_listed(&self) -> Option<Listed> {
        let players = self.experiment.players.len();
        if players <= ALL_COMPARED {
            return None;
        }
        let mut met: BTreeSet<[usize; 2]> = BTreeSet::new();
        if self.experiment.rules.seats() > 1 {
            let seats = |game: &GameResult| game.players().collect::<Vec<usize>>();
            for seats in self.games.iter().map(seats) {
                let pairs = |(place, one): (usize, &usize)| {
                    seats[place + 1..].iter().map(|other| [*one.min(other), *one.max(other)]).collect::<Vec<_>>()
                };
                met.extend(seats.iter().enumerate().flat_map(pairs));
            }
        } else if self.experiment.mirror {
            let playing: BTreeSet<usize> = self.games.iter().flat_map(GameResult::players).collect();
            met.extend(playing.iter().flat_map(|one| playing.range(one + 1..).map(|other| [*one, *other])));
        }
        if met.len() <= pairs_of(ALL_COMPARED) {
            return None;
        }
        // A fixed opponent meets all contestants, so its pairs with the best of them are listed.
        let fixed = self.fixed_opponents();
        let best = if fixed.is_empty() { ALL_COMPARED } else { (pairs_of(ALL_COMPARED) / fixed.len()).max(1) };
        let by_places = self.places().iter().map(|row| row.player).filter(|player| !fixed.contains(player));
        let mut listed = Listed { players: by_places.take(best).collect(), best, left_out: 0 };
        listed.players.extend(fixed);
        listed.left_out = met.iter().filter(|pair| !listed.has(**pair)).count();
        Some(listed)
    }

    /// Whether a pair is listed.
    pub(super) fn lists(&self, pair: [usize; 2]) -> bool {
        self.listed().is_none_or(|listed| listed.has(pair))
    }

    /// How many pairs of players met and are not listed.
    pub(super) fn pairs_not_listed(&self) -> usize {
        self.listed().map_or(0, |listed| listed.left_out)
    }

    /// The table by places: 2 points for each meeting with a higher score, 1 for each with the same. Of n seats without
    /// ties the first gets 2(n − 1) points, the next 2(n − 2), and the last none. Players are ordered by points,
    /// meetings won, the sum of their mean differences to each other player, index.
    pub(super) fn places(&self) -> &[Row] {
        self.places.get_or_init(|| self.by_places())
    }

    fn by_places(&self) -> Vec<Row> {
        let players = self.experiment.players.len();
        let empty = |player| Row { player, points: 0, bwp: 0, blp: 0, wins: 0, losses: 0, draws: 0, pd: 0.0 };
        let mut rows: Vec<Row> = (0..players).map(empty).collect();
        let mut sums: BTreeMap<[usize; 2], (f64, f64)> = BTreeMap::new();
        let results = by_deck(self.games.iter().chain(self.lost_on_time));
        for (_, met) in self.meetings_on(results) {
            let met = met.sorted();
            let [one, other] = met.players;
            let difference = met.difference();
            let (sum, count) = sums.entry(met.players).or_default();
            (*sum, *count) = (*sum + difference, *count + 1.0);
            if difference == 0.0 {
                for player in met.players {
                    rows[player].points += 1;
                    rows[player].draws += 1;
                }
            } else {
                let (winner, loser) = if difference > 0.0 { (one, other) } else { (other, one) };
                rows[winner].points += 2;
                rows[winner].wins += 1;
                rows[loser].losses += 1;
            }
        }
        for ([one, other], (sum, count)) in sums {
            rows[one].pd += sum / count;
            rows[other].pd -= sum / count;
        }
        rows.sort_by(|a, b| {
            (b.points, b.wins).cmp(&(a.points, a.wins)).then(b.pd.total_cmp(&a.pd)).then(a.player.cmp(&b.player))
        });
        rows
    }
}
