//! Monte Carlo Tree Search as a player: with UCT, with RAVE, with a formula, and with a formula that evolves.

use super::contract::{Decision, Player, Position};
use super::self_adaptive::SelfAdaptive;
use crate::evolve::{self, Evolved};
use crate::game::{Game, Playout, Uniform};
use crate::gp::{ConstantSet, LnRule, Program, Tree};
use crate::search::{
    AmafSettings, Budget, FormulaPolicy, Guidance, Meter, Rave, RewardRule, Search, SearchSettings, SearchTree,
    TreeEdge, TreePolicy, Uct, Workspace,
};
use crate::seed::{Key, search_rng};
use rand_chacha::ChaCha8Rng;
use std::time::Duration;

/// What selects in the tree.
#[derive(Clone, Debug)]
#[expect(clippy::large_enum_variant, reason = "a player has one, and it is not copied")]
pub enum Selector {
    /// UCT.
    Uct(Uct),
    /// UCT mixed with all-moves-as-first means: needs [`SearchSettings::amaf`].
    Rave(Rave),
    /// UCT whose exploration is tuned during the search.
    SelfAdaptive(SelfAdaptive),
    /// A given formula.
    Formula {
        /// The formula.
        tree: Tree,
        /// How its logarithm is protected.
        ln: LnRule,
        /// The value of its `c`, if it has one.
        constant: evolve::SeedConstant,
    },
    /// A formula evolved at each decision: EA-p-MCTS, EA-MCTS, SIEA-MCTS.
    Evolving(evolve::EvolutionSettings),
}

/// Monte Carlo Tree Search as a player of one game.
pub struct Mcts<G: Game, P = Uniform> {
    /// What selects in the tree.
    pub selector: Selector,
    /// How long a decision may take.
    pub budget: Budget,
    /// The options of the search; the default ones unless they are changed.
    pub settings: SearchSettings,
    /// What guides the search beside its selector; nothing unless it is changed.
    pub guidance: Guidance<G>,
    /// What a playout is worth if the settings' reward is not all; nothing unless it is changed.
    pub rewards: Option<RewardRule<G>>,
    /// The default policy.
    pub playout: P,
    pub(super) stream: ChaCha8Rng,
    used: Duration,
    work: Workspace<G>,
}

impl<G: Game, P: Playout<G>> Mcts<G, P> {
    /// A player with default options for one game. Players with equal settings and keys decide alike.
    pub fn new(selector: Selector, budget: Budget, playout: P, key: Key) -> Mcts<G, P> {
        Mcts::with_stream(selector, budget, playout, key.stream())
    }

    /// The same with this random stream.
    pub(super) fn with_stream(selector: Selector, budget: Budget, playout: P, stream: ChaCha8Rng) -> Mcts<G, P> {
        let (settings, guidance) = (SearchSettings::default(), Guidance::default());
        let (used, work) = (Duration::ZERO, Workspace::default());
        Mcts { selector, budget, settings, guidance, rewards: None, playout, stream, used, work }
    }

    /// The tree as the last decision left it.
    pub fn tree(&self) -> &SearchTree<G> {
        self.work.tree()
    }

    /// The same player with these options.
    pub fn with_settings(self, settings: SearchSettings) -> Mcts<G, P> {
        Mcts { settings, ..self }
    }

    /// The same player with this rule for rewards.
    pub fn with_rewards(self, rewards: Option<RewardRule<G>>) -> Mcts<G, P> {
        Mcts { rewards, ..self }
    }

    /// The same player with this guidance.
    pub fn with_guidance(self, guidance: Guidance<G>) -> Mcts<G, P> {
        Mcts { guidance, ..self }
    }
}

/// Players with the options of Galván et al. 2022 and uniform playouts.
impl<G: Game> Mcts<G> {
    /// MCTS with UCT.
    pub fn uct(iterations: u64, key: Key) -> Mcts<G> {
        Mcts::new(Selector::Uct(Uct::default()), Budget::iterations(iterations), Uniform, key)
    }

    /// MCTS with RAVE, for games with a [`move_log`](Game::move_log).
    pub fn rave(iterations: u64, key: Key) -> Mcts<G> {
        let selector = Selector::Rave(Rave { uct: Uct::default(), bias: 10.0 });
        let mut player = Mcts::new(selector, Budget::iterations(iterations), Uniform, key);
        player.settings.amaf = Some(AmafSettings::default());
        player
    }

    /// SIEA-MCTS. Evolution plays [`evolve::EvolutionSettings::playouts`] playouts beside the iterations.
    pub fn siea(iterations: u64, key: Key) -> Mcts<G> {
        let selector = Selector::Evolving(evolve::EvolutionSettings::siea());
        Mcts::new(selector, Budget::iterations(iterations), Uniform, key)
    }
}

impl<G: Game, P: Playout<G>> Player<G> for Mcts<G, P> {
    fn decide(&mut self, position: &Position<G>) -> Decision<G::Action> {
        let started = position.clock.now();
        let mut meter = Meter::start(&self.budget, position.clock, self.used, position.turns_left);
        let rng = search_rng(&mut self.stream);
        let mut search =
            Search::new(&mut self.work, position.state, Some(position.deck), &self.settings, self.playout.clone(), rng);
        search = search.rewarded(self.rewards.as_ref()).observed(position.observer);
        if position.common_luck {
            search.use_common_luck();
        }
        if position.explain {
            search.keep_tried();
        }
        let mut policy = match &self.selector {
            Selector::Uct(uct) => TreePolicy::Uct(*uct),
            Selector::Rave(rave) => TreePolicy::Rave(*rave),
            // Each iteration has a policy of its own; this one is for a search without iterations.
            Selector::SelfAdaptive(_) => TreePolicy::Uct(Uct::default()),
            Selector::Formula { tree, ln, constant } => {
                let constants = ConstantSet::default();
                let constant = match constant {
                    evolve::SeedConstant::Fixed(constant) => Some(*constant),
                    evolve::SeedConstant::PerUse => None,
                    evolve::SeedConstant::PerDecision => Some(constants.draw(search.rng())),
                };
                TreePolicy::Formula(FormulaPolicy { program: Program::new(tree.clone(), *ln), constant, constants })
            }
            // Replaced before the first selection: until then actions are tried, not selected.
            Selector::Evolving(settings) => settings.policy(&Tree::uct(), Some(1.0)),
        };
        let mut search = search.guided(&self.guidance, &policy);
        let mut evolution = None;
        for tree in 1..=search.tree_count() {
            if tree > 1 {
                search.begin_tree();
            }
            if let (Selector::Evolving(settings), None) = (&self.selector, &evolution) {
                search.run(&policy, &mut meter, tree, true);
                if search.is_root_expanded() && meter.allows() && meter.allows_evolution() {
                    let Evolved { policy: evolved, log } = evolve::evolve(settings, &mut search, &mut meter);
                    policy = evolved;
                    evolution = Some(log);
                }
            }
            if let Selector::SelfAdaptive(adaptive) = &self.selector {
                policy = adaptive.run(&mut search, &mut meter, tree);
            }
            search.run(&policy, &mut meter, tree, false);
        }
        let chosen = search.decide(&policy);
        let mut children = search.children();
        let action = children[chosen].action;
        if !position.explain {
            children.clear();
        }
        let playouts = search.playouts();
        self.used += position.clock.now().saturating_sub(started);
        Decision { action, playouts, nodes: 0, evolution, considered: children }
    }

    fn tree(&self) -> Vec<TreeEdge<G::Action>> {
        self.work.edges()
    }

    fn check(&self) -> Result<(), String> {
        self.work.check()
    }

    fn settings(&self) -> String {
        let Mcts { selector, budget, settings, guidance, rewards, playout, .. } = self;
        format!("{selector:?} {budget:?} {settings:?} {guidance:?} {rewards:?} {playout:?}")
    }
}
