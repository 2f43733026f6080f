//! The measure `replay`: a bandit of recorded rewards.
//!
//! A position becomes a game of a single decision: one arm per legal move, and a playout after an arm returns one of
//! the rewards that the bank recorded for that move. The player's own search plays it, so every formula means what it
//! means in play. At a few hundred iterations most of a search happens at its root; a replay takes a fraction of its
//! time.

use crate::bank::{Bank, LoadedPosition};
use crate::plan::genome::{EVEN, needs_policy};
use evouct_base::sampling::below;
use evouct_base::seed::Key;
use evouct_gp::{Genome, LnRule, Program, Slot, Terminal, Tree};
use evouct_platform::domain::Spec;
use evouct_platform::kinds::{BudgetParameters, FinalParameters, TemperatureParameters};
use evouct_search::evolve::SeedConstant;
use evouct_search::game::{Game, MoveNumber, MoveNumbers, Playout, Scores, StreamDeck, Turn};
use evouct_search::player::{Mcts, Player, PlayerView, Selector};
use evouct_search::search::{Guidance, SearchSettings, Untried};
use rand::Rng;
use std::sync::Arc;

/// What a position knows of its moves.
#[derive(Debug)]
pub(crate) struct Arms {
    /// Recorded rewards by move.
    rewards: Vec<Vec<i32>>,
    /// Move numbers by move, in the order of the bank.
    numbers: Vec<Vec<f64>>,
    /// The lead of the seat that decides.
    lead: i32,
    /// The share of the game that is played.
    phase: Option<f64>,
}

impl Arms {
    /// Whether rewards are recorded.
    pub(crate) fn has_rewards(&self) -> bool {
        self.rewards.iter().all(|rewards| !rewards.is_empty()) && !self.rewards.is_empty()
    }

    /// The arms of a position.
    pub(crate) fn of(rewards: Vec<Vec<i32>>, numbers: Vec<Vec<f64>>, lead: i32, phase: Option<f64>) -> Arms {
        Arms { rewards, numbers, lead, phase }
    }
}

/// The game: pull an arm. Seat 0 decides; seat 1 makes the reward a difference.
#[derive(Debug)]
pub(crate) struct Bandit {
    arms: Arc<Arms>,
    pulled: Option<u16>,
}

impl Clone for Bandit {
    fn clone(&self) -> Bandit {
        Bandit { arms: Arc::clone(&self.arms), pulled: self.pulled }
    }

    fn clone_from(&mut self, other: &Bandit) {
        // The arms are counted references: a search copies the root before each simulation.
        if !Arc::ptr_eq(&self.arms, &other.arms) {
            self.arms = Arc::clone(&other.arms);
        }
        self.pulled = other.pulled;
    }
}

impl Game for Bandit {
    type Action = u16;
    type Outcome = ();
    type Deck = StreamDeck;

    fn seats(&self) -> usize {
        2
    }

    fn turn(&self) -> Turn {
        if self.pulled.is_none() { Turn::Player(0) } else { Turn::Terminal }
    }

    fn outcomes(&self, outcomes: &mut Vec<((), u32)>) {
        outcomes.clear();
    }

    fn apply(&mut self, (): ()) {
        unreachable!("chance has no turn in a bandit")
    }

    fn actions(&self, actions: &mut Vec<u16>) {
        actions.clear();
        if self.pulled.is_none() {
            actions.extend(0..self.arms.rewards.len() as u16);
        }
    }

    fn play(&mut self, arm: u16) {
        self.pulled = Some(arm);
    }

    fn scores(&self) -> Scores {
        let mut scores = Scores::default();
        scores[0] = self.arms.lead;
        scores
    }

    fn phase(&self) -> Option<f64> {
        self.arms.phase
    }
}

/// The playout: one of the rewards recorded for the arm.
#[derive(Clone, Copy, Debug)]
struct RecordedRewards;

impl Playout<Bandit> for RecordedRewards {
    fn play_out(&self, state: &mut Bandit, rng: &mut impl Rng) -> Scores {
        let rewards = &state.arms.rewards[usize::from(state.pulled.expect("a playout begins after a pull"))];
        let mut scores = Scores::default();
        scores[0] = rewards[below(rng, rewards.len())];
        scores
    }
}

/// Copies recorded numbers of moves: `wanted` are their places in the bank's list.
fn recorded_numbers(bandit: &Bandit, arms: &[u16], wanted: &[usize], _: &mut Bandit, columns: &mut [Vec<f64>]) {
    for (column, number) in columns.iter_mut().zip(wanted) {
        column.extend(arms.iter().map(|arm| bandit.arms.numbers[usize::from(*arm)][*number]));
    }
}

/// The move numbers of a bank, as a game has them: one list for each list of names, for as long as the program lives.
pub(crate) fn recorded_list(names: &[&'static str]) -> &'static [RecordedNumber] {
    let unused = |_: &Bandit, _: u16, _: &mut Bandit| unreachable!("recorded numbers are filled in together");
    let list: Vec<RecordedNumber> =
        names.iter().map(|name| MoveNumber::new(name, "recorded in a bank", unused)).collect();
    Box::leak(list.into_boxed_slice())
}

/// A move number that a bank recorded.
pub(crate) type RecordedNumber = MoveNumber<Bandit>;

/// The index of the move that the formulas of a genome choose. `player` gives budget, constant and final move.
pub(crate) fn replay(
    position: &LoadedPosition,
    bank: &Bank,
    genome: &Genome,
    player: &Spec,
    key: Key,
) -> Result<usize, String> {
    let ln: LnRule = player.parameter().unwrap_or_default();
    let program = |slot: Slot| genome.tree(slot).map(|tree| Program::new(tree.clone(), ln));
    let temperature: TemperatureParameters = player.group().ok_or("the player has no temperature")?;
    let even = || needs_policy(genome).then(|| Program::new(Tree::leaf(Terminal::Number(EVEN)), ln));
    let mut guidance = Guidance {
        untried: program(Slot::Untried).map_or(Untried::Expand, Untried::Formula),
        final_move: program(Slot::Final),
        leaf: program(Slot::Leaf),
        policy: program(Slot::Policy).or_else(even).map(|value| temperature.policy(value)),
        ..Guidance::default()
    };
    let select = genome.tree(Slot::Select).expect("a genome has a formula that selects").clone();
    let mut needs = guidance.needs();
    select.needs().columns().for_each(|column| needs.add(column));
    let names: Vec<&'static str> = needs.move_numbers().collect();
    if !names.is_empty() {
        let numbers = MoveNumbers::of(bank.numbers(), recorded_numbers, &names);
        guidance.numbers = Some(numbers.map_err(|name| format!("the bank has no move number {name}"))?);
    }
    let budget: BudgetParameters = player.group().ok_or("the player has no budget")?;
    let end: FinalParameters = player.group().ok_or("the player has no final move")?;
    let constant = player.parameter().unwrap_or(SeedConstant::Fixed(1.0));
    let selector = Selector::Formula { tree: select, ln, constant };
    let settings = SearchSettings { final_move: end.final_move, ..SearchSettings::default() };
    let mut player =
        Mcts::new(selector, budget.budget(), RecordedRewards, key).with_settings(settings).with_guidance(guidance);
    let state = Bandit { arms: Arc::clone(&position.arms), pulled: None };
    let deck = StreamDeck::of(key.named("deck", 0));
    let decided = player.decide(&PlayerView { common_random_numbers: true, ..PlayerView::of(&state, &deck) });
    Ok(usize::from(decided.action))
}
