//! `evouct engine`: a player for other programs, by the line protocol.

use super::Outcome;
use crate::domain::Spec;
use crate::error::Failure;
use crate::external::Engine;
use crate::parameter::Preset;
use crate::registry;
use clap::Args;
use std::io::{Write, stdin};

#[derive(Args)]
pub(super) struct Arguments {
    /// The player: a kind, or kind:key=value,key=value
    #[arg(short, long, value_name = "PLAYER", required_unless_present = "earlier")]
    player: Option<String>,
    /// An earlier spelling of --player.
    #[arg(hide = true, conflicts_with = "player")]
    earlier: Option<String>,
    /// Seed of every game, in place of the seeds of `newgame`
    #[arg(long)]
    seed: Option<u64>,
    /// Game to play
    #[arg(long, default_value_t = registry::default_game().name().to_owned())]
    game: String,
    /// Preset of the player: as-printed or reference
    #[arg(long, default_value = "as-printed", value_parser = super::experiment_args::preset)]
    preset: Preset,
}

pub(super) fn run(arguments: &Arguments, out: &mut dyn Write) -> Outcome {
    let game = registry::game(&arguments.game).map_err(Failure::Usage)?;
    let player = arguments.player.as_ref().or(arguments.earlier.as_ref()).expect("one of them is required");
    let player = Spec::parse(game, player, arguments.preset).map_err(Failure::usage)?;
    let mut engine = Engine::new(game, player, arguments.seed, arguments.preset).map_err(Failure::Usage)?;
    Ok(engine.speak(&mut stdin().lock(), out)?)
}
