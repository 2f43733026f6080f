//! `evouct play`: one game between any players, watched or not.

use super::Outcome;
use clap::Args;
use evouct::carcassonne::{BoardText, Rules, State, Unplaceable, write_turn};
use evouct::clock::WallClock;
use evouct::config::Log;
use evouct::error::Failure;
use evouct::league::{GameInProgress, GameSetup};
use evouct::player::{Preset, Spec};
use std::io::Write;

#[derive(Args)]
pub(super) struct Arguments {
    /// Player 1: a kind, or kind:key=value,key=value
    #[arg(short = '1', long = "first", value_name = "PLAYER", default_value = "siea-mcts")]
    first: String,
    /// Player 2
    #[arg(short = '2', long = "second", value_name = "PLAYER", default_value = "mcts")]
    second: String,
    /// Player 3, 4 and 5, where there are more than two
    #[arg(short = '3', value_name = "PLAYER")]
    third: Option<String>,
    #[arg(short = '4', value_name = "PLAYER", requires = "third", hide = true)]
    fourth: Option<String>,
    #[arg(short = '5', value_name = "PLAYER", requires = "fourth", hide = true)]
    fifth: Option<String>,
    /// The seed, as in an experiment
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// The deck's number, as in an experiment
    #[arg(long, default_value_t = 1)]
    deck: u32,
    /// Defaults of the players: text or reference
    #[arg(long, default_value = "text", value_parser = super::experiment_args::preset)]
    preset: Preset,
    /// Show the board after every turn
    #[arg(long)]
    show: bool,
    /// Colours: auto, always or never
    #[arg(long, default_value = "auto", value_parser = ["auto", "always", "never"])]
    color: String,
    /// Points of a complete city of two tiles
    #[arg(long, default_value_t = 4, value_parser = clap::value_parser!(u8).range(2..=4))]
    two_tile_city: u8,
    /// What becomes of a tile that fits nowhere
    #[arg(long, default_value = "discard", value_parser = ["discard", "bottom", "return"])]
    unplaceable: String,
    /// Give this pair of players decks of its own, as `mirror = false` does
    #[arg(long)]
    no_mirror: bool,
    /// Which of several players described alike each one is, from 0
    #[arg(long, value_name = "N,N", value_delimiter = ',')]
    ordinals: Vec<u32>,
}

pub(super) fn run(arguments: &Arguments, out: &mut dyn Write) -> Outcome {
    let table = seat(arguments)?;
    let clock = WallClock::start();
    let mut players = table.players();
    let mut game = GameInProgress::new(&table, Log::Formulas);
    let colored = match arguments.color.as_str() {
        "always" => true,
        "never" => false,
        _ => std::io::IsTerminal::is_terminal(&std::io::stdout()) && std::env::var_os("NO_COLOR").is_none(),
    };
    let mut failure = None;
    while game.deal() {
        let seat = game.state().player();
        match game.take_turn(players[seat].as_mut(), &clock) {
            Ok(turn) => {
                let state = game.state();
                let line = write_turn(&turn, state.rules().tiles);
                let scores = scores(state);
                writeln!(out, "{:>2}  player {}  {line:<18} {scores}", state.turns().len(), seat + 1)?;
                if let Some(decision) = game.last_evolution() {
                    let log = &decision.log;
                    let fitness = log.fitness.last().map_or(String::new(), |fitness| format!(", fitness {fitness:.2}"));
                    writeln!(out, "    by {} ({} nodes{fitness})", log.formula, log.nodes)?;
                }
                if arguments.show {
                    writeln!(out, "\n{}", board(state, colored))?;
                }
                out.flush()?;
            }
            Err((_, message)) => {
                failure = Some(format!("player {}: {message}", seat + 1));
                break;
            }
        }
    }
    if !arguments.show {
        writeln!(out, "\n{}", board(game.state(), colored))?;
    }
    let played = game.finish(&table, "");
    for (seat, name) in played.record.run.players.iter().enumerate() {
        writeln!(
            out,
            "player {} ({name}): {} points, {}, {:.2} s",
            seat + 1,
            played.record.scores[seat],
            match played.record.nodes.get(seat) {
                Some(nodes) if *nodes > 0 => format!("{nodes} nodes"),
                _ => format!("{} playouts", played.record.playouts[seat]),
            },
            played.record.run.seconds[seat]
        )?;
    }
    match failure {
        Some(message) => Err(Failure::Failed(message)),
        None => Ok(()),
    }
}

fn board(state: &State, colored: bool) -> String {
    if colored { BoardText::coloured(state).to_string() } else { BoardText::plain(state).to_string() }
}

fn scores(state: &State) -> String {
    let seats = usize::from(state.rules().seats);
    let join = |scores: &[u16]| scores.iter().map(u16::to_string).collect::<Vec<_>>().join("-");
    format!("{} (virtual {})", join(state.scores()), join(&state.virtual_scores()[..seats]))
}

fn seat(arguments: &Arguments) -> Result<GameSetup, Failure> {
    let mut seats = Vec::new();
    let others = [&arguments.third, &arguments.fourth, &arguments.fifth];
    let texts = [&arguments.first, &arguments.second].into_iter().chain(others.into_iter().flatten());
    for (number, text) in texts.enumerate() {
        let spec = Spec::parse(text, arguments.preset)
            .map_err(|error| Failure::Usage(format!("player {}: {error}", number + 1)))?;
        let ordinal = arguments.ordinals.get(number).copied().unwrap_or(0);
        seats.push((spec.clone(), spec.default_name(), ordinal));
    }
    let unplaceable = Unplaceable::NAMES.into_iter().find(|(name, _)| *name == arguments.unplaceable);
    let rules = Rules {
        two_tile_city: arguments.two_tile_city,
        unplaceable: unplaceable.map(|(_, rule)| rule).unwrap_or_default(),
        ..Rules::official(seats.len() as u8)
    };
    let rules = rules.checked().map_err(Failure::usage)?;
    for (number, (spec, ..)) in seats.iter().enumerate() {
        spec.check_rules(&rules).map_err(|error| Failure::Usage(format!("player {}: {error}", number + 1)))?;
    }
    Ok(GameSetup { seed: arguments.seed, rules, mirror: !arguments.no_mirror, deck: arguments.deck, seats })
}
