//! ChanceProbCut: forward pruning at chance nodes (Schadd, Winands and Uiterwijk 2009).

/// A prediction of the value of a chance node from a shallower search, and when it settles the node.
///
/// Values of searches to different depths are strongly correlated. With `d` plies left below a chance node, a search of
/// `d − R` plies with the value `v` predicts `a·v + b`, with errors of standard deviation `σ`. If the prediction is
/// above the window (α, β) of the node by `t·σ`, the node is taken to be worth β, if below by as much, α. Like any
/// forward pruning this changes values where the prediction is wrong.
///
/// The idea is that of the paper, which is known here by its abstract alone: it "prunes chance events if the result of
/// the chance node is likely to fall outside the search window". Ours are that the node is searched as a whole and not
/// outcome by outcome, that the shallower search is not pruned in this way itself, and that one line serves all depths.
/// Values are those for the side that decides after chance, so `b` has what its turn is worth to it.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct ChanceProbCut {
    /// R, plies, at least 1. Nodes with no more plies left are not predicted.
    pub reduction: u32,
    /// t, at least 0.
    pub threshold: f64,
    /// The line.
    pub line: Prediction,
}

/// A line through the values of deep searches over those of shallow ones.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Prediction {
    /// a, above 0.
    pub slope: f64,
    /// b, on the scale of the heuristic.
    pub offset: f64,
    /// σ, on the scale of the heuristic, at least 0.
    pub deviation: f64,
}

impl Prediction {
    /// The line of least squares through pairs of a shallow and a deep value, as
    /// [`Star::chance_values`](super::Star::chance_values) gives them, with the standard deviation of its errors (of `n −
    /// 2` degrees of freedom). None with fewer than three pairs, with shallow values that are all equal, or if the line
    /// does not rise, so that shallow values predict nothing.
    pub fn fit(pairs: &[(f64, f64)]) -> Option<Prediction> {
        let count = pairs.len() as f64;
        let sum = |of: &dyn Fn(f64, f64) -> f64| pairs.iter().map(|(x, y)| of(*x, *y)).sum::<f64>();
        let (x_mean, y_mean) = (sum(&|x, _| x) / count, sum(&|_, y| y) / count);
        let spread = sum(&|x, _| (x - x_mean) * (x - x_mean));
        let slope = sum(&|x, y| (x - x_mean) * (y - y_mean)) / spread;
        // The mean of equal values is rounded, which would look like a spread.
        let are_equal = pairs.windows(2).all(|pair| pair[0].0 == pair[1].0);
        if pairs.len() < 3 || are_equal || slope.is_nan() || slope <= 0.0 {
            return None;
        }
        let offset = y_mean - slope * x_mean;
        let square = |error: f64| error * error;
        let errors = sum(&|x, y| square(y - slope * x - offset));
        Some(Prediction { slope, offset, deviation: (errors / (count - 2.0)).sqrt() })
    }
}

impl ChanceProbCut {
    /// The values of a shallow search from which on a node with this window is settled, below and above. A value that
    /// lies outside `bounds` cannot be found, so it is infinite.
    pub(super) fn window(&self, (alpha, beta): (f64, f64), (lower, upper): (f64, f64)) -> (f64, f64) {
        let Prediction { slope, offset, deviation } = self.line;
        let margin = self.threshold * deviation;
        let (below, above) = ((alpha - margin - offset) / slope, (beta + margin - offset) / slope);
        (if below >= lower { below } else { f64::NEG_INFINITY }, if above <= upper { above } else { f64::INFINITY })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_by_hand() {
        // y = 2x + 1 with errors 1, -2, 1 at 0, 1, 2: least squares leaves them as they are, Σe = Σex = 0; √(6 / 1).
        let found = Prediction::fit(&[(0.0, 2.0), (1.0, 1.0), (2.0, 6.0)]).unwrap();
        assert!((found.slope - 2.0).abs() < 1e-12 && (found.offset - 1.0).abs() < 1e-12, "{found:?}");
        assert!((found.deviation - 6.0_f64.sqrt()).abs() < 1e-12, "{found:?}");
        for none in [
            &[][..],
            &[(0.0, 1.0), (1.0, 2.0)],
            &[(0.1, 1.0), (0.1, 2.0), (0.1, 4.0)],
            &[(0.0, 2.0), (1.0, 1.0), (2.0, 0.0)],
        ] {
            assert_eq!(Prediction::fit(none), None, "{none:?}");
        }
    }

    #[test]
    fn windows_by_hand() {
        let line = Prediction { slope: 2.0, offset: 1.0, deviation: 3.0 };
        let cut = ChanceProbCut { reduction: 1, threshold: 1.5, line };
        // 2v + 1 ≥ 10 + 4.5 from v = 6.75 on, 2v + 1 ≤ −5 − 4.5 up to v = −5.25.
        assert_eq!(cut.window((-5.0, 10.0), (-20.0, 20.0)), (-5.25, 6.75));
        assert_eq!(cut.window((-5.0, 10.0), (-5.0, 6.0)), (f64::NEG_INFINITY, f64::INFINITY));
        let open = (f64::NEG_INFINITY, f64::INFINITY);
        assert_eq!(cut.window(open, (-20.0, 20.0)), open);
    }
}
