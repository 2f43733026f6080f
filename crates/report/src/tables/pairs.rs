//! Two players compared: paired tests by unit, effect sizes, win rates.

use super::league::League;
use super::mean_with_interval::value_or_reason;
use super::meetings::Meeting;
use evouct_base::seed::Key;
use evouct_stats::bootstrap::{Bootstrap, DEFAULT_RESAMPLES, means};
use evouct_stats::effect::{a12, cohen_d, cohen_dz};
use evouct_stats::holm::holm_within;
use evouct_stats::paired::paired;
use evouct_stats::permutation::{Permutation, sign_flip};
use evouct_stats::proportion::{wilson, wilson_share};
use evouct_stats::t_test::{TTest, welch};
use evouct_stats::wilcoxon::{Wilcoxon, wilcoxon};
use evouct_stats::{Interval, Summary, Unavailable};
use serde::Serialize;
use std::collections::BTreeMap;

/// Limit of the indices drawn for the bootstraps of all pairs; a larger league gets fewer resamples, but at least
/// [`FEWEST_RESAMPLES`].
const BUDGET: usize = 200_000_000;
const FEWEST_RESAMPLES: usize = 1_000;

/// The most players of which every two are compared, whether they met or not. The number of pairs grows with the square
/// of the players, so a larger league lists the pairs that met if they are no more than those of so many players, and else
/// those of the best ones; it compares no more contestants of a gauntlet than this.
pub(super) const ALL_COMPARED: usize = 100;

/// The number of pairs of so many players.
pub(super) fn pairs_of(players: usize) -> usize {
    players * players.saturating_sub(1) / 2
}

/// The fewest decks for a bootstrap interval of win rates and ratings: five decks have 126 distinct resamples, two have
/// three.
pub(super) const FEWEST_DECKS: u64 = 5;

/// Two players compared.
#[derive(Clone, Debug, Serialize)]
pub struct PairRow {
    /// One player.
    pub a: String,
    /// The other.
    pub b: String,
    /// Welch's t-test on all scores of a against all scores of b, in all their games, as in the paper; not of a Swiss
    /// schedule, in which these are games against different opponents.
    #[serde(serialize_with = "value_or_reason")]
    pub welch: Result<TTest, Unavailable>,
    /// Units of the paired test: distinct decks that all games of the pair were played on; games where decks are not
    /// mirrored.
    pub units: u64,
    /// Further units whose games repeat those of earlier ones, and are no evidence; absent where there are none.
    #[serde(skip_serializing_if = "evouct_base::is_default")]
    pub repeats: u64,
    /// The [paired test](paired) on the mean difference (a less b) by unit, in the games of the two against one another.
    #[serde(serialize_with = "value_or_reason")]
    pub paired: Result<TTest, Unavailable>,
    /// Its p-value after Holm's correction over the pairs that were tested.
    pub holm: Option<f64>,
    /// The sign-flip permutation test on the same units.
    #[serde(serialize_with = "value_or_reason")]
    pub permutation: Result<Permutation, Unavailable>,
    /// The Wilcoxon signed-rank test on the same units.
    #[serde(serialize_with = "value_or_reason")]
    pub wilcoxon: Result<Wilcoxon, Unavailable>,
    /// The mean difference with its bootstrap interval over the same units.
    #[serde(serialize_with = "value_or_reason")]
    pub bootstrap: Result<Bootstrap, Unavailable>,
    /// Games that a won, that b won, and drawn games, in the games of the two against one another.
    pub games: [u64; 3],
    /// The share of games that a won; a draw counts half.
    pub win_rate: Option<WinRate>,
    /// Vargha and Delaney's A12 of a's scores over b's in these games: the probability that a scores more.
    #[serde(serialize_with = "value_or_reason")]
    pub a12: Result<f64, Unavailable>,
    /// Cohen's d of these scores, in pooled standard deviations.
    #[serde(serialize_with = "value_or_reason")]
    pub cohen_d: Result<f64, Unavailable>,
    /// Cohen's d_z of the differences by unit.
    #[serde(serialize_with = "value_or_reason")]
    pub cohen_dz: Result<f64, Unavailable>,
}

impl PairRow {
    /// The same with the player first that scored more against the other: as tables show it. Files and `report.json`
    /// have the players in the order of the experiment.
    #[must_use]
    pub fn stronger_first(&self) -> PairRow {
        let [won, lost, drawn] = self.games;
        let is_first = match &self.paired {
            Ok(test) => test.difference >= 0.0,
            Err(_) => won >= lost,
        };
        if is_first {
            return self.clone();
        }
        let reversed = |test: &TTest| test.reversed();
        PairRow {
            a: self.b.clone(),
            b: self.a.clone(),
            welch: self.welch.as_ref().map(reversed).map_err(Clone::clone),
            paired: self.paired.as_ref().map(reversed).map_err(Clone::clone),
            permutation: self.permutation.clone().map(|test| Permutation { difference: -test.difference, ..test }),
            wilcoxon: self.wilcoxon.clone().map(|test| Wilcoxon {
                rank_sum_positive: test.rank_sum_negative,
                rank_sum_negative: test.rank_sum_positive,
                ..test
            }),
            bootstrap: self.bootstrap.clone().map(|found| Bootstrap {
                estimate: -found.estimate,
                interval: found.interval.negated(),
                ..found
            }),
            games: [lost, won, drawn],
            win_rate: self.win_rate.map(WinRate::reversed),
            a12: self.a12.clone().map(|a12| 1.0 - a12),
            cohen_d: self.cohen_d.clone().map(|d| -d),
            cohen_dz: self.cohen_dz.clone().map(|d| -d),
            units: self.units,
            repeats: self.repeats,
            holm: self.holm,
        }
    }
}

/// A share of games won.
#[derive(Clone, Copy, Debug, Serialize)]
pub struct WinRate {
    /// From 0 to 1.
    pub rate: f64,
    /// 95 %. Mirrored decks: bootstrap over decks, or Wilson's with one trial per deck (fewer than five decks, all
    /// decks ended alike, or a bootstrap interval that reaches 0 or 1). Otherwise Wilson's over the decided games. None
    /// without a deck on which both games were played.
    pub interval: Option<Interval>,
    /// `bootstrap`, `wilson-decks` or `wilson`.
    pub method: &'static str,
}

impl WinRate {
    /// That of the other player.
    fn reversed(self) -> WinRate {
        let interval = self.interval.map(|ends| Interval { low: 1.0 - ends.high, high: 1.0 - ends.low });
        WinRate { rate: 1.0 - self.rate, interval, ..self }
    }
}

/// The meetings of two players with their decks; the first player is that of the lower index.
#[derive(Default)]
pub(super) struct Pair {
    pub meetings: Vec<(u32, Meeting)>,
    /// Meetings per deck by the schedule.
    per_deck: usize,
}

/// One unit of a paired test: the difference in scores, and the points per game (1 for a win, ½ for a draw).
pub(super) struct Unit {
    pub difference: f64,
    points: f64,
    /// Whether its games repeat earlier ones.
    pub repeats: bool,
}

impl Unit {
    /// A meeting alone.
    fn of(meeting: &Meeting) -> Unit {
        let difference = meeting.difference();
        Unit { difference, points: 0.5 + 0.5 * sign(difference), repeats: meeting.repeats }
    }
}

impl Pair {
    /// The units: the means of the decks whose meetings are complete where decks are mirrored, else every meeting.
    fn units(&self, mirror: bool) -> Vec<Unit> {
        if !mirror {
            return self.meetings.iter().map(|(_, meeting)| Unit::of(meeting)).collect();
        }
        self.by_deck().into_values().collect()
    }

    /// The mean of the meetings of every deck on which all were played: both games with two seats.
    pub(super) fn by_deck(&self) -> BTreeMap<u32, Unit> {
        let mut decks: BTreeMap<u32, Vec<Unit>> = BTreeMap::new();
        for (deck, meeting) in &self.meetings {
            decks.entry(*deck).or_default().push(Unit::of(meeting));
        }
        decks.retain(|_, units| units.len() == self.per_deck);
        let mean = |units: Vec<Unit>| {
            let mean = |value: fn(&Unit) -> f64| units.iter().map(value).sum::<f64>() / units.len() as f64;
            let repeats = units.iter().all(|unit| unit.repeats);
            Unit { difference: mean(|unit| unit.difference), points: mean(|unit| unit.points), repeats }
        };
        decks.into_iter().map(|(deck, units)| (deck, mean(units))).collect()
    }

    /// Meetings that the first won, that the second won, and drawn.
    pub(super) fn counts(&self) -> [u64; 3] {
        Pair::counts_of(self.meetings.iter().map(|(_, meeting)| meeting))
    }

    /// The meetings that repeat no earlier ones.
    fn distinct(&self) -> impl Iterator<Item = &Meeting> {
        self.meetings.iter().map(|(_, meeting)| meeting).filter(|meeting| !meeting.repeats)
    }

    fn counts_of<'a>(meetings: impl Iterator<Item = &'a Meeting>) -> [u64; 3] {
        let mut counts = [0; 3];
        for meeting in meetings {
            let difference = meeting.difference();
            counts[if difference > 0.0 {
                0
            } else if difference < 0.0 {
                1
            } else {
                2
            }] += 1;
        }
        counts
    }

    /// The scores of the first (0) or of the second (1) in distinct meetings.
    fn scores(&self, player: usize) -> Vec<f64> {
        self.distinct().map(|meeting| meeting.points(player)).collect()
    }
}

/// 1, 0 or -1. `signum` knows no 0.
fn sign(value: f64) -> f64 {
    if value == 0.0 { 0.0 } else { value.signum() }
}

impl League<'_> {
    /// The meetings of the wanted pairs by unordered pair of players, the lower index first. Their order does not depend on that of the
    /// records, so resampling does not either: deck by deck, and on a deck by the players in the order of their seats.
    pub(super) fn pairs(&self, wants: impl Fn([usize; 2]) -> bool) -> BTreeMap<(usize, usize), Pair> {
        let per_deck = self.meetings_per_deck();
        let mut pairs: BTreeMap<(usize, usize), Pair> = BTreeMap::new();
        for (deck, meeting) in self.meetings() {
            let meeting = meeting.sorted();
            let [a, b] = meeting.players;
            let is_later = self.last_deck(a, b).is_some_and(|last| deck > last);
            if is_later || !wants(meeting.players) {
                continue;
            }
            let pair = pairs.entry(meeting.players.into()).or_default();
            pair.meetings.push((deck, meeting));
            pair.per_deck = match self.experiment.rules.seats() {
                1 => 1,
                _ => per_deck.get(&meeting.players).copied().unwrap_or_default(),
            };
        }
        pairs
    }

    /// Every pair of players; in a league of more than [`ALL_COMPARED`] players, every pair that met and is
    /// [listed](League::listed).
    pub(super) fn significance(&self) -> Vec<PairRow> {
        let players = self.experiment.players.len();
        let mut scores = vec![Summary::default(); players];
        for game in self.games.iter().filter(|game| !game.repeats) {
            for (seat, player) in game.players().enumerate() {
                scores[player].push(game.points(seat));
            }
        }
        let pairs = self.pairs(|pair| self.lists(pair));
        let all_games = |a: usize, b: usize| match self.experiment.rounds {
            Some(_) => Err(Unavailable::ChosenOpponents),
            None => welch(&scores[a], &scores[b]),
        };
        let no_games = Pair::default();
        let listed: Vec<(usize, usize)> = if players > ALL_COMPARED {
            pairs.keys().copied().collect()
        } else {
            (0..players).flat_map(|a| (a + 1..players).map(move |b| (a, b))).collect()
        };
        let mut rows: Vec<PairRow> = listed
            .iter()
            .map(|&(a, b)| {
                let pair = pairs.get(&(a, b)).unwrap_or(&no_games);
                self.compare((a, b), pair, all_games(a, b), BUDGET / pairs.len().max(1))
            })
            .collect();
        let p_values: Vec<Option<f64>> = rows.iter().map(|row| row.paired.as_ref().ok().map(|test| test.p)).collect();
        let adjusted = holm_within(&p_values, self.pairs_not_listed()).expect("p-values of tests are probabilities");
        for (row, adjusted) in rows.iter_mut().zip(adjusted) {
            row.holm = adjusted;
        }
        rows.iter_mut().zip(&listed).for_each(|(row, (a, b))| self.row_at_looks([*a, *b], row));
        rows
    }

    fn compare(
        &self,
        (a, b): (usize, usize),
        pair: &Pair,
        welch: Result<TTest, Unavailable>,
        budget: usize,
    ) -> PairRow {
        let mut units = pair.units(self.experiment.mirror);
        let played = units.len();
        units.retain(|unit| !unit.repeats);
        let repeats = (played - units.len()) as u64;
        let differences: Vec<f64> = units.iter().map(|unit| unit.difference).collect();
        let summary: Summary = differences.iter().copied().collect();
        let resamples = (budget / units.len().max(1)).clamp(FEWEST_RESAMPLES, DEFAULT_RESAMPLES);
        let mut rng = self.pair_key(a, b).boxed_stream();
        // As many random assignments as resamples, so that p-values and intervals have the same resolution.
        let permutation = sign_flip(&differences, resamples - 1, &mut *rng);
        let values: Vec<[f64; 2]> = units.iter().map(|unit| [unit.difference, unit.points]).collect();
        let intervals = means(&values, resamples, &mut *rng);
        let (bootstrap, rate) = match intervals.as_deref() {
            // Resamples of equal differences are equal, too.
            Ok([difference, rate]) if difference.interval.low == difference.interval.high => {
                (Err(Unavailable::NoVariance), Some(*rate))
            }
            Ok([difference, rate]) => (Ok(*difference), Some(*rate)),
            Ok(_) => (Err(Unavailable::Undefined), None),
            Err(why) => (Err(why.clone()), None),
        };
        let [own, other] = [0, 1].map(|player| pair.scores(player));
        let mut win_rate = self.win_rate(Pair::counts_of(pair.distinct()), units.len() as u64, rate);
        // However often it is played, one game is no test.
        let alone = || (units.len() == 1 && repeats > 0).then_some(Unavailable::TooFew { needed: 2, found: 1 });
        if alone().is_some() {
            win_rate.iter_mut().for_each(|rate| rate.interval = None);
        }
        PairRow {
            a: self.name(a),
            b: self.name(b),
            welch: alone().map_or(welch, Err),
            repeats,
            units: summary.count(),
            paired: paired(&differences, self.worth.filter(|_| self.looks.is_none())),
            holm: None,
            permutation: alone().map_or(permutation, Err),
            wilcoxon: alone().map_or_else(|| wilcoxon(&differences), Err),
            bootstrap,
            win_rate,
            games: pair.counts(),
            a12: a12(&own, &other),
            cohen_d: cohen_d(&own.iter().copied().collect(), &other.iter().copied().collect()),
            cohen_dz: cohen_dz(&summary),
        }
    }

    /// Mirrored decks: a bootstrap interval over decks, or Wilson's interval with one trial per deck where there are
    /// few decks or nearly all ended alike, so that many resamples do not vary. Otherwise games are independent, and
    /// the interval is Wilson's over the decided ones.
    fn win_rate(&self, [won, lost, drawn]: [u64; 3], decks: u64, bootstrap: Option<Bootstrap>) -> Option<WinRate> {
        if !self.experiment.mirror {
            let rate = wilson(won, won + lost).ok()?;
            return Some(WinRate { rate: rate.estimate, interval: Some(rate.interval), method: "wilson" });
        }
        let games = won + lost + drawn;
        let rate = (won as f64 + drawn as f64 / 2.0) / games as f64;
        let inside = |ends: &Interval| 0.0 < ends.low && ends.low < ends.high && ends.high < 1.0;
        let resampled = bootstrap.map(|bootstrap| bootstrap.interval).filter(inside);
        let (interval, method) = match resampled.filter(|_| decks >= FEWEST_DECKS) {
            Some(interval) => (Some(interval), "bootstrap"),
            None => (wilson_share(rate, decks).ok().map(|share| share.interval), "wilson-decks"),
        };
        (games > 0).then_some(WinRate { rate, interval, method })
    }

    /// The key of the resamples for two players. Decks count from 1, so deck 0 belongs to no game. The key does not
    /// depend on the other players.
    fn pair_key(&self, a: usize, b: usize) -> Key {
        let players = &self.experiment.players;
        Key::experiment(self.experiment.seed).game(0, &[players[a].identity, players[b].identity])
    }
}
