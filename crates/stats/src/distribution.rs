//! Tail areas of the normal and Student's t distribution.
//!
//! Written here because the libraries that were measured against 50-digit arithmetic (statrs, puruspe, special, a
//! port of Cephes) form `df / (df + t²)` and differences of log-gammas, which loses up to ten digits once the degrees
//! of freedom reach the thousands. With `b = 1/2` both losses can be avoided: `y = t² / (df + t²)` is carried beside
//! its complement, and the ratio of gamma functions comes from its own expansion.

use std::f64::consts::{PI, SQRT_2};

/// The 97.5 % point of the standard normal distribution.
pub(super) const NORMAL_CRITICAL: f64 = 1.959_963_984_540_054;

const MAX_TERMS: u32 = 1_000;

/// The quantile of the standard normal distribution, for probabilities between 0 and 1, to about 1e-12.
pub fn normal_quantile(probability: f64) -> f64 {
    if probability < 0.5 {
        return -normal_quantile(1.0 - probability);
    }
    // Halving: the tail falls with z.
    let (mut low, mut high) = (0.0, 40.0);
    for _ in 0..100 {
        let middle = (low + high) / 2.0;
        if normal_two_sided(middle) / 2.0 > 1.0 - probability { low = middle } else { high = middle }
    }
    low
}

/// P(|Z| ≥ |z|) for a standard normal Z.
pub(super) fn normal_two_sided(z: f64) -> f64 {
    libm::erfc(z.abs() / SQRT_2)
}

/// P(|T| ≥ |t|) for Student's t with `df ≥ 1` degrees of freedom, df finite; relative error below 1e-12 down to 1e-300.
///
/// Near zero: 1 − I_y(1/2, df/2) by the series DLMF 8.17.8, whose terms are all positive. In the tail: I_x(df/2, 1/2)
/// by the continued fraction of DiDonato and Morris, "Significant digit computation of the incomplete beta function
/// ratios", ACM TOMS 18 (1992), equation 9.
pub(super) fn student_two_sided(t: f64, df: f64) -> f64 {
    let a = df / 2.0;
    let u = t.abs() / df.sqrt();
    if u == 0.0 {
        return 1.0;
    }
    if u.is_infinite() {
        return 0.0;
    }
    // u² may overflow where ln(1 + u²) is still an ordinary number.
    let ln_one_plus_u2 = if u > 1e100 { 2.0 * libm::log(u) } else { libm::log1p(u * u) };
    let root_y = u / libm::hypot(1.0, u);
    let y = root_y * root_y;
    let x = 1.0 / (1.0 + u * u);
    let front = gamma_ratio(a) / PI.sqrt() * root_y * libm::exp(-a * ln_one_plus_u2);
    if y * (a + 2.5) < 1.5 { 1.0 - 2.0 * front * central_series(a, y) } else { front / tail_fraction(a, x, y) }
}

/// The t with `student_two_sided(t, df) = 0.05`, for `df ≥ 1`.
///
/// The tail area is convex and falling for t > 0, so Newton's method from the normal point, which lies to the left,
/// climbs to the root without overshooting.
pub(super) fn student_critical(df: f64) -> f64 {
    climb(NORMAL_CRITICAL, 0.05, df)
}

/// The t with `student_two_sided(t, df) = area`, for `df ≥ 1` and areas between 0 and 1.
pub(super) fn student_quantile(area: f64, df: f64) -> f64 {
    climb(normal_quantile(1.0 - area / 2.0), area, df)
}

/// The t with `student_two_sided(t, df) = area`, from a point to the left of it.
fn climb(start: f64, area: f64, df: f64) -> f64 {
    let peak = 2.0 * gamma_ratio(df / 2.0) / (df * PI).sqrt();
    let mut t = start;
    for _ in 0..100 {
        let slope = peak * libm::exp(-(df + 1.0) / 2.0 * libm::log1p(t * t / df));
        let step = (student_two_sided(t, df) - area) / slope;
        t += step;
        if step.abs() <= 1e-15 * t {
            break;
        }
    }
    t
}

/// Γ(a + 1/2) / Γ(a) for `a > 0`: the expansion in 1/a (Tricomi and Erdélyi 1951), its error below 4e-16 from a = 30
/// on, reached from smaller a by Γ(z + 1) = zΓ(z).
fn gamma_ratio(a: f64) -> f64 {
    const COEFFICIENTS: [f64; 8] = [
        1.0,
        -1.0 / 8.0,
        1.0 / 128.0,
        5.0 / 1024.0,
        -21.0 / 32_768.0,
        -399.0 / 262_144.0,
        869.0 / 4_194_304.0,
        39_325.0 / 33_554_432.0,
    ];
    let mut a = a;
    let mut factor = 1.0;
    while a < 30.0 {
        factor *= a / (a + 0.5);
        a += 1.0;
    }
    factor * a.sqrt() * COEFFICIENTS.iter().rev().fold(0.0, |sum, c| sum / a + c)
}

/// Σ (a + 1/2)ₖ / (3/2)ₖ yᵏ.
fn central_series(a: f64, y: f64) -> f64 {
    let mut term = 1.0;
    let mut sum = 1.0;
    for k in 0..MAX_TERMS {
        let k = f64::from(k);
        term *= (a + 0.5 + k) / (1.5 + k) * y;
        sum += term;
        if term < 1e-17 * sum {
            break;
        }
    }
    sum
}

/// The denominator of I_x(a, 1/2) = x^a √y / B(a, 1/2) / fraction, by Lentz's method.
fn tail_fraction(a: f64, x: f64, y: f64) -> f64 {
    let numerator =
        |m: f64| (a + m - 1.0) * (a + m - 0.5) * m * (0.5 - m) * (x / (a + 2.0 * m - 1.0)) * (x / (a + 2.0 * m - 1.0));
    let denominator = |m: f64| {
        m + m * (0.5 - m) * x / (a + 2.0 * m - 1.0)
            + (a + m) / (a + 2.0 * m + 1.0) * (a * y - 0.5 * x + 1.0 + m * (1.0 + y))
    };
    // The first denominator apart, where `denominator` would form 0 / 0 at a = 1.
    let mut fraction = a / (a + 1.0) * (a * y - 0.5 * x + 1.0);
    let (mut c, mut d) = (fraction, 0.0);
    for m in 1..MAX_TERMS {
        let m = f64::from(m);
        d = 1.0 / (denominator(m) + numerator(m) * d);
        c = denominator(m) + numerator(m) / c;
        let change = c * d;
        fraction *= change;
        if (change - 1.0).abs() < 1e-16 {
            break;
        }
    }
    fraction
}

#[cfg(test)]
mod tests {
    use super::*;

    fn relative(found: f64, expected: f64) -> f64 {
        ((found - expected) / expected).abs()
    }

    #[test]
    fn quantiles_invert_the_tail() {
        assert!((normal_quantile(0.975) - NORMAL_CRITICAL).abs() < 1e-12);
        assert_eq!(normal_quantile(0.5), 0.0);
        assert!((normal_quantile(0.05) + 1.644_853_626_951_472).abs() < 1e-12);
    }

    #[test]
    fn agrees_with_fifty_digit_arithmetic() {
        let oracle: serde_json::Value =
            serde_json::from_str(include_str!("../tests/oracles/distribution.json")).unwrap();
        let rows = |key: &str| oracle[key].as_array().unwrap().clone();
        let number = |row: &serde_json::Value, i: usize| row[i].as_f64().unwrap();
        for row in rows("student") {
            let (df, t, p) = (number(&row, 0), number(&row, 1), number(&row, 2));
            let found = student_two_sided(t, df);
            assert!(relative(found, p) < 1e-12, "df {df}, t {t}: {found:e}, expected {p:e}");
            assert_eq!(found, student_two_sided(-t, df));
        }
        for row in rows("critical") {
            let (df, t) = (number(&row, 0), number(&row, 1));
            assert!(relative(student_critical(df), t) < 1e-13, "df {df}: {}, expected {t}", student_critical(df));
        }
        for row in rows("normal") {
            let (z, p) = (number(&row, 0), number(&row, 1));
            assert!(relative(normal_two_sided(z), p) < 1e-12, "z {z}");
        }
    }

    #[test]
    fn one_degree_of_freedom_is_the_cauchy_distribution() {
        for t in [1e-12, 0.3, 1.0, 2.0, 1e6, 1e120, 1e200] {
            let expected = if t < 1.0 { 1.0 - 2.0 / PI * libm::atan(t) } else { 2.0 / PI * libm::atan(1.0 / t) };
            assert!(relative(student_two_sided(t, 1.0), expected) < 1e-13, "t {t}");
        }
    }

    #[test]
    fn extremes_are_probabilities() {
        assert_eq!(student_two_sided(0.0, 3.0), 1.0);
        assert_eq!(student_two_sided(f64::INFINITY, 3.0), 0.0);
        assert_eq!(student_two_sided(f64::MAX, 1e18), 0.0);
        assert!(relative(student_two_sided(1.96, 1e18), normal_two_sided(1.96)) < 1e-12);
    }
}
