//! A run of an experiment in its folder: what is recorded, what is missing, and playing the missing games.

pub(super) mod error;
pub(super) mod games;
mod keeper;
mod steps;

use super::gate::StoppingRule;
use super::job::{End, Executor, Taker};
use super::local::{Progress, Threads};
use super::supply::Listed;
use crate::config::{Difference, Experiment, Log, Sequential, differences};
use crate::record::{FinishedGame, Header, Run, TraceWriter, check_experiment, has_experiment, write_experiment};
use crate::schedule::{GameSpec, Positions, Schedule, Shard};
use error::SessionError;
use evouct_base::phrase::Phrase;
use evouct_platform::clock::WallClock;
use evouct_store::{FolderKind, GAMES_STEM, JournalWriter, Problem, RecordError, VERSION, claim, is_being_written};
use games::{Games, Places};
use keeper::Keeper;
use std::collections::{BTreeMap, HashSet};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::Duration;

/// What the user permits.
#[derive(Clone, Copy, Debug, Default)]
pub struct ResumeOptions {
    /// The experiment may add players and decks to the one recorded.
    pub extend: bool,
    /// The records may be of another version of evouct.
    pub allow_version: bool,
    /// Failed games are played again.
    pub retry_failed: bool,
}

/// A run that is ready to be played.
pub struct Session {
    experiment: Arc<Experiment>,
    schedule: Schedule,
    folder: PathBuf,
    journal: PathBuf,
    header: Header,
    /// The header whose text the folder keeps where the file has another text and the same games.
    recorded: Option<Header>,
    permissions: ResumeOptions,
    /// The part of the schedule that this run plays.
    shard: Option<Shard>,
    /// The journals as they were when they were read.
    lengths: BTreeMap<PathBuf, u64>,
    /// Ids of the games that need not be played, of other shards too.
    played: HashSet<String>,
    /// Whether to record changes of the file that affect no game: printed numbers, names, description.
    restated: bool,
    /// Games to play, with looks at most.
    missing: u64,
    /// Games that are recorded or have failed.
    known: u64,
    /// Games that can be played now, before a test is asked.
    wanted: u64,
    /// Ids of the games that this session has asked for, at looks: what fails again is not played a third time.
    asked: HashSet<String>,
    /// Ids of the games that are wanted before the next look.
    asking: Vec<String>,
    /// How long a shard waits for what others play without news from them.
    patience: Duration,
    /// Games that failed and are not played again, of this part.
    pub failed: u64,
    /// The test that may end the run early.
    gate: Option<StoppingRule>,
    /// Problems of the journals.
    pub problems: Vec<Problem>,
}

impl Session {
    /// Reads the folder, if it exists, and finds the missing games, of the whole run or of a shard. Nothing is written.
    ///
    /// # Errors
    /// If the folder holds another experiment or unreadable journals.
    pub fn plan(
        experiment: Experiment,
        folder: &Path,
        shard: Option<Shard>,
        permissions: ResumeOptions,
    ) -> Result<Session, SessionError> {
        let header = Header::of(&experiment, shard.map(|shard| shard.to_string()));
        let mut session = Session {
            schedule: Schedule::of(&experiment),
            journal: PathBuf::new(),
            folder: folder.to_owned(),
            header,
            recorded: None,
            permissions,
            shard,
            lengths: BTreeMap::new(),
            played: HashSet::new(),
            gate: None,
            restated: false,
            missing: 0,
            known: 0,
            wanted: 0,
            asked: HashSet::new(),
            asking: Vec::new(),
            patience: Duration::ZERO,
            failed: 0,
            problems: Vec::new(),
            experiment: Arc::new(experiment),
        };
        if session.experiment.rounds.is_some() && permissions.retry_failed {
            return Err(SessionError::RetryInRounds);
        }
        if session.shard.is_some() && session.experiment.sequential.is_some() && permissions.retry_failed {
            return Err(SessionError::RetryInShard);
        }
        session.look()?;
        Ok(session)
    }

    /// Lets a shard under a sequential test or in Swiss rounds wait so long without news from the other shards; by default
    /// it does not wait.
    #[must_use]
    pub fn with_patience(mut self, patience: Duration) -> Session {
        self.patience = patience;
        self
    }

    /// Reads what is recorded.
    fn look(&mut self) -> Result<(), SessionError> {
        FolderKind::Run.check(&self.folder)?;
        // Taken first, so that a line added during the reading is read again and never overlooked.
        self.lengths = Run::lengths(&self.folder);
        let stem = Shard::stem(GAMES_STEM, self.shard);
        let (mut played, mut failed) = (HashSet::new(), HashSet::new());
        let mut gate = StoppingRule::of(&self.experiment, self.shard);
        let (mut to_go_on, mut says_more, mut recorded) = (None, false, None);
        if Run::has_journals(&self.folder) {
            let run = Run::open(&self.folder)?;
            self.check(&run)?;
            says_more = run.header.toml != self.header.toml && run.header.hash == self.header.hash;
            self.restated = says_more && self.permissions.extend;
            self.header.restated = run.header.restated + u64::from(run.header.toml != self.header.toml);
            if says_more && !self.restated {
                recorded = Some(run.header.clone());
            }
            if !self.restated {
                to_go_on = run.resumable_journal(&self.header.hash, self.header.shard.as_deref());
            }
            let retry = self.permissions.retry_failed;
            self.problems = run.games(|game| -> Result<(), RecordError> {
                let counts = game.is_result() || !retry || self.asked.contains(&game.id);
                if let Some(gate) = gate.as_mut().filter(|_| counts) {
                    gate.recall(&game);
                }
                if game.is_result() {
                    played.insert(game.id);
                } else if counts {
                    failed.insert(game.id);
                }
                Ok(())
            })?;
        }
        if says_more && !self.permissions.extend {
            let text = format!(
                "the file differs from the recorded experiment in text that changes no game (names, description, printed \
                 numbers); {}",
                Phrase::ExtendText
            );
            self.problems.push(Problem::at(self.folder.display().to_string(), text));
        }
        self.recorded = recorded;
        if let Some(header) = self.to_state() {
            check_experiment(&self.folder, header, !self.lengths.is_empty())?;
        }
        // A journal's header never changes: what an extension adds, or what follows a compressed journal, goes to a new
        // one.
        self.journal = to_go_on.unwrap_or_else(|| Run::free_journal(&self.folder, &stem));
        if let Some(gate) = &mut gate {
            gate.judge();
        }
        let (wanted, mut asked) = (gate.as_ref().map(StoppingRule::wanted), Vec::new());
        let has_looks = self.experiment.looks().is_some();
        (self.missing, self.failed, self.known, self.wanted) = (0, 0, 0, 0);
        // If nothing is recorded, no lookup per game is needed.
        if played.is_empty() && failed.is_empty() && self.shard.is_none() && !self.has_steps() {
            (self.missing, self.wanted) = (self.schedule.len(), self.schedule.len());
        } else {
            let places = Positions::of(&self.schedule, &self.experiment);
            let is_ours = |position: u64| self.shard.is_none_or(|shard| shard.has(position));
            let ours = |id: &&String| places.find(id).is_some_and(is_ours);
            self.failed = failed.iter().filter(ours).count() as u64;
            self.known = played.union(&failed).filter(ours).count() as u64;
            for game in self.positions(gate.as_ref()).filter_map(|position| self.schedule.nth(position)) {
                let id = game.id(&self.experiment);
                if !failed.contains(&id) && !played.contains(&id) {
                    self.missing += u64::from(gate.as_ref().is_none_or(|gate| gate.may_want(&game)));
                    if wanted.as_ref().is_none_or(|is_wanted| is_wanted(&game)) {
                        self.wanted += 1;
                        asked.extend(has_looks.then_some(id));
                    }
                }
            }
        }
        // Of games whose players are not known each shard expects its share.
        let later = gate.as_ref().map_or(0, StoppingRule::later);
        self.missing += self.shard.map_or(later, |shard| later.div_ceil(shard.count().into()));
        played.extend(failed);
        self.asking = asked;
        (self.played, self.gate) = (played, gate);
        Ok(())
    }

    /// The header whose text the folder is to have; none if its file has the text of this experiment, which changes no
    /// recorded game: people edit what `repair` has saved, and run it.
    fn to_state(&self) -> Option<&Header> {
        match &self.recorded {
            Some(_) if has_experiment(&self.folder, &self.header) => None,
            Some(recorded) => Some(recorded),
            None => Some(&self.header),
        }
    }

    /// Compares the recorded experiment with this one.
    fn check(&self, run: &Run) -> Result<(), SessionError> {
        let recorded = &run.header;
        if recorded.evouct != VERSION && !self.permissions.allow_version {
            return Err(SessionError::OtherVersion { folder: self.folder.clone(), recorded: recorded.evouct.clone() });
        }
        let mut differences = differences(&recorded.experiment, &self.header.experiment);
        let is = self.experiment.sequential;
        let test = Sequential::change(run.experiment()?.sequential, is);
        let is_other_test = test.is_some();
        differences.extend(test.map(|text| Difference { text, extends: false }));
        let tested = [&recorded.experiment, &self.header.experiment].map(|of| of.players.first());
        if let (Some(Sequential::Sprt(_)), [Some(was), Some(is)]) = (is, tested)
            && was.identity != is.identity
        {
            let text = format!("the test was of {} and is of {}", was.name, is.name);
            differences.push(Difference { text, extends: false });
        }
        // More pairs or decks after results are seen would need other p-values at the looks that were taken.
        let is_fixed = self.experiment.looks().is_some();
        let adds_only = !is_fixed && differences.iter().all(|difference| difference.extends);
        let allowed = differences.is_empty() || (adds_only && self.permissions.extend);
        if !allowed {
            let has_fewer_decks = recorded.experiment.games_per_match > self.header.experiment.games_per_match;
            let is_all = differences.iter().filter(|difference| !difference.extends).count() == 1;
            return Err(SessionError::OtherExperiment {
                folder: self.folder.clone(),
                differences: differences.into_iter().map(|difference| difference.text).collect(),
                extends: adds_only,
                hint: match (adds_only, !is_fixed && has_fewer_decks && is_all) {
                    (true, _) => format!("; {}", Phrase::ExtendRun),
                    (false, true) => format!("; {}, or {}", Phrase::OtherFolder, Phrase::SameDecks),
                    (false, false) if is_fixed => {
                        let fixed = "players, decks and looks are fixed before the first game of a test at looks";
                        format!("; {fixed}; {}", Phrase::OtherFolder)
                    }
                    (false, false) if is_other_test => {
                        format!("; a test is fixed before the first game; {}", Phrase::OtherFolder)
                    }
                    (false, false) => format!("; {}", Phrase::OtherFolder),
                },
            });
        }
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

    /// The part of the schedule that this run plays; none for all of it.
    pub fn shard(&self) -> Option<Shard> {
        self.shard
    }

    /// How many games are missing; none once a sequential test is decided. With looks, as many as may still be wanted; in a
    /// shard of a Swiss league its share of the rounds that are not paired.
    pub fn missing(&self) -> u64 {
        self.missing
    }

    /// How many games are recorded, failed ones included.
    pub fn recorded(&self) -> u64 {
        self.known
    }

    /// The looks of the run so far, if its pairs are tested at looks: taken, and how many there are.
    pub fn looks(&self) -> Option<[usize; 2]> {
        let looks = self.gate.as_ref()?.looks()?.pairs();
        Some([looks.taken(), looks.count()])
    }

    /// Whether what is played next depends on results that must be read first.
    fn has_steps(&self) -> bool {
        let sequential = self.experiment.sequential.is_some() && self.shard.is_some();
        sequential || self.experiment.looks().is_some() || self.experiment.rounds.is_some()
    }

    /// The places in the schedule that are this run's; of a Swiss league, of which hardly any game is played, those of the
    /// round.
    fn positions(&self, gate: Option<&StoppingRule>) -> Places {
        let (shard, all) = (self.shard, self.schedule.len());
        let is_ours = move |position: &u64| shard.is_none_or(|shard| shard.has(*position));
        match gate.and_then(StoppingRule::round) {
            Some(pairs) => Box::new(self.schedule.positions_of(pairs).into_iter().filter(is_ours)),
            None => Box::new((0..all).filter(is_ours)),
        }
    }

    /// Becomes the only writer of the journal, and ensures that no other process plays the same games.
    fn claim(&mut self) -> Result<JournalWriter, SessionError> {
        // Before anything is written, so that a run that is refused leaves nothing behind.
        self.refuse_overlap()?;
        let has_journals = !self.lengths.is_empty();
        if !has_journals {
            claim(&self.folder)?;
        }
        let journal = JournalWriter::open(&self.journal, &self.header)?;
        // If two runs start at once, each has its lock by now, so at least one sees the lock of the other.
        self.refuse_overlap()?;
        // Before the first game, so that a damaged journal has it beside it.
        if let Some(header) = self.to_state() {
            write_experiment(&self.folder, header, has_journals)?;
        }
        // Games that were recorded between the first look and the lock must not be played again.
        let mut found = Run::lengths(&self.folder);
        match journal.found() {
            0 => found.remove(&self.journal),
            length => found.insert(self.journal.clone(), length),
        };
        if found != self.lengths {
            let ours = self.journal.clone();
            self.look()?;
            self.journal = ours;
        }
        let torn = self.problems.iter().filter_map(|problem| problem.torn.as_ref());
        for path in torn.filter(|path| path.extension().is_some_and(|ending| ending == "jsonl")) {
            // No other process will: the shard that left a torn line may never run again. A line that is being written
            // is complete when its writer ends.
            match JournalWriter::repair(path) {
                Ok(()) | Err(RecordError::Locked { .. }) => {}
                Err(error) => return Err(error.into()),
            }
        }
        Ok(journal)
    }

    /// Ends a run without games to play: changes of the file are recorded.
    pub(super) fn restate(&mut self) -> Result<End, SessionError> {
        if self.restated {
            drop(self.claim()?);
        }
        Ok(End::Done)
    }

    /// Refuses to start while another process writes games that could be ours. Shards of one count have no games in
    /// common; all other journals may.
    fn refuse_overlap(&self) -> Result<(), SessionError> {
        if !Run::has_journals(&self.folder) {
            return Ok(());
        }
        let words = |shard: Option<&str>| shard.map_or("the whole run".to_owned(), |shard| format!("shard {shard}"));
        for journal in Run::open(&self.folder)?.journals() {
            let theirs: Option<Shard> = journal.shard.as_ref().and_then(|shard| shard.parse().ok());
            let apart = match (self.shard, theirs) {
                (Some(ours), Some(theirs)) => ours.count() == theirs.count() && ours != theirs,
                _ => false,
            };
            if !apart && journal.path != self.journal && is_being_written(&journal.path) {
                return Err(SessionError::Record(RecordError::Overlap {
                    path: journal.path.clone(),
                    theirs: words(journal.shard.as_deref()),
                    ours: words(self.header.shard.as_deref()),
                }));
            }
        }
        Ok(())
    }

    /// The places in the schedule to play, and the recorder.
    pub(super) fn begin(&mut self) -> Result<(Places, Keeper), SessionError> {
        let journal = self.claim()?;
        let logs_traces = self.experiment.log == Log::Full;
        let traces = logs_traces.then(|| TraceWriter::beside(&self.journal)).transpose()?;
        let played = std::mem::take(&mut self.played);
        let (schedule, experiment) = (self.schedule.clone(), Arc::clone(&self.experiment));
        let wanted = self.gate.as_ref().map(StoppingRule::wanted);
        let is_wanted = move |game: &GameSpec| {
            wanted.as_ref().is_none_or(|is_wanted| is_wanted(game)) && !played.contains(&game.id(&experiment))
        };
        let is_missing = move |position: &u64| schedule.nth(*position).is_some_and(|game| is_wanted(&game));
        let places: Places = Box::new(self.positions(self.gate.as_ref()).filter(is_missing));
        let gate = self.gate.take();
        Ok((places, Keeper { journal, traces, gate, clock: WallClock::start(), left: self.wanted }))
    }

    /// Plays what is missing on threads of this machine. The folder is created if needed.
    ///
    /// # Errors
    /// If the journal cannot be written; games written so far are safe.
    pub fn play(
        self,
        threads: usize,
        stop: &Arc<AtomicBool>,
        progress: &mut dyn Progress,
        mut each: impl FnMut(&FinishedGame),
    ) -> Result<End, SessionError> {
        self.play_by(&mut Threads::of(threads), stop, progress, &mut each)
    }

    /// The same by an executor.
    ///
    /// # Errors
    /// As [`play`](Session::play); if the executor cannot work.
    pub fn play_by(
        self,
        executor: &mut dyn Executor<Games>,
        stop: &Arc<AtomicBool>,
        progress: &mut dyn Progress,
        each: &mut dyn FnMut(&FinishedGame),
    ) -> Result<End, SessionError> {
        self.play_steps(stop, progress, |session, progress| {
            let games = Games::of(&session.experiment);
            // Nothing is written where somebody cannot take part.
            executor.join(&games)?;
            let (missing, keeper) = session.begin()?;
            let missing = Listed::of(missing, session.wanted);
            let job = Arc::new(games.with(missing));
            let mut taker = GameTaker { keeper, stop: Arc::clone(stop), progress, each: &mut *each };
            let end = executor.carry_out(&job, stop, &mut taker);
            taker.keeper.finish(end)
        })
    }
}

/// Keeps games, and shows how many there are.
struct GameTaker<'a> {
    keeper: Keeper,
    stop: Arc<AtomicBool>,
    progress: &'a mut dyn Progress,
    each: &'a mut dyn FnMut(&FinishedGame),
}

impl Taker<FinishedGame, SessionError> for GameTaker<'_> {
    fn take(&mut self, entry: FinishedGame) -> Result<(), SessionError> {
        Ok(self.keeper.keep(entry, &self.stop, self.each)?)
    }

    fn tick(&mut self, done: usize) -> Result<(), SessionError> {
        self.progress.tick(done);
        Ok(())
    }
}
