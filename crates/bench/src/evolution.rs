//! The measurements of formulas, in which an evolution by games spends its time.

use super::{Figures, repeat};
use evouct_offline::{Batch, EvolutionPlan, Measurer, Purpose, Request};
use std::hint::black_box;
use std::sync::Arc;

/// UCT, bias by hand, and a formula that evolved from random ones, against bias by hand. A block is one deck: a game on
/// each seat.
const EVOLUTION: &str = r#"
name = "bench"
seed = 1
[evolve]
trees = ["select", "untried", "final"]
terminals = ["Q", "n", "N", "Qbar", "left", "dv", "dm", "fl"]
seeds = [
    "select = Q + 2*sqrt(2*ln(N)/n); final = n",
    "select = Q + 2*sqrt(2*ln(N)/n) + 16*(dv + 3*dm - 2*fl)/(n + 1); untried = Qbar + 2*sqrt(2*ln(N)) + 16*(dv + 3*dm - 2*fl); final = n",
    "select = Q + 1.14*sqrt(sqrt(4.46/n)*(N - 0.799)/n); untried = Qbar + ln(0.859 + dm)*max(left, 0.27 + min(0.0946, Q)) + dv",
]
islands = 1
population = 3
elite = 1
generations = 1
[[player]]
kind = "formula"
iterations = 400
[[opponent]]
name = "Bias by hand"
kind = "formula"
iterations = 400
formula = "Q + 2*sqrt(2*ln(N)/n) + 16*(dv + 3*dm - 2*fl)/(n + 1)"
untried = "Qbar + 2*sqrt(2*ln(N)) + 16*(dv + 3*dm - 2*fl)"
final = "visits"
[[stage]]
measure = "games"
decks = 1
"#;

fn plan() -> EvolutionPlan {
    evouct_carcassonne::add();
    EvolutionPlan::parse(EVOLUTION, "evolve", None).expect("the evolution of a measurement is well formed")
}

/// The batch of its first generation.
fn generation(plan: &EvolutionPlan) -> Vec<Request> {
    let units = plan.stages[0].rounds[0];
    plan.seeds.iter().map(|seed| plan.sample(0, units, 0, seed.simplified(plan.ln))).collect()
}

/// Measurements of the first generation of a small evolution by games, block by block, as the threads of an evolution
/// make them. A block is two games of 400 iterations per decision on both seats.
pub fn evolve(seconds: f64) -> Figures {
    let measurer = Measurer::new(plan(), None, Purpose::Evolution).expect("games need no bank");
    let measurer = Arc::new(measurer);
    let batch = Batch::new(&measurer, generation(measurer.plan()));
    let blocks = batch.len() as u64;
    let (spent, measured) = repeat(seconds, || {
        for job in 0..blocks {
            let (_, value) = batch.compute(&measurer, job);
            black_box(value.expect("the players of a measurement play"));
        }
        blocks
    });
    let rate = measured as f64 / spent;
    Figures::from([("blocks_per_second", rate), ("milliseconds_per_game", 1e3 / rate / 2.0)])
}

#[cfg(test)]
mod tests {
    use super::*;
    use evouct_offline::{EvolutionError, Judge, Measured, evolve};

    /// Notes what is asked for first.
    struct First(Vec<Request>);

    impl Judge for First {
        fn measure(&mut self, requests: &[Request]) -> Result<Vec<Measured>, EvolutionError> {
            self.0 = requests.to_vec();
            Err(EvolutionError::Interrupted)
        }
    }

    #[test]
    fn what_is_measured_is_the_first_generation_of_the_evolution() {
        let plan = plan();
        let mut first = First(Vec::new());
        assert!(evolve(&plan, &mut first).is_err());
        let mut asked = first.0;
        // The reference, which is the first seed, is asked for once more as an individual.
        asked.dedup();
        assert_eq!(asked, generation(&plan));
        let measurer = Arc::new(Measurer::new(plan, None, Purpose::Evolution).unwrap());
        assert_eq!(Batch::new(&measurer, asked).len(), 3);
    }
}
