//! Which scored genomes are measured further: `[score]` in the file of an evolution.

use evouct_base::parameter::{Parameter, Parameters, Preset, Values};
use evouct_league::config::reader::TomlTable;
use std::sync::LazyLock;

evouct_base::parameters! {
    /// Which genomes are measured further: the keys of `[score]`.
    #[derive(Copy)]
    pub struct ScoreRule {
        /// The share of genomes that are scored together and go on after each round of a stage but the last, the best
        /// first; at least one does.
        keep_fraction: f64 = 0.5, values = Values::Real(0.0, 1.0), was = "go_on";
        /// A genome is not measured further if its gain is below this, in points per game, by a test with an error of
        /// 2.5 % over all rounds together.
        drop_below: f64 = 0.0, values = Values::Real(-1e9, 1e9), was = "stop_below";
    }
}

pub(crate) static SCORE_KEYS: LazyLock<Vec<Parameter>> = LazyLock::new(ScoreRule::table);

impl ScoreRule {
    /// Its keys with their values.
    pub(crate) fn rows(&self) -> [(&'static str, String); 2] {
        [("keep_fraction", self.keep_fraction.to_string()), ("drop_below", self.drop_below.to_string())]
    }
}

/// Reads the `[score]` of an evolution.
pub(crate) fn score_rule(table: &TomlTable) -> ScoreRule {
    let section = table.section("score");
    let keys = section.map(|section| ScoreRule::read(section.fill(&SCORE_KEYS, &[]).values()));
    keys.unwrap_or_else(|| ScoreRule::defaults(Preset::Text))
}
