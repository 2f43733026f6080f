//! The stages of fitness: what is measured, how often, on which positions.

use crate::positions::split::Split;
use evouct_base::named::Named;
use evouct_base::parameter::{Parameter, Parameters, Raw, Values};
use evouct_league::config::reader::TomlTable;
use std::sync::LazyLock;

evouct_base::named! {
    /// What the value of a formula is measured by.
    #[derive(Default)]
    pub enum FitnessMeasure {
        /// The value lost by moves that the formula chooses in a bandit of recorded rewards, one arm per move of a
        /// position.
        #[default]
        Replay = "replay",
        /// The value lost by moves that a search with the formula chooses in positions.
        Regret = "regret",
        /// The points won in games against a panel.
        Games = "games",
    }
}

impl FitnessMeasure {
    /// Units per block, by default: such that a block of a search with a few hundred iterations takes about a tenth of
    /// a second.
    const fn block(self) -> u32 {
        match self {
            FitnessMeasure::Replay => 250,
            FitnessMeasure::Regret => 50,
            FitnessMeasure::Games => 1,
        }
    }

    /// Whether two genomes that see the same units share random numbers, so that their difference is less noisy than
    /// each value. In games the correlation is 0.00 to 0.05: the players part after a few moves.
    pub(crate) const fn is_paired(self) -> bool {
        !matches!(self, FitnessMeasure::Games)
    }
}

evouct_base::parameters! {
    /// The keys of a `[[stage]]`.
    struct StageKeys {
        /// What is measured.
        measure: FitnessMeasure = FitnessMeasure::Replay;
        /// Units per block of work that a thread or rank takes at once; by default about a tenth of a second.
        block: Option<u64> = None, values = Values::Count(1, 100_000);
    }
}

pub(crate) static STAGE_KEYS: LazyLock<Vec<Parameter>> = LazyLock::new(StageKeys::table);

/// A stage of fitness. The first is that of the evolution itself; the finalists go through the others.
#[derive(Clone, Debug, PartialEq)]
pub struct FitnessStage {
    /// What is measured.
    pub measure: FitnessMeasure,
    /// Units of each round: positions, or decks against each opponent. After each round but the last the better half
    /// goes on; in a later stage after the last one too.
    pub rounds: Vec<u32>,
    /// Units per block.
    pub block: u32,
    /// The positions that are used.
    pub split: Split,
}

impl FitnessStage {
    /// What determines its measurements, as text.
    pub(crate) fn description(&self) -> String {
        let rounds: Vec<String> = self.rounds.iter().map(u32::to_string).collect();
        let (measure, split) = (self.measure.name(), self.split.name());
        format!("measure={measure},rounds={},block={},split={split}", rounds.join("+"), self.block)
    }

    /// Whether each sum of a measurement is of one position.
    pub(crate) fn is_by_position(&self) -> bool {
        self.block == 1 && self.measure != FitnessMeasure::Games
    }

    /// The units of its last round.
    pub(crate) fn most_units(&self) -> u32 {
        self.rounds.iter().copied().max().unwrap_or(1)
    }
}

/// Reads the `[[stage]]` tables of an evolution with so many opponents in each of its games.
pub(crate) fn stages(table: &TomlTable, opponents: &[usize]) -> Vec<FitnessStage> {
    let mut stages: Vec<FitnessStage> = Vec::new();
    for section in table.sections("stage") {
        let keys = StageKeys::read(section.fill(&STAGE_KEYS, &["positions", "decks"]).values());
        // What the other keys must be depends on the measure.
        let known = |name: &str| FitnessMeasure::NAMES.iter().any(|(known, _)| *known == name);
        if section.has("measure") && !section.text("measure").is_ok_and(|name| name.is_some_and(known)) {
            continue;
        }
        let (key, other) =
            if keys.measure == FitnessMeasure::Games { ("decks", "positions") } else { ("positions", "decks") };
        let rounds = section.raws(|own| own == key).pop().map(|(_, raw)| counts(&raw));
        if !section.raws(|own| own == other).is_empty() {
            section.note_at(other, format!("the measure {} has {key}, no {other}", keys.measure.name()));
            continue;
        }
        let rounds = match rounds {
            Some(Some(rounds)) if !rounds.is_empty() => rounds,
            Some(_) => {
                section.note_at(key, format!("{key}: expected a whole number from 1 to 1000000, or a list of them"));
                continue;
            }
            None => {
                section.note(format!("{key} is missing"));
                continue;
            }
        };
        if keys.measure == FitnessMeasure::Games && opponents.contains(&0) {
            section.note("the measure games needs at least one [[opponent]]");
        }
        stages.push(FitnessStage {
            measure: keys.measure,
            rounds,
            block: keys.block.map_or(keys.measure.block(), |block| block as u32),
            split: if stages.is_empty() { Split::Training } else { Split::Validation },
        });
    }
    if table.sections("stage").is_empty() {
        table.note("[[stage]] is missing; expected at least one");
    }
    stages
}

fn counts(raw: &Raw) -> Option<Vec<u32>> {
    let count = |raw: &Raw| match raw {
        Raw::Integer(number) => u32::try_from(*number).ok().filter(|number| (1..=1_000_000).contains(number)),
        _ => None,
    };
    match raw {
        Raw::List(items) => items.iter().map(count).collect(),
        single => count(single).map(|count| vec![count]),
    }
}

/// Structures are ranked by their errors, which take two blocks in each round.
pub(super) fn check_errors(table: &TomlTable, stages: &[FitnessStage]) {
    let Some(first) = stages.first().filter(|stage| stage.measure != FitnessMeasure::Games) else { return };
    let block = first.block;
    if let Some(units) = first.rounds.iter().find(|units| **units <= block) {
        table.note(format!(
            "cma_samples: a round of {units} positions is one block of {block}, which has no error; expected a smaller \
             block in the first [[stage]]"
        ));
    }
}
