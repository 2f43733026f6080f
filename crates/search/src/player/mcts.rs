//! Monte Carlo Tree Search as a player: with UCT, with RAVE, with a formula, and with a formula that evolves.

use super::contract::{Decision, Player, PlayerView};
use super::further_trees::{Further, FurtherTree};
use super::self_adaptive::SelfAdaptive;
use crate::evolve::{self, EvolutionLog, Evolved};
use crate::game::{Game, Playout, Uniform};
use crate::search::{
    AmafSettings, Budget, CustomPolicy, FormulaPolicy, Guidance, Meter, Rave, RewardRule, Search, SearchSettings,
    SearchTree, TreeEdge, TreePolicy, Uct, Workspace,
};
use evouct_base::seed::{Key, SearchRng};
use evouct_gp::{ConstantSet, LnRule, Program, Tree};
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
    /// A rule of your own.
    Custom(CustomPolicy),
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

impl Selector {
    /// What selects at the beginning of a decision.
    fn policy(&self, rng: &mut SearchRng) -> TreePolicy {
        match self {
            Selector::Uct(uct) => TreePolicy::Uct(*uct),
            Selector::Rave(rave) => TreePolicy::Rave(*rave),
            Selector::Custom(custom) => TreePolicy::Custom(custom.clone()),
            // Each iteration has a policy of its own; this one is for a search without iterations.
            Selector::SelfAdaptive(_) => TreePolicy::Uct(Uct::default()),
            Selector::Formula { tree, ln, constant } => {
                let constants = ConstantSet::default();
                let constant = match constant {
                    evolve::SeedConstant::Fixed(constant) => Some(*constant),
                    evolve::SeedConstant::PerUse => None,
                    evolve::SeedConstant::PerDecision => Some(constants.draw(rng)),
                };
                TreePolicy::Formula(FormulaPolicy { program: Program::new(tree.clone(), *ln), constant, constants })
            }
            // Replaced before the first selection: until then actions are tried, not selected.
            Selector::Evolving(settings) => settings.policy(&Tree::uct(), Some(1.0)),
        }
    }

    /// A search with this guidance, and with what the selector needs beside its first policy.
    fn guide<'a, G: Game, P: Playout<G>>(
        &self,
        search: Search<'a, G, P>,
        guidance: &'a Guidance<G>,
        policy: &TreePolicy,
    ) -> Search<'a, G, P> {
        match self {
            Selector::Evolving(settings) => search.with_guidance_and(guidance, &settings.needs()),
            _ => search.with_guidance(guidance, policy),
        }
    }

    /// Evolves a formula over the first `part` trees of a search, unless there is one, as soon as every action at the
    /// root has been tried.
    fn evolve<G: Game, P: Playout<G>>(
        &self,
        search: &mut Search<G, P>,
        meter: &mut Meter,
        part: u32,
        (policy, evolution): (&mut TreePolicy, &mut Option<EvolutionLog>),
    ) {
        let (Selector::Evolving(settings), None) = (self, &*evolution) else { return };
        search.run(policy, meter, part, true);
        if search.is_root_expanded() && meter.allows() && meter.allows_evolution() {
            let Evolved { policy: evolved, log } = evolve::evolve(settings, search, meter);
            *policy = evolved;
            *evolution = Some(log);
        }
    }

    /// Runs a whole search; without `evolution` by the policy as it is.
    pub(super) fn grow<G: Game, P: Playout<G>>(
        &self,
        search: &mut Search<G, P>,
        meter: &mut Meter,
        policy: &mut TreePolicy,
        mut evolution: Option<&mut Option<EvolutionLog>>,
    ) {
        for tree in 1..=search.tree_count() {
            if tree > 1 {
                search.begin_tree();
            }
            if let Some(evolution) = &mut evolution {
                self.evolve(search, meter, tree, (policy, evolution));
            }
            if let Selector::SelfAdaptive(adaptive) = self {
                *policy = adaptive.run(search, meter, tree);
            }
            search.run(policy, meter, tree, false);
        }
    }
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
    pub(super) key: Key,
    used: Duration,
    work: Workspace<G>,
    /// The trees after the first.
    pub(super) others: Vec<FurtherTree<G>>,
}

impl<G: Game, P: Playout<G>> Mcts<G, P> {
    /// A player with default options for one game. Players with equal settings and keys decide alike.
    pub fn new(selector: Selector, budget: Budget, playout: P, key: Key) -> Mcts<G, P> {
        let (settings, guidance, stream) = (SearchSettings::default(), Guidance::default(), key.stream());
        let (used, work, others) = (Duration::ZERO, Workspace::default(), Vec::new());
        Mcts { selector, budget, settings, guidance, rewards: None, playout, stream, key, used, work, others }
    }

    /// The same player, whose decisions grow so many trees, at least 1, each with random numbers of its own.
    ///
    /// The trees share the iterations, so that there are as many as with one. The statistics of their roots are added,
    /// and the sums decide. The trees grow at the same time where a decision may use threads ([`PlayerView::threads`]),
    /// else one after another; the decision is the same. A formula is evolved once, in the first tree. Not with
    /// sequential halving, nor with a final move by all-moves-as-first statistics or by guidance.
    #[must_use]
    pub fn with_trees(self, trees: u32) -> Mcts<G, P> {
        let others = (1..trees).map(|number| FurtherTree::new(self.key, number)).collect();
        Mcts { others, ..self }
    }

    /// The number of trees.
    pub fn trees(&self) -> u32 {
        1 + self.others.len() as u32
    }

    /// The best second part of the last decision after this first one: see [`SearchTree::best_reply`].
    pub(super) fn best_reply(&self, action: G::Action) -> Option<G::Action> {
        let others = self.others.iter().map(|other| other.work.tree());
        SearchTree::best_reply(std::iter::once(self.work.tree()).chain(others), action, self.settings.final_move)
    }

    /// The tree as the last decision left it; of several, the first.
    pub fn tree(&self) -> &SearchTree<G> {
        self.work.tree()
    }

    /// The same player with these options.
    #[must_use]
    pub fn with_settings(self, settings: SearchSettings) -> Mcts<G, P> {
        Mcts { settings, ..self }
    }

    /// The same player with this rule for rewards.
    #[must_use]
    pub fn with_rewards(self, rewards: Option<RewardRule<G>>) -> Mcts<G, P> {
        Mcts { rewards, ..self }
    }

    /// The same player with this guidance.
    #[must_use]
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

    /// MCTS with RAVE.
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
    fn decide(&mut self, position: &PlayerView<G>) -> Decision<G::Action> {
        let started = position.clock.now();
        let mut meter = position.meter(&self.budget, self.used);
        let Mcts { selector, settings, guidance, rewards, playout, stream, work, others, .. } = self;
        let mut search = position.search(work, (settings, rewards.as_ref()), playout.clone(), stream);
        let mut policy = selector.policy(search.rng());
        let mut search = selector.guide(search, guidance, &policy);
        let mut evolution = None;
        let mut found = Vec::new();
        if others.is_empty() {
            selector.grow(&mut search, &mut meter, &mut policy, Some(&mut evolution));
        } else {
            // One formula is evolved for all trees.
            selector.evolve(&mut search, &mut meter, 1, (&mut policy, &mut evolution));
            let first_policy = policy.clone();
            let further = Further {
                selector,
                settings,
                guidance,
                rewards: rewards.as_ref(),
                playout,
                state: position.state,
                log: position.log,
                deck: position.deck,
                clock: position.clock,
                common_random_numbers: position.common_random_numbers,
                policy: &first_policy,
            };
            found = further.grow_beside(others, &mut meter, (position.threads, position.observer), |meter| {
                selector.grow(&mut search, meter, &mut policy, Some(&mut evolution));
                search.progress(&policy)
            });
        }
        found.iter().for_each(|found| search.add_search(found));
        let chosen = search.decide(&policy);
        let decision = position.decided(&mut search, &policy, chosen, evolution);
        self.used += position.clock.now().saturating_sub(started);
        decision
    }

    fn tree(&self) -> Vec<TreeEdge<G::Action>> {
        self.work.edges()
    }

    fn check(&self) -> Result<(), String> {
        if !cfg!(debug_assertions) {
            return Ok(());
        }
        self.work.check()?;
        self.others.iter().try_for_each(|other| other.work.check())
    }

    fn tree_size(&self) -> Option<[usize; 2]> {
        Some([self.tree().size(), self.tree().bytes()])
    }

    fn settings(&self) -> String {
        let Mcts { selector, budget, settings, guidance, rewards, playout, .. } = self;
        let trees = self.trees();
        format!("{selector:?} {budget:?} {settings:?} {guidance:?} {rewards:?} {playout:?} trees {trees}")
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::cells::Cells;
    use crate::game::slots::{Kind, Place, Slots};
    use crate::game::{MoveLog, RatedChoice, Scores, StreamDeck, Turn, next_seat, play_logged};
    use crate::search::{
        AmafSameness, DefaultPolicy, FormulaRating, LearnedPlayout, Learning, SearchColumn, Termination,
    };
    use evouct_base::seed::search_rng;

    /// The same game, whose positions record no moves.
    #[derive(Clone)]
    struct Quiet(Slots);

    impl Game for Quiet {
        type Action = Place;
        type Outcome = Kind;
        type Deck = StreamDeck;

        fn seats(&self) -> usize {
            self.0.seats()
        }

        fn turn(&self) -> Turn {
            self.0.turn()
        }

        fn outcomes(&self, outcomes: &mut Vec<(Kind, u32)>) {
            self.0.outcomes(outcomes);
        }

        fn apply(&mut self, kind: Kind) {
            self.0.apply(kind);
        }

        fn actions(&self, actions: &mut Vec<Place>) {
            self.0.actions(actions);
        }

        fn play(&mut self, place: Place) {
            self.0.play(place);
        }

        fn scores(&self) -> Scores {
            self.0.scores()
        }
    }

    type Taught<G> = Mcts<G, DefaultPolicy<G, Uniform>>;

    fn player<G: Game>(selector: Selector, learning: Option<Learning>, reuse: bool) -> Taught<G> {
        let playout = match learning {
            None => DefaultPolicy::Random(Uniform),
            Some(learning) => {
                let (same, termination) = (AmafSameness::Exact, Termination::default());
                DefaultPolicy::Learned(Box::new(LearnedPlayout::new(Uniform, learning, same, 0.1, termination)))
            }
        };
        let mut player = Mcts::new(selector, Budget::iterations(150), playout, Key::experiment(5).seat(0));
        player.settings.reuse = reuse;
        player.settings.amaf = Some(AmafSettings::default());
        player
    }

    /// Whether both decide alike, move by move, where one reads the moves from the position and the other is told them.
    fn play_alike(mut reads: Taught<Slots>, mut told: Taught<Quiet>) {
        let (mut state, mut log) = (Quiet(Slots::new()), MoveLog::default());
        let deck = StreamDeck::of(Key::experiment(1).deck(1));
        let mut rng = search_rng(&mut Key::experiment(3).stream());
        while let Some(seat) = next_seat(&mut state, Some(&mut log), &mut rng) {
            let position = PlayerView { explain: true, ..PlayerView::of(&state.0, &deck) };
            let expected = reads.decide(&position);
            let view = PlayerView::of(&state, &deck);
            let found = told.decide(&PlayerView { log: Some(&log), explain: true, ..view });
            assert_eq!(found.considered, expected.considered);
            play_logged(&mut state, seat, found.action, Some(&mut log));
        }
    }

    /// A formula that is one learned number chooses as the playouts of the literature do by this number.
    #[test]
    fn playouts_by_a_formula_are_those_that_learn_the_same() {
        let by_formula = |text: &str, by| {
            let tree = Tree::parse_over(text, &SearchColumn::terminals(&[])).unwrap();
            let choice = FormulaRating { program: Program::new(tree, LnRule::Abs), numbers: None, by };
            LearnedPlayout::by_formula(Uniform, choice, 0.1, Termination::default())
        };
        let by_means =
            |learning| LearnedPlayout::new(Uniform, learning, AmafSameness::Exact, 0.1, Termination::default());
        let decide = |playout| {
            let playout = DefaultPolicy::Learned(Box::new(playout));
            let key = Key::experiment(5);
            let selector = Selector::Uct(Uct::default());
            let mut player = Mcts::new(selector, Budget::iterations(300), playout, key.seat(0));
            let (state, deck) = (Cells::crosses(&[4]), StreamDeck::of(key.deck(1)));
            player.decide(&PlayerView { explain: true, ..PlayerView::of(&state, &deck) }).considered
        };
        // Powers of two are exact.
        let mast = decide(by_means(Learning::Mast { temperature: 0.25 }));
        assert_eq!(decide(by_formula("4 * hm", RatedChoice::Softmax)), mast);
        let best = decide(by_means(Learning::NGrams { length: 1, least: 1 }));
        assert_eq!(decide(by_formula("hm", RatedChoice::Best)), best);
        assert_ne!(best, mast);
    }

    #[test]
    fn terms_of_a_formula_are_found_where_they_are_asked_for() {
        let (state, deck) = (Cells::crosses(&[4]), StreamDeck::of(Key::experiment(5).deck(1)));
        let has_terms = |terms| {
            let selector =
                Selector::Formula { tree: Tree::uct(), ln: LnRule::Abs, constant: evolve::SeedConstant::Fixed(1.0) };
            let mut player = Mcts::new(selector, Budget::iterations(30), Uniform, Key::experiment(5));
            let view = PlayerView { explain: true, terms, ..PlayerView::of(&state, &deck) };
            player.decide(&view).terms.is_some()
        };
        assert_eq!([false, true].map(has_terms), [false, true]);
    }

    /// RAVE, playouts that learn and tree re-use need nothing of the game but its moves.
    #[test]
    fn a_game_without_a_log_is_searched_as_one_with_a_log() {
        let rave = || Selector::Rave(Rave { uct: Uct::default(), bias: 0.5 });
        let all = [
            (None, true),
            (Some(Learning::Mast { temperature: 4.0 }), false),
            (Some(Learning::LastGoodReply { moves: 2, forgetting: true }), true),
        ];
        for (learning, reuse) in all {
            play_alike(player(rave(), learning, reuse), player(rave(), learning, reuse));
        }
    }
}
