//! The fixed opponents of a gauntlet.

use super::experiment::Experiment;
use super::reader::TomlTable;
use super::schedule_kind::ScheduleKind;
use super::sequential::Plan;

/// Notes what is wrong with so many fixed opponents in an experiment with this schedule.
pub(super) fn check_fixed(table: &TomlTable, experiment: &Experiment, plan: &Plan) {
    let (kind, fixed) = (experiment.schedule, experiment.fixed);
    if !table.has("fixed") {
        return;
    }
    let note = |problem: String| table.note_at("fixed", format!("fixed = {fixed}: {problem}"));
    match plan.players {
        _ if kind != ScheduleKind::Gauntlet => table.note_at("fixed", "fixed belongs to schedule = \"gauntlet\""),
        _ if plan.seats != 2 => {
            table.note_at("fixed", format!("fixed opponents are for games of two, found {}", plan.found()));
        }
        _ if fixed == 1 => {}
        _ if !plan.mirror => {
            note("contestants are compared on decks that all matches share, found mirror = false".to_owned());
        }
        _ if experiment.looks().is_some() => {
            let problem = "at looks each pair stops by itself, so a contestant shares no decks with all fixed opponents; \
                           expected fixed = 1, or no [sequential]";
            table.note_at("sequential", problem);
        }
        Some(players) if players <= fixed => note(format!("of {players} players none is left to meet them")),
        Some(players) if players == fixed + 1 => note(
            "there is one contestant; make it the first player of a gauntlet with fixed = 1, which meets all others"
                .to_owned(),
        ),
        _ => {}
    }
}
