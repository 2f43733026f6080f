//! Fisher's exact test on a table of two by two.
//!
//! R. A. Fisher, "On the interpretation of χ² from contingency tables, and the calculation of P", Journal of the Royal
//! Statistical Society 85 (1922). Two-sided as in R and SciPy: the probability of all tables with the same margins that
//! are no more likely than the observed one.

use super::Unavailable;

/// Tables whose probability exceeds the observed one by at most this factor count as equally likely; it covers
/// rounding.
const SLACK: f64 = 1e-7;
/// The largest total that is accepted: the time is proportional to it.
const MAX_TOTAL: u64 = 100_000_000;

/// The two-sided p-value of `[[a, b], [c, d]]`: that both rows have the same share in the first column. 1 where a
/// margin is empty.
///
/// [`Unavailable::OutOfRange`] for more than 10⁸ observations.
///
/// ```
/// // Fisher's lady tasting tea: 3 of 4 cups right.
/// let p = evouct_stats::fisher::fisher([[3, 1], [1, 3]]).unwrap();
/// assert!((p - 34.0 / 70.0).abs() < 1e-12);
/// ```
pub fn fisher([[a, b], [c, d]]: [[u64; 2]; 2]) -> Result<f64, Unavailable> {
    let total = a.checked_add(b).and_then(|sum| sum.checked_add(c)).and_then(|sum| sum.checked_add(d));
    let Some(total) = total.filter(|total| *total <= MAX_TOTAL) else {
        return Err(Unavailable::OutOfRange { what: "the number of observations", expected: "at most 100 million" });
    };
    let (row, column) = (a + b, a + c);
    // The range of the upper left cell.
    let (least, most) = ((row + column).saturating_sub(total), row.min(column));
    let ln_probability = |first: u64| {
        let first = first as f64;
        let (row, column, total) = (row as f64, column as f64, total as f64);
        ln_choose(column, first) + ln_choose(total - column, row - first) - ln_choose(total, row)
    };
    let observed = ln_probability(a) + SLACK;
    let p = (least..=most).map(ln_probability).filter(|p| *p <= observed).map(libm::exp).sum::<f64>();
    Ok(p.min(1.0))
}

fn ln_choose(n: f64, k: f64) -> f64 {
    libm::lgamma(n + 1.0) - libm::lgamma(k + 1.0) - libm::lgamma(n - k + 1.0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn published_and_hand_counted_tables() {
        let close = |table, expected: f64| {
            let p = fisher(table).unwrap();
            assert!((p - expected).abs() < 1e-9 * (1.0 + expected), "{table:?}: {p}, expected {expected}");
        };
        // SciPy's documentation of fisher_exact: whales and sharks in two oceans.
        close([[8, 2], [1, 5]], 0.034_965_034_965_034_94);
        // By hand: of C(4, 2) = 6 tables two are this extreme.
        close([[2, 0], [0, 2]], 1.0 / 3.0);
        close([[0, 0], [3, 4]], 1.0);
        close([[5, 0], [7, 0]], 1.0);
        assert!(fisher([[u64::MAX, 1], [0, 0]]).is_err());
        assert!(fisher([[MAX_TOTAL, 1], [0, 0]]).is_err());
    }

    #[test]
    fn rows_and_columns_may_be_exchanged() {
        for table @ [[a, b], [c, d]] in [[[3, 9], [11, 2]], [[1, 40], [7, 22]], [[250, 310], [190, 280]]] {
            let p = fisher(table).unwrap();
            for other in [[[c, d], [a, b]], [[b, a], [d, c]], [[a, c], [b, d]]] {
                assert!((fisher(other).unwrap() - p).abs() < 1e-9);
            }
        }
    }
}
