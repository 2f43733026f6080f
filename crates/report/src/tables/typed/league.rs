//! The ranking of a league, its matches and ratings, and the games that are in no statistic.

use super::{costs, ends};
use crate::tables::captions;
use crate::tables::faults::lost_on_time;
use crate::tables::matches::{MatchRow, RankingRow};
use crate::tables::report::Report;
use crate::tables::sweep::Sweep;
use evouct_base::table::{Cell, Digits, Table, Width};
use evouct_league::config::Experiment;

/// The ranking, `ranking.csv`.
pub(crate) fn ranking(report: &Report) -> Table {
    let several = report.several();
    let contestant = |row: &&RankingRow| several.and_then(|gauntlet| gauntlet.row_of(&row.player));
    let test = |row: &&RankingRow| contestant(row).and_then(|row| row.of_means.as_ref());
    let is_swiss = report.rounds.is_some();
    let table = Table::of("ranking", "Ranking", &report.ranking)
        .column(Width::Narrow, "rank", "", |row| Cell::maybe(row.rank, Cell::count))
        .column(Width::Narrow, "player", "player", |row| Cell::name(&row.player))
        .column(Width::Narrow, "points", "points", |row| Cell::Count(row.standing.points))
        .when(is_swiss, |table| {
            table.shown(Width::Narrow, "buchholz", "Buchholz", |row| Cell::maybe(row.buchholz, Cell::Count))
        })
        .column(Width::Full, "bwp", "bwp", |row| Cell::Count(row.standing.bwp))
        .column(Width::Full, "blp", "blp", |row| Cell::Count(row.standing.blp))
        .column(Width::Full, "wins", "W", |row| Cell::Count(row.standing.wins))
        .column(Width::Full, "losses", "L", |row| Cell::Count(row.standing.losses))
        .column(Width::Full, "draws", "D", |row| Cell::Count(row.standing.draws))
        .column(Width::Full, "pd", "PD", |row| Cell::mean(row.standing.pd, Digits::SIGNED))
        .file("games", |row| Cell::Count(row.games))
        .file("games_won", |row| Cell::Count(row.games_won))
        .file("games_drawn", |row| Cell::Count(row.games_drawn))
        .shown(Width::Brief, "games-won", "won", |row| Cell::of(row.won_of()))
        .column(Width::Full, "score, score_low, score_high", "score", |row| row.score.cell(Digits::SCORE))
        .column(Width::Narrow, "difference, difference_low, difference_high", "difference", |row| {
            row.difference.cell(Digits::SIGNED)
        })
        .when(is_swiss, |table| table.file("buchholz", |row| Cell::maybe(row.buchholz, Cell::Count)))
        .when(several.is_some() && !is_swiss, |table| {
            table
                .file("units", |row| Cell::maybe(test(row), |test| Cell::Count(test.units)))
                .file("p", |row| Cell::p(test(row).and_then(|test| test.paired.as_ref().ok()).map(|test| test.p)))
                .file("holm_p", |row| Cell::corrected_p(contestant(row).and_then(|row| row.holm)))
        });
    let points = match report.game_seats {
        2 if report.is_of_neighbours() => {
            "4 points per match won, 2 per match drawn, and bonus, against the neighbours in the file only"
        }
        2 if is_swiss => "4 points per match won, 2 per match drawn, and bonus; Buchholz: points of all opponents",
        2 => "4 points per match won, 2 per match drawn, and bonus",
        _ => "2 points per player beaten in a game or on a deck, 1 per tie",
    };
    let note = format!(
        "{points}; ± is 95 %{}; playouts and time per decision; deck: whether search sees what is to come",
        captions::chosen(report)
    );
    let caption = format!("{} {}{}", captions::ranking(report), captions::costs(), lost_on_time(report.lost_on_time));
    costs(table, |row| Some(&row.cost)).table().noted(note).explained(caption, "ranking.csv")
}

/// What decisions cost, `costs.csv`.
pub(crate) fn costs_file(report: &Report) -> Table {
    let number = |value| Cell::number(value, Digits::SCORE);
    Table::of("costs", "Costs", &report.ranking)
        .file("player", |row| Cell::name(&row.player))
        .file("playouts_per_decision", |row| number(row.cost.playouts))
        .file("nodes_per_decision", |row| number(row.cost.nodes))
        .file("seconds_per_decision", |row| number(row.cost.seconds))
        .file("sees_deck", |row| Cell::Flag(row.cost.sees_deck))
        .table()
}

/// The matches, `matches.csv`.
pub(crate) fn matches(report: &Report) -> Table {
    let printed = |row: &&MatchRow| {
        let matches = report.paper.iter().flat_map(|paper| &paper.matches);
        matches.clone().find(|printed| printed.home == row.home && printed.away == row.away)
    };
    Table::of("matches", "Matches", &report.matches)
        .column(Width::Narrow, "home", "player 1", |row| Cell::name(&row.home))
        .column(Width::Narrow, "away", "player 2", |row| Cell::name(&row.away))
        .column(Width::Brief, "games", "games", |row| Cell::Count(row.games))
        .column(Width::Narrow, "home_wins", "won by 1", |row| Cell::Count(row.home_wins))
        .column(Width::Narrow, "away_wins", "won by 2", |row| Cell::Count(row.away_wins))
        .column(Width::Narrow, "draws", "drawn", |row| Cell::Count(row.draws))
        .column(Width::Narrow, "difference, difference_low, difference_high", "difference", |row| {
            row.difference.cell(Digits::SIGNED)
        })
        .file("printed_games", |row| Cell::maybe(printed(row), |row| Cell::Count(row.printed_games)))
        .file("printed_home_wins", |row| Cell::maybe(printed(row), |row| Cell::Count(row.printed_home_wins)))
        .file("printed_away_wins", |row| Cell::maybe(printed(row), |row| Cell::Count(row.printed_away_wins)))
        .table()
        .explained(captions::matches(report), "matches.csv")
}

/// Games won in each match, as a square.
pub(crate) fn cross_table(report: &Report) -> Table {
    let mut table = Table::of(
        "square",
        "Games won by the row as player 1 - by the column as player 2; draws are not counted",
        (1..).zip(&report.ranking),
    )
    .shown(Width::Narrow, "number", "", |(number, _)| Cell::word(format!("({number})")))
    .shown(Width::Narrow, "player", "", |(_, row)| Cell::name(&row.player));
    for (number, away) in (1..).zip(&report.ranking) {
        table = table.shown(Width::Narrow, "away", format!("({number})"), |(_, home): &(usize, &RankingRow)| {
            let found = report.matches.iter().find(|row| row.home == home.player && row.away == away.player);
            Cell::maybe(found, MatchRow::won)
        });
    }
    table.table()
}

/// The ratings.
pub(crate) fn ratings(report: &Report) -> Table {
    let digits = Digits::signed(0);
    let table = Table::of("ratings", "Ratings", &report.ratings.rows)
        .column(Width::Narrow, "player", "player", |row| Cell::name(&row.player))
        .column(Width::Narrow, "elo", "Elo", |row| Cell::Number(row.elo, digits))
        .column(Width::Narrow, "elo_low, elo_high", "95 %", |row| Cell::interval(ends(row.interval), digits));
    let ranked = |player: &String| report.ranking.iter().find(|ranked| ranked.player == *player);
    let warning = captions::cycle(report).map_or(String::new(), |warning| format!(" {warning}"));
    costs(table, |row| ranked(&row.player).map(|ranked| &ranked.cost))
        .table()
        .noted("Bradley-Terry, Elo scale; no interval with fewer than five decks, or where all games between two groups went one way")
        .explained(captions::ratings(report) + &warning, "report.json")
}

/// Strength over a parameter.
pub(crate) fn sweep(sweep: &Sweep) -> Table {
    Table::of("sweep", captions::sweep(sweep), sweep.shown())
        .column(Width::Narrow, "player", "player", |(point, _)| Cell::name(&point.player))
        .column(Width::Narrow, "value", sweep.parameter, |(point, _)| Cell::Number(point.value, Digits::SHORTEST))
        .column(Width::Narrow, "difference, low, high", "difference", |(_, difference)| difference.cell(Digits::SIGNED))
        .table()
}

/// The players and what they are.
pub(crate) fn players(experiment: &Experiment) -> Table {
    Table::of("players", "Players", &experiment.players)
        .column(Width::Narrow, "player", "player", |player| Cell::name(&player.name))
        .column(Width::Narrow, "identity", "identity", |player| Cell::word(player.identity.short()))
        .column(Width::Narrow, "spec", "kind, and parameters that differ from preset as-printed", |player| {
            Cell::name(player.spec.description())
        })
        .table()
        .explained("", "manifest.json")
}

/// The games that players lost by faults.
pub(crate) fn faults(report: &Report) -> Table {
    Table::of("faults", "Faults", &report.faults)
        .column(Width::Narrow, "player", "player", |row| Cell::name(&row.player))
        .column(Width::Narrow, "games", "games", |row| Cell::Count(row.games))
        .column(Width::Narrow, "faults", "lost by faults", |row| Cell::Count(row.faults))
        .column(Width::Narrow, "reasons", "reasons", |row| Cell::word(row.words()))
        .table()
        .explained(captions::faults(report), "report.json")
}

/// The games that failed.
pub(crate) fn failures(report: &Report) -> Table {
    Table::of("failures", "Failures", &report.failures)
        .column(Width::Narrow, "game", "game", |row| Cell::name(&row.game))
        .column(Width::Narrow, "players", "players", |row| Cell::name(row.players.join(" – ")))
        .column(Width::Narrow, "ended", "ended", |row| Cell::name(&row.ended))
        .column(Width::Narrow, "message", "message", |row| Cell::name(&row.message))
        .column(Width::Narrow, "repeat", "repeat", |row| Cell::name(&row.repeat))
        .table()
        .explained(captions::FAILURES, "report.json")
}
