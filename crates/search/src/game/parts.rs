//! A game whose actions are made of two decisions, as a game in which they follow one another: in Carcassonne a
//! placement, then a meeple (Müller 2014, 4.1 and Algorithm 5).

use super::{Deck, Game, MAX_SEATS, MoveLog, Playout, Ply, PlyOf, Scores, Turn};
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
}

impl<G: Game> Clone for Parts<G> {
    fn clone(&self) -> Parts<G> {
        Parts { game: self.game.clone(), first: self.first }
    }

    fn clone_from(&mut self, other: &Parts<G>) {
        self.game.clone_from(&other.game);
        self.first = other.first;
    }
}

impl<G: Game> Parts<G> {
    /// A position in which no part is decided.
    pub fn of(game: G) -> Parts<G> {
        Parts { game, first: None }
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

    fn drawn(&self) -> Option<G::Outcome> {
        self.game.drawn()
    }

    fn likeness(&self, ply: PlyOf<Parts<G>>) -> Option<u32> {
        let whole = Ply { seat: ply.seat, drawn: ply.drawn, action: ply.action.part };
        let second = if ply.action.is_second { 1 << 31 } else { 0 };
        Some(self.game.likeness(whole)? | second)
    }
}

/// What was decided in a game, as decisions about parts.
pub struct PartsLog<G: Game> {
    /// The last position, and the decisions before it.
    last: Option<(G, MoveLog<G>)>,
    /// Numbers of the decisions that were one part, ascending.
    single: Vec<usize>,
}

impl<G: Game> Default for PartsLog<G> {
    fn default() -> PartsLog<G> {
        PartsLog { last: None, single: Vec::new() }
    }
}

impl<G: Game + 'static> PartsLog<G> {
    /// Goes on to a later position of the same game. The decisions made since are played again on the earlier position,
    /// to see which of them were one part. After a position of another game, or of one that went another way, nothing
    /// is known of them: they count as two.
    pub fn catch_up(&mut self, game: &G, log: &MoveLog<G>) {
        match self.last.take().filter(|(_, before)| log.plies().starts_with(before.plies())) {
            None => self.single.clear(),
            Some((earlier, before)) => {
                let (mut state, mut actions) = (Parts::of(earlier), Vec::new());
                let first = before.plies().len();
                for (number, Ply { drawn, action, .. }) in log.plies().iter().enumerate().skip(first) {
                    if let (Turn::Chance, Some(outcome)) = (state.game.turn(), drawn) {
                        state.game.apply(*outcome);
                    }
                    state.members(G::first_part(*action), &mut actions);
                    if actions.len() == 1 {
                        self.single.push(number);
                    }
                    state.game.play(*action);
                }
            }
        }
        self.last = Some((game.clone(), log.clone()));
    }

    /// The decisions before the last position.
    pub fn parts(&self) -> MoveLog<Parts<G>> {
        let mut single = self.single.iter().peekable();
        let mut number = 0;
        let mut push = |ply: &PlyOf<G>, plies: &mut Vec<_>| {
            let is_single = single.next_if_eq(&&number).is_some();
            number += 1;
            push_parts::<G>(ply, is_single, plies);
        };
        self.last.as_ref().map_or_else(MoveLog::default, |(_, log)| log.mapped(&mut push))
    }
}

/// Pushes the decisions about the parts of an action.
fn push_parts<G: Game + 'static>(ply: &PlyOf<G>, is_single: bool, plies: &mut Vec<PlyOf<Parts<G>>>) {
    let Ply { seat, drawn, action } = *ply;
    let whole = is_single.then_some(action);
    plies.push(Ply { seat, drawn, action: Part { part: G::first_part(action), is_second: false, whole } });
    if !is_single {
        plies.push(Ply { seat, drawn, action: Part { part: action, is_second: true, whole: Some(action) } });
    }
}

/// The decisions of the game itself, and the legal actions that were noted.
fn whole_log<G: Game + 'static>(log: &MoveLog<Parts<G>>) -> MoveLog<G> {
    let mut whole = log.mapped(|Ply { seat, drawn, action }, plies| {
        plies.extend(action.whole().map(|action| Ply { seat: *seat, drawn: *drawn, action }));
    });
    let (mut number, mut decisions) = (0, 0);
    for (at, legal) in log.choices() {
        decisions += log.plies()[number..at].iter().filter(|ply| ply.action.whole().is_some()).count();
        number = at;
        whole.note_choice_of(decisions, legal.iter().filter_map(Part::whole));
    }
    whole
}

/// A default policy of the game, which decides about a second part that is left open first.
#[derive(Clone, Debug)]
pub struct PartsPlayout<P>(pub P);

impl<P> PartsPlayout<P> {
    /// Plays an action of which the first part is decided, if there is one, and returns it with its seat.
    fn complete<G: Game + 'static>(&self, state: &mut Parts<G>, rng: &mut impl Rng) -> Option<(usize, G::Action)>
    where
        P: Playout<G>,
    {
        let (Some(first), Turn::Player(seat)) = (state.first.take(), state.game.turn()) else { return None };
        let mut actions = Vec::new();
        state.members(first, &mut actions);
        let action = self.0.choose_among(&state.game, &actions, rng);
        state.game.play(action);
        Some((seat, action))
    }
}

impl<G: Game + 'static, P: Playout<G>> Playout<Parts<G>> for PartsPlayout<P> {
    fn play_out(&self, state: &mut Parts<G>, rng: &mut impl Rng) -> Scores {
        self.complete(state, rng);
        self.0.play_out(&mut state.game, rng)
    }

    /// Whole actions are played, and count as two decisions each.
    fn play_out_logged(&self, state: &mut Parts<G>, log: &mut MoveLog<Parts<G>>, rng: &mut impl Rng) -> Scores {
        if let Some((seat, part)) = self.complete(state, rng) {
            log.play(seat, Part { part, is_second: true, whole: Some(part) });
        }
        // A policy that reads no log needs no earlier decisions.
        let mut whole = if self.0.needs_log() { whole_log(log) } else { log.mapped(|_, _| ()) };
        let before = whole.plies().len();
        let scores = self.0.play_out_logged(&mut state.game, &mut whole, rng);
        let mut choices = whole.choices().skip_while(|(number, _)| *number < before).peekable();
        let mut parts = Vec::new();
        for (number, ply) in whole.plies().iter().enumerate().skip(before) {
            if let Some((_, legal)) = choices.next_if(|(of, _)| *of == number) {
                let legal = legal.iter().map(|part| Part { part: *part, is_second: false, whole: Some(*part) });
                log.note_choice_of(log.plies().len(), legal);
            }
            push_parts::<G>(ply, false, &mut parts);
            parts.drain(..).for_each(|ply| log.push(ply));
        }
        scores
    }

    fn needs_log(&self) -> bool {
        self.0.needs_log()
    }

    fn choose(&self, state: &Parts<G>, rng: &mut impl Rng) -> Part<G::Action> {
        let mut parts = Vec::new();
        state.actions(&mut parts);
        parts[below(rng, parts.len())]
    }

    fn learn(&mut self, log: &MoveLog<Parts<G>>, first: usize, end: &Parts<G>, rewards: &[f64; MAX_SEATS]) {
        if self.needs_log() {
            let before = log.plies()[..first].iter().filter(|ply| ply.action.whole().is_some()).count();
            self.0.learn(&whole_log(log), before, &end.game, rewards);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::slots::Slots;
    use crate::game::{check_game, next_seat, play_logged};
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

    /// Which decisions were one part is found out from the position before them.
    #[test]
    fn a_later_position_knows_which_decisions_were_one_part() {
        let mut rng = Key::experiment(3).stream();
        let mut state = Parts::of(Slots::new());
        let (mut log, mut later) = (MoveLog::<Parts<Slots>>::default(), PartsLog::default());
        later.catch_up(state.whole(), &MoveLog::default());
        let mut parts = Vec::new();
        while let Some(seat) = next_seat(&mut state, Some(&mut log), &mut rng) {
            // One of two players: it sees every second decision.
            if state.first.is_none() && seat == 0 {
                later.catch_up(state.whole(), &whole_log(&log));
                assert_eq!(later.parts(), log);
            }
            state.actions(&mut parts);
            let part = parts[below(&mut rng, parts.len())];
            play_logged(&mut state, seat, part, Some(&mut log));
        }
        assert!(later.single.len() > 10, "{} decisions of one part", later.single.len());
        // Of another game nothing is known.
        later.catch_up(&Slots::new(), &MoveLog::default());
        assert!(later.single.is_empty() && later.parts().plies().is_empty());
    }
}
