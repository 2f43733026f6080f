//! A game of your own on the search crate alone: no files, no leagues, nothing else of evouct.
//!
//!     cargo run --release -p search-alone
//!
//! Two seats roll a die in turn. After each roll a seat banks what it has rolled or rolls again; a 1 loses it. The seat
//! that first has forty points wins. SIEA-MCTS, whose formula evolves in each decision, plays fifty games against UCT.
//! `examples/own_game.rs` has such a game with leagues, reports and every command.

use evouct_search::evolve::EvolutionSettings;
use evouct_search::game::{Deck, Game, Scores, StreamDeck, Turn, Uniform, check_game};
use evouct_search::player::{Mcts, Player, PlayerView, Selector};
use evouct_search::search::{Budget, Uct};
use evouct_search::seed::Key;
use std::collections::BTreeMap;

const TARGET: i32 = 40;
const GAMES: u32 = 50;
const ITERATIONS: u64 = 200;

/// A position: small, because search copies it all the time.
#[derive(Clone, Default)]
struct Pig {
    scores: Scores,
    seat: usize,
    rolled: i32,
    is_choosing: bool,
}

#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
enum Choice {
    Roll,
    Bank,
}

impl Pig {
    fn pass(&mut self) {
        (self.seat, self.rolled) = (1 - self.seat, 0);
    }
}

impl Game for Pig {
    type Action = Choice;
    /// Pips.
    type Outcome = i32;
    type Deck = StreamDeck;

    fn seats(&self) -> usize {
        2
    }

    fn turn(&self) -> Turn {
        match self.is_choosing {
            _ if self.scores.iter().any(|score| *score >= TARGET) => Turn::Terminal,
            true => Turn::Player(self.seat),
            false => Turn::Chance,
        }
    }

    fn outcomes(&self, outcomes: &mut Vec<(i32, u32)>) {
        outcomes.clear();
        if self.turn() == Turn::Chance {
            outcomes.extend((1..=6).map(|pips| (pips, 1)));
        }
    }

    fn apply(&mut self, pips: i32) {
        self.is_choosing = pips > 1;
        self.rolled += pips;
        if pips == 1 {
            self.pass();
        }
    }

    fn actions(&self, actions: &mut Vec<Choice>) {
        actions.clear();
        if let Turn::Player(_) = self.turn() {
            actions.extend([Choice::Roll, Choice::Bank]);
        }
    }

    fn play(&mut self, choice: Choice) {
        self.is_choosing = false;
        if choice == Choice::Bank {
            self.scores[self.seat] += self.rolled;
            self.pass();
        }
    }

    fn scores(&self) -> Scores {
        self.scores
    }
}

/// Plays a game; the seat of SIEA-MCTS changes from game to game. Returns whether it won, and counts its formulas.
fn play(key: Key, siea: usize, formulas: &mut BTreeMap<String, u32>) -> bool {
    let uct = Selector::Uct(Uct::default());
    // Evolution has playouts of its own; UCT gets as many more iterations.
    let budget = Budget::iterations(ITERATIONS + EvolutionSettings::siea().playouts());
    let mut evolving = Mcts::<Pig>::siea(ITERATIONS, key.seat(siea));
    let mut fixed = Mcts::<Pig>::new(uct, budget, Uniform, key.seat(1 - siea));
    let (mut state, mut deck) = (Pig::default(), StreamDeck::of(key));
    loop {
        match state.turn() {
            Turn::Terminal => return state.scores[siea] >= TARGET,
            Turn::Chance => {
                deck.deal(&mut state);
            }
            Turn::Player(seat) => {
                let player: &mut dyn Player<Pig> = if seat == siea { &mut evolving } else { &mut fixed };
                let decision = player.decide(&PlayerView::of(&state, &deck));
                if let Some(evolution) = decision.evolution {
                    *formulas.entry(evolution.formula).or_default() += 1;
                }
                state.play(decision.action);
            }
        }
    }
}

fn main() {
    let experiment = Key::experiment(2022);
    check_game(Pig::default, experiment, 20).expect("the game keeps the contract");
    let mut formulas = BTreeMap::new();
    let won = (1..=GAMES).filter(|game| play(experiment.deck(*game), (*game % 2) as usize, &mut formulas)).count();
    println!("SIEA-MCTS won {won} of {GAMES} games against UCT with as many playouts per decision");
    let mut formulas: Vec<(String, u32)> = formulas.into_iter().collect();
    formulas.sort_by_key(|(_, decisions)| std::cmp::Reverse(*decisions));
    for (formula, decisions) in formulas.iter().take(3) {
        println!("{decisions:6} decisions by {formula}");
    }
}
