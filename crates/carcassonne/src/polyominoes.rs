//! A lower bound on the number of positions: the shapes that up to 72 tiles can form (Heyden 2009, section 3.1, Table
//! 3.1).
//!
//! A shape of `n` connected squares is a polyomino. *Fixed* polyominoes count rotations and reflections, *free* ones do
//! not: for large `n` there are eight times as many fixed ones. The bound counts neither tiles nor meeples.

/// The most tiles on the board.
const MOST_SQUARES: u32 = 72;
/// The estimates of `c` and `λ` in `A(n) ≈ c·λⁿ / n` (Jensen 2003; Heyden 2009, section 3.1).
const SCALE: f64 = 0.3169;
const GROWTH: f64 = 4.0626;
/// Fixed polyominoes per free one, without the few symmetric ones.
const SYMMETRIES: f64 = 8.0;

/// The estimated number of fixed polyominoes of `squares` squares, at least 1: within 2 % of the exact number from 46
/// squares on.
pub fn fixed_polyominoes(squares: u32) -> f64 {
    SCALE * libm::pow(GROWTH, f64::from(squares)) / f64::from(squares)
}

/// The decimal logarithm of the estimated number of free polyominoes of up to 72 squares: a lower bound of the number
/// of positions.
pub fn positions_exponent() -> f64 {
    let free: f64 = (1..=MOST_SQUARES).map(|squares| fixed_polyominoes(squares) / SYMMETRIES).sum();
    libm::log10(free)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Table 3.1: exact numbers of fixed polyominoes to 56 squares, estimates beyond, and free ones.
    #[test]
    fn table_3_1_of_heyden() {
        let exact = [
            (46, 68_557_762_666_345_165_410_168_738_u128),
            (50, 17_201_460_881_287_871_798_942_420_736),
            (56, 69_150_714_562_532_896_936_574_425_480_218),
        ];
        for (squares, number) in exact {
            let ratio = fixed_polyominoes(squares) / number as f64;
            assert!((ratio - 1.0).abs() < 0.02, "{squares}: {ratio}");
        }
        // Printed with two digits.
        for (squares, printed) in [(57, 2.8e32), (62, 2.8e35), (68, 1.2e39), (72, 3.0e41)] {
            let ratio = fixed_polyominoes(squares) / printed;
            assert!((ratio - 1.0).abs() < 0.05, "{squares}: {ratio}");
        }
        assert!((fixed_polyominoes(72) / SYMMETRIES / 3.8e40 - 1.0).abs() < 0.05);
    }

    /// The thesis gives 5·10^40 as the sum of the fixed ones. It is the sum of the free ones of its table.
    #[test]
    fn the_bound_agrees_with_heyden() {
        assert!((positions_exponent() - 5.0_f64.log10() - 40.0).abs() < 0.01, "{}", positions_exponent());
    }
}
