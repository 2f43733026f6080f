//! MCTS whose exploration is tuned during each search.

use super::budget::BudgetParameters;
use super::playouts::PlayoutParameters;
use super::tree::{self, FinalParameters, TreeParameters};
use crate::domain::{Domain, Kind};
use evouct_base::named::Named;
use evouct_base::parameter::{ParameterError, Values};
use evouct_search::player::{Mcts, Selector, SelfAdaptive};
use evouct_search::search::UcbForm;

evouct_base::parameters! {
    /// The explorations to choose from, and how.
    struct TuningParameters {
        /// The form. doubled: Q + 2K·sqrt(2·ln N / n). plain: Q + K·sqrt(ln N / n). ucb1: Q + K·sqrt(2·ln N / n).
        ucb: UcbForm = UcbForm::Plain;
        /// The smallest K.
        k_low: f64 = 0.25, values = Values::Real(1e-6, 1e6);
        /// The largest K.
        k_high: f64 = 4.0, values = Values::Real(1e-6, 1e6);
        /// Number of K, of which each is the same multiple of the one before.
        k_count: usize = 9, values = Values::Count(1, 1_000);
        /// Exploration of the bandit that chooses K, in units of the reward.
        tuning: f64 = 0.7, values = Values::Real(0.0, 1e6);
    }
}

evouct_base::parameter_groups! {
    /// Self-adaptive MCTS.
    struct SelfAdaptiveParameters<D: Domain> {
        /// Limits.
        budget: BudgetParameters;
        /// Tuning.
        tuning: TuningParameters;
        /// Playouts.
        playouts: PlayoutParameters<D>;
        /// The tree.
        tree: TreeParameters;
        /// The final move.
        end: FinalParameters;
    }
}

impl TuningParameters {
    fn explorations(&self) -> Vec<f64> {
        let TuningParameters { k_low, k_high, k_count, .. } = *self;
        let ratio = libm::pow(k_high / k_low, 1.0 / (k_count.max(2) - 1) as f64);
        (0..k_count).map(|number| k_low * libm::pow(ratio, number as f64)).collect()
    }

    fn check(&self) -> Result<(), ParameterError> {
        let TuningParameters { ucb, k_low, k_high, .. } = self;
        if k_high < k_low {
            return Err(ParameterError::of("k_high", format!("k_high = {k_high} is below k_low = {k_low}")));
        }
        if *ucb == UcbForm::Tuned {
            let problem = format!("ucb = {} is for mcts; expected doubled | plain | ucb1", ucb.name());
            return Err(ParameterError::of("ucb", problem));
        }
        Ok(())
    }
}

pub(super) fn kind<D: Domain>() -> Kind<D> {
    Kind::new(
        "sa-mcts",
        "MCTS with UCT whose K a bandit chooses at each iteration",
        "Sironi, Liu, Winands 2020; Sironi et al. 2018 (bandit over combinations, here of one parameter)",
        |p: &SelfAdaptiveParameters<D>, key| {
            let TuningParameters { ucb: form, tuning, .. } = p.tuning;
            let adaptive = SelfAdaptive { explorations: p.tuning.explorations(), form, tuning };
            let settings = p.tree.settings(p.playouts.reward(), p.end.final_move);
            let player = Mcts::new(Selector::SelfAdaptive(adaptive), p.budget.budget(), p.playouts.policy(), key);
            tree::player::<D>(&p.tree, player.with_settings(settings).with_rewards(p.playouts.rule()))
        },
    )
    .checked(|p: &SelfAdaptiveParameters<D>| {
        p.tuning.check()?;
        p.playouts.check()?;
        p.tree.check(&p.budget)
    })
    .under(|p: &SelfAdaptiveParameters<D>, rules| {
        p.tree.check_rules::<D>()?;
        p.playouts.check_rules(rules)
    })
}
