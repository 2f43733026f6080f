//! Printed results of two players over the games of both seats together, beside ours.
//!
//! The scoring rate of a player is w = (wins + draws / 2) / n. Its printed bound is that of Müller (2014, 5.2, after
//! Heinz 2000): w ± 1.645·sqrt(w·(1 − w) / n), 90 % for independent games; ours is computed alike.

use super::league::League;
use super::mean_with_interval::MeanWithInterval;
use super::verdicts::Verdicts;
use evouct_league::config::{PaperPair, Verdict};
use evouct_stats::fisher::fisher;
use evouct_stats::t_test::further_mean;
use serde::Serialize;

/// The 95 % point of the normal distribution as the thesis rounds it.
const Z_90: f64 = 1.645;

/// Games of a pair of players from the view of the first.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize)]
pub struct PairScore {
    /// Games that the player won.
    pub wins: u64,
    /// Games that neither won.
    pub draws: u64,
    /// Games that the opponent won.
    pub losses: u64,
}

impl PairScore {
    /// All games.
    pub fn games(&self) -> u64 {
        self.wins + self.draws + self.losses
    }

    /// The scoring rate, 0 to 1, and its 90 % bound; none without games.
    ///
    /// ```
    /// use evouct_report::PairScore;
    /// // Müller 2014, Table 5.3: 50 wins, 2 draws, 156 losses.
    /// let (rate, bound) = PairScore { wins: 50, draws: 2, losses: 156 }.rate().unwrap();
    /// assert_eq!((format!("{:.2}", 100.0 * rate), format!("{:.2}", 100.0 * bound)), ("24.52".into(), "4.91".into()));
    /// ```
    pub fn rate(&self) -> Option<(f64, f64)> {
        let games = self.games() as f64;
        let rate = (self.wins as f64 + 0.5 * self.draws as f64) / games;
        (games > 0.0).then(|| (rate, Z_90 * (rate * (1.0 - rate) / games).sqrt()))
    }
}

/// A printed pair beside ours.
#[derive(Clone, Debug, Serialize)]
pub struct PaperPairRow {
    /// The player.
    pub player: String,
    /// The opponent.
    pub opponent: String,
    /// Games in print.
    pub printed: PairScore,
    /// Games here.
    pub here: PairScore,
    /// The p-value of Fisher's exact test on the decided games.
    pub p: Option<f64>,
    /// The verdict.
    pub verdict: Verdict,
    /// Printed means beside ours.
    pub means: Vec<PaperPairMean>,
}

/// A printed mean of one of a pair beside ours.
#[derive(Clone, Debug, Serialize)]
pub struct PaperPairMean {
    /// The player.
    pub player: String,
    /// The other of the pair.
    pub opponent: String,
    /// What is measured: points per game, playouts per decision, playouts per second.
    pub measure: &'static str,
    /// The printed number.
    pub printed: f64,
    /// Ours, if there are games. Costs have no interval.
    pub here: Option<MeanWithInterval>,
    /// The p-value of the difference in points (t-test with the variance of our games for both). Costs have none: they
    /// depend on the machine.
    pub p: Option<f64>,
    /// The verdict.
    pub verdict: Verdict,
}

/// Compares printed pairs with our games; `games_per_match` are the printed games of each seat where a pair has no
/// number.
pub(super) fn pairs(printed: &[PaperPair], league: &League, games_per_match: u64) -> Vec<PaperPairRow> {
    printed.iter().map(|pair| row(pair, league, games_per_match)).collect()
}

/// The verdicts on the games won.
pub(super) fn verdicts(rows: &[PaperPairRow]) -> Verdicts {
    Verdicts::of(rows.iter().map(|row| row.p))
}

/// The verdicts on points.
pub(super) fn mean_verdicts(rows: &[PaperPairRow]) -> Verdicts {
    let means = rows.iter().flat_map(|row| &row.means);
    Verdicts::of(means.filter(|mean| mean.measure == POINTS).map(|mean| mean.p))
}

/// The measure of points per game.
pub(crate) const POINTS: &str = "points";

fn row(pair: &PaperPair, league: &League, games_per_match: u64) -> PaperPairRow {
    let games = pair.games.unwrap_or(2 * games_per_match);
    let printed =
        PairScore { wins: pair.wins, draws: games.saturating_sub(pair.wins + pair.losses), losses: pair.losses };
    let players = league.index(&pair.player).zip(league.index(&pair.opponent));
    let here = players.map(|(player, opponent)| score(league, player, opponent)).unwrap_or_default();
    let tables = [[printed.wins, printed.losses], [here.wins, here.losses]];
    let p = (here.games() > 0).then(|| fisher(tables).ok()).flatten();
    let mut means = Vec::new();
    for (side, names) in [(0, [&pair.player, &pair.opponent]), (1, [&pair.opponent, &pair.player])] {
        let cost = |measure, printed: Option<f64>, here: Option<f64>| {
            printed.map(|printed| {
                mean_row(names, measure, printed, here.map(|mean| MeanWithInterval { mean, interval: None }), None)
            })
        };
        let sides = players.map(|(player, opponent)| if side == 0 { (player, opponent) } else { (opponent, player) });
        let points = sides.map(|(player, opponent)| {
            league.units(league.games_between(player, opponent).map(|(game, seat)| (game.of_deck(), game.points(seat))))
        });
        if let Some(printed) = [pair.points, pair.opponent_points][side] {
            // With mirrored decks a unit is the mean of two games.
            let units = if league.experiment.mirror { (games / 2).max(1) } else { games };
            let p = points.as_ref().and_then(|points| further_mean(points, printed, units).ok()).map(|test| test.p);
            let here = points.filter(|points| points.count() > 0).map(|points| MeanWithInterval::of(&points));
            means.push(mean_row(names, POINTS, printed, here, p));
        }
        let spent = sides.map(|(player, opponent)| spent(league, player, opponent)).unwrap_or_default();
        means.extend(cost("playouts per turn", [pair.playouts, pair.opponent_playouts][side], spent.per_decision()));
        let printed = [pair.playouts_per_second, pair.opponent_playouts_per_second][side];
        means.extend(cost("playouts per second", printed, spent.per_second()));
    }
    let (player, opponent) = (pair.player.clone(), pair.opponent.clone());
    PaperPairRow { player, opponent, printed, here, p, verdict: Verdict::of(p), means }
}

fn mean_row(
    [player, opponent]: [&String; 2],
    measure: &'static str,
    printed: f64,
    here: Option<MeanWithInterval>,
    p: Option<f64>,
) -> PaperPairMean {
    let (player, opponent) = (player.clone(), opponent.clone());
    PaperPairMean { player, opponent, measure, printed, here, p, verdict: Verdict::of(p) }
}

/// The distinct games of two players.
fn score(league: &League, player: usize, opponent: usize) -> PairScore {
    let mut score = PairScore::default();
    for (game, seat) in league.games_between(player, opponent).filter(|(game, _)| !game.repeats) {
        match game.difference(seat) {
            lead if lead > 0.0 => score.wins += 1,
            lead if lead < 0.0 => score.losses += 1,
            _ => score.draws += 1,
        }
    }
    score
}

/// What a player's decisions cost in its games against one opponent.
#[derive(Default)]
struct Spent {
    decisions: u64,
    playouts: u64,
    seconds: f64,
}

impl Spent {
    fn per_decision(&self) -> Option<f64> {
        (self.decisions > 0).then(|| self.playouts as f64 / self.decisions as f64)
    }

    fn per_second(&self) -> Option<f64> {
        (self.seconds > 0.0).then(|| self.playouts as f64 / self.seconds)
    }
}

fn spent(league: &League, player: usize, opponent: usize) -> Spent {
    let mut spent = Spent::default();
    for (game, seat) in league.games_between(player, opponent) {
        spent.decisions += game.seats[seat].decisions;
        spent.playouts += game.seats[seat].playouts;
        spent.seconds += game.seats[seat].seconds;
    }
    spent
}
