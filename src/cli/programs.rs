//! The programs of external players, before games are played.

use super::Outcome;
use crate::config::Contender;
use crate::error::Failure;
use crate::external;
use crate::parameter::Words;

/// Refuses players whose program is missing: they would lose all their games.
pub(super) fn check(players: &[Contender]) -> Outcome {
    for player in players.iter().filter(|player| player.spec.kind().is_program) {
        let command: Option<Words> = player.spec.parameter();
        if let Some(command) = command.filter(|command| !external::exists(command)) {
            return Err(Failure::Usage(format!("{}: there is no program {:?}", player.name, command.list()[0])));
        }
    }
    Ok(())
}
