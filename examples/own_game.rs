//! A game of your own: a dice game for two to six seats, playable by every kind of player and every command of evouct.
//!
//!     cargo run --release --example own_game -- run examples/own_game.toml
//!     cargo run --release --example own_game -- play --game my-pig -1 siea-mcts -2 mcts -3 random
//!
//! The game is Pig with one more choice. The seat to play rolls a die again and again. A 1 loses the pot and ends the
//! turn; any other number goes into the pot. After each roll the seat chooses:
//!
//! - `roll`: roll again;
//! - `hold`: bank half of the pot, lose the other half, and roll again;
//! - `bank`: bank the whole pot and end the turn.
//!
//! The first seat that reaches the target wins, and the game ends at once.
//!
//! `impl Game` is what search needs: positions, chance, actions, scores. `impl Domain` is what leagues, records and
//! reports need: a name, rules from files, the start. Its parts `Metrics`, `Notation` and `Drawing` have defaults; this
//! game replaces all three to show how. `main` registers the game and hands over to the command line.
//! `tests/suite/examples.rs` checks that the game keeps its contracts, with `check_domain`.

use evouct::domain::{Domain, Drawing, MetricColumn, Metrics, MoveNumber, Notation, ScoreLead};
use evouct::game::{Deck, Game, MAX_SEATS, Scores, StreamDeck, Turn, Uniform};
use evouct::parameter::Values;
use serde::{Deserialize, Serialize};
use std::process::ExitCode;

// The options of the rules: the keys of `[rules]` in an experiment file, and of `--rule` on the command line. One
// declaration gives the structure, its defaults, ranges, error messages and JSON Schema. `recorded = true` writes an
// option into every record, even at its default: then a later change of the default cannot change the meaning of old
// records.
evouct::parameters! {
    /// The rules of Pig.
    pub struct PigRules {
        /// Players.
        seats: usize = 2, values = Values::Count(2, MAX_SEATS as u64), recorded = true;
        /// Points that win the game.
        target: u32 = 50, values = Values::Count(10, 1_000), recorded = true;
        /// Sides of the die.
        sides: u8 = 6, values = Values::Count(4, 20), recorded = true;
    }
}

/// What a seat decides.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Choice {
    Roll,
    Hold,
    Bank,
}

/// A position. Search copies positions all the time: they should be small, without allocations.
#[derive(Clone)]
pub struct Race {
    rules: PigRules,
    scores: Scores,
    /// The seat whose turn it is.
    seat: usize,
    /// Points of this turn that are not banked.
    pot: i32,
    /// Whether the die is to be rolled.
    rolling: bool,
}

impl Race {
    fn target(&self) -> i32 {
        self.rules.target as i32
    }

    /// Banks so much of the pot; the rest is lost.
    fn bank(&mut self, points: i32, ends_turn: bool) {
        self.scores[self.seat] = (self.scores[self.seat] + points).min(self.target());
        self.pot = 0;
        self.seat = (self.seat + usize::from(ends_turn)) % self.rules.seats;
    }
}

impl Game for Race {
    type Action = Choice;
    /// The pips of the die.
    type Outcome = u8;
    /// Dice do not depend on one another, so a stream of random numbers is a deck. A game with cards would shuffle
    /// them.
    type Deck = StreamDeck;

    fn seats(&self) -> usize {
        self.rules.seats
    }

    fn turn(&self) -> Turn {
        match self.rolling {
            _ if self.scores.contains(&self.target()) => Turn::Terminal,
            true => Turn::Chance,
            false => Turn::Player(self.seat),
        }
    }

    /// Every outcome with its weight: the die is fair.
    fn outcomes(&self, outcomes: &mut Vec<(u8, u32)>) {
        outcomes.clear();
        if self.turn() == Turn::Chance {
            outcomes.extend((1..=self.rules.sides).map(|pips| (pips, 1)));
        }
    }

    fn apply(&mut self, pips: u8) {
        if pips == 1 {
            self.bank(0, true);
        } else {
            self.pot += i32::from(pips);
            self.rolling = false;
        }
    }

    /// The legal actions, always in the same order.
    fn actions(&self, actions: &mut Vec<Choice>) {
        actions.clear();
        let Turn::Player(seat) = self.turn() else { return };
        actions.push(Choice::Bank);
        // A seat that can win now has to: so every game ends.
        if self.scores[seat] + self.pot < self.target() {
            actions.extend([Choice::Roll, Choice::Hold]);
        }
    }

    fn play(&mut self, choice: Choice) {
        self.rolling = true;
        match choice {
            Choice::Roll => {}
            Choice::Hold => self.bank(self.pot / 2, false),
            Choice::Bank => self.bank(self.pot, true),
        }
    }

    fn scores(&self) -> Scores {
        self.scores
    }

    /// Some rewards are scaled by the highest score. Leave this out if your game knows none: those rewards are then
    /// refused.
    fn max_score(&self) -> Option<i32> {
        Some(self.target())
    }
}

/// What is counted of a seat during a game. It stands in every record, as JSON.
#[derive(Clone, Default, Debug, Serialize, Deserialize)]
pub struct PigMetrics {
    holds: u32,
    busts: u32,
}

impl Metrics<Race> for PigMetrics {
    /// What reports make of the metrics: means per player and seat. With a heading they also stand in the table of
    /// seats.
    const COLUMNS: &'static [MetricColumn<PigMetrics>] = &[
        MetricColumn::headed("holds", "holds", "uses of hold", |metrics, _| metrics.holds.into()),
        MetricColumn::headed("busts", "busts", "turns that a 1 ended", |metrics, _| metrics.busts.into()),
    ];

    /// Lets chance decide and counts what it brought: here the turns that a 1 ends.
    fn deal(race: &mut Race, deck: &mut StreamDeck, metrics: &mut [PigMetrics]) -> u8 {
        let seat = race.seat;
        let pips = deck.deal(race);
        metrics[seat].busts += u32::from(pips == 1);
        pips
    }

    /// Plays an action and counts what it brought.
    fn play(race: &mut Race, choice: Choice, metrics: &mut [PigMetrics]) {
        metrics[race.seat].holds += u32::from(choice == Choice::Hold);
        race.play(choice);
    }
}

/// The name of the game as a type. It has no content.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Pig;

impl Domain for Pig {
    type Game = Race;
    type Rules = PigRules;
    /// Random playouts, and *-minimax by the lead in points: both serve any game. Use types of your own where you know
    /// better.
    type Playout = Uniform;
    type Evaluation = ScoreLead;
    type Metrics = PigMetrics;

    const NAME: &'static str = "my-pig";
    const ABOUT: &'static str = "Pig with a hold, a race with one die for two to six seats";
    const NOTATION: &'static dyn Notation<Race> = &Pig;
    const DRAWING: &'static dyn Drawing<Race> = &Pig;
    /// Numbers of an action before it is played. With at least one of them, the kind `one-ply` plays the game too.
    const MOVE_NUMBERS: &'static [MoveNumber<Race>] =
        &[MoveNumber::new("safe", "points that the action banks", |race, choice, after| {
            after.clone_from(race);
            after.play(choice);
            f64::from(after.scores[race.seat] - race.scores[race.seat])
        })];

    fn start(rules: &PigRules) -> Race {
        Race { rules: rules.clone(), scores: Scores::default(), seat: 0, pot: 0, rolling: true }
    }
}

impl Notation<Race> for Pig {
    /// The word of an action, as it stands in records. Different actions of one position need different words. Outcomes
    /// have the default: what `{:?}` prints.
    fn write_action(&self, _: &Race, choice: Choice) -> String {
        format!("{choice:?}").to_lowercase()
    }
}

impl Drawing<Race> for Pig {
    /// The position as text: a bar per seat. A game may also draw itself as SVG (`fn svg`).
    fn text(&self, race: &Race, _colour: bool) -> Option<String> {
        let line = |seat| {
            let score = race.scores[seat];
            let bar = "#".repeat((40 * score / race.target()) as usize);
            let pot = if seat == race.seat { format!("  pot {}", race.pot) } else { String::new() };
            format!("player {}  |{bar:.<40}| {score} of {}{pot}\n", seat + 1, race.target())
        };
        Some((0..race.rules.seats).map(line).collect())
    }
}

fn main() -> ExitCode {
    evouct::registry::add_game::<Pig>();
    evouct::cli::main()
}
