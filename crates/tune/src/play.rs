//! Playing a tuning: group after group, until its result is known.

use super::course::Course;
use super::error::TuneError;
use super::outcome::TuningOutcome;
use super::scores::{StageScores, refuse_writers};
use super::tuning::Tuning;
use evouct_base::plural::{counted, is_or_are};
use evouct_league::league::{End, ResumeOptions, Session};
use evouct_league::record::Run;
use evouct_league::schedule::Shard;
use evouct_league::series::Stage;
use evouct_store::{RecordError, disk};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

/// How often a shard looks for games of other shards.
const POLL: Duration = Duration::from_secs(1);

/// How a tuning is played.
#[derive(Clone, Debug, Default)]
pub struct PlayOptions {
    /// The part of each stage that is played; none for all of it.
    pub shard: Option<Shard>,
    /// How long a shard waits without news from the other shards.
    pub patience: Duration,
    /// What is permitted. With `retry_failed`, failed games are played again before the next round begins: a round that
    /// has begun rests on the results before it. Shards cannot do that.
    pub permissions: ResumeOptions,
    /// Ends the tuning early once it is set.
    pub stop: Arc<AtomicBool>,
}

impl Tuning {
    /// Plays what is missing on threads of this machine, in the folder of the tuning, and returns the result. The same
    /// call resumes a tuning.
    ///
    /// ```no_run
    /// # fn of(tuning: &evouct_tune::Tuning) -> Result<(), evouct_tune::TuneError> {
    /// println!("{}", tuning.play(4)?.sentence());
    /// # Ok(()) }
    /// ```
    ///
    /// # Errors
    /// If the folder holds something else, or records cannot be read or written; games written so far are safe.
    pub fn play(&self, threads: usize) -> Result<TuningOutcome, TuneError> {
        let options = PlayOptions::default();
        let course = self.play_stages(&options, |_, session, _| -> Result<End, TuneError> {
            Ok(session.play(threads, &options.stop, &mut (), |_| {})?)
        })?;
        Ok(course.outcome.expect("a tuning without missing games has a result"))
    }

    /// The same by `play`, which plays the missing games of a stage; it also gets the number of games of the tuning
    /// that are recorded. Returns the complete course.
    ///
    /// # Errors
    /// As [`play`](Tuning::play); those of `play`; an interruption; for a shard, that games of other shards are missing.
    pub fn play_stages<E: From<TuneError>>(
        &self,
        options: &PlayOptions,
        mut play: impl FnMut(&Stage, Session, u64) -> Result<End, E>,
    ) -> Result<Course, E> {
        let retry = options.permissions.retry_failed;
        if retry && let Some(shard) = options.shard {
            return Err(TuneError::RetryInShard(shard).into());
        }
        self.record_as(options.permissions.extend)?;
        // Once an extension is recorded, the same call goes on with it.
        let extend = options.permissions.extend || self.extended_from()?.is_some();
        let permissions = ResumeOptions { extend, ..options.permissions };
        let mut course = self.course()?;
        let mut retried = None;
        while let Some(at) = course.open_group(retry, retried) {
            let group = &course.groups[at];
            let mut recorded = course.recorded();
            for stage in &group.stages {
                let folder = stage.folder(self.folder());
                self.make_room(stage)?;
                let session = Session::plan(stage.experiment.clone(), &folder, options.shard, permissions);
                let session = session.map_err(TuneError::from)?;
                let missing = session.missing();
                if missing > 0 && play(stage, session, recorded)? == End::Interrupted {
                    return Err(TuneError::Interrupted { group: group.name.clone() }.into());
                }
                recorded += missing;
            }
            // What fails now is played again once.
            retried = (group.count.missing() == 0).then_some(at);
            course = self.completed(at, &course, options)?;
        }
        Ok(course)
    }

    /// Moves the run in the folder of a stage aside if the tuning has been extended since, and other players came to the
    /// stage by the results of more games. The run is kept as `STAGE-of-N-games`.
    fn make_room(&self, stage: &Stage) -> Result<(), TuneError> {
        let folder = match stage.open(self.folder()) {
            Err(RecordError::OtherRun(folder)) => folder,
            found => return Ok(found.map(drop)?),
        };
        let Some(games) = self.extended_from()? else { return Err(RecordError::OtherRun(folder).into()) };
        refuse_writers(&folder)?;
        let aside = folder.with_file_name(format!("{}-of-{games}-games", stage.name));
        match disk::rename(&folder, &aside) {
            // Another shard was first.
            Err(_) if aside.exists() => Ok(()),
            moved => Ok(moved
                .map_err(|error| RecordError::io(&folder, "cannot move the games of another field aside", error))?),
        }
    }

    /// The course once this group is complete. A shard waits for the others.
    fn completed(&self, at: usize, played: &Course, options: &PlayOptions) -> Result<Course, TuneError> {
        let stages = &played.groups[at].stages;
        let lengths = || stages.iter().map(|stage| Run::lengths(&stage.folder(self.folder()))).collect::<Vec<_>>();
        let gone = |problem: String| TuneError::Disturbed { folder: self.folder().to_owned(), problem };
        let group = played.groups[at].name.clone();
        loop {
            let (seen, mut waited) = (lengths(), Duration::ZERO);
            if !self.is_recorded().map_err(|error| gone(error.to_string()))? {
                return Err(gone("the plan of the tuning is gone".to_owned()));
            }
            // Only the group: the fits of the rounds before it take long, and its games change nothing of them.
            let count = |stage: &Stage| StageScores::read(stage, self.folder(), false).map(|read| read.count.missing());
            let missing = stages.iter().map(count).sum::<Result<u64, _>>().map_err(|error| gone(error.to_string()))?;
            if missing == 0 {
                return self.course().map_err(|error| gone(error.to_string()));
            }
            let Some(shard) = options.shard else {
                return Err(gone(format!(
                    "{} of {group} {} missing after all were played",
                    counted(missing, "game"),
                    is_or_are(missing)
                )));
            };
            while lengths() == seen {
                if options.stop.load(Ordering::Relaxed) {
                    return Err(TuneError::Interrupted { group });
                }
                if waited >= options.patience {
                    return Err(TuneError::Waiting { shard, group, missing, folder: self.folder().to_owned() });
                }
                std::thread::sleep(POLL);
                waited += POLL;
            }
        }
    }
}
