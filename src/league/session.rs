//! A run of an experiment in its folder: what is there, what is missing, playing what is missing.

use super::game::{Played, Table};
use super::local::{End, Progress, run};
use super::sequence::Sequence;
use crate::clock::WallClock;
use crate::config::{Experiment, Log, differences};
use crate::record::{Ended, FORMAT, Header, JournalWriter, Problem, RecordError, Run, ThoughtsWriter, VERSION};
use crate::schedule::{GameSpec, Schedule};
use crate::search::Clock;
use std::collections::HashSet;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

/// What a user allows.
#[derive(Clone, Copy, Debug, Default)]
pub struct Permissions {
    /// The experiment may add players and decks to the one recorded.
    pub extend: bool,
    /// The records may be of another version of evouct.
    pub allow_version: bool,
    /// Failed games are played again.
    pub retry_failed: bool,
}

/// Why a run cannot begin.
#[derive(Debug, thiserror::Error)]
pub enum SessionError {
    /// Records cannot be read or written.
    #[error(transparent)]
    Record(#[from] RecordError),
    /// The folder holds another experiment.
    #[error("{}: this folder holds another experiment: {}{}", folder.display(), differences.join("; "), hint)]
    OtherExperiment {
        /// The folder.
        folder: PathBuf,
        /// What differs.
        differences: Vec<String>,
        /// What can be done.
        hint: &'static str,
    },
    /// The folder was written by another version.
    #[error("{}: these records are of evouct {recorded}, this is {VERSION}; --allow-version goes on with them", folder.display())]
    OtherVersion {
        /// The folder.
        folder: PathBuf,
        /// The version that wrote it.
        recorded: String,
    },
}

/// A run that is ready to be played.
pub struct Session {
    experiment: Arc<Experiment>,
    folder: PathBuf,
    journal: PathBuf,
    header: Header,
    /// Ids of the games that need not be played.
    played: HashSet<String>,
    /// The test that may end the run early.
    sequence: Option<Sequence>,
    /// Games recorded before this session.
    pub recorded: u64,
    /// What is wrong with the journals.
    pub problems: Vec<Problem>,
}

impl Session {
    /// Looks into the folder, if it exists, and finds out which games are missing. Nothing is written.
    ///
    /// # Errors
    /// If the folder holds another experiment or unreadable journals.
    pub fn plan(experiment: Experiment, folder: &Path, permissions: Permissions) -> Result<Session, SessionError> {
        let header = Header {
            format: FORMAT,
            evouct: VERSION.to_owned(),
            name: experiment.name.clone(),
            hash: experiment.hash(),
            experiment: experiment.resolved(),
            toml: experiment.toml.clone(),
            preset_override: experiment.preset_override,
            shard: None,
        };
        let mut session = Session {
            journal: folder.join("games.jsonl"),
            folder: folder.to_owned(),
            header,
            played: HashSet::new(),
            sequence: Sequence::of(&experiment),
            recorded: 0,
            problems: Vec::new(),
            experiment: Arc::new(experiment),
        };
        let mut played = HashSet::new();
        if Run::has_journals(folder) {
            let run = Run::open(folder)?;
            session.check(&run, permissions)?;
            let mut recorded = 0;
            session.problems = run.games(|game| -> Result<(), RecordError> {
                let is_failure = game.ended != Ended::Finished;
                recorded += 1;
                if !(is_failure && permissions.retry_failed) {
                    if let Some(sequence) = &mut session.sequence {
                        sequence.recall(&game);
                    }
                    played.insert(game.id);
                }
                Ok(())
            })?;
            session.recorded = recorded;
        }
        session.played = played;
        Ok(session)
    }

    /// Holds what is recorded against the experiment; chooses the journal to write to.
    fn check(&mut self, run: &Run, permissions: Permissions) -> Result<(), SessionError> {
        let recorded = &run.header;
        if recorded.evouct != VERSION && !permissions.allow_version {
            return Err(SessionError::OtherVersion { folder: self.folder.clone(), recorded: recorded.evouct.clone() });
        }
        let differences = differences(&recorded.experiment, &self.header.experiment);
        let adds_only = differences.iter().all(|difference| difference.extends);
        let allowed = differences.is_empty() || (adds_only && permissions.extend);
        if !allowed {
            return Err(SessionError::OtherExperiment {
                folder: self.folder.clone(),
                differences: differences.into_iter().map(|difference| difference.text).collect(),
                hint: if adds_only { "; --extend adds to it" } else { "; choose another folder with --out" },
            });
        }
        // A journal's header never changes: what an extension adds, or what follows a compressed journal, goes to a new one.
        let journals = run.journals().len();
        self.journal = match run.journal_with_hash(&self.header.hash) {
            Some(journal) => journal,
            None => self.folder.join(format!("games-{journals}.jsonl")),
        };
        Ok(())
    }

    /// The experiment.
    pub fn experiment(&self) -> &Arc<Experiment> {
        &self.experiment
    }

    /// The run folder.
    pub fn folder(&self) -> &Path {
        &self.folder
    }

    /// How many games are missing; none once a sequential test is decided.
    pub fn missing(&self) -> u64 {
        if self.sequence.as_ref().is_some_and(Sequence::is_decided) {
            return 0;
        }
        // What is recorded belongs to the experiment: its header says so.
        Schedule::of(&self.experiment).len().saturating_sub(self.played.len() as u64)
    }

    /// Plays what is missing on this machine. The folder is made if need be.
    ///
    /// # Errors
    /// If the journal cannot be written; games written so far are safe.
    pub fn play(
        self,
        threads: usize,
        stop: &Arc<AtomicBool>,
        progress: &mut dyn Progress,
        mut each: impl FnMut(&Played),
    ) -> Result<End, SessionError> {
        if self.missing() == 0 {
            return Ok(End::Done);
        }
        let mut journal = JournalWriter::open(&self.journal, &self.header)?;
        let log = self.experiment.log;
        let mut thoughts = (log == Log::Full).then(|| ThoughtsWriter::beside(&self.journal)).transpose()?;
        let experiment = Arc::clone(&self.experiment);
        let host = gethostname::gethostname().to_string_lossy().into_owned();
        let clock = Arc::new(WallClock::start());
        let players_clock = Arc::clone(&clock);
        let play = move |game: &GameSpec| Table::of(&experiment, game).play(players_clock.as_ref(), log, &host);
        let Session { experiment: of, played, mut sequence, .. } = self;
        let missing = Schedule::of(&of).games().filter(move |game| !played.contains(&game.id(&of)));
        let mut decided = false;
        let end = run(missing, threads, play, stop, progress, |played: Played| {
            let ready = match &mut sequence {
                Some(sequence) => sequence.push(played),
                None => vec![played],
            };
            for played in ready {
                if let Some(thoughts) = &mut thoughts {
                    thoughts.append(&played.thoughts)?;
                }
                journal.append(&played.record, clock.now())?;
                each(&played);
            }
            if sequence.as_ref().is_some_and(Sequence::is_decided) {
                decided = true;
                stop.store(true, Ordering::Relaxed);
            }
            Ok::<(), RecordError>(())
        });
        let synced = journal.sync(clock.now());
        let end = end?;
        synced?;
        Ok(if decided { End::Done } else { end })
    }
}
