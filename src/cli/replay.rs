//! `evouct replay`: a recorded game as text, as SVG frames or as a page.

use super::Outcome;
use clap::Args;
use evouct::carcassonne::{BoardText, Transcript};
use evouct::error::Failure;
use evouct::record::{RecordError, Run, traces};
use evouct::report::{Show, game_page, one_game};
use std::collections::BTreeSet;
use std::io::Write;
use std::path::{Path, PathBuf};

/// The largest file of a game that is read, in bytes.
const MAX_FILE: u64 = 10_000_000;

#[derive(Args)]
pub(super) struct Arguments {
    /// A run folder, or a file with a game in notation: `[base seats=2 …] J@0,1r1 …`
    place: PathBuf,
    /// The game's id; the first recorded game without it
    #[arg(long, value_name = "ID")]
    game: Option<String>,
    /// Show the board after this turn alone
    #[arg(long, value_name = "N")]
    turn: Option<usize>,
    /// Show the board after every turn
    #[arg(long)]
    show: bool,
    /// Write a picture of every turn into this folder: turn-000.svg, turn-001.svg …
    #[arg(long, value_name = "DIR")]
    svg: Option<PathBuf>,
    /// Write a page to step through the game in a browser
    #[arg(long, value_name = "FILE")]
    html: Option<PathBuf>,
    /// Colours: auto, always or never
    #[arg(long, default_value = "auto", value_parser = ["auto", "always", "never"])]
    color: String,
}

pub(super) fn run(arguments: &Arguments, out: &mut dyn Write) -> Outcome {
    let show = if arguments.place.is_dir() {
        of_run(&arguments.place, arguments.game.as_deref())?
    } else {
        of_file(&arguments.place)?
    };
    if let Some(turn) = arguments.turn.filter(|turn| *turn > show.film.turns()) {
        let turns = show.film.turns();
        return Err(Failure::Usage(format!(
            "--turn {turn}: the game has {turns} turns, counted from 1 (0 is the start)"
        )));
    }
    if let Some(folder) = &arguments.svg {
        write_frames(&show, folder, arguments.turn)?;
    }
    if let Some(file) = &arguments.html {
        std::fs::write(file, game_page(&show)).map_err(|error| cannot_write(file, &error))?;
    }
    if arguments.svg.is_none() && arguments.html.is_none() {
        write_text(&show, arguments, out)?;
    }
    Ok(())
}

fn cannot_write(path: &Path, error: &std::io::Error) -> Failure {
    Failure::Failed(format!("{}: cannot write: {error}", path.display()))
}

fn of_run(folder: &Path, id: Option<&str>) -> Result<Show, Failure> {
    let run = Run::open(folder).map_err(Failure::usage)?;
    let experiment = run.experiment().map_err(Failure::usage)?;
    let game = one_game(&run, id).map_err(Failure::failed)?.ok_or_else(|| match id {
        Some(id) => Failure::Usage(format!(
            "{}: no game {id} is recorded; ids look like 1-6e66e3a9-57e9766b and stand first in each line of the journal",
            folder.display()
        )),
        None => Failure::Usage(format!("{}: no game is recorded yet", folder.display())),
    })?;
    let found =
        traces(folder, &BTreeSet::from([game.id.clone()])).map_err(|error: RecordError| Failure::failed(error))?;
    let traces = found.get(&game.id).map(Vec::as_slice).unwrap_or_default();
    Show::of_record(experiment.rules, &game, traces)
        .map_err(|error| Failure::Failed(format!("game {} cannot be replayed: {error}", game.id)))
}

fn of_file(path: &Path) -> Result<Show, Failure> {
    let wrong = |problem: &dyn std::fmt::Display| Failure::Usage(format!("{}: {problem}", path.display()));
    let length = std::fs::metadata(path).map_err(|error| wrong(&error))?.len();
    if length > MAX_FILE {
        return Err(wrong(&format!("a game has at most {MAX_FILE} bytes, found {length}")));
    }
    let text = std::fs::read_to_string(path).map_err(|error| wrong(&error))?;
    let transcript: Transcript = text.parse().map_err(|error| wrong(&error))?;
    let name = path.file_stem().map_or("game".to_owned(), |name| name.to_string_lossy().into_owned());
    Show::of_transcript(&name, &transcript).map_err(|error| wrong(&error))
}

fn write_frames(show: &Show, folder: &Path, only: Option<usize>) -> Outcome {
    std::fs::create_dir_all(folder).map_err(|error| cannot_write(folder, &error))?;
    for turn in (0..=show.film.turns()).filter(|turn| only.is_none_or(|only| only == *turn)) {
        let path = folder.join(format!("turn-{turn:03}.svg"));
        std::fs::write(&path, show.film.frame(turn).to_string()).map_err(|error| cannot_write(&path, &error))?;
    }
    Ok(())
}

fn write_text(show: &Show, arguments: &Arguments, out: &mut dyn Write) -> Outcome {
    let coloured = match arguments.color.as_str() {
        "always" => true,
        "never" => false,
        _ => std::io::IsTerminal::is_terminal(&std::io::stdout()) && std::env::var_os("NO_COLOR").is_none(),
    };
    let board = |turn: usize| {
        let state = show.film.after(turn);
        if coloured { BoardText::coloured(state).to_string() } else { BoardText::plain(state).to_string() }
    };
    if let Some(turn) = arguments.turn {
        write!(out, "{}", board(turn))?;
        return Ok(());
    }
    writeln!(out, "game {}: {}", show.id, show.players.join(" - "))?;
    let join = |scores: &[u16]| scores.iter().map(u16::to_string).collect::<Vec<_>>().join("-");
    for (turn, shown) in show.turns.iter().enumerate() {
        let (scores, at_end) = (join(&shown.scores), join(&shown.virtual_scores));
        for tile in &shown.aside {
            writeln!(out, "    tile {tile} fits nowhere and is set aside")?;
        }
        writeln!(out, "{:>2}  player {}  {:<18} {scores} (virtual {at_end})", turn + 1, shown.seat + 1, shown.play)?;
        if let Some(formula) = &shown.formula {
            writeln!(out, "    by {formula}")?;
        }
        for considered in &shown.best {
            writeln!(out, "    {:<18} {:>6} visits, mean {:+.2}", considered.play, considered.visits, considered.mean)?;
        }
        if arguments.show {
            writeln!(out, "\n{}", board(turn + 1))?;
        }
    }
    if !arguments.show {
        writeln!(out, "\n{}", board(show.film.turns()))?;
    }
    Ok(())
}
