//! Holds the statistics to NumPy, SciPy, statsmodels and mpmath: `crates/stats/tests/oracles/make_oracles.py` writes the numbers.

use std::convert::Infallible;
use std::fs;

use evouct_stats::Summary;
use evouct_stats::bootstrap::{mean, ratio};
use evouct_stats::describe::describe;
use evouct_stats::effect::{a12, cohen_d, cohen_dz};
use evouct_stats::fisher::fisher;
use evouct_stats::holm::holm;
use evouct_stats::looks::Looks;
use evouct_stats::permutation::sign_flip;
use evouct_stats::proportion::wilson;
use evouct_stats::quantiles::box_plot;
use evouct_stats::ratings::{Encounter, ratings};
use evouct_stats::sprt::{EloModel, PairCounts, Sprt};
use evouct_stats::t_test::{TTest, differences, paired, welch};
use evouct_stats::wilcoxon::wilcoxon;
use rand::{Rng, TryRng};
use serde_json::Value;

fn oracle(file: &str, key: &str) -> Vec<Value> {
    let path = format!("{}/tests/oracles/{file}.json", env!("CARGO_MANIFEST_DIR"));
    let text = fs::read_to_string(&path).unwrap_or_else(|e| panic!("{path}: {e}"));
    let all: Value = serde_json::from_str(&text).unwrap();
    let rows = all[key].as_array().unwrap().clone();
    assert!(!rows.is_empty(), "{path} has no {key}");
    rows
}

fn number(value: &Value) -> f64 {
    value.as_f64().unwrap_or_else(|| panic!("no number: {value}"))
}

fn numbers(value: &Value) -> Vec<f64> {
    value.as_array().unwrap().iter().map(number).collect()
}

fn counts(value: &Value) -> Vec<u64> {
    value.as_array().unwrap().iter().map(|x| x.as_u64().unwrap()).collect()
}

/// A sample as it stands in the file, or the rule that makes a large one.
fn sample(value: &Value) -> Vec<f64> {
    if value.is_array() {
        return numbers(value);
    }
    let whole = |key: &str| value[key].as_u64().unwrap();
    (0..whole("n")).map(|i| (i * whole("multiplier") % whole("modulus")) as f64 * number(&value["scale"])).collect()
}

#[track_caller]
fn close(what: &str, found: f64, expected: f64, tolerance: f64) {
    let error = (found - expected).abs();
    assert!(error <= tolerance, "{what}: {found:e}, expected {expected:e}, off by {error:e}");
}

/// The promise about p-values: 1e-9 in absolute terms everywhere, and 1e-8 of the value, here down to 1e-290.
#[track_caller]
fn close_p(what: &str, found: f64, expected: f64) {
    assert!((0.0..=1.0).contains(&found), "{what}: {found} is no probability");
    close(what, found, expected, if expected > 1e-290 { 1e-8 * expected } else { 1e-298 }.min(1e-9));
}

/// Within a billionth of the larger of the value and the scale it lives on.
#[track_caller]
fn close_on_scale(what: &str, found: f64, expected: f64, scale: f64) {
    close(what, found, expected, 1e-9 * expected.abs().max(scale));
}

#[track_caller]
fn same_t_test(what: &str, found: &TTest, expected: &Value) {
    assert!(!found.zero_variance, "{what}");
    close_on_scale(what, found.t.unwrap(), number(&expected["t"]), 1e-3);
    close_on_scale(what, found.df.unwrap(), number(&expected["df"]), 0.0);
    close_p(what, found.p, number(&expected["p"]));
    let width = number(&expected["high"]) - number(&expected["low"]);
    let interval = found.interval.unwrap();
    close_on_scale(what, interval.low, number(&expected["low"]), width);
    close_on_scale(what, interval.high, number(&expected["high"]), width);
}

fn each_sample(mut check: impl FnMut(&str, &[f64], &[f64], &Value)) {
    for row in [oracle("samples", "given"), oracle("samples", "large")].concat() {
        check(row["name"].as_str().unwrap(), &sample(&row["a"]), &sample(&row["b"]), &row);
    }
}

#[test]
fn descriptions() {
    each_sample(|name, _, b, row| {
        let expected = &row["describe"];
        let streamed: Summary = b.iter().copied().collect();
        let (left, right) = b.split_at(b.len() / 3);
        for summary in [Summary::of(b), streamed, Summary::of(right) + Summary::of(left)] {
            let found = describe(&summary).unwrap();
            assert_eq!(found.count, b.len() as u64);
            let interval = found.interval.unwrap();
            let pairs = [
                ("mean", found.mean),
                ("sd", found.sd.unwrap()),
                ("standard_error", found.standard_error.unwrap()),
                ("low", interval.low),
                ("high", interval.high),
            ];
            for (key, found) in pairs {
                close_on_scale(&format!("{name}, {key}"), found, number(&expected[key]), number(&expected["sd"]));
            }
        }
    });
}

#[test]
fn welch_tests() {
    each_sample(|name, a, b, row| {
        same_t_test(name, &welch(&Summary::of(a), &Summary::of(b)).unwrap(), &row["welch"]);
    });
}

#[test]
fn paired_tests() {
    let (mut seen, mut smallest) = (0, 1.0_f64);
    each_sample(|name, a, b, row| {
        if let Some(expected) = row.get("paired") {
            let test = paired(&Summary::of(&differences(a, b).unwrap())).unwrap();
            same_t_test(name, &test, expected);
            (seen, smallest) = (seen + 1, smallest.min(test.p));
        }
    });
    assert!(seen >= 12 && smallest < 1e-150, "{seen} samples down to p = {smallest:e}");
}

#[test]
fn signed_rank_tests() {
    let (mut exact, mut approximate) = (0, 0);
    let mut check = |name: &str, differences: &[f64], expected: &Value| {
        let test = wilcoxon(differences).unwrap();
        assert_eq!(test.exact, expected["exact"].as_bool().unwrap(), "{name}");
        assert_eq!(test.count as u64, expected["count"].as_u64().unwrap(), "{name}");
        assert_eq!(test.rank_sum_positive.min(test.rank_sum_negative), number(&expected["statistic"]), "{name}");
        close_p(name, test.p, number(&expected["p"]));
        *if test.exact { &mut exact } else { &mut approximate } += 1;
    };
    each_sample(|name, a, b, row| {
        row.get("wilcoxon").into_iter().for_each(|expected| check(name, &differences(a, b).unwrap(), expected));
    });
    for row in oracle("samples", "ties") {
        check(&row["differences"].to_string(), &numbers(&row["differences"]), &row);
    }
    assert!(exact >= 70 && approximate >= 5, "{exact} exact, {approximate} approximate");
}

#[test]
fn effect_sizes() {
    each_sample(|name, a, b, row| {
        close(name, a12(a, b).unwrap(), number(&row["a12"]), 1e-12);
        let d = cohen_d(&Summary::of(a), &Summary::of(b)).unwrap();
        close_on_scale(name, d, number(&row["cohen_d"]), 1e-3);
        if let Some(expected) = row.get("cohen_dz") {
            let dz = cohen_dz(&Summary::of(&differences(a, b).unwrap())).unwrap();
            close_on_scale(name, dz, number(expected), 1e-3);
        }
    });
}

#[test]
fn box_plots() {
    each_sample(|name, _, b, row| {
        let (found, expected) = (box_plot(b).unwrap(), &row["box_plot"]);
        let pairs = [
            ("min", found.min),
            ("whisker_low", found.whisker_low),
            ("q1", found.q1),
            ("median", found.median),
            ("q3", found.q3),
            ("whisker_high", found.whisker_high),
            ("max", found.max),
        ];
        for (key, found) in pairs {
            close(&format!("{name}, {key}"), found, number(&expected[key]), 1e-15 * number(&expected[key]).abs());
        }
        assert_eq!(found.outliers.len() as u64, expected["outliers"].as_u64().unwrap(), "{name}");
    });
}

#[test]
fn holm_families() {
    for row in oracle("holm", "families") {
        let family: Vec<Option<f64>> = numbers(&row["p"]).into_iter().map(Some).collect();
        for (found, expected) in holm(&family).unwrap().iter().zip(numbers(&row["adjusted"])) {
            close_p("holm", found.unwrap(), expected);
        }
    }
}

#[test]
fn fisher_tables() {
    for row in oracle("fisher", "two_sided") {
        let line = |index: usize| -> [u64; 2] { counts(&row["table"][index]).try_into().unwrap() };
        close("fisher", fisher([line(0), line(1)]).unwrap(), number(&row["p"]), 1e-8);
    }
}

#[test]
fn wilson_intervals() {
    for row in oracle("proportion", "wilson") {
        let found = wilson(row[0].as_u64().unwrap(), row[1].as_u64().unwrap()).unwrap().interval;
        close("low", found.low, number(&row[2]), 1e-12);
        close("high", found.high, number(&row[3]), 1e-12);
    }
}

/// Replays draws, so that both languages resample alike; panics when asked for more.
struct Script(std::vec::IntoIter<u64>);

impl TryRng for Script {
    type Error = Infallible;

    fn try_next_u32(&mut self) -> Result<u32, Infallible> {
        unreachable!("resampling draws 64 bits")
    }

    fn try_next_u64(&mut self) -> Result<u64, Infallible> {
        Ok(self.0.next().expect("a draw too many"))
    }

    fn try_fill_bytes(&mut self, bytes: &mut [u8]) -> Result<(), Infallible> {
        let (words, rest) = bytes.as_chunks_mut();
        assert!(rest.is_empty(), "resampling draws 64 bits");
        words.iter_mut().for_each(|word| *word = self.next_u64().to_le_bytes());
        Ok(())
    }
}

#[test]
fn sign_flip_tests() {
    for row in oracle("permutation", "sign_flip") {
        let mut script = Script(counts(&row["draws"]).into_iter());
        let samples = row["samples"].as_u64().unwrap() as usize;
        let differences = numbers(&row["differences"]);
        let found = sign_flip(&differences, samples, &mut script).unwrap();
        assert_eq!(script.0.len(), 0, "draws left over");
        close(&format!("{differences:?}"), found.p, number(&row["p"]), 1e-15);
    }
}

#[test]
fn exact_tests_of_pairs() {
    for row in oracle("paired", "exact") {
        let differences = numbers(&row["differences"]);
        let (what, test) = (format!("{differences:?}"), evouct_stats::paired::paired(&differences, Some(1.0)).unwrap());
        assert!(test.exact && test.t.is_none(), "{what}");
        close_p(&what, test.p, number(&row["p"]));
        let interval = test.interval.unwrap();
        close(&what, interval.low, number(&row["low"]), 1e-12);
        close(&what, interval.high, number(&row["high"]), 1e-12);
    }
}

#[test]
fn bootstrap_intervals() {
    for row in oracle("bootstrap", "percentile") {
        let script = || Script(counts(&row["draws"]).into_iter());
        let (values, weights) = (numbers(&row["values"]), numbers(&row["weights"]));
        let resamples = row["resamples"].as_u64().unwrap() as usize;
        let found = mean(&values, resamples, &mut script()).unwrap().interval;
        close("mean, low", found.low, number(&row["mean"][0]), 1e-13);
        close("mean, high", found.high, number(&row["mean"][1]), 1e-13);
        let found = ratio(&values, &weights, resamples, &mut script()).unwrap().interval;
        close("ratio, low", found.low, number(&row["ratio"][0]), 1e-13);
        close("ratio, high", found.high, number(&row["ratio"][1]), 1e-13);
    }
}

#[test]
fn league_ratings() {
    for row in oracle("ratings", "leagues") {
        let encounters: Vec<Encounter> = row["encounters"]
            .as_array()
            .unwrap()
            .iter()
            .map(|e| Encounter {
                a: e[0].as_u64().unwrap() as usize,
                b: e[1].as_u64().unwrap() as usize,
                a_score: number(&e[2]),
                b_score: number(&e[3]),
            })
            .collect();
        let players = row["players"].as_u64().unwrap() as usize;
        let found = ratings(players, &encounters, number(&row["prior"])).unwrap();
        for (found, expected) in found.elo.iter().zip(numbers(&row["elo"])) {
            close("elo", *found, expected, 1e-9);
        }
    }
}

#[test]
fn likelihood_ratios() {
    for row in oracle("sprt", "logistic") {
        let pairs: [u64; 5] = counts(&row["pairs"]).try_into().unwrap();
        let test = Sprt::new(EloModel::Logistic, number(&row["elo0"]), number(&row["elo1"]), 0.05, 0.05).unwrap();
        let expected = number(&row["llr"]);
        // The ratio is a sum over pairs of terms near 1, which may cancel.
        let tolerance = 1e-9 * expected.abs().max(1.0) + 1e-15 * pairs.iter().sum::<u64>() as f64;
        close(&row.to_string(), test.judge(PairCounts(pairs)).llr, expected, tolerance);
    }
}

#[test]
fn significant_at_looks() {
    for row in oracle("looks", "significant") {
        let looks = Looks::new(row["looks"].as_u64().unwrap() as usize).unwrap();
        let level = number(&row["level"]);
        for (look, expected) in (1..).zip(numbers(&row["p"])) {
            let found = looks.nominal(look, level);
            // Between two levels of its table.
            close(&format!("look {look} of {row}"), found, expected, 2e-3 * expected);
            close(&row.to_string(), looks.repeated(look, found), level, 1e-9);
        }
    }
}

#[test]
fn courses_at_looks() {
    for row in oracle("looks", "courses") {
        let looks = Looks::new(row["looks"].as_u64().unwrap() as usize).unwrap();
        let (level, drift) = (number(&row["level"]), number(&row["drift"]));
        let found = looks.course(level, drift);
        let [power, share] = numbers(&row["course"])[..] else { panic!("{row}") };
        // As exact as the p-values that are significant.
        close(&row.to_string(), found.power, power, 2e-3 * power);
        close(&row.to_string(), found.share, share, 1e-4);
        if found.power > 0.5 {
            // What is planned for this power has this drift.
            let without = evouct_stats::power::units(1e-3, level, found.power).unwrap() as f64;
            let planned = (drift / 1e-3) * (drift / 1e-3);
            close(&row.to_string(), looks.inflation(level, found.power), planned / without, 1e-4);
        }
    }
}
