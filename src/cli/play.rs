//! `evouct play`: one game between any players.

use super::form::colour;
use super::pairs::pair;
use super::play_args::ThreadArgs;
use super::{Outcome, programs, signals};
use crate::clock::WallClock;
use crate::config::{Contender, GameFrame, Log, Openings, TimeControl};
use crate::domain::{AnyDomain, AtLimit, GameRules, PlyLimit, Spec, seats_option};
use crate::error::Failure;
use crate::league::{GameInProgress, GameSetup};
use crate::named::Named;
use crate::parameter::{Preset, Raw};
use crate::plural::counted;
use crate::registry;
use clap::Args;
use std::io::Write;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

#[derive(Args)]
pub(super) struct Arguments {
    /// Player 1: a kind, or kind:key=value,key=value
    #[arg(short = '1', long = "first", value_name = "PLAYER", default_value = "siea-mcts")]
    first: String,
    /// Player 2 [default: mcts, in a game of two or more seats]
    #[arg(short = '2', long = "second", value_name = "PLAYER")]
    second: Option<String>,
    /// Player 3; -4, -5 and -6 add more
    #[arg(short = '3', value_name = "PLAYER")]
    third: Option<String>,
    #[arg(short = '4', value_name = "PLAYER", requires = "third", hide = true)]
    fourth: Option<String>,
    #[arg(short = '5', value_name = "PLAYER", requires = "fourth", hide = true)]
    fifth: Option<String>,
    #[arg(short = '6', value_name = "PLAYER", requires = "fifth", hide = true)]
    sixth: Option<String>,
    /// Player of the next seat, in place of -1, -2 …; repeatable
    #[arg(short, long = "player", value_name = "PLAYER", conflicts_with_all = ["first", "second", "third"])]
    players: Vec<String>,
    /// Seed, as in an experiment
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// Number of the deck, from 1, as in an experiment
    #[arg(long, default_value_t = 1, value_parser = clap::value_parser!(u32).range(1..))]
    deck: u32,
    /// Preset of the players: as-printed or reference
    #[arg(long, default_value = "as-printed", value_parser = super::experiment_args::preset)]
    preset: Preset,
    #[command(flatten)]
    threads: ThreadArgs,
    /// Show the board after every turn
    #[arg(long)]
    show: bool,
    /// Colours: auto, always or never
    #[arg(long, default_value = "auto", value_parser = ["auto", "always", "never"])]
    color: String,
    /// Game to play
    #[arg(long, default_value_t = registry::default_game().name().to_owned())]
    game: String,
    /// Clock of each seat in seconds: the time, the increment and the margin, as in `[clock]` of an experiment
    #[arg(long, value_name = "SECONDS[+INCREMENT[+MARGIN]]")]
    clock: Option<TimeControl>,
    /// Option of the rules, as in [rules] of an experiment; repeatable
    #[arg(long, value_name = "KEY=VALUE")]
    rule: Vec<String>,
    /// Give this pair of players its own decks, as `mirror = false` does
    #[arg(long)]
    no_mirror: bool,
    /// Moves before the first decision, in the notation of the game, as one of `openings` of an experiment
    #[arg(long, value_name = "MOVES", allow_hyphen_values = true)]
    opening: Option<String>,
    /// The most plies of the game, as in an experiment
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..))]
    max_plies: Option<u32>,
    /// Scores of a game that --max-plies ends: draw or scores
    #[arg(long, value_name = "SCORES", requires = "max_plies", default_value = "draw", value_parser = at_limit)]
    at_limit: AtLimit,
    /// Number of each player among identical ones, from 0
    #[arg(long, value_name = "N,N", value_delimiter = ',')]
    ordinals: Vec<u32>,
}

pub(super) fn run(arguments: &Arguments, out: &mut dyn Write) -> Outcome {
    let setup = setup(arguments)?;
    if let Some(person) = setup.seats.iter().find(|player| player.spec.kind().is_person()) {
        let name = person.spec.kind().name;
        return Err(Failure::Usage(format!("{name}: a person plays in `evouct gui`; expected another kind of player")));
    }
    signals::watch_for_programs(setup.seats.iter().map(|player| &player.spec));
    let players = setup.seats.iter().map(|player| (player.name.as_str(), &player.spec));
    programs::start(players, &AtomicBool::new(false))?;
    let clock = WallClock::start();
    let mut game = GameInProgress::new(&setup, Log::Formulas).map_err(Failure::Failed)?;
    game.use_threads(arguments.threads.granted(u64::MAX));
    let (colour, scale) = (colour(&arguments.color), setup.rules.domain().scale());
    if let Some(moves) = &arguments.opening {
        writeln!(out, "    opening   {moves}")?;
    }
    let mut failure = None;
    while let Some(seat) = game.advance() {
        match game.take_turn_in_notation(seat, &clock) {
            Ok(play) => {
                let session = game.session();
                let scores: Vec<String> = session.scores().iter().map(|score| scale.text(*score)).collect();
                writeln!(out, "{:>2}  player {}  {play:<18} {}", session.turns(), seat + 1, scores.join("-"))?;
                if let Some(decision) = game.last_evolution() {
                    let log = &decision.log;
                    let fitness = log.fitness.last().map_or(String::new(), |fitness| format!(", fitness {fitness:.2}"));
                    writeln!(out, "    by {} ({}{fitness})", log.formula, counted(log.nodes, "node"))?;
                }
                if arguments.show {
                    write_board(&game, colour, out)?;
                }
                out.flush()?;
            }
            Err(message) => {
                failure = Some(format!("player {}: {message}", seat + 1));
                break;
            }
        }
    }
    if !arguments.show {
        write_board(&game, colour, out)?;
    }
    if game.session().is_cut() {
        writeln!(out, "the limit of plies ends the game")?;
    }
    let played = game.finish(&setup, "");
    for (seat, name) in played.record.run.players.iter().enumerate() {
        writeln!(
            out,
            "player {} ({name}): {}, {}, {:.2} s",
            seat + 1,
            counted(scale.points(played.record.scores[seat]), "point"),
            match played.record.nodes.get(seat) {
                Some(nodes) if *nodes > 0 => counted(*nodes, "node"),
                _ => counted(played.record.playouts[seat], "playout"),
            },
            played.record.run.seconds[seat]
        )?;
    }
    match failure.or(played.record.run.message) {
        Some(message) => Err(Failure::Failed(message)),
        None => Ok(()),
    }
}

fn write_board(game: &GameInProgress, colour: bool, out: &mut dyn Write) -> Outcome {
    if let Some(text) = game.session().text(colour) {
        writeln!(out, "\n{text}")?;
    }
    Ok(())
}

fn setup(arguments: &Arguments) -> Result<GameSetup, Failure> {
    let game = registry::game(&arguments.game).map_err(Failure::Usage)?;
    let mut seats = Vec::new();
    let texts: Vec<&str> = if arguments.players.is_empty() {
        let further = [&arguments.third, &arguments.fourth, &arguments.fifth, &arguments.sixth];
        let second = match &arguments.second {
            None if GameRules::default_of(game).seats() > 1 || arguments.third.is_some() => Some("mcts"),
            second => second.as_deref(),
        };
        let others = second.into_iter().chain(further.into_iter().flatten().map(String::as_str));
        std::iter::once(arguments.first.as_str()).chain(others).collect()
    } else {
        arguments.players.iter().map(String::as_str).collect()
    };
    if arguments.ordinals.len() > texts.len() {
        let found = arguments.ordinals.len();
        return Err(Failure::Usage(format!("--ordinals has {found} numbers, expected one per player")));
    }
    for (number, text) in texts.into_iter().enumerate() {
        let spec = Spec::parse(game, text, arguments.preset)
            .map_err(|error| Failure::Usage(format!("player {}: {error}", number + 1)))?;
        let spec = if arguments.clock.is_some() { spec.under_clock() } else { spec };
        let ordinal = arguments.ordinals.get(number).copied().unwrap_or(0);
        seats.push(Contender::numbered(spec.clone(), spec.default_name(), ordinal));
    }
    let rules = rules(game, &arguments.rule, seats.len())?;
    for (number, player) in seats.iter().enumerate() {
        rules.check_player(&player.spec).map_err(|error| Failure::Usage(format!("player {}: {error}", number + 1)))?;
    }
    let limit = arguments.max_plies.map(|plies| PlyLimit { plies, at_limit: arguments.at_limit });
    let openings = arguments.opening.as_deref().map(|moves| Arc::new(Openings::of_moves(moves, &rules)));
    let frame = GameFrame { openings, limit };
    let Arguments { seed, clock, deck, no_mirror, .. } = *arguments;
    let setup = GameSetup { seed, rules, frame, clock, mirror: !no_mirror, deck, seats };
    if arguments.opening.is_some() {
        setup.session(&[]).map_err(Failure::Usage)?;
    }
    Ok(setup)
}

fn at_limit(text: &str) -> Result<AtLimit, String> {
    AtLimit::of_name(text).ok_or_else(|| format!("expected {}", AtLimit::names().join(" or ")))
}

/// The rules of a game with these options, for as many seats as there are players.
fn rules(game: &'static dyn AnyDomain, options: &[String], seats: usize) -> Result<GameRules, Failure> {
    let mut given: Vec<(String, Raw)> = Vec::new();
    for option in options {
        let (key, value) = pair("--rule", option, "key=value")?;
        given.push((key, Raw::Text(value)));
    }
    // A game with a choice of seats takes it from the players.
    if let Some(option) = seats_option(game).filter(|option| !given.iter().any(|(key, _)| key == option)) {
        given.push((option.to_owned(), Raw::Integer(seats as i64)));
    }
    let rules = GameRules::resolve(game, &given).map_err(|mut errors| Failure::usage(errors.swap_remove(0)))?;
    rules.check_players(seats).map_err(Failure::Usage)?;
    Ok(rules)
}
