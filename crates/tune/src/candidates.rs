//! Candidates: the player of the file with other values of the tuned parameters.

use super::constraint::Constraint;
use super::error::TuneError;
use super::over::SearchRange;
use evouct_base::parameter::{Parameter, Preset, Raw, Value};
use evouct_base::phrase::Phrase;
use evouct_league::config::Contender;
use evouct_platform::domain::{GameRules, Spec};
use std::collections::HashSet;

/// The most players of a round.
pub(super) const MOST: usize = 256;

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
    pub(super) fn default(player: &Contender, overs: &[SearchRange]) -> Candidate {
        let value = |over: &SearchRange| {
            let found = player.spec.parameters().rows().find(|(row, _)| row.name == over.parameter.name);
            (over.parameter, found.map_or(Value::Unset, |(_, value)| value.clone()))
        };
        Candidate { name: player.name.clone(), spec: player.spec.clone(), tuned: overs.iter().map(value).collect() }
    }

    /// The player of the file with these values.
    ///
    /// # Errors
    /// If they are illegal together, or a constraint does not hold.
    pub(super) fn with(
        player: &Contender,
        tuned: Vec<(&'static Parameter, Value)>,
        (rules, preset): (&GameRules, Preset),
        constraints: &[Constraint],
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
        match constraints.iter().find(|constraint| !constraint.holds(&spec)) {
            Some(broken) => Err(refused(format!("{} {} does not hold", Phrase::Where, broken.text()))),
            None => Ok(Candidate { name: words, spec, tuned }),
        }
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

/// The player of the file with rows of values.
pub(super) struct Legal {
    /// Those that can play, without those that equal the player of the file or one another.
    pub candidates: Vec<Candidate>,
    /// How many rows have values that cannot play.
    pub left_out: usize,
}

/// The player of the file with each of these rows of values.
///
/// # Errors
/// If no row can play: why the first one cannot.
pub(super) fn legal(
    player: &Contender,
    overs: &[SearchRange],
    rows: Vec<Vec<Value>>,
    of: (&GameRules, Preset),
    constraints: &[Constraint],
) -> Result<Legal, TuneError> {
    let mut candidates: Vec<Candidate> = Vec::new();
    let mut known = HashSet::from([player.spec.description()]);
    let (count, mut left_out, mut first) = (rows.len(), 0, None);
    for values in rows {
        let tuned = overs.iter().zip(values).map(|(over, value)| (over.parameter, value));
        match Candidate::with(player, tuned.collect(), of, constraints) {
            Ok(candidate) if known.insert(candidate.spec.description()) => candidates.push(candidate),
            Ok(_) => {}
            Err(error) => {
                left_out += 1;
                first.get_or_insert(error);
            }
        }
    }
    match first {
        Some(error) if left_out == count => Err(error),
        _ => Ok(Legal { candidates, left_out }),
    }
}

#[cfg(test)]
mod tests {
    use super::super::over::Choice;
    use super::super::points::{combinations, hypercubes, sequence};
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
        let overs: Vec<SearchRange> = over.iter().map(|over| SearchRange::parse(over, &player.spec).unwrap()).collect();
        let rules = (&experiment.rules, experiment.preset);
        let choices: Vec<&Choice> = overs.iter().map(|over| &over.choice).collect();
        let rows = hypercubes(&choices, points, &mut Key::series("tune", 1).stream());
        legal(&player, &overs, rows, rules, &[]).unwrap().candidates
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

    /// Whether no part of the range from 0 to 1 that is three times the mean gap is empty.
    fn is_spread(mut places: Vec<f64>) -> bool {
        let widest = 3.0 / places.len() as f64;
        places.extend([0.0, 1.0]);
        places.sort_by(f64::total_cmp);
        places.windows(2).all(|pair| pair[1] - pair[0] < widest)
    }

    #[test]
    fn every_combination_of_a_sequence_is_spread() {
        let range = Choice::Range { low: 0.0, high: 1.0, whole: false };
        for words in [2, 12, 15, 29, 41] {
            let list = Choice::List((0..words).map(Value::Count).collect());
            for place in 0..4 {
                let mut choices = vec![&range; 4];
                choices.push(&list);
                let rows = sequence(&choices, &mut Key::series("tune", words).stream());
                for word in 0..words {
                    let own = rows.iter().filter(|row| row[4] == Value::Count(word));
                    let places = own.map(|row| range.coordinate(&row[place]).unwrap()).collect();
                    assert!(is_spread(places), "{words} words, range {place}, word {word}");
                }
            }
        }
    }

    #[test]
    fn every_beginning_of_a_sequence_is_spread() {
        let (_, player) = player();
        let overs = ["k=0.01..100", "final=mean,visits"].map(|over| SearchRange::parse(over, &player.spec).unwrap());
        let choices = [&overs[0].choice, &overs[1].choice];
        let rows = sequence(&choices, &mut Key::series("tune", 1).stream());
        assert_eq!(rows.len(), 128);
        let places: Vec<f64> = rows.iter().map(|row| choices[0].coordinate(&row[0]).unwrap()).collect();
        for count in [8, 16, 40, 128] {
            let words: Vec<f64> = rows[..count].iter().map(|row| choices[1].coordinate(&row[1]).unwrap()).collect();
            assert_eq!(words.iter().sum::<f64>(), count as f64 / 2.0);
            // No part of the range that is three times the mean gap is empty, for each of the words.
            for word in [0.0, 1.0] {
                let own = places.iter().zip(&words).filter(|(_, other)| **other == word).map(|(place, _)| *place);
                assert!(is_spread(own.collect()), "{count}");
            }
        }
        assert_eq!(combinations(&choices), 2);
        let lists = sequence(&[&overs[1].choice], &mut Key::series("tune", 1).stream());
        assert_eq!(lists.len(), 2);
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
        let over = SearchRange::parse("decks=2,3", &player.spec).unwrap();
        let rules = (&experiment.rules, experiment.preset);
        let rows = hypercubes(&[&over.choice], 1, &mut Key::series("tune", 1).stream());
        let refused = legal(&player, &[over], rows, rules, &[]).map(drop).unwrap_err().to_string();
        assert!(refused.starts_with("mcts:iterations=5 with decks=2 cannot play: decks"), "{refused}");
    }

    #[test]
    fn rows_that_cannot_play_are_left_out() {
        let (experiment, player) = player();
        let overs = ["k=0.1..3", "final=mean,visits"].map(|over| SearchRange::parse(over, &player.spec).unwrap());
        let rules = (&experiment.rules, experiment.preset);
        let choices: Vec<&Choice> = overs.iter().map(|over| &over.choice).collect();
        let rows = hypercubes(&choices, 8, &mut Key::series("tune", 1).stream());
        let constraint = |text| Constraint::parse(text, &player.spec).unwrap();
        let found = legal(&player, &overs, rows.clone(), rules, &[constraint("k < 1 or final = visits")]).unwrap();
        assert_eq!(found.candidates.len() + found.left_out, 16);
        // On a logarithmic scale a third of the range lies above 1.
        assert!((2..=3).contains(&found.left_out), "{}", found.left_out);
        let (few, many) = (constraint("k < 1"), constraint("k > 1"));
        let refused = legal(&player, &overs, rows, rules, &[few, many]).map(drop).unwrap_err().to_string();
        assert!(refused.contains("cannot play: where k ") && refused.ends_with(" does not hold"), "{refused}");
    }
}
