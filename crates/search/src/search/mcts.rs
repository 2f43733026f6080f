//! Monte Carlo Tree Search: Selection, Expansion, Playout, Backpropagation.
//!
//! Kocsis and Szepesvári (2006); for games with chance as in Valdez Ameneyro et al. (2020) and Galván et al. (2022).
//! One iteration expands one edge. Where sources differ, [`SearchSettings`] holds the alternatives.

mod amaf;
mod compact;
mod decision;
mod evaluated;
mod guided;
mod halving;
mod learning;
mod open_loop;
mod playout;
mod rehearsal;
mod reuse;
mod terms;
mod view;
mod workspace;

pub use self::evaluated::{EvaluatedSearch, EvaluatedSettings, Leaf, LeafEvaluation};
use self::guided::move_columns::MoveColumns;
use self::halving::Halving;
pub use self::rehearsal::{Belief, Rehearsal};
pub use self::terms::FormulaTerms;
use self::workspace::Step;
pub use self::workspace::Workspace;
use super::budget::Meter;
use super::guidance::Guidance;
use super::observer::Observer;
use super::policy::{Choice, TreePolicy};
use super::reward_rule::RewardRule;
use super::settings::{Chance, LeafReward, ParentVisits, RootRule, SearchSettings};
use super::tree::{Node, Parent, SearchTree};
use crate::game::{Deck, Game, LogMark, MoveLog, Playout, Turn};
use evouct_base::sampling::below;
use evouct_base::seed::{SearchRng, common_rng};
use evouct_gp::Needs;
use rand::Rng;

/// What a simulation does besides playing.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Descent {
    /// Whether an untried action is tried and added to the tree.
    pub expand: bool,
    /// Whether the statistics on the path are updated.
    pub update: bool,
    /// Whether it leaves the tree after one action.
    pub root_only: bool,
}

impl Descent {
    /// An iteration of the search.
    pub const SEARCH: Descent = Descent { expand: true, update: true, root_only: false };
}

/// A search for one decision.
pub struct Search<'a, G: Game, P> {
    work: &'a mut Workspace<G>,
    root: &'a G,
    /// The moves of the game before the root, if they were told.
    told: Option<&'a MoveLog<G>>,
    /// Where the log of a simulation begins, if moves are logged.
    log_root: Option<LogMark<G::Outcome>>,
    /// The searching seat.
    mover: usize,
    settings: &'a SearchSettings,
    playout: P,
    rng: SearchRng,
    /// The order of chance outcomes, if the search has one.
    deck: Option<G::Deck>,
    /// The highest possible score, if the reward needs it.
    bound: f64,
    trees: u32,
    /// Whether the tree is of an earlier decision.
    is_continued: bool,
    playouts: u64,
    /// What simulations draw from if they use common random numbers.
    common: Option<u64>,
    /// Whether tried edges are kept in their order.
    keeps_tried: bool,
    guidance: Option<&'a Guidance<G>>,
    /// What the tree keeps of moves.
    moves: MoveColumns,
    /// What playouts are worth if the settings' reward is not all.
    rewards: Option<&'a RewardRule<G>>,
    /// The columns that the guidance and the policy need.
    needs: Needs,
    /// The share of the budget that is left, and whether anything asks for it.
    left: f64,
    needs_left: bool,
    /// Whether formulas use what is learned of moves, and whether they use proofs.
    learns: bool,
    proves: bool,
    /// The rounds at the root, if it is searched by sequential halving.
    halving: Halving,
    observer: Option<&'a dyn Observer<G::Action>>,
}

impl<'a, G: Game, P: Playout<G>> Search<'a, G, P> {
    /// A search from `root`, where a seat must be to play. `deck` is the real order of what is to come, used only by
    /// [`Chance::Peek`]; without one, peeking samples.
    ///
    /// # Panics
    /// If no seat is to play, or if the reward needs a bound ([`Reward::needs_bound`](super::Reward::needs_bound)) that
    /// the game does not know.
    pub fn new(
        work: &'a mut Workspace<G>,
        root: &'a G,
        deck: Option<&G::Deck>,
        settings: &'a SearchSettings,
        playout: P,
        rng: SearchRng,
    ) -> Search<'a, G, P> {
        Search::following(work, (root, None), deck, settings, playout, rng)
    }

    /// The same, told the moves that led to the root; without them it knows what the [position](Game::past) knows.
    ///
    /// # Panics
    /// As [`new`](Search::new).
    pub fn following(
        work: &'a mut Workspace<G>,
        (root, told): (&'a G, Option<&'a MoveLog<G>>),
        deck: Option<&G::Deck>,
        settings: &'a SearchSettings,
        playout: P,
        rng: SearchRng,
    ) -> Search<'a, G, P> {
        let Turn::Player(mover) = root.turn() else { panic!("the root must be a position in which a seat is to play") };
        let deck = if settings.chance == Chance::Peek { deck.cloned() } else { None };
        match &mut work.state {
            Some(state) => state.clone_from(root),
            none => *none = Some(root.clone()),
        }
        work.kept.clear();
        let bound = settings.reward.bound(root);
        let mut search = Search {
            work,
            root,
            told,
            log_root: None,
            mover,
            settings,
            playout,
            rng,
            deck,
            bound,
            trees: 0,
            is_continued: false,
            playouts: 0,
            common: None,
            keeps_tried: false,
            guidance: None,
            moves: MoveColumns::default(),
            rewards: None,
            needs: Needs::default(),
            left: 1.0,
            needs_left: settings.root == RootRule::SequentialHalving,
            learns: false,
            proves: false,
            halving: Halving::default(),
            observer: None,
        };
        if settings.amaf.is_some() || settings.reuse || search.playout.needs_log() {
            search.keep_log();
        }
        if !search.continue_tree() {
            search.begin_tree();
        }
        search
    }

    /// From now on, the moves of simulations are logged.
    fn keep_log(&mut self) {
        let log = &mut self.work.log;
        match self.told {
            Some(told) => log.clone_from(told),
            None => *log = MoveLog::known_to(self.root),
        }
        self.log_root = Some(log.mark());
    }

    /// The same search with this reward in place of the settings'. Must come before the first iteration.
    #[must_use]
    pub fn with_rewards(mut self, rewards: Option<&'a RewardRule<G>>) -> Search<'a, G, P> {
        self.rewards = rewards;
        self
    }

    /// The same search, seen by this observer.
    #[must_use]
    pub fn with_observer(mut self, observer: Option<&'a dyn Observer<G::Action>>) -> Search<'a, G, P> {
        self.observer = observer;
        self
    }

    /// The seat that decides.
    pub fn mover(&self) -> usize {
        self.mover
    }

    /// Playouts so far, evolution included.
    pub fn playouts(&self) -> u64 {
        self.playouts
    }

    /// The generator of this search.
    pub fn rng(&mut self) -> &mut SearchRng {
        &mut self.rng
    }

    /// From now on, what a simulation draws after its root action depends only on this search's seed, the action and
    /// the action's visits: searches of the same position and seed with different policies use common random numbers.
    pub fn use_common_random_numbers(&mut self) {
        self.common = Some(self.rng.next_u64());
    }

    /// From now on, tried edges are kept in their order: see [`Workspace::edges`].
    pub fn keep_tried(&mut self) {
        self.keeps_tried = true;
    }

    /// Draws on from a stream of this edge at the root and its visits, if random numbers are common.
    #[inline]
    fn begin_common_stream(&mut self, edge: usize) {
        if let Some(common) = self.common {
            self.rng = common_rng(common, edge as u64, self.work.tree.edge_visits(edge) as u64);
        }
    }

    /// The number of trees that the iterations are shared among.
    pub fn tree_count(&self) -> u32 {
        match self.settings.chance {
            Chance::Determinised { decks } => decks.max(1),
            _ => 1,
        }
    }

    /// Begins a tree; the statistics of the one before are kept.
    pub fn begin_tree(&mut self) {
        if self.trees > 0 {
            self.work.kept = self.totals();
        }
        self.trees += 1;
        if let Chance::Determinised { .. } = self.settings.chance {
            self.deck = Some(G::Deck::shuffled(self.root, &mut self.rng));
        }
        self.work.tried.clear();
        self.work.ends.clear();
        self.work.tree.clear(self.settings.amaf.is_some());
        if self.settings.transpositions {
            self.work.tree.share_positions();
        }
        self.work.table.forget_nodes();
        self.root.actions(&mut self.work.actions);
        self.back_to_root();
        let drawn = self.work.log.drawn(self.mover).filter(|_| self.settings.amaf.is_some());
        self.work.tree.add_node(self.mover, drawn, 0.0, &self.work.actions);
        if self.settings.counts_similar() {
            self.work.tree.add_likeness(self.root, (self.mover, drawn), &self.work.actions);
        }
        self.work.kept.resize(self.work.actions.len(), (0.0, 0.0));
        if self.halves() {
            self.halving.begin(self.work.actions.len());
        }
        if self.guidance.is_some() {
            self.reset();
            self.keep_columns();
        }
    }

    /// Whether every action at the root of this tree has been tried.
    pub fn is_root_expanded(&self) -> bool {
        self.work.tree.node(0).untried == 0
    }

    /// Runs iterations while the meter allows, within the first `part` trees' share; with `until_expanded` only until
    /// every action at the root has been tried.
    pub fn run(&mut self, policy: &TreePolicy, meter: &mut Meter, part: u32, until_expanded: bool) {
        let parts = self.tree_count().into();
        while !(until_expanded && self.is_root_expanded()) && meter.allows_share(part.into(), parts) {
            self.step(policy, meter);
        }
    }

    /// Runs one iteration that the meter allows, and returns its reward for the deciding seat.
    #[inline]
    pub fn step(&mut self, policy: &TreePolicy, meter: &mut Meter) -> f64 {
        if self.needs_left {
            self.left = meter.left();
        }
        meter.count();
        let reward = self.iterate(policy);
        self.show(policy);
        reward
    }

    /// Lets the observer, if there is one, see the search after an iteration.
    #[inline]
    pub(crate) fn show(&self, policy: &TreePolicy) {
        if let Some(observer) = self.observer {
            observer.look(&|| self.progress(policy));
        }
    }

    /// One iteration; returns its reward for the deciding seat. Where the first iteration is a playout from the root,
    /// it is one without expansion.
    #[inline]
    pub fn iterate(&mut self, policy: &TreePolicy) -> f64 {
        if self.settings.root_playout && self.work.tree.node(0).visits == 0.0 {
            self.reset();
            self.work.path.push(Step { node: 0, edge: None, mover: self.mover });
            return self.finish(true);
        }
        self.simulate(policy, Descent::SEARCH)
    }

    /// Plays one simulation and returns its reward for the deciding seat.
    pub fn simulate(&mut self, policy: &TreePolicy, descent: Descent) -> f64 {
        self.reset();
        let mut deck = self.deck.clone();
        let mut node = 0;
        while let Some(edge) = self.choose(node, policy, descent.expand) {
            let mover = self.work.tree.node(node).mover;
            self.work.path.push(Step { node, edge: Some(edge.index), mover });
            if node == 0 {
                self.begin_common_stream(edge.index);
            }
            let action = self.work.tree.action(edge.index);
            // In a long search most of the tree is in no cache; what comes next arrives while the position is played
            // on.
            self.work.tree.prefetch_edge(edge.index);
            self.state().play(action);
            if self.log_root.is_some() {
                self.work.log.play(mover, action);
            }
            self.work.tree.prefetch_links(edge.index);
            if edge.is_new || descent.root_only {
                if self.proves && edge.is_new && descent.update {
                    self.prove();
                }
                if self.keeps_tried && edge.is_new {
                    let place = self.work.tree.place_of(node, edge.index);
                    self.work.tried.push((node as u32, place as u32));
                }
                if self.settings.leaf_reward == LeafReward::Stored {
                    self.end_as_stored(edge.index);
                }
                return self.finish(descent.update);
            }
            if self.settings.leaf_reward == LeafReward::Stored && self.end_as_stored(edge.index) {
                return self.finish(descent.update);
            }
            match self.next_node(edge.index, deck.as_mut(), descent.expand) {
                Some(next) => {
                    if self.proves && descent.update && self.work.tree.shares_positions() {
                        self.prove_shared(next);
                    }
                    node = next;
                }
                None => return self.finish(descent.update),
            }
        }
        let mover = self.work.tree.node(node).mover;
        self.work.path.push(Step { node, edge: None, mover });
        self.finish(descent.update)
    }

    /// The edge at the root that a policy selects. Every action must have been tried.
    pub fn select_root(&mut self, policy: &TreePolicy) -> usize {
        let Some(guidance) = self.guidance else { return self.select(0, policy) };
        self.reset();
        self.choose_guided(guidance, 0, policy, false).expect("every action was tried").index
    }

    /// Plays out from the position after the root's edge number `edge`, without an update; returns the reward for the
    /// deciding seat.
    pub fn playout_after(&mut self, edge: usize) -> f64 {
        self.reset();
        let action = self.work.tree.action(edge);
        self.state().play(action);
        if self.log_root.is_some() {
            self.work.log.play(self.mover, action);
        }
        self.finish(false)
    }

    /// The memory of the search, with its trees.
    pub fn workspace(&self) -> &Workspace<G> {
        self.work
    }

    /// Keeps a copy of the tree as it is.
    pub fn save_tree(&mut self) {
        self.work.saved.clone_from(&self.work.tree);
        self.work.saved_tried = self.work.tried.len();
    }

    /// Takes the tree back to the copy.
    pub fn restore_tree(&mut self) {
        self.work.tree.clone_from(&self.work.saved);
        self.work.table.forget_nodes_from(self.work.tree.size());
        self.work.tried.truncate(self.work.saved_tried);
        debug_assert!(self.work.tree == self.work.saved, "the restored tree is another one");
    }

    /// Checks the tree: see [`SearchTree::check`].
    ///
    /// # Errors
    /// The first thing that does not hold.
    pub fn check(&self) -> Result<(), String> {
        self.work.tree.check()
    }

    /// Where chance ends the game after an edge: lets it decide as at the first visit of this edge. Returns whether it
    /// did.
    ///
    /// Chance that does not end the game decides at each visit.
    #[cold]
    fn end_as_stored(&mut self, edge: usize) -> bool {
        let Workspace { ends, state, .. } = &mut *self.work;
        let state = state.as_mut().expect("the workspace has a position");
        if state.turn() != Turn::Chance || self.deck.is_some() {
            return false;
        }
        if let Some(outcome) = ends.get(&edge) {
            state.apply(*outcome);
            return true;
        }
        let mut after = state.clone();
        let outcome = after.sample(&mut self.rng);
        if after.turn() != Turn::Terminal {
            return false;
        }
        ends.insert(edge, outcome);
        state.clone_from(&after);
        true
    }

    /// Back to the root.
    #[inline]
    fn reset(&mut self) {
        let root = self.root;
        self.work.path.clear();
        self.state().clone_from(root);
        self.back_to_root();
    }

    #[inline]
    fn back_to_root(&mut self) {
        if let Some(mark) = self.log_root {
            self.work.log.go_back(mark);
        }
    }

    #[inline]
    fn state(&mut self) -> &mut G {
        self.work.state.as_mut().expect("the workspace has a position")
    }

    /// The edge to descend from a node; none if an action is untried and must not be tried.
    #[inline]
    fn choose(&mut self, node: usize, policy: &TreePolicy, expand: bool) -> Option<Edge> {
        if node == 0 && self.halves() {
            return self.choose_by_halving(expand);
        }
        if self.settings.chance == Chance::OpenLoop && node != 0 {
            return self.choose_open(node, policy, expand);
        }
        if let Some(guidance) = self.guidance {
            return self.choose_guided(guidance, node, policy, expand);
        }
        let Node { untried, is_compact, .. } = self.work.tree.node(node);
        if untried == 0 {
            return Some(Edge { index: self.select(node, policy), is_new: false });
        }
        expand.then(|| {
            let choice = below(&mut self.rng, untried);
            let index =
                if is_compact { self.take_compact(node, choice) } else { self.work.tree.take_untried(node, choice) };
            Edge { index, is_new: true }
        })
    }

    /// Always inlined: as a call of its own it costs a search by a formula 1 to 2 % of its time.
    #[inline(always)]
    fn select(&mut self, node: usize, policy: &TreePolicy) -> usize {
        let tree = &self.work.tree;
        tree.prefetch_actions(node);
        let (means, visits) = tree.statistics(node);
        let (amaf, parent) = (tree.amaf(node), self.parent_visits(node));
        let choice = Choice { means, visits, amaf, parent, minimises: self.minimises(node) };
        tree.node(node).first + policy.select(choice, &mut self.work.values, &mut self.rng)
    }

    fn minimises(&self, node: usize) -> bool {
        self.settings.opponent.minimises(self.work.tree.node(node).mover, self.mover)
    }

    fn parent_visits(&self, node: usize) -> f64 {
        let edge_above = self.work.path.last().and_then(|step| step.edge);
        match (self.settings.parent_visits, edge_above) {
            (ParentVisits::AllOutcomes, Some(edge)) => self.work.tree.edge_visits(edge),
            _ => self.work.tree.node(node).visits,
        }
    }

    /// Lets chance act and returns the decision node that follows an edge. None at the end of the game, and where there
    /// is no such node yet and none is to be made.
    #[inline]
    fn next_node(&mut self, edge: usize, mut deck: Option<&mut G::Deck>, expand: bool) -> Option<usize> {
        if self.settings.chance == Chance::OpenLoop {
            return self.next_open_node(edge, expand);
        }
        let (max_tree_nodes, starts_compact) = (self.settings.max_tree_nodes, self.starts_compact());
        let logs = self.log_root.is_some();
        let Workspace { tree, state, actions, log, .. } = &mut *self.work;
        let state = state.as_mut().expect("the workspace has a position");
        let mut parent = Parent::Edge(edge);
        loop {
            let outcome = match state.turn() {
                Turn::Terminal => return None,
                Turn::Player(_) => None,
                Turn::Chance => Some(match &mut deck {
                    Some(deck) => deck.deal(state),
                    None => state.sample(&mut self.rng),
                }),
            };
            if let (true, Some(outcome)) = (logs, outcome) {
                log.draw(outcome);
            }
            let turn = state.turn();
            if turn == Turn::Terminal {
                return None;
            }
            let node = match (tree.follow(parent, outcome), turn) {
                (Some(node), _) => node,
                (None, _) if !expand || is_full(tree, max_tree_nodes) => return None,
                (None, Turn::Player(mover)) => {
                    if let Some(node) = tree.node_of(mover, state) {
                        tree.link(parent, outcome, node);
                        return Some(node);
                    }
                    state.actions(actions);
                    let visits = if deck.is_some() { tree.edge_visits(edge) } else { 0.0 };
                    let drawn = if self.settings.amaf.is_some() { log.drawn(mover) } else { None };
                    let node = if starts_compact {
                        tree.add_compact_node(mover, visits, actions)
                    } else {
                        tree.add_node(mover, drawn, visits, actions)
                    };
                    if self.settings.counts_similar() {
                        tree.add_likeness(state, (mover, drawn), actions);
                    }
                    tree.keep_position(node, state);
                    tree.link(parent, outcome, node);
                    if self.guidance.is_some() {
                        self.begin_implicit();
                        return Some(node);
                    }
                    node
                }
                (None, _) => {
                    let node = tree.add_node(0, None, 0.0, &[]);
                    tree.link(parent, outcome, node);
                    node
                }
            };
            match turn {
                Turn::Player(mover) => {
                    debug_assert_eq!(tree.node(node).mover, mover);
                    return Some(node);
                }
                _ => parent = Parent::Chance(node),
            }
        }
    }
}

/// Whether a tree has as many nodes as it may have.
fn is_full<G: Game>(tree: &SearchTree<G>, max_tree_nodes: Option<u64>) -> bool {
    max_tree_nodes.is_some_and(|most| tree.size() as u64 >= most)
}

#[derive(Clone, Copy)]
struct Edge {
    index: usize,
    is_new: bool,
}
