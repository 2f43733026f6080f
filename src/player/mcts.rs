//! MCTS players: with UCT, with RAVE, with a formula, and with a formula that evolves.

use super::contract::{Decision, Player, Position};
use crate::evolve::{self, Evolved};
use crate::game::{Game, Playout};
use crate::gp::{CONSTANTS, LnRule, Program, Tree};
use crate::sampling::below;
use crate::search::{Budget, Formula, Meter, Rave, Search, Settings, TreePolicy, Uct, Workspace};
use crate::seed::search_rng;
use rand_chacha::ChaCha8Rng;
use std::time::Duration;

/// What selects in the tree.
pub(super) enum Selector {
    /// UCT.
    Uct(Uct),
    /// UCT mixed with all-moves-as-first means.
    Rave(Rave),
    /// A given formula; its `c`, if it has one, is drawn once a decision where none is given.
    Formula { tree: Tree, ln: LnRule, constant: evolve::SeedConstant },
    /// A formula evolved at each decision.
    Evolving(evolve::Settings),
}

/// An MCTS player.
pub(super) struct Mcts<G: Game, P> {
    pub selector: Selector,
    pub budget: Budget,
    pub settings: Settings,
    pub playout: P,
    stream: ChaCha8Rng,
    used: Duration,
    work: Workspace<G>,
}

impl<G: Game, P: Playout<G>> Mcts<G, P> {
    pub(super) fn new(selector: Selector, budget: Budget, settings: Settings, playout: P, stream: ChaCha8Rng) -> Self {
        Mcts { selector, budget, settings, playout, stream, used: Duration::ZERO, work: Workspace::default() }
    }
}

impl<G: Game, P: Playout<G>> Player<G> for Mcts<G, P> {
    fn decide(&mut self, position: &Position<G>) -> Decision<G::Action> {
        let started = position.clock.now();
        let mut meter = Meter::start(&self.budget, position.clock, self.used, position.turns_left);
        let rng = search_rng(&mut self.stream);
        let mut search =
            Search::new(&mut self.work, position.state, Some(position.deck), &self.settings, self.playout, rng);
        let mut policy = match &self.selector {
            Selector::Uct(uct) => TreePolicy::Uct(*uct),
            Selector::Rave(rave) => TreePolicy::Rave(*rave),
            Selector::Formula { tree, ln, constant } => {
                let constant = match constant {
                    evolve::SeedConstant::Fixed(constant) => Some(*constant),
                    evolve::SeedConstant::PerUse => None,
                    evolve::SeedConstant::PerDecision => Some(CONSTANTS[below(search.rng(), CONSTANTS.len())]),
                };
                TreePolicy::Formula(Formula { program: Program::new(tree.clone(), *ln), constant })
            }
            // Replaced before the first selection: until then actions are tried, not selected.
            Selector::Evolving(settings) => settings.policy(&Tree::uct(), Some(CONSTANTS[0])),
        };
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
}
