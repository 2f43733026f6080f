//! Monte Carlo without a tree.

use super::budget::BudgetParameters;
use super::playouts::{PlayoutParameters, PolicyParameters, PortionPlayoutParameters, RewardFormParameters};
use crate::domain::{Domain, Kind};
use evouct_base::parameter::{ParameterError, Values};
use evouct_search::player::FlatMonteCarlo;
use evouct_search::search::{Shares, UcbForm, Uct};

evouct_base::parameter_groups! {
    /// Playouts in fixed shares.
    struct FlatParameters<D: Domain> {
        /// Limits.
        budget: BudgetParameters;
        /// Playouts.
        playouts: PlayoutParameters<D>;
    }
}

evouct_base::parameters! {
    /// UCB in Müller's form.
    struct UcbParameters {
        /// Exploration: K of the doubled form, C of the plain one.
        k: f64 = 0.5, values = Values::Real(0.0, 1e6);
        /// The form. doubled: Q + 2K·sqrt(2·ln N / n). plain: Q + C·sqrt(ln N / n).
        ucb: UcbForm = UcbForm::Plain;
    }
}

evouct_base::parameter_groups! {
    /// Playouts shared by UCB.
    struct FlatUcbParameters<D: Domain> {
        /// Limits.
        budget: BudgetParameters;
        /// UCB.
        ucb: UcbParameters;
        /// Random moves and the reward.
        random: PortionPlayoutParameters<D>;
        /// Other moves of playouts.
        policy: PolicyParameters<D>;
        /// What becomes of the reward.
        form: RewardFormParameters;
    }
}

pub(super) fn kinds<D: Domain>() -> Vec<Kind<D>> {
    let shared = |name, about, source, shares: Shares| {
        Kind::new(name, about, source, move |p: &FlatParameters<D>, key| {
            let FlatParameters { budget, playouts } = p;
            let player = FlatMonteCarlo::new(shares, budget.budget(), playouts.policy(), key);
            Box::new(player.with_reward(playouts.reward()).with_rule(playouts.rule()))
        })
        .checked(|p: &FlatParameters<D>| p.playouts.check())
        .under(|p: &FlatParameters<D>, rules| p.playouts.check_rules(rules))
    };
    vec![
        shared("flat-mc", "playouts shared equally among the moves, no tree", "Heyden 2009, 4.2", Shares::Equal),
        shared(
            "flat-mc-random",
            "each playout after a random move, no tree",
            "Müller, 5.1.3, Monte Carlo Player 2",
            Shares::Random,
        ),
        shared(
            "flat-mc-split",
            "two flat searches: two thirds of the budget for the first part of a move, the rest for the second",
            "Müller, 5.1.2",
            Shares::Split,
        ),
        Kind::new(
            "flat-ucb",
            "playouts shared by UCB over the first parts of moves, then over the second, no tree",
            "Müller, 5.1.4",
            |p: &FlatUcbParameters<D>, key| {
                let FlatUcbParameters { budget, ucb, random, policy, form } = p;
                let shares = Shares::Ucb(Uct { exploration: ucb.k, form: ucb.ucb });
                let player = FlatMonteCarlo::new(shares, budget.budget(), policy.policy(random.playout), key);
                Box::new(player.with_reward(random.reward).with_rule(form.rule::<D>(random.reward)))
            },
        )
        .checked(|p: &FlatUcbParameters<D>| match p.ucb.ucb {
            UcbForm::Tuned => {
                let problem = "ucb = ucb1-tuned is for mcts; expected doubled | plain | ucb1";
                Err(ParameterError::of("ucb", problem))
            }
            UcbForm::Doubled | UcbForm::Plain | UcbForm::Ucb1 => {
                p.policy.check()?;
                p.form.check::<D>(p.random.reward)
            }
        })
        .under(|p: &FlatUcbParameters<D>, rules| {
            p.policy.check_rules(rules)?;
            p.form.check_rules::<D>(p.random.reward, rules)
        }),
    ]
}
