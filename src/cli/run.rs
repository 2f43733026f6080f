//! `evouct run`: plays what is missing of an experiment, then reports.

use super::Outcome;
use super::progress::Shown;
use clap::Args;
use evouct::config::Experiment;
use evouct::error::Failure;
use evouct::league::{End, Permissions, Session, SessionError};
use evouct::player::Preset;
use evouct::record::Run;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

#[derive(Args)]
pub(super) struct Arguments {
    /// The experiment, a TOML file
    experiment: PathBuf,
    /// Defaults of the players in place of the file's: text or reference. The name of the preset is added to that of the
    /// experiment
    #[arg(long, value_parser = parse_preset)]
    preset: Option<Preset>,
    /// The run folder [default: runs/<name>]
    #[arg(long, value_name = "DIR")]
    out: Option<PathBuf>,
    /// Threads to play on [default: all]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..))]
    threads: Option<u16>,
    /// Say what would be played, and play nothing
    #[arg(long)]
    dry_run: bool,
    /// Add players or games to the experiment recorded in the folder
    #[arg(long)]
    extend: bool,
    /// Go on with the records of another version of evouct
    #[arg(long)]
    allow_version: bool,
    /// Play failed games again
    #[arg(long)]
    retry_failed: bool,
}

pub(super) fn run(arguments: &Arguments, out: &mut dyn Write) -> Outcome {
    let experiment = Experiment::load(&arguments.experiment, arguments.preset).map_err(Failure::usage)?;
    let folder = arguments.out.clone().unwrap_or_else(|| Path::new("runs").join(&experiment.name));
    let permissions = Permissions {
        extend: arguments.extend,
        allow_version: arguments.allow_version,
        retry_failed: arguments.retry_failed,
    };
    let session = Session::plan(experiment, &folder, permissions).map_err(Failure::usage)?;
    for problem in &session.problems {
        tracing::warn!("{}: {}", problem.place, problem.text);
    }
    if arguments.dry_run {
        return dry_run(&session, out);
    }
    let stop = stop_on_signals();
    let missing = session.missing() as usize;
    let mut progress = Shown::new(session.recorded as usize, session.recorded as usize + missing);
    let threads = arguments.threads.map_or_else(threads, usize::from);
    let mut played = 0_usize;
    let end = session.play(threads, &stop, &mut progress, |game| {
        played += 1;
        if let Some(message) = &game.record.run.message {
            tracing::error!("game {} failed: {message}", game.record.id);
        }
    });
    progress.finish();
    match end {
        Ok(End::Done) => {}
        Ok(End::Interrupted) => {
            let left = missing.saturating_sub(played);
            let message = format!("interrupted with {left} games to play; the same command goes on from here");
            return Err(Failure::Interrupted(message));
        }
        // Nothing was played yet: the folder could not be used at all.
        Err(error @ SessionError::Record(_)) if played == 0 => return Err(Failure::usage(error)),
        Err(error) => {
            let message = format!("{error}; {played} games of this run are safe, the same command goes on from there");
            return Err(Failure::Failed(message));
        }
    }
    let run = Run::open(&folder).map_err(Failure::failed)?;
    let failed = super::report::make(&run, out)?.failures.len();
    writeln!(out, "files in {}", folder.display())?;
    if failed > 0 {
        return Err(Failure::Failed(format!(
            "{failed} games failed and are recorded; --retry-failed plays them again"
        )));
    }
    Ok(())
}

fn dry_run(session: &Session, out: &mut dyn Write) -> Outcome {
    let experiment = session.experiment();
    writeln!(out, "{} in {}", experiment.name, session.folder().display())?;
    writeln!(
        out,
        "{} games, {} recorded, {} to play",
        session.recorded + session.missing(),
        session.recorded,
        session.missing()
    )?;
    for player in &experiment.players {
        let kind = player.spec.kind().name;
        let values: Vec<String> = player.spec.values().map(|(name, value)| format!("{name}={value}")).collect();
        writeln!(out, "  {} ({}): {kind} {}", player.name, player.identity.short(), values.join(" "))?;
    }
    Ok(())
}

fn threads() -> usize {
    std::thread::available_parallelism().map_or(1, usize::from)
}

/// A flag that SIGINT, SIGTERM and SIGUSR1 set. A second signal ends the program at once.
fn stop_on_signals() -> Arc<AtomicBool> {
    let stop = Arc::new(AtomicBool::new(false));
    #[cfg(unix)]
    for signal in [signal_hook::consts::SIGINT, signal_hook::consts::SIGTERM, signal_hook::consts::SIGUSR1] {
        let registered = signal_hook::flag::register_conditional_shutdown(signal, 75, Arc::clone(&stop))
            .and_then(|_| signal_hook::flag::register(signal, Arc::clone(&stop)));
        if let Err(error) = registered {
            tracing::warn!("signal {signal} will not be caught: {error}");
        }
    }
    stop
}

/// A preset by its name.
pub(super) fn parse_preset(name: &str) -> Result<Preset, String> {
    let found = Preset::NAMES.into_iter().find(|(known, _)| *known == name);
    found.map(|(_, preset)| preset).ok_or_else(|| "expected text or reference".to_owned())
}
