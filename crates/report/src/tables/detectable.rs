//! What the data could have shown where they show nothing.

use evouct_base::grouped::grouped;
use evouct_stats::SIGNIFICANCE_LEVEL;
use evouct_stats::t_test::TTest;

/// The probability with which a difference that is called detectable would have been shown.
const POWER: f64 = 0.8;

/// The smallest true difference that tests which are not significant would have found with the probability 80 %, in a
/// sentence: at the level that Holm's correction leaves to these tests and to `not_listed` others of their family.
/// `between` says whose difference, and `possible` how large it can be, where that is known. None without such a test, and
/// where no result varies.
pub fn detectable<'a>(
    between: &str,
    open: impl Iterator<Item = &'a TTest>,
    not_listed: usize,
    possible: Option<f64>,
) -> Option<String> {
    let open: Vec<&TTest> = open.collect();
    detectable_at(SIGNIFICANCE_LEVEL / (open.len() + not_listed) as f64, between, open.into_iter(), possible)
}

/// The same for tests at a level.
pub(super) fn detectable_at<'a>(
    level: f64,
    between: &str,
    open: impl Iterator<Item = &'a TTest>,
    possible: Option<f64>,
) -> Option<String> {
    let sizes: Vec<f64> = open.filter_map(|test| test.detectable(level, POWER)).collect();
    let largest = possible.unwrap_or(f64::MAX);
    let found = || sizes.iter().copied().filter(|size| *size <= largest);
    let none = sizes.len() - found().count();
    let (least, most) = found().fold((f64::INFINITY, 0.0_f64), |(least, most), size| (least.min(size), most.max(size)));
    let cases = format!("would be shown in {:.0} % of cases", 100.0 * POWER);
    if most == 0.0 {
        return (none > 0).then(|| format!("With these data no possible difference{between} {cases}."));
    }
    let [least, most] = [least, most].map(size);
    let (size, by) = match least == most {
        true => (most, ""),
        false => (format!("{least} to {most}"), ", depending on the pair,"),
    };
    let others = match none {
        0 => String::new(),
        _ => format!(", and for {none} of {} pairs no possible one", sizes.len()),
    };
    Some(format!("With these data a true difference{between} of {size} points per game{by} {cases}{others}."))
}

/// A size as a reader needs it: two or three significant digits.
fn size(value: f64) -> String {
    let digits = value.log10().floor() as i32;
    match digits {
        2.. => {
            let unit = 10_f64.powi(digits - 2);
            grouped(((value / unit).round() * unit) as u64)
        }
        _ if value > 0.0 => format!("{value:.*}", (1 - digits).max(1) as usize),
        _ => "0".to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::{detectable, size};
    use evouct_stats::paired::paired;

    #[test]
    fn sizes_have_as_many_digits_as_a_reader_needs() {
        let sizes = [122_257.9, 1_234.0, 999.6, 345.67, 99.4, 3.17, 1.0, 0.523, 0.00391, 0.0].map(size);
        assert_eq!(sizes, ["122,000", "1,230", "1,000", "346", "99.4", "3.2", "1.0", "0.52", "0.0039", "0"]);
    }

    #[test]
    fn no_difference_that_is_impossible_is_called_detectable() {
        let said = |records: &[&[f64]], possible| {
            let tests: Vec<_> = records.iter().map(|record| paired(record, possible).unwrap()).collect();
            detectable("", tests.iter(), 0, possible)
        };
        let none = Some("With these data no possible difference would be shown in 80 % of cases.".to_owned());
        // By t a difference of 3.1 would be shown.
        let few: &[f64] = &[1.0, 0.0, -1.0];
        assert_eq!(said(&[few], Some(1.0)), none);
        assert!(said(&[few], None).unwrap().contains("a true difference of 3.1 points"), "scores have no bound");
        // Six decks show something if all are won, and it is not known how often those of a better player are.
        assert_eq!(said(&[&[1.0, 1.0, 1.0, 0.0, 1.0, -1.0]], Some(1.0)), None);
        // Where t is taken: 20 games, ten of them won.
        let (even, drawn) = ([[1.0; 10], [-1.0; 10]].concat(), [[0.5; 10], [-0.5; 10]].concat());
        let [wide, narrow] = [&even, &drawn].map(|record| said(&[record], Some(1.0)).unwrap());
        assert!(wide.contains(" 0.68 points") && narrow.contains(" 0.34 points"), "{wide} {narrow}");
        assert_eq!(said(&[&even, &drawn], Some(0.1)), none);
        let mixed = said(&[&even, &drawn], Some(0.5)).unwrap();
        assert!(mixed.ends_with("in 80 % of cases, and for 1 of 2 pairs no possible one."), "{mixed}");
    }
}
