//! Where a run, a tuning or an evolution stands, in the forms of `evouct status`.

use super::phrases::at_most;
use crate::league::{JournalStatus, Status};
use crate::plural::counted;
use crate::record::Run;
use crate::report::{Format, printed};
use crate::store::{Problem, RecordError};
use crate::table::{Cell, Digits, Table, Width};
use indicatif::HumanDuration;
use serde_json::{Value as Json, json};
use std::collections::BTreeMap;
use std::time::Duration;

/// Where a run, a tuning or an evolution stands.
pub(super) struct Standing {
    /// Its games or measurements that are missing; none where only a program that knows the game can say it.
    pub missing: Option<u64>,
    /// For a person; the first line is about the whole.
    pub text: String,
    /// For a program.
    pub json: Json,
    /// The whole, and its parts.
    pub rows: Vec<StandingRow>,
    /// What is wrong with the records; the text and the JSON have it, too.
    pub problems: Vec<String>,
}

/// A row of the table: the whole, or a part of it with games of its own.
#[derive(Default)]
pub(super) struct StandingRow {
    /// What it is called.
    pub name: String,
    /// What it is doing, in words.
    pub state: String,
    /// Games or measurements that are recorded, and how many there will be if that is known.
    pub recorded: Option<(u64, Option<u64>)>,
    /// Those that are missing.
    pub missing: Option<u64>,
    /// Games that failed.
    pub failed: Option<u64>,
    /// Recent games per second while a process is playing.
    pub per_second: Option<f64>,
    /// Seconds until the games being played are done.
    pub seconds_left: Option<f64>,
}

impl StandingRow {
    /// Those that are recorded, and how many there will be.
    fn recorded(&self) -> Cell {
        Cell::maybe(self.recorded, |(recorded, of)| match of {
            Some(all) => Cell::Of(recorded, all),
            None => Cell::Count(recorded),
        })
    }
}

/// The table of these rows.
pub(super) fn table(title: &str, rows: Vec<StandingRow>, format: Format) -> String {
    let table = Table::of("status", title, rows)
        .shown(Width::Narrow, "name", "name", |row| Cell::name(&row.name))
        .shown(Width::Narrow, "state", "state", |row| Cell::word(row.state.clone()))
        .shown(Width::Narrow, "recorded", "recorded", StandingRow::recorded)
        .shown(Width::Narrow, "missing", "missing", |row| Cell::maybe(row.missing, Cell::Count))
        .shown(Width::Narrow, "failed", "failed", |row| Cell::maybe(row.failed, Cell::Count))
        .shown(Width::Narrow, "per-second", "per second", |row| Cell::number(row.per_second, Digits::fixed(2)))
        .shown(Width::Narrow, "left", "seconds left", |row| Cell::number(row.seconds_left, Digits::fixed(0)));
    printed(table.table(), format)
}

impl Standing {
    /// That of a run.
    pub(super) fn of_run(status: &Status) -> Standing {
        Standing {
            missing: Some(status.missing),
            text: text(status),
            json: json!(status),
            rows: rows(status),
            problems: overlaps(status).chain(status.problems.iter().cloned()).collect(),
        }
    }
}

impl Standing {
    /// That of a run of a game that this program does not have: what the lines of its journals say.
    ///
    /// # Errors
    /// If a journal cannot be read.
    pub(super) fn of_lines(run: &Run) -> Result<Standing, RecordError> {
        // Whether each game has a result.
        let mut games: BTreeMap<String, bool> = BTreeMap::new();
        let problems = run.lines(|_, _, game| -> Result<(), RecordError> {
            *games.entry(game.id.clone()).or_default() |= game.is_result();
            Ok(())
        })?;
        let (name, game) = (run.header.name.clone(), &run.header.experiment.game);
        let (recorded, failed) = (games.len() as u64, games.values().filter(|is_result| !**is_result).count() as u64);
        let state = format!("the game {game} is not here");
        Ok(Standing {
            missing: None,
            text: format!(
                "{name}: {} recorded, {failed} failed; {state}, so it is not known how many are missing\n",
                counted(recorded, "game")
            ),
            json: json!({ "name": name, "recorded": recorded, "failed": failed, "missing": null, "game": game }),
            rows: vec![StandingRow {
                name,
                state,
                recorded: Some((recorded, None)),
                failed: Some(failed),
                ..StandingRow::default()
            }],
            problems: problems.iter().map(Problem::to_string).collect(),
        })
    }
}

/// What a run or a journal of it is doing.
fn state(missing: u64, is_playing: bool, may_end: bool) -> String {
    let words = match (missing, is_playing) {
        (0, _) => "complete",
        (_, true) => "being played",
        (_, false) => "not being played",
    };
    let most = if may_end && missing > 0 { ", may end early" } else { "" };
    format!("{words}{most}")
}

/// The row of a whole run.
pub(super) fn whole(status: &Status) -> StandingRow {
    let is_played = status.journals.iter().any(|journal| journal.being_written);
    StandingRow {
        name: status.name.clone(),
        state: state(status.missing, is_played, status.at_most),
        recorded: Some((status.recorded, Some(status.scheduled))),
        missing: Some(status.missing),
        failed: Some(status.failed),
        per_second: status.games_per_second,
        seconds_left: status.seconds_left,
    }
}

/// The whole run; its journals where there are several or that of a shard; and the shards without one.
fn rows(status: &Status) -> Vec<StandingRow> {
    let journals = journals(status).map(|journal| StandingRow {
        name: journal.file.clone(),
        state: state(journal.missing, journal.being_written, status.at_most),
        recorded: Some((journal.games, None)),
        missing: Some(journal.missing),
        per_second: journal.games_per_second,
        ..StandingRow::default()
    });
    let shards = status.missing_shards.iter().filter(|shard| !shard.begun).map(|shard| StandingRow {
        name: format!("shard {}", shard.shard),
        state: "never started".to_owned(),
        recorded: Some((0, None)),
        missing: Some(shard.missing),
        ..StandingRow::default()
    });
    std::iter::once(whole(status)).chain(journals).chain(shards).collect()
}

/// The journals of a run, unless one holds all of it: then the run says the same.
fn journals(status: &Status) -> impl Iterator<Item = &JournalStatus> {
    let journals = &status.journals;
    let says_more = journals.len() > 1 || journals.iter().any(|journal| journal.shard.is_some());
    journals.iter().filter(move |_| says_more)
}

fn overlaps(status: &Status) -> impl Iterator<Item = String> {
    status.overlaps.iter().map(|overlap| {
        let (first, second, games) = (&overlap.first, &overlap.second, counted(overlap.games, "game"));
        if first == second {
            format!("overlap: {first} has {games} twice")
        } else {
            format!("overlap: {first} and {second} both have {games}; the first record counts")
        }
    })
}

/// A run for a person.
pub(super) fn text(status: &Status) -> String {
    let at_most = at_most(status.at_most);
    let mut lines = vec![format!(
        "{}: {} of {at_most}{} recorded, {at_most}{} missing, {} failed",
        status.name,
        status.recorded,
        counted(status.scheduled, "game"),
        status.missing,
        status.failed
    )];
    let working = status.journals.iter().filter(|journal| journal.being_written).count();
    let duration = |seconds: f64| HumanDuration(Duration::from_secs_f64(seconds.min(1e9)));
    match (working, status.games_per_second, status.seconds_left) {
        _ if status.missing == 0 => {}
        (0, ..) => lines.push("no process is playing; the same command resumes the run".to_owned()),
        (_, Some(rate), Some(left)) => {
            lines.push(format!("{rate:.2} games/s, {at_most}{} left for the games being played", duration(left)));
        }
        _ => lines.push("being played, not long enough for a rate".to_owned()),
    }
    for journal in journals(status) {
        let part = journal.shard.as_ref().map_or("whole run".to_owned(), |shard| format!("shard {shard}"));
        let rate = match (journal.being_written, journal.games_per_second) {
            (true, Some(rate)) => format!(", {rate:.2} games/s"),
            (true, None) => ", being written".to_owned(),
            (false, _) => String::new(),
        };
        lines.push(format!(
            "  {}: {part}, {}, {}{} missing{rate}",
            journal.file,
            counted(journal.games, "game"),
            if journal.missing > 0 { at_most } else { "" },
            journal.missing
        ));
    }
    for shard in &status.missing_shards {
        let begun = if shard.begun { "is not being played" } else { "was never started" };
        lines.push(format!("missing: shard {} {begun}, {at_most}{}", shard.shard, counted(shard.missing, "game")));
    }
    lines.extend(overlaps(status));
    lines.extend(status.problems.iter().cloned());
    lines.join("\n") + "\n"
}
