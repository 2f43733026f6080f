//! Players of the literature that use what a search learns of moves, whatever the game.

use super::budget::BudgetParameters;
use super::guidance::check_rows;
use super::playouts::PlayoutParameters;
use super::tree::{self, FinalParameters, TreeParameters};
use super::uct::UctParameters;
use crate::domain::{Domain, Kind};
use evouct_base::parameter::{ParameterError, Values};
use evouct_base::seed::Key;
use evouct_gp::{LnRule, Program, Tree};
use evouct_search::game::Rater;
use evouct_search::player::{Mcts, Player, Selector};
use evouct_search::search::{
    CustomPolicy, Decisive, DecisiveRater, DefaultPolicy, FinalMove, Grave, Guidance, ProgressiveHistory, RatedPlayout,
    SearchColumn, Solver, Termination, Uct, Untried,
};
use std::sync::Arc;

evouct_base::parameters! {
    /// Moves as first of a node above.
    struct GraveRule {
        /// Bias: β = mg / (n + mg + bias·n·mg).
        bias: f64 = 1e-10, values = Values::Real(0.0, 1e6);
    }
}

evouct_base::parameters! {
    /// The history of moves.
    struct HistoryRule {
        /// Weight W of hm·W / (n - s + 1), in the unit of rewards.
        w: f64 = 1.0, values = Values::Real(0.0, 1e9);
        /// Reward of a loss: with that of a win the scale on which s and hm are 0 to 1.
        loss: f64 = -1.0, values = Values::Real(-1e9, 1e9);
        /// Reward of a win.
        win: f64 = 1.0, values = Values::Real(-1e9, 1e9);
    }
}

evouct_base::parameters! {
    /// The final move of a solver.
    struct SolverRule {
        /// A of the secure child: of moves that are not proven the highest Q + A / sqrt(n) is played.
        secure: f64 = 1.0, values = Values::Real(0.0, 1e9);
    }
}

evouct_base::parameters! {
    /// Playouts with decisive moves.
    struct DecisiveRule {
        /// Whether random playouts, too, play moves that win at once, and none that let the next seat win at once.
        /// Playouts with a rating or with what was learned stay as they are.
        decisive_playouts: bool = true;
    }
}

/// Declares the parameters of a kind: its own, and those of a search.
macro_rules! rival_parameters {
    ($($(#[doc = $about:literal])+ $name:ident { $($(#[doc = $of:literal])+ $group:ident: $kind:ty;)+ })+) => {$(
        evouct_base::parameter_groups! {
            $(#[doc = $about])+
            struct $name<D: Domain> {
                /// Limits.
                budget: BudgetParameters;
                $($(#[doc = $of])+ $group: $kind;)+
                /// Playouts.
                playouts: PlayoutParameters<D>;
                /// The tree.
                tree: TreeParameters;
            }
        }

        impl<D: Domain> $name<D> {
            fn check_search(&self, kind: &str, decides: bool) -> Result<(), ParameterError> {
                check_rows(kind, &self.tree, decides)?;
                self.tree.check(&self.budget)?;
                self.playouts.check()
            }

            fn check_rules(&self, rules: &D::Rules) -> Result<(), ParameterError> {
                self.tree.check_rules::<D>()?;
                self.playouts.check_rules(rules)
            }

            /// The player with this tree policy.
            fn player(
                &self,
                policy: CustomPolicy,
                guidance: Guidance<D::Game>,
                final_move: FinalMove,
                playout: DefaultPolicy<D::Game, D::Playout>,
                key: Key,
            ) -> Box<dyn Player<D::Game>> {
                let settings = self.tree.settings(self.playouts.reward(), final_move);
                let selector = Selector::Custom(policy);
                let player = Mcts::new(selector, self.budget.budget(), playout, key);
                let player = player.with_settings(settings).with_guidance(guidance).with_rewards(self.playouts.rule());
                tree::player::<D>(&self.tree, player)
            }
        }
    )+};
}

rival_parameters! {
    /// A rule of your own.
    RuleParameters {
        /// UCT.
        uct: UctParameters;
        /// The final move.
        end: FinalParameters;
    }
    /// GRAVE.
    GraveParameters {
        /// The rule.
        rule: GraveRule;
        /// The final move.
        end: FinalParameters;
    }
    /// Progressive history.
    HistoryParameters {
        /// UCT.
        uct: UctParameters;
        /// The rule.
        rule: HistoryRule;
        /// The final move.
        end: FinalParameters;
    }
    /// MCTS-Solver.
    SolverParameters {
        /// UCT.
        uct: UctParameters;
        /// The rule.
        rule: SolverRule;
    }
    /// Decisive moves.
    DecisiveParameters {
        /// UCT.
        uct: UctParameters;
        /// The rule.
        rule: DecisiveRule;
        /// The final move.
        end: FinalParameters;
    }
}

/// A kind of player of this name whose tree policy is a rule of your own, which gets the exploration of UCT: `k` and
/// `ucb` are parameters of the kind, beside those of a search. Added to a game ([`Registered::add`]), it has all commands
/// and files.
///
/// [`Registered::add`]: crate::domain::Registered::add
pub fn tree_policy<D: Domain>(
    name: &'static str,
    about: &'static str,
    source: &'static str,
    rule: impl Fn(Uct) -> CustomPolicy + Send + Sync + 'static,
) -> Kind<D> {
    Kind::new(name, about, source, move |p: &RuleParameters<D>, key| {
        p.player(rule(p.uct.uct()), Guidance::default(), p.end.final_move, p.playouts.policy(), key)
    })
    .checked(move |p: &RuleParameters<D>| {
        check_uct(&p.uct, name)?;
        p.check_search(name, decides(&p.end))
    })
    .under(RuleParameters::<D>::check_rules)
}

/// A formula over the statistics of a search.
fn program(text: &str) -> Program {
    let tree = Tree::parse_over(text, &SearchColumn::terminals(&[])).expect("the formula of a rule can be read");
    Program::new(tree, LnRule::Abs)
}

/// Refuses a form of UCT that needs variances.
fn check_uct(uct: &UctParameters, kind: &str) -> Result<(), ParameterError> {
    if uct.ucb == evouct_search::search::UcbForm::Tuned {
        let problem = format!("ucb = ucb1-tuned is for mcts, found {kind}; expected doubled | plain | ucb1");
        return Err(ParameterError::of("ucb", problem));
    }
    Ok(())
}

fn decides(end: &FinalParameters) -> bool {
    end.final_move == FinalMove::TreePolicy
}

pub(super) fn kinds<D: Domain>() -> Vec<Kind<D>> {
    let grave = Kind::new(
        "grave",
        "MCTS whose means are mixed with those of all moves as first of a node above",
        "Cazenave 2015",
        |p: &GraveParameters<D>, key| {
            let guidance = Guidance { untried: Untried::Formula(program("Ag")), ..Guidance::default() };
            p.player(
                CustomPolicy::new(Grave { bias: p.rule.bias }),
                guidance,
                p.end.final_move,
                p.playouts.policy(),
                key,
            )
        },
    )
    .checked(|p: &GraveParameters<D>| p.check_search("grave", decides(&p.end)))
    .under(GraveParameters::<D>::check_rules);
    let history = Kind::new(
        "progressive-history",
        "MCTS with UCT and a bias by the mean reward of the move in all simulations",
        "Nijssen, Winands 2010",
        |p: &HistoryParameters<D>, key| {
            let HistoryRule { w: weight, loss, win } = p.rule;
            let rule = ProgressiveHistory { uct: p.uct.uct(), weight, range: [loss, win] };
            p.player(CustomPolicy::new(rule), Guidance::default(), p.end.final_move, p.playouts.policy(), key)
        },
    )
    .checked(|p: &HistoryParameters<D>| {
        check_uct(&p.uct, "progressive-history")?;
        if p.rule.win <= p.rule.loss {
            let problem = format!("win = {} is not above loss = {}", p.rule.win, p.rule.loss);
            return Err(ParameterError::of("win", problem));
        }
        p.check_search("progressive-history", decides(&p.end))
    })
    .under(HistoryParameters::<D>::check_rules);
    let solver = Kind::new(
        "mcts-solver",
        "MCTS with UCT that proves wins and losses",
        "Winands, Björnsson, Saito 2008",
        |p: &SolverParameters<D>, key| {
            let secure = format!("1000000000 * (pw - pl) + Q + {} / sqrt(n)", p.rule.secure);
            let guidance = Guidance { final_move: Some(program(&secure)), ..Guidance::default() };
            p.player(
                CustomPolicy::new(Solver { uct: p.uct.uct() }),
                guidance,
                FinalMove::Mean,
                p.playouts.policy(),
                key,
            )
        },
    )
    .checked(|p: &SolverParameters<D>| {
        check_uct(&p.uct, "mcts-solver")?;
        p.check_search("mcts-solver", true)
    })
    .under(SolverParameters::<D>::check_rules);
    let decisive = Kind::new(
        "decisive",
        "MCTS with UCT and decisive and anti-decisive moves",
        "Teytaud, Teytaud 2010",
        |p: &DecisiveParameters<D>, key| {
            // Untried moves come before tried ones, as in UCT, except those that lose at once.
            let untried = Untried::Formula(program("1000000000 * (1 + w1 - 2 * l1)"));
            let guidance = Guidance { untried, ..Guidance::default() };
            let rater: Option<Arc<dyn Rater<D::Game>>> = Some(Arc::new(DecisiveRater));
            let playout = match p.playouts.policy() {
                DefaultPolicy::Random(random) if p.rule.decisive_playouts => {
                    let (by, termination) = (Default::default(), Termination::default());
                    DefaultPolicy::Rated(Arc::new(RatedPlayout { random, rater, by, epsilon: 0.0, termination }))
                }
                // Random playouts that end early.
                DefaultPolicy::Rated(random) if p.rule.decisive_playouts && random.rater.is_none() => {
                    DefaultPolicy::Rated(Arc::new(RatedPlayout { rater, ..(*random).clone() }))
                }
                other => other,
            };
            p.player(CustomPolicy::new(Decisive { uct: p.uct.uct() }), guidance, p.end.final_move, playout, key)
        },
    )
    .checked(|p: &DecisiveParameters<D>| {
        check_uct(&p.uct, "decisive")?;
        p.check_search("decisive", decides(&p.end))
    })
    .under(DecisiveParameters::<D>::check_rules);
    vec![grave, history, solver, decisive]
}
