//! Pig, a jeopardy dice game (J. Scarne, 1945; T. Neller, C. Presser, "Optimal play of the dice game Pig", 2004).
//!
//! In its turn a seat rolls a die as often as it likes. A 1 ends the turn, and what was rolled in it is lost; otherwise
//! the seat holds at a time of its choice and adds the sum to its score; it must hold where that reaches the goal.
//! The first seat at the goal wins.

use super::won::{scores, won_domain};
use evouct_base::parameter::Values;
use evouct_base::plural::counted;
use evouct_base::sampling::below;
use evouct_platform::domain::{Drawing, Notation, seat_letter};
use evouct_search::game::{Game, Scores, StreamDeck, Turn};
use rand::Rng;

/// The game Pig.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Pig;

evouct_base::parameters! {
    /// The options of the rules.
    #[derive(Copy, Eq)]
    pub struct PigRules {
        /// The score that wins.
        goal: u32 = 100, values = Values::Count(2, 1000), recorded = true;
        /// Faces of the die.
        faces: u8 = 6, values = Values::Count(2, 20), recorded = true;
    }
}

/// What a seat decides.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Action {
    /// To roll the die.
    Roll,
    /// To end the turn and keep what was rolled.
    Hold,
}

/// A position.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct State {
    rules: PigRules,
    totals: [u32; 2],
    /// What was rolled in this turn.
    rolled: u32,
    seat: u8,
    /// Whether the die is in the air.
    rolling: bool,
    decisions: u16,
}

/// A game ends after so many decisions, as a draw if neither seat is at the goal: seats may hold without a roll for ever.
const MOST_DECISIONS: u16 = 1_000;

impl State {
    /// The start of a game.
    pub fn new(rules: PigRules) -> State {
        State { rules, totals: [0; 2], rolled: 0, seat: 0, rolling: false, decisions: 0 }
    }

    /// Whether the seat to play wins if it holds.
    #[inline]
    fn must_hold(&self) -> bool {
        self.totals[usize::from(self.seat)] + self.rolled >= self.rules.goal
    }

    #[inline]
    fn winner(&self) -> Option<usize> {
        (0..2).find(|seat| self.totals[*seat] >= self.rules.goal)
    }
}

impl Game for State {
    type Action = Action;
    /// A face of the die, from 1.
    type Outcome = u8;
    type Deck = StreamDeck;

    fn seats(&self) -> usize {
        2
    }

    #[inline]
    fn turn(&self) -> Turn {
        // What is not branched on costs less than a jump that is not foreseen.
        if (self.decisions >= MOST_DECISIONS) | (self.totals[0].max(self.totals[1]) >= self.rules.goal) {
            Turn::Terminal
        } else if self.rolling {
            Turn::Chance
        } else {
            Turn::Player(self.seat.into())
        }
    }

    fn outcomes(&self, outcomes: &mut Vec<(u8, u32)>) {
        outcomes.clear();
        if self.turn() == Turn::Chance {
            outcomes.extend((1..=self.rules.faces).map(|face| (face, 1)));
        }
    }

    #[inline]
    fn apply(&mut self, face: u8) {
        self.rolling = false;
        if face == 1 {
            self.rolled = 0;
            self.seat = 1 - self.seat;
        } else {
            self.rolled += u32::from(face);
        }
    }

    #[inline]
    fn sample(&mut self, rng: &mut impl Rng) -> u8 {
        let face = below(rng, self.rules.faces.into()) as u8 + 1;
        self.apply(face);
        face
    }

    #[inline]
    fn actions(&self, actions: &mut Vec<Action>) {
        actions.clear();
        if let Turn::Player(_) = self.turn() {
            actions.extend((!self.must_hold()).then_some(Action::Roll));
            actions.push(Action::Hold);
        }
    }

    #[inline]
    fn random_action(&self, _: &mut Vec<Action>, rng: &mut impl Rng) -> Action {
        if below(rng, if self.must_hold() { 1 } else { 2 }) == 0 && !self.must_hold() {
            Action::Roll
        } else {
            Action::Hold
        }
    }

    #[inline]
    fn play(&mut self, action: Action) {
        self.decisions += 1;
        match action {
            Action::Roll => self.rolling = true,
            Action::Hold => {
                self.totals[usize::from(self.seat)] += self.rolled;
                self.rolled = 0;
                self.seat = 1 - self.seat;
            }
        }
    }

    fn scores(&self) -> Scores {
        scores(self.winner())
    }

    fn max_score(&self) -> Option<i32> {
        Some(1)
    }
}

won_domain!(
    Pig,
    State,
    PigRules,
    "pig",
    "Pig: roll a die again or hold",
    "formula:formula=Q + sqrt(2)*sqrt(ln(N)/n) + 3*(Ag - 3*l1),untried=Qbar + sqrt(2/3)*sqrt(ln(N)) + 3*(Ag - 3*l1),final_formula=n",
    "Two players take turns. In a turn you roll a die as often as you like, and the points of the turn add up.\n\
     A 1 ends the turn, and its points are lost. Hold to keep them: then the other player rolls.\n\
     The first player with 100 points wins, unless this game has another goal.",
    fn turns_left(_: &State) -> u32 {
        50
    }
);

impl Notation<State> for Pig {
    /// `roll` or `hold`; outcomes are the faces of the die.
    fn write_action(&self, _: &State, action: Action) -> String {
        match action {
            Action::Roll => "roll",
            Action::Hold => "hold",
        }
        .to_owned()
    }

    fn say_action(&self, state: &State, action: Action) -> String {
        match action {
            Action::Roll if state.rolled == 0 => "roll".to_owned(),
            Action::Roll => format!("roll again, {} so far", state.rolled),
            Action::Hold => format!("hold {}", counted(state.rolled as usize, "point")),
        }
    }
}

impl Drawing<State> for Pig {
    fn fact_names(&self) -> &'static [&'static str] {
        &["total"]
    }

    fn facts(&self, state: &State, seat: usize) -> Vec<i64> {
        vec![state.totals[seat].into()]
    }

    fn text(&self, state: &State, _colour: bool) -> Option<String> {
        let totals = [0, 1].map(|seat| format!("{} {}", seat_letter(seat), state.totals[seat]));
        let next = match state.winner() {
            Some(winner) => format!("{} has won", seat_letter(winner)),
            None => format!("{} to move, {} in this turn", seat_letter(state.seat.into()), state.rolled),
        };
        Some(format!("{} of {}\n{next}\n", totals.join(", "), state.rules.goal))
    }
}
