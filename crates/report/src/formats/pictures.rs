//! The charts of a report, each with its data as CSV.

use super::chart::rows::{Dot, dots};
use super::chart::{BoxMark, Mark, Series, boxes, heat, joined_marks, lines};
use super::differences::differences;
use super::figure::PageFigure;
use super::picture::{ROWS, Section, ends_of, points};
use super::shapes::shapes;
use crate::tables::captions;
use crate::tables::formulas::ShapeRow;
use crate::tables::histograms::HistogramRow;
use crate::tables::mean_with_interval::MeanWithInterval;
use crate::tables::paper::PrintedComparison;
use crate::tables::paper_pairs::POINTS;
use crate::tables::report::Report;
use crate::tables::seats::TurnRow;
use crate::tables::sweep::{Sweep, SweepPoint};
use evouct_base::plural::counted;
use std::collections::BTreeMap;

/// The largest number of players in a heat map.
const HEAT: usize = 40;
/// The largest number of curves in a chart; more cannot be distinguished.
const CURVES: usize = 6;
/// The largest number of evolving players with charts.
const EVOLVING: usize = 8;
/// Nodes of UCT as the paper counts them.
const UCT_NODES: f64 = 13.0;
const UCT_DEPTH: f64 = 6.0;

/// All pictures of a report.
pub(super) fn pictures(report: &Report) -> Vec<PageFigure> {
    if report.finished == 0 {
        return Vec::new();
    }
    let mut pictures = Vec::new();
    pictures.extend(matches(report));
    for (number, sweep) in report.sweeps.iter().enumerate() {
        pictures.push(swept(number + 1, sweep));
    }
    pictures.extend(differences(report));
    pictures.push(ratings(report));
    pictures.extend(curves(report));
    pictures.extend(histograms(report));
    let mut evolving: Vec<&str> = report.shapes.iter().map(|shape| shape.player.as_str()).collect();
    evolving.dedup();
    pictures.extend(sizes(report, &evolving[..evolving.len().min(EVOLVING)]));
    pictures.extend(shapes(report));
    if let Some(paper) = &report.paper {
        pictures.extend(printed_rates(paper));
        pictures.extend(printed_points(paper));
    }
    pictures
}

/// The scoring rate of each printed pair, here and in print.
fn printed_rates(paper: &PrintedComparison) -> Option<PageFigure> {
    let mut rows = Vec::new();
    for row in &paper.pairs {
        for (source, score, colour) in [("here", row.here, 0), ("printed", row.printed, 1)] {
            let Some((rate, bound)) = score.rate() else { continue };
            let [rate, bound] = [rate, bound].map(|share| 100.0 * share);
            let interval = Some((rate - bound, rate + bound));
            let name = format!("{} – {}", row.player, row.opponent);
            rows.push((source, Dot { name, value: rate, interval, colour }));
        }
    }
    let caption = "Games won of each printed pair, draws as half, in per cent with 90 % bounds: ours (blue), below it the printed rate \
                   (orange).";
    beside_print("scoring-rates", caption, "games won (%)", rows)
}

/// The points of each printed pair, here and in print.
fn printed_points(paper: &PrintedComparison) -> Option<PageFigure> {
    let mut rows = Vec::new();
    let means = paper.pairs.iter().flat_map(|row| &row.means).filter(|mean| mean.measure == POINTS);
    for mean in means {
        let name = format!("{} – {}", mean.player, mean.opponent);
        if let Some(here) = &mean.here {
            let interval = here.interval.map(|ends| (ends.low, ends.high));
            rows.push(("here", Dot { name: name.clone(), value: here.mean, interval, colour: 0 }));
        }
        rows.push(("printed", Dot { name, value: mean.printed, interval: None, colour: 1 }));
    }
    let caption = "Points per game of the first of each pair against the second: ours with a 95 % interval over decks (blue), below it \
                   the printed mean (orange).";
    beside_print("printed-points", caption, "points per game", rows)
}

/// A picture of numbers, each with its source; none without numbers.
fn beside_print(name: &str, caption: &str, unit: &str, rows: Vec<(&'static str, Dot)>) -> Option<PageFigure> {
    if rows.is_empty() {
        return None;
    }
    let data: Vec<Vec<String>> = (rows.iter())
        .map(|(source, dot)| {
            let cells = [dot.name.clone(), (*source).to_owned(), dot.value.to_string()];
            cells.into_iter().chain(ends_of(dot.interval)).collect()
        })
        .collect();
    let caption = match rows.len() {
        0..=ROWS => caption.to_owned(),
        _ => format!("{caption} The first {ROWS} numbers are drawn; the data file has all."),
    };
    let shown: Vec<Dot> = rows.into_iter().take(ROWS).map(|(_, dot)| dot).collect();
    Some(PageFigure::new(name, caption, dots(unit, &shown), "pair source value low high", data).of(Section::Paper))
}

/// A chart per histogram, with a line per player.
fn histograms(report: &Report) -> Vec<PageFigure> {
    let mut names: Vec<&str> = report.histograms.iter().map(|row| row.histogram).collect();
    names.dedup();
    let picture = |name: &str| {
        let rows: Vec<&HistogramRow> = report.histograms.iter().filter(|row| row.histogram == name).collect();
        let series = |(colour, row): (usize, &&HistogramRow)| {
            let points = row.points().collect();
            Series { name: row.player.clone(), points, dashed: false, colour }
        };
        let all: Vec<Series> = rows.iter().enumerate().map(series).collect();
        let caption = format!(
            "{}: {}; means per game. At most {CURVES} players are drawn; the data file has all.",
            name,
            rows.first().map_or("", |row| row.about)
        );
        let drawing = lines("middle of the bin", "nodes per game", &all[..all.len().min(CURVES)], false);
        PageFigure::new(format!("histogram-{name}"), caption, drawing, "player middle mean_count", points(&all))
            .of(Section::Searches)
    };
    names.into_iter().map(picture).collect()
}

fn matches(report: &Report) -> Option<PageFigure> {
    let names: Vec<String> = report.ranking.iter().map(|row| row.player.clone()).collect();
    if names.len() > HEAT || report.game_seats != 2 {
        return None;
    }
    let found: BTreeMap<(&str, &str), _> =
        report.matches.iter().map(|row| ((row.home.as_str(), row.away.as_str()), row)).collect();
    let cell = |home: &String, away: &String| {
        let row = found.get(&(home.as_str(), away.as_str()))?;
        let share = (row.home_wins as f64 + row.draws as f64 / 2.0) / row.games.max(1) as f64;
        Some((share, format!("{}-{}", row.home_wins, row.away_wins)))
    };
    let cells: Vec<Vec<_>> = names.iter().map(|home| names.iter().map(|away| cell(home, away)).collect()).collect();
    let data = report.matches.iter().map(|row| {
        let counts = [row.games, row.home_wins, row.away_wins, row.draws].map(|count| count.to_string());
        [row.home.clone(), row.away.clone()].into_iter().chain(counts).collect()
    });
    let caption = "Games won by the row as player 1 – by the column as player 2; draws are not counted. Blue: the row won more; \
                   orange: the column won more. A saturated colour after few games is weak evidence.";
    let (drawing, columns) = (heat(&names, &cells), "home away games home_wins away_wins draws");
    Some(PageFigure::new("matches", caption, drawing, columns, data).of(Section::Matches))
}

fn ratings(report: &Report) -> PageFigure {
    let mut rows: Vec<Dot> = report
        .ratings
        .rows
        .iter()
        .map(|row| Dot {
            name: row.player.clone(),
            value: row.elo,
            interval: row.interval.map(|interval| (interval.low, interval.high)),
            colour: 0,
        })
        .collect();
    let data: Vec<Vec<String>> = (rows.iter())
        .map(|dot| [dot.name.clone(), dot.value.to_string()].into_iter().chain(ends_of(dot.interval)).collect())
        .collect();
    let left_out = match rows.len() {
        0..=ROWS => String::new(),
        count => format!(" The {ROWS} strongest of {count} players are drawn; the data file has all."),
    };
    rows.truncate(ROWS);
    let caption = format!(
        "Bradley–Terry ratings on the Elo scale, with 95 % intervals over decks. Only differences are meaningful: \
         200 points are odds of about three to one.{left_out}"
    );
    PageFigure::new("ratings", caption, dots("Elo, mean 0", &rows), "player elo low high", data).of(Section::Ratings)
}

/// Strength over a parameter.
fn swept(number: usize, sweep: &Sweep) -> PageFigure {
    let ends = |difference: &MeanWithInterval| difference.interval.map(|ends| (ends.low, ends.high));
    let mark = |(point, difference): (&SweepPoint, MeanWithInterval)| Mark {
        at: point.value,
        value: difference.mean,
        interval: ends(&difference),
        highlighted: false,
    };
    let marks: Vec<Mark> = sweep.shown().map(mark).collect();
    let data = sweep.shown().map(|(point, difference)| {
        let cells = [point.value.to_string(), point.player.clone(), difference.mean.to_string()];
        cells.into_iter().chain(ends_of(ends(&difference))).collect()
    });
    let caption = format!(
        "{} Overlapping intervals are not evidence of equality, and neighbouring values play the same decks.",
        captions::sweep(sweep)
    );
    let drawing = joined_marks(sweep.parameter, "score difference", &marks);
    let columns = format!("{} player difference low high", sweep.parameter);
    PageFigure::new(format!("sweep-{number}"), caption, drawing, &columns, data).of(Section::Ranking)
}

/// The rows of each player.
type Turns<'a> = BTreeMap<&'a str, Vec<&'a TurnRow>>;

/// A player's mean at a turn on one seat, or over all seats, weighted by games.
fn by_turn(turns: &Turns, player: &str, seat: Option<usize>, value: fn(&TurnRow) -> f64) -> Vec<(f64, f64)> {
    let mut sums: BTreeMap<usize, (f64, f64)> = BTreeMap::new();
    let rows = turns.get(player).into_iter().flatten();
    for row in rows.filter(|row| seat.is_none_or(|seat| row.seat == seat)) {
        let sum = sums.entry(row.turn).or_default();
        sum.0 += value(row) * row.games as f64;
        sum.1 += row.games as f64;
    }
    sums.into_iter().map(|(turn, (sum, games))| (turn as f64, sum / games)).collect()
}

/// Scores by turn. A game that is only won, lost or drawn has none before its end.
fn curves(report: &Report) -> Vec<PageFigure> {
    if report.worth.is_some() {
        return Vec::new();
    }
    let score: fn(&TurnRow) -> f64 = |row| row.score;
    let difference: fn(&TurnRow) -> f64 = |row| row.difference;
    let quantities = [
        ("virtual-score", "virtual score", score),
        ("virtual-difference", "virtual score less the other's", difference),
    ];
    let mut turns = Turns::new();
    report.turns.iter().for_each(|row| turns.entry(&row.player).or_default().push(row));
    let mut pictures = Vec::new();
    for (name, what, value) in quantities {
        let players: Vec<&str> = report.ranking.iter().map(|row| row.player.as_str()).collect();
        let series = |(colour, player): (usize, &&str)| Series {
            name: (*player).to_owned(),
            points: by_turn(&turns, player, None, value),
            dashed: false,
            colour,
        };
        let all: Vec<Series> = players.iter().enumerate().map(series).collect();
        let left_out = match all.len() {
            count if count > CURVES => format!(" The {CURVES} best of {count} players; the data file has all."),
            _ => String::new(),
        };
        let caption = format!(
            "Mean {what} after each of a player's own turns, over all seats: the score if the game ended \
             at that turn. turns.csv has the standard deviations over games.{left_out}"
        );
        let drawing = lines("own turn", what, &all[..all.len().min(CURVES)], false);
        let figure = PageFigure::new(name, caption, drawing, &format!("player turn {name}"), points(&all));
        pictures.push(figure.of(Section::Games));
        pictures.extend(curves_by_seat(report, &turns, (name, what), value));
    }
    pictures
}

/// The same for each seat by itself; none in a game of one seat.
fn curves_by_seat(
    report: &Report,
    turns: &Turns,
    (name, what): (&str, &str),
    value: fn(&TurnRow) -> f64,
) -> Option<PageFigure> {
    let seats = Some(report.game_seats).filter(|seats| *seats > 1)?;
    let drawn = (CURVES / seats).max(1).min(report.ranking.len());
    let places = report.ranking.iter().enumerate().flat_map(|row| (1..=seats).map(move |seat| (row, seat)));
    let all: Vec<Series> = places
        .map(|((colour, row), seat)| Series {
            name: format!("{}, player {seat}", row.player),
            points: by_turn(turns, &row.player, Some(seat), value),
            dashed: seat > 1,
            colour,
        })
        .filter(|series| !series.points.is_empty())
        .collect();
    let left_out = match report.ranking.len() {
        count if count > drawn => {
            format!(" The best {} of {}; the data file has all.", drawn, counted(count, "player"))
        }
        _ => String::new(),
    };
    let caption = format!(
        "Mean {what} after each of a player's own turns, by seat; dashed where another seat goes first.{left_out}"
    );
    let drawing = lines("own turn", what, &all[..all.len().min(drawn * seats)], false);
    let columns = format!("player turn {name}");
    Some(PageFigure::new(format!("{name}-by-seat"), caption, drawing, &columns, points(&all)).of(Section::Games))
}

/// Sizes and gains of evolved formulas by turn: for each quantity the medians of all players, then a box plot for each,
/// all on the same axes.
fn sizes(report: &Report, players: &[&str]) -> Vec<PageFigure> {
    let quantities = [
        ("nodes", "nodes", Some(UCT_NODES)),
        ("depth", "depth", Some(UCT_DEPTH)),
        ("gain", "fitness gained, points", None),
    ];
    let mut pictures = Vec::new();
    for (what, title, line) in quantities {
        let rows: Vec<&ShapeRow> =
            report.shapes.iter().filter(|shape| shape.what == what && players.contains(&&*shape.player)).collect();
        let mark = |shape: &&ShapeRow| BoxMark { at: shape.turn as f64, numbers: shape.numbers };
        let all: Vec<BoxMark> = rows.iter().map(mark).collect();
        let said = match what {
            "gain" => {
                "Fitness of the evolved formula less the seed's fitness. Both are measured with few playouts, so \
                       gains are overestimated"
            }
            "nodes" => {
                "The dashed line is UCT (13 nodes). Sizes are before simplification, so nodes without effect count \
                        too"
            }
            _ => "The dashed line is UCT (depth 6). Depths are before simplification",
        };
        if players.len() > 1 && !rows.is_empty() {
            pictures.push(medians((what, title), players, &rows, line));
        }
        for (number, player) in (1..).zip(players) {
            let own: Vec<&ShapeRow> = rows.iter().copied().filter(|shape| shape.player == **player).collect();
            if own.is_empty() {
                continue;
            }
            let drawn: Vec<BoxMark> = own.iter().map(mark).collect();
            let data = own.iter().map(|shape| {
                let key = [shape.player.clone(), shape.turn.to_string(), shape.count.to_string()];
                key.into_iter().chain(shape.numbers.iter().map(f64::to_string)).collect()
            });
            let caption = format!(
                "{player}: {title} by own turn. Boxes are quartiles; whiskers extend to 1.5 interquartile ranges. {said}."
            );
            let drawing = boxes("own turn", title, &drawn, &all, line);
            let columns = "player turn formulas min whisker_low q1 median q3 whisker_high max";
            let figure = PageFigure::new(format!("{what}-{number}"), caption, drawing, columns, data);
            pictures.push(figure.of(Section::Formulas));
        }
    }
    pictures
}

/// The medians of all evolving players by turn.
fn medians((what, title): (&str, &str), players: &[&str], rows: &[&ShapeRow], line: Option<f64>) -> PageFigure {
    const MEDIAN: usize = 3;
    let of = |player: &str| {
        let own = rows.iter().filter(|row| row.player == player);
        own.map(|row| (row.turn as f64, row.numbers[MEDIAN])).collect::<Vec<_>>()
    };
    let mut all: Vec<Series> = (players.iter().enumerate())
        .map(|(colour, player)| Series { name: (*player).to_owned(), points: of(player), dashed: false, colour })
        .collect();
    let data = points(&all);
    all.truncate(CURVES);
    let turns = all.iter().flat_map(|series| series.points.iter().map(|(turn, _)| *turn)).collect::<Vec<_>>();
    let ends = [f64::min, f64::max].map(|end| turns.iter().copied().reduce(end).unwrap_or_default());
    all.extend(line.map(|value| Series {
        name: "UCT".to_owned(),
        points: ends.map(|turn| (turn, value)).into(),
        dashed: true,
        colour: CURVES,
    }));
    let caption = format!("Median {title} by own turn, of all evolving players on the same axes.");
    let drawing = lines("own turn", &format!("median {title}"), &all, false);
    PageFigure::new(what, caption, drawing, "player turn median", data).of(Section::Formulas)
}
