//! `[sequential]`: a test of a match of two that is looked at deck by deck.

use super::reader::{ConfigError, TomlTable};

/// The hypotheses of a sequential probability ratio test, in Elo of the first player over the second, and its error rates.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Sequential {
    /// The null hypothesis: the first player is this much stronger, or less.
    pub elo0: f64,
    /// The alternative: the first player is this much stronger, or more.
    pub elo1: f64,
    /// The chance to accept the alternative where the null hypothesis holds.
    pub alpha: f64,
    /// The chance to accept the null hypothesis where the alternative holds.
    pub beta: f64,
}

impl Sequential {
    pub(super) fn read(table: &TomlTable, players: usize, mirror: bool) -> Result<Sequential, ConfigError> {
        let test = Sequential {
            elo0: table.real("elo0")?.unwrap_or(0.0),
            elo1: table.real("elo1")?.ok_or_else(|| table.error("elo1 is missing"))?,
            alpha: table.real("alpha")?.unwrap_or(0.05),
            beta: table.real("beta")?.unwrap_or(0.05),
        };
        table.finish()?;
        if players != 2 || !mirror {
            let found = if players == 2 { "mirror = false".to_owned() } else { format!("{players} players") };
            return Err(table.error(format!("a sequential test is for two players with mirrored decks, found {found}")));
        }
        if !(-4000.0 <= test.elo0 && test.elo0 < test.elo1 && test.elo1 <= 4000.0) {
            let problem = format!("elo0 = {} and elo1 = {} are not -4000 <= elo0 < elo1 <= 4000", test.elo0, test.elo1);
            return Err(table.error_at("elo1", problem));
        }
        if !(test.alpha > 0.0 && test.beta > 0.0 && test.alpha + test.beta < 1.0) {
            let problem = format!("alpha = {} and beta = {} are not above 0 with a sum below 1", test.alpha, test.beta);
            return Err(table.error(problem));
        }
        Ok(test)
    }
}
