//! The unit of gains in several games: the standard deviation of results in each.

use super::history::Judge;
use crate::error::EvolutionError;
use crate::fitness::measure::{HallOfFame, SCALE};
use crate::plan::EvolutionPlan;
use std::borrow::Cow;

/// The plan with the standard deviation of the results of the reference per deck in each of several games; the same plan
/// where there is one game. Where all results are equal, the unit is a point.
///
/// # Errors
/// Those of the judge.
pub(crate) fn scaled<'a>(
    plan: &'a EvolutionPlan,
    judge: &mut dyn Judge,
) -> Result<Cow<'a, EvolutionPlan>, EvolutionError> {
    if !plan.is_over_games() {
        return Ok(Cow::Borrowed(plan));
    }
    let reference = plan.seeds[0].simplified(plan.ln);
    let request = plan.request(0, SCALE, plan.evolve.scale_decks, reference, &HallOfFame::default());
    let measured = judge.measure(std::slice::from_ref(&request))?.swap_remove(0);
    let (layout, by_opponent) = (plan.layout(&request), plan.blocks_per_opponent(&request) as usize);
    let mut scaled = plan.clone();
    for ((game, own), blocks) in scaled.games.iter_mut().zip(layout.by_game(&measured)).zip(&layout.games) {
        let opponents = own.sums.chunks(by_opponent).zip(blocks.units.chunks(by_opponent));
        let deviation = deviation(opponents);
        game.deviation = if deviation > 0.0 { deviation } else { 1.0 };
    }
    Ok(Cow::Owned(scaled))
}

/// The standard deviation of units, of the sums of blocks and their units against each opponent: what is between opponents
/// is no part of it.
fn deviation<'a>(opponents: impl Iterator<Item = (&'a [f64], &'a [u32])>) -> f64 {
    let (mut squares, mut free) = (0.0, 0.0);
    for (sums, units) in opponents {
        let mean = sums.iter().sum::<f64>() / units.iter().map(|units| f64::from(*units)).sum::<f64>();
        for (sum, units) in sums.iter().zip(units) {
            let units = f64::from(*units);
            squares += units * (sum / units - mean).powi(2);
        }
        free += sums.len() as f64 - 1.0;
    }
    (squares / free).sqrt()
}

#[cfg(test)]
mod tests {
    use super::deviation;

    #[test]
    fn deviations_are_of_units_and_within_opponents() {
        // Blocks of two units with means 1, −1, 1, −1 around 0 and around 5: the variance of a unit is 2 · 4/3.
        let sums: [&[f64]; 2] = [&[2.0, -2.0, 2.0, -2.0], &[12.0, 8.0, 12.0, 8.0]];
        let found = deviation(sums.into_iter().zip([[2; 4]; 2].iter().map(|units| &units[..])));
        assert!((found - (8.0_f64 / 3.0).sqrt()).abs() < 1e-12, "{found}");
        assert_eq!(deviation([(&[1.0, 1.0][..], &[1, 1][..])].into_iter()), 0.0);
    }
}
