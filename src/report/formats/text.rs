//! The report on a terminal.

use crate::report::tables::captions;
use crate::report::tables::compare::{Decks, SideBySide};
use crate::report::tables::matches::{MatchRow, RankingRow};
use crate::report::tables::pairs::PairRow;
use crate::report::tables::paper::Comparison;
use crate::report::tables::report::Report;
use crate::report::tables::statistic::Statistic;
use crate::stats::points::Row;
use comfy_table::{CellAlignment, ContentArrangement, Table, presets};

/// The largest number of players in a cross table; more do not fit a terminal.
const CROSS_TABLE: usize = 14;
/// The largest number of pairs shown.
const PAIRS: usize = 100;

fn table(header: &[&str]) -> Table {
    let mut table = Table::new();
    table.load_style(presets::NOTHING).set_content_arrangement(ContentArrangement::Disabled).set_header(header);
    table
}

/// The table as text; columns from `first_number` on are aligned right.
fn show(mut table: Table, first_number: usize) -> String {
    for (index, column) in table.column_iter_mut().enumerate() {
        if index >= first_number {
            column.set_cell_alignment(CellAlignment::Right);
        }
    }
    let lines: Vec<String> = table.lines().map(|line| line.trim_end().to_owned()).collect();
    lines.join("\n") + "\n"
}

fn signed(value: f64) -> String {
    format!("{value:+.2}")
}

/// `12.34 ± 1.20`.
fn plus_minus(statistic: &Statistic, sign: bool) -> String {
    let mean = if sign { signed(statistic.mean) } else { format!("{:.2}", statistic.mean) };
    match statistic.interval {
        Some(interval) => format!("{mean} ± {:.2}", (interval.high - interval.low) / 2.0),
        None => mean,
    }
}

/// A p-value, short.
fn p_value(p: f64) -> String {
    if p < 0.0001 { "<0.0001".to_owned() } else { format!("{p:.4}") }
}

/// The whole report as text for a terminal.
pub fn summary(report: &Report) -> String {
    let mut text = format!(
        "{}: {} of {} games, seed {}, preset {}, {} decks{}\n",
        report.name,
        report.finished,
        report.scheduled,
        report.seed,
        report.preset,
        report.games_per_match,
        if report.mirror { ", mirrored" } else { " per match" },
    );
    if report.finished == 0 {
        text.push_str("no game is finished yet\n");
        return text + &failures(report);
    }
    text.push_str(
        "\nRanking (points: 4 per match won, 2 per match drawn, bonus for clear wins and narrow losses; ± is 95 % over decks)\n",
    );
    text.push_str(&ranking(report));
    if report.ranking.len() <= CROSS_TABLE {
        text.push_str("\nGames won by the row as player 1 - by the column as player 2\n");
        text.push_str(&cross_table(report));
    }
    text.push_str("\nDifferences between players (a less b)\n");
    text.push_str(&significance(report));
    text.push_str("\nEffect sizes (win rate counts a draw half; A12: probability that a scores more)\n");
    text.push_str(&effects(report));
    text.push_str("\nRatings (Bradley-Terry, Elo scale; intervals need five decks)\n");
    text.push_str(&ratings(report));
    if let Some(warning) = captions::cycle(report) {
        text.push_str(&format!("warning: {warning}\n"));
    }
    if let Some(test) = &report.sequential {
        text.push_str(&format!("\n{}\n", captions::sequential(test)));
    }
    text.push_str("\nPlayers by seat (means per game)\n");
    text.push_str(&seats(report));
    if !report.evolution.is_empty() {
        text.push_str("\nEvolution (means per decision; shares of generations)\n");
        text.push_str(&evolution(report));
    }
    if let Some(paper) = &report.paper {
        text.push_str(&printed(paper));
    }
    text.push_str(&failures(report));
    let timed = match report.digest.not_reproducible {
        0 => String::new(),
        games => format!(", {games} of them under a wall-clock limit and not reproducible"),
    };
    text.push_str(&format!(
        "\n{} playouts, {:.0} seconds of thinking time\ndigest {} over {} games{timed}\n",
        report.playouts, report.seconds, report.digest.digest, report.digest.games
    ));
    text
}

fn ranking(report: &Report) -> String {
    let mut table =
        table(&["", "player", "points", "bwp", "blp", "W", "L", "D", "PD", "games won", "score", "difference"]);
    for row in &report.ranking {
        table.add_row([
            row.rank.to_string(),
            row.player.clone(),
            row.points.to_string(),
            row.bwp.to_string(),
            row.blp.to_string(),
            row.wins.to_string(),
            row.losses.to_string(),
            row.draws.to_string(),
            signed(row.pd),
            format!("{} of {}", row.games_won, row.games),
            plus_minus(&row.score, false),
            plus_minus(&row.difference, true),
        ]);
    }
    show(table, 2)
}

fn cross_table(report: &Report) -> String {
    let numbers: Vec<String> = (1..=report.ranking.len()).map(|number| format!("({number})")).collect();
    let mut header = vec!["", ""];
    header.extend(numbers.iter().map(String::as_str));
    let mut table = table(&header);
    for (number, home) in numbers.iter().zip(&report.ranking) {
        let cell = |away: &RankingRow| {
            let found = report.matches.iter().find(|row| row.home == home.player && row.away == away.player);
            found.map_or("-".to_owned(), |row| format!("{}-{}", row.home_wins, row.away_wins))
        };
        let row = [number.clone(), home.player.clone()];
        table.add_row(row.into_iter().chain(report.ranking.iter().map(cell)));
    }
    show(table, 2)
}

fn significance(report: &Report) -> String {
    let mut table = table(&["a", "b", "decks", "difference", "95 % interval", "paired p", "Holm p", "Welch p"]);
    let (rows, left_out) = clearest(report);
    for row in rows {
        let paired = row.paired.as_ref().ok();
        let interval = paired.map(|test| test.interval);
        let or_dash = |value: Option<f64>| value.map_or("-".to_owned(), p_value);
        table.add_row([
            row.a.clone(),
            row.b.clone(),
            row.units.to_string(),
            paired.map_or("-".to_owned(), |test| signed(test.difference)),
            interval.map_or("-".to_owned(), |interval| format!("{:+.2} … {:+.2}", interval.low, interval.high)),
            or_dash(paired.map(|test| test.p)),
            or_dash(row.holm),
            or_dash(row.welch.as_ref().ok().map(|test| test.p)),
        ]);
    }
    let more =
        if left_out > 0 { format!("… and {left_out} more pairs in significance.csv\n") } else { String::new() };
    show(table, 2) + &more
}

/// Pairs with games by ascending p-value, at most [`PAIRS`], and the number left out.
fn clearest(report: &Report) -> (Vec<&PairRow>, usize) {
    let mut rows: Vec<&PairRow> = report.significance.iter().filter(|row| row.units > 0).collect();
    let p = |row: &PairRow| row.paired.as_ref().map_or(2.0, |test| test.p);
    rows.sort_by(|a, b| p(a).total_cmp(&p(b)));
    let left_out = rows.len().saturating_sub(PAIRS);
    rows.truncate(PAIRS);
    (rows, left_out)
}

fn effects(report: &Report) -> String {
    let mut table = table(&["a", "b", "won-drawn-lost", "win rate", "95 % interval", "A12", "d", "d_z", "Wilcoxon p"]);
    let or_dash = |value: Option<f64>| value.map_or("-".to_owned(), |value| format!("{value:.2}"));
    for row in clearest(report).0 {
        let interval = row.win_rate.and_then(|rate| rate.interval);
        table.add_row([
            row.a.clone(),
            row.b.clone(),
            format!("{}-{}-{}", row.games[0], row.games[2], row.games[1]),
            or_dash(row.win_rate.map(|rate| rate.rate)),
            interval.map_or("-".to_owned(), |ends| format!("{:.2} … {:.2}", ends.low, ends.high)),
            or_dash(row.a12.as_ref().ok().copied()),
            or_dash(row.cohen_d.as_ref().ok().copied()),
            or_dash(row.cohen_dz.as_ref().ok().copied()),
            row.wilcoxon.as_ref().map_or("-".to_owned(), |test| p_value(test.p)),
        ]);
    }
    show(table, 2)
}

fn ratings(report: &Report) -> String {
    let mut table = table(&["player", "Elo", "95 % interval"]);
    for row in &report.ratings.rows {
        let interval = row.interval.map_or("-".to_owned(), |ends| format!("{:+.0} … {:+.0}", ends.low, ends.high));
        table.add_row([row.player.clone(), format!("{:+.0}", row.elo), interval]);
    }
    show(table, 1)
}

fn seats(report: &Report) -> String {
    let columns: Vec<(&str, &str)> =
        report.measures.iter().filter_map(|measure| Some((measure.name, measure.heading?))).collect();
    let mut header = vec!["player", "seat"];
    header.extend(columns.iter().map(|(_, heading)| *heading));
    let mut table = table(&header);
    for row in &report.seats {
        let mean = |(name, _): &(&str, &str)| match (row.means.get(*name), *name) {
            (Some(statistic), "score") => plus_minus(statistic, false),
            (Some(statistic), "difference") => plus_minus(statistic, true),
            (Some(statistic), _) => format!("{:.2}", statistic.mean),
            (None, _) => "-".to_owned(),
        };
        table.add_row([row.player.clone(), row.seat.to_string()].into_iter().chain(columns.iter().map(mean)));
    }
    show(table, 1)
}

fn evolution(report: &Report) -> String {
    let mut table =
        table(&["player", "decisions", "nodes", "depth", "gain", "new parent", "ties", "in range", "by semantics"]);
    for row in &report.evolution {
        let mean = |value: Option<f64>| value.map_or("-".to_owned(), |value| format!("{value:.2}"));
        let share = |count: u64| format!("{:.2} %", 100.0 * count as f64 / row.generations.max(1) as f64);
        table.add_row([
            row.player.clone(),
            row.decisions.to_string(),
            mean(row.nodes),
            mean(row.depth),
            mean(row.gain),
            share(row.replaced),
            share(row.ties),
            share(row.in_range),
            share(row.by_semantics),
        ]);
    }
    show(table, 1)
}

fn printed(paper: &Comparison) -> String {
    let mut text = String::new();
    let title = match (&paper.source, &paper.table) {
        (Some(source), Some(table)) => format!("{source}, table {table}"),
        (Some(source), None) => source.clone(),
        (None, Some(table)) => format!("table {table}"),
        (None, None) => "the paper".to_owned(),
    };
    let or_dash = |value: Option<String>| value.unwrap_or_else(|| "-".to_owned());
    if !paper.ranking.is_empty() {
        text.push_str(&format!(
            "\nRanking printed in {title}, and here (95 %: points of leagues of that size drawn from our games)\n"
        ));
        let mut table =
            table(&["player", "rank", "here", "points", "here", "95 %", "p", "verdict", "PD", "here", "p", "verdict"]);
        for row in &paper.ranking {
            table.add_row([
                row.player.clone(),
                row.printed_rank.to_string(),
                or_dash(row.rank.map(|rank| rank.to_string())),
                or_dash(row.printed_points.map(|points| points.to_string())),
                or_dash(row.points.map(|points| points.to_string())),
                or_dash(row.points_interval.map(|ends| format!("{:.0} … {:.0}", ends.low, ends.high))),
                or_dash(row.points_p.map(p_value)),
                row.verdict.words().to_owned(),
                or_dash(row.printed_pd.map(signed)),
                or_dash(row.pd.map(signed)),
                or_dash(row.pd_p.map(p_value)),
                row.pd_verdict.words().to_owned(),
            ]);
        }
        text.push_str(&show(table, 1));
        text.push_str(&format!("{}\n", captions::verdicts("points", &paper.ranking_verdicts)));
        text.push_str(&format!("{}\n", captions::verdicts("PD", &paper.pd_verdicts)));
    }
    if !paper.matches.is_empty() {
        text.push_str(&format!("\nMatches printed in {title}, and here (games won by player 1 - by player 2)\n"));
        let mut table = table(&["player 1", "player 2", "printed", "of", "here", "of", "share", "p", "verdict"]);
        for row in &paper.matches {
            table.add_row([
                row.home.clone(),
                row.away.clone(),
                format!("{}-{}", row.printed_home_wins, row.printed_away_wins),
                row.printed_games.to_string(),
                format!("{}-{}", row.home_wins, row.away_wins),
                row.games.to_string(),
                or_dash(row.home_share.map(|ends| format!("{:.2} … {:.2}", ends.low, ends.high))),
                or_dash(row.p.map(p_value)),
                row.verdict.words().to_owned(),
            ]);
        }
        text.push_str(&show(table, 2));
        text.push_str(&format!("{}\n", captions::verdicts("matches", &paper.match_verdicts)));
    }
    if !paper.seats.is_empty() {
        text.push_str(&format!("\nMeans printed in {title}, and here\n"));
        let mut table = table(&["player", "seat", "what", "printed", "of", "here", "of", "p", "verdict"]);
        for row in &paper.seats {
            table.add_row([
                row.player.clone(),
                row.seat.to_string(),
                row.measure.to_owned(),
                format!("{:.2}", row.printed),
                row.printed_games.to_string(),
                or_dash(row.here.map(|statistic| plus_minus(&statistic, false))),
                row.games.to_string(),
                or_dash(row.p.map(p_value)),
                row.verdict.words().to_owned(),
            ]);
        }
        text.push_str(&show(table, 3));
        text.push_str(&format!("{}\n", captions::verdicts("means", &paper.seat_verdicts)));
    }
    if let Some(correlations) = captions::correlations(paper) {
        text.push_str(&format!("{correlations}\n"));
    }
    text
}

fn failures(report: &Report) -> String {
    if report.failures.is_empty() {
        return String::new();
    }
    let mut text = format!("\n{} games failed\n", report.failures.len());
    for failure in report.failures.iter().take(20) {
        text.push_str(&format!(
            "game {} ({}): {}: {}\n  repeat: {}\n",
            failure.game,
            failure.players.join(" - "),
            failure.ended,
            failure.message,
            failure.repeat
        ));
    }
    if report.failures.len() > 20 {
        text.push_str(&format!("… and {} more in report.json\n", report.failures.len() - 20));
    }
    text
}

/// A points table alone: `player points bwp blp wins losses draws pd`.
pub fn league_table(rows: &[(String, Row, f64)]) -> String {
    let mut table = table(&["player", "points", "bwp", "blp", "wins", "losses", "draws", "pd"]);
    for (player, row, pd) in rows {
        let counts = [row.points, row.bwp, row.blp, row.wins, row.losses, row.draws].map(|count| count.to_string());
        table.add_row([player.clone()].into_iter().chain(counts).chain([pd.to_string()]));
    }
    show(table, 1)
}

/// Two runs side by side as text for a terminal.
pub fn side_by_side(compared: &SideBySide) -> String {
    let mut text = String::new();
    for run in 0..2 {
        text.push_str(&format!(
            "{}: {}, preset {}, seed {}, {} games\n",
            run + 1,
            compared.names[run],
            compared.presets[run],
            compared.seeds[run],
            compared.games[run]
        ));
    }
    for difference in &compared.differences {
        text.push_str(&format!("changed from 1 to 2: {difference}\n"));
    }
    if compared.same_records {
        text.push_str("the records of both runs are identical\n");
    }
    text.push_str("\nPlayers of both runs (difference: score less the opponent's, ± 95 %)\n");
    let mut players =
        table(&["player", "rank 1", "2", "points 1", "2", "won 1", "2", "difference 1", "2", "change", "p"]);
    for player in &compared.players {
        let [a, b] = &player.rows;
        let won = |row: &RankingRow| format!("{} of {}", row.games_won, row.games);
        players.add_row([
            player.player.clone(),
            a.rank.to_string(),
            b.rank.to_string(),
            a.points.to_string(),
            b.points.to_string(),
            won(a),
            won(b),
            plus_minus(&a.difference, true),
            plus_minus(&b.difference, true),
            player.change.map_or("-".to_owned(), |test| {
                format!("{} ± {:.2}", signed(test.difference), (test.interval.high - test.interval.low) / 2.0)
            }),
            player.change.map_or("-".to_owned(), |test| p_value(test.p)),
        ]);
    }
    text.push_str(&show(players, 1));
    let how = match compared.decks {
        Decks::Same => "paired by deck, because both runs play the same decks (paired t-test)",
        Decks::Other => "with different decks (Welch's t-test)",
        Decks::Mixed => "not tested, because only some decks are the same",
    };
    text.push_str(&format!(
        "change: difference in run 2 less difference in run 1, in the matches of both runs, {how}; p is not corrected\n"
    ));
    if !compared.matches.is_empty() {
        text.push_str("\nMatches of both runs (games won by player 1 - by player 2)\n");
        let mut matches = table(&["player 1", "player 2", "run 1", "run 2", "p"]);
        for pair in &compared.matches {
            let [a, b] = &pair.rows;
            let won = |row: &MatchRow| format!("{}-{}", row.home_wins, row.away_wins);
            let p = pair.p.map_or("-".to_owned(), p_value);
            matches.add_row([a.home.clone(), a.away.clone(), won(a), won(b), p]);
        }
        text.push_str(&show(matches, 2));
        text.push_str("p: Fisher's exact test on decided games, not corrected\n");
    }
    if let Some(verdicts) = &compared.verdicts {
        text.push_str(&format!(
            "\nOf {} printed numbers that both runs compare, {} have the same verdict\n",
            verdicts.compared, verdicts.same
        ));
        for (what, [before, after]) in &verdicts.changed {
            text.push_str(&format!("{what}: {} and {}\n", before.words(), after.words()));
        }
    }
    text
}
