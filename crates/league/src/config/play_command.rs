//! The command that plays one game of an experiment.

use super::time_control::TimeControl;
use evouct_base::named::Named;
use evouct_platform::domain::{GameRules, Spec, Terms};
use evouct_platform::registry;

/// The command `evouct play` for a game on these terms between these players, each with its number among identical ones.
pub fn play_command<'a>(
    (rules, clock): (&GameRules, Option<&TimeControl>),
    seats: impl Iterator<Item = (&'a Spec, u32)>,
    seed: u64,
    deck: u32,
    mirror: bool,
    terms: &Terms,
) -> String {
    let mut command = "evouct play".to_owned();
    let game = rules.domain().name();
    if game != registry::default_game().name() {
        command.push_str(&format!(" --game {game}"));
    }
    let mut ordinals = Vec::new();
    for (seat, (player, ordinal)) in seats.enumerate() {
        command.push_str(&format!(" -{} {}", seat + 1, quoted(&player.argument())));
        ordinals.push(ordinal.to_string());
    }
    command.push_str(&format!(" --seed {seed} --deck {deck}"));
    if ordinals.iter().any(|ordinal| ordinal != "0") {
        command.push_str(&format!(" --ordinals {}", ordinals.join(",")));
    }
    if !mirror {
        command.push_str(" --no-mirror");
    }
    if !terms.opening.is_empty() {
        command.push_str(&format!(" --opening={}", quoted(&terms.opening)));
    }
    if let Some(limit) = terms.limit {
        command.push_str(&format!(" --max-plies {} --at-limit {}", limit.plies, limit.at_limit.name()));
    }
    if let Some(clock) = clock {
        command.push_str(&format!(" --clock {clock}"));
    }
    for rule in rules.arguments() {
        command.push_str(&format!(" --rule {rule}"));
    }
    command
}

/// A word of a shell.
fn quoted(text: &str) -> String {
    format!("'{}'", text.replace('\'', "'\\''"))
}
