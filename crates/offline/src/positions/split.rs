//! The splits of a bank: what its positions are for.

use evouct_base::seed::Key;

evouct_base::named! {
    /// What positions are for.
    pub enum Split {
        /// Fitness during evolution.
        Training = "training",
        /// The choice among finalists.
        Validation = "validation",
        /// Calibration and reports.
        Test = "test",
    }
}

impl Split {
    /// The split of a game: by the key of the bank, 60 % training, 20 % validation, 20 % test.
    pub(crate) fn of(seed: u64, game: u32) -> Split {
        let mut stream = Key::experiment(seed).named("bank split", u64::from(game)).stream();
        match evouct_base::sampling::below(&mut stream, 10) {
            0..6 => Split::Training,
            6..8 => Split::Validation,
            _ => Split::Test,
        }
    }
}

/// The numbers of the games of a bank: of all its games, or of those of one split.
pub(crate) fn numbers(games: u32, seed: u64, split: Option<Split>) -> impl Iterator<Item = u32> {
    (1..=games).filter(move |game| split.is_none_or(|split| Split::of(seed, *game) == split))
}
