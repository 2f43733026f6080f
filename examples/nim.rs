//! A game of your own without chance: Nim, playable by every kind of player and every command of evouct.
//!
//!     cargo run --release --example nim -- run examples/nim.toml
//!     cargo run --release --example nim -- play --game nim -1 mcts -2 siea-mcts --show
//!
//! Two seats take objects from heaps in turn, as many as they like from one heap, at least one. The seat that takes the
//! last object wins. The kind `one-ply` plays perfectly here, by the number `even`.
//!
//! `evouct new NAME --of game` writes this file as a crate to start from. `impl Game` is what search needs: positions,
//! actions, scores. `impl Domain` is what leagues, records and reports need: a name, rules from files, the start. `main`
//! registers the game and hands over to the command line. A game with dice or cards also says what chance may do, and a
//! game can count what happens in it: `examples/own_game.rs` shows both.

use evouct::domain::{Domain, Drawing, MoveNumber, Notation, ScoreLead};
use evouct::game::{Game, Scores, StreamDeck, Turn, Uniform};
use evouct::parameter::Values;
use std::process::ExitCode;

const MOST_HEAPS: usize = 6;

// The options of the rules: the keys of `[rules]` in an experiment file, and of `--rule` on the command line.
// `recorded = true` writes an option into every record, even at its default: then a later change of the default cannot
// change the meaning of old records.
evouct::parameters! {
    /// The rules of Nim.
    pub struct NimRules {
        /// Heaps: they have 1, 3, 5 … objects.
        heaps: usize = 4, values = Values::Count(2, MOST_HEAPS as u64), recorded = true;
    }
}

/// What a seat decides: so many objects from the heap of this index.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Take {
    heap: u8,
    count: u8,
}

/// A position. Search copies positions all the time: they should be small, without allocations.
#[derive(Clone)]
pub struct Heaps {
    objects: [u8; MOST_HEAPS],
    /// The seat whose turn it is.
    seat: usize,
}

impl Heaps {
    fn is_over(&self) -> bool {
        self.objects == [0; MOST_HEAPS]
    }
}

impl Game for Heaps {
    type Action = Take;
    /// Chance decides nothing.
    type Outcome = ();
    type Deck = StreamDeck;

    fn seats(&self) -> usize {
        2
    }

    fn turn(&self) -> Turn {
        if self.is_over() { Turn::Terminal } else { Turn::Player(self.seat) }
    }

    fn outcomes(&self, outcomes: &mut Vec<((), u32)>) {
        outcomes.clear();
    }

    fn apply(&mut self, (): ()) {}

    /// The legal actions, always in the same order.
    fn actions(&self, actions: &mut Vec<Take>) {
        actions.clear();
        for (heap, objects) in (0..).zip(self.objects) {
            actions.extend((1..=objects).map(|count| Take { heap, count }));
        }
    }

    fn play(&mut self, take: Take) {
        self.objects[usize::from(take.heap)] -= take.count;
        self.seat = 1 - self.seat;
    }

    /// 1 for the seat that took the last object: the other one would be next.
    fn scores(&self) -> Scores {
        let mut scores = Scores::default();
        scores[1 - self.seat] = i32::from(self.is_over());
        scores
    }

    /// Some rewards are scaled by the highest score. Leave this out if your game knows none: those rewards are then
    /// refused.
    fn max_score(&self) -> Option<i32> {
        Some(1)
    }
}

/// The name of the game as a type. It has no content.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Nim;

impl Domain for Nim {
    type Game = Heaps;
    type Rules = NimRules;
    /// Random playouts, and *-minimax by the lead in points: both serve any game.
    type Playout = Uniform;
    type Evaluation = ScoreLead;
    type Metrics = ();

    const NAME: &'static str = "nim";
    const ABOUT: &'static str = "Nim, in which the last object wins";
    const POINT: &'static str = "a game won";
    const NOTATION: &'static dyn Notation<Heaps> = &Nim;
    const DRAWING: &'static dyn Drawing<Heaps> = &Nim;
    /// Numbers of an action before it is played. Formulas know them by these names.
    const MOVE_NUMBERS: &'static [MoveNumber<Heaps>] = &[MoveNumber::new(
        "even",
        "1 if the heaps after the move have the nim-sum 0, so that the other seat loses against perfect play",
        |heaps, take, after| {
            after.clone_from(heaps);
            after.play(take);
            f64::from(u8::from(after.objects.iter().fold(0, |sum, objects| sum ^ objects) == 0))
        },
    )];

    fn start(rules: &NimRules) -> Heaps {
        let mut objects = [0; MOST_HEAPS];
        (0..rules.heaps).for_each(|heap| objects[heap] = 2 * heap as u8 + 1);
        Heaps { objects, seat: 0 }
    }
}

impl Notation<Heaps> for Nim {
    /// The word of an action, as it stands in records: `3from2` takes three objects from the second heap. Different
    /// actions of one position need different words.
    fn write_action(&self, _: &Heaps, take: Take) -> String {
        format!("{}from{}", take.count, take.heap + 1)
    }
}

impl Drawing<Heaps> for Nim {
    /// The position as text: a line per heap.
    fn text(&self, heaps: &Heaps, _colour: bool) -> Option<String> {
        let line = |(number, objects): (usize, &u8)| format!("{number}  {}\n", "o".repeat((*objects).into()));
        Some((1..).zip(&heaps.objects).map(line).collect())
    }
}

fn main() -> ExitCode {
    evouct::registry::add_game::<Nim>();
    evouct::cli::main()
}

#[cfg(test)]
mod tests {
    use super::{Nim, NimRules};
    use evouct::parameter::{Parameters, Preset};

    #[test]
    fn the_game_keeps_its_contracts() {
        let (game, rules) = (evouct::registry::add_game::<Nim>(), NimRules::defaults(Preset::default()));
        evouct::domain::check_domain(game, &rules, evouct::seed::Key::experiment(1), 3).unwrap();
    }
}
