//! The command that plays one game of an experiment.

use evouct_platform::domain::{GameRules, Spec};
use evouct_platform::registry;

/// The command `evouct play` for a game between these players, each with its number among identical ones.
pub fn play_command<'a>(
    rules: &GameRules,
    seats: impl Iterator<Item = (&'a Spec, u32)>,
    seed: u64,
    deck: u32,
    mirror: bool,
) -> String {
    let mut command = "evouct play".to_owned();
    let game = rules.domain().name();
    if game != registry::default_game().name() {
        command.push_str(&format!(" --game {game}"));
    }
    let mut ordinals = Vec::new();
    for (seat, (player, ordinal)) in seats.enumerate() {
        command.push_str(&format!(" -{} '{}'", seat + 1, player.description().replace('\'', "'\\''")));
        ordinals.push(ordinal.to_string());
    }
    command.push_str(&format!(" --seed {seed} --deck {deck}"));
    if ordinals.iter().any(|ordinal| ordinal != "0") {
        command.push_str(&format!(" --ordinals {}", ordinals.join(",")));
    }
    if !mirror {
        command.push_str(" --no-mirror");
    }
    for rule in rules.arguments() {
        command.push_str(&format!(" --rule {rule}"));
    }
    command
}
