//! `evouct replay`: a recorded game as text, as SVG frames or as a page.

use super::form::{Form, colour, one_of};
use super::{Outcome, output_file, warn};
use crate::carcassonne::{Carcassonne, Transcript};
use crate::domain::{Domain, GameRules};
use crate::error::Failure;
use crate::plural::counted;
use crate::record::{Run, traces};
use crate::registry;
use crate::report::{Show, game_page, one_game, printed};
use crate::store::RecordError;
use crate::table::{Cell, Table, Width};
use clap::Args;
use serde_json::{Value as Json, json};
use std::collections::BTreeSet;
use std::io::Write;
use std::path::{Path, PathBuf};

/// The size limit of a file with a game, in bytes.
const MAX_FILE: u64 = 10_000_000;

#[derive(Args)]
pub(super) struct Arguments {
    /// Run folder, or a file with a game in notation: `[base seats=2 …] J@0,1r1 …`
    #[arg(value_name = "RUN|FILE")]
    place: PathBuf,
    /// Id of the game [default: the first recorded game]
    #[arg(long, alias = "game", value_name = "ID")]
    id: Option<String>,
    /// List the games of the run: id, deck, players by seat, scores, turns
    #[arg(long, conflicts_with_all = ["id", "turn", "show", "svg", "html"])]
    list: bool,
    /// Form of the list
    #[arg(long, value_name = "FORMAT", default_value = "text", requires = "list",
          value_parser = one_of(&[Form::Text, Form::Markdown, Form::Csv, Form::Json]))]
    format: Form,
    /// Show only the board after this turn
    #[arg(long, value_name = "N")]
    turn: Option<usize>,
    /// Show the board after every turn
    #[arg(long)]
    show: bool,
    /// Write a picture of every turn to this folder: turn-000.svg, turn-001.svg …
    #[arg(long, value_name = "DIR")]
    svg: Option<PathBuf>,
    /// Write an HTML page to step through the game
    #[arg(long, value_name = "FILE")]
    html: Option<PathBuf>,
    /// Colours: auto, always or never
    #[arg(long, default_value = "auto", value_parser = ["auto", "always", "never"])]
    color: String,
}

pub(super) fn run(arguments: &Arguments, out: &mut dyn Write) -> Outcome {
    if arguments.list {
        return list(&arguments.place, arguments.format, out);
    }
    let show = if arguments.place.is_dir() {
        of_run(&arguments.place, arguments.id.as_deref())?
    } else {
        of_file(&arguments.place)?
    };
    if let Some(turn) = arguments.turn.filter(|turn| *turn > show.turns.len()) {
        let turns = show.turns.len();
        return Err(Failure::Usage(format!(
            "--turn {turn}: the game has {}, counted from 1 (0 is the start)",
            counted(turns, "turn")
        )));
    }
    if let Some(folder) = &arguments.svg {
        write_frames(&show, folder, arguments.turn)?;
    }
    if let Some(file) = &arguments.html {
        output_file::write(file, &game_page(&show), &output_file::PAGE)?;
        writeln!(out, "page {}", file.display())?;
    }
    if arguments.svg.is_none() && arguments.html.is_none() {
        write_text(&show, arguments, out)?;
    }
    Ok(())
}

/// Lists the games of a run by deck.
fn list(folder: &Path, form: Form, out: &mut dyn Write) -> Outcome {
    let run = Run::open(folder).map_err(Failure::usage)?;
    let scale = run.scale().map_err(Failure::usage)?;
    let mut games = Vec::new();
    let problems = run.games(|game| -> Result<(), RecordError> {
        let turns = game.virtual_scores.len();
        games.push((game.deck, game.id, game.run.players, game.scores, turns));
        Ok(())
    });
    warn(&problems.map_err(Failure::failed)?);
    games.sort();
    let Some(format) = form.of_tables() else {
        let json = |(deck, id, players, scores, turns): (u32, String, Vec<String>, Vec<i32>, usize)| json!({ "id": id, "deck": deck, "players": players, "scores": scale.json(&scores), "turns": turns });
        writeln!(out, "{}", games.into_iter().map(json).collect::<Json>())?;
        return Ok(());
    };
    let seats = games.iter().map(|(_, _, players, ..)| players.len()).max().unwrap_or(0);
    let mut table = Table::of("games", "Games", games)
        .shown(Width::Narrow, "id", "id", |(_, id, ..)| Cell::word(id.clone()))
        .shown(Width::Narrow, "deck", "deck", |(deck, ..)| Cell::Count((*deck).into()));
    for seat in 0..seats {
        table = table.shown(Width::Narrow, "player", format!("player {}", seat + 1), |(_, _, players, ..)| {
            Cell::name(players.get(seat).map_or("", String::as_str))
        });
    }
    let scores = |scores: &[i32]| scores.iter().map(|score| scale.text(*score)).collect::<Vec<_>>().join("-");
    let table = table.shown(Width::Narrow, "scores", "scores", |game| Cell::word(scores(&game.3))).shown(
        Width::Narrow,
        "turns",
        "turns",
        |game| Cell::count(game.4),
    );
    write!(out, "{}", printed(table.table(), format))?;
    Ok(())
}

fn of_run(folder: &Path, id: Option<&str>) -> Result<Show, Failure> {
    let run = Run::open(folder).map_err(Failure::usage)?;
    let experiment = run.experiment().map_err(Failure::usage)?;
    let Some(game) = one_game(&run, id).map_err(Failure::failed)? else {
        let any = one_game(&run, None).map_err(Failure::failed)?;
        let problem = match (id, any) {
            (Some(id), Some(any)) => {
                format!("no game {id} is recorded; the first is {}, and `evouct replay RUN --list` lists all", any.id)
            }
            _ => "no game is recorded yet".to_owned(),
        };
        return Err(Failure::Usage(format!("{}: {problem}", folder.display())));
    };
    let found =
        traces(folder, &BTreeSet::from([game.id.clone()])).map_err(|error: RecordError| Failure::failed(error))?;
    let traces = found.get(&game.id).map(Vec::as_slice).unwrap_or_default();
    Show::of_record(&experiment.rules, &game, traces)
        .map_err(|error| Failure::Failed(format!("game {} cannot be replayed: {error}", game.id)))
}

fn of_file(path: &Path) -> Result<Show, Failure> {
    let wrong = |problem: &dyn std::fmt::Display| Failure::Usage(format!("{}: {problem}", path.display()));
    let text = crate::disk::read_text(path, MAX_FILE).map_err(|error| wrong(&error))?;
    let name = path.file_stem().map_or("game".to_owned(), |name| name.to_string_lossy().into_owned());
    let transcript: Transcript = text.parse().map_err(|error| wrong(&error))?;
    let game = registry::game(<Carcassonne>::NAME).map_err(Failure::Usage)?;
    let rules = GameRules::resolve(game, &transcript.rules.options()).map_err(|errors| wrong(&errors[0]))?;
    let moves = Transcript::events_text(&transcript.events, transcript.rules.tiles);
    Show::of_moves(&name, &rules, &moves).map_err(|error| wrong(&error))
}

fn write_frames(show: &Show, folder: &Path, only: Option<usize>) -> Outcome {
    let pictures = show.rules.domain().pictures(show.rules.options().values(), &show.moves);
    let Some(pictures) = pictures.map_err(Failure::Failed)? else {
        return Err(Failure::Usage(format!("--svg: {} has no drawing", show.rules.domain().name())));
    };
    let frames = pictures.into_iter().enumerate().filter(|(turn, _)| only.is_none_or(|only| only == *turn));
    let frames = frames.map(|(turn, picture)| (format!("turn-{turn:03}.svg"), picture.into_bytes())).collect();
    output_file::write_all(folder, frames).map(drop)
}

fn write_text(show: &Show, arguments: &Arguments, out: &mut dyn Write) -> Outcome {
    let boards = show.rules.domain().texts(show.rules.options().values(), &show.moves, colour(&arguments.color));
    let boards = boards.map_err(Failure::Failed)?.unwrap_or_else(|| vec![String::new(); show.turns.len() + 1]);
    let game = format!("game {}: {}", show.id, show.players.join(" - "));
    if let Some(turn) = arguments.turn {
        write!(out, "{game}, turn {turn} of {}\n\n{}", show.turns.len(), boards[turn])?;
        return Ok(());
    }
    writeln!(out, "{game}")?;
    for (turn, shown) in show.turns.iter().enumerate() {
        for outcome in &shown.aside {
            writeln!(out, "    chance: {outcome}, no decision")?;
        }
        // Fact by fact, each by seat: `score 4-0, meeples 7-6`.
        let facts = show.facts.iter().enumerate().map(|(fact, name)| {
            let seats: Vec<String> = shown.facts.iter().map(|seat| seat[fact].to_string()).collect();
            format!("{name} {}", seats.join("-"))
        });
        let facts: Vec<String> = facts.collect();
        let by = if shown.opening { "opening".to_owned() } else { format!("player {}", shown.seat + 1) };
        writeln!(out, "{:>2}  {by:<8}  {:<18} {}", turn + 1, shown.play, facts.join(", "))?;
        if let Some(formula) = &shown.formula {
            writeln!(out, "    by {formula}")?;
        }
        for considered in &shown.best {
            writeln!(out, "    {:<18} {:>6} visits, mean {:+.2}", considered.play, considered.visits, considered.mean)?;
        }
        if arguments.show {
            writeln!(out, "\n{}", boards[turn + 1])?;
        }
    }
    if !arguments.show {
        writeln!(out, "\n{}", boards[show.turns.len()])?;
    }
    Ok(())
}
