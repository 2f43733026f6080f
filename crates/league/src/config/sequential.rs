//! `[sequential]`: a sequential test of a match of two players, deck by deck, or of all pairs of a league, at looks.

use super::reader::TomlTable;
use super::seatings::Seatings;
use evouct_base::named::Named;
use evouct_base::parameter::{Parameter, Parameters, Preset, Values};
use evouct_base::plural::counted;
use evouct_stats::Unavailable;
use evouct_stats::looks::Looks;
use evouct_stats::sprt::{EloModel, Sprt};
use std::fmt::{self, Display, Formatter};
use std::sync::LazyLock;

/// The fewest decks between two looks: t-tests of fewer are too far from what is significant at a look.
const FEWEST_DECKS: u32 = 10;
/// The largest difference of strength in Elo that a test may ask about.
const ELO: Values = Values::Real(-4000.0, 4000.0);

evouct_base::parameters! {
    /// The keys of `[sequential]`.
    struct SequentialKeys {
        /// Null hypothesis: the first player is this much stronger in Elo, or less.
        elo0: f64 = 0.0, values = ELO;
        /// Alternative: the first player is this much stronger in Elo, or more. For a match of two.
        elo1: Option<f64> = None, values = ELO;
        /// All pairs of a league are tested after each of so many equal parts of their decks, with one error rate of 5 %
        /// over all pairs and looks; a pair that differs is played no more. Instead of elo1.
        looks: Option<usize> = None, values = Values::Count(2, Looks::MOST as u64);
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

/// A sequential test.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Sequential {
    /// Of a match of two, after every deck.
    Sprt(Hypotheses),
    /// Of all pairs of a league, after each of so many equal parts of their decks.
    Looks(usize),
}

impl Sequential {
    /// The fewest decks that a test with so many looks may have.
    pub fn fewest_decks(looks: usize) -> u64 {
        looks as u64 * u64::from(FEWEST_DECKS)
    }

    /// In words, how the test of a file differs from an earlier one; none if it does not.
    pub fn change(was: Option<Sequential>, is: Option<Sequential>) -> Option<String> {
        let words = |test: Option<Sequential>| test.map_or("no test".to_owned(), |test| test.to_string());
        (was != is).then(|| format!("[sequential] had {} and has {}", words(was), words(is)))
    }
}

impl Display for Sequential {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        match self {
            Sequential::Sprt(Hypotheses { model, elo0, elo1, alpha, beta }) => {
                write!(f, "elo = {}, elo0 = {elo0}, elo1 = {elo1}, alpha = {alpha} and beta = {beta}", model.name())
            }
            Sequential::Looks(looks) => f.write_str(&counted(*looks, "look")),
        }
    }
}

/// The hypotheses of a sequential probability ratio test, in Elo of the first player over the second, and its error
/// rates.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Hypotheses {
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

impl Hypotheses {
    /// The test of these hypotheses.
    ///
    /// # Errors
    /// If a number is outside its range, which [`Experiment::parse`](super::Experiment::parse) refuses.
    pub fn test(&self) -> Result<Sprt, Unavailable> {
        Sprt::new(self.model, self.elo0, self.elo1, self.alpha, self.beta)
    }
}

/// What a sequential test needs to know of its experiment.
pub(super) struct Plan {
    /// None where the file has an error already, by which players may be missing.
    pub players: Option<usize>,
    pub seats: usize,
    pub decks: u32,
    pub mirror: bool,
    pub seatings: Seatings,
}

impl Sequential {
    /// Reads the section and collects the errors.
    pub(super) fn read(table: &TomlTable, plan: &Plan) -> Option<Sequential> {
        let keys = SequentialKeys::read(table.fill(&KEYS, &[]).values());
        match (keys.elo1, keys.looks) {
            (Some(_), Some(_)) => table.note_at("looks", "elo1 and looks are two tests, expected one of them"),
            // A value that is refused has an error of its own.
            (None, None) if table.has("elo1") || table.has("looks") => {}
            (None, None) => table.note("expected elo1, for a match of two, or looks, for any league"),
            (Some(elo1), None) => return Some(Sequential::sprt(&keys, elo1, table, plan)),
            (None, Some(looks)) => return Some(Sequential::looks(&keys, looks, table, plan)),
        }
        None
    }

    fn sprt(keys: &SequentialKeys, elo1: f64, table: &TomlTable, plan: &Plan) -> Sequential {
        let SequentialKeys { elo0, elo: model, alpha, beta, .. } = *keys;
        let others = plan.players.filter(|players| *players != 2);
        if others.is_some() || !plan.is_mirrored() {
            let found = others.map_or_else(|| plan.found(), |players| counted(players, "player"));
            table.note(format!(
                "a test with elo1 is for two players with mirrored decks, found {found}; looks are for leagues"
            ));
        }
        let limit = model.limit();
        if elo0 >= elo1 || elo0 < -limit || elo1 > limit {
            let within = format!("-{limit} <= elo0 < elo1 <= {limit}");
            table.note_at("elo1", format!("elo0 = {elo0} and elo1 = {elo1} are not {within} ({} Elo)", model.name()));
        }
        if !(alpha > 0.0 && beta > 0.0 && alpha + beta < 1.0) {
            table.note(format!("alpha = {alpha} and beta = {beta} are not above 0 with a sum below 1"));
        }
        Sequential::Sprt(Hypotheses { model, elo0, elo1, alpha, beta })
    }

    fn looks(keys: &SequentialKeys, looks: usize, table: &TomlTable, plan: &Plan) -> Sequential {
        let default = SequentialKeys::defaults(Preset::Text);
        let changed = keys.elo0 != default.elo0
            || keys.elo != default.elo
            || keys.alpha != default.alpha
            || keys.beta != default.beta;
        if changed {
            table.note("elo0, elo, alpha and beta belong to elo1: a test at looks has an error rate of 5 %");
        }
        if !plan.is_mirrored() {
            table.note(format!("a test at looks is for games of two with mirrored decks, found {}", plan.found()));
        }
        let least = Sequential::fewest_decks(looks);
        if u64::from(plan.decks) < least {
            let decks = counted(plan.decks, "deck");
            table.note_at(
                "looks",
                format!("{looks} looks need {FEWEST_DECKS} decks each, {least} in all, found {decks}"),
            );
        }
        Sequential::Looks(looks)
    }
}

impl Plan {
    /// Whether each deck has a game from either seat.
    pub(super) fn is_mirrored(&self) -> bool {
        self.seats == 2 && self.mirror && self.seatings != Seatings::Once
    }

    /// What is there instead.
    pub(super) fn found(&self) -> String {
        match self.seats {
            2 if self.mirror => "seatings = once".to_owned(),
            2 => "mirror = false".to_owned(),
            seats => counted(seats, "seat"),
        }
    }
}
