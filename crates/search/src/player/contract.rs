//! The contract between a player and a game in progress: a [`PlayerView`] in, a [`Decision`] out.

use crate::evolve::EvolutionLog;
use crate::game::{Game, MoveLog, Playout};
use crate::search::{
    Budget, Child, Clock, FormulaTerms, Meter, Observer, RewardRule, Search, SearchSettings, Stopped, TreeEdge,
    TreePolicy, Workspace,
};
use evouct_base::seed::search_rng;
use rand_chacha::ChaCha8Rng;
use std::time::Duration;

/// The information of a player on its turn.
pub struct PlayerView<'a, G: Game> {
    /// The position; a seat is to play.
    pub state: &'a G,
    /// The moves that led to it. Without them a player knows what the [position](Game::past) knows.
    pub log: Option<&'a MoveLog<G>>,
    /// The real order of what is to come. Only players that are configured to peek look at it.
    pub deck: &'a G::Deck,
    /// Decisions that this seat still has to make, this one included.
    pub turns_left: u32,
    /// For budgets of time.
    pub clock: &'a dyn Clock,
    /// The time that the decision may take where the game has a clock. The player's own budget may be smaller.
    pub limit: Option<Duration>,
    /// Whether the player reports what it considered.
    pub explain: bool,
    /// Whether it reports what the formula of its search sees in them, too.
    pub terms: bool,
    /// Whether what a simulation of MCTS draws depends only on the player's key, the root action and its visits, so
    /// that players that share a key use common random numbers and differ by their choices only. For evaluations, not
    /// for games.
    pub common_random_numbers: bool,
    /// Threads that the decision may use. A player decides the same with any number of them, unless a clock limits it.
    pub threads: usize,
    /// Who sees the search while it runs, if the player has one that can be seen.
    pub observer: Option<&'a dyn Observer<G::Action>>,
}

impl<'a, G: Game> PlayerView<'a, G> {
    /// A view without a clock, for players whose budgets know no time; the player does not report what it
    /// considers.
    pub fn of(state: &'a G, deck: &'a G::Deck) -> PlayerView<'a, G> {
        let (log, turns_left, clock, limit, threads, observer) = (None, 1, &Stopped, None, 1, None);
        let (explain, terms, common_random_numbers) = (false, false, false);
        PlayerView {
            state,
            log,
            deck,
            turns_left,
            clock,
            limit,
            explain,
            terms,
            common_random_numbers,
            threads,
            observer,
        }
    }

    /// The moves that led to the position, if they were told or if it records them.
    pub fn known_log(&self) -> Option<MoveLog<G>> {
        self.log.cloned().or_else(|| self.state.past().map(|_| MoveLog::known_to(self.state)))
    }

    /// The meter of the decision for a player with this budget, whose earlier decisions took the time `used`.
    pub(super) fn meter(&self, budget: &Budget, used: Duration) -> Meter<'a> {
        Meter::start(budget, self.clock, used, self.turns_left).within(self.limit)
    }

    /// The tree search of the decision, without guidance. `stream` is that of the player.
    pub(super) fn search<'s, P: Playout<G>>(
        &self,
        work: &'s mut Workspace<G>,
        (settings, rewards): (&'s SearchSettings, Option<&'s RewardRule<G>>),
        playout: P,
        stream: &mut ChaCha8Rng,
    ) -> Search<'s, G, P>
    where
        'a: 's,
    {
        let (told, rng) = ((self.state, self.log), search_rng(stream));
        let search = Search::following(work, told, Some(self.deck), settings, playout, rng);
        let mut search = search.with_rewards(rewards).with_observer(self.observer);
        if self.common_random_numbers {
            search.use_common_random_numbers();
        }
        if self.explain {
            search.keep_tried();
        }
        search
    }

    /// The decision for a child of the root of a search by this policy.
    pub(super) fn decided<P: Playout<G>>(
        &self,
        search: &mut Search<G, P>,
        policy: &TreePolicy,
        chosen: usize,
        evolution: Option<EvolutionLog>,
    ) -> Decision<G::Action> {
        let mut considered = search.children();
        let action = considered[chosen].action;
        if !self.explain {
            considered.clear();
        }
        let terms = if self.terms { search.formula_terms(policy).map(Box::new) } else { None };
        let evolution = evolution.map(Box::new);
        Decision { playouts: search.playouts(), evolution, considered, terms, ..Decision::of(action) }
    }
}

/// An action that was considered, for the trace of decisions.
pub type Considered<Action> = Child<Action>;

/// What a player decided, and what it cost. Few decisions have logs and terms, and every one is moved several times.
#[derive(Clone, Debug)]
pub struct Decision<Action> {
    /// The action.
    pub action: Action,
    /// Playouts, evolution included.
    pub playouts: u64,
    /// Positions visited by a search without playouts.
    pub nodes: u64,
    /// The evolution of this decision, if any.
    pub evolution: Option<Box<EvolutionLog>>,
    /// The actions at the root, if they were asked for.
    pub considered: Vec<Considered<Action>>,
    /// What the formula of the search, if it has one, sees in them, if that was asked for.
    pub terms: Option<Box<FormulaTerms>>,
}

impl<Action> Decision<Action> {
    /// A decision made without any search.
    pub fn of(action: Action) -> Decision<Action> {
        Decision { action, playouts: 0, nodes: 0, evolution: None, considered: Vec::new(), terms: None }
    }
}

/// A player of one game.
pub trait Player<G: Game>: Send {
    /// Chooses an action for the seat to play.
    fn decide(&mut self, position: &PlayerView<G>) -> Decision<G::Action>;

    /// The tree of the last decision in the order in which its edges were tried, if the player was asked to explain
    /// that decision and keeps one tree.
    fn tree(&self) -> Vec<TreeEdge<G::Action>> {
        Vec::new()
    }

    /// Whether decisions may depend on [`PlayerView::log`], which a game keeps only for players that read it.
    fn reads_log(&self) -> bool {
        true
    }

    /// Checks what the player keeps between decisions, such as its search tree: for tests, in builds with debug
    /// assertions.
    ///
    /// # Errors
    /// The first invariant that does not hold.
    fn check(&self) -> Result<(), String> {
        Ok(())
    }

    /// Nodes and bytes of the tree as the last decision left it; of several trees, the first. None without a tree.
    fn tree_size(&self) -> Option<[usize; 2]> {
        None
    }

    /// The settings in use, as text for people and tests.
    fn settings(&self) -> String {
        std::any::type_name::<Self>().to_owned()
    }
}
