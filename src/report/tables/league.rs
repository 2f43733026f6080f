//! From a tally to the tables of a report.

use super::paper::compare;
use super::report::{Evolution, Failure, MatchRow, RankingRow, Report, SeatRow, Statistic, TurnRow};
use crate::config::Experiment;
use crate::record::{Ended, FeatureMetrics, VERSION};
use crate::report::aggregate::{EvolutionTally, Failed, Game, Tally};
use crate::schedule::Schedule;
use crate::stats::Summary;
use crate::stats::describe::describe;
use crate::stats::points::{Match, Row, table};
use std::collections::BTreeMap;

/// The version of `report.json`.
const SCHEMA: u32 = 2;
/// Turns in which a seat could be without a meeple, by seat: 36 and 35 turns less the first seven (Valdez Ameneyro et al.
/// 2020, Equation 5).
const MEEPLELESS_TURNS: [f64; 2] = [29.0, 28.0];
/// A seat has a meeple at least in its first seven turns.
const FIRST_TURNS: f64 = 7.0;

impl Report {
    /// The report of a tally.
    pub fn of(experiment: &Experiment, tally: &Tally) -> Report {
        // Sums of doubles depend on their order, and the order of the journal on threads: here it does not.
        let mut games = tally.games.clone();
        games.sort_by_key(|game| (game.deck, game.players));
        let league = League { experiment, games: &games };
        let matches = League::matches_of(tally.games.iter());
        let significance = league.significance();
        let mut report = Report {
            schema: SCHEMA,
            evouct: VERSION.to_owned(),
            name: experiment.name.clone(),
            about: experiment.about.clone(),
            hash: experiment.hash(),
            preset: experiment.preset.name().to_owned(),
            seed: experiment.seed,
            games_per_match: experiment.games_per_match,
            mirror: experiment.mirror,
            digest: tally.digester.finish(),
            scheduled: Schedule::of(experiment).len(),
            finished: tally.games.len() as u64,
            failures: tally.failures.iter().map(Failure::of).collect(),
            ranking: league.ranking(&matches),
            matches: league.match_rows(&matches),
            ratings: league.ratings(&significance),
            significance,
            sequential: league.sequential(),
            seats: league.seats(),
            turns: turns(experiment, tally),
            evolution: tally.evolution.iter().map(|(player, tally)| evolution(league.name(*player), tally)).collect(),
            formulas: tally.formulas.frequent(experiment),
            shapes: tally.formulas.shapes(experiment),
            paper: None,
            seconds: tally.games.iter().flat_map(|game| game.seconds).sum(),
            playouts: tally.games.iter().flat_map(|game| game.playouts).sum(),
        };
        report.paper = experiment.paper.as_ref().map(|paper| compare(paper, &league, &report));
        report
    }
}

impl Failure {
    fn of(failed: &Failed) -> Failure {
        let ended = match failed.ended {
            Ended::IllegalMove => "illegal-move",
            _ => "panicked",
        };
        Failure {
            game: failed.id.clone(),
            players: failed.players.clone(),
            ended: ended.to_owned(),
            message: failed.message.clone(),
            repeat: failed.repeat.clone(),
        }
    }
}

/// The finished games with the experiment they belong to.
pub(in crate::report) struct League<'a> {
    pub experiment: &'a Experiment,
    pub games: &'a [Game],
}

impl League<'_> {
    /// The name of a player.
    pub(in crate::report) fn name(&self, player: usize) -> String {
        self.experiment.players[player].name.clone()
    }

    /// The index of a player.
    pub(in crate::report) fn index(&self, name: &str) -> Option<usize> {
        self.experiment.players.iter().position(|player| player.name == name)
    }

    /// The units of the experiment: values of one deck are averaged first where decks are shared.
    fn units(&self, values: impl Iterator<Item = (u32, f64)>) -> Summary {
        let mut units = Summary::default();
        if self.experiment.mirror {
            let mut decks: BTreeMap<u32, Summary> = BTreeMap::new();
            values.for_each(|(deck, value)| decks.entry(deck).or_default().push(value));
            units.extend(decks.values().filter_map(|deck| deck.mean().ok()));
        } else {
            units.extend(values.map(|(_, value)| value));
        }
        units
    }

    fn statistic(&self, values: impl Iterator<Item = (u32, f64)>) -> Statistic {
        Statistic::of(&self.units(values))
    }

    fn match_rows(&self, matches: &[Match]) -> Vec<MatchRow> {
        let mut by_match: BTreeMap<[usize; 2], Vec<&Game>> = BTreeMap::new();
        self.games.iter().for_each(|game| by_match.entry(game.players).or_default().push(game));
        let row = |m: &Match| {
            let games = by_match.get(&[m.home, m.away]).into_iter().flatten();
            MatchRow {
                home: self.name(m.home),
                away: self.name(m.away),
                games: m.home_wins + m.away_wins + m.draws,
                home_wins: m.home_wins,
                away_wins: m.away_wins,
                draws: m.draws,
                difference: self.statistic(games.map(|game| (game.deck, difference(game, 0)))),
            }
        };
        matches.iter().map(row).collect()
    }

    /// A player's games: each with the player's seat.
    fn games_of(&self, player: usize) -> impl Iterator<Item = (&Game, usize)> {
        self.games.iter().flat_map(move |game| {
            (0..2).filter(move |seat| game.players[*seat] == player).map(move |seat| (game, seat))
        })
    }

    fn ranking(&self, matches: &[Match]) -> Vec<RankingRow> {
        let rows =
            table(self.experiment.players.len(), matches).expect("matches of the league are between its players");
        let row = |(index, row): (usize, &Row)| {
            let games: Vec<(&Game, usize)> = self.games_of(row.player).collect();
            let won = games.iter().filter(|(game, seat)| difference(game, *seat) > 0.0).count() as u64;
            let drawn = games.iter().filter(|(game, seat)| difference(game, *seat) == 0.0).count() as u64;
            RankingRow {
                rank: index + 1,
                player: self.name(row.player),
                points: row.points,
                bwp: row.bwp,
                blp: row.blp,
                wins: row.wins,
                losses: row.losses,
                draws: row.draws,
                pd: row.pd,
                games: games.len() as u64,
                games_won: won,
                games_drawn: drawn,
                score: self.statistic(games.iter().map(|(game, seat)| (game.deck, f64::from(game.scores[*seat])))),
                difference: self.statistic(games.iter().map(|(game, seat)| (game.deck, difference(game, *seat)))),
            }
        };
        rows.iter().enumerate().map(row).collect()
    }

    fn seats(&self) -> Vec<SeatRow> {
        let mut rows = Vec::new();
        for player in 0..self.experiment.players.len() {
            for seat in 0..2 {
                let games: Vec<&Game> = self.games_in(player, seat).collect();
                if games.is_empty() {
                    continue;
                }
                let mut means = BTreeMap::new();
                for (name, value) in MEASURES {
                    let statistic = self.statistic(games.iter().map(|game| (game.deck, value(game, seat))));
                    means.insert(name.to_owned(), statistic);
                }
                rows.push(SeatRow { player: self.name(player), seat: seat + 1, games: games.len() as u64, means });
            }
        }
        rows
    }

    /// The units of a measure of a player in a seat, 0 or 1; none of a name that is no measure.
    pub(in crate::report) fn seat_units(&self, player: usize, seat: usize, measure: &str) -> Summary {
        let value = MEASURES.into_iter().find(|(name, _)| *name == measure).map(|(_, value)| value);
        let values = value
            .into_iter()
            .flat_map(|value| self.games_in(player, seat).map(move |game| (game.deck, value(game, seat))));
        self.units(values)
    }

    /// The games in which a player has a seat, 0 or 1.
    fn games_in(&self, player: usize, seat: usize) -> impl Iterator<Item = &Game> {
        self.games.iter().filter(move |game| game.players[seat] == player)
    }
}

impl Statistic {
    fn of(units: &Summary) -> Statistic {
        let description = describe(units).ok();
        Statistic {
            mean: units.mean().unwrap_or_default(),
            interval: description.and_then(|description| description.interval),
        }
    }
}

type Measure = fn(&Game, usize) -> f64;

/// What is measured of a seat in a game, by name.
const MEASURES: [(&str, Measure); 17] = [
    ("score", |game, seat| f64::from(game.scores[seat])),
    ("difference", difference),
    ("playouts", |game, seat| game.playouts[seat] as f64),
    ("nodes", |game, seat| game.nodes[seat] as f64),
    ("seconds", |game, seat| game.seconds[seat]),
    ("meeples", |game, seat| f64::from(game.metrics[seat].meeples)),
    ("turns_with_meeple", turns_with_meeple),
    ("twm", |game, seat| turns_with_meeple(game, seat) / MEEPLELESS_TURNS[seat]),
    ("twm_shifted", |game, seat| (turns_with_meeple(game, seat) - FIRST_TURNS) / MEEPLELESS_TURNS[seat]),
    ("city_meeples", |game, seat| meeples(game.metrics[seat].city)),
    ("city_points", |game, seat| points(game.metrics[seat].city)),
    ("road_meeples", |game, seat| meeples(game.metrics[seat].road)),
    ("road_points", |game, seat| points(game.metrics[seat].road)),
    ("field_meeples", |game, seat| meeples(game.metrics[seat].field)),
    ("field_points", |game, seat| points(game.metrics[seat].field)),
    ("monastery_meeples", |game, seat| meeples(game.metrics[seat].monastery)),
    ("monastery_points", |game, seat| points(game.metrics[seat].monastery)),
];

fn turns_with_meeple(game: &Game, seat: usize) -> f64 {
    f64::from(game.metrics[seat].turns_with_meeple)
}

fn meeples(feature: FeatureMetrics) -> f64 {
    f64::from(feature.meeples)
}

fn points(feature: FeatureMetrics) -> f64 {
    f64::from(feature.points)
}

/// The score of a seat less the other's.
pub(in crate::report) fn difference(game: &Game, seat: usize) -> f64 {
    f64::from(game.scores[seat]) - f64::from(game.scores[1 - seat])
}

fn turns(experiment: &Experiment, tally: &Tally) -> Vec<TurnRow> {
    let row = |(&(player, seat, turn), [score, difference]): (&(usize, usize, usize), &[Summary; 2])| TurnRow {
        player: experiment.players[player].name.clone(),
        seat: seat + 1,
        turn,
        games: score.count(),
        score: score.mean().unwrap_or_default(),
        difference: difference.mean().unwrap_or_default(),
        difference_sd: difference.sd().ok(),
    };
    tally.turns.iter().map(row).collect()
}

fn evolution(player: String, tally: &EvolutionTally) -> Evolution {
    Evolution {
        player,
        decisions: tally.decisions,
        generations: tally.generations,
        ties: tally.ties,
        in_range: tally.in_range,
        by_semantics: tally.by_semantics,
        replaced: tally.replaced,
        playouts: tally.playouts,
        nodes: tally.nodes.mean().ok(),
        depth: tally.depth.mean().ok(),
        gain: tally.gain.mean().ok(),
    }
}
