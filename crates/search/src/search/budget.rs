//! The budget of a decision.

use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

/// What limits a decision: a number of iterations, time, or both, whichever ends first.
#[derive(Clone, Copy, PartialEq, Debug, Default)]
pub struct Budget {
    /// Iterations per decision.
    pub iterations: Option<u64>,
    /// Time per decision.
    pub time_per_move: Option<Duration>,
    /// Time for all decisions of a game. Each gets the time left divided by the turns left (Heyden 2009).
    pub time_per_game: Option<Duration>,
    /// Whether the playouts of evolution count as iterations.
    pub count_evolution: bool,
}

impl Budget {
    /// This many iterations per decision.
    pub fn iterations(iterations: u64) -> Budget {
        Budget { iterations: Some(iterations), ..Budget::default() }
    }

    /// Whether decisions depend on a clock, so that they cannot be repeated.
    pub fn is_timed(&self) -> bool {
        self.time_per_move.is_some() || self.time_per_game.is_some()
    }
}

/// A clock.
pub trait Clock: Send + Sync {
    /// Time since some fixed moment.
    fn now(&self) -> Duration;

    /// Whether time passes.
    fn runs(&self) -> bool {
        true
    }

    /// A flag that ends a search after its first iteration when it is set; none if searches are never cancelled.
    fn cancelled(&self) -> Option<&AtomicBool> {
        None
    }
}

/// A stopped clock, for budgets without time.
#[derive(Clone, Copy, Debug)]
pub struct Stopped;

impl Clock for Stopped {
    fn now(&self) -> Duration {
        Duration::ZERO
    }

    fn runs(&self) -> bool {
        false
    }
}

/// What one of several trees may spend of a decision.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Share {
    /// Iterations; `u64::MAX` if only time limits them.
    pub iterations: u64,
    /// Time from the tree's first iteration.
    pub time: Option<Duration>,
}

/// The remaining budget of one decision.
pub struct Meter<'a> {
    clock: &'a dyn Clock,
    cancelled: Option<&'a AtomicBool>,
    iterations: u64,
    started: Duration,
    /// How long the decision may take.
    time: Option<Duration>,
    count_evolution: bool,
    spent: u64,
    evolution: u64,
}

impl<'a> Meter<'a> {
    /// A meter for one decision. `used` is the time that earlier decisions of the game took, `turns_left` the decisions
    /// still to make, this one included.
    ///
    /// # Panics
    /// If only time limits the decision, and the clock is stopped: it would never end.
    pub fn start(budget: &Budget, clock: &'a dyn Clock, used: Duration, turns_left: u32) -> Meter<'a> {
        let share = budget.time_per_game.map(|game| game.saturating_sub(used) / turns_left.max(1));
        let time = [budget.time_per_move, share].into_iter().flatten().min();
        let ends = budget.iterations.is_some() || time.is_none() || clock.runs();
        assert!(ends, "a budget of time needs a clock that runs: give the view one");
        Meter {
            clock,
            cancelled: clock.cancelled(),
            iterations: budget.iterations.unwrap_or(u64::MAX),
            started: clock.now(),
            time,
            count_evolution: budget.count_evolution,
            spent: 0,
            evolution: 0,
        }
    }

    /// The same meter for a decision that may take no longer than this, if there is such a limit.
    #[must_use]
    pub fn within(self, limit: Option<Duration>) -> Meter<'a> {
        Meter { time: [self.time, limit].into_iter().flatten().min(), ..self }
    }

    /// The meter of a tree with this share, which begins now.
    pub fn of_share(share: Share, clock: &'a dyn Clock) -> Meter<'a> {
        let Share { iterations, time } = share;
        let (cancelled, started) = (clock.cancelled(), clock.now());
        Meter { clock, cancelled, iterations, started, time, count_evolution: false, spent: 0, evolution: 0 }
    }

    /// Shares what is left among `trees` trees, of which this is the meter of the first, and returns the shares of the
    /// others.
    ///
    /// Iterations are shared equally; what is left over goes to the first trees, and what the first has spent already
    /// counts as its own. Playouts of evolution that count as iterations are paid by all. Time is shared where trees
    /// follow one another, `in_turn` at most.
    pub fn share(&mut self, trees: u32, in_turn: u32) -> Vec<Share> {
        let others = u64::from(trees.max(1)) - 1;
        let evolution = if self.count_evolution { self.evolution } else { 0 };
        let mut left = self.iterations;
        if left != u64::MAX {
            let all = left.saturating_sub(evolution);
            let first = all.div_ceil(others + 1).max(self.spent);
            left = all.saturating_sub(first);
            self.iterations = first + evolution;
        }
        let used = self.clock.now().saturating_sub(self.started);
        let time = self.time.map(|time| time.saturating_sub(used) / in_turn.max(1));
        self.time = time.map(|time| used + time);
        let iterations = |number| match left {
            u64::MAX => u64::MAX,
            left => left / others + u64::from(number < left % others),
        };
        (0..others).map(|number| Share { iterations: iterations(number), time }).collect()
    }

    /// Whether another iteration may begin. The first always may.
    #[inline]
    pub fn allows(&self) -> bool {
        self.allows_share(1, 1)
    }

    /// Whether one more iteration may begin within the first `part` of `parts` equal shares of iterations and time. The
    /// first always may.
    #[inline]
    pub fn allows_share(&self, part: u64, parts: u64) -> bool {
        let counted = self.spent + if self.count_evolution { self.evolution } else { 0 };
        let limit = if parts == 1 {
            self.iterations
        } else {
            (u128::from(self.iterations) * u128::from(part) / u128::from(parts)) as u64
        };
        self.spent == 0 || (counted < limit && self.has_time(part, parts) && !self.is_cancelled())
    }

    #[inline]
    fn has_time(&self, part: u64, parts: u64) -> bool {
        self.time.is_none_or(|time| {
            let share = if parts == 1 { time } else { time.mul_f64(part as f64 / parts as f64) };
            self.clock.now().saturating_sub(self.started) < share
        })
    }

    #[inline]
    fn is_cancelled(&self) -> bool {
        self.cancelled.is_some_and(|flag| flag.load(Ordering::Relaxed))
    }

    /// The share of the budget that is left, 1 to 0: the smaller one of iterations and time.
    pub fn left(&self) -> f64 {
        let counted = self.spent + if self.count_evolution { self.evolution } else { 0 };
        let of_iterations = match self.iterations {
            u64::MAX => 1.0,
            iterations => 1.0 - counted as f64 / iterations as f64,
        };
        let of_time = self.time.map_or(1.0, |time| {
            1.0 - self.clock.now().saturating_sub(self.started).as_secs_f64()
                / time.as_secs_f64().max(f64::MIN_POSITIVE)
        });
        of_iterations.min(of_time).clamp(0.0, 1.0)
    }

    /// Whether evolution may continue.
    #[inline]
    pub fn allows_evolution(&self) -> bool {
        (!self.count_evolution || self.spent + self.evolution < self.iterations)
            && self.has_time(1, 1)
            && !self.is_cancelled()
    }

    /// Counts an iteration.
    #[inline]
    pub fn count(&mut self) {
        self.spent += 1;
    }

    /// Counts many iterations.
    #[inline]
    pub fn count_many(&mut self, iterations: u64) {
        self.spent += iterations;
    }

    /// Counts playouts of evolution.
    pub fn count_evolution(&mut self, playouts: u64) {
        self.evolution += playouts;
    }

    /// Iterations so far.
    pub fn spent(&self) -> u64 {
        self.spent
    }

    /// Playouts of evolution so far.
    pub fn evolution(&self) -> u64 {
        self.evolution
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::atomic::{AtomicU64, Ordering};

    /// A clock that a test sets.
    struct Hands(AtomicU64);

    impl Clock for Hands {
        fn now(&self) -> Duration {
            Duration::from_millis(self.0.load(Ordering::Relaxed))
        }
    }

    fn spend(meter: &mut Meter) -> u64 {
        while meter.allows() {
            meter.count();
        }
        meter.spent()
    }

    #[test]
    fn iterations_are_counted_and_evolution_only_if_asked() {
        for (count_evolution, expected) in [(false, 400), (true, 100)] {
            let budget = Budget { count_evolution, ..Budget::iterations(400) };
            let mut meter = Meter::start(&budget, &Stopped, Duration::ZERO, 1);
            meter.count_evolution(300);
            assert_eq!(spend(&mut meter), expected);
        }
    }

    #[test]
    fn time_ends_a_decision_but_not_before_one_iteration() {
        let clock = Hands(AtomicU64::new(1_000));
        let budget = Budget { time_per_move: Some(Duration::from_millis(10)), ..Budget::default() };
        let mut meter = Meter::start(&budget, &clock, Duration::ZERO, 1);
        clock.0.store(2_000, Ordering::Relaxed);
        assert!(meter.allows() && !meter.allows_evolution());
        meter.count();
        assert!(!meter.allows());
    }

    #[test]
    fn time_a_game_is_divided_by_the_turns_left() {
        let clock = Hands(AtomicU64::new(0));
        let budget = Budget { time_per_game: Some(Duration::from_secs(60)), ..Budget::default() };
        let mut meter = Meter::start(&budget, &clock, Duration::from_secs(30), 10);
        meter.count();
        clock.0.store(2_999, Ordering::Relaxed);
        assert!(meter.allows());
        clock.0.store(3_000, Ordering::Relaxed);
        assert!(!meter.allows());
    }

    #[test]
    #[should_panic(expected = "needs a clock that runs")]
    fn time_needs_a_clock_that_runs() {
        let time_per_move = Some(Duration::from_secs(3));
        let timed = Budget { time_per_move, ..Budget::iterations(2) };
        assert_eq!(spend(&mut Meter::start(&timed, &Stopped, Duration::ZERO, 1)), 2);
        Meter::start(&Budget { time_per_move, ..Budget::default() }, &Stopped, Duration::ZERO, 1);
    }

    #[test]
    fn time_has_shares_too() {
        let clock = Hands(AtomicU64::new(500));
        let budget = Budget { time_per_move: Some(Duration::from_secs(3)), ..Budget::default() };
        let mut meter = Meter::start(&budget, &clock, Duration::ZERO, 1);
        meter.count();
        for (now, allowed) in [(2_499, [true, true]), (2_500, [false, true]), (3_500, [false, false])] {
            clock.0.store(now, Ordering::Relaxed);
            assert_eq!([meter.allows_share(2, 3), meter.allows()], allowed, "{now}");
        }
    }

    #[test]
    fn trees_share_iterations_by_hand() {
        let shared = |budget: Budget, trees, (spent, evolution)| {
            let mut meter = Meter::start(&budget, &Stopped, Duration::ZERO, 1);
            meter.count_many(spent);
            meter.count_evolution(evolution);
            let shares = meter.share(trees, 1);
            let first = spend(&mut meter);
            let others: Vec<u64> = shares.iter().map(|share| spend(&mut Meter::of_share(*share, &Stopped))).collect();
            (first, others)
        };
        let budget = Budget::iterations(10);
        assert_eq!(shared(budget, 1, (0, 0)), (10, vec![]));
        assert_eq!(shared(budget, 4, (0, 0)), (3, vec![3, 2, 2]));
        // The first has spent more than its share: the others share the rest.
        assert_eq!(shared(budget, 4, (6, 0)), (6, vec![2, 1, 1]));
        // Playouts of evolution count if asked, for all trees.
        assert_eq!(shared(budget, 4, (2, 6)), (3, vec![3, 2, 2]));
        let counted = Budget { count_evolution: true, ..Budget::iterations(16) };
        assert_eq!(shared(counted, 4, (2, 6)), (3, vec![3, 2, 2]));
    }

    #[test]
    fn trees_share_time_only_in_turn() {
        let clock = Hands(AtomicU64::new(0));
        let budget = Budget { time_per_move: Some(Duration::from_millis(100)), ..Budget::default() };
        for (in_turn, share) in [(1, 90), (3, 30)] {
            clock.0.store(0, Ordering::Relaxed);
            let mut meter = Meter::start(&budget, &clock, Duration::ZERO, 1);
            meter.count();
            clock.0.store(10, Ordering::Relaxed);
            let expected = Share { iterations: u64::MAX, time: Some(Duration::from_millis(share)) };
            assert_eq!(meter.share(3, in_turn), [expected; 2]);
            clock.0.store(9 + share, Ordering::Relaxed);
            assert!(meter.allows());
            clock.0.store(10 + share, Ordering::Relaxed);
            assert!(!meter.allows());
        }
    }

    #[test]
    fn shares_add_up_to_the_whole() {
        let mut meter = Meter::start(&Budget::iterations(10), &Stopped, Duration::ZERO, 1);
        let mut shares = Vec::new();
        for part in 1..=4 {
            let before = meter.spent();
            while meter.allows_share(part, 4) {
                meter.count();
            }
            shares.push(meter.spent() - before);
        }
        assert_eq!(shares, [2, 3, 2, 3]);
    }
}
