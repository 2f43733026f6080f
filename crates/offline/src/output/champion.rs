//! What is to be known of a champion beside its gain, in sentences.

use crate::course::finals::{EvolutionResult, SeedGain};
use crate::plan::EvolutionPlan;
use evouct_base::named::Named;
use evouct_gp::Genome;

impl EvolutionResult {
    /// Whether the champion is better than what was given, which of its formulas decide nothing, and why it is not on the
    /// front, if it is not. Nothing without a champion.
    pub fn of_champion(&self, plan: &EvolutionPlan) -> Vec<String> {
        let Some((champion, _)) = self.finals.champion() else { return Vec::new() };
        let said = [self.beside_seeds(plan, champion), of_equal_values(plan, champion), self.off_front(champion)];
        said.into_iter().flatten().collect()
    }

    fn is_seed(&self, genome: &Genome) -> bool {
        self.finals.seeds.iter().any(|seed| seed.genome == *genome)
    }

    fn beside_seeds(&self, plan: &EvolutionPlan, champion: &Genome) -> Option<String> {
        if self.is_seed(champion) {
            return Some(
                "The champion is a seed formula: nothing that evolved gains more than what was given.".to_owned(),
            );
        }
        let SeedGain { genome, lead, .. } = self.finals.seeds.first()?;
        let lead = lead.as_ref()?;
        let (mean, bound, unit) = (lead.mean(), self.finals.lower_bound(lead), plan.unit_of_gains());
        Some(if bound > 0.0 {
            format!(
                "The champion beats the best of the other seed formulas, {genome}, by {mean:+.2} {unit}; the \
                 simultaneous lower bound is {bound:+.2}."
            )
        } else {
            format!(
                "The champion is not shown to beat the best of the other seed formulas, {genome}: it gains {mean:+.2} {} \
                 {unit} over it.",
                lead.plus_minus(2)
            )
        })
    }

    /// Why a champion is not on the front of the first stage, where it is not.
    fn off_front(&self, champion: &Genome) -> Option<String> {
        let front = self.history.front();
        if front.iter().any(|own| own.genome == *champion) {
            return None;
        }
        let why = match self.history.individuals.iter().find(|own| own.genome == *champion) {
            None if self.is_seed(champion) => "the generations had it with other constants".to_owned(),
            None => "its constants were tuned after the generations".to_owned(),
            Some(own) => {
                let (size, gain) = (own.genome.size(), own.fitness.mean());
                let better = front.iter().find(|other| other.genome.size() <= size && other.fitness.mean() >= gain);
                match better {
                    Some(other) => format!(
                        "its training gain was {gain:+.2}, that of a formula of {} nodes {:+.2}",
                        other.genome.size(),
                        other.fitness.mean()
                    ),
                    None => "it was measured in one generation only".to_owned(),
                }
            }
        };
        Some(format!("The champion is not on the front: {why}."))
    }
}

/// Which formulas of a champion have one value for all children.
fn of_equal_values(plan: &EvolutionPlan, champion: &Genome) -> Option<String> {
    let slots: Vec<&str> = champion.equal_for_all_children(plan.ln).into_iter().map(Named::name).collect();
    match slots.split_last()? {
        (last, []) => Some(format!("Its {last} is equal for all children, so it decides nothing between them.")),
        (last, others) => {
            let names = format!("{} and {last}", others.join(", "));
            Some(format!("Its {names} are equal for all children, so they decide nothing between them."))
        }
    }
}
