//! A tiny stochastic game, small enough for brute force, with everything that search must cope with: chance before
//! every decision, chance twice in a row, chance that skips a decision, two or three seats.
//!
//! Tokens are drawn from a bag. A drawn token is *kept* (its value to the seat), *bet* (a coin decides between three
//! times the value and nothing) or used to *steal* (its value moves from the leader to the seat, once a game). A blank
//! is drawn and gone: the same seat draws again.
#![allow(dead_code, reason = "the suite of the program includes this file, too, and uses a part")]

use evouct_base::sampling::{below, shuffle};
use evouct_search::game::{Deck, Game, MAX_SEATS, Ply, Scores, Turn};
use rand::Rng;
use std::collections::VecDeque;

#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, PartialOrd, Ord)]
pub enum Action {
    Keep,
    Bet,
    Steal,
}

#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Outcome {
    Token(u8),
    Coin(bool),
}

#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Tokens {
    pub seats: usize,
    /// How many tokens of each value are left; value 0 is a blank.
    pub bag: [u8; 6],
    pub scores: Scores,
    pub stolen: [bool; MAX_SEATS],
    pub player: usize,
    pub hand: Option<u8>,
    /// A bet that waits for the coin.
    pub bet: Option<u8>,
    /// Whether seats may bet at all.
    pub betting: bool,
    /// The decisions so far.
    pub past: Vec<Ply<Action, Outcome>>,
}

impl Tokens {
    pub fn new(seats: usize, bag: [u8; 6]) -> Tokens {
        Tokens {
            seats,
            bag,
            scores: Scores::default(),
            stolen: [false; MAX_SEATS],
            player: 0,
            hand: None,
            bet: None,
            betting: true,
            past: Vec::new(),
        }
    }

    fn next(&mut self) {
        self.player = (self.player + 1) % self.seats;
    }

    fn leader(&self) -> usize {
        let others = (0..self.seats).filter(|seat| *seat != self.player);
        others.max_by_key(|seat| (self.scores[*seat], std::cmp::Reverse(*seat))).unwrap()
    }
}

impl Game for Tokens {
    type Action = Action;
    type Outcome = Outcome;
    type Deck = VecDeque<Outcome>;

    fn seats(&self) -> usize {
        self.seats
    }

    fn turn(&self) -> Turn {
        if self.hand.is_some() {
            Turn::Player(self.player)
        } else if self.bet.is_some() || self.bag.iter().any(|count| *count > 0) {
            Turn::Chance
        } else {
            Turn::Terminal
        }
    }

    fn outcomes(&self, outcomes: &mut Vec<(Outcome, u32)>) {
        outcomes.clear();
        if self.hand.is_some() {
            return;
        }
        if self.bet.is_some() {
            outcomes.extend([(Outcome::Coin(true), 2), (Outcome::Coin(false), 3)]);
            return;
        }
        let left = self.bag.iter().enumerate().filter(|(_, count)| **count > 0);
        outcomes.extend(left.map(|(value, count)| (Outcome::Token(value as u8), u32::from(*count))));
    }

    fn apply(&mut self, outcome: Outcome) {
        match outcome {
            Outcome::Token(value) => {
                self.bag[usize::from(value)] -= 1;
                self.hand = (value > 0).then_some(value);
            }
            Outcome::Coin(won) => {
                let value = self.bet.take().unwrap();
                self.scores[self.player] += if won { 3 * i32::from(value) } else { 0 };
                self.next();
            }
        }
    }

    fn actions(&self, actions: &mut Vec<Action>) {
        actions.clear();
        if self.hand.is_some() {
            actions.push(Action::Keep);
            if self.betting {
                actions.push(Action::Bet);
            }
            if !self.stolen[self.player] {
                actions.push(Action::Steal);
            }
        }
    }

    fn play(&mut self, action: Action) {
        self.past.push(Ply { seat: self.player, drawn: self.drawn(), action });
        let value = self.hand.take().unwrap();
        match action {
            Action::Keep => self.scores[self.player] += i32::from(value),
            Action::Bet => {
                self.bet = Some(value);
                return;
            }
            Action::Steal => {
                let leader = self.leader();
                let moved = i32::from(value).min(self.scores[leader]);
                self.scores[leader] -= moved;
                self.scores[self.player] += moved;
                self.stolen[self.player] = true;
            }
        }
        self.next();
    }

    fn scores(&self) -> Scores {
        self.scores
    }

    fn drawn(&self) -> Option<Outcome> {
        self.hand.map(Outcome::Token)
    }

    fn past(&self) -> Option<Vec<Ply<Action, Outcome>>> {
        Some(self.past.clone())
    }

    /// What is done, with whatever token.
    fn likeness(&self, ply: Ply<Action, Outcome>) -> Option<u32> {
        Some(ply.action as u32)
    }
}

/// Coins and tokens lie in one row; the next of the kind wanted is taken.
impl Deck<Tokens> for VecDeque<Outcome> {
    fn shuffled(state: &Tokens, rng: &mut impl Rng) -> VecDeque<Outcome> {
        let mut deck: Vec<Outcome> = Vec::new();
        for (value, count) in state.bag.iter().enumerate() {
            deck.extend((0..*count).map(|_| Outcome::Token(value as u8)));
        }
        shuffle(rng, &mut deck);
        deck.extend((0..40).map(|_| Outcome::Coin(below(rng, 5) < 2)));
        deck.into()
    }

    fn deal(&mut self, state: &mut Tokens) -> Outcome {
        let coin = state.bet.is_some();
        let place = self.iter().position(|outcome| matches!(outcome, Outcome::Coin(_)) == coin).unwrap();
        let outcome = self.remove(place).unwrap();
        state.apply(outcome);
        outcome
    }
}

/// The reward of each seat under perfect play, where every seat maximises its own expected reward (max^n; for two seats
/// expectimax), by brute force. With a deck the future is known.
pub fn solve(
    state: &Tokens,
    reward: &impl Fn(&Scores) -> [f64; MAX_SEATS],
    deck: Option<&VecDeque<Outcome>>,
) -> [f64; MAX_SEATS] {
    match state.turn() {
        Turn::Terminal => reward(&state.scores),
        Turn::Chance => {
            if let Some(deck) = deck {
                let (mut state, mut deck) = (state.clone(), deck.clone());
                deck.deal(&mut state);
                return solve(&state, reward, Some(&deck));
            }
            let mut outcomes = Vec::new();
            state.outcomes(&mut outcomes);
            let total: u32 = outcomes.iter().map(|(_, weight)| weight).sum();
            let mut value = [0.0; MAX_SEATS];
            for (outcome, weight) in outcomes {
                let mut next = state.clone();
                next.apply(outcome);
                for (sum, part) in value.iter_mut().zip(solve(&next, reward, None)) {
                    *sum += part * f64::from(weight) / f64::from(total);
                }
            }
            value
        }
        Turn::Player(seat) => {
            let values = action_values(state, reward, deck);
            values.into_iter().map(|(_, value)| value).max_by(|a, b| a[seat].total_cmp(&b[seat])).unwrap()
        }
    }
}

/// The value of each action at a decision.
pub fn action_values(
    state: &Tokens,
    reward: &impl Fn(&Scores) -> [f64; MAX_SEATS],
    deck: Option<&VecDeque<Outcome>>,
) -> Vec<(Action, [f64; MAX_SEATS])> {
    let mut actions = Vec::new();
    state.actions(&mut actions);
    let after = |action: Action| {
        let mut next = state.clone();
        next.play(action);
        (action, solve(&next, reward, deck))
    };
    actions.into_iter().map(after).collect()
}

/// Whether some seat, anywhere below, has to choose between actions of equal value to it: then max^n has several
/// solutions.
pub fn has_ties(state: &Tokens, reward: &impl Fn(&Scores) -> [f64; MAX_SEATS]) -> bool {
    match state.turn() {
        Turn::Terminal => false,
        Turn::Chance => {
            let mut outcomes = Vec::new();
            state.outcomes(&mut outcomes);
            outcomes.into_iter().any(|(outcome, _)| {
                let mut next = state.clone();
                next.apply(outcome);
                has_ties(&next, reward)
            })
        }
        Turn::Player(seat) => {
            let mut values: Vec<f64> =
                action_values(state, reward, None).iter().map(|(_, value)| value[seat]).collect();
            values.sort_by(f64::total_cmp);
            let mut actions = Vec::new();
            state.actions(&mut actions);
            values.windows(2).any(|pair| pair[1] - pair[0] < 1e-9)
                || actions.into_iter().any(|action| {
                    let mut next = state.clone();
                    next.play(action);
                    has_ties(&next, reward)
                })
        }
    }
}
