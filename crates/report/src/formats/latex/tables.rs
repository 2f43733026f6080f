//! The tables of a report, each with all its columns.

use super::{LatexColumn, LatexTable, escape};
use crate::formats::cell;
use crate::tables::captions;
use crate::tables::gauntlet::Gauntlet;
use crate::tables::mean_with_interval::MeanWithInterval;
use crate::tables::report::Report;
use evouct_base::plural::counted;

/// All tables of a report; none before a game is finished.
pub(super) fn all(report: &Report) -> Vec<LatexTable> {
    if report.finished == 0 {
        return Vec::new();
    }
    let several = report.several();
    let mut tables = vec![ranking(report)];
    tables.extend(several.filter(|gauntlet| !gauntlet.contestants.is_empty()).map(contestants));
    tables.extend([significance(report), ratings(report)]);
    tables.extend(paper(report));
    tables
}

/// A table. Columns are key, heading, alignment, and whether a narrow table has it.
fn table(
    name: &'static str,
    caption: String,
    columns: &[(&'static str, &'static str, char, bool)],
    rows: Vec<Vec<String>>,
) -> LatexTable {
    let columns = columns
        .iter()
        .map(|&(key, heading, align, is_narrow)| LatexColumn { key, heading, align, is_narrow })
        .collect();
    LatexTable { name, caption, columns, rows }
}

/// A number in math mode, so that its sign is a minus.
fn number(value: Option<f64>, decimals: usize) -> String {
    value.map_or("--".to_owned(), |value| format!("${value:.decimals$}$"))
}

fn plus_minus(statistic: &MeanWithInterval) -> String {
    match statistic.interval {
        Some(interval) => format!("${:.2} \\pm {:.2}$", statistic.mean, (interval.high - interval.low) / 2.0),
        None => number(Some(statistic.mean), 2),
    }
}

fn p_value(value: Option<f64>) -> String {
    match value {
        Some(p) if p < 0.0001 => "$<0.0001$".to_owned(),
        value => number(value, 4),
    }
}

/// The cell of a p-value and whether it is exact.
fn marked_p(found: Option<(f64, bool)>) -> String {
    let p = p_value(found.map(|(p, _)| p));
    if found.is_none_or(|(_, exact)| exact) { p } else { p.replacen('$', "$\\approx ", 1) }
}

fn ranking(report: &Report) -> LatexTable {
    let rows = report.ranking.iter().map(|row| {
        let counts = row.standing.counts().map(|count| count.to_string());
        let mut cells = vec![row.rank.map_or("--".to_owned(), |rank| rank.to_string()), escape(&row.player)];
        let [playouts, time, _] = cell::cost(&row.cost).map(|cell| escape(&cell));
        cells.extend([playouts, time]);
        cells.extend(counts);
        cells.extend([number(Some(row.standing.pd), 2), plus_minus(&row.difference)]);
        row.buchholz.iter().for_each(|points| cells.insert(5, points.to_string()));
        cells
    });
    let points = match report.game_seats {
        2 => {
            "4 per match won, 2 per match drawn, BWP and BLP bonus points of match winner and loser; PD: sum of the matches' \
             mean score differences"
        }
        _ => {
            "2 per player beaten in a game or on a deck, 1 per tie; W, L and D count meetings of two players; PD: sum of the \
             mean score differences to each other player"
        }
    };
    let caption = format!(
        "Ranking of {} after {} on {}{} (points: {points}; difference: mean score difference per game{}).",
        escape(&report.name),
        counted(report.finished, "game"),
        counted(report.games_per_match, if report.mirror { "mirrored deck" } else { "deck" }),
        if report.mirror { "" } else { " per match" },
        if report.looks.is_some() {
            ", every opponent counted alike".to_owned()
        } else {
            format!(" with its 95\\,\\% $t$-interval over {}{}", report.unit(), captions::chosen(report))
        }
    );
    let columns = [
        ("rank", "", 'r', true),
        ("player", "Player", 'l', true),
        ("playouts", "Playouts", 'r', true),
        ("time", "Time", 'r', false),
        ("points", "Points", 'r', true),
        ("bwp", "BWP", 'r', false),
        ("blp", "BLP", 'r', false),
        ("won", "W", 'r', false),
        ("lost", "L", 'r', false),
        ("drawn", "D", 'r', false),
        ("pd", "PD", 'r', false),
        ("difference", "Difference", 'r', true),
    ];
    let mut columns = columns.to_vec();
    if report.rounds.is_some() {
        columns.insert(5, ("buchholz", "Buchholz", 'r', true));
    }
    table("ranking", caption, &columns, rows.collect())
}

/// The contestants of a gauntlet against the mean of several fixed opponents.
fn contestants(gauntlet: &Gauntlet) -> LatexTable {
    let rows = gauntlet.contestants.iter().map(|row| {
        let (won, difference) = row.of_opponent();
        let units = row.of_means.as_ref().map_or(0, |test| test.units);
        let counts = [row.rank.to_string(), escape(&row.player), units.to_string(), format!("{won} of {}", row.games)];
        counts.into_iter().chain([plus_minus(&difference), p_value(row.holm)]).collect()
    });
    let caption = format!(
        "The fixed opponents ({}) against each contestant: the mean over them of their score less the contestant's, on the $n$ decks \
          on which the contestant has completed its games against all of them, with its 95\\,\\% $t$-interval. \
         $p_\\mathrm{{Holm}}$: two-sided paired $t$-test by deck, corrected by Holm's method over {}.",
        escape(&gauntlet.names().join(", ")),
        counted(gauntlet.tested(), "contestant")
    );
    let columns = [
        ("rank", "", 'r', true),
        ("contestant", "Contestant", 'l', true),
        ("n", "$n$", 'r', true),
        ("won", "Games won", 'r', false),
        ("difference", "Difference", 'r', true),
        ("p-holm", "$p_\\mathrm{Holm}$", 'r', true),
    ];
    table("contestants", caption, &columns, rows.collect())
}

fn significance(report: &Report) -> LatexTable {
    let tested = report.shown_pairs();
    let rows = tested.iter().map(|row| {
        let paired = row.paired.as_ref().ok();
        let interval = paired
            .and_then(|test| test.interval)
            .map_or("--".to_owned(), |ends| format!("$[{:.2}, {:.2}]$", ends.low, ends.high));
        vec![
            escape(&row.a),
            escape(&row.b),
            row.units_of_all(),
            number(paired.map(|test| test.difference), 2),
            interval,
            p_value(row.holm),
            marked_p(row.permutation.as_ref().ok().map(|test| (test.p, test.exact))),
            marked_p(row.wilcoxon.as_ref().ok().map(|test| (test.p, test.exact))),
            number(row.win_rate.map(|rate| 100.0 * rate.rate), 1),
            number(row.a12.as_ref().ok().copied(), 2),
        ]
    });
    let units = tested.iter().map(|row| row.units);
    let (fewest, most) = (units.clone().min().unwrap_or(0), units.max().unwrap_or(0));
    let n = if fewest == most { most.to_string() } else { format!("{fewest}$ to ${most}") };
    let further = [captions::exact(report), captions::approximate(report)];
    let caption = format!(
        "Pairwise differences in score ($a${} less $b$), $n = {n}$ {} per pair. $p_\\mathrm{{Holm}}$: {} by {}, \
         corrected by Holm's method over {}; {}; $\\hat{{A}}_{{12}}$ is the probability that $a$ scores more.{}",
        if report.gauntlet.is_some() { "" } else { ", which scored more," },
        report.units(most),
        if report.looks.is_some() {
            "repeated $p$-value of two-sided paired $t$-tests"
        } else {
            "two-sided paired $t$-test"
        },
        if report.mirror { "deck" } else { "game" },
        counted(captions::tested_pairs(report), "pair"),
        if report.looks.is_some() {
            "intervals hold with 95\\,\\% at all looks"
        } else {
            "$p_\\mathrm{perm}$: sign-flip permutation test, $p_W$: Wilcoxon signed-rank test, both uncorrected. Intervals are \
             95\\,\\% $t$-intervals"
        },
        further.into_iter().flatten().map(|sentence| format!(" {}", escape(&sentence))).collect::<String>()
    );
    let columns = [
        ("a", "$a$", 'l', true),
        ("b", "$b$", 'l', true),
        ("n", "$n$", 'r', false),
        ("difference", "Difference", 'r', true),
        ("interval", "95\\,\\%", 'l', false),
        ("p-holm", "$p_\\mathrm{Holm}$", 'r', true),
        ("p-permutation", "$p_\\mathrm{perm}$", 'r', false),
        ("p-wilcoxon", "$p_W$", 'r', false),
        ("won", "Won \\%", 'r', false),
        ("a12", "$\\hat{A}_{12}$", 'r', false),
    ];
    let fixed = [6, 7];
    let rows = rows.map(|cells| cell::columns(report, cells, &fixed)).collect();
    table("significance", caption, &cell::columns(report, columns, &fixed), rows)
}

fn ratings(report: &Report) -> LatexTable {
    let rows = report.ratings.rows.iter().map(|row| {
        let interval = row.interval.map_or("--".to_owned(), |ends| format!("$[{:.0}, {:.0}]$", ends.low, ends.high));
        vec![escape(&row.player), number(Some(row.elo), 0), interval]
    });
    let cyclic =
        if report.ratings.cycle.is_some() { " The league is cyclic: no single scale fits it well." } else { "" };
    let intervals = match report.ratings.resamples {
        0 => String::new(),
        resamples => format!("; 95\\,\\% percentile intervals from {resamples} bootstrap resamples of decks"),
    };
    let caption = format!(
        "Bradley--Terry ratings on the Elo scale, mean 0, from {}{intervals}.{cyclic}",
        counted(report.finished, "game")
    );
    let columns = [("player", "Player", 'l', true), ("elo", "Elo", 'r', true), ("interval", "95\\,\\%", 'l', true)];
    table("ratings", caption, &columns, rows.collect())
}

fn paper(report: &Report) -> Vec<LatexTable> {
    let Some(paper) = &report.paper else { return Vec::new() };
    let mut tables = Vec::new();
    let source = escape(paper.source.as_deref().unwrap_or("the paper"));
    if !paper.ranking.is_empty() {
        let rows = paper.ranking.iter().map(|row| {
            vec![
                escape(&row.player),
                row.printed_rank.to_string(),
                row.rank.map_or("--".to_owned(), |rank| rank.to_string()),
                number(row.printed_points, 0),
                number(row.points.map(|points| points as f64), 0),
                p_value(row.points_p),
            ]
        });
        let caption = format!(
            "Ranking as printed ({source}) and here. $p$: probability of such a difference in points between the printed league \
             and leagues of its size drawn from our games, two-sided, uncorrected."
        );
        let columns = [
            ("player", "Player", 'l', true),
            ("printed-rank", "Rank", 'r', true),
            ("rank", "here", 'r', true),
            ("printed-points", "Points", 'r', true),
            ("points", "here", 'r', true),
            ("p", "$p$", 'r', true),
        ];
        tables.push(table("paper-ranking", caption, &columns, rows.collect()));
    }
    if !paper.matches.is_empty() {
        let rows = paper.matches.iter().map(|row| {
            vec![
                escape(&row.home),
                escape(&row.away),
                format!("{}--{}", row.printed_home_wins, row.printed_away_wins),
                format!("{}--{}", row.home_wins, row.away_wins),
                p_value(row.p),
            ]
        });
        let caption = format!(
            "Games won by player 1 -- by player 2 as printed ({source}) and here. $p$: Fisher's exact test on the decided games, \
             two-sided, uncorrected."
        );
        let columns = [
            ("player-1", "Player 1", 'l', true),
            ("player-2", "Player 2", 'l', true),
            ("printed", "Printed", 'r', true),
            ("here", "Here", 'r', true),
            ("p", "$p$", 'r', true),
        ];
        tables.push(table("paper-matches", caption, &columns, rows.collect()));
    }
    if !paper.seats.is_empty() {
        let rows = paper.seats.iter().map(|row| {
            vec![
                escape(&row.player),
                row.seat.to_string(),
                row.measure.to_owned(),
                number(Some(row.printed), 2),
                row.here.map_or("--".to_owned(), |here| plus_minus(&here)),
                p_value(row.p),
            ]
        });
        let caption = format!(
            "Means per game as printed ({source}) and here. $p$: $t$-test that assumes the variance of our games for the printed ones, \
             uncorrected."
        );
        let columns = [
            ("player", "Player", 'l', true),
            ("seat", "Seat", 'r', true),
            ("measure", "Measure", 'l', true),
            ("printed", "Printed", 'r', true),
            ("here", "Here", 'r', true),
            ("p", "$p$", 'r', true),
        ];
        tables.push(table("paper-means", caption, &columns, rows.collect()));
    }
    if !paper.pairs.is_empty() {
        let rows = paper.pairs.iter().map(|row| {
            vec![
                escape(&row.player),
                escape(&row.opponent),
                escape(&captions::won_drawn_lost(&row.printed)),
                escape(&captions::scoring_rate(&row.printed)),
                escape(&captions::won_drawn_lost(&row.here)),
                escape(&captions::scoring_rate(&row.here)),
                p_value(row.p),
            ]
        });
        let caption = format!(
            "Games of both seats together, won-drawn-lost, and scoring rate with its 90\\,\\% bound, as printed ({source}) and \
             here. $p$: Fisher's exact test on the decided games, two-sided, uncorrected."
        );
        let columns = [
            ("player", "Player", 'l', true),
            ("against", "Against", 'l', true),
            ("printed", "Printed", 'r', false),
            ("printed-rate", "Rate", 'r', true),
            ("here", "Here", 'r', false),
            ("rate", "Rate", 'r', true),
            ("p", "$p$", 'r', true),
        ];
        tables.push(table("paper-pairs", caption, &columns, rows.collect()));
    }
    tables
}
