//! A player of evouct for other programs: the player's side of the protocol.

use super::lines::{InputLine, MAX_LINE, read_line, skip_line};
use super::player::VERSION;
use crate::clock::WallClock;
use crate::domain::{AnyDomain, AnyFollower, AnyKinds, ColumnInfo, GameRules, Spec, TimeLeft, seats_option};
use evouct_base::panic::catch;
use evouct_base::parameter::{Preset, Raw};
use evouct_base::seed::Key;
use evouct_base::suggest::nearest;
use std::io::{self, BufRead, Write};
use std::time::Duration;

/// The words with which a line begins.
const WORDS: [&str; 8] = ["evouct", "newgame", "rules", "position", "drawn", "legal", "go", "quit"];

/// Parameters that limit a search. A budget that comes with `go` replaces all that a player has.
const BUDGETS: [&str; 4] = ["iterations", "nodes", "time_per_move", "time_per_game"];

/// A player that answers lines of the protocol.
pub struct Engine {
    domain: &'static dyn AnyDomain,
    player: Spec,
    preset: Preset,
    seed: Option<u64>,
    clock: WallClock,
    game: Option<Game>,
}

/// The game that is played.
struct Game {
    rules: GameRules,
    seats: usize,
    seat: usize,
    key: Key,
    moves: String,
    drawn: Option<String>,
    follower: Box<dyn AnyFollower>,
    /// The budget of the player that sits, and how many players sat before it.
    seated: Option<(Option<Budget>, u32)>,
}

/// The part of a clock that a player keeps in reserve: lines take time, too.
const RESERVE: Duration = Duration::from_millis(100);

/// A budget as `go` gives it.
#[derive(Clone, PartialEq, Debug)]
enum Budget {
    /// A parameter and its value.
    Parameter(&'static str, String),
    /// What the clock leaves.
    Clock,
}

impl Engine {
    /// An engine for a player of this game, whose defaults are those of the preset. `seed` replaces the seeds of
    /// `newgame`.
    ///
    /// # Errors
    /// If the player is no player of evouct itself, if it cannot play without knowing what is to come, or if its game
    /// scores what searches leave behind.
    pub fn new(
        domain: &'static dyn AnyDomain,
        player: Spec,
        seed: Option<u64>,
        preset: Preset,
    ) -> Result<Engine, String> {
        if player.sees_deck() {
            return Err(format!(
                "{}: the player sees what chance brings, which the protocol does not tell",
                player.kind().name
            ));
        }
        if player.kind().is_outside() {
            let name = player.kind().name;
            return Err(format!(
                "{name}: the player is a program or a person; expected a kind that evouct plays itself"
            ));
        }
        speaks(domain.name(), domain.trace_columns())?;
        Ok(Engine { domain, player, preset, seed, clock: WallClock::start(), game: None })
    }

    /// Answers lines until `quit` or the end of the input. A line that is wrong is answered by one line `error …`.
    ///
    /// # Errors
    /// If the input cannot be read or the output cannot be written.
    pub fn speak(&mut self, input: &mut impl BufRead, out: &mut dyn Write) -> io::Result<()> {
        loop {
            let answer = match read_line(input)? {
                InputLine::End => return Ok(()),
                InputLine::Text(line) if line.trim() == "quit" => return Ok(()),
                InputLine::Text(line) => self.answer(line.trim()),
                InputLine::TooLong => {
                    skip_line(input)?;
                    Err(format!("a line has at most {MAX_LINE} bytes"))
                }
                InputLine::NotText => Err("a line is not text in UTF-8".to_owned()),
            };
            match answer {
                Ok(lines) => lines.iter().try_for_each(|line| writeln!(out, "{line}"))?,
                Err(problem) => writeln!(out, "error {}", problem.replace(['\n', '\r'], " "))?,
            }
            out.flush()?;
        }
    }

    /// The lines that answer a line.
    fn answer(&mut self, line: &str) -> Result<Vec<String>, String> {
        let (word, rest) = line.split_once(' ').unwrap_or((line, ""));
        match word {
            "evouct" if rest == VERSION => {
                let name = self.player.default_name();
                Ok(vec![format!("id name evouct {} {name}", env!("CARGO_PKG_VERSION")), "ready".to_owned()])
            }
            "evouct" => Err(format!("evouct {rest:.20}: expected version {VERSION} of the protocol")),
            "newgame" => self.new_game(rest).map(|()| Vec::new()),
            "rules" => self.set_rules(rest).map(|()| Vec::new()),
            "position" => {
                let game = self.game()?;
                game.follower.go_to(rest, None).map_err(|problem| format!("position: {problem}"))?;
                (game.moves, game.drawn) = (rest.to_owned(), None);
                Ok(Vec::new())
            }
            "drawn" => {
                let game = self.game()?;
                game.follower.go_to(&game.moves, Some(rest)).map_err(|problem| format!("drawn: {problem}"))?;
                game.drawn = Some(rest.to_owned());
                Ok(Vec::new())
            }
            // The engine knows the rules. An empty line says nothing.
            "legal" | "" => Ok(Vec::new()),
            "go" => self.go(rest).map(|play| vec![format!("move {play}")]),
            _ => {
                let near = nearest(word, WORDS).map(|near| format!("did you mean {near}?"));
                Err(format!("\"{word:.40}\": {}", near.unwrap_or_else(|| format!("expected {}", WORDS.join(" | ")))))
            }
        }
    }

    fn game(&mut self) -> Result<&mut Game, String> {
        self.game.as_mut().ok_or_else(|| "no game: newgame comes first".to_owned())
    }

    /// `newgame GAME seats=N seat=K seed=S`.
    fn new_game(&mut self, rest: &str) -> Result<(), String> {
        let mut words = rest.split_whitespace();
        let (domain, name) = (self.domain, words.next().unwrap_or_default());
        if name != domain.name() {
            return Err(format!("newgame: this engine plays {}, found {name:.40}", domain.name()));
        }
        let (mut seats, mut seat, mut seed) = (2, 1, 0);
        for word in words {
            let (key, value) = word.split_once('=').unwrap_or((word, ""));
            let number: Result<u64, _> = value.parse();
            let wrong = |expected: &str| format!("newgame: {word:.40}: expected {expected}");
            match (key, number) {
                ("seats", Ok(number @ 1..=6)) => seats = number as usize,
                ("seat", Ok(number @ 1..=6)) => seat = number as usize,
                ("seed", Ok(number)) => seed = number,
                ("seats" | "seat", _) => return Err(wrong("a whole number from 1 to 6")),
                ("seed", _) => return Err(wrong("a whole number")),
                _ => return Err(wrong("seats=N, seat=N or seed=N")),
            }
        }
        if seat > seats {
            return Err(format!("newgame: seat {seat} of {seats} seats"));
        }
        let given = seats_option(domain).map(|key| (key.to_owned(), Raw::Integer(seats as i64)));
        let given: Vec<(String, Raw)> = given.into_iter().collect();
        let key = Key::experiment(self.seed.unwrap_or(seed)).seat(seat - 1);
        self.game = Some(self.game_by(&given, seats, seat - 1, key)?);
        Ok(())
    }

    /// `rules KEY=VALUE KEY=VALUE …`; options that are not named have their defaults.
    fn set_rules(&mut self, rest: &str) -> Result<(), String> {
        let game = self.game()?;
        let (seats, seat, key) = (game.seats, game.seat, game.key);
        let mut given = Vec::new();
        for word in rest.split_whitespace() {
            let (key, value) = word.split_once('=').ok_or_else(|| format!("rules: {word:.40}: expected key=value"))?;
            given.push((key.to_owned(), Raw::Text(value.to_owned())));
        }
        self.game = Some(self.game_by(&given, seats, seat, key)?);
        Ok(())
    }

    /// A game at its start.
    fn game_by(&self, given: &[(String, Raw)], seats: usize, seat: usize, key: Key) -> Result<Game, String> {
        let domain = self.domain;
        let rules = GameRules::resolve(domain, given).map_err(|mut errors| errors.swap_remove(0).to_string())?;
        if rules.seats() != seats {
            return Err(format!("{} has {} seats by these rules, expected {seats}", domain.name(), rules.seats()));
        }
        rules.check_player(&self.player).map_err(|error| error.to_string())?;
        let follower = domain.follow(rules.options().values());
        Ok(Game { rules, seats, seat, key, moves: String::new(), drawn: None, follower, seated: None })
    }

    /// `go`, `go iterations N` or `go seconds S`, and after each of them `left S increment S` in a game with a clock.
    fn go(&mut self, rest: &str) -> Result<String, String> {
        let (budget, time) = budget(rest)?;
        let player = self.player.clone();
        let clock = &self.clock;
        let game = self.game.as_mut().ok_or("no game: newgame comes first")?;
        match game.follower.seat() {
            None if game.drawn.is_none() => return Err("go: no seat is to play; expected drawn".to_owned()),
            None => return Err("go: no seat is to play".to_owned()),
            Some(seat) if seat != game.seat => {
                return Err(format!("go: seat {} is to play, this engine has seat {}", seat + 1, game.seat + 1));
            }
            Some(_) => {}
        }
        let before = game.seated.as_ref().map(|(budget, count)| (budget.as_ref(), *count));
        if before.is_none_or(|(seated, _)| seated != budget.as_ref()) {
            let count = before.map_or(0, |(_, count)| count + 1);
            let player = budget
                .as_ref()
                .map_or(Ok(player.clone()), |budget| with_budget(self.domain, &player, budget, self.preset))?;
            game.rules.check_player(&player).map_err(|error| error.to_string())?;
            let key = if count == 0 { game.key } else { game.key.nth(count) };
            catch(|| game.follower.sit(&player, key)).map_err(|message| format!("the player panicked: {message}"))?;
            game.seated = Some((budget, count));
        }
        let decided = catch(|| game.follower.decide(clock, time));
        let decided = decided.map_err(|message| format!("the player panicked: {message}"))?;
        decided.ok_or_else(|| "go: no seat is to play".to_owned())
    }
}

/// Refuses games whose scores are not made by moves alone.
///
/// # Errors
/// That the protocol does not serve this game.
pub fn speaks(game: &str, traces: &[ColumnInfo]) -> Result<(), String> {
    match traces {
        [] => Ok(()),
        _ => Err(format!("{game}: the game scores searches, of which the line protocol tells nothing")),
    }
}

/// The budget that `go` gives, and what it tells of the clock.
fn budget(rest: &str) -> Result<(Option<Budget>, Option<TimeLeft>), String> {
    let words: Vec<&str> = rest.split_whitespace().collect();
    let wrong = || {
        format!("go {rest:.60}: expected go, go iterations N or go seconds S, with left S increment S under a clock")
    };
    let seconds = |word: &str| {
        let seconds = word.parse().ok().and_then(|seconds| Duration::try_from_secs_f64(seconds).ok());
        seconds.ok_or_else(wrong)
    };
    let (words, time) = match words[..] {
        [ref before @ .., "left", left, "increment", increment] => {
            let (left, increment) = (seconds(left)?, seconds(increment)?);
            (before, Some(TimeLeft { left, increment, margin: RESERVE }))
        }
        ref all => (all, None),
    };
    let budget = match *words {
        [] => time.map(|_| Budget::Clock),
        ["iterations", number] if number.parse::<u64>().is_ok_and(|number| number > 0) => {
            Some(Budget::Parameter("iterations", number.to_owned()))
        }
        ["seconds", number] if number.parse::<f64>().is_ok_and(|number| number > 0.0) => {
            Some(Budget::Parameter("time_per_move", number.to_owned()))
        }
        _ => return Err(wrong()),
    };
    Ok((budget, time))
}

/// The player with this budget; as it is, if its kind has no such parameter.
fn with_budget(domain: &dyn AnyKinds, player: &Spec, budget: &Budget, preset: Preset) -> Result<Spec, String> {
    let Budget::Parameter(name, value) = budget else { return Ok(player.under_clock()) };
    if !player.kind().table.iter().any(|row| row.name == *name) {
        return Ok(player.clone());
    }
    let kept = player.parameters().given().filter(|(row, _)| !BUDGETS.contains(&row.name));
    let mut given: Vec<(String, Raw)> =
        kept.map(|(row, value)| (row.name.to_owned(), Raw::Text(value.to_string()))).collect();
    given.push(((*name).to_owned(), Raw::Text(value.clone())));
    let spec = Spec::resolve(domain, player.kind().name, &given, preset);
    spec.map_err(|mut errors| format!("go: {}", errors.swap_remove(0)))
}
