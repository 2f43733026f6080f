//! Two objectives: fronts and crowding.
//!
//! K. Deb, A. Pratap, S. Agarwal, T. Meyarivan, "A fast and elitist multiobjective genetic algorithm: NSGA-II", IEEE
//! Transactions on Evolutionary Computation 6 (2002), section III: the fast non-dominated sort (A), the crowding distance
//! and the crowded comparison (B). Both objectives are maximised.

/// The fronts of these points as places in the list: the first has those that no other point dominates, the next those
/// that only points of earlier fronts dominate, and so on. A point dominates another one if it is nowhere worse and
/// somewhere better. Within a front places rise. For two objectives a sweep finds the fronts of the fast sort (M. T.
/// Jensen, IEEE Transactions on Evolutionary Computation 7 (2003)), in the time of a sort.
pub fn fronts(points: &[[f64; 2]]) -> Vec<Vec<usize>> {
    // There is no −0.
    let points: Vec<[f64; 2]> = points.iter().map(|point| point.map(|value| value + 0.0)).collect();
    let mut order: Vec<usize> = (0..points.len()).collect();
    order.sort_by(|a, b| {
        let [a, b] = [points[*a], points[*b]];
        b[0].total_cmp(&a[0]).then(b[1].total_cmp(&a[1]))
    });
    let mut fronts: Vec<Vec<usize>> = Vec::new();
    for place in order {
        let point = points[place];
        // No point so far is worse in the first objective, and the last member of a front is its best in the second one.
        let dominates = |front: &Vec<usize>| {
            front.last().is_some_and(|last| points[*last][1] >= point[1] && points[*last] != point)
        };
        let front = fronts.partition_point(dominates);
        match fronts.get_mut(front) {
            Some(front) => front.push(place),
            None => fronts.push(vec![place]),
        }
    }
    fronts.iter_mut().for_each(|front| front.sort_unstable());
    fronts
}

/// The crowding distance of each member of a front: the sum over objectives of the distance between its two neighbours,
/// as a share of the range of the front; infinite at both ends. Of equal values the first in the front stands lower. An
/// objective in which all members are equal adds nothing but its ends.
fn crowding(points: &[[f64; 2]], front: &[usize]) -> Vec<f64> {
    let mut distances = vec![0.0; front.len()];
    for objective in [0, 1] {
        let value = |member: usize| points[front[member]][objective];
        let mut order: Vec<usize> = (0..front.len()).collect();
        order.sort_by(|a, b| value(*a).total_cmp(&value(*b)));
        let (Some(first), Some(last)) = (order.first(), order.last()) else { continue };
        let range = value(*last) - value(*first);
        for end in [*first, *last] {
            distances[end] = f64::INFINITY;
        }
        for neighbours in order.windows(3).filter(|_| range > 0.0) {
            distances[neighbours[1]] += (value(neighbours[2]) - value(neighbours[0])) / range;
        }
    }
    distances
}

/// All points as places in the list, the best first: by front, and within a front by crowding distance, the larger first.
/// Of equal ones the first in the list stands first.
pub fn crowded_order(points: &[[f64; 2]]) -> Vec<usize> {
    let mut all = Vec::new();
    for front in fronts(points) {
        let distances = crowding(points, &front);
        let mut order: Vec<usize> = (0..front.len()).collect();
        order.sort_by(|a, b| distances[*b].total_cmp(&distances[*a]));
        all.extend(order.into_iter().map(|member| front[member]));
    }
    all
}

#[cfg(test)]
mod tests {
    use super::*;
    use evouct_base::sampling::below;
    use evouct_base::seed::Key;

    /// Sets of 0 to 24 random points on a grid: with few values many are equal, with a million hardly any.
    fn sets(values: usize) -> impl Iterator<Item = Vec<[f64; 2]>> {
        (0..300_u32).map(move |set| {
            let mut rng = Key::experiment(7).nth(set).stream();
            (0..set % 25).map(|_| [(); 2].map(|()| below(&mut rng, values) as f64 - 3.0)).collect()
        })
    }

    /// Front by front from the definition: the points that no remaining point dominates.
    fn peeled(points: &[[f64; 2]]) -> Vec<Vec<usize>> {
        let beats = |a: [f64; 2], b: [f64; 2]| {
            (0..2).all(|objective| a[objective] >= b[objective]) && (0..2).any(|objective| a[objective] > b[objective])
        };
        let mut left: Vec<usize> = (0..points.len()).collect();
        let mut fronts = Vec::new();
        while !left.is_empty() {
            let is_free = |place: &usize| !left.iter().any(|other| beats(points[*other], points[*place]));
            let front: Vec<usize> = left.iter().copied().filter(is_free).collect();
            left.retain(|place| !front.contains(place));
            fronts.push(front);
        }
        fronts
    }

    #[test]
    fn fronts_are_those_of_the_definition() {
        let mut several = 0;
        for points in sets(6).chain(sets(1_000_000)) {
            let found = fronts(&points);
            assert_eq!(found, peeled(&points), "{points:?}");
            several += usize::from(found.len() > 3);
        }
        assert!(several > 100);
    }

    #[test]
    fn crowding_is_the_gap_between_the_nearest_on_both_sides() {
        for points in sets(1_000_000) {
            for front in fronts(&points) {
                let gap = |own: usize, objective: usize| {
                    let value = |place: usize| points[place][objective];
                    let others = || front.iter().map(|place| value(*place));
                    let above = others().filter(|other| *other > value(own)).fold(f64::INFINITY, f64::min);
                    let below = others().filter(|other| *other < value(own)).fold(f64::NEG_INFINITY, f64::max);
                    let most = others().fold(f64::NEG_INFINITY, f64::max);
                    (above - below) / (most - others().fold(f64::INFINITY, f64::min))
                };
                for (own, distance) in front.iter().zip(crowding(&points, &front)) {
                    let expected = if front.len() < 3 { f64::INFINITY } else { gap(*own, 0) + gap(*own, 1) };
                    assert!(distance == expected || (distance - expected).abs() < 1e-12, "{points:?}");
                }
            }
        }
    }

    #[test]
    fn the_ends_of_a_front_stand_first_and_equal_points_keep_their_order() {
        // One front: ends, then the gaps 0.7 + 0.8, 0.5 + 0.8 and 0.5 + 0.2; last what is dominated.
        let points = [[1.0, 9.0], [0.0, 10.0], [5.0, 2.0], [8.0, 1.0], [10.0, 0.0], [0.5, 1.0]];
        let crowded = crowded_order(&points);
        assert_eq!(crowded[..2], [1, 4]);
        assert_eq!(crowded[2..], [2, 0, 3, 5], "{:?}", crowding(&points, &[0, 1, 2, 3, 4]));
        assert_eq!(crowded_order(&[[1.0, 1.0]; 4])[0], 0);
        assert_eq!(crowded_order(&[]), [0_usize; 0]);
        assert_eq!(fronts(&[[0.0, 1.0], [-0.0, 2.0]]), [[1], [0]]);
    }
}
