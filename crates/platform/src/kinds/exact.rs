//! Exact search over chance: expectimax and the *-minimax family.

use super::budget::DeepeningParameters;
use crate::domain::{Domain, EvaluationParameters, Kind};
use evouct_base::parameter::{ParameterError, Values};
use evouct_search::player::StarPlayer;
use evouct_search::search::{
    Bounds, ChanceProbCut, ChanceSearch, Multiplayer, Prediction, Probing, StarSettings, Unprobed,
};

/// The deepest search that a decision finishes in seconds; one more ply takes about a thousand times as long.
const DEEPEST: [(&str, u32); 4] = [("expectimax", 2), ("star1", 2), ("star2", 3), ("star2.5", 3)];
/// Bounds narrower than this many points are broken by positions with a small lead.
const LEAST_POINTS: f64 = 10.0;

evouct_base::named! {
    /// The bounds assumed for all values.
    enum BoundsMode {
        Fixed = "fixed",
        Dynamic = "dynamic",
        SignedLead = "signed-lead",
    }

    /// In which order successors are probed.
    enum ProbingOrder {
        Sequential = "sequential",
        Cyclic = "cyclic",
    }
}

evouct_base::parameters! {
    /// The depth of a search.
    struct DepthParameters {
        /// Plies.
        depth: u32 = 2, values = Values::Count(1, 60);
    }
}

evouct_base::parameters! {
    /// More than two seats.
    struct MultiplayerParameters {
        /// What the others do in games of three and more seats, where it must be given: all against the seat that
        /// searches, with all the pruning of two seats (Sturtevant, Korf 2000), or each for itself (max^n: Luckhardt,
        /// Irani 1986), with pruning by star1 as far as it is sound (Korf 1991), without probing.
        multiplayer: Option<Multiplayer> = None;
    }
}

evouct_base::parameters! {
    /// The bounds assumed for all values.
    struct BoundsParameters {
        /// Fixed bounds; the size of the lead at the root plus a margin; or the signed lead plus the default margin and
        /// the negation of that, Heyden's own, by which a seat that is far behind plays the first move in order.
        bounds: BoundsMode = BoundsMode::Fixed;
        /// L. The default follows from the evaluation.
        lower: Option<f64> = None, values = Values::Real(-1e9, 1e9), only = "bounds" = "fixed";
        /// U. The default follows from the evaluation.
        upper: Option<f64> = None, values = Values::Real(-1e9, 1e9), only = "bounds" = "fixed";
        /// Margin of dynamic bounds. The default follows from the evaluation.
        margin: Option<f64> = None, values = Values::Real(0.0, 1e9), only = "bounds" = "dynamic";
    }
}

evouct_base::parameters! {
    /// ChanceProbCut.
    struct ProbCutParameters {
        /// Sigma, the standard deviation of the errors by which a shallower search predicts the value of a chance node.
        /// If it is given, a node whose predicted value is far enough outside its window is not searched to its depth:
        /// ChanceProbCut (Schadd, Winands, Uiterwijk 2009). This changes values. examples/chance_probcut.rs measures
        /// it.
        probcut_sigma: Option<f64> = None, values = Values::Real(0.0, 1e9);
        /// How far outside, in sigmas. The default is 1.5.
        probcut_t: Option<f64> = None, values = Values::Real(0.0, 1e9);
        /// Plies by which that search is shallower. The default is 1.
        probcut_reduction: Option<u32> = None, values = Values::Count(1, 58);
        /// a of the prediction a v + b from the value v of the shallower search. The default is 1.
        probcut_slope: Option<f64> = None, values = Values::Real(1e-3, 1e3);
        /// b of the prediction, for the side that decides after chance. The default is 0.
        probcut_offset: Option<f64> = None, values = Values::Real(-1e9, 1e9);
    }
}

evouct_base::parameters! {
    /// Probing of successors.
    struct ProbingParameters {
        /// Moves probed of each successor.
        probing: usize = 4, values = Values::Count(2, 1_000);
        /// All moves of one successor before the next, or one of each in turn.
        probing_order: ProbingOrder = ProbingOrder::Sequential, only = "unprobed" = "bound";
    }
}

evouct_base::parameters! {
    /// What probing concludes.
    struct UnprobedParameters {
        /// Moves that are not probed: unknown, so that pruning is sound, or worth the worst probed one, as two papers
        /// print it.
        unprobed: Unprobed = Unprobed::Bound;
    }
}

evouct_base::parameter_groups! {
    /// Expectimax.
    struct ExpectimaxParameters<D: Domain> {
        /// The depth.
        depth: DepthParameters;
        /// More than two seats.
        seats: MultiplayerParameters;
        /// The evaluation.
        evaluation: D::Evaluation;
        /// Limits.
        limits: DeepeningParameters;
    }
}

evouct_base::parameter_groups! {
    /// Star1.
    struct StarParameters<D: Domain> {
        /// All but bounds.
        exact: ExpectimaxParameters<D>;
        /// Bounds.
        bounds: BoundsParameters;
        /// Forward pruning.
        probcut: ProbCutParameters;
    }
}

evouct_base::parameter_groups! {
    /// Star2.
    struct Star2Parameters<D: Domain> {
        /// All but what probing concludes.
        star: StarParameters<D>;
        /// What probing concludes.
        unprobed: UnprobedParameters;
    }
}

evouct_base::parameter_groups! {
    /// Star2.5.
    struct ProbingStarParameters<D: Domain> {
        /// All that Star2 has.
        star2: Star2Parameters<D>;
        /// Probing.
        probing: ProbingParameters;
    }
}

type Heuristic<D> = <<D as Domain>::Evaluation as EvaluationParameters<<D as Domain>::Game>>::Heuristic;

impl<D: Domain> ExpectimaxParameters<D> {
    fn player(
        &self,
        chance: ChanceSearch,
        bounds: Bounds,
        prob_cut: Option<ChanceProbCut>,
    ) -> StarPlayer<Heuristic<D>> {
        let (multiplayer, depth) = (self.seats.multiplayer.unwrap_or_default(), self.depth.depth);
        let settings = StarSettings { chance, multiplayer, bounds, prob_cut, depth, deepening: self.limits.deepening };
        StarPlayer::new(self.evaluation.heuristic(), settings, self.limits.budget())
    }

    fn check(&self, kind: &str) -> Result<(), ParameterError> {
        let depth = self.depth.depth;
        let deepest = DEEPEST.iter().find(|(name, _)| *name == kind).map_or(u32::MAX, |(_, deepest)| *deepest);
        if depth > deepest && !self.limits.is_limited() {
            let problem = format!(
                "depth = {depth} cannot be searched to its end: {kind} goes to {deepest}, or deeper with deepening = true and \
                 a limit (nodes, time_per_move, time_per_game)"
            );
            return Err(ParameterError::of("depth", problem));
        }
        Ok(())
    }
}

impl<D: Domain> StarParameters<D> {
    fn fixed(&self) -> (f64, f64) {
        let most = self.exact.evaluation.bound();
        (self.bounds.lower.unwrap_or(-most), self.bounds.upper.unwrap_or(most))
    }

    fn margin(&self) -> f64 {
        self.bounds.margin.unwrap_or_else(|| self.exact.evaluation.margin())
    }

    fn player(&self, chance: ChanceSearch) -> StarPlayer<Heuristic<D>> {
        let bounds = match self.bounds.bounds {
            BoundsMode::Dynamic => Bounds::Dynamic { margin: self.margin() },
            BoundsMode::SignedLead => Bounds::SignedLead { margin: self.margin() },
            BoundsMode::Fixed => {
                let (lower, upper) = self.fixed();
                Bounds::Fixed { lower, upper }
            }
        };
        self.exact.player(chance, bounds, self.probcut.cut())
    }

    /// Refuses bounds that a position with a small lead would break at once.
    fn check(&self, kind: &str) -> Result<(), ParameterError> {
        let evaluation = &self.exact.evaluation;
        let (least, name) = (LEAST_POINTS * evaluation.point().abs(), evaluation.name());
        match self.bounds.bounds {
            BoundsMode::Fixed => {
                let (lower, upper) = self.fixed();
                if upper <= lower {
                    let problem = format!("upper = {upper} is not above lower = {lower}");
                    return Err(ParameterError::of("upper", problem));
                }
                if -lower < least || upper < least {
                    let key = if self.bounds.lower.is_some() && -lower < least { "lower" } else { "upper" };
                    let fits = format!("expected at most -{least} and at least {least}");
                    let problem =
                        format!("bounds {lower} to {upper} do not fit evaluation = {name}: {fits}, ten points");
                    return Err(ParameterError::of(key, problem));
                }
            }
            BoundsMode::SignedLead if self.exact.seats.multiplayer == Some(Multiplayer::MaxN) => {
                let problem =
                    "bounds = signed-lead is for two sides, found multiplayer = max-n; expected fixed | dynamic";
                return Err(ParameterError::of("bounds", problem.to_owned()));
            }
            BoundsMode::Dynamic | BoundsMode::SignedLead if self.margin() < least => {
                let fits = format!("expected at least {least}, ten points");
                let problem = format!("margin = {} does not fit evaluation = {name}: {fits}", self.margin());
                return Err(ParameterError::of("margin", problem));
            }
            BoundsMode::Dynamic | BoundsMode::SignedLead => {}
        }
        self.probcut.check(&self.exact)?;
        self.exact.check(kind)
    }
}

impl ProbCutParameters {
    fn reduction(&self) -> u32 {
        self.probcut_reduction.unwrap_or(1)
    }

    fn cut(&self) -> Option<ChanceProbCut> {
        self.probcut_sigma.map(|deviation| ChanceProbCut {
            reduction: self.reduction(),
            threshold: self.probcut_t.unwrap_or(1.5),
            line: Prediction {
                slope: self.probcut_slope.unwrap_or(1.0),
                offset: self.probcut_offset.unwrap_or(0.0),
                deviation,
            },
        })
    }

    /// Refuses what predicts nothing.
    fn check<D: Domain>(&self, exact: &ExpectimaxParameters<D>) -> Result<(), ParameterError> {
        let refuse = |key: &'static str, problem: String| Err(ParameterError::of(key, problem));
        if self.probcut_sigma.is_none() {
            let given = [
                ("probcut_t", self.probcut_t.is_some()),
                ("probcut_reduction", self.probcut_reduction.is_some()),
                ("probcut_slope", self.probcut_slope.is_some()),
                ("probcut_offset", self.probcut_offset.is_some()),
            ];
            return match given.into_iter().find(|(_, is_given)| *is_given) {
                Some((key, _)) => refuse(key, format!("{key} needs probcut_sigma, found none")),
                None => Ok(()),
            };
        }
        if exact.seats.multiplayer == Some(Multiplayer::MaxN) {
            let problem = "probcut_sigma is for two sides, found multiplayer = max-n; expected paranoid".to_owned();
            return refuse("probcut_sigma", problem);
        }
        let (depth, least) = (exact.depth.depth, self.reduction() + 2);
        if depth < least {
            let problem =
                format!("ChanceProbCut with probcut_reduction = {} needs depth = {least}, found {depth}", least - 2);
            return refuse("probcut_sigma", problem);
        }
        Ok(())
    }
}

impl<D: Domain> Star2Parameters<D> {
    fn check(&self, kind: &str) -> Result<(), ParameterError> {
        if self.star.exact.seats.multiplayer == Some(Multiplayer::MaxN) {
            let problem =
                format!("{kind} probes for two sides, found multiplayer = max-n; expected paranoid, or star1");
            return Err(ParameterError::of("multiplayer", problem));
        }
        self.star.check(kind)
    }

    fn player(&self, factor: usize, order: ProbingOrder) -> StarPlayer<Heuristic<D>> {
        let cyclic = order == ProbingOrder::Cyclic;
        self.star.player(ChanceSearch::Star2(Probing { factor, cyclic, unprobed: self.unprobed.unprobed }))
    }
}

impl MultiplayerParameters {
    /// Refuses rules whose seats need to be told what the others do, or have no others to tell of.
    fn check_rules<D: Domain>(&self, kind: &str, rules: &D::Rules) -> Result<(), ParameterError> {
        match (D::seats(rules), self.multiplayer) {
            (2, None) | (3.., Some(_)) => Ok(()),
            (seats @ 3.., None) => {
                let wanted = if kind == "expectimax" || kind == "star1" { "paranoid | max-n" } else { "paranoid" };
                let problem = format!("{kind} is for two seats, found {seats}; expected multiplayer = {wanted}");
                Err(ParameterError::of("multiplayer", problem))
            }
            (seats @ 2, Some(_)) => {
                let problem = format!("multiplayer is for three to six seats, found {seats}");
                Err(ParameterError::of("multiplayer", problem))
            }
            (seats, _) => Err(ParameterError::whole(format!("{kind} is for two to six seats, found {seats}"))),
        }
    }
}

pub(super) fn kinds<D: Domain>() -> Vec<Kind<D>> {
    let expectimax = Kind::new(
        "expectimax",
        "every move and every outcome of chance to a fixed depth, no pruning; two to six seats",
        "Heyden 2009, 5.3",
        |p: &ExpectimaxParameters<D>, _| {
            let bounds = Bounds::Fixed { lower: f64::NEG_INFINITY, upper: f64::INFINITY };
            Box::new(p.player(ChanceSearch::Expectimax, bounds, None))
        },
    )
    .checked(|p: &ExpectimaxParameters<D>| p.check("expectimax"))
    .under(|p: &ExpectimaxParameters<D>, rules| p.seats.check_rules::<D>("expectimax", rules));
    let star1 = Kind::new(
        "star1",
        "expectimax with windows at chance nodes; two to six seats",
        "Ballard 1983; Heyden 2009, 5.4.1; Galván et al. 2022, IV-F",
        |p: &StarParameters<D>, _| Box::new(p.player(ChanceSearch::Star1)),
    )
    .checked(|p: &StarParameters<D>| p.check("star1"))
    .under(|p: &StarParameters<D>, rules| p.exact.seats.check_rules::<D>("star1", rules));
    let star2 = Kind::new(
        "star2",
        "Star1 after one move of each successor is probed; two to six seats",
        "Ballard 1983; Heyden 2009, 5.4.2; Galván et al. 2022, IV-F",
        |p: &Star2Parameters<D>, _| Box::new(p.player(1, ProbingOrder::Sequential)),
    )
    .checked(|p: &Star2Parameters<D>| p.check("star2"))
    .under(|p: &Star2Parameters<D>, rules| p.star.exact.seats.check_rules::<D>("star2", rules));
    let probing = Kind::new(
        "star2.5",
        "Star2 with several moves probed; two to six seats",
        "Ballard 1983; Heyden 2009, 5.4.3; Valdez Ameneyro et al. 2020; Galván et al. 2022, IV-F",
        |p: &ProbingStarParameters<D>, _| {
            let ProbingParameters { probing, probing_order } = p.probing;
            Box::new(p.star2.player(probing, probing_order))
        },
    )
    .checked(|p: &ProbingStarParameters<D>| p.star2.check("star2.5"))
    .under(|p: &ProbingStarParameters<D>, rules| p.star2.star.exact.seats.check_rules::<D>("star2.5", rules));
    vec![expectimax, star1, star2, probing]
}
