//! What the data could have shown where they show nothing.

use super::grouped::grouped;
use evouct_stats::SIGNIFICANCE_LEVEL;
use evouct_stats::t_test::TTest;

/// The probability with which a difference that is called detectable would have been shown.
const POWER: f64 = 0.8;

/// The smallest true difference that tests which are not significant would have found with the probability 80 %, in a
/// sentence: at the level that Holm's correction leaves to these tests and to `not_listed` others of their family.
/// `between` says whose difference. None without such a test, and where no result varies.
pub fn detectable<'a>(between: &str, open: impl Iterator<Item = &'a TTest>, not_listed: usize) -> Option<String> {
    let open: Vec<&TTest> = open.collect();
    detectable_at(SIGNIFICANCE_LEVEL / (open.len() + not_listed) as f64, between, open.into_iter())
}

/// The same for tests at a level.
pub(super) fn detectable_at<'a>(level: f64, between: &str, open: impl Iterator<Item = &'a TTest>) -> Option<String> {
    let sizes = open.filter_map(|test| test.detectable(level, POWER));
    let (least, most) = sizes.fold((f64::INFINITY, 0.0_f64), |(least, most), size| (least.min(size), most.max(size)));
    if most == 0.0 {
        return None;
    }
    let [least, most] = [least, most].map(size);
    let (size, by) = match least == most {
        true => (most, ""),
        false => (format!("{least} to {most}"), ", depending on the pair,"),
    };
    Some(format!(
        "With these data a true difference{between} of {size} points per game{by} would be shown in {:.0} % of cases.",
        100.0 * POWER
    ))
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
    use super::size;

    #[test]
    fn sizes_have_as_many_digits_as_a_reader_needs() {
        let sizes = [122_257.9, 1_234.0, 999.6, 345.67, 99.4, 3.17, 1.0, 0.523, 0.00391, 0.0].map(size);
        assert_eq!(sizes, ["122,000", "1,230", "1,000", "346", "99.4", "3.2", "1.0", "0.52", "0.0039", "0"]);
    }
}
