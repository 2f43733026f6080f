//! One decision with several trees (root parallelisation): the trees after the first.
//!
//! G. M. J.-B. Chaslot, M. H. M. Winands, H. J. van den Herik, "Parallel Monte-Carlo Tree Search", Computers and Games 2008. Each
//! tree has random numbers of its own, so what it finds depends neither on the other trees nor on the thread that grows it.

use super::mcts::Selector;
use crate::game::{Game, MoveLog, Playout};
use crate::search::{
    After, Clock, Guidance, Meter, Observer, RewardRule, Search, SearchProgress, SearchSettings, Share, TreePolicy,
    Workspace,
};
use evouct_base::panic::catch;
use evouct_base::seed::{Key, search_rng};
use evouct_base::stack;
use rand_chacha::ChaCha8Rng;
use std::thread;

/// A tree after the first.
pub(super) struct FurtherTree<G: Game> {
    stream: ChaCha8Rng,
    pub(super) work: Workspace<G>,
}

impl<G: Game> FurtherTree<G> {
    /// Number `number` of a player, from 1.
    pub(super) fn new(key: Key, number: u32) -> FurtherTree<G> {
        FurtherTree { stream: key.named("tree", number.into()).stream(), work: Workspace::default() }
    }
}

/// What all further trees of a decision have in common.
pub(super) struct Further<'a, G: Game, P> {
    pub(super) selector: &'a Selector,
    pub(super) settings: &'a SearchSettings,
    pub(super) guidance: &'a Guidance<G>,
    pub(super) rewards: Option<&'a RewardRule<G>>,
    pub(super) playout: &'a P,
    pub(super) state: &'a G,
    pub(super) log: Option<&'a MoveLog<G>>,
    pub(super) deck: &'a G::Deck,
    pub(super) clock: &'a dyn Clock,
    pub(super) common_random_numbers: bool,
    /// What selects at the beginning of each tree.
    pub(super) policy: &'a TreePolicy,
}

/// What is to be grown on one thread: trees with their shares of the budget.
type Lane<'t, G> = Vec<(&'t mut FurtherTree<G>, Share)>;

impl<G: Game, P: Playout<G>> Further<'_, G, P> {
    /// Grows the trees beside the first one, which `grow_first` grows on the calling thread, on so many threads at
    /// most. Returns what each of them found, in their order. The observer sees the trees of the calling thread.
    pub(super) fn grow_beside(
        &self,
        trees: &mut [FurtherTree<G>],
        meter: &mut Meter,
        (threads, observer): (usize, Option<&dyn Observer<G::Action>>),
        grow_first: impl FnOnce(&mut Meter) -> SearchProgress<G::Action>,
    ) -> Vec<SearchProgress<G::Action>> {
        let count = trees.len();
        let lanes = threads.clamp(1, count + 1);
        let shares = meter.share(count as u32 + 1, (count + 1).div_ceil(lanes) as u32);
        let mut by_lane: Vec<Lane<G>> = (0..lanes).map(|_| Vec::new()).collect();
        // The first tree is the first of the first lane.
        for (number, tree) in trees.iter_mut().zip(shares).enumerate() {
            by_lane[(number + 1) % lanes].push(tree);
        }
        let mut by_lane = by_lane.into_iter();
        let own = by_lane.next().unwrap_or_default();
        let mut found: Vec<_> = thread::scope(|scope| {
            let start = |lane| stack::thread("tree").spawn_scoped(scope, move || catch(|| self.grow(lane, None)));
            let beside: Vec<_> = by_lane.map(|lane| start(lane).expect("a thread starts")).collect();
            let first = grow_first(meter);
            let own = self.grow(own, observer.map(|observer| After { observer, before: first }));
            let beside = beside.into_iter().map(|thread| match thread.join() {
                Ok(Ok(found)) => found.into_iter(),
                Ok(Err(message)) => panic!("{message}"),
                Err(payload) => std::panic::resume_unwind(payload),
            });
            std::iter::once(own.into_iter()).chain(beside).collect()
        });
        // Tree by tree, whatever lanes there were: sums of numbers depend on their order.
        (0..count).filter_map(|number| found[(number + 1) % lanes].next()).collect()
    }

    /// Grows the trees of a lane one after another.
    fn grow(&self, lane: Lane<G>, mut observer: Option<After<G::Action>>) -> Vec<SearchProgress<G::Action>> {
        let mut all = Vec::with_capacity(lane.len());
        for (tree, share) in lane {
            let found = self.grow_one(tree, share, observer.as_ref().map(|after| after as &dyn Observer<_>));
            if let Some(after) = &mut observer {
                after.before.add(&found);
            }
            all.push(found);
        }
        all
    }

    fn grow_one(
        &self,
        FurtherTree { stream, work }: &mut FurtherTree<G>,
        share: Share,
        observer: Option<&dyn Observer<G::Action>>,
    ) -> SearchProgress<G::Action> {
        let rng = search_rng(stream);
        let search =
            Search::following(work, (self.state, self.log), Some(self.deck), self.settings, self.playout.clone(), rng);
        let mut search = search.with_rewards(self.rewards).with_observer(observer);
        if self.common_random_numbers {
            search.use_common_random_numbers();
        }
        let mut search = search.with_guidance(self.guidance, self.policy);
        let mut policy = self.policy.clone();
        // A share may be empty where evolution counts: its first iteration would be one too many.
        if share.iterations > 0 {
            let mut meter = Meter::of_share(share, self.clock);
            self.selector.grow(&mut search, &mut meter, &mut policy, None);
        }
        search.progress(&policy)
    }
}
