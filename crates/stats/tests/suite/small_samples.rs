//! Exact tests of small samples against the enumeration of all assignments of signs, and records against better ones.

use evouct_stats::paired::paired;
use evouct_stats::permutation::sign_flip;
use evouct_stats::wilcoxon::wilcoxon;
use rand::RngExt;
use rand_chacha::ChaCha8Rng;
use rand_chacha::rand_core::SeedableRng;

/// 500 samples of 1 to 10 differences by halves between -1 and 1 times a scale: ties and zeros abound, and every fifth
/// sample is a perfect record, with a unit or two that are less or not.
fn samples() -> Vec<Vec<f64>> {
    let mut rng = ChaCha8Rng::seed_from_u64(63);
    let mut sample = |number: usize| -> Vec<f64> {
        let (count, scale) = (rng.random_range(1..=10), f64::from(rng.random_range(1..=3)));
        let mut values: Vec<f64> = (0..count).map(|_| f64::from(rng.random_range(-2..=2)) / 2.0).collect();
        if number.is_multiple_of(5) {
            let perfect = values.len() - (number / 5 % 3).min(values.len() - 1);
            values[..perfect].fill(1.0);
        }
        values.iter().map(|value| value * scale).collect()
    };
    (0..500).map(&mut sample).collect()
}

/// The share of the assignments of signs to these values whose sum is at least as far from 0 as that of the sample.
fn enumerated(signed: &[f64]) -> f64 {
    let observed = signed.iter().sum::<f64>().abs();
    let sum = |signs: u32| -> f64 {
        signed.iter().enumerate().map(|(place, value)| if signs >> place & 1 == 0 { *value } else { -value }).sum()
    };
    let all = 1_u32 << signed.len();
    (0..all).filter(|signs| sum(*signs).abs() >= observed).count() as f64 / f64::from(all)
}

/// The differences other than 0 as their signed midranks, by counting.
fn signed_midranks(values: &[f64]) -> Vec<f64> {
    let sizes: Vec<f64> = values.iter().map(|value| value.abs()).filter(|size| *size > 0.0).collect();
    let rank = |size: f64| {
        let [below, equal] = [|other: f64, size| other < size, |other: f64, size| other == size]
            .map(|is: fn(f64, f64) -> bool| sizes.iter().filter(|other| is(**other, size)).count() as f64);
        below + (equal + 1.0) / 2.0
    };
    values.iter().filter(|value| **value != 0.0).map(|value| value.signum() * rank(value.abs())).collect()
}

#[test]
fn exact_tests_agree_with_enumeration() {
    let samples = samples();
    for values in &samples {
        let ranked = wilcoxon(values).unwrap();
        assert!(ranked.exact && ranked.p == enumerated(&signed_midranks(values)), "{values:?}: {ranked:?}");
        let flipped = sign_flip(values, 1, &mut ChaCha8Rng::seed_from_u64(1)).unwrap();
        assert!(flipped.exact && flipped.p == enumerated(values), "{values:?}: {flipped:?}");
    }
    for values in samples.iter().filter(|values| values.len() > 1) {
        let test = paired(values, Some(3.0)).unwrap();
        assert!(test.exact && test.p == enumerated(values), "{values:?}: {test:?}");
        let ends = test.interval.unwrap();
        assert!(-3.0 <= ends.low && ends.low <= test.difference && test.difference <= ends.high && ends.high <= 3.0);
        // The test and its interval say the same, about 0 and about any other mean of differences that vary.
        assert_eq!(ends.low > 0.0 || ends.high < 0.0, test.p < 0.05, "{values:?}: {test:?}");
        for other in (-13..13).map(|step| f64::from(step) / 4.0).filter(|_| !test.zero_variance) {
            let less: Vec<f64> = values.iter().map(|value| value - other).collect();
            let outside = other < ends.low || other > ends.high;
            assert!(outside == (enumerated(&less) < 0.05) || other.abs() > 3.0, "{values:?} less {other}: {ends:?}");
        }
    }
    let has = |is: fn(&Vec<f64>) -> bool| samples.iter().filter(|values| is(values)).count();
    assert!(has(|values| values.contains(&0.0)) > 200);
    assert!(has(|values| values.len() > 2 && values.iter().all(|value| *value == values[0] && *value > 0.0)) > 20);
}

/// A unit of a record that is better, in steps of half a game: the p-value falls or stays, and so does what it shows.
#[test]
fn a_better_record_is_never_less_significant() {
    let mut risen = 0;
    for values in samples().iter().filter(|values| values.len() > 1 && values.iter().sum::<f64>() > 0.0) {
        let worth = 3.0;
        let test = paired(values, Some(worth)).unwrap();
        for unit in 0..values.len() {
            let mut better = values.clone();
            while better[unit] < worth {
                better[unit] += 0.5;
                let found = paired(&better, Some(worth)).unwrap();
                assert!(found.p <= test.p, "{values:?} {}, {better:?} {}", test.p, found.p);
                risen += 1;
            }
        }
    }
    assert!(risen > 1_000);
}
