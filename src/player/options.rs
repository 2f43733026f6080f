//! From the values of a spec to the settings of search and evolution.

use super::flat::FlatMonteCarlo;
use super::mcts::{Mcts, Selector};
use super::parameter::Value;
use super::spec::Spec;
use super::star::StarPlayer;
use crate::carcassonne::{
    CarcassonneHeuristic, EvaluationFunction as Worth, HeydenWeights, MoveOrder, PlayoutPolicy, State,
};
use crate::evolve::{
    self, Evaluation, EvoTree, Form, ParentFitness, Returned, SeedConstant, SemanticRule, SemanticSelection, Semantics,
    Variant,
};
use crate::gp::{Creator, LnRule, Mutation, Terminals};
use crate::search::{
    AmafMoves, AmafScope, AmafSettings, Bounds, Budget, Chance, ChanceSearch, FinalMove, Opponent, ParentVisits,
    Probing, Rave, Reward, Settings, Shares, StarSettings, UcbForm, Uct,
};
use crate::seed::Key;
use std::time::Duration;

/// Names of [`Chance`] without its number of decks.
pub(super) const CHANCES: [&str; 4] = ["sampled", "peek", "open-loop", "determinised"];
pub(super) const PARENT_VISITS: [(&str, ParentVisits); 2] =
    [("node", ParentVisits::Node), ("all-tiles", ParentVisits::AllOutcomes)];
pub(super) const FINAL_MOVES: [(&str, FinalMove); 3] =
    [("mean", FinalMove::Mean), ("visits", FinalMove::Visits), ("tree-policy", FinalMove::TreePolicy)];
pub(super) const EVALUATIONS: [&str; 2] = ["difference", "heyden"];
pub(super) const BOUNDS: [&str; 2] = ["fixed", "dynamic"];
pub(super) const PROBING_ORDERS: [&str; 2] = ["sequential", "cyclic"];
pub(super) const FIRST_ITERATIONS: [&str; 2] = ["expand", "playout"];
pub(super) const SEED_CONSTANTS: [&str; 2] = ["per-decision", "per-use"];
pub(super) const TERMINALS: [(&str, Terminals); 2] =
    [("with-two", Terminals::WithTwo), ("printed", Terminals::Printed)];

/// Names without what they stand for.
pub(super) fn names<T: Copy>(list: &[(&'static str, T)]) -> Vec<&'static str> {
    list.iter().map(|(name, _)| *name).collect()
}

impl Spec {
    fn count(&self, name: &str) -> Option<u64> {
        match self.value(name) {
            Value::Count(count) => Some(*count),
            _ => None,
        }
    }

    fn size(&self, name: &str) -> usize {
        self.count(name).unwrap_or_default() as usize
    }

    pub(super) fn real(&self, name: &str) -> f64 {
        match self.value(name) {
            Value::Real(number) => *number,
            _ => 0.0,
        }
    }

    fn seconds(&self, name: &str) -> Option<Duration> {
        match self.value(name) {
            Value::Real(seconds) => Some(Duration::from_secs_f64(*seconds)),
            _ => None,
        }
    }

    fn name(&self, name: &str) -> &'static str {
        match self.value(name) {
            Value::Name(name) => name,
            _ => "",
        }
    }

    fn choice<T: Copy + Default>(&self, name: &str, list: &[(&'static str, T)]) -> T {
        let wanted = self.name(name);
        list.iter().find(|(known, _)| *known == wanted).map(|(_, value)| *value).unwrap_or_default()
    }

    pub(super) fn playout(&self, name: &str) -> PlayoutPolicy {
        self.choice(name, &PlayoutPolicy::NAMES)
    }

    fn budget(&self) -> Budget {
        Budget {
            iterations: self.count("iterations"),
            time_per_move: self.seconds("time_per_move"),
            time_per_game: self.seconds("time_per_game"),
            count_evolution: *self.value("count_evolution") == Value::Flag(true),
        }
    }

    fn chance(&self) -> Chance {
        match self.name("chance") {
            "peek" => Chance::Peek,
            "open-loop" => Chance::OpenLoop,
            "determinised" => Chance::Determinised { decks: self.size("decks") as u32 },
            _ => Chance::Sampled,
        }
    }

    fn search(&self) -> Settings {
        Settings {
            chance: self.chance(),
            parent_visits: self.choice("parent_visits", &PARENT_VISITS),
            reward: self.choice("reward", &Reward::NAMES),
            opponent: self.choice("opponent", &Opponent::NAMES),
            root_playout: self.name("first_iteration") == "playout",
            final_move: self.choice("final", &FINAL_MOVES),
            rollouts: self.count("rollouts").unwrap_or(1) as u32,
            amaf: (*self.value("b") != Value::Unset).then(|| AmafSettings {
                moves: self.choice("amaf_moves", &AmafMoves::NAMES),
                scope: self.choice("amaf_tiles", &AmafScope::NAMES),
            }),
        }
    }

    fn constant(&self, name: &str) -> SeedConstant {
        match self.value(name) {
            Value::Real(constant) => SeedConstant::Fixed(*constant),
            Value::Name("per-use") => SeedConstant::PerUse,
            _ => SeedConstant::PerDecision,
        }
    }

    /// Which of the evolving controllers.
    fn variant(&self) -> Variant {
        let evaluation = self.choice("evaluation", &Evaluation::NAMES);
        let tree = self.choice("evo_tree", &EvoTree::NAMES);
        match self.kind().name {
            "ea-p-mcts" => Variant::Partial { evaluation: evaluation.partial().unwrap_or_default() },
            "ea-mcts" => Variant::Full { evaluation, tree },
            _ => {
                let selection = SemanticSelection {
                    rule: self.choice("semantic_rule", &SemanticRule::NAMES),
                    semantics: self.choice("semantics", &Semantics::NAMES),
                    alpha: self.real("alpha"),
                    beta: self.real("beta"),
                    tie_epsilon: self.real("tie_epsilon"),
                };
                Variant::Semantic { evaluation, tree, selection }
            }
        }
    }

    /// The settings of evolution.
    pub(super) fn evolution(&self) -> evolve::Settings {
        evolve::Settings {
            variant: self.variant(),
            generations: self.size("generations"),
            lambda: self.size("lambda"),
            simulations: self.size("simulations"),
            form: self.choice("strategy", &Form::NAMES),
            parent: self.choice("parent", &ParentFitness::NAMES),
            returned: self.choice("return", &Returned::NAMES),
            seed_constant: self.constant("seed_k"),
            mutation: Mutation {
                creator: Creator { terminals: self.choice("terminals", &TERMINALS) },
                max_depth: self.size("max_depth"),
                ..Mutation::default()
            },
            ln: self.choice("ln", &LnRule::NAMES),
        }
    }

    pub(super) fn exploration(&self) -> Uct {
        Uct { exploration: self.real("k"), form: self.choice("ucb", &UcbForm::NAMES) }
    }

    pub(super) fn uct(&self) -> Selector {
        Selector::Uct(self.exploration())
    }

    pub(super) fn rave(&self) -> Selector {
        Selector::Rave(Rave { uct: self.exploration(), bias: self.real("b") })
    }

    pub(super) fn formula(&self) -> Selector {
        let Value::Formula(formula) = self.value("formula") else { unreachable!("a resolved formula player has one") };
        Selector::Formula {
            tree: formula.parse().expect("a resolved formula parses"),
            ln: self.choice("ln", &LnRule::NAMES),
            constant: self.constant("c"),
        }
    }

    pub(super) fn mcts(&self, selector: Selector, key: Key) -> Mcts<State, PlayoutPolicy> {
        let mut player = Mcts::new(selector, self.budget(), self.playout("playout"), key);
        player.settings = self.search();
        player
    }

    pub(super) fn flat(&self, shares: Shares, key: Key) -> FlatMonteCarlo<PlayoutPolicy> {
        let mut player = FlatMonteCarlo::new(shares, self.budget(), self.playout("playout"), key);
        player.reward = self.choice("reward", &Reward::NAMES);
        player
    }

    pub(super) fn probing(&self) -> Probing {
        Probing { factor: self.size("probing"), cyclic: self.name("probing_order") == "cyclic" }
    }

    /// The number given, or this default.
    fn real_or(&self, name: &str, default: f64) -> f64 {
        if *self.value(name) == Value::Unset { default } else { self.real(name) }
    }

    fn worth(&self) -> Worth {
        if self.name("evaluation") != "heyden" {
            return Worth::Difference;
        }
        let default = HeydenWeights::default();
        Worth::Heyden(HeydenWeights {
            score: self.real_or("w_score", default.score),
            standing: self.real_or("w_standing", default.standing),
            open_city: self.real_or("w_open_city", default.open_city),
            meeples: self.real_or("w_meeples", default.meeples),
            poor_field: self.real_or("w_poor_field", default.poor_field),
        })
    }

    /// What a point is worth to the evaluation.
    pub(super) fn point(&self) -> f64 {
        match self.worth() {
            Worth::Difference => 1.0,
            Worth::Heyden(weights) => weights.score,
        }
    }

    /// L and U where they are fixed.
    pub(super) fn fixed_bounds(&self) -> (f64, f64) {
        let most = if self.name("evaluation") == "heyden" { 2_000.0 } else { 100.0 };
        (self.real_or("lower", -most), self.real_or("upper", most))
    }

    /// What dynamic bounds leave beyond the lead.
    pub(super) fn margin(&self) -> f64 {
        self.real_or("margin", if self.name("evaluation") == "heyden" { 2_000.0 } else { 20.0 })
    }

    pub(super) fn star(&self, chance: ChanceSearch) -> StarPlayer<CarcassonneHeuristic> {
        let judgement =
            CarcassonneHeuristic { evaluation: self.worth(), order: self.choice("order", &MoveOrder::NAMES) };
        let bounds = if self.name("bounds") == "dynamic" {
            Bounds::Dynamic { margin: self.margin() }
        } else {
            let (lower, upper) = self.fixed_bounds();
            Bounds::Fixed { lower, upper }
        };
        let deepening = *self.value("deepening") == Value::Flag(true);
        let settings = StarSettings { chance, bounds, depth: self.size("depth") as u32, deepening };
        let budget = Budget { iterations: self.count("nodes"), ..self.budget() };
        StarPlayer::new(judgement, settings, budget)
    }
}
