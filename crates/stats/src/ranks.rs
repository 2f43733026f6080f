//! Ranks of a sample, tied values sharing the mean of their places.

/// Midranks and the size of the ties.
pub(super) struct Ranks {
    /// Rank of each value in the order given, 1 for the smallest.
    pub ranks: Vec<f64>,
    /// Σ (t³ − t) over the groups of t tied values; 0 without ties.
    pub tie_term: f64,
}

/// Ranks finite values in O(n log n); 0 and −0 tie.
pub(super) fn midranks(values: &[f64]) -> Ranks {
    let mut order: Vec<usize> = (0..values.len()).collect();
    order.sort_by(|&a, &b| values[a].total_cmp(&values[b]));
    let mut ranks = vec![0.0; values.len()];
    let mut tie_term = 0.0;
    let mut below = 0;
    for group in order.chunk_by(|&a, &b| values[a] == values[b]) {
        let size = group.len() as f64;
        for &index in group {
            ranks[index] = below as f64 + (size + 1.0) / 2.0;
        }
        tie_term += size * size * size - size;
        below += group.len();
    }
    Ranks { ranks, tie_term }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ties_share_the_mean_place() {
        let found = midranks(&[3.0, 1.0, 3.0, -0.0, 0.0, 3.0]);
        assert_eq!(found.ranks, [5.0, 3.0, 5.0, 1.5, 1.5, 5.0]);
        assert_eq!(found.tie_term, 24.0 + 6.0);
        assert!(midranks(&[]).ranks.is_empty());
    }
}
