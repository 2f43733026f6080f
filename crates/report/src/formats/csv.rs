//! The CSV files. Their columns are documented in `docs/reference/outputs.md`.

use crate::tables::gauntlet::ContestantPair;
use crate::tables::matches::{MatchRow, RankingRow};
use crate::tables::mean_with_interval::MeanWithInterval;
use crate::tables::pairs::PairRow;
use crate::tables::report::Report;
use crate::tables::seats::TurnRow;
use evouct_league::export::csv_table;
use evouct_stats::Interval;
use evouct_stats::t_test::TTest;

/// A file: its name and its text.
pub(super) type File = (&'static str, Vec<u8>);

/// All CSV files that are made from the report alone.
pub(super) fn files(report: &Report) -> Vec<File> {
    vec![
        ("ranking.csv", ranking(report)),
        ("matches.csv", matches(report)),
        ("significance.csv", significance(report)),
        ("players.csv", players(report)),
        ("turns.csv", turns(report)),
        ("costs.csv", costs(report)),
        ("contestants.csv", contestants(report)),
    ]
}

/// A number; empty where there is none.
pub(super) fn number(value: Option<f64>) -> String {
    match value {
        None => String::new(),
        // Tiny p-values in scientific notation.
        Some(value) if value != 0.0 && value.abs() < 1e-5 => format!("{value:e}"),
        Some(value) => value.to_string(),
    }
}

fn low_high(interval: Option<Interval>) -> [String; 2] {
    [number(interval.map(|interval| interval.low)), number(interval.map(|interval| interval.high))]
}

fn with_interval(statistic: &MeanWithInterval) -> [String; 3] {
    let [low, high] = low_high(statistic.interval);
    [statistic.mean.to_string(), low, high]
}

/// A CSV file: the names of its columns with spaces between, and its rows.
pub(super) fn table(columns: &str, rows: impl IntoIterator<Item = Vec<String>>) -> Vec<u8> {
    csv_table(columns, rows).into_bytes()
}

fn ranking(report: &Report) -> Vec<u8> {
    let several = report.several();
    let row = |row: &RankingRow| {
        let mut record = vec![row.rank.map_or(String::new(), |rank| rank.to_string()), row.player.clone()];
        record.extend(row.standing.counts().map(|count| count.to_string()));
        record.push(row.standing.pd.to_string());
        record.extend([row.games, row.games_won, row.games_drawn].map(|count| count.to_string()));
        record.extend(with_interval(&row.score));
        record.extend(with_interval(&row.difference));
        record.extend(row.buchholz.map(|points| points.to_string()));
        if let Some(gauntlet) = several {
            let contestant = gauntlet.row_of(&row.player);
            let test = contestant.and_then(|row| row.of_means.as_ref());
            record.push(test.map_or(String::new(), |test| test.units.to_string()));
            record.push(number(test.and_then(|test| test.paired.as_ref().ok()).map(|test| test.p)));
            record.push(number(contestant.and_then(|row| row.holm)));
        }
        record
    };
    let columns = "rank player points bwp blp wins losses draws pd games games_won games_drawn score score_low score_high \
                   difference difference_low difference_high";
    let more = match (report.rounds, several) {
        (Some(_), _) => " buchholz",
        (None, Some(_)) => " units p holm_p",
        (None, None) => "",
    };
    table(&format!("{columns}{more}"), report.ranking.iter().map(row))
}

fn matches(report: &Report) -> Vec<u8> {
    let row = |row: &MatchRow| {
        let printed = report.paper.as_ref().and_then(|paper| {
            paper.matches.iter().find(|printed| printed.home == row.home && printed.away == row.away)
        });
        let mut record = vec![row.home.clone(), row.away.clone()];
        record.extend([row.games, row.home_wins, row.away_wins, row.draws].map(|count| count.to_string()));
        record.extend(with_interval(&row.difference));
        let printed = printed.map(|row| [row.printed_games, row.printed_home_wins, row.printed_away_wins]);
        record.extend(printed.map_or([const { String::new() }; 3], |counts| counts.map(|count| count.to_string())));
        record
    };
    table(
        "home away games home_wins away_wins draws difference difference_low difference_high printed_games \
         printed_home_wins printed_away_wins",
        report.matches.iter().map(row),
    )
}

fn significance(report: &Report) -> Vec<u8> {
    let row = |row: &PairRow| {
        let of = |test: &Result<TTest, _>, value: fn(&TTest) -> Option<f64>| number(test.as_ref().ok().and_then(value));
        let [low, high] = low_high(row.paired.as_ref().ok().and_then(|test| test.interval));
        let [bootstrap_low, bootstrap_high] = low_high(row.bootstrap.as_ref().ok().map(|found| found.interval));
        let [rate_low, rate_high] = low_high(row.win_rate.and_then(|rate| rate.interval));
        vec![
            row.a.clone(),
            row.b.clone(),
            of(&row.welch, |test| test.t),
            of(&row.welch, |test| test.df),
            of(&row.welch, |test| Some(test.p)),
            of(&row.welch, |test| Some(test.difference)),
            row.units.to_string(),
            of(&row.paired, |test| Some(test.difference)),
            low,
            high,
            of(&row.paired, |test| test.t),
            of(&row.paired, |test| test.df),
            of(&row.paired, |test| Some(test.p)),
            number(row.holm),
            bootstrap_low,
            bootstrap_high,
            number(row.permutation.as_ref().ok().map(|test| test.p)),
            row.permutation.as_ref().map_or(String::new(), |test| test.exact.to_string()),
            number(row.wilcoxon.as_ref().ok().map(|test| test.p)),
            row.wilcoxon.as_ref().map_or(String::new(), |test| test.exact.to_string()),
            row.games[0].to_string(),
            row.games[1].to_string(),
            row.games[2].to_string(),
            number(row.win_rate.map(|rate| rate.rate)),
            rate_low,
            rate_high,
            row.win_rate.map_or(String::new(), |rate| rate.method.to_owned()),
            number(row.a12.as_ref().ok().copied()),
            number(row.cohen_d.as_ref().ok().copied()),
            number(row.cohen_dz.as_ref().ok().copied()),
        ]
    };
    table(
        "a b welch_t welch_df welch_p welch_difference units paired_difference paired_low paired_high paired_t paired_df \
         paired_p holm_p bootstrap_low bootstrap_high permutation_p permutation_exact wilcoxon_p wilcoxon_exact a_wins \
         b_wins draws win_rate win_rate_low win_rate_high win_rate_method a12 cohen_d cohen_dz",
        report.significance.iter().map(row),
    )
}

fn players(report: &Report) -> Vec<u8> {
    let rows = report.seats.iter().flat_map(|row| {
        row.means.iter().map(|(metric, statistic)| {
            let key = [row.player.clone(), row.seat.to_string(), row.games.to_string(), metric.clone()];
            key.into_iter().chain(with_interval(statistic)).collect()
        })
    });
    table("player seat games metric mean low high", rows)
}

fn turns(report: &Report) -> Vec<u8> {
    let row = |row: &TurnRow| {
        let counts = [row.seat.to_string(), row.turn.to_string(), row.games.to_string()];
        let numbers = [row.score.to_string(), row.difference.to_string(), number(row.difference_sd)];
        [row.player.clone()].into_iter().chain(counts).chain(numbers).collect()
    };
    table("player seat turn games virtual_score difference difference_sd", report.turns.iter().map(row))
}

fn costs(report: &Report) -> Vec<u8> {
    let row = |RankingRow { player, cost, .. }: &RankingRow| {
        let means = [cost.playouts, cost.nodes, cost.seconds].map(number);
        [player.clone()].into_iter().chain(means).chain([cost.sees_deck.to_string()]).collect()
    };
    let columns = "player playouts_per_decision nodes_per_decision seconds_per_decision sees_deck";
    table(columns, report.ranking.iter().map(row))
}

fn contestants(report: &Report) -> Vec<u8> {
    let row = |row: &ContestantPair| {
        let paired = row.paired.as_ref().ok();
        let [low, high] = low_high(paired.and_then(|test| test.interval));
        let difference = number(paired.map(|test| test.difference));
        let p_values = [paired.map(|test| test.p), row.holm].map(number);
        let key = [row.a.clone(), row.b.clone(), row.units.to_string()];
        key.into_iter().chain([difference, low, high]).chain(p_values).collect()
    };
    let rows = report.gauntlet.iter().flat_map(|gauntlet| &gauntlet.comparisons).map(row);
    table("a b units difference low high p holm_p", rows)
}
