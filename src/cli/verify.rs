//! `evouct verify`: checks recorded games against the rules and replays a sample.

use super::phrases::wrong_and_unread;
use super::{Outcome, programs, signals};
use super::{evolution_folder, evolution_set};
use crate::clock::WallClock;
use crate::config::Contender;
use crate::error::Failure;
use crate::league::{Discrepancy, Replayed, Sample, Verifier};
use crate::offline::EvolutionFolder;
use crate::plural::{counted, is_or_are, was_or_were};
use crate::record::Run;
use crate::tune::Tuning;
use clap::Args;
use std::io::Write;
use std::path::PathBuf;
use std::sync::atomic::AtomicBool;

#[derive(Args)]
pub(super) struct Arguments {
    /// The folder of a run, of a tuning or of an evolution
    #[arg(value_name = "RUN")]
    folder: PathBuf,
    /// Number of games to play again, drawn by --seed; 0 for none
    #[arg(long, default_value_t = 5, value_name = "N")]
    games: usize,
    /// Play only this game again
    #[arg(long, alias = "game", value_name = "ID")]
    id: Option<String>,
    /// The bank that an evolution used, to make its measurements again
    #[arg(long, value_name = "DIR")]
    bank: Option<PathBuf>,
    /// Also play again what other programs have played that are declared deterministic: starts the commands that the
    /// folder names
    #[arg(long)]
    programs: bool,
    /// Seed of the sample of games
    #[arg(long, default_value_t = 1)]
    seed: u64,
}

pub(super) fn run(arguments: &Arguments, out: &mut dyn Write) -> Outcome {
    if let Some(evolution) = evolution_folder::open(&arguments.folder)? {
        return check_evolution(&evolution, arguments, out);
    }
    if let Some(set) = evolution_set::open(&arguments.folder)? {
        return evolution_set::verify(&set, out, |evolution, out| check_evolution(evolution, arguments, out));
    }
    if arguments.bank.is_some() {
        return Err(Failure::Usage("--bank is for the folder of an evolution".to_owned()));
    }
    let Some(tuning) = Tuning::open(&arguments.folder).map_err(Failure::usage)? else {
        return check(&Run::open(&arguments.folder).map_err(Failure::usage)?, arguments, out);
    };
    if arguments.id.is_some() {
        let folder = arguments.folder.display();
        let problem = format!("{folder}: --id needs the folder of one run, such as {folder}/round-1");
        return Err(Failure::Usage(problem));
    }
    let mut wrong = Vec::new();
    for stage in tuning.course().map_err(Failure::failed)?.stages() {
        let Some(run) = stage.open(tuning.folder()).map_err(Failure::failed)? else { continue };
        writeln!(out, "{}:", stage.name)?;
        match check(&run, arguments, out) {
            Err(Failure::Failed(problem)) => wrong.push(format!("{}: {problem}", stage.name)),
            outcome => outcome?,
        }
    }
    if wrong.is_empty() { Ok(()) } else { Err(Failure::Failed(wrong.join("; "))) }
}

/// Makes some measurements of an evolution again.
fn check_evolution(evolution: &EvolutionFolder, arguments: &Arguments, out: &mut dyn Write) -> Outcome {
    if arguments.id.is_some() {
        return Err(Failure::Usage("--id is for runs; an evolution has measurements".to_owned()));
    }
    let sample = (arguments.games, arguments.seed);
    let opponents = &evolution.plan().opponents();
    if let Some(opponent) = opponents.iter().find(|opponent| opponent.spec.kind().is_program() && !arguments.programs) {
        let folder = arguments.folder.display();
        let problem = format!("{folder}: the opponent {} is another program; --programs starts it", opponent.name);
        return Err(Failure::Usage(problem));
    }
    signals::watch_for_programs(opponents.iter().map(|opponent| &opponent.spec));
    if arguments.games > 0 {
        programs::check(opponents, &AtomicBool::new(false))?;
    }
    evolution_folder::verify(evolution, arguments.bank.as_deref(), sample, out)
}

/// Verifies one run.
fn check(run: &Run, arguments: &Arguments, out: &mut dyn Write) -> Outcome {
    let experiment = run.experiment().map_err(Failure::usage)?;
    let verifier = Verifier::new(&experiment);
    let Arguments { games, id: only, programs, seed, .. } = arguments;
    // A folder may come from elsewhere: its commands are run only if that is asked for.
    // What was played by functions of Python is not played again without them.
    let functions: Vec<&str> = experiment.python.missing().map(|own| own.name.as_str()).collect();
    let games = if functions.is_empty() { *games } else { 0 };
    let wanted = Sample { games, only: only.as_deref(), programs: *programs, seed: *seed };
    let Replayed { games, mut wrong, sample, not_reproducible, of_programs, problems } =
        verifier.replay_all(run, &wanted).map_err(Failure::failed)?;
    if let (Some(id), false) = (only, functions.is_empty()) {
        return Err(Failure::Usage(format!(
            "{id} cannot be played again: it needs {} of Python",
            functions.join(", ")
        )));
    }
    if let (Some(id), true) = (only, sample.is_empty()) {
        let hint = if of_programs > 0 { "; --programs plays those of other programs again" } else { "" };
        let folder = arguments.folder.display();
        return Err(Failure::Usage(format!("{folder}: no reproducible game {id} is recorded{hint}")));
    }
    if *programs {
        signals::watch_for_programs(experiment.players.iter().map(|player| &player.spec));
        let is_sampled = |player: &&Contender| {
            let identity = player.identity.short();
            sample.iter().any(|game| game.seats.contains(&identity))
        };
        let players = experiment.players.iter().filter(is_sampled);
        programs::start(players.map(|player| (player.name.as_str(), &player.spec)), &AtomicBool::new(false))?;
    }
    let clock = WallClock::start();
    for game in &sample {
        if let Err(discrepancy) = verifier.play_again(game, &clock) {
            let problem = format!("{} (played again)", discrepancy.problem);
            wrong.push(Discrepancy { problem, ..discrepancy });
        }
    }
    for problem in &problems {
        writeln!(out, "{problem}")?;
    }
    for line in &wrong {
        writeln!(out, "{line}")?;
    }
    writeln!(out, "{} replayed by the rules, {} played again from their keys", counted(games, "game"), sample.len())?;
    if not_reproducible > 0 {
        writeln!(
            out,
            "{} {} limited by a clock, played by people or other programs, or left, and cannot be played again",
            counted(not_reproducible, "game"),
            was_or_were(not_reproducible)
        )?;
    }
    if of_programs > 0 {
        let games = counted(of_programs, "game");
        let were = was_or_were(of_programs);
        writeln!(out, "{games} {were} played by other programs, which --programs starts to play games again")?;
    }
    if !functions.is_empty() {
        writeln!(out, "no game can be played again without {} of Python", functions.join(", "))?;
    }
    if wrong.is_empty() && problems.is_empty() {
        return Ok(());
    }
    let lines: u64 = problems.iter().map(|problem| problem.lines).sum();
    let (records, are) = (counted(wrong.len(), "record"), is_or_are(wrong.len()));
    Err(Failure::Failed(wrong_and_unread(format!("{records} {are} wrong"), lines)))
}
