//! Eigenvalues and eigenvectors of symmetric matrices, by Jacobi's rotations in a fixed order.

/// Sweeps over all pairs; a dozen reach the precision of doubles.
const SWEEPS: usize = 50;

/// The eigenvalues of a symmetric matrix of n rows, and their eigenvectors of length 1, one after another.
pub(super) fn eigen(matrix: &[f64], n: usize) -> (Vec<f64>, Vec<f64>) {
    let mut a = matrix.to_vec();
    let mut vectors: Vec<f64> = (0..n * n).map(|at| f64::from(u8::from(at % (n + 1) == 0))).collect();
    for _ in 0..SWEEPS {
        let off: f64 = (0..n).flat_map(|i| (0..i).map(move |j| (i, j))).map(|(i, j)| a[i * n + j] * a[i * n + j]).sum();
        if off == 0.0 {
            break;
        }
        for p in 0..n {
            for q in p + 1..n {
                rotate(&mut a, &mut vectors, n, (p, q));
            }
        }
    }
    ((0..n).map(|i| a[i * (n + 1)]).collect(), vectors)
}

/// The rotation in the plane of two axes that makes their entry 0 (Golub and Van Loan, Matrix Computations, 8.5.2).
fn rotate(a: &mut [f64], vectors: &mut [f64], n: usize, (p, q): (usize, usize)) {
    let entry = a[p * n + q];
    let (first, second) = (a[p * (n + 1)], a[q * (n + 1)]);
    // Smaller ones do not change the diagonal.
    if entry.abs() <= 1e-17 * (first * second).abs().sqrt() {
        (a[p * n + q], a[q * n + p]) = (0.0, 0.0);
        return;
    }
    let tau = (second - first) / (2.0 * entry);
    let tangent = 1.0_f64.copysign(tau) / (tau.abs() + (1.0 + tau * tau).sqrt());
    let cosine = 1.0 / (1.0 + tangent * tangent).sqrt();
    let sine = tangent * cosine;
    for k in 0..n {
        let (x, y) = (a[k * n + p], a[k * n + q]);
        (a[k * n + p], a[k * n + q]) = (cosine * x - sine * y, sine * x + cosine * y);
    }
    for k in 0..n {
        let (x, y) = (a[p * n + k], a[q * n + k]);
        (a[p * n + k], a[q * n + k]) = (cosine * x - sine * y, sine * x + cosine * y);
        let (x, y) = (vectors[p * n + k], vectors[q * n + k]);
        (vectors[p * n + k], vectors[q * n + k]) = (cosine * x - sine * y, sine * x + cosine * y);
    }
    (a[p * n + q], a[q * n + p]) = (0.0, 0.0);
}

#[cfg(test)]
mod tests {
    use super::eigen;
    use evouct_base::sampling::normal;
    use evouct_base::seed::Key;

    #[test]
    fn a_matrix_is_the_sum_of_its_parts() {
        let mut rng = Key::experiment(3).stream();
        for n in [1, 2, 5, 12] {
            let root: Vec<f64> = (0..n * n).map(|_| normal(&mut rng)).collect();
            let product = |i: usize, j: usize| (0..n).map(|k| root[i * n + k] * root[j * n + k]).sum::<f64>();
            let matrix: Vec<f64> = (0..n * n).map(|at| product(at / n, at % n)).collect();
            let (values, vectors) = eigen(&matrix, n);
            for i in 0..n {
                for j in 0..n {
                    let whole: f64 = (0..n).map(|k| values[k] * vectors[k * n + i] * vectors[k * n + j]).sum();
                    assert!((whole - matrix[i * n + j]).abs() < 1e-12 * n as f64 * 10.0, "{whole}");
                    let dot: f64 = (0..n).map(|k| vectors[i * n + k] * vectors[j * n + k]).sum();
                    assert!((dot - f64::from(u8::from(i == j))).abs() < 1e-13);
                }
            }
            assert!(values.iter().all(|value| *value > -1e-12));
        }
    }
}
