//! Which scored genomes are measured further: `[score]` in the file of an evolution.

use evouct_base::parameter::{Parameter, Parameters, Preset, Values};
use evouct_league::config::reader::TomlTable;
use std::sync::LazyLock;

evouct_base::parameters! {
    /// The keys of `[score]`.
    struct ScoreKeys {
        /// The share of genomes that are scored together and go on after each round of a stage but the last, the best
        /// first; at least one does.
        go_on: f64 = 0.5, values = Values::Real(0.0, 1.0);
        /// A genome is not measured further if its gain is below this, in points per game, by a test with an error of
        /// 2.5 % over all rounds together.
        stop_below: f64 = 0.0, values = Values::Real(-1e9, 1e9);
    }
}

pub(crate) static SCORE_KEYS: LazyLock<Vec<Parameter>> = LazyLock::new(ScoreKeys::table);

/// Which genomes are measured further.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct ScoreRule {
    /// The share that goes on after each round but the last.
    pub(crate) go_on: f64,
    /// A genome whose gain is below this does not go on, in points per game.
    pub(crate) stop_below: f64,
}

impl ScoreRule {
    /// Its keys with their values.
    pub(crate) fn rows(&self) -> [(&'static str, String); 2] {
        [("go_on", self.go_on.to_string()), ("stop_below", self.stop_below.to_string())]
    }
}

/// Reads the `[score]` of an evolution.
pub(crate) fn score_rule(table: &TomlTable) -> ScoreRule {
    let section = table.section("score");
    let keys = section.map(|section| ScoreKeys::read(section.fill(&SCORE_KEYS, &[]).values()));
    let ScoreKeys { go_on, stop_below } = keys.unwrap_or_else(|| ScoreKeys::defaults(Preset::Text));
    ScoreRule { go_on, stop_below }
}
