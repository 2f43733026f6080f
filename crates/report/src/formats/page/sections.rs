//! The sections of the page.

use super::table::{TableCell, count, holm, interval, marked_p, name, number, p_value, shown, signed, table};
use crate::formats::cell;
use crate::tables::captions;
use crate::tables::cost::DecisionCost;
use crate::tables::faults::lost_on_time;
use crate::tables::gauntlet::Gauntlet;
use crate::tables::mean_with_interval::MeanWithInterval;
use crate::tables::paper::PrintedComparison;
use crate::tables::paper_pairs::PairScore;
use crate::tables::report::Report;
use evouct_base::named::Named;
use evouct_league::config::Experiment;
use evouct_stats::t_test::TTest;
use maud::{Markup, html};
use std::collections::BTreeMap;

/// The largest number of players whose matches are shown as a square.
const SQUARE: usize = 40;

/// The columns of the table of differences, and of that of effects, that are for a fixed number of decks.
const FIXED_TESTS: [usize; 4] = [5, 8, 9, 10];
const FIXED_EFFECTS: [usize; 1] = [4];

/// The cells of a paired comparison that its tables begin with: two names, units, the difference and its interval.
fn compared(a: &str, b: &str, units: TableCell, paired: Option<&TTest>) -> [TableCell; 5] {
    let difference = paired.map(|test| test.difference);
    let ends = interval(paired.and_then(|test| test.interval), 1.0, 2, difference.unwrap_or_default());
    [name(a), name(b), units, signed(difference), ends]
}

pub(super) fn plus_minus(statistic: &MeanWithInterval, sign: bool) -> TableCell {
    shown(cell::plus_minus(statistic, sign), statistic.mean)
}

/// The cells of what a decision costs.
fn costs(cost: &DecisionCost) -> [TableCell; 3] {
    let [effort, time, deck] = cell::cost(cost);
    let effort = shown(effort, cost.playouts.or(cost.nodes).unwrap_or_default());
    [effort, shown(time, cost.seconds.unwrap_or_default()), shown(deck, f64::from(u8::from(cost.sees_deck)))]
}

/// The fixed opponents of a gauntlet against each contestant, and the contestants against one another.
fn gauntlet(gauntlet: &Gauntlet, report: &Report) -> Markup {
    let rows = gauntlet.contestants.iter().map(|row| {
        let (won, difference) = row.of_opponent();
        let cells = [
            name(&row.player),
            count(row.rank as u64),
            shown(format!("{won} of {}", row.games), won as f64 / row.games.max(1) as f64),
            plus_minus(&difference, true),
            holm(row.holm),
        ];
        cells.into_iter().chain(costs(&row.cost)).collect()
    });
    let pairs = gauntlet.comparisons.iter().filter(|row| row.units > 0).map(|row| {
        let row = row.stronger_first();
        let paired = row.paired.as_ref().ok();
        let tests = [holm(row.holm), p_value(paired.map(|test| test.p))];
        compared(&row.a, &row.b, count(row.units), paired).into_iter().chain(tests).collect()
    });
    let columns = [&["contestant", "rank", "won", "difference", "Holm p"], &cell::COST[..]].concat();
    let pair_columns = ["a", "b", "decks", "difference", "95 %", "Holm p", "paired t p"];
    html! {
        p {
            @if gauntlet.has_several() { "The fixed opponents " }
            @for (place, row) in gauntlet.opponents.iter().enumerate() {
                @if place > 0 { ", " }
                bdi { (row.opponent) } " (" (cell::cost_phrase(&row.cost)) ")"
            }
            " against each contestant:"
        }
        (table("Contestants", &columns, rows.collect(), "report.json"))
        @if gauntlet.has_tests() {
            h3 { (captions::compared_contestants(gauntlet)) " deck by deck" }
            (table("Contestants compared", &pair_columns, pairs.collect(), "contestants.csv"))
        }
        p.said { (captions::gauntlet(gauntlet, report)) " " (captions::COSTS) }
    }
}

pub(super) fn ranking(report: &Report) -> Markup {
    let rows = report.ranking.iter().map(|row| {
        let [won, of] = row.won_of();
        let player = [name(&row.player), number(row.rank.map(|rank| rank as f64), 0)];
        let rest = [
            signed(Some(row.standing.pd)),
            shown(format!("{won} of {of}"), won as f64 / of.max(1) as f64),
            plus_minus(&row.score, false),
            plus_minus(&row.difference, true),
        ];
        let cells = player.into_iter().chain(row.standing.counts().map(count)).chain(rest);
        let mut cells: Vec<TableCell> = cells.chain(costs(&row.cost)).collect();
        row.buchholz.iter().for_each(|points| cells.insert(3, count(*points)));
        cells
    });
    let columns = ["player", "rank", "points", "bwp", "blp", "W", "L", "D", "PD", "won", "score", "difference"];
    let mut columns = [&columns[..], &cell::COST[..]].concat();
    if report.rounds.is_some() {
        columns.insert(3, "Buchholz");
    }
    let all = html! {
        (table("Ranking", &columns, rows.collect(), "ranking.csv"))
        p.said { (captions::ranking(report)) " " (captions::COSTS) (lost_on_time(report.lost_on_time)) }
    };
    html! {
        @if let Some(found) = &report.gauntlet { (gauntlet(found, report)) }
        @if let Some(warning) = captions::cycle(report) { p.warning role="note" { (warning) } }
        // All results of a gauntlet are shown from the view of its fixed opponents, but a ranking has one for each player.
        @if report.gauntlet.is_some() { details { summary { "All games, each player from its own view" } (all) } }
        @else { (all) }
    }
}

pub(super) fn matches(report: &Report) -> Markup {
    let players: Vec<&str> = report.ranking.iter().map(|row| row.player.as_str()).collect();
    let rows = report.matches.iter().map(|row| {
        vec![
            name(&row.home),
            name(&row.away),
            count(row.games),
            count(row.home_wins),
            count(row.away_wins),
            count(row.draws),
            plus_minus(&row.difference, true),
        ]
    });
    let columns = ["player 1", "player 2", "games", "won by 1", "won by 2", "drawn", "difference"];
    html! {
        @if players.len() <= SQUARE { (square(report, &players)) }
        details {
            summary { "All matches with differences" }
            (table("Matches", &columns, rows.collect(), "matches.csv"))
        }
        p.said { (captions::MATCHES) }
    }
}

/// Games won by the row as player 1 – by the column as player 2, as a heat map.
fn square(report: &Report, players: &[&str]) -> Markup {
    let found: BTreeMap<(&str, &str), _> =
        report.matches.iter().map(|row| ((row.home.as_str(), row.away.as_str()), row)).collect();
    html! {
        p.said { "Games won by the row as player 1 – by the column as player 2. Blue: the row won more; orange: the column won more." }
        div.scroll tabindex="0" role="group" aria-label="Games won" {
            table.heat {
                thead { tr { th.name scope="col" { "player 1" } @for number in 1..=players.len() { th.n scope="col" { "(" (number) ")" } } } }
                tbody {
                    @for (number, home) in players.iter().enumerate() {
                        tr {
                            th.name scope="row" { bdi { (home) } " (" (number + 1) ")" }
                            @for (place, away) in players.iter().enumerate() {
                                @let column = format!("({})", place + 1);
                                @if let Some(row) = found.get(&(*home, *away)) {
                                    @let share = (row.home_wins as f64 + row.draws as f64 / 2.0) / row.games.max(1) as f64;
                                    td.n.won[share > 0.5].lost[share < 0.5] data-label=(column) style={ "--k:" (((share - 0.5).abs() * 110.0).round()) "%" }
                                        { (row.home_wins) "–" (row.away_wins) }
                                } @else { td.n data-label=(column) { "·" } }
                            }
                        }
                    }
                }
            }
        }
    }
}

pub(super) fn significance(report: &Report, chart: &Markup) -> Markup {
    let pairs = report.shown_pairs();
    let tests = pairs.iter().map(|row| {
        let paired = row.paired.as_ref().ok();
        let difference = paired.map_or(0.0, |test| test.difference);
        let tests = [
            interval(row.bootstrap.as_ref().ok().map(|found| found.interval), 1.0, 2, difference),
            holm(row.holm),
            p_value(paired.map(|test| test.p)),
            marked_p(row.permutation.as_ref().ok().map(|test| (test.p, test.exact))),
            marked_p(row.wilcoxon.as_ref().ok().map(|test| (test.p, test.exact))),
            p_value(row.welch.as_ref().ok().map(|test| test.p)),
        ];
        let units = shown(row.units_of_all(), row.units as f64);
        cell::test_columns(report, compared(&row.a, &row.b, units, paired).into_iter().chain(tests), &FIXED_TESTS)
    });
    let effects = pairs.iter().map(|row| {
        let rate = row.win_rate;
        let percent = rate.map(|rate| 100.0 * rate.rate);
        let cells = [
            name(&row.a),
            name(&row.b),
            shown(format!("{}–{}–{}", row.games[0], row.games[2], row.games[1]), row.games[0] as f64),
            number(percent, 1),
            interval(rate.and_then(|rate| rate.interval), 100.0, 1, percent.unwrap_or_default()),
            number(row.a12.as_ref().ok().copied(), 3),
            number(row.cohen_d.as_ref().ok().copied(), 2),
            number(row.cohen_dz.as_ref().ok().copied(), 2),
        ];
        cell::columns(report, cells, &FIXED_EFFECTS)
    });
    let columns = [
        "a",
        "b",
        report.unit(),
        "difference",
        "95 % (t)",
        "95 % (bootstrap)",
        "Holm p",
        "paired t p",
        "permutation p",
        "Wilcoxon p",
        "Welch p",
    ];
    let sizes = ["a", "b", "won–drawn–lost", "win rate %", "95 %", "Â12", "d", "d_z"];
    html! {
        (table("Differences between players", &cell::test_columns(report, columns, &FIXED_TESTS), tests.collect(), "significance.csv"))
        p.said { (captions::significance(report)) (lost_on_time(report.lost_on_time)) }
        @for more in [captions::exact(report), captions::approximate(report)].into_iter().flatten() { p.said { (more) } }
        div.beside {
            (chart)
            div {
                h3 { "Effect sizes" }
                (table("Effect sizes", &cell::columns(report, sizes, &FIXED_EFFECTS), effects.collect(), "significance.csv"))
                p.said { (captions::EFFECTS) }
            }
        }
        @if let Some(test) = &report.sequential {
            h3 { "Sequential test" }
            p.said { (captions::sequential(test)) }
        }
    }
}

pub(super) fn ratings(report: &Report, chart: &Markup) -> Markup {
    let rows = report.ratings.rows.iter().map(|row| {
        let cells = [name(&row.player), number(Some(row.elo), 0), interval(row.interval, 1.0, 0, row.elo)];
        let ranked = report.ranking.iter().find(|ranked| ranked.player == row.player);
        cells.into_iter().chain(ranked.into_iter().flat_map(|ranked| costs(&ranked.cost))).collect()
    });
    let columns = [&["player", "Elo", "95 %"], &cell::COST[..]].concat();
    html! {
        div.beside {
            div { (table("Ratings", &columns, rows.collect(), "report.json")) p.said { (captions::ratings(report)) } }
            (chart)
        }
    }
}

pub(super) fn metrics(report: &Report) -> Markup {
    let shown = report.measures.iter().filter_map(|measure| Some((measure.name, measure.heading?)));
    let metrics: Vec<(&str, &str)> = shown.chain([("playouts", "playouts"), ("seconds", "seconds")]).collect();
    let rows = report.seats.iter().map(|row| {
        let mut cells = vec![name(&row.player), count(row.seat as u64), count(row.games)];
        cells.extend(metrics.iter().map(|(metric, _)| match (row.means.get(*metric), *metric) {
            (Some(statistic), "score") => plus_minus(statistic, false),
            (Some(statistic), "difference") => plus_minus(statistic, true),
            (found, "playouts") => number(found.map(|statistic| statistic.mean), 0),
            (found, _) => number(found.map(|statistic| statistic.mean), 2),
        }));
        cells
    });
    let columns: Vec<&str> =
        ["player", "seat", "games"].into_iter().chain(metrics.iter().map(|(_, title)| *title)).collect();
    html! {
        (table("Metrics", &columns, rows.collect(), "players.csv"))
        p.said { (report.seats_caption) }
        @if let Some(unused) = captions::unused(report) { p.said { (unused) } }
        details {
            summary { "All measures of players.csv" }
            dl { @for measure in &report.measures { dt { (measure.name) } dd { (measure.about) } } }
        }
    }
}

pub(super) fn paper(paper: &PrintedComparison) -> Markup {
    let printed = match (&paper.source, &paper.table) {
        (Some(source), Some(table)) => format!("{source}, table {table}"),
        (Some(text), None) => text.clone(),
        (None, Some(table)) => format!("Table {table}"),
        (None, None) => "The paper".to_owned(),
    };
    let ranking = paper.ranking.iter().map(|row| {
        vec![
            name(&row.player),
            count(row.printed_rank as u64),
            number(row.rank.map(|rank| rank as f64), 0),
            number(row.printed_points, 0),
            number(row.points.map(|points| points as f64), 0),
            interval(row.points_interval, 1.0, 0, row.points.unwrap_or_default() as f64),
            p_value(row.points_p),
            name(row.verdict.name()),
            signed(row.printed_pd),
            signed(row.pd),
            p_value(row.pd_p),
            name(row.pd_verdict.name()),
        ]
    });
    let matches = paper.matches.iter().map(|row| {
        vec![
            name(&row.home),
            name(&row.away),
            shown(format!("{}–{}", row.printed_home_wins, row.printed_away_wins), row.printed_home_wins as f64),
            count(row.printed_games),
            shown(format!("{}–{}", row.home_wins, row.away_wins), row.home_wins as f64),
            count(row.games),
            interval(row.home_share, 1.0, 2, row.home_wins as f64),
            p_value(row.p),
            name(row.verdict.name()),
        ]
    });
    let seats = paper.seats.iter().map(|row| {
        vec![
            name(&row.player),
            count(row.seat as u64),
            name(row.measure),
            number(Some(row.printed), 2),
            count(row.printed_games),
            row.here.map_or_else(|| number(None, 2), |here| plus_minus(&here, false)),
            count(row.games),
            p_value(row.p),
            name(row.verdict.name()),
        ]
    });
    let pairs = paper.pairs.iter().map(|row| {
        let rate = |score: &PairScore| shown(captions::scoring_rate(score), score.rate().map_or(0.0, |(rate, _)| rate));
        vec![
            name(&row.player),
            name(&row.opponent),
            shown(captions::won_drawn_lost(&row.printed), row.printed.wins as f64),
            rate(&row.printed),
            shown(captions::won_drawn_lost(&row.here), row.here.wins as f64),
            rate(&row.here),
            p_value(row.p),
            name(row.verdict.name()),
        ]
    });
    let pair_means = paper.pairs.iter().flat_map(|row| &row.means).map(|mean| {
        vec![
            name(&mean.player),
            name(&mean.opponent),
            name(mean.measure),
            number(Some(mean.printed), 1),
            mean.here.map_or_else(|| number(None, 1), |here| plus_minus(&here, false)),
            p_value(mean.p),
            name(mean.verdict.name()),
        ]
    });
    let columns = ["player", "rank", "here", "points", "here", "95 %", "p", "verdict", "PD", "here", "p", "verdict"];
    html! {
        p { (printed) }
        @if !paper.ranking.is_empty() {
            (table("Printed ranking and ours", &columns, ranking.collect(), "report.json"))
            p.said { (captions::verdicts("points", &paper.ranking_verdicts)) " " (captions::verdicts("PD", &paper.pd_verdicts)) }
        }
        @if !paper.matches.is_empty() {
            (table("Printed matches and ours", &["player 1", "player 2", "printed", "of", "here", "of", "share", "p", "verdict"], matches.collect(), "matches.csv"))
            p.said { (captions::verdicts("matches", &paper.match_verdicts)) }
        }
        @if !paper.seats.is_empty() {
            (table("Printed means and ours", &["player", "seat", "what", "printed", "of", "here", "of", "p", "verdict"], seats.collect(), "report.json"))
            p.said { (captions::verdicts("means", &paper.seat_verdicts)) }
        }
        @if !paper.pairs.is_empty() {
            (table("Printed pairs and ours, both seats together", &["player", "against", "printed", "rate, 90 %", "here", "rate, 90 %", "p", "verdict"], pairs.collect(), "report.json"))
            p.said { (captions::verdicts("pairs", &paper.pair_verdicts)) }
            (table("Printed means of pairs and ours", &["player", "against", "what", "printed", "here", "p", "verdict"], pair_means.collect(), "report.json"))
            p.said { (captions::verdicts("mean points", &paper.pair_point_verdicts)) }
        }
        @if let Some(correlations) = captions::correlations(paper) {
            p.said { (correlations) }
        }
        p.said { (captions::PAPER) }
    }
}

pub(super) fn faults(report: &Report) -> Markup {
    let rows = report.faults.iter().map(|row| {
        vec![
            name(&row.player),
            number(Some(row.games as f64), 0),
            number(Some(row.faults as f64), 0),
            name(&row.words()),
        ]
    });
    html! {
        (table("Faults", &["player", "games", "lost by faults", "reasons"], rows.collect(), "report.json"))
        p.said { (captions::faults(report)) }
    }
}

pub(super) fn failures(report: &Report) -> Markup {
    let rows = report.failures.iter().map(|row| {
        vec![name(&row.game), name(&row.players.join(" – ")), name(&row.ended), name(&row.message), name(&row.repeat)]
    });
    html! {
        (table("Failures", &["game", "players", "ended", "message", "repeat"], rows.collect(), "report.json"))
        p.said { (captions::FAILURES) }
    }
}

pub(super) fn repeat(experiment: &Experiment, report: &Report) -> Markup {
    let options: String = experiment.overrides.options().iter().map(|option| format!(" {option}")).collect();
    let timed = report.digest.not_reproducible;
    let rows = experiment
        .players
        .iter()
        .map(|player| vec![name(&player.name), name(&player.identity.short()), name(&player.spec.description())]);
    html! {
        p { "To repeat this run, save the experiment below as a file and run it. The same version of evouct gives the same digest on every machine." }
        pre { "evouct run experiment.toml" (options) "\nevouct digest runs/" (report.name) }
        dl {
            dt { "evouct" } dd { (report.evouct) }
            dt { "experiment" } dd { code { (report.hash) } }
            dt { "seed" } dd { (report.seed) }
            dt { "preset" } dd { (report.preset) }
            dt { "digest" } dd { code { (report.digest.digest) } " over " (report.digest.games) " games" }
            @if timed > 0 { dt { "not repeatable" } dd { (timed) " games: under a clock, or a program or a person decided" } }
            dt { "cost" } dd { (report.playouts) " playouts, " (format!("{:.0}", report.seconds)) " seconds of thinking time" }
        }
        h3 { "Players" }
        (table("Players", &["player", "identity", "kind, and parameters that differ from preset as-printed"], rows.collect(), "manifest.json"))
        h3 { "Experiment" }
        details { summary { "experiment.toml" } pre tabindex="0" { (experiment.toml) } }
    }
}
