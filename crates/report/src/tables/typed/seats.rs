//! What players do on each seat.

use crate::aggregate::measures::SeatMeasure;
use crate::tables::captions;
use crate::tables::report::Report;
use crate::tables::seats::SeatRow;
use evouct_base::table::{Cell, Digits, Table, Width};

/// Means of the measures by player and seat.
pub(crate) fn measures(report: &Report) -> Table {
    let mut table = Table::of("metrics", "Players by seat", &report.seats)
        .shown(Width::Narrow, "player", "player", |row| Cell::name(&row.player))
        .shown(Width::Narrow, "seat", "seat", |row| Cell::count(row.seat))
        .shown(Width::Full, "games", "games", |row| Cell::Count(row.games));
    let named = |measure: &SeatMeasure| Some((measure.name, measure.heading?));
    let shown = report
        .measures
        .iter()
        .filter_map(named)
        .chain([("playouts", "playouts per game"), ("seconds", "seconds per game")]);
    for (name, heading) in shown {
        // What is scored has its interval beside it; of the others the mean says enough.
        let width = if matches!(name, "score" | "difference") { Width::Narrow } else { Width::Full };
        table = table.shown(width, name, heading, |row: &&SeatRow| {
            Cell::maybe(row.means.get(name), |found| match name {
                "score" => found.cell(Digits::SCORE),
                "difference" => found.cell(Digits::SIGNED),
                "playouts" => Cell::Number(found.mean, Digits::fixed(0)),
                _ => Cell::Number(found.mean, Digits::fixed(2)),
            })
        });
    }
    let unused = captions::unused(report).map_or(String::new(), |unused| format!(" {unused}"));
    table.table().noted("means per game").explained(format!("{}{unused}", report.seats_caption), "players.csv")
}

/// The same as long rows, with all measures: `players.csv`.
pub(crate) fn players_file(report: &Report) -> Table {
    let rows = report.seats.iter().flat_map(|row| row.means.iter().map(move |measure| (row, measure)));
    Table::of("players", "Measures", rows)
        .file("player", |(row, _)| Cell::name(&row.player))
        .file("seat", |(row, _)| Cell::count(row.seat))
        .file("games", |(row, _)| Cell::Count(row.games))
        .file("metric", |(_, (metric, _))| Cell::name(*metric))
        .file("mean, low, high", |(_, (_, statistic))| statistic.cell(Digits::SCORE))
        .table()
}

/// Virtual scores by turn, `turns.csv`.
pub(crate) fn turns(report: &Report) -> Table {
    Table::of("turns", "Turns", &report.turns)
        .file("player", |row| Cell::name(&row.player))
        .file("seat", |row| Cell::count(row.seat))
        .file("turn", |row| Cell::count(row.turn))
        .file("games", |row| Cell::Count(row.games))
        .file("virtual_score", |row| Cell::mean(row.score, Digits::SCORE))
        .file("difference", |row| Cell::mean(row.difference, Digits::SIGNED))
        .file("difference_sd", |row| Cell::number(row.difference_sd, Digits::SCORE))
        .table()
}
