//! The functions, with their maxima.

use evouct_base::named::Named;
use std::f64::consts::PI;

/// A function of one dimension.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash)]
enum Curve {
    /// sin πx: unimodal.
    Sine,
    /// ½(sin 13x · sin 27x + 1): multimodal (Bubeck et al. 2011).
    Product,
    /// ½ + ½|sin x⁻⁵| below ½, else 7/20 + ½|sin x⁻⁵|: rough, then smooth (James et al. 2017).
    Rough,
    /// x/2 + (1 − 0.7x) sin⁴ 5πx: deceptive.
    Deceptive,
    /// The same with power 80: deceptive, with traps.
    Traps,
}

/// A function on `[0, 1]`, or on its square: the product of one curve in each dimension.
///
/// F1 to F5 are those of the authors' drafts and code, where they count from 0. F6 to F10 are their products, from the
/// code; that the papers print them as F6 to F10 is a guess.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash)]
pub struct TestFunction {
    curve: Curve,
    dimensions: usize,
}

const fn of(curve: Curve, dimensions: usize) -> TestFunction {
    TestFunction { curve, dimensions }
}

impl Named for TestFunction {
    const NAMES: &'static [(&'static str, TestFunction)] = &[
        ("f1", of(Curve::Sine, 1)),
        ("f2", of(Curve::Product, 1)),
        ("f3", of(Curve::Rough, 1)),
        ("f4", of(Curve::Deceptive, 1)),
        ("f5", of(Curve::Traps, 1)),
        ("f6", of(Curve::Sine, 2)),
        ("f7", of(Curve::Product, 2)),
        ("f8", of(Curve::Rough, 2)),
        ("f9", of(Curve::Deceptive, 2)),
        ("f10", of(Curve::Traps, 2)),
    ];
}

/// |sin x⁻⁵|. At 0 the authors' code takes sin 10⁶. Below 0.002 the value depends on rounding; `libm` rounds alike everywhere.
fn wave(x: f64) -> f64 {
    let phase = if x == 0.0 { 1e6 } else { libm::pow(x, -5.0) };
    libm::sin(phase).abs()
}

impl Curve {
    fn at(self, x: f64) -> f64 {
        match self {
            Curve::Sine => libm::sin(PI * x),
            Curve::Product => 0.5 * (libm::sin(13.0 * x) * libm::sin(27.0 * x) + 1.0),
            Curve::Rough if x < 0.5 => 0.5 + 0.5 * wave(x),
            Curve::Rough => 0.35 + 0.5 * wave(x),
            Curve::Deceptive => x / 2.0 + (1.0 - 0.7 * x) * libm::pow(libm::sin(5.0 * PI * x), 4.0),
            Curve::Traps => x / 2.0 + (1.0 - 0.7 * x) * libm::pow(libm::sin(5.0 * PI * x), 80.0),
        }
    }

    /// The place of the highest value that is nearest to x. The rough curve has many.
    fn nearest_maximiser(self, x: f64) -> f64 {
        match self {
            Curve::Sine => 0.5,
            Curve::Product => 0.867_526_21,
            // (π/2 + kπ)^(−1/5) for k of 10 or more: the two k around x⁻⁵.
            Curve::Rough => {
                let place = |k: f64| libm::pow(PI / 2.0 + k * PI, -0.2);
                let k = (libm::pow(x.max(1e-3), -5.0) / PI - 0.5).floor().max(10.0);
                let (below, above) = (place(k + 1.0), place(k));
                if (x - below).abs() < (x - above).abs() { below } else { above }
            }
            Curve::Deceptive => 0.099_782_15,
            Curve::Traps => 0.099_989_1,
        }
    }
}

impl TestFunction {
    /// The dimensions: 1 or 2.
    pub fn dimensions(self) -> usize {
        self.dimensions
    }

    /// The value at a point with a coordinate per dimension, 0 to 1.
    pub fn at(self, point: &[f64]) -> f64 {
        point[..self.dimensions].iter().map(|x| self.curve.at(*x)).product()
    }

    /// The highest value over the unit interval or square.
    pub fn maximum(self) -> f64 {
        self.at(&[self.curve.nearest_maximiser(1.0); 2])
    }

    /// The Euclidean distance of a point from the nearest place of the highest value.
    pub fn distance(self, point: &[f64]) -> f64 {
        let off = |x: &f64| x - self.curve.nearest_maximiser(*x);
        point[..self.dimensions].iter().map(|x| off(x) * off(x)).sum::<f64>().sqrt()
    }
}
