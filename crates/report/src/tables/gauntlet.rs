//! A gauntlet: the contestants ranked by their result against the fixed opponent, and compared with one another.
//!
//! The fixed opponent plays as many games as all contestants together, so it has no place in their ranking. All
//! contestants play it on the same decks, so they are compared deck by deck although they never meet.

use super::cost::DecisionCost;
use super::league::League;
use super::mean_with_interval::{MeanWithInterval, value_or_reason};
use super::pairs::{ALL_COMPARED, Pair, PairRow, pairs_of};
use evouct_league::config::ScheduleKind;
use evouct_stats::holm::holm_within;
use evouct_stats::t_test::{TTest, paired};
use evouct_stats::{Summary, Unavailable};
use serde::Serialize;
use std::collections::BTreeMap;

/// The results of a gauntlet.
#[derive(Clone, Debug, Serialize)]
pub struct Gauntlet {
    /// The player that meets all others: the first of the file.
    pub opponent: String,
    /// The cost of its decisions.
    pub cost: DecisionCost,
    /// The contestants by descending mean difference from the opponent; those without a game are left out.
    pub contestants: Vec<ContestantRow>,
    /// Every pair of contestants, of many contestants every pair of the best of them; empty where decks are not mirrored,
    /// because then contestants have no deck in common.
    pub comparisons: Vec<ContestantPair>,
    /// Contestants that are compared with the fixed opponent only, because there are many; absent where there are none.
    #[serde(skip_serializing_if = "is_zero")]
    pub not_compared: usize,
    /// The number of pairs of contestants over which Holm's correction is made: those that were tested, and those of
    /// contestants that are not compared.
    #[serde(skip)]
    pub family: usize,
}

/// A contestant.
#[derive(Clone, Debug, Serialize)]
pub struct ContestantRow {
    /// From 1.
    pub rank: usize,
    /// The player.
    pub player: String,
    /// Games against the opponent.
    pub games: u64,
    /// Of these, games won.
    pub won: u64,
    /// Of these, games drawn.
    pub drawn: u64,
    /// Score less the opponent's.
    pub difference: MeanWithInterval,
    /// The p-value of the paired test of that difference, after Holm's correction over the contestants.
    pub holm: Option<f64>,
    /// The cost of a decision.
    pub cost: DecisionCost,
}

/// Two contestants, compared by their differences to the fixed opponent.
#[derive(Clone, Debug, Serialize)]
pub struct ContestantPair {
    /// One contestant.
    pub a: String,
    /// The other.
    pub b: String,
    /// Decks that both completed against the opponent.
    pub units: u64,
    /// The paired test, deck by deck, of a's difference from the opponent less b's.
    #[serde(serialize_with = "value_or_reason")]
    pub paired: Result<TTest, Unavailable>,
    /// Its p-value after Holm's correction over all pairs of contestants, listed or not.
    pub holm: Option<f64>,
}

impl ContestantRow {
    /// The games that the fixed opponent won, and its score less the contestant's: the row as tables show it, from the
    /// view of the first player. Files and `report.json` have the view of the contestants.
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

/// Whether a count is left out of `report.json`.
pub(super) fn is_zero(count: &usize) -> bool {
    *count == 0
}

impl Gauntlet {
    /// Whether contestants were compared with one another: two of them at least share decks enough for a test.
    pub(crate) fn has_tests(&self) -> bool {
        self.comparisons.iter().any(|row| row.holm.is_some())
    }
}

impl League<'_> {
    /// The fixed opponent of a gauntlet with at least two contestants. A gauntlet of two players is a match, and on
    /// more than two seats the contestants meet one another.
    pub(super) fn fixed_opponent(&self) -> Option<usize> {
        let experiment = self.experiment;
        let meets_all = experiment.schedule == ScheduleKind::Gauntlet && experiment.rules.seats() == 2;
        (meets_all && experiment.players.len() > 2).then_some(0)
    }

    /// The gauntlet, if it is one and has a finished game.
    pub(super) fn gauntlet(&self, significance: &[PairRow]) -> Option<Gauntlet> {
        let opponent = self.fixed_opponent()?;
        let pairs = self.pairs();
        // The opponent has the lowest index, so it is the first of every pair.
        let mut met: Vec<(usize, &Pair)> = pairs
            .iter()
            .filter(|((first, _), _)| *first == opponent)
            .map(|((_, other), pair)| (*other, pair))
            .collect();
        if met.is_empty() {
            return None;
        }
        let row_of = |player: usize| {
            let name = self.name(player);
            significance.iter().find(|row| row.a == self.name(opponent) && row.b == name)
        };
        let difference =
            |pair: &Pair| self.statistic(pair.meetings.iter().map(|(deck, met)| (*deck, -met.difference())));
        // At looks mean and interval are those of the pair.
        let at_looks = |player: usize| {
            let test = row_of(player).filter(|_| self.looks.is_some())?.paired.as_ref().ok()?.reversed();
            Some(MeanWithInterval { mean: test.difference, interval: Some(test.interval) })
        };
        met.sort_by(|a, b| difference(b.1).mean.total_cmp(&difference(a.1).mean).then(a.0.cmp(&b.0)));
        let contestants = met.iter().enumerate().map(|(place, (player, pair))| {
            let [lost, won, drawn] = pair.counts();
            ContestantRow {
                rank: place + 1,
                player: self.name(*player),
                games: lost + won + drawn,
                won,
                drawn,
                difference: at_looks(*player).unwrap_or_else(|| difference(pair)),
                holm: row_of(*player).and_then(|row| row.holm),
                cost: self.cost(*player),
            }
        });
        // At looks the pairs end at decks that depend on their results.
        let compares = self.experiment.mirror && self.looks.is_none();
        let (comparisons, family) = if compares { self.contestant_pairs(&met) } else { (Vec::new(), 0) };
        Some(Gauntlet {
            opponent: self.name(opponent),
            cost: self.cost(opponent),
            contestants: contestants.collect(),
            comparisons,
            not_compared: if compares { met.len().saturating_sub(ALL_COMPARED) } else { 0 },
            family,
        })
    }

    /// Every pair of the best contestants, the better one first, and the size of the family of tests.
    fn contestant_pairs(&self, met: &[(usize, &Pair)]) -> (Vec<ContestantPair>, usize) {
        let by_deck: Vec<BTreeMap<u32, f64>> = met
            .iter()
            .take(ALL_COMPARED)
            .map(|(_, pair)| pair.by_deck().into_iter().map(|(deck, unit)| (deck, -unit.difference)).collect())
            .collect();
        let mut rows = Vec::new();
        for (a, first) in by_deck.iter().enumerate() {
            for (b, second) in by_deck.iter().enumerate().skip(a + 1) {
                let differences: Summary =
                    first.iter().filter_map(|(deck, value)| Some(value - second.get(deck)?)).collect();
                rows.push(ContestantPair {
                    a: self.name(met[a].0),
                    b: self.name(met[b].0),
                    units: differences.count(),
                    paired: paired(&differences),
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
