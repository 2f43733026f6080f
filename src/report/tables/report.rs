//! The tables of a report.

use crate::record::Digest;
use crate::stats::bootstrap::Bootstrap;
use crate::stats::permutation::Permutation;
use crate::stats::sprt::SprtDecision;
use crate::stats::t_test::TTest;
use crate::stats::wilcoxon::Wilcoxon;
use crate::stats::{Interval, Unavailable};
use serde::Serialize;
use std::collections::BTreeMap;

/// Everything that a report says.
#[derive(Clone, Debug, Serialize)]
pub struct Report {
    /// The version of this structure.
    pub schema: u32,
    /// The evouct that made the report.
    pub evouct: String,
    /// The experiment.
    pub name: String,
    /// What it is for.
    pub about: Option<String>,
    /// The hash of the resolved experiment.
    pub hash: String,
    /// `text` or `reference`.
    pub preset: String,
    /// The seed.
    pub seed: u64,
    /// Decks a match.
    pub games_per_match: u32,
    /// Whether matches share their decks.
    pub mirror: bool,
    /// Digest of all records.
    pub digest: Digest,
    /// Games of the schedule.
    pub scheduled: u64,
    /// Games that ended by the rules.
    pub finished: u64,
    /// Games that did not.
    pub failures: Vec<Failure>,
    /// The league's ranking.
    pub ranking: Vec<RankingRow>,
    /// Every match.
    pub matches: Vec<MatchRow>,
    /// Every pair of players.
    pub significance: Vec<PairRow>,
    /// Strength of all players on one scale.
    pub ratings: Ratings,
    /// For a match of two, what a sequential test says.
    pub sequential: Option<Sequential>,
    /// Every player by seat.
    pub seats: Vec<SeatRow>,
    /// Virtual scores by player, seat and turn.
    pub turns: Vec<TurnRow>,
    /// Evolution by player.
    pub evolution: Vec<Evolution>,
    /// The formulas of each player that came out most often.
    pub formulas: Vec<Formula>,
    /// Sizes, depths and gains of formulas by turn.
    pub shapes: Vec<Shape>,
    /// The printed numbers beside ours.
    pub paper: Option<Comparison>,
    /// Seconds that players thought, all together.
    pub seconds: f64,
    /// Playouts, all together.
    pub playouts: u64,
}

/// A mean with its 95 % t-interval over decks (over games where decks are not mirrored).
#[derive(Clone, Copy, Debug, Serialize)]
pub struct Statistic {
    /// The mean.
    pub mean: f64,
    /// The interval; none with fewer than two units.
    pub interval: Option<Interval>,
}

/// A game that failed.
#[derive(Clone, Debug, Serialize)]
pub struct Failure {
    /// The game.
    pub game: String,
    /// Its players, by seat.
    pub players: Vec<String>,
    /// `panicked` or `illegal-move`.
    pub ended: String,
    /// What was said.
    pub message: String,
    /// A command that plays the game again.
    pub repeat: String,
}

/// A line of the ranking. Wins, losses and draws count matches.
#[derive(Clone, Debug, Serialize)]
pub struct RankingRow {
    /// From 1.
    pub rank: usize,
    /// The player.
    pub player: String,
    /// League points.
    pub points: u64,
    /// Bonus points of clear winners.
    pub bwp: u64,
    /// Bonus points of narrow losers.
    pub blp: u64,
    /// Matches won.
    pub wins: u64,
    /// Matches lost.
    pub losses: u64,
    /// Matches drawn.
    pub draws: u64,
    /// Sum of the mean score differences of all matches.
    pub pd: f64,
    /// Games played.
    pub games: u64,
    /// Games won.
    pub games_won: u64,
    /// Games drawn.
    pub games_drawn: u64,
    /// Score.
    pub score: Statistic,
    /// Score less the opponent's.
    pub difference: Statistic,
}

/// A match.
#[derive(Clone, Debug, Serialize)]
pub struct MatchRow {
    /// The player who goes first.
    pub home: String,
    /// The player who goes second.
    pub away: String,
    /// Games played.
    pub games: u64,
    /// Games that the home player won.
    pub home_wins: u64,
    /// Games that the away player won.
    pub away_wins: u64,
    /// Drawn games.
    pub draws: u64,
    /// The home player's score less the away player's.
    pub difference: Statistic,
}

/// Two players compared.
#[derive(Clone, Debug, Serialize)]
pub struct PairRow {
    /// One player.
    pub a: String,
    /// The other.
    pub b: String,
    /// Welch's t-test on all scores of the one against all scores of the other, in all their games, as in the paper.
    pub welch: Result<TTest, Unavailable>,
    /// Units of the paired test: decks that both games of the pair were played on; games where decks are not mirrored.
    pub units: u64,
    /// The paired test on the mean difference (a less b) by unit, in the games of the two against one another.
    pub paired: Result<TTest, Unavailable>,
    /// Its p-value after Holm's correction over all pairs.
    pub holm: Option<f64>,
    /// The sign-flip permutation test on the same units.
    pub permutation: Result<Permutation, Unavailable>,
    /// The Wilcoxon signed-rank test on the same units.
    pub wilcoxon: Result<Wilcoxon, Unavailable>,
    /// The mean difference with its bootstrap interval over the same units.
    pub bootstrap: Result<Bootstrap, Unavailable>,
    /// Games that a won, that b won, and drawn games, in the games of the two against one another.
    pub games: [u64; 3],
    /// The share of games that a won, draws by halves.
    pub win_rate: Option<WinRate>,
    /// Vargha and Delaney's A12 of a's scores over b's in these games: the chance that a scores more.
    pub a12: Result<f64, Unavailable>,
    /// Cohen's d of these scores, in pooled standard deviations.
    pub cohen_d: Result<f64, Unavailable>,
    /// Cohen's d_z of the differences by unit.
    pub cohen_dz: Result<f64, Unavailable>,
}

/// A share of games won.
#[derive(Clone, Copy, Debug, Serialize)]
pub struct WinRate {
    /// From 0 to 1.
    pub rate: f64,
    /// 95 %: by bootstrap over decks where decks are mirrored (Wilson's, a deck a trial, with fewer than five decks, where all
    /// decks ended alike, and where the bootstrap's reaches 0 or 1), else Wilson's over the decided games. None without a deck
    /// that both games were played on.
    pub interval: Option<Interval>,
    /// `bootstrap`, `wilson-decks` or `wilson`.
    pub method: &'static str,
}

/// Bradley-Terry ratings of all players, on the Elo scale with mean 0.
#[derive(Clone, Debug, Serialize)]
pub struct Ratings {
    /// By player, the strongest first.
    pub rows: Vec<RatingRow>,
    /// Virtual draws that keep ratings finite.
    pub prior: f64,
    /// Whether the results alone determine the ratings.
    pub connected: bool,
    /// Resamples of decks behind the intervals.
    pub resamples: usize,
    /// Players each of whom beats the next, and the last the first, in their games.
    pub cycle: Option<Cycle>,
}

/// A ring of players: no scale can show it.
#[derive(Clone, Debug, Serialize)]
pub struct Cycle {
    /// The players; each beats the next, the last the first.
    pub players: Vec<String>,
    /// Whether each of these differences is significant by itself (paired p below 0.05, uncorrected).
    pub significant: bool,
}

/// A player's rating.
#[derive(Clone, Debug, Serialize)]
pub struct RatingRow {
    /// The player.
    pub player: String,
    /// The rating.
    pub elo: f64,
    /// 95 % bootstrap interval over decks; none with fewer than five decks, where all decks ended alike, and for a player whom
    /// the results do not tie to the most (one who won or lost every game, say), whose rating has no bound but the prior.
    pub interval: Option<Interval>,
}

/// A sequential probability ratio test on mirrored pairs, in the order of the decks.
#[derive(Clone, Debug, Serialize)]
pub struct Sequential {
    /// The tested player: the first of the file.
    pub player: String,
    /// The other.
    pub opponent: String,
    /// Elo of the null hypothesis.
    pub elo0: f64,
    /// Elo of the alternative.
    pub elo1: f64,
    /// Chance to accept the alternative under the null hypothesis.
    pub alpha: f64,
    /// Chance to accept the null hypothesis under the alternative.
    pub beta: f64,
    /// Decks in which the tested player scored 0, ½, 1, 1½, 2 points, up to the decision.
    pub pairs: [u64; 5],
    /// Log-likelihood ratio there.
    pub llr: f64,
    /// H0 is accepted at or below.
    pub lower: f64,
    /// H1 is accepted at or above.
    pub upper: f64,
    /// What it came to.
    pub decision: SprtDecision,
    /// The deck after which it was decided; none while it is open.
    pub decided_after: Option<u32>,
}

/// The means of a seat that every table of them shows: name and title.
pub(in crate::report) const SEAT_COLUMNS: [(&str, &str); 8] = [
    ("score", "score"),
    ("difference", "difference"),
    ("meeples", "meeples"),
    ("twm", "twm"),
    ("city_points", "city"),
    ("road_points", "road"),
    ("field_points", "field"),
    ("monastery_points", "monastery"),
];

/// A player on one seat.
#[derive(Clone, Debug, Serialize)]
pub struct SeatRow {
    /// The player.
    pub player: String,
    /// 1 or 2.
    pub seat: usize,
    /// Games.
    pub games: u64,
    /// Means by name: score, difference, meeples (a game), turns_with_meeple, twm, twm_shifted, and meeples and points by
    /// feature.
    pub means: BTreeMap<String, Statistic>,
}

/// Virtual scores of a player on a seat after a turn.
#[derive(Clone, Debug, Serialize)]
pub struct TurnRow {
    /// The player.
    pub player: String,
    /// 1 or 2.
    pub seat: usize,
    /// The seat's turn, from 1.
    pub turn: usize,
    /// Games that came so far.
    pub games: u64,
    /// Mean virtual score.
    pub score: f64,
    /// Mean difference of the virtual scores.
    pub difference: f64,
    /// Standard deviation of that difference over games.
    pub difference_sd: Option<f64>,
}

/// What the evolutions of a player came to.
#[derive(Clone, Debug, Serialize)]
pub struct Evolution {
    /// The player.
    pub player: String,
    /// Decisions with an evolution.
    pub decisions: u64,
    /// Generations.
    pub generations: u64,
    /// Generations in which several shared the best fitness.
    pub ties: u64,
    /// Generations in which one of them was within (α, β).
    pub in_range: u64,
    /// Generations in which semantics chose.
    pub by_semantics: u64,
    /// Generations in which an offspring took the parent's place.
    pub replaced: u64,
    /// Playouts.
    pub playouts: u64,
    /// Mean number of nodes of what came out.
    pub nodes: Option<f64>,
    /// Mean depth.
    pub depth: Option<f64>,
    /// Mean gain in fitness over the seed, in points.
    pub gain: Option<f64>,
}

/// A formula that evolution came to, after canonical simplification.
#[derive(Clone, Debug, Serialize)]
pub struct Formula {
    /// The player.
    pub player: String,
    /// The formula in infix, simplified.
    pub formula: String,
    /// Its nodes.
    pub nodes: usize,
    /// Decisions that came to it; up to `lost` more where so many formulas were seen that rare ones were forgotten.
    pub count: u64,
    /// See `count`; 0 nearly always.
    pub lost: u64,
    /// Decisions of the player.
    pub of: u64,
}

/// How a number of formulas is spread at one of a player's turns.
#[derive(Clone, Debug, Serialize)]
pub struct Shape {
    /// The player.
    pub player: String,
    /// `nodes`, `depth` or `gain` (fitness over the seed's, in points, rounded to tenths).
    pub what: &'static str,
    /// The player's own turn, from 1.
    pub turn: usize,
    /// Formulas.
    pub count: usize,
    /// Minimum, lower whisker, quartiles, upper whisker and maximum as a box plot draws them.
    pub numbers: [f64; 7],
}

/// Printed numbers beside ours.
#[derive(Clone, Debug, Serialize)]
pub struct Comparison {
    /// What is printed where.
    pub source: Option<String>,
    /// The table.
    pub table: Option<String>,
    /// The printed ranking, in its order.
    pub ranking: Vec<PaperRank>,
    /// Printed matches.
    pub matches: Vec<PaperMatch>,
    /// Printed means by player and seat.
    pub seats: Vec<PaperMean>,
    /// The correlation of printed PD with ours, over players.
    pub pd_correlation: Option<Correlation>,
    /// The correlation, over matches, of the printed shares of games won by player 1 with ours.
    pub match_correlation: Option<Correlation>,
    /// Verdicts over the points of the ranking.
    pub ranking_verdicts: Verdicts,
    /// Verdicts over PD in the ranking.
    pub pd_verdicts: Verdicts,
    /// Verdicts over the matches.
    pub match_verdicts: Verdicts,
    /// Verdicts over the means.
    pub seat_verdicts: Verdicts,
}

impl Comparison {
    /// Every printed number that was compared, in words, with its verdict.
    pub fn verdicts(&self) -> impl Iterator<Item = (String, Verdict)> + '_ {
        let points = self.ranking.iter().map(|row| (format!("points of {}", row.player), row.verdict));
        let pd = self.ranking.iter().map(|row| (format!("PD of {}", row.player), row.pd_verdict));
        let matches = self.matches.iter().map(|row| (format!("{} - {}", row.home, row.away), row.verdict));
        let mean = |row: &PaperMean| (format!("{} of {} in seat {}", row.measure, row.player, row.seat), row.verdict);
        let all = points.chain(pd).chain(matches).chain(self.seats.iter().map(mean));
        all.filter(|(_, verdict)| *verdict != Verdict::CannotBeCompared)
    }
}

/// How printed numbers and ours go together; none of less than five.
#[derive(Clone, Copy, Debug, Serialize)]
pub struct Correlation {
    /// Pearson's.
    pub r: f64,
    /// How many numbers.
    pub count: usize,
}

/// A line of a printed ranking beside ours.
#[derive(Clone, Debug, Serialize)]
pub struct PaperRank {
    /// The player.
    pub player: String,
    /// Its rank in print, from 1.
    pub printed_rank: usize,
    /// Its rank here.
    pub rank: Option<usize>,
    /// Printed points.
    pub printed_points: Option<f64>,
    /// Points here.
    pub points: Option<u64>,
    /// Where 95 % of leagues such as the printed one would have them if its players were ours; drawn from our games.
    pub points_interval: Option<Interval>,
    /// Printed PD.
    pub printed_pd: Option<f64>,
    /// PD here.
    pub pd: Option<f64>,
    /// How often such leagues have points as far out as the printed ones, on either side.
    pub points_chance: Option<f64>,
    /// The same for PD.
    pub pd_chance: Option<f64>,
    /// What the points come to.
    pub verdict: Verdict,
    /// What PD comes to.
    pub pd_verdict: Verdict,
}

/// What a printed number and ours come to.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Verdict {
    /// A difference as large is no surprise: its chance is at least 5 %.
    Agrees,
    /// Its chance is below 5 %: so is that of one number in twenty that nothing but luck sets apart.
    Differs,
    /// The number is not printed, there is none here, or too few games (or too much work) to tell what luck does.
    CannotBeCompared,
}

impl Verdict {
    /// By the chance of the difference.
    pub fn of(chance: Option<f64>) -> Verdict {
        match chance {
            None => Verdict::CannotBeCompared,
            Some(chance) if chance < 0.05 => Verdict::Differs,
            Some(_) => Verdict::Agrees,
        }
    }

    /// In words.
    pub fn words(self) -> &'static str {
        match self {
            Verdict::Agrees => "agrees",
            Verdict::Differs => "differs",
            Verdict::CannotBeCompared => "cannot be compared",
        }
    }
}

/// How many numbers have which verdict.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize)]
pub struct Verdicts {
    /// Numbers that agree.
    pub agree: usize,
    /// Numbers that differ.
    pub differ: usize,
    /// Of these, those that differ after Holm's correction over all that were compared together; in a total, over each table by
    /// itself.
    pub differ_by_holm: usize,
    /// Numbers that cannot be compared.
    pub not_compared: usize,
}

impl std::ops::AddAssign for Verdicts {
    fn add_assign(&mut self, other: Verdicts) {
        self.agree += other.agree;
        self.differ += other.differ;
        self.differ_by_holm += other.differ_by_holm;
        self.not_compared += other.not_compared;
    }
}

/// A printed match beside ours.
#[derive(Clone, Debug, Serialize)]
pub struct PaperMatch {
    /// The player who goes first.
    pub home: String,
    /// The player who goes second.
    pub away: String,
    /// Printed games won by the home player.
    pub printed_home_wins: u64,
    /// Printed games won by the away player.
    pub printed_away_wins: u64,
    /// Games of the printed match.
    pub printed_games: u64,
    /// Games won by the home player here.
    pub home_wins: u64,
    /// Games won by the away player here.
    pub away_wins: u64,
    /// Games here.
    pub games: u64,
    /// The share of decided games here that the home player won: Wilson's 95 % interval.
    pub home_share: Option<Interval>,
    /// Fisher's exact test: the chance of such a difference in the decided games if nothing but chance differs.
    pub chance: Option<f64>,
    /// What it comes to.
    pub verdict: Verdict,
}

/// A printed mean of a player in a seat beside ours.
#[derive(Clone, Debug, Serialize)]
pub struct PaperMean {
    /// The player.
    pub player: String,
    /// 1 where the player goes first, 2 where second.
    pub seat: usize,
    /// What is measured, by its key in `[paper]`.
    pub measure: &'static str,
    /// The printed mean.
    pub printed: f64,
    /// Games of the printed mean.
    pub printed_games: u64,
    /// Ours, if there are games.
    pub here: Option<Statistic>,
    /// Games here.
    pub games: u64,
    /// The chance that as many games as were printed, spread as ours are, have a mean as far from ours (t-test).
    pub chance: Option<f64>,
    /// What it comes to.
    pub verdict: Verdict,
}
