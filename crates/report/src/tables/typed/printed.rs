//! Printed numbers beside ours.

use super::ends;
use crate::tables::captions;
use crate::tables::paper::{PaperRank, PrintedComparison};
use crate::tables::paper_pairs::PairScore;
use evouct_base::named::Named;
use evouct_base::table::{Cell, Digits, Table, TableOf, Width};
use evouct_league::config::Verdict;

/// Where the numbers are printed.
fn source(paper: &PrintedComparison) -> String {
    match (&paper.source, &paper.table) {
        (Some(source), Some(table)) => format!("{source}, table {table}"),
        (Some(source), None) => source.clone(),
        (None, Some(table)) => format!("table {table}"),
        (None, None) => "the paper".to_owned(),
    }
}

/// A verdict; one that differs stands out.
pub(crate) fn verdict(verdict: Verdict) -> Cell {
    if verdict == Verdict::Differs { Cell::Strong(verdict.name()) } else { Cell::word(verdict.name()) }
}

/// The columns of the p-value of a difference and of its verdict.
fn judged<R>(table: TableOf<R>, of: impl Fn(&R) -> (Option<f64>, Verdict)) -> TableOf<R> {
    table
        .shown(Width::Narrow, "p", "p", |row| Cell::p(of(row).0))
        .shown(Width::Brief, "verdict", "verdict", |row| verdict(of(row).1))
}

/// Points and ranks.
pub(crate) fn points(paper: &PrintedComparison) -> Table {
    let table = Table::of("paper-ranking", format!("Points printed in {}, and here", source(paper)), &paper.ranking)
        .shown(Width::Narrow, "player", "player", |row| Cell::name(&row.player))
        .shown(Width::Narrow, "printed-rank", "rank", |row| Cell::count(row.printed_rank))
        .shown(Width::Narrow, "rank", "here", |row| Cell::maybe(row.rank, Cell::count))
        .shown(Width::Narrow, "printed-points", "points", |row| Cell::number(row.printed_points, Digits::SHORTEST))
        .shown(Width::Narrow, "points", "here", |row| Cell::maybe(row.points, Cell::Count))
        .shown(Width::Full, "interval", "95 %", |row| Cell::interval(ends(row.points_interval), Digits::fixed(0)));
    judged(table, |row| (row.points_p, row.verdict))
        .table()
        .noted("95 %: points of leagues of that size drawn from our games")
        .explained(captions::verdicts("points", &paper.ranking_verdicts), "report.json")
}

/// Sums of score differences.
pub(crate) fn pd(paper: &PrintedComparison) -> Table {
    let pd = |value| Cell::number(value, Digits::SIGNED);
    Table::of("paper-pd", format!("PD printed in {}, and here", source(paper)), &paper.ranking)
        .shown(Width::Narrow, "player", "player", |row: &&PaperRank| Cell::name(&row.player))
        .shown(Width::Brief, "printed-pd", "PD", |row| pd(row.printed_pd))
        .shown(Width::Brief, "pd", "here", |row| pd(row.pd))
        .shown(Width::Brief, "pd-p", "p", |row| Cell::p(row.pd_p))
        .shown(Width::Brief, "pd-verdict", "verdict", |row| verdict(row.pd_verdict))
        .table()
        .explained(captions::verdicts("PD", &paper.pd_verdicts), "report.json")
}

/// Points, ranks and sums of score differences.
pub(crate) fn ranking(paper: &PrintedComparison) -> Table {
    let (points, pd) = (points(paper), pd(paper));
    let caption = format!("{} {}", points.caption, pd.caption);
    points.beside(pd).explained(caption, "report.json")
}

/// Matches.
pub(crate) fn of_matches(paper: &PrintedComparison) -> Table {
    let title = format!("Matches printed in {}, and here", source(paper));
    let table = Table::of("paper-matches", title, &paper.matches)
        .shown(Width::Narrow, "player-1", "player 1", |row| Cell::name(&row.home))
        .shown(Width::Narrow, "player-2", "player 2", |row| Cell::name(&row.away))
        .shown(Width::Narrow, "printed", "printed", |row| {
            Cell::Record(vec![row.printed_home_wins, row.printed_away_wins])
        })
        .shown(Width::Brief, "printed-games", "of", |row| Cell::Count(row.printed_games))
        .shown(Width::Narrow, "here", "here", |row| Cell::Record(vec![row.home_wins, row.away_wins]))
        .shown(Width::Brief, "games", "of", |row| Cell::Count(row.games))
        .shown(Width::Full, "share", "share of player 1, 95 %", |row| {
            Cell::interval(ends(row.home_share), Digits::fixed(2))
        });
    judged(table, |row| (row.p, row.verdict))
        .table()
        .noted("games won by player 1 - by player 2")
        .explained(captions::verdicts("matches", &paper.match_verdicts), "matches.csv")
}

/// Means by player and seat.
pub(crate) fn means(paper: &PrintedComparison) -> Table {
    let table = Table::of("paper-means", format!("Means printed in {}, and here", source(paper)), &paper.seats)
        .shown(Width::Narrow, "player", "player", |row| Cell::name(&row.player))
        .shown(Width::Narrow, "seat", "seat", |row| Cell::count(row.seat))
        .shown(Width::Narrow, "measure", "what", |row| Cell::word(row.measure))
        .shown(Width::Narrow, "printed", "printed", |row| Cell::Number(row.printed, Digits::SHORTEST))
        .shown(Width::Brief, "printed-games", "of", |row| Cell::Count(row.printed_games))
        .shown(Width::Narrow, "here", "here", |row| Cell::maybe(row.here, |here| here.cell(Digits::SCORE)))
        .shown(Width::Brief, "games", "of", |row| Cell::Count(row.games));
    judged(table, |row| (row.p, row.verdict))
        .table()
        .explained(captions::verdicts("means", &paper.seat_verdicts), "report.json")
}

/// Games won, drawn and lost.
fn record(score: &PairScore) -> Cell {
    Cell::Record(vec![score.wins, score.draws, score.losses])
}

/// The scoring rate in per cent with its 90 % bound.
fn rate(score: &PairScore) -> Cell {
    Cell::maybe(score.rate(), |(rate, bound)| {
        let ends = [rate - bound, rate + bound].map(|end| 100.0 * end);
        Cell::Mean { mean: 100.0 * rate, ends: Some(ends), is_even: true, digits: Digits::fixed(2) }
    })
}

/// Pairs of players on both seats together.
pub(crate) fn pairs(paper: &PrintedComparison) -> Table {
    let title = format!("Both seats together, printed in {}, and here", source(paper));
    let table = Table::of("paper-pairs", title, &paper.pairs)
        .shown(Width::Narrow, "player", "player", |row| Cell::name(&row.player))
        .shown(Width::Narrow, "against", "against", |row| Cell::name(&row.opponent))
        .shown(Width::Brief, "printed", "printed", |row| record(&row.printed))
        .shown(Width::Narrow, "printed-rate", "rate %", |row| rate(&row.printed))
        .shown(Width::Brief, "here", "here", |row| record(&row.here))
        .shown(Width::Narrow, "rate", "rate %", |row| rate(&row.here));
    judged(table, |row| (row.p, row.verdict))
        .table()
        .noted("won - drawn - lost; scoring rate ± is 90 %")
        .explained(captions::verdicts("pairs", &paper.pair_verdicts), "report.json")
}

/// Means of pairs of players on both seats together.
pub(crate) fn pair_means(paper: &PrintedComparison) -> Table {
    let title = format!("Means of both seats together, printed in {}, and here", source(paper));
    let table = Table::of("paper-pair-means", title, paper.pairs.iter().flat_map(|row| &row.means))
        .shown(Width::Narrow, "player", "player", |row| Cell::name(&row.player))
        .shown(Width::Narrow, "against", "against", |row| Cell::name(&row.opponent))
        .shown(Width::Narrow, "measure", "what", |row| Cell::word(row.measure))
        .shown(Width::Narrow, "printed", "printed", |row| Cell::Number(row.printed, Digits::SHORTEST))
        .shown(Width::Narrow, "here", "here", |row| Cell::maybe(row.here, |here| here.cell(Digits::SCORE)));
    judged(table, |row| (row.p, row.verdict))
        .table()
        .explained(captions::verdicts("mean points", &paper.pair_point_verdicts), "report.json")
}
