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

/// Does jobs: threads of this machine, the ranks of an MPI world, or somebody else who is asked.
pub trait Executor<J: Job> {
    /// How many units this process does at a time, if no other does any: as many worker processes can do them for it.
    fn alone(&self) -> usize {
        1
    }

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
