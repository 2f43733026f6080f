//! A game whose actions are made of two decisions, as a game in which they follow one another: in Carcassonne a
//! placement, then a meeple (Müller 2014, 4.1 and Algorithm 5).

use super::{Deck, Game, MAX_SEATS, MoveLog, Playout, Ply, Scores, Turn};
use evouct_base::sampling::below;
use rand::Rng;
use std::hash::{Hash, Hasher};

/// A part of an action.
#[derive(Clone, Copy, Debug)]
pub struct Part<A> {
    /// The first part by [`Game::first_part`], or the whole action if it is the second part.
    part: A,
    is_second: bool,
    /// The whole action where there is only one with this first part: then no second decision follows.
    whole: Option<A>,
}

impl<A: PartialEq> PartialEq for Part<A> {
    fn eq(&self, other: &Part<A>) -> bool {
        self.part == other.part && self.is_second == other.is_second
    }
}

impl<A: Eq> Eq for Part<A> {}

impl<A: Hash> Hash for Part<A> {
    fn hash<H: Hasher>(&self, state: &mut H) {
        (&self.part, self.is_second).hash(state);
    }
}

impl<A: Copy> Part<A> {
    /// The action that the part stands for: the whole one if it is known, else the first part by itself.
    pub fn action(&self) -> A {
        self.whole.unwrap_or(self.part)
    }

    /// The whole action, if nothing is left to decide.
    pub fn whole(&self) -> Option<A> {
        if self.is_second { Some(self.part) } else { self.whole }
    }
}

/// A position of a game in which a seat decides about the parts of an action one after the other.
pub struct Parts<G: Game> {
    game: G,
    /// The first part that is decided while the second is not.
    first: Option<G::Action>,
    /// Numbers of the decisions of the game that were one part, ascending.
    single: Vec<usize>,
}

impl<G: Game> Clone for Parts<G> {
    fn clone(&self) -> Parts<G> {
        Parts { game: self.game.clone(), first: self.first, single: self.single.clone() }
    }

    fn clone_from(&mut self, other: &Parts<G>) {
        self.game.clone_from(&other.game);
        self.first = other.first;
        self.single.clone_from(&other.single);
    }
}

impl<G: Game> Parts<G> {
    /// A position in which no part is decided.
    pub fn of(game: G) -> Parts<G> {
        Parts { game, first: None, single: Vec::new() }
    }

    /// Becomes this later position of the same game. The decisions made since are played again on the earlier position,
    /// to see which of them were one part. After a position of another game, or of one that went another way, nothing
    /// is known of them.
    pub fn catch_up(&mut self, game: &G) {
        let Some(decisions) = self.decisions_until(game) else {
            *self = Parts::of(game.clone());
            return;
        };
        let before = self.logged().map_or(0, |log| log.plies());
        let mut actions = Vec::new();
        for (number, Ply { drawn, action, .. }) in (before..).zip(decisions) {
            if let (Turn::Chance, Some(outcome)) = (self.game.turn(), drawn) {
                self.game.apply(outcome);
            }
            self.members(G::first_part(action), &mut actions);
            if actions.len() == 1 {
                self.single.push(number);
            }
            self.game.play(action);
        }
        self.game.clone_from(game);
    }

    /// The decisions of a later position of the game that follow this one, if it is one.
    fn decisions_until(&self, game: &G) -> Option<Vec<Ply<G::Action, G::Outcome>>> {
        let (own, other) = (self.logged().filter(|_| self.first.is_none())?, game.move_log()?);
        let is_same = |number: usize| {
            let (known, found) = (own.ply(number), other.ply(number));
            known.action == found.action && known.drawn == found.drawn
        };
        let follows = own.plies() <= other.plies() && (0..own.plies()).all(is_same);
        follows.then(|| (own.plies()..other.plies()).map(|number| other.ply(number)).collect())
    }

    /// The position of the game itself, in which an action of which the first part is decided is not played yet.
    pub fn whole(&self) -> &G {
        &self.game
    }

    /// The same, to be overwritten.
    pub fn whole_mut(&mut self) -> &mut G {
        &mut self.game
    }

    /// The actions with this first part.
    fn members(&self, first: G::Action, actions: &mut Vec<G::Action>) {
        self.game.actions(actions);
        actions.retain(|action| G::first_part(*action) == first);
    }

    fn logged(&self) -> Option<&dyn MoveLog<G::Action, G::Outcome>> {
        self.game.move_log()
    }
}

/// The deck of the game.
pub struct PartsDeck<G: Game>(pub G::Deck);

impl<G: Game> Clone for PartsDeck<G> {
    fn clone(&self) -> PartsDeck<G> {
        PartsDeck(self.0.clone())
    }
}

impl<G: Game + 'static> Deck<Parts<G>> for PartsDeck<G> {
    fn shuffled(state: &Parts<G>, rng: &mut impl Rng) -> PartsDeck<G> {
        PartsDeck(G::Deck::shuffled(&state.game, rng))
    }

    fn deal(&mut self, state: &mut Parts<G>) -> G::Outcome {
        self.0.deal(&mut state.game)
    }
}

impl<G: Game + 'static> Game for Parts<G> {
    type Action = Part<G::Action>;
    type Outcome = G::Outcome;
    type Deck = PartsDeck<G>;

    fn seats(&self) -> usize {
        self.game.seats()
    }

    #[inline]
    fn turn(&self) -> Turn {
        self.game.turn()
    }

    fn outcomes(&self, outcomes: &mut Vec<(G::Outcome, u32)>) {
        self.game.outcomes(outcomes);
    }

    fn apply(&mut self, outcome: G::Outcome) {
        self.game.apply(outcome);
    }

    fn sample(&mut self, rng: &mut impl Rng) -> G::Outcome {
        self.game.sample(rng)
    }

    fn actions(&self, parts: &mut Vec<Part<G::Action>>) {
        parts.clear();
        let mut actions = Vec::new();
        if let Some(first) = self.first {
            self.members(first, &mut actions);
            parts.extend(actions.into_iter().map(|part| Part { part, is_second: true, whole: Some(part) }));
            return;
        }
        self.game.actions(&mut actions);
        for action in actions {
            let first = G::first_part(action);
            match parts.last_mut().filter(|known| known.part == first) {
                Some(known) => known.whole = None,
                None => parts.push(Part { part: first, is_second: false, whole: Some(action) }),
            }
        }
    }

    #[inline]
    fn play(&mut self, part: Part<G::Action>) {
        match part.whole() {
            None => self.first = Some(part.part),
            Some(action) => {
                if !part.is_second {
                    self.single.extend(self.logged().map(|log| log.plies()));
                }
                self.first = None;
                self.game.play(action);
            }
        }
    }

    fn scores(&self) -> Scores {
        self.game.scores()
    }

    fn live_outcomes(&self, outcomes: &mut Vec<(G::Outcome, u32)>) {
        self.game.live_outcomes(outcomes);
    }

    fn max_score(&self) -> Option<i32> {
        self.game.max_score()
    }

    fn phase(&self) -> Option<f64> {
        self.game.phase()
    }

    fn move_log(&self) -> Option<&dyn MoveLog<Part<G::Action>, G::Outcome>> {
        self.logged().map(|_| self as &dyn MoveLog<Part<G::Action>, G::Outcome>)
    }
}

/// The decisions about parts. Those of a playout, in which whole actions are played, count as two each.
impl<G: Game + 'static> MoveLog<Part<G::Action>, G::Outcome> for Parts<G> {
    fn drawn(&self) -> Option<G::Outcome> {
        self.logged().and_then(|log| log.drawn())
    }

    fn plies(&self) -> usize {
        let whole = self.logged().map_or(0, |log| log.plies());
        2 * whole - self.single.len() + usize::from(self.first.is_some())
    }

    fn ply(&self, number: usize) -> Ply<Part<G::Action>, G::Outcome> {
        let mut plies = Vec::new();
        self.plies_from(number, &mut plies);
        plies[0]
    }

    fn likeness(&self, ply: Ply<Part<G::Action>, G::Outcome>) -> Option<u32> {
        let whole = Ply { seat: ply.seat, drawn: ply.drawn, action: ply.action.part };
        let second = if ply.action.is_second { 1 << 31 } else { 0 };
        Some(self.logged()?.likeness(whole)? | second)
    }

    fn plies_from(&self, first: usize, plies: &mut Vec<Ply<Part<G::Action>, G::Outcome>>) {
        let Some(log) = self.logged() else { return };
        let (mut number, mut single) = (0, self.single.iter().peekable());
        let mut push = |ply| {
            if number >= first {
                plies.push(ply);
            }
            number += 1;
        };
        for whole in 0..log.plies() {
            let Ply { seat, drawn, action } = log.ply(whole);
            let part = G::first_part(action);
            push(Ply { seat, drawn, action: Part { part, is_second: false, whole: None } });
            if single.next_if_eq(&&whole).is_none() {
                push(Ply { seat, drawn, action: Part { part: action, is_second: true, whole: Some(action) } });
            }
        }
        if let (Some(part), Turn::Player(seat)) = (self.first, self.game.turn()) {
            push(Ply { seat, drawn: log.drawn(), action: Part { part, is_second: false, whole: None } });
        }
    }
}

/// A default policy of the game, which decides about a second part that is left open first.
#[derive(Clone, Debug)]
pub struct PartsPlayout<P>(pub P);

impl<P> PartsPlayout<P> {
    /// Plays an action of which the first part is decided, if there is one.
    fn complete<G: Game + 'static>(&self, state: &mut Parts<G>, rng: &mut impl Rng)
    where
        P: Playout<G>,
    {
        if let Some(first) = state.first.take() {
            let mut actions = Vec::new();
            state.members(first, &mut actions);
            let action = self.0.choose_among(&state.game, &actions, rng);
            state.game.play(action);
        }
    }
}

impl<G: Game + 'static, P: Playout<G>> Playout<Parts<G>> for PartsPlayout<P> {
    fn play_out(&self, state: &mut Parts<G>, rng: &mut impl Rng) -> Scores {
        self.complete(state, rng);
        self.0.play_out(&mut state.game, rng)
    }

    fn choose(&self, state: &Parts<G>, rng: &mut impl Rng) -> Part<G::Action> {
        let mut parts = Vec::new();
        state.actions(&mut parts);
        parts[below(rng, parts.len())]
    }

    fn learn(&mut self, root: &Parts<G>, end: &Parts<G>, rewards: &[f64; MAX_SEATS]) {
        self.0.learn(&root.game, &end.game, rewards);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::check_game;
    use crate::game::slots::Slots;
    use evouct_base::seed::Key;

    #[test]
    fn parts_are_a_game() {
        check_game(|| Parts::of(Slots::new()), Key::experiment(1), 3).unwrap();
    }

    #[test]
    fn the_parts_of_a_position_are_its_actions() {
        let mut rng = Key::experiment(2).stream();
        let mut state = Parts::of(Slots::new());
        let (mut parts, mut actions, mut twos) = (Vec::new(), Vec::new(), 0);
        while state.turn() != Turn::Terminal {
            if state.turn() == Turn::Chance {
                state.sample(&mut rng);
                continue;
            }
            state.whole().actions(&mut actions);
            state.actions(&mut parts);
            let mut found = Vec::new();
            for first in &parts {
                let mut after = state.clone();
                after.play(*first);
                if first.whole().is_some() {
                    found.extend(first.whole());
                } else {
                    let mut seconds = Vec::new();
                    after.actions(&mut seconds);
                    assert!(seconds.len() > 1);
                    twos += 1;
                    found.extend(seconds.iter().filter_map(Part::whole));
                }
            }
            actions.sort_unstable();
            found.sort_unstable();
            assert_eq!(found, actions);
            state.play(parts[below(&mut rng, parts.len())]);
            if state.first.is_some() {
                state.actions(&mut parts);
                state.play(parts[below(&mut rng, parts.len())]);
            }
        }
        assert!(twos > 50);
    }

    /// What a position notes of the decisions when it plays them, one that comes later finds out from the log.
    #[test]
    fn a_later_position_knows_which_decisions_were_one_part() {
        let mut rng = Key::experiment(3).stream();
        let mut state = Parts::of(Slots::new());
        let mut later: Option<Parts<Slots>> = None;
        let (mut parts, mut plies, mut found) = (Vec::new(), Vec::new(), Vec::new());
        while state.turn() != Turn::Terminal {
            if state.turn() == Turn::Chance {
                state.sample(&mut rng);
                continue;
            }
            // One of two players: it sees every second decision.
            if state.first.is_none() && state.turn() == Turn::Player(0) {
                let later = later.get_or_insert_with(|| Parts::of(state.whole().clone()));
                later.catch_up(state.whole());
                assert_eq!(later.single, state.single);
                plies.clear();
                found.clear();
                state.plies_from(0, &mut plies);
                later.plies_from(0, &mut found);
                assert_eq!(found, plies);
            }
            state.actions(&mut parts);
            state.play(parts[below(&mut rng, parts.len())]);
        }
        let mut later = later.unwrap();
        assert!(later.single.len() > 10, "{} decisions of one part", later.single.len());
        // Of another game nothing is known.
        later.catch_up(&Slots::new());
        assert!(later.single.is_empty());
        assert_eq!(later.plies(), 0);
    }
}
