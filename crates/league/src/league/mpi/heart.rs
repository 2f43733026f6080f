//! The heart of a rank: a thread that tells the others twice a second that this process lives, whatever else it does, and
//! that gives them up when they fall silent. A process that is stopped, or whose machine is gone, has no heartbeat.
//!
//! Rank 0 and each other rank tell one another. Silence is counted in beats of one's own, so that a process that was held
//! itself, as all ranks of a suspended job, blames nobody.

use super::pause::Pause;
use super::wire::{Sending, Wire};
use super::world::{KEPT, LEADER, WorldError};
use evouct_base::stack;
use evouct_platform::external::end_programs;
use mpi::request::{self, LocalScope};
use std::collections::BTreeMap;
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel};
use std::thread::JoinHandle;
use std::time::Duration;

/// The tag of heartbeats. Each has the name of the sender's machine; the last one of a rank is empty.
const TAG: i32 = 7_306;
/// The time between two.
const PERIOD: Duration = Duration::from_millis(500);
/// The least patience: a busy machine can hold a rank for a moment.
const LEAST: Duration = Duration::from_secs(3);
/// So many beats longer than rank 0 waits rank 1, and twice as many each of the others: one of them speaks for all.
const LATER: u64 = 4;
/// The exit code of what the same command goes on with.
const GO_ON: u8 = 75;
/// The variables in which launchers tell a process its rank.
const RANK: [&str; 3] = ["OMPI_COMM_WORLD_RANK", "PMI_RANK", "SLURM_PROCID"];

/// The heart of this rank, as its owner sees it. Without orders it ends.
#[derive(Debug)]
pub(super) struct Heart {
    orders: Sender<Order>,
    left: Receiver<()>,
    thread: Option<JoinHandle<()>>,
}

/// What the owner has done, or wants to do.
#[derive(Debug)]
enum Order {
    /// It has joined a world of so many ranks as this one.
    Joined { rank: i32, size: i32 },
    /// It has nothing more to say.
    Leave,
}

impl Heart {
    /// Begins to beat, before the world is joined. `report` prints a line.
    ///
    /// # Errors
    /// If the thread cannot be started.
    pub(super) fn begin(wire: Wire, patience: Duration, report: fn(&WorldError)) -> std::io::Result<Heart> {
        let (orders, heard) = channel();
        let (leave, left) = channel();
        let thread = stack::thread("heart").spawn(move || {
            let host = gethostname::gethostname().to_string_lossy().into_owned();
            beat(&wire, &host, Watch { patience: patience.max(LEAST), report }, &heard, &leave);
        })?;
        Ok(Heart { orders, left, thread: Some(thread) })
    }

    /// Notes that the world is joined.
    pub(super) fn joined(&self, rank: i32, size: i32) {
        // Where the thread has ended, the process does.
        drop(self.orders.send(Order::Joined { rank, size }));
    }

    /// Waits until all ranks have nothing more to say.
    pub(super) fn leave(&self) {
        if self.orders.send(Order::Leave).is_ok() {
            self.left.recv().unwrap_or_default();
        }
    }

    /// Stops to beat, after the world is left.
    pub(super) fn end(&mut self) {
        let (gone, _) = channel();
        self.orders = gone;
        drop(self.thread.take().map(JoinHandle::join));
    }
}

/// How long ranks are waited for, and who says which is given up.
#[derive(Clone, Copy, Debug)]
struct Watch {
    patience: Duration,
    report: fn(&WorldError),
}

impl Watch {
    /// Beats that a rank waits for another one.
    fn limit(self, rank: i32) -> u64 {
        let beats = self.patience.as_millis().div_ceil(PERIOD.as_millis());
        u64::try_from(beats).unwrap_or(u64::MAX).saturating_add(LATER * u64::from(rank.clamp(0, 2).unsigned_abs()))
    }

    /// Ends this process where MPI does not answer, and by its exit code all ranks.
    fn give_up_world(self, done: &'static str) -> ! {
        (self.report)(&WorldError::Hangs { seconds: self.patience.as_secs(), done });
        end_programs();
        std::process::exit(GO_ON.into())
    }

    /// Waits for an order while MPI does not answer: the owner is inside it.
    fn wait(self, orders: &Receiver<Order>, rank: i32, done: &'static str) -> Option<Order> {
        for _ in 0..self.limit(rank) {
            match orders.recv_timeout(PERIOD) {
                Ok(order) => return Some(order),
                Err(RecvTimeoutError::Disconnected) => return None,
                Err(RecvTimeoutError::Timeout) => {}
            }
        }
        self.give_up_world(done)
    }
}

/// The life of a heart: it waits until the world is joined, beats until all ranks have nothing more to say, and waits until
/// the world is left.
fn beat(wire: &Wire, host: &str, watch: Watch, orders: &Receiver<Order>, leave: &Sender<()>) {
    let said = RANK.iter().find_map(|name| std::env::var(name).ok()?.parse().ok());
    let Some(Order::Joined { rank, size }) = watch.wait(orders, said.unwrap_or(LEADER), "joined") else {
        return;
    };
    request::scope(|scope| {
        let mut pulse = Pulse::of(wire, watch, scope, (rank, size));
        loop {
            pulse.beat(host);
            match orders.recv_timeout(PERIOD) {
                Ok(Order::Joined { .. }) | Err(RecvTimeoutError::Timeout) => {}
                Ok(Order::Leave) | Err(RecvTimeoutError::Disconnected) => break,
            }
        }
        pulse.part(host);
    });
    // The owner waits for it.
    leave.send(()).unwrap_or_default();
    watch.wait(orders, rank, "left");
}

/// The last heartbeat.
const LAST: &str = "";

/// The heartbeats of this rank and of those that it waits for.
struct Pulse<'s, 'a> {
    wire: &'s Wire,
    watch: Watch,
    rank: i32,
    scope: &'s LocalScope<'a>,
    others: BTreeMap<i32, Other<'s, 'a>>,
}

/// What is known of another rank.
#[derive(Default)]
struct Other<'s, 'a> {
    /// Its machine.
    host: Option<String>,
    /// Beats since it was heard of.
    silent: u64,
    /// Whether it has nothing more to say.
    is_parted: bool,
    /// What is on the way to it: one that is stopped takes nothing.
    sending: Option<Sending<'a, &'s LocalScope<'a>>>,
    /// Whether that, or what went before, is the last.
    is_told: bool,
}

impl<'s, 'a> Pulse<'s, 'a> {
    /// Rank 0 waits for all others, and these for rank 0.
    fn of(wire: &'s Wire, watch: Watch, scope: &'s LocalScope<'a>, (rank, size): (i32, i32)) -> Pulse<'s, 'a> {
        let others = if rank == LEADER { LEADER + 1..size } else { LEADER..LEADER + 1 };
        let others = others.map(|rank| (rank, Other::default())).collect();
        Pulse { wire, watch, rank, scope, others }
    }

    /// Tells all others that this rank lives, and gives up the first one that has been silent for too long.
    fn beat(&mut self, host: &'a str) {
        self.tell(host);
        self.listen();
        let limit = self.watch.limit(self.rank);
        for (rank, other) in self.others.iter_mut().filter(|(_, other)| !other.is_parted) {
            other.silent += 1;
            if other.silent > limit {
                let on = other.host.as_ref().map_or(String::new(), |host| format!("on {host} "));
                let seconds = self.watch.patience.as_secs();
                let problem = format!("{on}is silent for {seconds} s: it hangs, or its machine is gone; {KEPT}");
                (self.watch.report)(&WorldError::Rank { rank: *rank, problem });
                end_programs();
                self.wire.abort(GO_ON);
            }
        }
    }

    /// Sends a heartbeat to all others that take one.
    fn tell(&mut self, text: &'a str) {
        for (rank, other) in &mut self.others {
            other.sending = other.sending.take().and_then(|sending| self.wire.unfinished(sending));
            if other.sending.is_none() && !other.is_told {
                other.sending = Some(self.wire.begin(self.scope, *rank, TAG, text.as_bytes()));
                other.is_told = text == LAST;
            }
        }
    }

    /// Notes the heartbeats that have come.
    fn listen(&mut self) {
        while let Some((rank, bytes)) = self.wire.receive(TAG) {
            let (Some(other), Ok(bytes)) = (self.others.get_mut(&rank), bytes) else { continue };
            other.silent = 0;
            if bytes == LAST.as_bytes() {
                other.is_parted = true;
            } else {
                other.host = Some(String::from_utf8_lossy(&bytes).into_owned());
            }
        }
    }

    /// Parts from the others: they tell rank 0 that they have nothing more to say, and when all have, rank 0 tells them.
    fn part(&mut self, host: &'a str) {
        let (mut pause, mut passed) = (Pause::new(), Duration::ZERO);
        loop {
            self.listen();
            let are_parted = self.others.values().all(|other| other.is_parted);
            if are_parted || self.rank != LEADER {
                self.tell(LAST);
            }
            if are_parted && self.others.values().all(|other| other.is_told && other.sending.is_none()) {
                return;
            }
            let now = pause.next();
            std::thread::sleep(now);
            passed += now;
            if passed >= PERIOD {
                passed = Duration::ZERO;
                self.beat(host);
            }
        }
    }
}
