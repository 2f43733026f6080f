//! A gauntlet: the contestants ranked by their result against the fixed opponents, and compared with one another.
//!
//! A fixed opponent plays a game against every contestant, so it has no place in their ranking. All contestants play it
//! on the same decks, so they are compared deck by deck although they never meet. With several fixed opponents the value
//! of a deck is the mean over all of them, on the decks on which a contestant has completed all its games: opponents then
//! weigh alike, and each contestant is tested once.

use super::cost::DecisionCost;
use super::league::League;
use super::mean_with_interval::{MeanWithInterval, value_or_reason};
use super::meetings::Meeting;
use super::pairs::{ALL_COMPARED, Pair, PairRow, Unit, pairs_of};
use crate::aggregate::game_result::OfDeck;
use evouct_league::config::ScheduleKind;
use evouct_stats::Unavailable;
use evouct_stats::holm::{holm, holm_within};
use evouct_stats::paired::paired;
use evouct_stats::t_test::TTest;
use serde::ser::SerializeMap;
use serde::{Serialize, Serializer};
use std::collections::BTreeMap;
use std::ops::Range;

/// What several fixed opponents are called together.
pub(super) const SEVERAL: &str = "the fixed opponents";

/// The results of a gauntlet.
#[derive(Clone, Debug, Serialize)]
pub struct Gauntlet {
    /// The players that meet all others: the first of the file. In `report.json` one is `opponent` and `cost`, several
    /// are a list `opponents` of both.
    #[serde(flatten, serialize_with = "one_or_list")]
    pub opponents: Vec<FixedOpponent>,
    /// The contestants by descending mean difference from the fixed opponents; those without a game are left out, of
    /// several fixed opponents those without a deck that they completed against all.
    pub contestants: Vec<ContestantRow>,
    /// With several fixed opponents, contestants without such a deck; absent where there are none.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub left_out: Vec<String>,
    /// Every pair of contestants, of many contestants every pair of the best of them; empty where decks are not mirrored,
    /// because then contestants have no deck in common.
    pub comparisons: Vec<ContestantPair>,
    /// Contestants that are compared with the fixed opponent only, because there are many; absent where there are none.
    #[serde(skip_serializing_if = "evouct_base::is_default")]
    pub not_compared: usize,
    /// The number of pairs of contestants over which Holm's correction is made: those that were tested, and those of
    /// contestants that are not compared.
    #[serde(skip)]
    pub family: usize,
}

/// A player that meets all contestants.
#[derive(Clone, Debug, Serialize)]
pub struct FixedOpponent {
    /// Its name.
    pub opponent: String,
    /// The cost of its decisions.
    pub cost: DecisionCost,
}

/// A contestant.
#[derive(Clone, Debug, Serialize)]
pub struct ContestantRow {
    /// From 1.
    pub rank: usize,
    /// The player.
    pub player: String,
    /// Games against the fixed opponents.
    pub games: u64,
    /// Of these, games won.
    pub won: u64,
    /// Of these, games drawn.
    pub drawn: u64,
    /// Score less the opponent's; of several the mean over them, on the decks of `of_means`.
    pub difference: MeanWithInterval,
    /// The p-value of the paired test of that difference, after Holm's correction over the contestants.
    pub holm: Option<f64>,
    /// With several fixed opponents, that test.
    #[serde(flatten)]
    pub of_means: Option<TestOfMeans>,
    /// The cost of a decision.
    pub cost: DecisionCost,
}

/// The test of a contestant's mean differences from several fixed opponents.
#[derive(Clone, Debug, Serialize)]
pub struct TestOfMeans {
    /// Distinct decks on which all games of the contestant are complete.
    pub units: u64,
    /// The paired test by deck.
    #[serde(serialize_with = "value_or_reason")]
    pub paired: Result<TTest, Unavailable>,
}

/// Two contestants, compared by their differences to the fixed opponents.
#[derive(Clone, Debug, Serialize)]
pub struct ContestantPair {
    /// One contestant.
    pub a: String,
    /// The other.
    pub b: String,
    /// Distinct decks that both completed against all fixed opponents.
    pub units: u64,
    /// The paired test, deck by deck, of a's difference from the fixed opponents less b's.
    #[serde(serialize_with = "value_or_reason")]
    pub paired: Result<TTest, Unavailable>,
    /// Its p-value after Holm's correction over all pairs of contestants, listed or not.
    pub holm: Option<f64>,
}

impl ContestantRow {
    /// The games that the fixed opponents won, and their score less the contestant's: the row as tables show it, from the
    /// view of the first players. Files and `report.json` have the view of the contestants.
    pub(crate) fn of_opponent(&self) -> (u64, MeanWithInterval) {
        (self.games - self.won - self.drawn, self.difference.negated())
    }
}

impl ContestantPair {
    /// The same with the contestant first that did better.
    pub(crate) fn stronger_first(&self) -> ContestantPair {
        match &self.paired {
            Ok(test) if test.difference < 0.0 => {
                ContestantPair { a: self.b.clone(), b: self.a.clone(), paired: Ok(test.reversed()), ..self.clone() }
            }
            _ => self.clone(),
        }
    }
}

/// One fixed opponent as the keys of its row, several as a list of rows.
fn one_or_list<S: Serializer>(opponents: &[FixedOpponent], serializer: S) -> Result<S::Ok, S::Error> {
    if let [one] = opponents {
        return one.serialize(serializer);
    }
    let mut map = serializer.serialize_map(Some(1))?;
    map.serialize_entry("opponents", opponents)?;
    map.end()
}

impl Gauntlet {
    /// Whether there are several fixed opponents.
    pub(crate) fn has_several(&self) -> bool {
        self.opponents.len() > 1
    }

    /// The name of the fixed opponent, or "the fixed opponents" if there are several.
    pub(crate) fn opponent(&self) -> &str {
        called(&self.names())
    }

    /// How many contestants were tested against the fixed opponents.
    pub(crate) fn tested(&self) -> usize {
        self.contestants.iter().filter(|row| row.holm.is_some()).count()
    }

    /// The row of a contestant; none of one without games that count.
    pub(crate) fn row_of(&self, player: &str) -> Option<&ContestantRow> {
        self.contestants.iter().find(|row| row.player == player)
    }

    /// The contestants with the tests of their mean differences from several fixed opponents.
    pub(super) fn means(&self) -> impl Iterator<Item = (&ContestantRow, &TestOfMeans)> + Clone {
        self.contestants.iter().filter_map(|row| Some((row, row.of_means.as_ref()?)))
    }

    /// The names of all fixed opponents.
    pub(crate) fn names(&self) -> Vec<&str> {
        self.opponents.iter().map(|row| row.opponent.as_str()).collect()
    }

    /// Whether contestants were compared with one another: two of them at least share decks enough for a test.
    pub(crate) fn has_tests(&self) -> bool {
        self.comparisons.iter().any(|row| row.holm.is_some())
    }
}

/// What fixed opponents are called: by name if it is one.
pub(super) fn called<'a>(names: &[&'a str]) -> &'a str {
    match names {
        [one] => one,
        _ => SEVERAL,
    }
}

/// A contestant that has met fixed opponents.
struct Met<'a> {
    player: usize,
    /// Its pairs with them; the opponent is the first of each.
    pairs: Vec<&'a Pair>,
    difference: MeanWithInterval,
    /// With several fixed opponents.
    of_means: Option<TestOfMeans>,
}

/// By deck the mean over all `fixed` opponents of a contestant's difference, where all games of these pairs are complete,
/// and whether they all repeat earlier ones.
fn by_deck(pairs: &[&Pair], fixed: usize) -> BTreeMap<u32, (f64, bool)> {
    let mut decks: BTreeMap<u32, Vec<Unit>> = BTreeMap::new();
    for (deck, unit) in pairs.iter().flat_map(|pair| pair.by_deck()) {
        decks.entry(deck).or_default().push(unit);
    }
    let whole = decks.into_iter().filter(|(_, units)| units.len() == fixed);
    let mean = |units: &[Unit]| units.iter().map(|unit| -unit.difference).sum::<f64>() / fixed as f64;
    whole.map(|(deck, units)| (deck, (mean(&units), units.iter().all(|unit| unit.repeats)))).collect()
}

impl League<'_> {
    /// The fixed opponents of a gauntlet with at least two contestants; none in another league. A gauntlet of two players
    /// is a match, and on more than two seats the contestants meet one another.
    pub(super) fn fixed_opponents(&self) -> Range<usize> {
        let experiment = self.experiment;
        let meets_all = experiment.schedule == ScheduleKind::Gauntlet && experiment.rules.seats() == 2;
        if meets_all && experiment.players.len() > experiment.fixed + 1 { 0..experiment.fixed } else { 0..0 }
    }

    /// The gauntlet, if it is one and has a finished game.
    pub(super) fn gauntlet(&self, significance: &[PairRow]) -> Option<Gauntlet> {
        let fixed = self.fixed_opponents();
        if fixed.is_empty() {
            return None;
        }
        let pairs = self.pairs(|[first, _]| fixed.contains(&first));
        // The opponents have the lowest indices, so each is the first of its pairs.
        let mut met: BTreeMap<usize, Vec<&Pair>> = BTreeMap::new();
        for ((_, contestant), pair) in &pairs {
            met.entry(*contestant).or_default().push(pair);
        }
        if met.is_empty() {
            return None;
        }
        let mut met: Vec<Met> =
            met.into_iter().filter_map(|(player, pairs)| self.met(player, pairs, fixed.len())).collect();
        met.sort_by(|a, b| b.difference.mean.total_cmp(&a.difference.mean).then(a.player.cmp(&b.player)));
        let p_values: Vec<Option<f64>> =
            met.iter().map(|met| met.of_means.as_ref().and_then(|test| Some(test.paired.as_ref().ok()?.p))).collect();
        let adjusted = holm(&p_values).expect("p-values of tests are probabilities");
        let row_of = |player: usize| {
            let name = self.name(player);
            significance.iter().find(|row| row.a == self.name(fixed.start) && row.b == name)
        };
        // At looks mean and interval are those of the pair.
        let at_looks = |player: usize| {
            let test = row_of(player).filter(|_| self.looks.is_some())?.paired.as_ref().ok()?.reversed();
            Some(MeanWithInterval { mean: test.difference, interval: test.interval })
        };
        let contestants = met.iter().zip(adjusted).enumerate().map(|(place, (met, adjusted))| {
            let counts = met.pairs.iter().map(|pair| pair.counts());
            let [lost, won, drawn] = counts.fold([0; 3], |sum, one| [0, 1, 2].map(|place| sum[place] + one[place]));
            ContestantRow {
                rank: place + 1,
                player: self.name(met.player),
                games: lost + won + drawn,
                won,
                drawn,
                difference: at_looks(met.player).unwrap_or(met.difference),
                holm: match &met.of_means {
                    Some(_) => adjusted,
                    None => row_of(met.player).and_then(|row| row.holm),
                },
                of_means: met.of_means.clone(),
                cost: self.cost(met.player),
            }
        });
        // At looks the pairs end at decks that depend on their results.
        let compares = self.experiment.mirror && self.looks.is_none();
        let (comparisons, family) = if compares { self.contestant_pairs(&met, fixed.len()) } else { (Vec::new(), 0) };
        let contestants: Vec<ContestantRow> = contestants.collect();
        let has_row = |player: &usize| met.iter().any(|met| met.player == *player);
        let without = (fixed.end..self.experiment.players.len()).filter(|player| fixed.len() > 1 && !has_row(player));
        Some(Gauntlet {
            contestants,
            left_out: without.map(|player| self.name(player)).collect(),
            opponents: fixed
                .map(|player| FixedOpponent { opponent: self.name(player), cost: self.cost(player) })
                .collect(),
            comparisons,
            not_compared: if compares { met.len().saturating_sub(ALL_COMPARED) } else { 0 },
            family,
        })
    }

    /// A contestant with its pairs; none if it has no deck that counts.
    fn met<'a>(&self, player: usize, pairs: Vec<&'a Pair>, fixed: usize) -> Option<Met<'a>> {
        if fixed == 1 {
            let meetings = pairs.iter().flat_map(|pair| &pair.meetings);
            let of_deck = |deck: u32, met: &Meeting| OfDeck { deck, repeats: met.repeats };
            let difference = self.statistic(meetings.map(|(deck, met)| (of_deck(*deck, met), -met.difference())));
            return Some(Met { player, pairs, difference, of_means: None });
        }
        let distinct = by_deck(&pairs, fixed).into_values().filter(|(_, repeats)| !repeats);
        let units: Vec<f64> = distinct.map(|(difference, _)| difference).collect();
        let of_means = Some(TestOfMeans { units: units.len() as u64, paired: paired(&units, self.worth) });
        let difference = MeanWithInterval::of(&units.iter().copied().collect());
        (!units.is_empty()).then_some(Met { player, pairs, difference, of_means })
    }

    /// Every pair of the best contestants, the better one first, and the size of the family of tests.
    fn contestant_pairs(&self, met: &[Met], fixed: usize) -> (Vec<ContestantPair>, usize) {
        let by_deck: Vec<BTreeMap<u32, (f64, bool)>> =
            met.iter().take(ALL_COMPARED).map(|met| by_deck(&met.pairs, fixed)).collect();
        let mut rows = Vec::new();
        for (a, first) in by_deck.iter().enumerate() {
            for (b, second) in by_deck.iter().enumerate().skip(a + 1) {
                let both = first.iter().filter_map(|(deck, one)| Some((one, second.get(deck)?)));
                let distinct = both.filter(|((_, repeats), (_, others))| !(*repeats && *others));
                let differences: Vec<f64> = distinct.map(|((one, _), (other, _))| one - other).collect();
                rows.push(ContestantPair {
                    a: self.name(met[a].player),
                    b: self.name(met[b].player),
                    units: differences.len() as u64,
                    // Of two differences from the fixed opponents.
                    paired: paired(&differences, self.worth.map(|worth| 2.0 * worth)),
                    holm: None,
                });
            }
        }
        let p_values: Vec<Option<f64>> = rows.iter().map(|row| row.paired.as_ref().ok().map(|test| test.p)).collect();
        // The best were found by their results, so all pairs of contestants count in the correction.
        let left_out = pairs_of(met.len()) - pairs_of(by_deck.len());
        let adjusted = holm_within(&p_values, left_out).expect("p-values of tests are probabilities");
        rows.iter_mut().zip(adjusted).for_each(|(row, adjusted)| row.holm = adjusted);
        (rows, p_values.iter().flatten().count() + left_out)
    }
}
