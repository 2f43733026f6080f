//! MCTS that chooses among formulas while it plays.

use super::contract::{Decision, Player, PlayerView};
use super::ucb1::Ucb1;
use crate::evolve::EvolutionLog;
use crate::game::{Game, Playout};
use crate::search::{
    Budget, FormulaPolicy, Guidance, Meter, Rehearsal, RewardRule, Search, SearchColumn, SearchSettings, TreeEdge,
    TreePolicy, Untried, Workspace,
};
use evouct_base::sampling::{below, first_highest};
use evouct_base::seed::Key;
use evouct_gp::{ConstantSet, Genome, LnRule, Needs, Program, Slot, Tree, Variation};
use rand::Rng;
use rand_chacha::ChaCha8Rng;
use std::cell::OnceCell;
use std::time::Duration;

/// How a formula is chosen.
#[derive(Clone, Debug)]
pub enum FormulaChoice {
    /// By a bandit: each iteration selects by one formula, and its reward is the formula's, less the mean reward of the
    /// decision so far. There is a bandit for each third of the game and each of three ranges of the number of moves.
    Bandit {
        /// The exploration of the bandit, in units of the reward.
        exploration: f64,
    },
    /// By simple regret in rehearsals, which cost no playouts, but time: for budgets of iterations. They end with a
    /// time limit, and where the decision is cancelled.
    Rehearsal(Rehearsals),
}

/// How formulas rehearse.
#[derive(Clone, Debug)]
pub struct Rehearsals {
    /// Rehearsals of each formula per decision, at least 1.
    pub count: u32,
    /// The share of the budget before the choice, above 0 and below 1.
    pub begin: f64,
    /// New formulas.
    pub offspring: Option<Offspring>,
}

/// Formulas that are made during play.
#[derive(Clone, Debug)]
pub struct Offspring {
    /// How they are made.
    pub variation: Variation,
    /// How many per decision.
    pub count: u32,
    /// The most formulas that are kept for the next decision, at least 1.
    pub population: usize,
}

/// The gain of a formula over the first one: rehearsals, sum and sum of squares of differences in regret.
#[derive(Clone, Copy, Debug, Default)]
struct Gain {
    count: f64,
    sum: f64,
    squares: f64,
}

impl Gain {
    fn add(&mut self, gain: f64) {
        self.count += 1.0;
        self.sum += gain;
        self.squares += gain * gain;
    }

    fn and(self, other: Gain) -> Gain {
        Gain { count: self.count + other.count, sum: self.sum + other.sum, squares: self.squares + other.squares }
    }

    /// The mean less its standard error; 0 without a rehearsal, minus infinity after a single one.
    fn lower_bound(self) -> f64 {
        if self.count < 2.0 {
            return if self.count == 0.0 { 0.0 } else { f64::NEG_INFINITY };
        }
        let mean = self.sum / self.count;
        let variance = ((self.squares - self.sum * mean) / (self.count - 1.0)).max(0.0);
        mean - (variance / self.count).sqrt()
    }
}

/// A formula of the portfolio.
struct Member<G: Game> {
    genome: Genome,
    policy: TreePolicy,
    guidance: Guidance<G>,
    /// What earlier decisions of this game showed.
    gain: Gain,
}

impl<G: Game> Member<G> {
    fn of(genome: Genome, shared: &Guidance<G>) -> Member<G> {
        let program = |slot: Slot| genome.tree(slot).map(|tree| Program::new(tree.clone(), LnRule::Abs));
        let select = program(Slot::Select).expect("a genome has a formula that selects");
        let guidance = Guidance {
            untried: program(Slot::Untried).map_or(Untried::Expand, Untried::Formula),
            final_move: program(Slot::Final),
            numbers: shared.numbers.clone(),
            policy: shared.policy.clone(),
            ..Guidance::default()
        };
        // The formulas have no c.
        let policy = FormulaPolicy { program: select, constant: Some(1.0), constants: ConstantSet::default() };
        Member { genome, policy: TreePolicy::Formula(policy), guidance, gain: Gain::default() }
    }

    fn select(&self) -> &Tree {
        self.genome.tree(Slot::Select).expect("a genome has a formula that selects")
    }
}

/// MCTS with several formulas, of which it chooses one while it plays, as a player of one game.
///
/// The first formula is the one to beat: it is played while nothing shows that another one is better.
pub struct Portfolio<G: Game, P> {
    members: Vec<Member<G>>,
    /// The columns that the formulas need.
    needs: Needs,
    choice: FormulaChoice,
    /// Whether what is known of formulas is kept from decision to decision.
    carries: bool,
    budget: Budget,
    settings: SearchSettings,
    rewards: Option<RewardRule<G>>,
    playout: P,
    bandits: Vec<Ucb1>,
    stream: ChaCha8Rng,
    used: Duration,
    work: Workspace<G>,
}

/// Ranges of the number of moves that have a bandit of their own: up to 16, up to 64, more.
const MOVES: [usize; 2] = [16, 64];
/// Parts of the game that have a bandit of their own.
const PHASES: usize = 3;

impl<G: Game, P: Playout<G>> Portfolio<G, P> {
    /// A player of these formulas, at least one, for one game. All have the numbers of moves and the policy of `shared`.
    ///
    /// # Panics
    /// If there is no formula, or if one uses `c`, or a number of moves or `P` that `shared` lacks.
    pub fn new(
        formulas: &[Genome],
        shared: &Guidance<G>,
        (choice, carries): (FormulaChoice, bool),
        budget: Budget,
        playout: P,
        key: Key,
    ) -> Portfolio<G, P> {
        assert!(!formulas.is_empty(), "a portfolio has a formula");
        let members: Vec<Member<G>> = formulas.iter().map(|genome| Member::of(genome.clone(), shared)).collect();
        let mut needs = Needs::default();
        // Rehearsals ask how far rewards scatter.
        needs.add(SearchColumn::Deviation.column());
        for tree in formulas.iter().flat_map(|genome| genome.slots().filter_map(|slot| genome.tree(slot))) {
            tree.needs().columns().for_each(|column| needs.add(column));
        }
        let (settings, rewards, bandits) = (SearchSettings::default(), None, Vec::new());
        let (stream, used, work) = (key.stream(), Duration::ZERO, Workspace::default());
        Portfolio { members, needs, choice, carries, budget, settings, rewards, playout, bandits, stream, used, work }
    }

    /// The same player with these options.
    #[must_use]
    pub fn with_settings(self, settings: SearchSettings) -> Portfolio<G, P> {
        Portfolio { settings, ..self }
    }

    /// The same player with this rule for rewards.
    #[must_use]
    pub fn with_rewards(self, rewards: Option<RewardRule<G>>) -> Portfolio<G, P> {
        Portfolio { rewards, ..self }
    }

    /// The formulas in their order: the first one, then the others.
    pub fn formulas(&self) -> impl Iterator<Item = &Genome> {
        self.members.iter().map(|member| &member.genome)
    }
}

/// The place of the bandit for a position.
fn context<G: Game>(state: &G, moves: usize) -> usize {
    let phase = (state.phase().unwrap_or(0.0).clamp(0.0, 1.0) * PHASES as f64) as usize;
    let range = MOVES.iter().filter(|most| moves > **most).count();
    phase.min(PHASES - 1) * (MOVES.len() + 1) + range
}

/// Runs a search in which a bandit selects the formula of each iteration. Returns the one with the most iterations.
fn play_bandit<'a, G: Game, P: Playout<G>>(
    search: &mut Search<'a, G, P>,
    meter: &mut Meter,
    members: &'a [Member<G>],
    (bandit, exploration): (&mut Ucb1, f64),
) -> &'a Member<G> {
    let (mut sum, mut count) = (0.0, 0.0);
    let mut plays = vec![0.0; members.len()];
    while meter.allows() {
        let arm = bandit.select(exploration);
        search.take_guidance(&members[arm].guidance);
        let reward = search.step(&members[arm].policy, meter);
        // Positions differ in what they pay; formulas are compared within one. The first reward has nothing to be
        // compared with.
        if count > 0.0 {
            bandit.count(arm, reward - sum / count);
        }
        plays[arm] += 1.0;
        sum += reward;
        count += 1.0;
    }
    &members[first_highest(plays.into_iter())]
}

/// Formulas that rehearsed: the one chosen, its expected regret and that of the first, and what was seen of all.
struct Rehearsed<'a, G: Game> {
    chosen: &'a Member<G>,
    log: EvolutionLog,
    gains: Vec<Gain>,
}

/// Lets formulas rehearse the rest of the decision. The chosen one has the highest lower bound of its gain over the
/// first, if that is above 0.
fn rehearse<'a, G: Game, P: Playout<G>>(
    search: &mut Search<'a, G, P>,
    meter: &Meter,
    candidates: &[&'a Member<G>],
    count: u32,
) -> Rehearsed<'a, G> {
    let belief = search.belief(&candidates[0].guidance);
    let left = meter.left();
    // As many as are left.
    let iterations = (meter.spent() as f64 * left / (1.0 - left).max(f64::MIN_POSITIVE)).round().min(1e9) as u64;
    let goes_on = || meter.allows_evolution();
    let mut gains = vec![Gain::default(); candidates.len()];
    let mut sums = vec![0.0; candidates.len()];
    for _ in 0..count {
        let values = belief.draw(search.rng());
        let seed = search.rng().next_u64();
        let rehearsal = Rehearsal { values: &values, noise: belief.noise, seed, iterations, left };
        let regret =
            |candidate: &&'a Member<G>| search.rehearse(&rehearsal, &candidate.policy, &candidate.guidance, goes_on);
        // Only what all formulas rehearsed compares them.
        let Some(regrets) = candidates.iter().map(regret).collect::<Option<Vec<f64>>>() else { break };
        for ((gain, sum), regret) in gains.iter_mut().zip(&mut sums).zip(&regrets) {
            gain.add(regrets[0] - regret);
            *sum += regret;
        }
    }
    let best = best_of(candidates.iter().zip(&gains).map(|(candidate, gain)| candidate.gain.and(*gain)));
    let chosen = candidates[best];
    let whole = gains[0].count;
    let fitness = [0, best].map(|place| -sums[place] / whole).to_vec();
    let log = log_of(chosen, if whole > 0.0 { fitness } else { Vec::new() });
    Rehearsed { chosen, log, gains }
}

/// The place of the formula with the highest lower bound of its gain, if that is above 0; else of the first.
fn best_of(gains: impl Iterator<Item = Gain>) -> usize {
    let bounds = gains.enumerate().map(|(place, gain)| if place == 0 { 0.0 } else { gain.lower_bound() });
    first_highest(bounds.collect::<Vec<_>>().into_iter())
}

/// Adds an offspring of two members for each cell, which keeps it, unless it is a candidate already.
fn breed<'m, G: Game>(
    variation: &Variation,
    members: &[Member<G>],
    cells: &'m [OnceCell<Member<G>>],
    candidates: &mut Vec<&'m Member<G>>,
    rng: &mut impl Rng,
) {
    for cell in cells {
        let [parent, other] = [(); 2].map(|()| &members[below(rng, members.len())].genome);
        let (genome, _) = variation.offspring([parent, other], rng);
        let genome = genome.simplified(LnRule::Abs);
        if candidates.iter().all(|known| known.genome != genome) {
            candidates.push(cell.get_or_init(|| Member::of(genome, &members[0].guidance)));
        }
    }
}

/// The log of a decision: the formula that was chosen, and the fitness of the first and of the chosen one.
fn log_of<G: Game>(chosen: &Member<G>, fitness: Vec<f64>) -> EvolutionLog {
    let select = chosen.select();
    let (formula, nodes, depth) = (select.infix(), select.size(), select.depth());
    let (ties, in_range, by_semantics, replaced, playouts) = (0, 0, 0, 0, 0);
    EvolutionLog { formula, nodes, depth, fitness, ties, in_range, by_semantics, replaced, playouts }
}

impl<G: Game, P: Playout<G>> Player<G> for Portfolio<G, P> {
    fn decide(&mut self, position: &PlayerView<G>) -> Decision<G::Action> {
        let started = position.clock.now();
        let mut meter = position.meter(&self.budget, self.used);
        let Portfolio { members, needs, choice, carries, settings, rewards, playout, bandits, stream, work, .. } = self;
        let made = match choice {
            FormulaChoice::Rehearsal(Rehearsals { offspring: Some(offspring), .. }) => offspring.count as usize,
            _ => 0,
        };
        // Formulas that are made while the search runs live as long as it does.
        let made: Vec<OnceCell<Member<G>>> = (0..made).map(|_| OnceCell::new()).collect();
        let search = position.search(work, (settings, rewards.as_ref()), playout.clone(), stream);
        let mut search = search.with_guidance_and(&members[0].guidance, needs);
        let mut gains = Vec::new();
        let (chosen, log) = match choice {
            FormulaChoice::Bandit { exploration } => {
                let contexts = PHASES * (MOVES.len() + 1);
                if bandits.is_empty() || !*carries {
                    *bandits = vec![Ucb1::new(members.len()); contexts];
                }
                let bandit = &mut bandits[context(position.state, search.children().len())];
                let chosen = play_bandit(&mut search, &mut meter, members, (bandit, *exploration));
                (chosen, log_of(chosen, Vec::new()))
            }
            FormulaChoice::Rehearsal(rehearsals) => {
                let before = &members[best_of(members.iter().map(|member| member.gain))];
                search.take_guidance(&before.guidance);
                while meter.allows() && (meter.spent() == 0 || meter.left() > 1.0 - rehearsals.begin) {
                    search.step(&before.policy, &mut meter);
                }
                let mut candidates: Vec<&Member<G>> = members.iter().collect();
                if let Some(Offspring { variation, .. }) = &rehearsals.offspring {
                    breed(variation, members, &made, &mut candidates, search.rng());
                }
                let rehearsed = rehearse(&mut search, &meter, &candidates, rehearsals.count);
                gains = rehearsed.gains;
                search.take_guidance(&rehearsed.chosen.guidance);
                while meter.allows() {
                    search.step(&rehearsed.chosen.policy, &mut meter);
                }
                (rehearsed.chosen, rehearsed.log)
            }
        };
        search.take_guidance(&chosen.guidance);
        let place = search.decide(&chosen.policy);
        let decision = position.decided(&mut search, &chosen.policy, place, Some(log));
        if self.carries {
            let made = made.into_iter().filter_map(OnceCell::into_inner);
            self.remember(made.collect(), &gains);
        }
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
        self.work.check()
    }

    fn settings(&self) -> String {
        let Portfolio { members, choice, carries, budget, settings, rewards, playout, .. } = self;
        let formulas: Vec<String> = self.formulas().map(Genome::to_string).collect();
        let policy = &members[0].guidance.policy;
        format!("{formulas:?} {policy:?} {choice:?} carries {carries} {budget:?} {settings:?} {rewards:?} {playout:?}")
    }
}

impl<G: Game, P: Playout<G>> Portfolio<G, P> {
    /// Keeps what a decision showed of the formulas, those that it made among them, and the best of all formulas.
    fn remember(&mut self, made: Vec<Member<G>>, gains: &[Gain]) {
        self.members.extend(made);
        for (member, gain) in self.members.iter_mut().zip(gains) {
            member.gain = member.gain.and(*gain);
        }
        if let FormulaChoice::Rehearsal(Rehearsals { offspring: Some(offspring), .. }) = &self.choice {
            // The first stays; the sort is stable, so older formulas stand before newer ones that are equal.
            self.members[1..].sort_by(|a, b| b.gain.lower_bound().total_cmp(&a.gain.lower_bound()));
            self.members.truncate(offspring.population.max(1));
        }
    }
}
