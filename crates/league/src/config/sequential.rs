//! `[sequential]`: a sequential test of a match of two players, deck by deck.

use super::reader::TomlTable;
use super::seatings::Seatings;
use evouct_base::named::Named;
use evouct_base::parameter::{Parameter, Parameters, Values};
use evouct_base::plural::counted;
use evouct_stats::Unavailable;
use evouct_stats::sprt::{EloModel, Sprt};
use std::sync::LazyLock;

/// The largest difference of strength in Elo that a test may ask about.
const ELO: Values = Values::Real(-4000.0, 4000.0);

evouct_base::parameters! {
    /// The keys of `[sequential]`.
    struct SequentialKeys {
        /// Null hypothesis: the first player is this much stronger in Elo, or less.
        elo0: f64 = 0.0, values = ELO;
        /// Alternative: the first player is this much stronger in Elo, or more.
        elo1: Option<f64> = None, values = ELO;
        /// How Elo is meant. logistic: by the expected score. normalised: the difference of the expected score from one
        /// half in standard deviations of a game, times 800 / ln 10 (347), so that tests of as many Elo take about as many
        /// games; within 200.
        elo: EloModel = EloModel::Logistic;
        /// Probability to accept the alternative if the null hypothesis holds.
        alpha: f64 = 0.05, values = Values::Real(0.0, 1.0);
        /// Probability to accept the null hypothesis if the alternative holds.
        beta: f64 = 0.05, values = Values::Real(0.0, 1.0);
    }
}

pub(super) static KEYS: LazyLock<Vec<Parameter>> = LazyLock::new(SequentialKeys::table);

/// The hypotheses of a sequential probability ratio test, in Elo of the first player over the second, and its error
/// rates.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Sequential {
    /// How Elo is meant.
    pub model: EloModel,
    /// The null hypothesis: the first player is this much stronger, or less.
    pub elo0: f64,
    /// The alternative: the first player is this much stronger, or more.
    pub elo1: f64,
    /// The probability to accept the alternative if the null hypothesis holds.
    pub alpha: f64,
    /// The probability to accept the null hypothesis if the alternative holds.
    pub beta: f64,
}

impl Sequential {
    /// The test of these hypotheses.
    ///
    /// # Errors
    /// If a number is outside its range, which [`Experiment::parse`](super::Experiment::parse) refuses.
    pub fn test(&self) -> Result<Sprt, Unavailable> {
        Sprt::new(self.model, self.elo0, self.elo1, self.alpha, self.beta)
    }

    /// Reads the section and collects the errors. The first pair is the number of players and of seats.
    pub(super) fn read(
        table: &TomlTable,
        (players, seats): (usize, usize),
        (mirror, seatings): (bool, Seatings),
    ) -> Option<Sequential> {
        let SequentialKeys { elo0, elo1, elo: model, alpha, beta } =
            SequentialKeys::read(table.fill(&KEYS, &[]).values());
        let Some(elo1) = elo1 else {
            table.note("elo1 is missing");
            return None;
        };
        if players != 2 || seats != 2 || !mirror || seatings == Seatings::Once {
            let found = match (players, seats) {
                (2, 2) if mirror => "seatings = once".to_owned(),
                (2, 2) => "mirror = false".to_owned(),
                (2, _) => counted(seats, "seat"),
                _ => counted(players, "player"),
            };
            table.note(format!("a sequential test is for two players with mirrored decks, found {found}"));
        }
        let limit = model.limit();
        if elo0 >= elo1 || elo0 < -limit || elo1 > limit {
            let within = format!("-{limit} <= elo0 < elo1 <= {limit}");
            table.note_at("elo1", format!("elo0 = {elo0} and elo1 = {elo1} are not {within} ({} Elo)", model.name()));
        }
        if !(alpha > 0.0 && beta > 0.0 && alpha + beta < 1.0) {
            table.note(format!("alpha = {alpha} and beta = {beta} are not above 0 with a sum below 1"));
        }
        Some(Sequential { model, elo0, elo1, alpha, beta })
    }
}
