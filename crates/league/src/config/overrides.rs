//! Values of an experiment's file that a command overrides.

use evouct_base::named::Named;
use evouct_base::parameter::Preset;

/// Values that override those of an experiment's file.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Overrides {
    /// Defaults of the players.
    pub preset: Option<Preset>,
    /// The seed of everything random.
    pub seed: Option<u64>,
    /// Decks per match.
    pub games_per_match: Option<u32>,
}

impl Overrides {
    /// An experiment's name followed by the preset and the seed: another preset or seed makes another experiment with
    /// another run folder. More decks are more games of the same experiment.
    pub fn name(&self, of_file: &str) -> String {
        let preset = self.preset.map(|preset| format!("-{}", preset.recorded_name()));
        let seed = self.seed.map(|seed| format!("-seed-{seed}"));
        [Some(of_file.to_owned()), preset, seed].into_iter().flatten().collect()
    }

    /// The options of `evouct run` with the same effect.
    pub fn options(&self) -> Vec<String> {
        let preset = self.preset.map(|preset| ["--preset".to_owned(), preset.name().to_owned()]);
        let seed = self.seed.map(|seed| ["--seed".to_owned(), seed.to_string()]);
        let games = self.games_per_match.map(|games| ["--decks".to_owned(), games.to_string()]);
        [preset, seed, games].into_iter().flatten().flatten().collect()
    }
}
