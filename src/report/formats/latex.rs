//! `tables.tex`: the tables of a report for a paper, set with booktabs.

use crate::report::tables::captions;
use crate::report::tables::report::Report;
use crate::report::tables::statistic::Statistic;

/// The largest number of rows that fits a page.
const ROWS: usize = 45;

/// All tables, each a `table` environment of its own, ready for `\input`.
pub(super) fn tables(report: &Report) -> String {
    let mut text = format!(
        "% Tables of the run {}, written by evouct {}; digest {}.\n% Needs \\usepackage{{booktabs}}.\n",
        comment(&report.name),
        report.evouct,
        report.digest.digest
    );
    if report.finished > 0 {
        text.push_str(&ranking(report));
        text.push_str(&significance(report));
        text.push_str(&ratings(report));
        text.push_str(&paper(report));
    }
    text
}

/// Text with all special characters of LaTeX escaped.
pub(super) fn escape(text: &str) -> String {
    let mut escaped = String::with_capacity(text.len());
    for letter in text.chars() {
        match letter {
            '\\' => escaped.push_str(r"\textbackslash{}"),
            '~' => escaped.push_str(r"\textasciitilde{}"),
            '^' => escaped.push_str(r"\textasciicircum{}"),
            '<' => escaped.push_str(r"\textless{}"),
            '>' => escaped.push_str(r"\textgreater{}"),
            '"' => escaped.push_str(r"\textquotedbl{}"),
            '|' => escaped.push_str(r"\textbar{}"),
            '&' | '%' | '$' | '#' | '_' | '{' | '}' => {
                escaped.push('\\');
                escaped.push(letter);
            }
            // A square bracket after a line break would be read as an option.
            '[' | ']' => {
                escaped.push('{');
                escaped.push(letter);
                escaped.push('}');
            }
            letter => escaped.push(letter),
        }
    }
    escaped
}

fn comment(text: &str) -> String {
    text.replace(['\n', '\r'], " ")
}

fn environment(label: &str, caption: &str, columns: &str, header: &[&str], mut rows: Vec<Vec<String>>) -> String {
    let left_out = rows.len().saturating_sub(ROWS);
    rows.truncate(ROWS);
    let more = if left_out > 0 { format!(" {left_out} more rows are in the CSV file.") } else { String::new() };
    let mut text = format!(
        "\n\\begin{{table}}\n\\centering\\small\n\\caption{{{caption}{more}}}\n\\label{{tab:{label}}}\n\\begin{{tabular}}{{{columns}}}\n\\toprule\n"
    );
    text.push_str(&format!("{} \\\\\n\\midrule\n", header.join(" & ")));
    for row in rows {
        text.push_str(&format!("{} \\\\\n", row.join(" & ")));
    }
    text + "\\bottomrule\n\\end{tabular}\n\\end{table}\n"
}

/// A number in math mode, so that its sign is a minus.
fn number(value: Option<f64>, decimals: usize) -> String {
    value.map_or("--".to_owned(), |value| format!("${value:.decimals$}$"))
}

fn plus_minus(statistic: &Statistic) -> String {
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

fn ranking(report: &Report) -> String {
    let rows = report.ranking.iter().map(|row| {
        let counts = [row.points, row.bwp, row.blp, row.wins, row.losses, row.draws].map(|count| count.to_string());
        let mut cells = vec![row.rank.map_or("--".to_owned(), |rank| rank.to_string()), escape(&row.player)];
        cells.extend(counts);
        cells.extend([number(Some(row.pd), 2), plus_minus(&row.difference)]);
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
        "Ranking of {} after {} games on {} {} (points: {points}; difference: mean score difference per game with its 95\\,\\% \
         $t$-interval over {}).",
        escape(&report.name),
        report.finished,
        report.games_per_match,
        if report.mirror { "mirrored decks" } else { "decks per match" },
        captions::unit(report)
    );
    let header = ["", "Player", "Points", "BWP", "BLP", "W", "L", "D", "PD", "Difference"];
    environment("ranking", &caption, "rlrrrrrrrr", &header, rows.collect())
}

fn significance(report: &Report) -> String {
    let tested: Vec<_> = report.significance.iter().filter(|row| row.units > 0).collect();
    let rows = tested.iter().map(|row| {
        let paired = row.paired.as_ref().ok();
        let interval =
            paired.map_or("--".to_owned(), |test| format!("$[{:.2}, {:.2}]$", test.interval.low, test.interval.high));
        vec![
            escape(&row.a),
            escape(&row.b),
            row.units.to_string(),
            number(paired.map(|test| test.difference), 2),
            interval,
            p_value(row.holm),
            p_value(row.permutation.as_ref().ok().map(|test| test.p)),
            p_value(row.wilcoxon.as_ref().ok().map(|test| test.p)),
            number(row.win_rate.map(|rate| 100.0 * rate.rate), 1),
            number(row.a12.as_ref().ok().copied(), 2),
        ]
    });
    let units = tested.iter().map(|row| row.units);
    let (fewest, most) = (units.clone().min().unwrap_or(0), units.max().unwrap_or(0));
    let n = if fewest == most { most.to_string() } else { format!("{fewest} to {most}") };
    let caption = format!(
        "Pairwise differences in score ($a$ less $b$), $n = {n}$ {} per pair. $p_\\mathrm{{Holm}}$: two-sided paired $t$-test by {}, \
         corrected by Holm's method over {} pairs; $p_\\mathrm{{perm}}$: sign-flip permutation test, $p_W$: Wilcoxon \
         signed-rank test, both uncorrected. Intervals are 95\\,\\% $t$-intervals; $\\hat{{A}}_{{12}}$ is the probability that \
         $a$ scores more.",
        captions::unit(report),
        if report.mirror { "deck" } else { "game" },
        captions::tested_pairs(report)
    );
    let header = [
        "$a$",
        "$b$",
        "$n$",
        "Difference",
        "95\\,\\%",
        "$p_\\mathrm{Holm}$",
        "$p_\\mathrm{perm}$",
        "$p_W$",
        "Won \\%",
        "$\\hat{A}_{12}$",
    ];
    environment("significance", &caption, "llrrlrrrrr", &header, rows.collect())
}

fn ratings(report: &Report) -> String {
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
    let caption =
        format!("Bradley--Terry ratings on the Elo scale, mean 0, from {} games{intervals}.{cyclic}", report.finished);
    environment("ratings", &caption, "lrl", &["Player", "Elo", "95\\,\\%"], rows.collect())
}

fn paper(report: &Report) -> String {
    let Some(paper) = &report.paper else { return String::new() };
    let mut text = String::new();
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
        let header = ["Player", "Rank", "here", "Points", "here", "$p$"];
        text.push_str(&environment("paper-ranking", &caption, "lrrrrr", &header, rows.collect()));
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
        let header = ["Player 1", "Player 2", "Printed", "Here", "$p$"];
        text.push_str(&environment("paper-matches", &caption, "llrrr", &header, rows.collect()));
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
        let header = ["Player", "Seat", "Measure", "Printed", "Here", "$p$"];
        text.push_str(&environment("paper-means", &caption, "lrlrrr", &header, rows.collect()));
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
        let header = ["Player", "Against", "Printed", "Rate", "Here", "Rate", "$p$"];
        text.push_str(&environment("paper-pairs", &caption, "llrrrrr", &header, rows.collect()));
    }
    text
}

#[cfg(test)]
mod tests {
    use super::escape;

    #[test]
    fn no_letter_of_a_name_is_a_command() {
        assert_eq!(escape(r"50% & $x_1$ \input{a}"), r"50\% \& \$x\_1\$ \textbackslash{}input\{a\}");
        assert_eq!(escape("#1 ~ ^ [2]"), r"\#1 \textasciitilde{} \textasciicircum{} {[}2{]}");
    }
}
