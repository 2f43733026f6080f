//! The changes of runs beside the first of them: by player, and in sentences that say what they show and how they were
//! tested. All formats print the same.

use super::compare::{BesideFirst, Decks, PlayerChange, SideBySide};
use super::matches::RankingRow;
use evouct_stats::SIGNIFICANCE_LEVEL;

/// Changes that are named one by one; of more only the number is given.
const NAMED: usize = 4;

/// What the p-values of matches are.
pub(crate) const MATCHES: &str = "p: Fisher's exact test on decided games, not corrected";

/// A player in a run that is not the first.
pub(crate) struct Change<'a> {
    /// The number of the run, from 2.
    pub run: usize,
    pub player: &'a PlayerChange,
    /// The p-value after Holm's correction for all changes of all runs.
    pub p_holm: Option<f64>,
}

/// A player of the first run, and the runs that have it as well.
pub(crate) struct AcrossRuns<'a> {
    /// Its name in the first run.
    pub name: &'a str,
    /// Its line in the ranking of the first run.
    pub first: &'a RankingRow,
    pub changes: Vec<Change<'a>>,
}

/// The players of the first run that other runs have, in the order of its ranking.
pub(crate) fn players(compared: &BesideFirst) -> Vec<AcrossRuns<'_>> {
    let mut all: Vec<AcrossRuns> = Vec::new();
    for (run, (beside, p_values)) in (2..).zip(compared.runs.iter().zip(&compared.p_holm)) {
        for (player, &p_holm) in beside.players.iter().zip(p_values) {
            let change = Change { run, player, p_holm };
            match all.iter_mut().find(|known| known.name == player.player) {
                Some(known) => known.changes.push(change),
                None => {
                    all.push(AcrossRuns { name: &player.player, first: &player.rows[0], changes: vec![change] });
                }
            }
        }
    }
    // A later run may be the first to have a player.
    all.sort_by_key(|player| player.first.rank.unwrap_or(usize::MAX));
    all
}

/// What the tests show, in a few sentences.
pub(crate) fn headline(compared: &BesideFirst) -> Vec<String> {
    let mut tested: Vec<Change> = players(compared).into_iter().flat_map(|player| player.changes).collect();
    tested.retain(|change| change.p_holm.is_some());
    let count = tested.len();
    tested.retain(|change| change.p_holm.is_some_and(|p| p < SIGNIFICANCE_LEVEL));
    let named = || {
        let name = |change: &Change| {
            let by = change.player.change.map_or(0.0, |test| test.difference);
            format!("{} in run {} ({by:+.2})", change.player.player, change.run)
        };
        tested.iter().map(name).collect::<Vec<_>>().join(", ")
    };
    let mut sentences = vec![match (count, tested.len()) {
        (0, _) => format!("No change of a player can be tested: {}.", why_not(compared)),
        (1, 0) => "The only change tested is not significant. That is not evidence that the players are equally strong in all runs."
            .to_owned(),
        (_, 0) => format!(
            "No change of a player is significant after Holm's correction for the {count} tested. That is not evidence that the \
             players are equally strong in all runs."
        ),
        (1, _) => format!("The only change tested is significant: {}.", named()),
        (_, found) => {
            let are = if found == 1 { "one is" } else { &format!("{found} are") };
            let which = if found <= NAMED { format!(": {}", named()) } else { String::new() };
            format!("Of {count} changes tested, {are} significant after Holm's correction{which}.")
        }
    }];
    let basis = || match count {
        1 => format!("Basis: one change, {}, at 5 %.", tests(compared)),
        _ => format!("Basis: {count} changes, {}, at 5 % after Holm's correction.", tests(compared)),
    };
    sentences.extend((count > 0).then(basis));
    let same: Vec<String> = (2..)
        .zip(&compared.runs)
        .filter(|(_, run)| run.same_records)
        .map(|(number, _)| format!("The records of runs 1 and {number} are identical."))
        .collect();
    sentences.extend(same);
    sentences
}

/// Why no change can be tested.
fn why_not(compared: &BesideFirst) -> &'static str {
    let runs = &compared.runs;
    if runs.iter().all(|run| run.same_records) {
        "the runs have the same games"
    } else if runs.iter().all(|run| run.players.is_empty()) {
        "the runs have no player in common"
    } else if runs.iter().any(|run| matches!(run.decks, Decks::OtherGame)) {
        "the runs are of different games"
    } else if runs.iter().any(|run| matches!(run.decks, Decks::Mixed)) {
        "only some decks of the runs are the same"
    } else if runs.iter().any(|run| matches!(run.decks, Decks::Stopped)) {
        "at looks the number of decks depends on the results"
    } else {
        "a test needs results on at least two decks that vary, in matches that the runs have in common"
    }
}

/// How changes are tested.
fn how(decks: Decks) -> &'static str {
    match decks {
        Decks::Same => "paired by deck, because both runs play the same decks (paired t-test)",
        Decks::Other => "with different decks (Welch's t-test)",
        Decks::Mixed => "not tested, because only some decks are the same",
        Decks::OtherGame => "not tested, because the games are different",
        Decks::Stopped => "not tested, because at looks the number of decks depends on the results",
    }
}

/// How the changes of several runs are tested.
fn tests(compared: &BesideFirst) -> String {
    let alike = compared.runs.first().filter(|first| compared.runs.iter().all(|run| run.decks == first.decks));
    match alike {
        Some(first) if compared.runs.len() == 1 => how(first.decks).to_owned(),
        Some(first) => how(first.decks).replace("both runs play", "all runs play"),
        None => {
            let said = (2..).zip(&compared.runs).map(|(number, run)| format!("run {number} {}", how(run.decks)));
            said.collect::<Vec<_>>().join("; ")
        }
    }
}

/// What the changes of several runs are.
pub(crate) fn explained(compared: &BesideFirst) -> String {
    let corrected = match compared.p_holm.iter().flatten().flatten().count() {
        0 => "no change could be tested".to_owned(),
        1 => "p Holm is the p-value of the only change".to_owned(),
        count => format!("p Holm is corrected for all {count} changes"),
    };
    let tests = tests(compared);
    format!("change: difference in a run less difference in run 1, in the matches of both: {tests}; {corrected}")
}

/// How many verdicts on printed numbers are the same; none where the runs compare none.
pub(crate) fn verdicts(run: &SideBySide) -> Option<String> {
    let verdicts = run.verdicts.as_ref()?;
    Some(format!(
        "Of {} printed numbers that both runs compare, {} have the same verdict",
        verdicts.compared, verdicts.same
    ))
}
