//! Players whose decisions come from outside, before games are played.

use super::Outcome;
use crate::config::Contender;
use crate::error::Failure;
use crate::external;
use crate::parameter::Words;

/// Refuses people, and players whose program is missing: they would lose all their games.
pub(super) fn check(players: &[Contender]) -> Outcome {
    for Contender { name, spec, .. } in players {
        if spec.kind().is_person() {
            return Err(Failure::Usage(format!("{name}: a person plays at the table of `evouct gui` only")));
        }
        let command: Option<Words> = if spec.kind().is_program() { spec.parameter() } else { None };
        if let Some(command) = command.filter(|command| !external::exists(command)) {
            return Err(Failure::Usage(format!("{name}: there is no program {:?}", command.list()[0])));
        }
    }
    Ok(())
}
