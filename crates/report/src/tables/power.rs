//! How many decks the tests of a league need, from games that are known.

use super::gauntlet::{ContestantRow, Gauntlet, SEVERAL, TestOfMeans};
use super::report::Report;
use crate::aggregate::Aggregate;
use evouct_league::config::{Experiment, Sequential};
use evouct_league::schedule::Schedule;
use evouct_stats::looks::Looks;
use evouct_stats::power::{units, units_within};
use evouct_stats::{SIGNIFICANCE_LEVEL, t_test::TTest};
use serde::Serialize;
use std::collections::{BTreeSet, HashSet};

/// What the tests of a league are to show.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Wanted {
    /// A true difference between two players that is to be found, in points per game, above 0.
    pub difference: Option<f64>,
    /// How far the 95 % interval of a difference may reach from its mean, in points per game, above 0.
    pub interval: Option<f64>,
    /// The probability that a difference is found, from 0.5 and below 1.
    pub power: f64,
}

/// The decks that the tests of a league need.
#[derive(Clone, Debug, Serialize)]
pub struct Power {
    /// The probability that a difference is found.
    pub power: f64,
    /// Pairs that the league tests, with several fixed opponents of a gauntlet its contestants. The first step of Holm's
    /// correction divides the level of a test by their number.
    pub tests: usize,
    /// Several fixed opponents of a gauntlet, the mean over which is tested for each contestant; absent in other leagues.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub opponents: Vec<String>,
    /// What a test counts: `decks`, or `games` where decks are not mirrored.
    pub unit: &'static str,
    /// The difference that is to be found, in points per game.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub difference: Option<f64>,
    /// How far an interval may reach, in points per game.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub interval: Option<f64>,
    /// The pairs that are tested and met on at least two decks; several fixed opponents are one player of them.
    pub pairs: Vec<PowerRow>,
    /// The pairs that are tested and have not met so often, or only with equal results.
    pub unknown: Vec<[String; 2]>,
    /// Decks per match that suffice for every known pair; none where nothing is wanted or known, or where more than a
    /// billion would.
    pub decks: Option<u64>,
    /// Games of so many decks, at looks at most.
    pub games: Option<u64>,
    /// What looks cost and save, if the league tests at looks.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub looks: Option<PowerAtLooks>,
    /// Whether the league ends by a test after every deck. All numbers are for decks that are fixed in advance, and that
    /// test may end earlier.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub may_end_earlier: bool,
    /// Thinking time of a game, in seconds.
    pub seconds_per_game: f64,
}

/// What testing at looks costs and saves.
#[derive(Clone, Debug, Serialize)]
pub struct PowerAtLooks {
    /// How many looks there are.
    pub count: usize,
    /// How many times the decks of a league without looks are planned for the same power.
    pub inflation: f64,
    /// Games that are played on average if each pair differs by the wanted difference, of pairs that are not known all; none
    /// where no difference is wanted.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub expected_games: Option<u64>,
}

/// A pair of players.
#[derive(Clone, Debug, Serialize)]
pub struct PowerRow {
    /// One player.
    pub a: String,
    /// The other.
    pub b: String,
    /// Units whose games are known.
    pub known: u64,
    /// The standard deviation of a unit's difference, in points per game.
    pub deviation: f64,
    /// The difference that so many units find with the wanted power, in points per game; none where all are equal.
    pub found: Option<f64>,
    /// Units that find the wanted difference.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub for_difference: Option<u64>,
    /// Units whose interval is as narrow as wanted.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub for_interval: Option<u64>,
}

impl Power {
    /// By the games that an aggregate has. Each pair is tested at the level that the first step of Holm's correction
    /// leaves it: a difference that is found at this level is found whatever the other pairs show.
    ///
    /// With looks the decks of a test without them are multiplied by the [inflation](Looks::inflation) of the design.
    pub fn of(experiment: &Experiment, aggregate: &Aggregate, wanted: Wanted) -> Power {
        // How results vary is known before the first look, too.
        let plain = Experiment { sequential: None, ..experiment.clone() };
        let report = Report::of(&plain, aggregate);
        let tested = tested(&report);
        let schedule = Schedule::of(experiment);
        let all = pairs_of(experiment, &schedule, report.gauntlet.is_some());
        let tests = all.len();
        let level = SIGNIFICANCE_LEVEL / tests.max(1) as f64;
        // The configuration has checked the number of looks.
        let looks = experiment.looks().and_then(|count| Looks::new(count).ok());
        let inflation = looks.as_ref().map(|looks| looks.inflation(level, wanted.power));
        let planned = |units: u64| match (&looks, inflation) {
            (Some(looks), Some(inflation)) => {
                ((units as f64 * inflation).ceil() as u64).max(Sequential::fewest_decks(looks.count()))
            }
            _ => units,
        };
        let row = |a: &str, b: &str, known: u64, test: &TTest| {
            let deviation = test.standard_error * (known as f64).sqrt();
            let varies = deviation > 0.0;
            PowerRow {
                a: a.to_owned(),
                b: b.to_owned(),
                known,
                deviation,
                // Decks are planned for the t-test of many.
                found: TTest { exact: false, ..*test }
                    .detectable(level, wanted.power)
                    .filter(|found| varies && found.is_finite())
                    .map(|found| found * inflation.unwrap_or(1.0).sqrt()),
                for_difference: wanted
                    .difference
                    .filter(|_| varies)
                    .and_then(|own| units(own / deviation, level, wanted.power))
                    .map(planned),
                for_interval: wanted
                    .interval
                    .filter(|_| varies)
                    .and_then(|own| units_within(own / deviation, SIGNIFICANCE_LEVEL)),
            }
        };
        let pairs: Vec<PowerRow> = tested.iter().map(|([a, b], known, test)| row(a, b, *known, test)).collect();
        let varying = pairs.iter().filter(|row| row.deviation > 0.0);
        let known: HashSet<[&str; 2]> = varying.flat_map(|row| [[&*row.a, &*row.b], [&*row.b, &*row.a]]).collect();
        let unknown =
            all.into_iter().filter(|pair| !known.contains(pair)).map(|pair| pair.map(str::to_owned)).collect();
        let decks = decks(&pairs, &wanted, experiment, &schedule);
        let games = aggregate.games.len().max(1) as f64;
        let expected = |looks: &Looks| {
            let (difference, decks) = (wanted.difference?, decks?);
            // A pair of which nothing is known may play all of its games.
            let share = |row: &PowerRow| match row.deviation > 0.0 {
                true => looks.course(level, difference / row.deviation * (decks as f64).sqrt()).share,
                false => 1.0,
            };
            let shares = pairs.iter().map(share).sum::<f64>() + (tests - pairs.len()) as f64;
            Some((shares / tests as f64 * decks as f64 * schedule.matches_per_deck() as f64).round() as u64)
        };
        let looks = looks.as_ref().zip(inflation).map(|(looks, inflation)| PowerAtLooks {
            count: looks.count(),
            inflation,
            expected_games: expected(looks),
        });
        let seconds = aggregate.games.iter().flat_map(|game| &game.seats).map(|seat| seat.seconds).sum::<f64>();
        Power {
            power: wanted.power,
            tests,
            opponents: match experiment.fixed {
                1 => Vec::new(),
                fixed => experiment.players[..fixed].iter().map(|player| player.name.clone()).collect(),
            },
            unit: report.unit(),
            difference: wanted.difference,
            interval: wanted.interval,
            pairs,
            unknown,
            decks,
            games: decks.and_then(|decks| decks.checked_mul(schedule.matches_per_deck())),
            looks,
            may_end_earlier: matches!(experiment.sequential, Some(Sequential::Sprt(_))),
            seconds_per_game: seconds / games,
        }
    }

    /// Why nothing is known of any pair: what no two players have done.
    pub fn unknown_why(&self) -> String {
        let unit = self.unit;
        match self.opponents.is_empty() {
            true => format!("no two players have met on two {unit}"),
            false => format!("no contestant has completed two {unit} against all fixed opponents"),
        }
    }

    /// Thinking time of all games, in seconds of one core; at looks at most.
    pub fn core_seconds(&self) -> Option<f64> {
        Some(self.games? as f64 * self.seconds_per_game)
    }
}

/// The tests of a report: the players of each, its units, and the test. In a gauntlet those of the first player, and of
/// several fixed opponents those of the mean over them.
fn tested<'a>(report: &'a Report) -> Vec<([&'a str; 2], u64, &'a TTest)> {
    let several = report.several();
    if let Some(gauntlet) = several {
        let test = |(row, test): (&'a ContestantRow, &'a TestOfMeans)| {
            Some(([SEVERAL, &*row.player], test.units, test.paired.as_ref().ok()?))
        };
        return gauntlet.means().filter_map(test).collect();
    }
    let opponent = report.gauntlet.as_ref().map(Gauntlet::opponent);
    let tested = report.significance.iter().filter(|row| opponent.is_none_or(|first| row.a == first));
    tested.filter_map(|row| Some(([&*row.a, &*row.b], row.units, row.paired.as_ref().ok()?))).collect()
}

/// The pairs that a league tests: all that meet, in a gauntlet those of the first player, and with several fixed
/// opponents all of them together against each contestant.
fn pairs_of<'a>(experiment: &'a Experiment, schedule: &Schedule, is_gauntlet: bool) -> Vec<[&'a str; 2]> {
    let name = |place: usize| experiment.players[place].name.as_str();
    if experiment.fixed > 1 {
        return (experiment.fixed..experiment.players.len()).map(|contestant| [SEVERAL, name(contestant)]).collect();
    }
    let mut pairs: BTreeSet<[usize; 2]> = BTreeSet::new();
    for seats in schedule.matches() {
        for (place, a) in seats.iter().enumerate() {
            let others = seats[place + 1..].iter().filter(|b| *b != a);
            pairs.extend(others.map(|b| [*a.min(b), *a.max(b)]));
        }
    }
    pairs.retain(|[a, _]| !is_gauntlet || *a == 0);
    pairs.into_iter().map(|pair| pair.map(name)).collect()
}

/// Decks on which every known pair has the units that it needs: the most of all, or none if one needs too many.
fn decks(pairs: &[PowerRow], wanted: &Wanted, experiment: &Experiment, schedule: &Schedule) -> Option<u64> {
    let needed = |row: &PowerRow| {
        let parts = [(wanted.difference, row.for_difference), (wanted.interval, row.for_interval)];
        let asked = parts.into_iter().filter(|(wanted, _)| wanted.is_some()).map(|(_, units)| units);
        asked.collect::<Option<Vec<u64>>>()?.into_iter().max()
    };
    let units =
        pairs.iter().filter(|row| row.deviation > 0.0).map(needed).collect::<Option<Vec<u64>>>()?.into_iter().max()?;
    if experiment.mirror {
        return Some(units);
    }
    // Each meeting is a unit; the pair that meets least often on a deck needs most decks.
    let index = |name: &str| experiment.players.iter().position(|player| player.name == name);
    let meetings = |row: &PowerRow| {
        let (a, b) = (index(&row.a)?, index(&row.b)?);
        Some(schedule.matches().filter(|seats| seats.contains(&a) && seats.contains(&b)).count() as u64)
    };
    let least = pairs.iter().filter_map(meetings).filter(|count| *count > 0).min().unwrap_or(1);
    Some(units.div_ceil(least))
}
