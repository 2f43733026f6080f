//! Worker processes, for games of which a process plays one at a time, as those in Python are.
//!
//! Each thread of a run hands its game to a worker and waits, so schedule, journal and resume are those of threads. A
//! worker reads lines: the experiment, then places in its schedule. It answers the hash of the experiment or what is
//! wrong with it, then an entry of the journal per place, all as JSON. It ends with its input.

use super::local::StartError;
use super::session::error::SessionError;
use super::session::games::play_at;
use crate::config::{Experiment, Overrides};
use crate::record::FinishedGame;
use crate::schedule::Schedule;
use evouct_base::named::Named;
use evouct_base::parameter::Preset;
use evouct_platform::registry;
use serde::{Deserialize, Serialize};
use std::io::{self, BufRead, BufReader, Write};
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};
use std::sync::{Arc, Mutex, PoisonError};

/// What a worker plays.
#[derive(Serialize, Deserialize)]
struct Task {
    toml: String,
    preset: Option<String>,
    seed: Option<u64>,
    games_per_match: Option<u32>,
}

impl Task {
    fn of(experiment: &Experiment) -> Task {
        let Overrides { preset, seed, games_per_match } = experiment.overrides;
        Task {
            toml: experiment.toml.clone(),
            preset: preset.map(|preset| preset.name().to_owned()),
            seed,
            games_per_match,
        }
    }

    fn experiment(self) -> Result<Experiment, String> {
        let preset = self.preset.as_deref().and_then(Preset::of_name);
        let overrides = Overrides { preset, seed: self.seed, games_per_match: self.games_per_match };
        Experiment::parse_with(&self.toml, "experiment", overrides, 1).map_err(|errors| errors.to_string())
    }
}

/// Plays what the lines of the input ask for, until it ends.
///
/// # Errors
/// If the input cannot be read or the output not be written.
pub fn work(input: impl BufRead, mut output: impl Write) -> io::Result<()> {
    let mut lines = input.lines();
    let Some(task) = lines.next().transpose()? else { return Ok(()) };
    let task = serde_json::from_str(&task).map_err(|error| error.to_string());
    let experiment = task.and_then(Task::experiment);
    let hash = experiment.as_ref().map(Experiment::hash);
    writeln!(output, "{}", serde_json::to_string(&hash)?)?;
    output.flush()?;
    let Ok(experiment) = experiment else { return Ok(()) };
    let play = play_at(&Arc::new(experiment));
    for line in lines {
        let position = line?.parse().map_err(io::Error::other)?;
        writeln!(output, "{}", serde_json::to_string(&play(&position))?)?;
        output.flush()?;
    }
    Ok(())
}

/// A process, as a thread speaks to it.
struct Worker {
    to: ChildStdin,
    from: BufReader<ChildStdout>,
}

impl Worker {
    fn send(&mut self, line: &str) -> io::Result<()> {
        writeln!(self.to, "{line}")?;
        self.to.flush()
    }

    /// The hash of the experiment, as it understands it.
    fn hash(&mut self) -> Result<String, String> {
        let answer = self.receive().map_err(|error| error.to_string())?;
        serde_json::from_str::<Result<String, String>>(&answer).map_err(|error| error.to_string())?
    }

    fn receive(&mut self) -> io::Result<String> {
        let mut line = String::new();
        match self.from.read_line(&mut line)? {
            0 => Err(io::Error::other("a worker process ended")),
            _ => Ok(line),
        }
    }
}

/// The worker processes of a run.
pub(super) struct Workers {
    experiment: Arc<Experiment>,
    schedule: Schedule,
    /// What starts a worker.
    command: Vec<String>,
    idle: Mutex<Vec<Worker>>,
    processes: Mutex<Vec<Child>>,
}

impl Workers {
    /// So many workers; none if one would do, if the game needs none, or if the text of the experiment is not all of it.
    ///
    /// # Errors
    /// Why a worker cannot play.
    pub(super) fn start(experiment: &Arc<Experiment>, count: usize) -> Result<Option<Arc<Workers>>, StartError> {
        let command = registry::worker(experiment.rules.domain().name()).filter(|_| count > 1);
        let Some(command) = command else { return Ok(None) };
        let failed = |problem: String| StartError { threads: count, problem };
        let workers = Workers {
            experiment: Arc::clone(experiment),
            schedule: Schedule::of(experiment),
            command,
            idle: Mutex::default(),
            processes: Mutex::default(),
        };
        // All start at once; then each answers.
        let started: Result<Vec<Worker>, String> = (0..count).map(|_| workers.begin()).collect();
        for mut worker in started.map_err(failed)? {
            if worker.hash().map_err(failed)? != experiment.hash() {
                return Ok(None);
            }
            lock(&workers.idle).push(worker);
        }
        Ok(Some(Arc::new(workers)))
    }

    /// Starts a process and tells it the experiment.
    fn begin(&self) -> Result<Worker, String> {
        let told = || -> io::Result<Worker> {
            let (program, arguments) =
                self.command.split_first().ok_or_else(|| io::Error::other("no command of a worker"))?;
            let mut child =
                Command::new(program).args(arguments).stdin(Stdio::piped()).stdout(Stdio::piped()).spawn()?;
            let pipes = (child.stdin.take(), child.stdout.take());
            lock(&self.processes).push(child);
            let (Some(to), Some(from)) = pipes else { return Err(io::Error::other("a worker without pipes")) };
            let mut worker = Worker { to, from: BufReader::new(from) };
            worker.send(&serde_json::to_string(&Task::of(&self.experiment))?)?;
            Ok(worker)
        };
        told().map_err(|error| error.to_string())
    }

    /// The game at this place in the schedule. A worker that ends says nothing of the game: another one plays it again.
    ///
    /// # Errors
    /// If that one ends, too.
    pub(super) fn play(&self, position: u64) -> Result<FinishedGame, SessionError> {
        let idle = lock(&self.idle).pop();
        idle.ok_or_else(String::new).and_then(|worker| self.play_on(worker, position)).or_else(|_| {
            let new = self.begin().and_then(|mut worker| worker.hash().map(|_| worker));
            new.and_then(|worker| self.play_on(worker, position)).map_err(|problem| {
                let game = self.schedule.nth(position).expect("only places of the schedule are handed out");
                SessionError::Worker { game: game.id(&self.experiment).to_string(), problem }
            })
        })
    }

    /// The game as this worker plays it, which is idle then.
    fn play_on(&self, mut worker: Worker, position: u64) -> Result<FinishedGame, String> {
        let game = self.schedule.nth(position).expect("only places of the schedule are handed out");
        let answer = worker.send(&position.to_string()).and_then(|()| worker.receive());
        let entry: FinishedGame = serde_json::from_str(&answer.map_err(|error| error.to_string())?)
            .map_err(|error| format!("a worker process answered no game: {error}"))?;
        entry.check(&game.id(&self.experiment), &self.experiment.binding())?;
        lock(&self.idle).push(worker);
        Ok(entry)
    }
}

impl Workers {
    /// Ends the processes, in whatever game they are.
    pub(super) fn end(&self) {
        for mut process in lock(&self.processes).drain(..) {
            // One that has ended by itself cannot be killed.
            let _ = process.kill();
            let _ = process.wait();
        }
    }
}

impl Drop for Workers {
    fn drop(&mut self) {
        self.end();
    }
}

fn lock<T>(mutex: &Mutex<T>) -> std::sync::MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

#[cfg(test)]
mod tests {
    use super::*;

    const TOML: &str = "name = \"w\"\n[[player]]\nkind = \"random\"\n[[player]]\nkind = \"flat-mc\"\niterations = 2\n";

    #[test]
    fn a_worker_plays_the_games_of_the_schedule() {
        evouct_carcassonne::add();
        let overrides = Overrides { seed: Some(7), games_per_match: Some(1), preset: None };
        let experiment = Arc::new(Experiment::parse(TOML, "w.toml", overrides).unwrap());
        let task = serde_json::to_string(&Task::of(&experiment)).unwrap();
        let mut output = Vec::new();
        work(format!("{task}\n1\n0\n").as_bytes(), &mut output).unwrap();
        let text = String::from_utf8(output).unwrap();
        let lines: Vec<&str> = text.lines().collect();
        assert_eq!(serde_json::from_str::<Result<String, String>>(lines[0]).unwrap(), Ok(experiment.hash()));
        for (line, position) in lines[1..].iter().zip([1, 0]) {
            let entry: FinishedGame = serde_json::from_str(line).unwrap();
            assert_eq!(entry.record().moves, play_at(&experiment)(&position).record().moves);
        }
        assert_eq!(lines.len(), 3);
        let mut output = Vec::new();
        work("{}\n0\n".as_bytes(), &mut output).unwrap();
        assert!(String::from_utf8(output).unwrap().starts_with("{\"Err\":\"missing field"));
    }
}
