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

/// The estimated number of free polyominoes of `squares` squares, at least 1.
pub fn free_polyominoes(squares: u32) -> f64 {
    fixed_polyominoes(squares) / SYMMETRIES
}

/// The decimal logarithm of the estimated number of free polyominoes of up to 72 squares: a lower bound of the number
/// of positions.
pub fn positions_exponent() -> f64 {
    libm::log10((1..=MOST_SQUARES).map(free_polyominoes).sum())
}

#[cfg(test)]
mod tests {
    use super::*;

    /// All 27 rows of Table 3.1: exact numbers of fixed polyominoes to 56 squares, estimates with two digits beyond, and
    /// an eighth of them with two digits.
    #[test]
    fn table_3_1_of_heyden() {
        let exact: [(u32, f64, u128); 11] = [
            (46, 8.6e24, 68_557_762_666_345_165_410_168_738),
            (47, 3.4e25, 272_680_844_424_943_840_614_538_634),
            (48, 1.4e26, 1_085_035_285_182_087_705_685_323_738),
            (49, 5.4e26, 4_319_331_509_344_565_487_555_270_660),
            (50, 2.2e27, 17_201_460_881_287_871_798_942_420_736),
            (51, 8.6e27, 68_530_413_174_845_561_618_160_604_928),
            (52, 3.4e28, 273_126_660_016_519_143_293_320_026_256),
            (53, 1.4e29, 1_088_933_685_559_350_300_820_095_990_030),
            (54, 5.4e29, 4_342_997_469_623_933_155_942_753_899_000),
            (55, 2.2e30, 17_326_987_021_737_904_384_935_434_351_490),
            (56, 8.6e30, 69_150_714_562_532_896_936_574_425_480_218),
        ];
        for (squares, free, fixed) in exact {
            let ratio = fixed_polyominoes(squares) / fixed as f64;
            assert!((ratio - 1.0).abs() < 0.02, "{squares}: {ratio}");
            printed(squares, free, fixed as f64 / SYMMETRIES);
        }
        let estimated = [
            (57, 3.5e31, 2.8e32),
            (58, 1.4e32, 1.1e33),
            (59, 5.6e32, 4.5e33),
            (60, 2.2e33, 1.8e34),
            (61, 8.9e33, 7.1e34),
            (62, 3.6e34, 2.8e35),
            (63, 1.4e35, 1.1e36),
            (64, 5.7e35, 4.6e36),
            (65, 2.3e36, 1.8e37),
            (66, 9.1e36, 7.3e37),
            (67, 3.6e37, 2.9e38),
            (68, 1.5e38, 1.2e39),
            (69, 5.8e38, 4.7e39),
            (70, 2.3e39, 1.9e40),
            (71, 9.4e39, 7.5e40),
            (72, 3.8e40, 3.0e41),
        ];
        for (squares, free, fixed) in estimated {
            printed(squares, fixed, fixed_polyominoes(squares));
            printed(squares, free, free_polyominoes(squares));
        }
    }

    /// A number with two printed digits.
    fn printed(squares: u32, printed: f64, here: f64) {
        let last_digit = libm::pow(10.0, libm::log10(printed).floor() - 1.0);
        assert!((here - printed).abs() <= last_digit / 2.0, "{squares}: {here} for {printed}");
    }

    /// The thesis gives 5·10^40 as the sum of the fixed ones. It is the sum of the free ones of its table.
    #[test]
    fn the_bound_agrees_with_heyden() {
        assert!((positions_exponent() - 5.0_f64.log10() - 40.0).abs() < 0.01, "{}", positions_exponent());
    }
}
