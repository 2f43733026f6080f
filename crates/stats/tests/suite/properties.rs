//! What must hold for any input: symmetries, bounds, brute force, and that no input panics or yields NaN.

use std::fmt::Debug;

use evouct_stats::bootstrap::{bootstrap_each, mean};
use evouct_stats::cycle::{DecidedGames, shortest_cycle};
use evouct_stats::describe::describe;
use evouct_stats::effect::{a12, cohen_d, cohen_dz};
use evouct_stats::holm::holm;
use evouct_stats::permutation::sign_flip;
use evouct_stats::points::{Match, table};
use evouct_stats::proportion::wilson;
use evouct_stats::quantiles::{box_plot, quantile};
use evouct_stats::ratings::{Encounter, ratings};
use evouct_stats::sprt::{EloModel, PairCounts, Sprt, SprtDecision};
use evouct_stats::t_test::{differences, paired, welch};
use evouct_stats::wilcoxon::wilcoxon;
use evouct_stats::{Summary, Unavailable};
use proptest::collection::vec;
use proptest::prelude::*;
use proptest::test_runner::RngSeed;
use rand_chacha::ChaCha8Rng;
use rand_chacha::rand_core::SeedableRng;

fn rng(seed: u64) -> ChaCha8Rng {
    ChaCha8Rng::seed_from_u64(seed)
}

/// Scores of a game and their halves, where ties abound.
fn scores(size: impl Into<proptest::collection::SizeRange>) -> impl Strategy<Value = Vec<f64>> {
    vec((-60_i32..60).prop_map(|x| f64::from(x) / 2.0), size)
}

/// All kinds of doubles, mainly those at the ends of the range and ordinary scores.
fn any_double() -> impl Strategy<Value = f64> {
    let extremes = [f64::MAX, f64::MIN, f64::MIN_POSITIVE, 5e-324, 1e-160, 1e154, 1e160, -0.0, f64::INFINITY, f64::NAN];
    prop_oneof![
        8 => (-60_i32..60).prop_map(f64::from),
        2 => prop::sample::select(extremes.to_vec()),
        1 => prop::num::f64::ANY,
    ]
}

fn near(a: f64, b: f64, tolerance: f64) -> bool {
    (a - b).abs() <= tolerance * (1.0 + a.abs().max(b.abs()))
}

/// Whether a result is a reason or holds numbers alone: Rust writes the others as NaN and inf, whatever holds them.
fn all_finite(result: &Result<impl Debug, Unavailable>) -> bool {
    result.as_ref().map_or(true, |value| {
        let text = format!("{value:?}");
        !text.contains("NaN") && !text.contains("inf")
    })
}

fn played(players: usize) -> impl Strategy<Value = Vec<Match>> {
    let pairs =
        (0..players).flat_map(move |home| (0..players).filter(move |&away| away != home).map(move |a| (home, a)));
    let pairs: Vec<(usize, usize)> = pairs.collect();
    vec((0_u64..16, 0_u64..16, 0_u64..4, -200_i32..200), pairs.len()).prop_map(move |cells| {
        pairs
            .iter()
            .zip(cells)
            .map(|(&(home, away), (home_wins, away_wins, draws, sum))| {
                let difference_sum = if home_wins + away_wins + draws == 0 { 0.0 } else { f64::from(sum) };
                Match { home, away, home_wins, away_wins, draws, difference_sum }
            })
            .collect()
    })
}

fn decided(players: usize) -> impl Strategy<Value = Vec<DecidedGames>> {
    vec((0..players, 1..players, 0_u64..4, 0_u64..4), 0..20).prop_map(move |entries| {
        entries
            .into_iter()
            .map(|(a, step, a_wins, b_wins)| DecidedGames { a, b: (a + step) % players, a_wins, b_wins })
            .collect()
    })
}

proptest! {
    // The same cases every time; PROPTEST_CASES widens the search.
    #![proptest_config(ProptestConfig {
        rng_seed: RngSeed::Fixed(2022),
        failure_persistence: None,
        ..Default::default()
    })]

    #[test]
    fn summaries_merge_in_any_order(a in scores(0..30), b in scores(0..30), c in scores(1..30)) {
        let whole = Summary::of(&[a.clone(), b.clone(), c.clone()].concat());
        let [a, b, c] = [a, b, c].map(|part| part.into_iter().collect::<Summary>());
        for merged in [a + b + c, c + (b + a), b + (c + a)] {
            prop_assert_eq!(merged.count(), whole.count());
            prop_assert!(near(merged.mean().unwrap(), whole.mean().unwrap(), 1e-12));
            if whole.count() > 1 {
                prop_assert!(near(merged.variance().unwrap(), whole.variance().unwrap(), 1e-12));
            }
        }
    }

    #[test]
    fn descriptions_follow_shift_and_scale(values in scores(2..40), shift in -100.0..100.0, scale in 0.1..10.0) {
        let plain = describe(&Summary::of(&values)).unwrap();
        let moved: Vec<f64> = values.iter().map(|x| x * scale + shift).collect();
        let moved = describe(&Summary::of(&moved)).unwrap();
        prop_assert!(near(moved.mean, plain.mean * scale + shift, 1e-10));
        prop_assert!(near(moved.sd.unwrap(), plain.sd.unwrap() * scale, 1e-10));
        prop_assert!(near(moved.interval.unwrap().low, plain.interval.unwrap().low * scale + shift, 1e-10));
    }

    #[test]
    fn t_tests_mirror(a in scores(2..30), b in scores(2..30)) {
        let (a, b) = (Summary::of(&a), Summary::of(&b));
        let (there, back) = (welch(&a, &b).unwrap(), welch(&b, &a).unwrap());
        prop_assert!(near(there.p, back.p, 1e-12) && there.difference == -back.difference);
        prop_assert_eq!(there.interval.is_some(), there.df.is_some());
        if let (Some(df), Some(ends), Some(mirrored)) = (there.df, there.interval, back.interval) {
            prop_assert!(near(ends.low, -mirrored.high, 1e-12));
            let (m, n) = (a.count() as f64 - 1.0, b.count() as f64 - 1.0);
            prop_assert!(df >= m.min(n) * (1.0 - 1e-12) && df <= (m + n) * (1.0 + 1e-12));
            // p below 5 % and an interval without 0 are the same statement.
            let outside = ends.low > 0.0 || ends.high < 0.0;
            prop_assert!(outside == (there.p < 0.05) || near(there.p, 0.05, 1e-9));
        }
    }

    #[test]
    fn pairing_with_a_constant_is_the_one_sample_test(values in scores(2..30), shift in -50_i32..50) {
        let shifted: Vec<f64> = values.iter().map(|x| x + f64::from(shift)).collect();
        let test = paired(&Summary::of(&differences(&shifted, &values).unwrap())).unwrap();
        prop_assert!(test.zero_variance && test.difference == f64::from(shift));
        // Two of all assignments of signs are as extreme.
        prop_assert_eq!(test.p, if shift == 0 { 1.0 } else { 2.0 / 2.0_f64.powi(values.len() as i32) });
    }

    #[test]
    fn holm_lies_between_p_and_bonferroni(family in vec(proptest::option::of(0.0..=1.0), 0..20)) {
        let adjusted = holm(&family).unwrap();
        let size = family.iter().flatten().count() as f64;
        for (p, q) in family.iter().zip(&adjusted) {
            prop_assert_eq!(p.is_some(), q.is_some());
            if let (Some(p), Some(q)) = (p, q) {
                prop_assert!(q >= p && *q <= (p * size).min(1.0));
            }
        }
        for (p, q) in family.iter().zip(&adjusted) {
            for (r, s) in family.iter().zip(&adjusted) {
                prop_assert!(p > r || p.is_none() || q <= s, "order is kept");
            }
        }
    }

    #[test]
    fn points_are_conserved(matches in played(5)) {
        let rows = table(5, &matches).unwrap();
        let total = |of: fn(&evouct_stats::points::Row) -> u64| rows.iter().map(of).sum::<u64>();
        let games = |m: &&Match| m.home_wins + m.away_wins + m.draws > 0;
        let count = matches.iter().filter(games).count() as u64;
        prop_assert_eq!(total(|r| r.points), 4 * count + total(|r| r.bwp) + total(|r| r.blp));
        prop_assert_eq!(total(|r| r.wins), total(|r| r.losses));
        prop_assert_eq!(total(|r| r.wins) + total(|r| r.losses) + total(|r| r.draws), 2 * count);
        prop_assert!(rows.iter().map(|r| r.pd).sum::<f64>().abs() < 1e-9);
        for row in &rows {
            prop_assert_eq!(row.points, 4 * row.wins + 2 * row.draws + row.bwp + row.blp);
        }
        for pair in rows.windows(2) {
            let key = |r: &evouct_stats::points::Row| (r.points, r.wins);
            prop_assert!(key(&pair[0]) > key(&pair[1]) || (key(&pair[0]) == key(&pair[1]) && pair[0].pd >= pair[1].pd));
        }
    }

    #[test]
    fn tables_forget_the_order_and_follow_the_players(matches in played(4).prop_shuffle(), turn in 0_usize..4) {
        let rows = table(4, &matches).unwrap();
        let mut sorted = matches.clone();
        sorted.sort_by_key(|m| (m.home, m.away));
        prop_assert_eq!(&table(4, &sorted).unwrap(), &rows);
        let turned: Vec<Match> =
            matches.iter().map(|m| Match { home: (m.home + turn) % 4, away: (m.away + turn) % 4, ..*m }).collect();
        let mut turned = table(4, &turned).unwrap();
        turned.iter_mut().for_each(|row| row.player = (row.player + 4 - turn) % 4);
        turned.sort_by_key(|row| row.player);
        let mut rows = rows;
        rows.sort_by_key(|row| row.player);
        prop_assert_eq!(turned, rows);
    }

    #[test]
    fn wilson_holds_its_estimate_and_mirrors((k, n) in (1_u64..5_000).prop_flat_map(|n| (0..=n, Just(n)))) {
        let (p, q) = (wilson(k, n).unwrap(), wilson(n - k, n).unwrap());
        prop_assert!(0.0 <= p.interval.low && p.interval.high <= 1.0);
        prop_assert!(p.interval.low <= p.estimate && p.estimate <= p.interval.high && p.interval.low < p.interval.high);
        prop_assert!(near(p.interval.low, 1.0 - q.interval.high, 1e-12));
    }

    #[test]
    fn intervals_of_resamples_lie_within_the_values(values in scores(2..12), seed: u64) {
        let found = mean(&values, 50, &mut rng(seed)).unwrap();
        let low = values.iter().copied().fold(f64::MAX, f64::min);
        let high = values.iter().copied().fold(f64::MIN, f64::max);
        prop_assert!([low, found.interval.low, found.interval.high, high].is_sorted());
    }

    #[test]
    fn resamples_are_as_large_as_the_sample_and_within_it(units in 2_usize..40, seed: u64) {
        let mut calls = 0;
        bootstrap_each(units, 20, &mut rng(seed), |indices| {
            calls += 1;
            assert!(indices.len() == units && indices.iter().all(|&i| i < units));
            Some(vec![])
        })
        .unwrap();
        prop_assert_eq!(calls, 21);
    }

    #[test]
    fn sign_flips_mirror_and_scale(values in scores(1..14), scale in 1_i32..9) {
        let p = |values: &[f64]| sign_flip(values, 1, &mut rng(1)).unwrap().p;
        let plain = p(&values);
        prop_assert!(plain > 0.0 && plain <= 1.0);
        prop_assert_eq!(p(&values.iter().map(|x| -x).collect::<Vec<_>>()), plain);
        prop_assert_eq!(p(&values.iter().map(|x| x * f64::from(scale) / 7.0).collect::<Vec<_>>()), plain);
    }

    #[test]
    fn exact_sign_flips_agree_with_counting(values in scores(1..9)) {
        let observed = values.iter().sum::<f64>().abs();
        let sum = |signs: u32| -> f64 {
            values.iter().enumerate().map(|(i, x)| if signs >> i & 1 == 0 { *x } else { -x }).sum()
        };
        let all = 1_u32 << values.len();
        let extreme = (0..all).filter(|&signs| sum(signs).abs() >= observed).count();
        prop_assert_eq!(sign_flip(&values, 1, &mut rng(1)).unwrap().p, extreme as f64 / f64::from(all));
    }

    #[test]
    fn signed_ranks_mirror_and_ignore_zeros(values in scores(1..70)) {
        let found = wilcoxon(&values).unwrap();
        let mirrored = wilcoxon(&values.iter().map(|x| -x).collect::<Vec<_>>()).unwrap();
        prop_assert_eq!((found.rank_sum_positive, found.p), (mirrored.rank_sum_negative, mirrored.p));
        prop_assert_eq!(wilcoxon(&[values, vec![0.0; 3]].concat()).unwrap(), found);
        let n = found.count as f64;
        prop_assert_eq!(found.rank_sum_positive + found.rank_sum_negative, n * (n + 1.0) / 2.0);
    }

    #[test]
    fn exact_signed_ranks_agree_with_counting(signs in vec(any::<bool>(), 1..11)) {
        let signed = |(i, &plus): (i32, &bool)| f64::from(if plus { i } else { -i });
        let values: Vec<f64> = (1..).zip(&signs).map(signed).collect();
        let smaller = |subset: u32| {
            let sum: usize = (0..signs.len()).filter(|i| subset >> i & 1 == 1).map(|i| i + 1).sum();
            sum.min(signs.len() * (signs.len() + 1) / 2 - sum)
        };
        let observed = smaller((0..).zip(&signs).map(|(i, &plus)| u32::from(plus) << i).sum());
        let all = 1_u32 << signs.len();
        let extreme = (0..all).filter(|&subset| smaller(subset) <= observed).count();
        prop_assert_eq!(wilcoxon(&values).unwrap().p, extreme as f64 / f64::from(all));
    }

    #[test]
    fn a12_agrees_with_counting(a in scores(1..15), b in scores(1..15)) {
        let won = |x: f64, y: f64| f64::from(x > y) / 2.0 + f64::from(x >= y) / 2.0;
        let won: f64 = a.iter().flat_map(|&x| b.iter().map(move |&y| won(x, y))).sum();
        let found = a12(&a, &b).unwrap();
        prop_assert!(near(found, won / (a.len() * b.len()) as f64, 1e-12));
        prop_assert!(near(a12(&b, &a).unwrap(), 1.0 - found, 1e-12));
    }

    #[test]
    fn effects_do_not_depend_on_the_unit(a in scores(2..20), b in scores(2..20), scale in 0.1..10.0) {
        let d = |scale: f64| {
            let scaled = |values: &[f64]| Summary::of(&values.iter().map(|x| x * scale).collect::<Vec<_>>());
            (cohen_d(&scaled(&a), &scaled(&b)), cohen_dz(&scaled(&a)))
        };
        let ((d1, z1), (d2, z2)) = (d(1.0), d(scale));
        for (plain, scaled) in [(d1, d2), (z1, z2)] {
            match (plain, scaled) {
                (Ok(plain), Ok(scaled)) => prop_assert!(near(plain, scaled, 1e-9)),
                (plain, scaled) => prop_assert_eq!(plain, scaled),
            }
        }
    }

    #[test]
    fn ratings_follow_the_players(cells in vec((0_u32..9, 0_u32..9), 6), turn in 0_usize..4, prior in 0.1..3.0) {
        let pairs = [(0, 1), (0, 2), (0, 3), (1, 2), (1, 3), (2, 3)];
        let encounters = |turn: usize| -> Vec<Encounter> {
            let of = |((a, b), (x, y)): (&(usize, usize), &(u32, u32))| Encounter {
                a: (a + turn) % 4,
                b: (b + turn) % 4,
                a_score: f64::from(*x) / 2.0,
                b_score: f64::from(*y) / 2.0,
            };
            pairs.iter().zip(&cells).map(of).collect()
        };
        let plain = ratings(4, &encounters(0), prior).unwrap();
        let turned = ratings(4, &encounters(turn), prior).unwrap();
        prop_assert!(plain.elo.iter().sum::<f64>().abs() < 1e-9);
        for player in 0..4 {
            prop_assert!(near(plain.elo[player], turned.elo[(player + turn) % 4], 1e-8));
        }
        // Without a prior the answer exists exactly where the results connect the players, and then more prior pulls
        // in.
        match ratings(4, &encounters(0), 0.0) {
            Ok(free) => {
                prop_assert!(plain.connected);
                let spread = |elo: &[f64]| elo.iter().map(|x| x * x).sum::<f64>();
                prop_assert!(spread(&free.elo) >= spread(&plain.elo) * (1.0 - 1e-9));
            }
            Err(Unavailable::Disconnected { group }) => {
                prop_assert!(!plain.connected && !group.is_empty() && group.len() < 4);
                for e in encounters(0) {
                    let scored = |from: usize, to: usize, score: f64| {
                        group.contains(&from) && !group.contains(&to) && score > 0.0
                    };
                    prop_assert!(!scored(e.a, e.b, e.a_score) && !scored(e.b, e.a, e.b_score));
                }
            }
            Err(other) => prop_assert!(false, "{other}"),
        }
    }

    #[test]
    fn cycles_are_cycles_and_none_is_shorter(results in decided(6).prop_shuffle()) {
        let margin = |winner: usize, loser: usize| {
            results.iter().fold(0_i64, |sum, r| {
                let difference = r.a_wins as i64 - r.b_wins as i64;
                let sign = i64::from((r.a, r.b) == (winner, loser)) - i64::from((r.b, r.a) == (winner, loser));
                sum + sign * difference
            })
        };
        // Length of the shortest walk from a player back to itself, by powers of the relation.
        let mut walks: Vec<Vec<bool>> = (0..6).map(|i| (0..6).map(|j| i == j).collect()).collect();
        let mut shortest = None;
        for length in 1..=6 {
            walks = (0..6).map(|i| (0..6).map(|j| (0..6).any(|k| walks[i][k] && margin(k, j) > 0)).collect()).collect();
            if shortest.is_none() && (0..6).any(|i| walks[i][i]) {
                shortest = Some(length);
            }
        }
        let found = shortest_cycle(6, &results, |_| true).unwrap();
        prop_assert_eq!(found.as_ref().map(Vec::len), shortest);
        if let Some(cycle) = found {
            prop_assert_eq!(cycle.iter().min(), cycle.first());
            for (i, &player) in cycle.iter().enumerate() {
                prop_assert!(margin(player, cycle[(i + 1) % cycle.len()]) > 0);
            }
        }
    }

    #[test]
    fn ratio_test_mirrors_and_decides_by_its_bounds(
        pairs in prop::array::uniform5(0_u64..400),
        elo in 0.5..50.0_f64,
        normalised: bool,
    ) {
        let model = if normalised { EloModel::Normalised } else { EloModel::Logistic };
        let verdict = Sprt::new(model, -elo, 2.0 * elo, 0.05, 0.1).unwrap().judge(PairCounts(pairs));
        let mut reversed = pairs;
        reversed.reverse();
        let mirrored = Sprt::new(model, -2.0 * elo, elo, 0.1, 0.05).unwrap().judge(PairCounts(reversed));
        prop_assert!(near(verdict.llr, -mirrored.llr, 1e-9));
        let expected = if verdict.llr >= verdict.upper {
            SprtDecision::AcceptH1
        } else if verdict.llr <= verdict.lower {
            SprtDecision::AcceptH0
        } else {
            SprtDecision::Continue
        };
        prop_assert_eq!(verdict.decision, expected);
    }

    #[test]
    fn quantiles_rise_and_stay_inside(mut values in scores(1..30), p in 0.0..=1.0, q in 0.0..=1.0) {
        values.sort_by(f64::total_cmp);
        let at = |q: f64| quantile(&values, q).unwrap();
        prop_assert!(at(f64::min(p, q)) <= at(f64::max(p, q)));
        prop_assert_eq!((at(0.0), at(1.0)), (values[0], values[values.len() - 1]));
        let plot = box_plot(&values).unwrap();
        let five = [plot.min, plot.whisker_low, plot.q1, plot.median, plot.q3, plot.whisker_high, plot.max];
        prop_assert!(five.is_sorted(), "{five:?}");
        let outside = values.iter().filter(|x| **x < plot.whisker_low || **x > plot.whisker_high).count();
        prop_assert_eq!(outside, plot.outliers.len());
    }

    #[test]
    fn no_double_panics_or_yields_nan(a in vec(any_double(), 0..12), b in vec(any_double(), 0..12), seed: u64) {
        let (x, y) = (Summary::of(&a), b.iter().copied().collect::<Summary>());
        let d = differences(&a, &b).unwrap_or_default();
        prop_assert!(all_finite(&describe(&x)));
        prop_assert!(all_finite(&describe(&(x + y))));
        prop_assert!(all_finite(&welch(&x, &y)));
        prop_assert!(all_finite(&paired(&Summary::of(&d))));
        prop_assert!(all_finite(&wilcoxon(&a)));
        prop_assert!(all_finite(&a12(&a, &b)));
        prop_assert!(all_finite(&cohen_d(&x, &y)) && all_finite(&cohen_dz(&y)));
        prop_assert!(all_finite(&box_plot(&a)));
        prop_assert!(all_finite(&mean(&a, 10, &mut rng(seed))));
        prop_assert!(all_finite(&sign_flip(&a, 10, &mut rng(seed))));
        let odd = |i: usize| a.get(i).copied().unwrap_or(1.0);
        let encounters = [Encounter { a: 0, b: 1, a_score: odd(0).abs(), b_score: odd(1).abs() }];
        prop_assert!(all_finite(&ratings(3, &encounters, odd(2).abs())));
        for model in [EloModel::Logistic, EloModel::Normalised] {
            let test = Sprt::new(model, odd(0), odd(1), odd(2), odd(3));
            prop_assert!(all_finite(&test.map(|test| test.judge(PairCounts([seed; 5])))));
        }
        let home = Match { home: 0, away: 1, home_wins: seed, away_wins: 3, draws: seed, difference_sum: odd(4) };
        prop_assert!(all_finite(&table(2, &[home])));
    }
}
