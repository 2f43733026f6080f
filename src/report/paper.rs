//! Printed numbers beside ours.

use super::league::League;
use super::resampled::{Draw, Standing};
use super::tables::{Comparison, MatchRow, PaperMatch, PaperMean, PaperRank, Report, Verdict, Verdicts};
use crate::config::{Paper, PaperCell, PaperRow, PaperSeat};
use crate::stats::Interval;
use crate::stats::fisher::fisher;
use crate::stats::holm::holm;
use crate::stats::proportion::wilson;
use crate::stats::quantiles::quantile;
use crate::stats::t_test::further_mean;

/// Sets what a paper prints beside what the report says.
pub(super) fn compare(paper: &Paper, league: &League, report: &Report) -> Comparison {
    let luck = Luck::of(paper, league, report);
    let rank = |(place, row)| rank(place, row, league, report, &luck);
    let ranking: Vec<PaperRank> = paper.ranking.iter().enumerate().map(rank).collect();
    let games = u64::from(paper.games_per_match);
    let matches: Vec<PaperMatch> = paper.matches.iter().map(|cell| match_of(cell, report, games)).collect();
    let seats: Vec<PaperMean> = paper.seats.iter().flat_map(|seat| means(seat, league, report, games)).collect();
    Comparison {
        source: paper.source.clone(),
        table: paper.table.clone(),
        ranking_verdicts: verdicts(ranking.iter().map(|row| row.points_chance)),
        pd_verdicts: verdicts(ranking.iter().map(|row| row.pd_chance)),
        match_verdicts: verdicts(matches.iter().map(|row| row.chance)),
        seat_verdicts: verdicts(seats.iter().map(|row| row.chance)),
        ranking,
        matches,
        seats,
    }
}

/// How points and PD vary from league to league if nothing but luck differs.
struct Luck {
    /// Leagues as the printed one, drawn from our games.
    printed: Vec<Standing>,
    /// Leagues of the printed size as ours.
    ours: Vec<Standing>,
    /// Games of a printed match and of ours.
    sizes: [usize; 2],
}

impl Luck {
    fn of(paper: &Paper, league: &League, report: &Report) -> Luck {
        let size = paper.games_per_match as usize;
        // Of what was played, not of what is to be: a report may be of a run that goes on.
        let played = report.matches.iter().map(|row| row.games).max().unwrap_or_default();
        let drawn = |shared, draw| if paper.ranking.is_empty() { Vec::new() } else { league.drawn(size, shared, draw) };
        Luck {
            printed: drawn(paper.mirror, Draw::First),
            ours: drawn(report.mirror, Draw::Second),
            sizes: [size, played as usize],
        }
    }

    /// What `what` (0: points, 1: PD) of a player comes to in leagues as the printed one, and in leagues as ours.
    fn values(&self, player: usize, what: usize) -> [Vec<f64>; 2] {
        [&self.printed, &self.ours].map(|leagues| leagues.iter().map(|league| league[player][what]).collect())
    }
}

/// A line of the ranking.
fn rank(place: usize, row: &PaperRow, league: &League, report: &Report, luck: &Luck) -> PaperRank {
    let ours = report.ranking.iter().find(|ours| ours.player == row.player && ours.games > 0);
    let values = |what: usize| league.index(&row.player).map(|player| luck.values(player, what));
    let chance = |what, printed: Option<f64>, ours: Option<f64>| {
        let [as_printed, as_ours] = values(what)?;
        chance(&as_printed, &as_ours, printed?, ours?, luck.sizes)
    };
    let points_chance = chance(0, row.points, ours.map(|ours| ours.points as f64));
    let pd_chance = chance(1, row.pd, ours.map(|ours| ours.pd));
    PaperRank {
        points_chance,
        verdict: Verdict::of(points_chance),
        pd_verdict: Verdict::of(pd_chance),
        pd_chance,
        player: row.player.clone(),
        printed_rank: place + 1,
        rank: ours.map(|ours| ours.rank),
        printed_points: row.points,
        points: ours.map(|ours| ours.points),
        points_interval: ours.and_then(|_| percentiles(values(0)?[0].clone())),
        printed_pd: row.pd,
        pd: ours.map(|ours| ours.pd),
    }
}

fn match_of(cell: &PaperCell, report: &Report, games_per_match: u64) -> PaperMatch {
    let ours = report.matches.iter().find(|ours| ours.home == cell.home && ours.away == cell.away);
    let played = ours.filter(|ours| ours.games > 0);
    let chance =
        played.and_then(|ours| fisher([[cell.home_wins, cell.away_wins], [ours.home_wins, ours.away_wins]]).ok());
    let share = played.and_then(|ours| wilson(ours.home_wins, ours.home_wins + ours.away_wins).ok());
    PaperMatch {
        home: cell.home.clone(),
        away: cell.away.clone(),
        printed_home_wins: cell.home_wins,
        printed_away_wins: cell.away_wins,
        printed_games: cell.games.unwrap_or(games_per_match),
        home_wins: ours.map_or(0, |ours| ours.home_wins),
        away_wins: ours.map_or(0, |ours| ours.away_wins),
        games: ours.map_or(0, |ours| ours.games),
        home_share: share.map(|share| share.interval),
        chance,
        verdict: Verdict::of(chance),
    }
}

fn means(printed: &PaperSeat, league: &League, report: &Report, games_per_match: u64) -> Vec<PaperMean> {
    let ours = report.seats.iter().find(|ours| ours.player == printed.player && ours.seat == printed.seat);
    let side = |row: &MatchRow| if printed.seat == 1 { row.home == printed.player } else { row.away == printed.player };
    let opponents = report.matches.iter().filter(|row| side(row)).count().max(1) as u64;
    let printed_games = printed.games.unwrap_or(games_per_match * opponents);
    // Our units are decks, each the mean of a game against every opponent: so many are the printed games.
    let printed_units = (printed_games / opponents).max(1);
    let mean = |&(measure, mean): &(&'static str, f64)| {
        let column = PaperSeat::MEASURES.into_iter().find(|(key, _)| *key == measure).map_or(measure, |(_, name)| name);
        let units = league.index(&printed.player).map(|player| league.seat_units(player, printed.seat - 1, column));
        let chance = units.and_then(|units| further_mean(&units, mean, printed_units).ok()).map(|test| test.p);
        PaperMean {
            player: printed.player.clone(),
            seat: printed.seat,
            measure,
            printed: mean,
            printed_games,
            here: ours.and_then(|ours| ours.means.get(column).copied()),
            games: ours.map_or(0, |ours| ours.games),
            chance,
            verdict: Verdict::of(chance),
        }
    };
    printed.means.iter().map(mean).collect()
}

/// The middle 95 % of values.
fn percentiles(mut values: Vec<f64>) -> Option<Interval> {
    values.sort_by(f64::total_cmp);
    Some(Interval { low: quantile(&values, 0.025).ok()?, high: quantile(&values, 0.975).ok()? })
}

/// Counts verdicts by the chances of the differences.
fn verdicts(chances: impl Iterator<Item = Option<f64>>) -> Verdicts {
    let chances: Vec<Option<f64>> = chances.collect();
    let count = |wanted| chances.iter().filter(|chance| Verdict::of(**chance) == wanted).count();
    let corrected = holm(&chances).expect("chances are from 0 to 1");
    Verdicts {
        agree: count(Verdict::Agrees),
        differ: count(Verdict::Differs),
        differ_by_holm: corrected.iter().filter(|chance| Verdict::of(**chance) == Verdict::Differs).count(),
        not_compared: count(Verdict::CannotBeCompared),
    }
}

/// How often the printed league and ours would differ by as much if nothing but luck differs.
///
/// `as_printed` and `as_ours` are of leagues of the printed size, the first of `sizes`. Where ours has another its own value
/// cannot be set beside the printed one (in a longer match the better player wins more surely): the mean of `as_printed` is, and
/// the luck of ours is smaller, or larger, by the root of the ratio.
fn chance(as_printed: &[f64], as_ours: &[f64], printed: f64, ours: f64, sizes: [usize; 2]) -> Option<f64> {
    let count = as_printed.len().min(as_ours.len());
    if count == 0 {
        return None;
    }
    let mean = |values: &[f64]| values.iter().sum::<f64>() / values.len() as f64;
    let means = [mean(as_printed), mean(as_ours)];
    let centre = if sizes[0] == sizes[1] { ours } else { means[0] };
    let scale = (sizes[0] as f64 / sizes[1] as f64).sqrt();
    let far =
        |(a, b): &(&f64, &f64)| ((*a - means[0]) - (*b - means[1]) * scale).abs() >= (printed - centre).abs() - 1e-9;
    let as_far = as_printed.iter().zip(as_ours).filter(far).count();
    Some((as_far + 1) as f64 / (count + 1) as f64)
}

#[cfg(test)]
mod tests {
    use super::chance;

    #[test]
    fn the_chance_of_a_difference_by_hand() {
        // Deviations −1, 1 from 10 and 2, −2 from 20: both pairs are 3 apart.
        let (as_printed, as_ours) = ([9.0, 11.0], [22.0, 18.0]);
        assert_eq!(chance(&as_printed, &as_ours, 13.0, 10.0, [15, 15]), Some(1.0));
        assert_eq!(chance(&as_printed, &as_ours, 13.5, 10.0, [15, 15]), Some(1.0 / 3.0));
        // Four times the decks: half the deviation of ours, so 2 apart, about the mean of 10 and not our 14.
        assert_eq!(chance(&as_printed, &as_ours, 12.0, 14.0, [15, 60]), Some(1.0));
        assert_eq!(chance(&as_printed, &as_ours, 12.5, 14.0, [15, 60]), Some(1.0 / 3.0));
        // A quarter of them: twice the deviation, 5 apart.
        assert_eq!(chance(&as_printed, &as_ours, 15.0, 14.0, [60, 15]), Some(1.0));
        assert_eq!(chance(&as_printed, &as_ours, 15.5, 14.0, [60, 15]), Some(1.0 / 3.0));
        assert_eq!(chance(&[], &[], 1.0, 1.0, [15, 15]), None);
    }
}
