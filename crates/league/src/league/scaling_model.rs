//! A model of a league on more cores than this machine has: the distribution of games, event by event, with measured
//! times.
//!
//! Followers request games by the same rules as the ranks. The leader's main thread is a
//! queue with one server: every message costs it `message`, every record `record`. A message travels for `latency` and
//! is seen when the receiver polls next, at most `look` later. Not modelled: start-up of the job, a slow disk, nodes of
//! different speeds.

use super::batching::{AGAIN, BatchRequest};
use evouct_base::sampling::below;
use evouct_base::seed::Key;
use std::cmp::Reverse;
use std::collections::{BinaryHeap, VecDeque};
use std::time::Duration;

/// The plan to simulate.
#[derive(Clone, Debug)]
pub struct ScalingPlan {
    /// Games.
    pub games: u64,
    /// Ranks, the leader included.
    pub ranks: u64,
    /// Threads of each.
    pub threads: u64,
    /// How long games take: each game draws one of these.
    pub durations: Vec<Duration>,
    /// Cost of a message for the leader, answer included.
    pub message: Duration,
    /// Cost of a record for the leader.
    pub record: Duration,
    /// Latency of a message.
    pub latency: Duration,
    /// Longest time that a message waits until the receiver polls.
    pub look: Duration,
    /// What the games wait for; none if they can be played in any order.
    pub order: Option<GameOrder>,
}

/// Games that become known while others are played. They come in groups, and those of a group in rounds.
#[derive(Clone, Debug)]
pub struct GameOrder {
    /// By group, the games of its rounds, at least one in each. A round begins when the one before is complete.
    pub groups: Vec<Vec<u64>>,
    /// A group begins when all groups up to so many places before it are complete.
    pub lag: usize,
}

/// The result of a simulation.
#[derive(Clone, Copy, Debug, PartialEq, serde::Serialize)]
pub struct ScalingProjection {
    /// Threads in all.
    pub cores: u64,
    /// Games.
    pub games: u64,
    /// Seconds from the first game to the last record.
    pub seconds: f64,
    /// Games per second.
    pub games_per_second: f64,
    /// Share of the time of all cores spent playing.
    pub efficiency: f64,
    /// Share of the time of the leader's main thread spent working.
    pub leader_busy: f64,
    /// Share of the time after the first core runs out of games.
    pub tail: f64,
}

/// Nanoseconds.
type Time = u64;

#[derive(PartialEq, Eq, PartialOrd, Ord)]
enum ModelEvent {
    /// A game ends on a rank.
    Ended { rank: usize, game: Group },
    /// A message of a rank, with these results, reaches the leader.
    Report { rank: usize, results: Vec<Group> },
    /// The answer reaches the rank: games, and whether there will be more.
    Answer { rank: usize, games: Vec<Group>, finish: bool },
    /// A rank that got nothing asks again.
    Again { rank: usize },
}

/// A game, as the group that it belongs to.
type Group = u32;

#[derive(Clone, Default)]
struct Rank {
    playing: u64,
    store: VecDeque<Group>,
    results: Vec<Group>,
    waiting: bool,
    in_vain: bool,
    finishing: bool,
}

impl Rank {
    fn held(&self) -> u64 {
        self.playing + self.store.len() as u64
    }
}

struct ScalingModel<'a> {
    plan: &'a ScalingPlan,
    events: BinaryHeap<Reverse<(Time, u64, ModelEvent)>>,
    number: u64,
    ranks: Vec<Rank>,
    supply: Supply,
    done: u64,
    rng: rand_chacha::ChaCha8Rng,
    now: Time,
    /// When the leader's main thread is free.
    free: Time,
    leader_time: Time,
    playing_time: Time,
    first_idle: Option<Time>,
    usual: Duration,
}

fn nanoseconds(time: Duration) -> Time {
    time.as_nanos() as Time
}

/// Simulates.
///
/// # Panics
/// If there are no durations, ranks or threads.
pub fn project_scaling(plan: &ScalingPlan) -> ScalingProjection {
    let mean = plan.durations.iter().sum::<Duration>() / plan.durations.len() as u32;
    let mut model = ScalingModel {
        plan,
        events: BinaryHeap::new(),
        number: 0,
        ranks: vec![Rank::default(); plan.ranks as usize],
        supply: Supply::of(plan),
        done: 0,
        rng: Key::experiment(1).stream(),
        now: 0,
        free: 0,
        leader_time: 0,
        playing_time: 0,
        first_idle: None,
        usual: mean,
    };
    for rank in 0..model.ranks.len() {
        model.go_on(rank);
    }
    while model.done < plan.games {
        let Some(Reverse((now, _, event))) = model.events.pop() else { break };
        model.now = now;
        model.happen(event);
    }
    let end = model.free.max(model.now).max(1);
    let cores = plan.ranks * plan.threads;
    let seconds = end as f64 / 1e9;
    ScalingProjection {
        cores,
        games: plan.games,
        seconds,
        games_per_second: plan.games as f64 / seconds,
        efficiency: model.playing_time as f64 / (end as f64 * cores as f64),
        leader_busy: model.leader_time as f64 / end as f64,
        tail: 1.0 - model.first_idle.unwrap_or(end) as f64 / end as f64,
    }
}

/// The games that can be played by now.
struct Supply {
    /// Runs of games of one group.
    ready: VecDeque<(Group, u64)>,
    left: u64,
    /// By group, the games of its rounds that have not begun, in reverse, and those of its round that have not ended.
    groups: Vec<(Vec<u64>, u64)>,
    lag: usize,
    /// Groups that have begun, and groups of which it and all before it are complete.
    begun: usize,
    complete: usize,
}

impl Supply {
    fn of(plan: &ScalingPlan) -> Supply {
        let (groups, lag) = match &plan.order {
            Some(GameOrder { groups, lag }) => (groups.clone(), *lag),
            None => (vec![vec![plan.games]], 1),
        };
        let groups = groups.into_iter().map(|rounds| (rounds.into_iter().rev().collect(), 0)).collect();
        let mut supply = Supply { ready: VecDeque::new(), left: 0, groups, lag, begun: 0, complete: 0 };
        supply.begin();
        supply
    }

    /// Begins all groups that can begin.
    fn begin(&mut self) {
        while self.begun < self.groups.len() && self.begun - self.complete < self.lag {
            self.begun += 1;
            self.next_round(self.begun - 1);
        }
    }

    fn next_round(&mut self, group: usize) -> bool {
        let (rounds, playing) = &mut self.groups[group];
        let Some(games) = rounds.pop() else { return false };
        *playing = games;
        self.left += games;
        self.ready.push_back((group as Group, games));
        true
    }

    fn take(&mut self) -> Option<Group> {
        let (group, games) = self.ready.front_mut()?;
        let group = *group;
        *games -= 1;
        if *games == 0 {
            self.ready.pop_front();
        }
        self.left -= 1;
        Some(group)
    }

    /// Notes that a game is recorded.
    fn ended(&mut self, game: Group) {
        let group = game as usize;
        self.groups[group].1 -= 1;
        if self.groups[group].1 > 0 || self.next_round(group) {
            return;
        }
        let is_complete = |(rounds, playing): &(Vec<u64>, u64)| rounds.is_empty() && *playing == 0;
        while self.complete < self.begun && is_complete(&self.groups[self.complete]) {
            self.complete += 1;
        }
        self.begin();
    }

    /// Whether no game will follow those that are ready.
    fn is_last(&self) -> bool {
        self.begun == self.groups.len() && self.groups.iter().skip(self.complete).all(|(rounds, _)| rounds.is_empty())
    }
}

impl ScalingModel<'_> {
    fn at(&mut self, time: Time, event: ModelEvent) {
        self.number += 1;
        self.events.push(Reverse((time, self.number, event)));
    }

    /// A random delay until a poll sees a message.
    fn until_seen(&mut self) -> Time {
        let look = nanoseconds(self.plan.look);
        below(&mut self.rng, look as usize + 1) as Time
    }

    fn start_game(&mut self, rank: usize, game: Group) {
        let duration = nanoseconds(self.plan.durations[below(&mut self.rng, self.plan.durations.len())]);
        self.ranks[rank].playing += 1;
        self.playing_time += duration;
        self.at(self.now + duration, ModelEvent::Ended { rank, game });
    }

    /// Lets the leader's main thread work this long as soon as it is free; returns the time when it is done.
    fn serve(&mut self, work: Duration) -> Time {
        self.free = self.free.max(self.now) + nanoseconds(work);
        self.leader_time += nanoseconds(work);
        self.free
    }

    /// Lets a rank start games and request more.
    fn go_on(&mut self, rank: usize) {
        let threads = self.plan.threads;
        if rank == 0 {
            while self.ranks[0].playing < threads
                && let Some(game) = self.supply.take()
            {
                self.start_game(0, game);
            }
        }
        while self.ranks[rank].playing < threads
            && let Some(game) = self.ranks[rank].store.pop_front()
        {
            self.start_game(rank, game);
        }
        let is_last = self.supply.left == 0 && self.supply.is_last();
        let state = &mut self.ranks[rank];
        if state.playing < threads && (state.finishing || rank == 0 && is_last) {
            self.first_idle.get_or_insert(self.now);
        }
        if rank == 0 || state.waiting {
            return;
        }
        let ask = BatchRequest::of(threads, state.held(), self.usual);
        let wants = ask.is_any() && !state.in_vain && !state.finishing;
        if !state.results.is_empty() || wants {
            let results = std::mem::take(&mut state.results);
            state.waiting = true;
            let seen = self.until_seen();
            self.at(self.now + nanoseconds(self.plan.latency) + seen, ModelEvent::Report { rank, results });
        }
    }

    fn happen(&mut self, event: ModelEvent) {
        match event {
            ModelEvent::Ended { rank: 0, game } => {
                self.ranks[0].playing -= 1;
                self.serve(self.plan.record);
                self.done += 1;
                self.supply.ended(game);
                self.go_on(0);
            }
            ModelEvent::Ended { rank, game } => {
                let state = &mut self.ranks[rank];
                state.playing -= 1;
                state.results.push(game);
                state.in_vain = false;
                self.go_on(rank);
            }
            ModelEvent::Report { rank, results } => {
                let served = self.serve(self.plan.message + self.plan.record * results.len() as u32);
                self.done += results.len() as u64;
                let has_results = !results.is_empty();
                results.into_iter().for_each(|game| self.supply.ended(game));
                if self.plan.order.is_some() && has_results {
                    // Its threads take what they made possible.
                    self.go_on(0);
                }
                let state = &self.ranks[rank];
                let all = self.plan.ranks * self.plan.threads;
                let ask = BatchRequest::of(self.plan.threads, state.held(), self.usual);
                let games = ask.share(self.supply.left, self.plan.threads, all);
                let finish = self.supply.left == 0 && self.supply.is_last();
                let games = (0..games).filter_map(|_| self.supply.take()).collect();
                let seen = self.until_seen();
                self.at(served + nanoseconds(self.plan.latency) + seen, ModelEvent::Answer { rank, games, finish });
            }
            ModelEvent::Again { rank } => {
                self.ranks[rank].in_vain = false;
                self.go_on(rank);
            }
            ModelEvent::Answer { rank, games, finish } => {
                let state = &mut self.ranks[rank];
                state.waiting = false;
                state.in_vain = games.is_empty();
                state.store.extend(games);
                state.finishing |= finish;
                if self.plan.order.is_some() && state.in_vain && !finish && state.held() < self.plan.threads {
                    self.at(self.now + nanoseconds(AGAIN), ModelEvent::Again { rank });
                }
                self.go_on(rank);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn plan(games: u64, ranks: u64, threads: u64, duration: Duration) -> ScalingPlan {
        let [message, record, latency, look] = [15, 30, 20, 200].map(Duration::from_micros);
        ScalingPlan { games, ranks, threads, durations: vec![duration], message, record, latency, look, order: None }
    }

    #[test]
    fn every_game_is_played_and_no_core_does_more_than_it_can() {
        for (games, ranks, threads) in [(1, 1, 1), (100, 1, 4), (1_000, 4, 1), (5_000, 10, 8), (3, 50, 2)] {
            let projection = project_scaling(&plan(games, ranks, threads, Duration::from_secs(1)));
            let ideal = games.div_ceil(ranks * threads) as f64;
            assert!(projection.seconds >= ideal && projection.seconds < ideal * 1.6 + 0.1, "{projection:?}");
            assert!(projection.efficiency <= 1.0 && projection.leader_busy < 0.1, "{projection:?}");
            let played = projection.efficiency * projection.seconds * projection.cores as f64;
            assert!((played - games as f64).abs() < 1e-6 * games as f64, "{projection:?}");
        }
    }

    /// 200 groups of two rounds on 16 cores: the more of them are under way, the fewer cores wait.
    #[test]
    fn games_wait_for_those_that_make_them_known() {
        let projected = |lag: usize| {
            let groups = vec![vec![1, 3]; 200];
            let plan =
                ScalingPlan { order: Some(GameOrder { groups, lag }), ..plan(800, 4, 4, Duration::from_secs(1)) };
            project_scaling(&plan)
        };
        let [alone, few, many] = [1, 3, 40].map(projected);
        // One group at a time: a second for each of its rounds.
        assert!((400.0..410.0).contains(&alone.seconds), "{alone:?}");
        assert!(few.efficiency > 2.0 * alone.efficiency && few.efficiency < 0.6, "{few:?}");
        assert!(many.efficiency > 0.9 && many.games == 800, "{many:?}");
    }

    #[test]
    fn the_leader_limits_very_short_games() {
        let projection = project_scaling(&plan(200_000, 64, 16, Duration::from_micros(10)));
        assert!(projection.leader_busy > 0.95, "{projection:?}");
        // A record every 30 microseconds, and the messages.
        assert!(projection.games_per_second < 33_400.0 && projection.games_per_second > 20_000.0, "{projection:?}");
    }
}
