//! Candidates: the player of the file with other values of the tuned parameters.
//!
//! All combinations of listed values are taken. Each combination gets a Latin hypercube over the ranges (M. D. McKay,
//! R. J. Beckman, W. J. Conover, Technometrics 21, 1979): with `m` points, every range is cut into `m` parts of equal
//! width, and each part has one point. Ranges with positive ends, the upper at least ten times the lower, are cut on a
//! logarithmic scale. Numbers are rounded to three significant digits.

use super::error::TuneError;
use super::over::{Choice, Over};
use evouct_base::parameter::{Parameter, Preset, Raw, Value};
use evouct_base::sampling::{below, shuffle};
use evouct_league::config::Contender;
use evouct_platform::domain::{GameRules, Spec};
use rand::Rng;

/// The most players of a round.
pub(super) const MOST: usize = 256;
/// The fewest points of a hypercube.
pub(super) const FEWEST_POINTS: usize = 4;

/// A player that takes part in a tuning.
#[derive(Clone, Debug)]
pub struct Candidate {
    /// Its name in tables.
    pub name: String,
    /// Kind and parameters.
    pub spec: Spec,
    /// The tuned parameters with their values, in the order of the command line.
    pub tuned: Vec<(&'static Parameter, Value)>,
}

impl Candidate {
    /// The player as the file has it.
    pub(super) fn default(player: &Contender, overs: &[Over]) -> Candidate {
        let value = |over: &Over| {
            let found = player.spec.parameters().rows().find(|(row, _)| row.name == over.parameter.name);
            (over.parameter, found.map_or(Value::Unset, |(_, value)| value.clone()))
        };
        Candidate { name: player.name.clone(), spec: player.spec.clone(), tuned: overs.iter().map(value).collect() }
    }

    /// The player of the file with these values.
    fn with(
        player: &Contender,
        tuned: Vec<(&'static Parameter, Value)>,
        rules: &GameRules,
        preset: Preset,
    ) -> Result<Candidate, TuneError> {
        // As texts, which every parameter reads back as it was.
        let raw = |row: &Parameter, value: &Value| (row.name.to_owned(), Raw::Text(value.to_string()));
        let kept =
            player.spec.parameters().given().filter(|(row, _)| tuned.iter().all(|(own, _)| own.name != row.name));
        let given: Vec<(String, Raw)> =
            kept.map(|(row, value)| raw(row, value)).chain(tuned.iter().map(|(row, value)| raw(row, value))).collect();
        let words: Vec<String> = tuned.iter().map(|(row, value)| format!("{}={value}", row.name)).collect();
        let words = words.join(" ");
        let refused =
            |problem: String| TuneError::Experiment(format!("{} with {words} cannot play: {problem}", player.name));
        let spec = Spec::resolve(rules.domain(), player.spec.kind().name, &given, preset)
            .map_err(|mut errors| refused(errors.swap_remove(0).problem))?;
        rules.check_player(&spec).map_err(|error| refused(error.problem))?;
        Ok(Candidate { name: words, spec, tuned })
    }

    /// The `[[player]]` table of an experiment file.
    pub fn table(&self, name: &str) -> String {
        let mut table = format!("[[player]]\nname = {}\nkind = \"{}\"\n", text(name), self.spec.kind().name);
        for (row, value) in self.spec.parameters().given().filter(|(_, value)| **value != Value::Unset) {
            // What JSON writes for a number, a text or a list is TOML as well.
            table.push_str(&format!("{} = {}\n", row.name, value.to_json()));
        }
        table
    }
}

/// A text in TOML.
pub(super) fn text(text: &str) -> String {
    serde_json::Value::from(text).to_string()
}

/// The number of combinations of listed values.
pub(super) fn combinations(overs: &[Over]) -> usize {
    overs.iter().fold(1, |product, over| match &over.choice {
        Choice::List(values) => product.saturating_mul(values.len()),
        Choice::Range { .. } => product,
    })
}

/// The most points of a hypercube over as many ranges: more would be told apart by error alone.
pub(super) fn most_points(overs: &[Over]) -> usize {
    match overs.iter().filter(|over| matches!(over.choice, Choice::Range { .. })).count() {
        0 => 1,
        1 => 16,
        2 => 24,
        _ => 32,
    }
}

/// Draws the candidates: a hypercube of `points` for each combination of listed values. Candidates that equal the
/// player of the file or one another are left out.
///
/// # Errors
/// If a combination of values is illegal.
pub(super) fn draw(
    player: &Contender,
    overs: &[Over],
    points: usize,
    (rules, preset): (&GameRules, Preset),
    rng: &mut impl Rng,
) -> Result<Vec<Candidate>, TuneError> {
    let mut candidates: Vec<Candidate> = Vec::new();
    let default = player.spec.description();
    for combination in 0..combinations(overs) {
        // A column of values for each parameter. The last list varies fastest.
        let mut left = combination;
        let mut columns: Vec<Vec<Value>> = Vec::new();
        for over in overs.iter().rev() {
            columns.push(match &over.choice {
                Choice::List(values) => {
                    let value = values[left % values.len()].clone();
                    left /= values.len();
                    vec![value; points]
                }
                range @ Choice::Range { low, high, whole } => {
                    let is_logarithmic = range.is_logarithmic();
                    column(*low, *high, is_logarithmic, points, rng).into_iter().map(|x| number(x, *whole)).collect()
                }
            });
        }
        columns.reverse();
        for point in 0..points {
            let tuned = overs.iter().zip(&columns).map(|(over, column)| (over.parameter, column[point].clone()));
            let candidate = Candidate::with(player, tuned.collect(), rules, preset)?;
            let description = candidate.spec.description();
            if description != default && candidates.iter().all(|other| other.spec.description() != description) {
                candidates.push(candidate);
            }
        }
    }
    Ok(candidates)
}

fn number(x: f64, whole: bool) -> Value {
    if whole { Value::Count(x.round() as u64) } else { Value::Real(x) }
}

/// One number from each of `points` parts of a range, in random order.
fn column(low: f64, high: f64, logarithmic: bool, points: usize, rng: &mut impl Rng) -> Vec<f64> {
    let (from, to) = if logarithmic { (libm::log(low), libm::log(high)) } else { (low, high) };
    let mut parts: Vec<usize> = (0..points).collect();
    shuffle(rng, &mut parts);
    let draw = |part: usize| {
        // A million places in each part.
        let place = (part as f64 + (below(rng, 1_000_000) as f64 + 0.5) * 1e-6) / points as f64;
        let x = from + (to - from) * place;
        rounded(if logarithmic { libm::exp(x) } else { x }).clamp(low, high)
    };
    parts.into_iter().map(draw).collect()
}

/// A number with three significant digits.
fn rounded(x: f64) -> f64 {
    format!("{x:.2e}").parse().unwrap_or(x)
}

#[cfg(test)]
mod tests {
    use super::*;
    use evouct_base::seed::Key;
    use evouct_league::config::{Experiment, Overrides};

    fn player() -> (Experiment, Contender) {
        evouct_carcassonne::add();
        let text = "name = \"x\"\n[[player]]\nkind = \"mcts\"\niterations = 5\n[[player]]\nkind = \"random\"\n";
        let experiment = Experiment::parse(text, "x.toml", Overrides::default()).unwrap();
        let player = experiment.players[0].clone();
        (experiment, player)
    }

    fn drawn(over: &[&str], points: usize) -> Vec<Candidate> {
        let (experiment, player) = player();
        let overs: Vec<Over> = over.iter().map(|over| Over::parse(over, &player.spec).unwrap()).collect();
        let rules = (&experiment.rules, experiment.preset);
        draw(&player, &overs, points, rules, &mut Key::series("tune", 1).stream()).unwrap()
    }

    fn reals(candidates: &[Candidate]) -> Vec<f64> {
        let real = |candidate: &Candidate| match candidate.tuned[0].1 {
            Value::Real(number) => number,
            _ => panic!("not a number"),
        };
        candidates.iter().map(real).collect()
    }

    #[test]
    fn every_part_of_a_range_has_one_point() {
        for (over, part) in [
            ("k=0.01..100", (|k: f64| (libm::log10(k) + 2.0) / 4.0) as fn(f64) -> f64),
            ("k=1..3", |k| (k - 1.0) / 2.0),
            ("k=0..5", |k| k / 5.0),
        ] {
            let mut parts: Vec<usize> =
                reals(&drawn(&[over], 8)).into_iter().map(|k| ((part(k) * 8.0) as usize).min(7)).collect();
            parts.sort_unstable();
            assert_eq!(parts, (0..8).collect::<Vec<_>>(), "{over}");
        }
    }

    #[test]
    fn every_combination_of_lists_is_taken_and_the_default_is_none_of_them() {
        let all = drawn(&["final=mean,visits", "ucb=doubled,plain"], 1);
        let names: Vec<&str> = all.iter().map(|candidate| candidate.name.as_str()).collect();
        assert_eq!(names, ["final=mean ucb=plain", "final=visits ucb=doubled", "final=visits ucb=plain"]);
        let mixed = drawn(&["k=0.1..3", "final=mean,visits"], 4);
        assert_eq!(mixed.len(), 8);
        // Whole numbers that a range has only once are taken once.
        assert_eq!(drawn(&["iterations=1..6"], 16).len(), 5);
    }

    #[test]
    fn a_table_is_read_back_as_the_same_player() {
        for candidate in drawn(&["k=0.1..3", "final=visits"], 3) {
            let text = format!("name = \"x\"\n{}[[player]]\nkind = \"random\"\n", candidate.table("a \"name\""));
            let read = Experiment::parse(&text, "x.toml", Overrides::default()).unwrap();
            assert_eq!(read.players[0].name, "a \"name\"");
            assert_eq!(read.players[0].spec.description(), candidate.spec.description());
        }
    }

    #[test]
    fn values_that_contradict_one_another_are_refused() {
        let (experiment, player) = player();
        let over = Over::parse("decks=2,3", &player.spec).unwrap();
        let rules = (&experiment.rules, experiment.preset);
        let refused = draw(&player, &[over], 1, rules, &mut Key::series("tune", 1).stream()).unwrap_err().to_string();
        assert!(refused.starts_with("mcts:iterations=5 with decks=2 cannot play: decks"), "{refused}");
    }
}
