//! The rounds of a Swiss schedule.

use super::reader::TomlTable;
use super::schedule_kind::ScheduleKind;
use super::sequential::Plan;

/// The rounds of an experiment with this schedule, and the errors of its key.
pub(super) fn rounds(table: &TomlTable, kind: ScheduleKind, rounds: Option<u32>, plan: &Plan) -> Option<u32> {
    match (kind, rounds) {
        (ScheduleKind::Swiss, None) if !table.has("rounds") => {
            table.note_at("schedule", "a Swiss schedule needs rounds, how many are played");
        }
        // A value that is refused has an error of its own.
        (_, None) => {}
        (ScheduleKind::Swiss, Some(count)) => {
            if !plan.is_mirrored() {
                let problem =
                    format!("a Swiss schedule is for games of two with mirrored decks, found {}", plan.found());
                table.note_at("schedule", problem);
            } else if !plan.players.is_multiple_of(2) {
                let problem = format!(
                    "all players of a Swiss schedule play in each round: expected an even number, found {}",
                    plan.players
                );
                table.note_at("schedule", problem);
            } else if count as usize > plan.players / 2 {
                let problem = format!(
                    "rounds = {count}: for no two of {} players to meet twice, expected at most {}; a round robin has all pairs",
                    plan.players,
                    plan.players / 2
                );
                table.note_at("rounds", problem);
            }
            if table.has("sequential") {
                table.note_at(
                    "sequential",
                    "a Swiss schedule chooses its pairs by results, [sequential] is for pairs that are known",
                );
            }
            if table.has("paper") {
                table.note_at(
                    "paper",
                    "printed numbers are compared with a league whose pairs are known, the schedule is Swiss",
                );
            }
        }
        (_, Some(_)) => table.note_at("rounds", "rounds belong to schedule = \"swiss\""),
    }
    rounds
}
