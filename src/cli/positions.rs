//! `evouct positions`: the decisions of players in recorded positions, and their cost.

use super::Outcome;
use crate::carcassonne::{Carcassonne, Deck, ImportedGame, PlayedTurn, State, write_turn};
use crate::clock::ThreadClock;
use crate::domain::{Domain, GameRules, Spec};
use crate::error::Failure;
use crate::parameter::Preset;
use crate::player::Position;
use crate::record::read_lines;
use crate::registry;
use crate::sampling::shuffle;
use crate::search::Clock;
use crate::seed::Key;
use clap::Args;
use std::io::Write;
use std::path::PathBuf;

#[derive(Args)]
pub(super) struct Arguments {
    /// Recorded positions (JSON lines, also .gz and .zst); the players place the tile of the last turn
    file: PathBuf,
    /// Player: `kind` or `kind:key=value,key=value`; repeatable, the first is the baseline
    #[arg(short, long = "player", required = true, value_name = "PLAYER")]
    players: Vec<String>,
    /// Preset of the players: text or reference
    #[arg(long, default_value = "text", value_parser = super::experiment_args::preset)]
    preset: Preset,
    /// Seed of the players
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// Print one line of JSON per position and player
    #[arg(long)]
    json: bool,
}

/// A decision in a position.
struct Decided {
    play: String,
    value: f64,
    nodes: u64,
    playouts: u64,
    milliseconds: f64,
}

pub(super) fn run(arguments: &Arguments, out: &mut dyn Write) -> Outcome {
    let specs: Vec<Spec> = arguments
        .players
        .iter()
        .map(|text| registry::spec(text, arguments.preset).map_err(|error| Failure::Usage(format!("{text}: {error}"))))
        .collect::<Result<_, _>>()?;
    let positions = read(arguments)?;
    for (spec, text) in specs.iter().zip(&arguments.players) {
        for state in &positions {
            let rules = GameRules::resolve(spec.domain(), &state.rules().options());
            let rules = rules.map_err(|mut errors| Failure::usage(errors.swap_remove(0)))?;
            spec.check_rules(&rules).map_err(|error| Failure::Usage(format!("{text}: {error}")))?;
        }
    }
    let mut decided: Vec<Vec<Decided>> = Vec::new();
    for (spec, text) in specs.iter().zip(&arguments.players) {
        let mut row = Vec::new();
        for (number, state) in positions.iter().enumerate() {
            let decision = decide(spec, state, Key::experiment(arguments.seed).deck(number as u32 + 1));
            if arguments.json {
                let json = serde_json::json!({
                    "position": number + 1,
                    "player": text,
                    "play": decision.play,
                    "value": decision.value,
                    "nodes": decision.nodes,
                    "playouts": decision.playouts,
                    "milliseconds": decision.milliseconds,
                });
                writeln!(out, "{json}")?;
            }
            row.push(decision);
        }
        decided.push(row);
    }
    if !arguments.json {
        table(arguments, &decided, out)?;
    }
    Ok(())
}

fn table(arguments: &Arguments, decided: &[Vec<Decided>], out: &mut dyn Write) -> Outcome {
    let count = decided[0].len() as f64;
    let mean = |row: &[Decided], of: fn(&Decided) -> f64| row.iter().map(of).sum::<f64>() / count;
    let first = [mean(&decided[0], |one| one.nodes as f64), mean(&decided[0], |one| one.milliseconds)];
    writeln!(out, "means over {count} positions; gain and other values relative to the first player")?;
    let width = arguments.players.iter().map(|text| text.chars().count()).max().unwrap_or(0).max(6);
    writeln!(
        out,
        "{:<width$}  {:>13}  {:>7}  {:>10}  {:>7}  {:>9}  other values",
        "player", "nodes", "gain", "ms", "gain", "playouts"
    )?;
    for (text, row) in arguments.players.iter().zip(decided) {
        let [nodes, time] = [mean(row, |one| one.nodes as f64), mean(row, |one| one.milliseconds)];
        let other = row.iter().zip(&decided[0]).filter(|(a, b)| (a.value - b.value).abs() > 1e-6).count();
        let gain =
            |value: f64, of: f64| if of > 0.0 { format!("{:.1} %", 100.0 * (1.0 - value / of)) } else { "-".into() };
        writeln!(
            out,
            "{text:<width$}  {nodes:>13.1}  {:>7}  {time:>10.3}  {:>7}  {:>9.0}  {other:>12}",
            gain(nodes, first[0]),
            gain(time, first[1]),
            mean(row, |one| one.playouts as f64),
        )?;
    }
    Ok(())
}

fn read(arguments: &Arguments) -> Result<Vec<State>, Failure> {
    let file = arguments.file.display();
    let mut positions = Vec::new();
    for (number, line) in read_lines(&arguments.file).map_err(Failure::usage)?.enumerate() {
        let line = line.map_err(Failure::usage)?;
        if line.trim().is_empty() {
            continue;
        }
        let at = number + 1;
        let recording: ImportedGame = serde_json::from_str(&line)
            .map_err(|error| Failure::Usage(format!("{file}:{at}: not a recorded position: {error}")))?;
        positions.push(recording.position().map_err(|error| Failure::Usage(format!("{file}:{at}: {error}")))?);
    }
    if positions.is_empty() {
        return Err(Failure::Usage(format!("{file}: the file has no positions")));
    }
    Ok(positions)
}

fn decide(spec: &Spec, state: &State, key: Key) -> Decided {
    let clock = ThreadClock::start();
    // A deck for players that are configured to see it.
    let mut tiles: Vec<_> = state.remaining().collect();
    shuffle(&mut key.stream(), &mut tiles);
    let deck = Deck::in_order(&tiles, key);
    let turns_left = Carcassonne::turns_left(state);
    let position = Position { state, deck: &deck, turns_left, clock: &clock, explain: true };
    let mut player = registry::player::<Carcassonne>(spec, key.seat(state.player()));
    let started = clock.now();
    let decision = player.decide(&position);
    let milliseconds = 1e3 * (clock.now() - started).as_secs_f64();
    let child = decision.considered.iter().find(|child| child.action == decision.action);
    let play = state.hand().map(|tile| write_turn(&PlayedTurn { tile, action: decision.action }, state.rules().tiles));
    Decided {
        play: play.unwrap_or_default(),
        value: child.map_or(f64::NAN, |child| child.mean),
        nodes: decision.nodes,
        playouts: decision.playouts,
        milliseconds,
    }
}
