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
            } else if let Some(players) = plan.players {
                check_count(table, count as usize, players);
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

/// Notes that players cannot be paired in so many rounds.
fn check_count(table: &TomlTable, rounds: usize, players: usize) {
    if !players.is_multiple_of(2) {
        let problem =
            format!("all players of a Swiss schedule play in each round: expected an even number, found {players}");
        table.note_at("schedule", problem);
    } else if rounds > players / 2 {
        let problem = format!(
            "rounds = {rounds}: for no two of {players} players to meet twice, expected at most {}; a round robin has all pairs",
            players / 2
        );
        table.note_at("rounds", problem);
    }
}
