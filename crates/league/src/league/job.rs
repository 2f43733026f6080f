//! Work in units with numbers, and who does it.

use super::supply::Supply;
use serde::Serialize;
use serde::de::DeserializeOwned;
use std::fmt;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

/// Work that is done unit by unit: the games of a schedule or of a bank, the blocks of measurements. What comes of a unit
/// follows from the job and the number of the unit, so any thread, process or rank can do it.
pub trait Job: Send + Sync + 'static {
    /// What comes of a unit.
    type Record: Serialize + DeserializeOwned + Send + 'static;
    /// Why the job cannot go on.
    type Error: fmt::Display + Send + 'static;

    /// The units that are missing. A process that helps another one has none of its own.
    fn units(&self) -> &dyn Supply;

    /// Does a unit.
    ///
    /// # Errors
    /// That it cannot be done here. What is wrong with the unit itself is part of its record.
    fn work(&self, unit: u64) -> Result<Self::Record, Self::Error>;

    /// By what ranks that help find the job.
    fn announcement(&self) -> String;

    /// What all ranks must agree on.
    fn agreement(&self) -> String;

    /// Takes note of a record that another rank has made.
    ///
    /// # Errors
    /// Why it is none of this unit.
    fn accept(&self, unit: u64, record: &Self::Record) -> Result<(), String>;

    /// Learns what [`Supply::news`] says on rank 0.
    ///
    /// # Errors
    /// Why that cannot be read.
    fn learn(&self, _news: &str) -> Result<(), String> {
        Ok(())
    }

    /// By what a process that knows nothing of the job finds it: an object of JSON with its `kind`. None if no text says all
    /// of it.
    fn task(&self) -> Option<String> {
        None
    }

    /// A unit as such a process reads it, in one line.
    fn named(&self, unit: u64) -> String {
        unit.to_string()
    }

    /// Does the unit of such a name.
    ///
    /// # Errors
    /// That there is none, or as [`work`](Job::work).
    fn work_named(&self, name: &str) -> Result<Self::Record, String> {
        let unit = name.parse().map_err(|_| format!("{name:.100}: there is no such unit"))?;
        self.work(unit).map_err(|error| error.to_string())
    }

    /// Whether two records of a unit say the same. Times, and games that are limited by them, say nothing.
    fn agree(&self, one: &Self::Record, other: &Self::Record) -> bool {
        let [one, other] = [one, other].map(|record| serde_json::to_string(record).ok());
        one == other
    }

    /// The command of a process that does units, for jobs of which a process does one at a time.
    fn worker(&self) -> Option<Vec<String>> {
        None
    }
}

/// How a run ended.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum End {
    /// All games were played.
    Done,
    /// It was asked to stop. Games in progress are lost and will be played again.
    Interrupted,
}

/// Takes what comes of units, on the calling thread.
pub trait Taker<Record, Error> {
    /// Takes the record of a unit. A [`Supply`] may grow by it.
    ///
    /// # Errors
    /// That it cannot be kept.
    fn take(&mut self, record: Record) -> Result<(), Error>;

    /// Is called several times a second, and after every record, with the number of records so far.
    ///
    /// # Errors
    /// Why the job cannot go on.
    fn tick(&mut self, _done: usize) -> Result<(), Error> {
        Ok(())
    }
}

impl<Record, Error, F: FnMut(Record) -> Result<(), Error>> Taker<Record, Error> for F {
    fn take(&mut self, record: Record) -> Result<(), Error> {
        self(record)
    }
}

/// Does jobs: threads of this machine, the ranks of an MPI world, the workers of a pool, or somebody else who is asked.
pub trait Executor<J: Job> {
    /// Finds who takes part, before anything of the job is written. Without this call it is the first step of
    /// [`carry_out`](Executor::carry_out).
    ///
    /// # Errors
    /// That somebody cannot take part.
    fn join(&mut self, _job: &J) -> Result<(), J::Error> {
        Ok(())
    }

    /// Does every unit once and passes each record to the taker, in any order, until there are no more units or `stop` is
    /// set. After a stop no further record is taken.
    ///
    /// # Errors
    /// The first error of the taker, or that the executor cannot work.
    fn carry_out(
        &mut self,
        job: &Arc<J>,
        stop: &Arc<AtomicBool>,
        taker: &mut dyn Taker<J::Record, J::Error>,
    ) -> Result<End, J::Error>;
}
