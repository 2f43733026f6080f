//! Bytes between ranks. Two threads of a rank speak MPI, one at a time: that which works with the others, and the heart.

use super::message::MAX_MESSAGE;
use super::pause::Pause;
use mpi::Threading;
use mpi::environment::Universe;
use mpi::request::{self, Request, Scope};
use mpi::topology::SimpleCommunicator;
use mpi::traits::{Communicator, Destination, Equivalence, Source};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

/// Bytes on their way.
pub(super) type Sending<'a, Sc> = Request<'a, [u8], Sc>;

/// The wire of this rank. It may be used once the world is joined.
#[derive(Clone, Debug, Default)]
pub(super) struct Wire(Arc<Mutex<()>>);

impl Wire {
    /// Joins the world. No other method may be called before.
    ///
    /// # Errors
    /// If MPI cannot be used by two threads in turn.
    pub(super) fn join(&self) -> Result<Universe, String> {
        let (universe, threading) =
            mpi::initialize_with_threading(Threading::Serialized).ok_or("it was joined before")?;
        if threading < Threading::Serialized {
            return Err(format!("MPI gives {threading:?}, threads beside it need Serialized"));
        }
        Ok(universe)
    }

    /// Only one thread is inside MPI.
    fn turn(&self) -> MutexGuard<'_, ()> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// This rank.
    pub(super) fn rank(&self) -> i32 {
        let _turn = self.turn();
        SimpleCommunicator::world().rank()
    }

    /// How many ranks there are.
    pub(super) fn size(&self) -> i32 {
        let _turn = self.turn();
        SimpleCommunicator::world().size()
    }

    /// Ends all ranks at once.
    pub(super) fn abort(&self, code: u8) -> ! {
        let _turn = self.turn();
        SimpleCommunicator::world().abort(code.into())
    }

    /// Sends bytes under a tag. A send can take as long as the receiver does not look.
    pub(super) fn send(&self, rank: i32, tag: i32, bytes: &[u8]) {
        request::scope(|scope| self.finish(self.begin(scope, rank, tag, bytes)));
    }

    /// Begins to send bytes under a tag.
    pub(super) fn begin<'a, Sc: Scope<'a>>(&self, scope: Sc, rank: i32, tag: i32, bytes: &'a [u8]) -> Sending<'a, Sc> {
        let _turn = self.turn();
        SimpleCommunicator::world().process_at_rank(rank).immediate_send_with_tag(scope, bytes, tag)
    }

    /// What is not sent or received yet.
    pub(super) fn unfinished<'a, Sc: Scope<'a>>(&self, request: Sending<'a, Sc>) -> Option<Sending<'a, Sc>> {
        let _turn = self.turn();
        request.test().err()
    }

    /// The next bytes under a tag, if some have come, and the rank that they are from; where they are too many to be read,
    /// how many they are.
    pub(super) fn receive(&self, tag: i32) -> Option<(i32, Result<Vec<u8>, usize>)> {
        let world = SimpleCommunicator::world();
        let (message, rank, length) = {
            let _turn = self.turn();
            let (message, status) = world.any_process().immediate_matched_probe_with_tag(tag)?;
            (message, status.source_rank(), status.count(u8::equivalent_datatype()))
        };
        let length = usize::try_from(length).unwrap_or(usize::MAX);
        // The few bytes more are the mark.
        if length > MAX_MESSAGE + 4 {
            // Dropping a message that is not received is a panic.
            std::mem::forget(message);
            return Some((rank, Err(length)));
        }
        let mut bytes = vec![0_u8; length];
        request::scope(|scope| {
            let begun = {
                let _turn = self.turn();
                message.immediate_matched_receive_into(scope, &mut bytes[..])
            };
            self.finish(begun);
        });
        Some((rank, Ok(bytes)))
    }

    /// Waits until MPI has taken or given the bytes. Inside MPI a wait spins a core, which a game needs.
    fn finish<'a, Sc: Scope<'a>>(&self, mut request: Sending<'a, Sc>) {
        let mut pause = Pause::new();
        while let Some(unfinished) = self.unfinished(request) {
            request = unfinished;
            std::thread::sleep(pause.next());
        }
    }
}
