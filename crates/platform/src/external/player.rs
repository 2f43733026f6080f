//! The player that is another program.

use super::answer::answer;
use super::idle::Program;
use super::lines::MAX_LINE;
use super::process::Process;
use super::ready::ready;
use crate::domain::{Fault, FaultReason, OutsidePlayer, TimeLeft, TurnInNotation};
use evouct_base::parameter::Words;
use evouct_base::sampling::below;
use evouct_base::seed::Key;
use std::fmt;
use std::time::Duration;

/// The version of the protocol.
pub(super) const VERSION: &str = "1";

/// Seeds are below this number, which the numbers of every language hold.
const SEEDS: usize = 1 << 53;

/// What a program is told with `go`.
#[derive(Clone, Copy, PartialEq, Debug)]
pub enum Go {
    /// Nothing: it decides by itself how long it thinks.
    Free,
    /// So many iterations.
    Iterations(u64),
    /// So many seconds.
    Seconds(f64),
}

/// How a program plays.
#[derive(Clone, PartialEq, Debug)]
pub struct ExternalSettings {
    /// Its command.
    pub command: Words,
    /// What it is told of its budget.
    pub go: Go,
    /// How long it may take for a move, whatever a clock says.
    pub limit: Duration,
    /// How long it may take to say that it is ready.
    pub start_limit: Duration,
    /// Whether it plays one game only.
    pub once: bool,
    /// Whether it promises to play the same moves again when it is told the same.
    pub deterministic: bool,
}

/// A player of one game that is another program, spoken to by the protocol of
/// `docs/reference/protocol.md`. It has a program from the first turn of its seat on, and gives it back for another game
/// when it is dropped.
#[derive(Debug)]
pub struct External {
    settings: ExternalSettings,
    seed: usize,
    program: Option<Program>,
}

impl External {
    /// A player for one game. The program is given a seed made from the key.
    pub fn new(settings: ExternalSettings, key: Key) -> External {
        External { settings, seed: below(&mut key.stream(), SEEDS), program: None }
    }

    /// A program that was told the game.
    fn begin(&self, turn: &TurnInNotation) -> Result<Program, Fault> {
        let mut program = ready(&self.settings)?;
        let TurnInNotation { game, rules, seats, seat, .. } = turn;
        let process = program.process();
        process.send(&format!("newgame {game} seats={seats} seat={} seed={}", seat + 1, self.seed));
        process.send(&line("rules", rules));
        Ok(program)
    }

    /// Lets the program choose one of the legal moves: its place in their list.
    fn ask(&self, process: &mut Process, turn: &TurnInNotation) -> Result<usize, Fault> {
        let drawn = turn.drawn.iter().map(|drawn| line("drawn", drawn));
        let legal = line("legal", &turn.legal.join(" "));
        for line in [line("position", &turn.moves)].into_iter().chain(drawn).chain([legal]) {
            assert!(line.len() <= MAX_LINE, "a line of {} bytes is too long for the protocol", line.len());
            process.send(&line);
        }
        // After `go`, a line that was written before it cannot be told from the answer.
        process.check_silent()?;
        process.send(&(self.settings.go.to_string() + &turn.time.map_or(String::new(), on_clock)));
        let clock = turn.time.map(|time| time.limit()).filter(|clock| *clock < self.settings.limit);
        let limit = clock.unwrap_or(self.settings.limit);
        let word = answer(process, "go", limit, "move and a legal move", |line| {
            line.strip_prefix("move ").map(|word| word.trim().to_owned())
        });
        let word = word.map_err(|fault| match fault.reason {
            FaultReason::NoAnswer if clock.is_some() => Fault { reason: FaultReason::OutOfTime, ..fault },
            _ => fault,
        })?;
        let place = turn.legal.iter().position(|legal| *legal == word);
        place.ok_or_else(|| Fault::new(FaultReason::IllegalMove, format!("its move \"{word:.60}\" is not legal")))
    }
}

impl fmt::Display for Go {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Go::Free => f.write_str("go"),
            Go::Iterations(iterations) => write!(f, "go iterations {iterations}"),
            Go::Seconds(seconds) => write!(f, "go seconds {seconds}"),
        }
    }
}

/// What follows `go` in a game with a clock.
fn on_clock(time: TimeLeft) -> String {
    format!(" left {:.3} increment {}", time.left.as_secs_f64(), time.increment.as_secs_f64())
}

/// A word and what follows it.
fn line(word: &str, rest: &str) -> String {
    format!("{word} {rest}").trim_end().to_owned()
}

impl OutsidePlayer for External {
    fn prepare(&mut self, turn: &TurnInNotation) -> Result<(), Fault> {
        if self.program.is_none() {
            self.program = Some(self.begin(turn)?);
        }
        Ok(())
    }

    fn choose(&mut self, turn: &TurnInNotation) -> Result<usize, Fault> {
        let mut program = match self.program.take() {
            Some(program) => program,
            None => self.begin(turn)?,
        };
        let place = self.ask(program.process(), turn).inspect_err(|_| program.kill())?;
        self.program = Some(program);
        Ok(place)
    }

    fn settings(&self) -> String {
        format!("{:?}", self.settings)
    }
}
