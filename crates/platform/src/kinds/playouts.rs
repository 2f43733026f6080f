//! Playouts and their rewards.

use super::guidance::{Formula, OfPlayout, Vocabulary, program};
use crate::domain::Domain;
use evouct_base::named::Named;
use evouct_base::parameter::{ParameterError, Values};
use evouct_base::plural::counted;
use evouct_gp::LnRule;
use evouct_search::game::{Evaluation, Game, MoveNumbers, Ply, PointLead, RatedChoice, Rater, Turn};
use evouct_search::search::{
    AmafSameness, DefaultPolicy, DynamicTermination, FinishedReward, FormulaRater, FormulaRating, LearnedPlayout,
    Learning, Opponent, RatedPlayout, Reward, RewardRule, RewardScale, SearchColumn, Termination,
};
use std::sync::Arc;

evouct_base::named! {
    /// How playouts choose moves.
    pub(super) enum PolicyName {
        Random = "random",
        Greedy = "greedy",
        Roulette = "roulette-1",
        RouletteByParts = "roulette-2",
        Softmax = "softmax",
        Mast = "mast",
        NGrams = "n-gram",
        Adaptation = "adaptation",
        LastGoodReply = "last-good-reply",
    }

    /// What the value is of that ends a playout.
    #[derive(Default)]
    pub(super) enum CutoffBy {
        #[default]
        Evaluation = "evaluation",
        Lead = "lead",
    }
}

evouct_base::parameters! {
    /// The random moves of playouts, and a reward whose default is the difference of scores.
    pub(super) struct RandomPlayoutParameters<D: Domain> {
        /// The distribution of random moves.
        playout: D::Playout = D::Playout::default();
        /// Reward of a playout: points, ±1, share of points, and more.
        reward: Reward = Reward::Difference;
    }
}

evouct_base::parameters! {
    /// The random moves of playouts, and a reward whose default is the share of points.
    pub(super) struct PortionPlayoutParameters<D: Domain> {
        /// The distribution of random moves.
        playout: D::Playout = D::Playout::default();
        /// Reward of a playout: points, ±1, share of points, and more.
        reward: Reward = Reward::Portion;
    }
}

evouct_base::parameters! {
    /// Playouts with knowledge of the game, playouts that learn, and playouts that end early (Müller 2014, 4.5).
    pub(super) struct PolicyParameters<D: Domain> {
        /// Moves of playouts: random, the one with the highest rating, or by a roulette wheel of ratings: over whole
        /// moves (1), or over the first parts of moves and then the second ones (2), or in proportion to the exponential
        /// of the rating (softmax). By what the search learned: by
        /// mean rewards of moves (Finnsson, Björnsson 2008), of moves after others (Tak, Winands, Björnsson 2012),
        /// weights by the choices of winners (Cazenave 2015), or the reply that won last (Drake 2009).
        policy: PolicyName = PolicyName::Random, name = "default_policy";
        /// Rating of a move: a formula over what the game tells of it, such as dv, and what the search learned of it,
        /// such as hm2. The default is the game's own rating. Alone it means default_policy = greedy.
        rating: Option<Formula<D, OfPlayout>> = None, except = "default_policy" = "random";
        /// Probability that a playout makes a random move instead of a rated or learned one. The default is 0. Alone it
        /// means default_policy = greedy.
        epsilon: Option<f64> = None, values = Values::Real(0.0, 1.0), except = "default_policy" = "random";
        /// Moves after which a playout ends and is scored as if the game ended there.
        cutoff: Option<u32> = None, values = Values::Count(0, 1_000_000);
        /// Value to a seat with which a playout ends and is scored as if the game ended there: dynamic early
        /// termination (3.4.5; no value in the source).
        cutoff_value: Option<f64> = None, values = Values::Real(0.0, 1e9);
        /// What that value is of: the game's evaluation (in Carcassonne Heyden's, 100 per point), or the lead over the
        /// best opponent in points. The default is evaluation.
        cutoff_by: Option<CutoffBy> = None;
        /// Moves of a playout from one position that is evaluated for it to the next. The default is 1.
        cutoff_every: Option<u32> = None, values = Values::Count(1, 1_000_000);
        /// Temperature of mast: a move is drawn with a probability in proportion to exp(mean reward / temperature). The
        /// default is that of the source, whose rewards are 0 to 100.
        temperature: f64 = 10.0, values = Values::Real(1e-6, 1e9), only = "default_policy" = "mast";
        /// The rate α with which weights adapt.
        adaptation_rate: f64 = 1.0, values = Values::Real(0.0, 1e6), only = "default_policy" = "adaptation";
        /// The most moves of a sequence whose mean rewards count.
        gram_length: u8 = 3, values = Values::Count(1, 3), only = "default_policy" = "n-gram";
        /// Rewards from which a sequence of several moves counts.
        gram_least: u32 = 7, values = Values::Count(1, 1_000_000), only = "default_policy" = "n-gram";
        /// Moves that a reply answers: the last one, or the last two, then the last one (Drake 2009).
        reply_moves: u8 = 2, values = Values::Count(1, 2), only = "default_policy" = "last-good-reply";
        /// Delete a reply when a seat loses with it (Baier, Drake 2010).
        forgetting: bool = true, only = "default_policy" = "last-good-reply";
        /// Moves that are the same for what a playout learned: equal ones after the same outcome of chance, or those
        /// that the game calls alike. The default is exact. Alone it means default_policy = mast.
        learned_same: Option<AmafSameness> = None, except = "default_policy" = "random";
    }
}

evouct_base::parameters! {
    /// What a reward Q becomes (Müller 2014, 4.4.5 to 4.4.7).
    pub(super) struct RewardFormParameters {
        /// Scale of the reward between its bounds: none, 0 to 1, or -0.5 to 0.5.
        reward_scale: RewardScale = RewardScale::None;
        /// Bonus of Q for a win: 1, 0 or -1 for a win, draw or loss, plus Q / bonus.
        bonus: Option<f64> = None, values = Values::Real(1.0, 1e9);
        /// Reward of a playout that reaches the end of the game: the same as one that is cut off, the bounds of the
        /// reward for a win and a loss, or the bonus, which the others do not get.
        finished: FinishedReward = FinishedReward::Same;
    }
}

evouct_base::parameter_groups! {
    /// Playouts whose default reward is the difference of scores.
    pub(super) struct PlayoutParameters<D: Domain> {
        /// Random moves and the reward.
        random: RandomPlayoutParameters<D>;
        /// Other moves.
        policy: PolicyParameters<D>;
        /// What becomes of the reward.
        form: RewardFormParameters;
    }
}

impl<D: Domain> PlayoutParameters<D> {
    pub(super) fn reward(&self) -> Reward {
        self.random.reward
    }

    pub(super) fn policy(&self) -> DefaultPolicy<D::Game, D::Playout> {
        self.policy.policy(self.random.playout)
    }

    /// The rule for rewards, if the reward by itself is not enough.
    pub(super) fn rule(&self) -> Option<RewardRule<D::Game>> {
        self.form.rule::<D>(self.random.reward)
    }

    pub(super) fn check(&self) -> Result<(), ParameterError> {
        self.policy.check()?;
        self.form.check::<D>(self.random.reward)
    }

    pub(super) fn check_rules(&self, rules: &D::Rules) -> Result<(), ParameterError> {
        self.policy.check_rules(rules)?;
        self.form.check_rules::<D>(self.random.reward, rules)
    }

    /// Refuses rules under which a formula cannot apply to opponents, or a reward is undefined.
    pub(super) fn check_seats(&self, opponent: Opponent, rules: &D::Rules) -> Result<(), ParameterError> {
        let seats = D::seats(rules);
        if seats > 2 && opponent != Opponent::NegateQ {
            let problem = format!("opponent = {} is for two seats, found {seats}", opponent.name());
            return Err(ParameterError::of("opponent", problem));
        }
        self.check_rules(rules)
    }
}

impl<D: Domain> PolicyParameters<D> {
    /// How moves are chosen: what is for ratings only asks for ratings, what is for learning only asks for MAST.
    fn name(&self) -> PolicyName {
        match self.policy {
            PolicyName::Random if self.rating.is_some() => PolicyName::Greedy,
            PolicyName::Random if self.learned_same.is_some() => PolicyName::Mast,
            PolicyName::Random if self.epsilon.is_some() => PolicyName::Greedy,
            policy => policy,
        }
    }

    /// The rating by which moves are chosen: the formula's, by the game itself if it is one of its ratings, or the
    /// game's first that is a number of moves.
    fn rater(&self) -> Option<Arc<dyn Rater<D::Game>>> {
        let Some(rating) = &self.rating else { return own_rater::<D>(|number| number.is_some()) };
        if self.learns() { None } else { formula_rater(rating) }
    }

    /// Whether the rating uses what the search learned of moves.
    fn learns(&self) -> bool {
        let is_learned = |column| SearchColumn::of(column).is_some();
        self.rating.as_ref().is_some_and(|rating| rating.tree.needs().columns().any(is_learned))
    }

    /// The choice by a rating that uses what the search learned.
    fn formula_rating(&self) -> Option<FormulaRating<D::Game>> {
        let rating = self.rating.as_ref().filter(|_| self.learns())?;
        let program = program(Some(rating), LnRule::Abs)?;
        let names: Vec<&'static str> = program.needs().move_numbers().collect();
        let numbers = (!names.is_empty()).then(|| {
            let lists = [D::move_numbers(), D::RATINGS];
            MoveNumbers::of_lists(lists, D::fill_move_numbers, &names).expect("the rating is over numbers of the game")
        });
        Some(FormulaRating { program, numbers, by: self.choice() })
    }

    /// How a move is chosen by its rating.
    fn choice(&self) -> RatedChoice {
        match self.name() {
            PolicyName::Roulette => RatedChoice::Roulette,
            PolicyName::RouletteByParts => RatedChoice::RouletteByParts,
            PolicyName::Softmax => RatedChoice::Softmax,
            _ => RatedChoice::Best,
        }
    }

    pub(super) fn policy(&self, random: D::Playout) -> DefaultPolicy<D::Game, D::Playout> {
        let (epsilon, termination) = (self.epsilon.unwrap_or(0.0), self.termination());
        if let Some(learning) = self.learning() {
            let same = self.learned_same.unwrap_or_default();
            return DefaultPolicy::Learned(Box::new(LearnedPlayout::new(random, learning, same, epsilon, termination)));
        }
        if let Some(choice) = self.formula_rating() {
            let learned = LearnedPlayout::by_formula(random, choice, epsilon, termination);
            return DefaultPolicy::Learned(Box::new(learned));
        }
        if self.name() == PolicyName::Random && termination.is_none() {
            return DefaultPolicy::Random(random);
        }
        let by = self.choice();
        let rater = if self.name() == PolicyName::Random { None } else { self.rater() };
        DefaultPolicy::Rated(Arc::new(RatedPlayout { random, rater, by, epsilon, termination }))
    }

    /// When playouts end, if not with the game.
    fn termination(&self) -> Termination<D::Game> {
        let dynamic = self.cutoff_value.zip(self.evaluation()).map(|(value, evaluation)| DynamicTermination {
            evaluation,
            value,
            every: self.cutoff_every.unwrap_or(1),
        });
        Termination { cutoff: self.cutoff, dynamic }
    }

    /// The evaluation that may end a playout, if the game has it.
    fn evaluation(&self) -> Option<Arc<dyn Evaluation<D::Game>>> {
        match self.cutoff_by.unwrap_or_default() {
            CutoffBy::Evaluation => own_evaluation::<D>(),
            CutoffBy::Lead => Some(Arc::new(PointLead)),
        }
    }

    /// Refuses what says how a playout is to end if none is, and an evaluation that the game does not have.
    fn check_termination(&self) -> Result<(), ParameterError> {
        if self.cutoff_value.is_none() {
            let given = [("cutoff_by", self.cutoff_by.is_some()), ("cutoff_every", self.cutoff_every.is_some())];
            return match given.into_iter().find(|(_, is_given)| *is_given) {
                Some((key, _)) => Err(ParameterError::of(key, format!("{key} needs cutoff_value, found none"))),
                None => Ok(()),
            };
        }
        if self.evaluation().is_none() {
            let problem =
                format!("cutoff_value needs an evaluation, which {} does not have; expected cutoff_by = lead", D::NAME);
            return Err(ParameterError::of("cutoff_value", problem));
        }
        Ok(())
    }

    /// What playouts learn, if they do.
    fn learning(&self) -> Option<Learning> {
        match self.name() {
            PolicyName::Mast => Some(Learning::Mast { temperature: self.temperature }),
            PolicyName::Adaptation => Some(Learning::PolicyAdaptation { rate: self.adaptation_rate }),
            PolicyName::NGrams => Some(Learning::NGrams { length: self.gram_length, least: self.gram_least }),
            PolicyName::LastGoodReply => {
                Some(Learning::LastGoodReply { moves: self.reply_moves, forgetting: self.forgetting })
            }
            _ => None,
        }
    }

    pub(super) fn check(&self) -> Result<(), ParameterError> {
        self.check_termination()?;
        if self.learning().is_some() {
            let name = self.name().name();
            return match self.rating {
                Some(_) => {
                    let problem = format!("rating is for rated moves, found default_policy = {name}; expected greedy");
                    Err(ParameterError::of("rating", problem))
                }
                None => Ok(()),
            };
        }
        if self.learned_same.is_some() {
            let problem = format!(
                "learned_same is for default_policy = mast | n-gram | adaptation | last-good-reply, found {}",
                self.name().name()
            );
            return Err(ParameterError::of("learned_same", problem));
        }
        if self.name() != PolicyName::Random && !self.learns() && self.rater().is_none() {
            let problem = format!("rating is needed: {} has no rating of its own", D::NAME);
            return Err(ParameterError::of("rating", problem));
        }
        Ok(())
    }

    /// Refuses what a playout cannot learn under these rules, or cannot end by.
    pub(super) fn check_rules(&self, rules: &D::Rules) -> Result<(), ParameterError> {
        if let (Some(_), Some(evaluation)) = (self.cutoff_value, self.evaluation()) {
            let (most, seats) = (evaluation.most_seats(), D::seats(rules));
            if seats > most {
                let problem =
                    format!("cutoff_by = evaluation is for {}, found {seats}; expected lead", counted(most, "seat"));
                return Err(ParameterError::of("cutoff_by", problem));
            }
        }
        let Some(learning) = self.learning() else { return Ok(()) };
        let (start, name) = (D::start(rules), self.name().name());
        if matches!(learning, Learning::LastGoodReply { .. }) && start.seats() < 2 {
            let problem = format!("default_policy = {name} needs a seat that wins and one that loses, found 1 seat");
            return Err(ParameterError::of("default_policy", problem));
        }
        if self.learned_same == Some(AmafSameness::Similar) && !tells_likeness(start) {
            let problem =
                format!("learned_same = similar needs moves that are alike, which {} does not define", D::NAME);
            return Err(ParameterError::of("learned_same", problem));
        }
        Ok(())
    }
}

/// Whether a game defines which moves are alike, asked at its first decision.
pub(super) fn tells_likeness<G: Game>(mut state: G) -> bool {
    let mut outcomes = Vec::new();
    while state.turn() == Turn::Chance {
        state.outcomes(&mut outcomes);
        state.apply(outcomes[0].0);
    }
    let mut actions = Vec::new();
    state.actions(&mut actions);
    let (Turn::Player(seat), Some(action)) = (state.turn(), actions.first()) else { return false };
    state.likeness(Ply { seat, drawn: state.drawn(), action: *action }).is_some()
}

/// The evaluation of a game, if it has one.
fn own_evaluation<D: Domain>() -> Option<Arc<dyn Evaluation<D::Game>>> {
    D::EVALUATION.map(|evaluation| Arc::new(evaluation) as Arc<dyn Evaluation<D::Game>>)
}

/// The first rating of a game whose number is wanted.
fn own_rater<D: Domain>(wanted: impl Fn(Option<&str>) -> bool) -> Option<Arc<dyn Rater<D::Game>>> {
    let own = D::RATERS.iter().find(|own| wanted(own.number))?;
    Some(Arc::new(own.rater))
}

/// The rating of a formula over the game's move numbers.
pub(super) fn formula_rater<D: Domain, V: Vocabulary>(rating: &Formula<D, V>) -> Option<Arc<dyn Rater<D::Game>>> {
    let text = rating.tree.infix();
    if let Some(own) = own_rater::<D>(|number| number == Some(text.as_str())) {
        return Some(own);
    }
    let program = program(Some(rating), LnRule::Abs)?;
    let names: Vec<&'static str> = program.needs().move_numbers().collect();
    let numbers = MoveNumbers::of_lists([D::move_numbers(), D::RATINGS], D::fill_move_numbers, &names).ok()?;
    Some(Arc::new(FormulaRater { numbers, program }))
}

impl RewardFormParameters {
    pub(super) fn rule<D: Domain>(&self, reward: Reward) -> Option<RewardRule<D::Game>> {
        let RewardFormParameters { reward_scale: scale, bonus, finished } = *self;
        let rule = RewardRule { reward, evaluation: own_evaluation::<D>(), scale, bonus, finished };
        (!rule.is_plain()).then_some(rule)
    }

    pub(super) fn check<D: Domain>(&self, reward: Reward) -> Result<(), ParameterError> {
        let refuse = |key: &'static str, problem: String| Err(ParameterError::of(key, problem));
        if reward == Reward::Evaluation && D::EVALUATION.is_none() {
            return refuse(
                "reward",
                format!("reward = evaluation needs an evaluation, which {} does not have", D::NAME),
            );
        }
        let is_scaled = matches!(reward, Reward::Normalised | Reward::NormalisedUnit);
        if is_scaled && self.reward_scale != RewardScale::None {
            let problem = format!("reward = {} is scaled already; expected reward_scale = none", reward.name());
            return refuse("reward_scale", problem);
        }
        if self.bonus.is_some() && matches!(reward, Reward::Bonus | Reward::Win) {
            let problem = format!("reward = {} rewards a win already; expected no bonus", reward.name());
            return refuse("bonus", problem);
        }
        match (self.finished, self.bonus) {
            (FinishedReward::Bounds, Some(_)) => refuse(
                "finished",
                "finished = bounds and bonus exclude each other; expected finished = bonus".to_owned(),
            ),
            (FinishedReward::Bonus, None) => refuse("finished", "finished = bonus needs bonus, found none".to_owned()),
            _ => Ok(()),
        }
    }

    /// Refuses a reward that the game does not define under these rules.
    pub(super) fn check_rules<D: Domain>(&self, reward: Reward, rules: &D::Rules) -> Result<(), ParameterError> {
        let start = D::start(rules);
        let by_bounds = self.reward_scale != RewardScale::None || self.finished == FinishedReward::Bounds;
        let by_middle = self.bonus.is_some() && reward != Reward::Difference;
        let needs_score = reward.needs_bound() || (reward.is_bounded_by_score() && (by_bounds || by_middle));
        if needs_score && start.max_score().is_none() {
            let problem = format!("reward = {} needs a highest score, which {} does not know", reward.name(), D::NAME);
            return Err(ParameterError::of("reward", problem));
        }
        match D::EVALUATION.filter(|_| reward == Reward::Evaluation).map(|evaluation| evaluation.most_seats()) {
            Some(most) if start.seats() > most => {
                let seats = start.seats();
                let problem = format!("reward = evaluation is for {}, found {seats}", counted(most, "seat"));
                Err(ParameterError::of("reward", problem))
            }
            _ => Ok(()),
        }
    }
}
