//! `evouct positions`: the decisions of players in recorded positions, and their cost, beside printed numbers.

use super::form::TableArgs;
use super::play_args::ThreadArgs;
use super::{Outcome, output_file};
use crate::carcassonne::{Carcassonne, ImportedGame, PositionDecision, State, decide};
use crate::clock::ThreadClock;
use crate::config::{Experiment, Overrides, PaperPositions, Verdict};
use crate::domain::{Domain, GameRules, Spec};
use crate::error::Failure;
use crate::named::Named;
use crate::parameter::Preset;
use crate::plural::counted;
use crate::registry;
use crate::report::page::PageFigure;
use crate::report::{Format, printed};
use crate::seed::Key;
use crate::stats::{Summary, t_test};
use crate::store::read_lines;
use crate::table::{Cell, Digits, Table, Width};
use clap::Args;
use std::io::Write;
use std::path::{Path, PathBuf};

#[derive(Args)]
pub(super) struct Arguments {
    /// Recorded positions (JSON lines, also .gz and .zst), where the players place the tile of the last turn; or an
    /// experiment (.toml) with a key `positions`, whose players and printed numbers are used
    file: PathBuf,
    /// Player: `kind` or `kind:key=value,key=value`; repeatable, the first is the baseline
    #[arg(short, long = "player", value_name = "PLAYER")]
    players: Vec<String>,
    /// Preset of the players: as-printed or reference [default: as-printed, or that of the experiment]
    #[arg(long, value_parser = super::experiment_args::preset)]
    preset: Option<Preset>,
    /// Seed of the players
    #[arg(long, default_value_t = 1)]
    seed: u64,
    #[command(flatten)]
    threads: ThreadArgs,
    /// Write charts of nodes and of time by position, and their data, to this folder
    #[arg(long, value_name = "DIR")]
    svg: Option<PathBuf>,
    #[command(flatten)]
    form: TableArgs,
}

/// What is compared: players by name in positions, and what is printed of them.
struct Comparison {
    players: Vec<(String, Spec)>,
    positions: Vec<(usize, State)>,
    printed: Vec<PaperPositions>,
}

pub(super) fn run(arguments: &Arguments, out: &mut dyn Write) -> Outcome {
    let Comparison { players, positions, printed } = Comparison::of(arguments)?;
    let carcassonne = registry::game(<Carcassonne>::NAME).map_err(Failure::Usage)?;
    for (name, spec) in &players {
        if spec.kind().is_outside() {
            let kind = spec.kind().name;
            let problem = format!("{name}: the kind {kind} plays games and decides no single positions");
            return Err(Failure::Usage(problem));
        }
        for (_, state) in &positions {
            let rules = GameRules::resolve(carcassonne, &state.rules().options());
            let rules = rules.map_err(|mut errors| Failure::usage(errors.swap_remove(0)))?;
            rules.check_player(spec).map_err(|error| Failure::Usage(format!("{name}: {error}")))?;
        }
    }
    let threads = arguments.threads.granted(u64::MAX);
    let format = arguments.form.of_tables();
    let mut decided: Vec<(String, Vec<PositionDecision>)> = Vec::new();
    for (name, spec) in &players {
        let mut row = Vec::new();
        for (number, state) in &positions {
            let key = Key::experiment(arguments.seed).deck(*number as u32);
            let decision = decide(spec, state, key, threads, &ThreadClock::start());
            if format.is_none() {
                let json = serde_json::json!({
                    "position": number,
                    "player": name,
                    "play": decision.play,
                    "value": decision.value,
                    "nodes": decision.nodes,
                    "playouts": decision.playouts,
                    "milliseconds": 1e3 * decision.seconds,
                });
                writeln!(out, "{json}")?;
            }
            row.push(decision);
        }
        decided.push((name.clone(), row));
    }
    if let Some(folder) = &arguments.svg {
        let numbers: Vec<usize> = positions.iter().map(|(number, _)| *number).collect();
        output_file::write_figures(folder, charts(&numbers, &decided))?;
    }
    let Some(format) = format else { return Ok(()) };
    let title = format!(
        "means over {}; gain and other values relative to the first player",
        counted(positions.len(), "position")
    );
    write!(out, "{}", table(&title, &decided, format))?;
    if !printed.is_empty() {
        let title = "printed numbers beside ours; the unit is the position";
        if arguments.form.is_text() {
            writeln!(out)?;
        }
        write!(out, "{}", printed_beside(title, &printed, &decided, format))?;
    }
    Ok(())
}

impl Comparison {
    fn of(arguments: &Arguments) -> Result<Comparison, Failure> {
        if arguments.file.extension().is_some_and(|ending| ending == "toml") {
            return Comparison::of_experiment(arguments);
        }
        if arguments.players.is_empty() {
            return Err(Failure::usage("no player is given; expected --player PLAYER or an experiment file"));
        }
        let preset = arguments.preset.unwrap_or(Preset::Text);
        let spec = |text: &String| match registry::spec(text, preset) {
            Ok(spec) => Ok((text.clone(), spec)),
            Err(error) => Err(Failure::Usage(format!("{text}: {error}"))),
        };
        let players = arguments.players.iter().map(spec).collect::<Result<_, _>>()?;
        Ok(Comparison { players, positions: read(&arguments.file)?, printed: Vec::new() })
    }

    /// The comparison that an experiment file describes.
    fn of_experiment(arguments: &Arguments) -> Result<Comparison, Failure> {
        let file = arguments.file.display();
        if !arguments.players.is_empty() {
            return Err(Failure::Usage(format!("{file} has players of its own; expected no --player")));
        }
        let overrides = Overrides { preset: arguments.preset, ..Overrides::default() };
        let experiment = Experiment::load(&arguments.file, overrides).map_err(Failure::usage)?;
        let Some(positions) = &experiment.positions else {
            return Err(Failure::Usage(format!("{file}: the key positions is missing, a file of recorded positions")));
        };
        let mut positions = read(&arguments.file.parent().unwrap_or(Path::new("")).join(positions))?;
        if let Some(only) = experiment.position {
            let count = positions.len();
            positions.retain(|(number, _)| *number == only as usize);
            if positions.is_empty() {
                return Err(Failure::Usage(format!("{file}: position = {only}, expected at most {count}")));
            }
        }
        Ok(Comparison {
            players: experiment.players.into_iter().map(|player| (player.name, player.spec)).collect(),
            positions,
            printed: experiment.paper.map(|paper| paper.positions).unwrap_or_default(),
        })
    }
}

fn nodes(row: &[PositionDecision]) -> Vec<f64> {
    row.iter().map(|one| one.nodes as f64).collect()
}

/// NaN without decisions.
fn mean(row: &[PositionDecision], of: impl Fn(&PositionDecision) -> f64) -> f64 {
    row.iter().map(of).collect::<Summary>().mean().unwrap_or(f64::NAN)
}

fn gain(value: f64, of: f64) -> Cell {
    if of > 0.0 { Cell::Share(1.0 - value / of, 1) } else { Cell::Missing }
}

fn table(title: &str, decided: &[(String, Vec<PositionDecision>)], format: Format) -> String {
    let (_, baseline) = &decided[0];
    let first = [mean(baseline, |one| one.nodes as f64), mean(baseline, |one| 1e3 * one.seconds)];
    let (nodes, time) = (|one: &PositionDecision| one.nodes as f64, |one: &PositionDecision| 1e3 * one.seconds);
    let others =
        |row: &[PositionDecision]| row.iter().zip(baseline).filter(|(a, b)| (a.value - b.value).abs() > 1e-6).count();
    let table = Table::of("positions", title, decided)
        .shown(Width::Narrow, "player", "player", |(name, _)| Cell::name(name))
        .shown(Width::Narrow, "nodes", "nodes", |(_, row)| Cell::rounded(mean(row, nodes), 1))
        .shown(Width::Narrow, "gain", "gain", |(_, row)| gain(mean(row, nodes), first[0]))
        .shown(Width::Narrow, "ms", "ms", |(_, row)| Cell::rounded(mean(row, time), 3))
        .shown(Width::Narrow, "gain-in-ms", "gain in ms", |(_, row)| gain(mean(row, time), first[1]))
        .shown(Width::Narrow, "playouts", "playouts", |(_, row)| Cell::rounded(mean(row, |one| one.playouts as f64), 0))
        .shown(Width::Narrow, "other", "other values", |(_, row)| Cell::count(others(row)));
    printed(table.table(), format)
}

/// Nodes and time by position, a line for each player (Heyden 2009, figures 6.5 and 6.6).
fn charts(numbers: &[usize], decided: &[(String, Vec<PositionDecision>)]) -> [PageFigure; 2] {
    let chart = |[name, caption, unit]: [&str; 3], of: fn(&PositionDecision) -> f64| {
        let points = |row: &Vec<PositionDecision>| {
            numbers.iter().zip(row).map(|(number, one)| (*number as f64, of(one))).collect::<Vec<_>>()
        };
        let lines: Vec<_> = decided.iter().map(|(name, row)| (name.clone(), points(row))).collect();
        PageFigure::of_lines([name, caption], ["position", unit], &lines)
    };
    [
        chart(["nodes", "Nodes of each decision.", "nodes"], |one| one.nodes as f64),
        chart(["milliseconds", "Milliseconds of each decision.", "ms"], |one| 1e3 * one.seconds),
    ]
}

/// Printed numbers beside ours, with verdicts on nodes and on the ratio of nodes to those of the first player. The unit
/// is the position. Times are of another machine and have no verdict.
fn printed_beside(
    title: &str,
    numbers: &[PaperPositions],
    decided: &[(String, Vec<PositionDecision>)],
    format: Format,
) -> String {
    let of = |name: &str| decided.iter().find(|(known, _)| known == name).map(|(_, row)| nodes(row));
    let (baseline, ours) = (&decided[0].0, nodes(&decided[0].1));
    let printed_baseline = numbers.iter().find(|row| row.player == *baseline).and_then(|row| row.nodes);
    let rows = numbers.iter().filter_map(|row| {
        let counts = of(&row.player)?;
        let p = row.nodes.and_then(|nodes| {
            t_test::further_mean(&Summary::of(&counts), nodes, counts.len() as u64).ok().map(|test| test.p)
        });
        let ratio = row.nodes.zip(printed_baseline).map(|(nodes, first)| nodes / first);
        let ratio = ratio.filter(|_| row.player != *baseline);
        let ratio_p = ratio.and_then(|ratio| t_test::ratio(&counts, &ours, ratio).ok().map(|test| test.p));
        Some((row, Summary::of(&counts).mean().unwrap_or(f64::NAN), p, ratio, ratio_p))
    });
    let verdict = |p: Option<f64>| Cell::word(Verdict::of(p).name());
    let first = Summary::of(&ours).mean().unwrap_or(f64::NAN);
    let table = Table::of("positions", title, rows)
        .shown(Width::Narrow, "player", "player", |(row, ..)| Cell::name(&row.player))
        .shown(Width::Narrow, "printed-nodes", "printed nodes", |(row, ..)| Cell::number(row.nodes, Digits::fixed(1)))
        .shown(Width::Narrow, "nodes", "nodes", |(_, mean, ..)| Cell::rounded(*mean, 1))
        .shown(Width::Narrow, "p", "p", |(_, _, p, ..)| Cell::p(*p))
        .shown(Width::Narrow, "verdict", "verdict", |(_, _, p, ..)| verdict(*p))
        .shown(Width::Narrow, "printed-gain", "printed gain", |row| Cell::maybe(row.3, |ratio| gain(ratio, 1.0)))
        .shown(Width::Narrow, "gain", "gain", |(_, mean, ..)| gain(*mean, first))
        .shown(Width::Narrow, "gain-p", "p of gain", |row| Cell::p(row.4))
        .shown(Width::Narrow, "gain-verdict", "verdict of gain", |row| verdict(row.4))
        .shown(Width::Narrow, "printed-ms", "printed ms", |(row, ..)| Cell::number(row.milliseconds, Digits::SHORTEST));
    printed(table.table(), format)
}

/// The positions of a file with their numbers, from 1.
fn read(path: &Path) -> Result<Vec<(usize, State)>, Failure> {
    let file = path.display();
    let mut positions = Vec::new();
    for (number, line) in read_lines(path).map_err(Failure::usage)?.enumerate() {
        let line = line.map_err(Failure::usage)?;
        if line.trim().is_empty() {
            continue;
        }
        let at = number + 1;
        let recording: ImportedGame = serde_json::from_str(&line)
            .map_err(|error| Failure::Usage(format!("{file}:{at}: not a recorded position: {error}")))?;
        let state = recording.position().map_err(|error| Failure::Usage(format!("{file}:{at}: {error}")))?;
        positions.push((positions.len() + 1, state));
    }
    if positions.is_empty() {
        return Err(Failure::Usage(format!("{file}: the file has no positions")));
    }
    Ok(positions)
}
