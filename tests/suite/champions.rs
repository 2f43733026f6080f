//! What evolution found beside what it was given: seeds play in the finals, genomes that decide alike are one, and the
//! report says what a champion is worth.

use crate::equality::file;
use crate::offline::{Planted, noise, sized};
use crate::program::{self, Scratch, succeed};
use evouct::gp::{Decisions, Genome, LnRule};
use evouct::offline::{EvolutionPlan, EvolutionResult, Finals, GainEstimate, History, Request, evolve, finals};
use std::collections::HashSet;

fn plan(seeds: &str, more: &str) -> EvolutionPlan {
    let text = sized(more, 12).toml.replace("seeds = [\"Q\"]", &format!("seeds = [{seeds}]"));
    EvolutionPlan::parse(&text.replace("generations = 25", "generations = 4"), "champions.toml", None).unwrap()
}

fn course(plan: &EvolutionPlan, value: impl Fn(&Request, u32) -> f64) -> EvolutionResult {
    let mut judge = Planted { plan, value, units: Vec::new() };
    let history = evolve(plan, &mut judge).unwrap();
    let finals = finals(plan, &history, &mut judge).unwrap();
    EvolutionResult { history, finals, ..EvolutionResult::default() }
}

fn decisions(genome: &Genome) -> Decisions {
    Decisions::of(genome, LnRule::Abs)
}

#[test]
fn what_decides_alike_is_one_by_all_algorithms() {
    let seeds = ["7/n", "7/n + max(N,1)", "3 + sqrt(5*ln(N)/n)", "0 - n"];
    let seeds = seeds.map(|seed| format!("\"select = {seed}; final = n\"")).join(", ");
    for algorithm in ["generational", "plus", "comma", "random", "steady-state"] {
        let mut plan = plan(&seeds, &format!("trees = [\"select\", \"final\"]\nalgorithm = \"{algorithm}\""));
        let EvolutionResult { history, finals, .. } = course(&plan, noise);
        let distinct: HashSet<Decisions> = history.individuals.iter().map(|own| decisions(&own.genome)).collect();
        assert_eq!(distinct.len(), history.individuals.len(), "{algorithm}");
        assert!(history.folded.iter().filter(|folded| folded.born == 0).count() >= 3, "{algorithm}");
        assert!(
            history
                .folded
                .iter()
                .all(|folded| { decisions(&folded.genome) == decisions(&history.individuals[folded.into].genome) })
        );
        // Those of the first stage are steps of the tuning.
        let rows = || finals.rows.iter().filter(|row| row.stage > 0);
        let finalists: HashSet<Decisions> = rows().map(|row| decisions(&row.genome)).collect();
        let formulas: HashSet<String> = rows().map(|row| row.genome.to_string()).collect();
        assert!(finals.seeds.is_empty() && finalists.len() == formulas.len(), "{algorithm}: {formulas:?}");
        // What began earlier goes on by its own rule.
        plan.course = 0;
        let before = course(&plan, noise).history;
        assert!(before.folded.is_empty() && before.individuals.len() > distinct.len().min(4), "{algorithm}");
    }
}

#[test]
fn seeds_play_to_the_end_and_the_champion_is_held_to_the_best_of_them() {
    let plan = plan("\"Q\", \"Q + 20 / n\", \"n\", \"2 * n\"", "terminals = [\"Q\", \"n\"]");
    let champion = |others: f64| {
        let value = |request: &Request, block: u32| {
            noise(request, block)
                + match request.genome.to_string().as_str() {
                    "Q" => 0.0,
                    "n" => -9.0,
                    "Q + 20 / n" => 5.0,
                    _ => others,
                }
        };
        let evolved = course(&plan, value);
        (evolved.of_champion(&plan).join(" "), evolved.finals)
    };
    let (said, finals) = champion(-1.0);
    assert!(said.starts_with("The champion is a seed formula: nothing that evolved gains more"), "{said}");
    // `2 * n` decides as `n` does.
    let seeds: Vec<String> = finals.seeds.iter().map(|seed| seed.genome.to_string()).collect();
    assert_eq!(seeds, ["Q + 20 / n", "n"]);
    assert!(finals.seeds[0].lead.is_none() && (finals.seeds[1].lead.as_ref().unwrap().mean() - 14.0).abs() < 0.5);
    let worst: Vec<_> = finals.rows.iter().filter(|row| row.genome.to_string() == "n" && row.stage > 0).collect();
    assert!(worst.len() == 3 && worst.iter().all(|row| row.went_on), "{worst:?}");
    assert!(
        champion(5.01).0.contains("is not shown to beat the best of the other seed formulas, Q + 20 / n: it gains +0.")
    );
    assert!(champion(9.0).0.contains("The champion beats the best of the other seed formulas, Q + 20 / n, by +4."));
}

#[test]
fn a_formula_without_effect_and_a_champion_off_the_front_are_named() {
    let plan = plan("\"Q\"", "");
    let genome = Genome::parse("select = 2; untried = Q * n; final = 12.5 * N", &plan.terminals()).unwrap();
    let mut gain = GainEstimate::default();
    gain.add(&[1.0, 1.1, 1.2], &[0.0; 3], [1; 3].into_iter());
    let finals = Finals { ranking: vec![(genome, gain)], entered: 1, ..Finals::default() };
    let history = History::default();
    let evolved = EvolutionResult { history, finals, ..EvolutionResult::default() };
    assert_eq!(
        evolved.of_champion(&plan),
        [
            "Its select, untried and final are equal for all children, so they decide nothing between them.",
            "The champion is not on the front: its constants were tuned after the generations.",
        ]
    );
}

#[test]
fn seeds_stand_in_the_proof_and_what_began_before_goes_on_as_it_began() {
    let scratch = Scratch::new();
    // The better seeds try the moves that win the race first.
    let seeds = ["Q + n", "Q + 0.5*sqrt(ln(N)/n); untried = race", "Q + sqrt(ln(N)/n); untried = 2*race", "2*Q + 2*n"];
    let seeds = seeds.map(|seed| format!("\"select = {seed}; final = n\""));
    let text = file(&seeds.join(", "), "held_out_decks = 3").replace("decks = 4", "decks = [20, 40]");
    let file = scratch.write("given.toml", &text);
    let evolve = |name: &str| succeed(&["evolve", &file, "--out", &scratch.path(name), "--threads", "1"]);
    let said = evolve("new");
    assert!(said.contains("champion: ") && said.contains("The champion "), "{said}");
    assert!(said.contains("  (seed)"), "{said}");
    assert!(scratch.read("new/report.html").contains("seed formula"));
    let proof = scratch.read("new/proof.toml");
    assert!(proof.contains("name = \"Seed ") && !proof.contains("name = \"Seed 4\""), "{proof}");
    assert!(scratch.read("new/folded.csv").lines().count() > 1);

    let journal = scratch.read("new/evolution.jsonl");
    assert!(journal.lines().next().unwrap().contains(",\"course\":1"));
    std::fs::create_dir(scratch.path("old")).unwrap();
    scratch.write("old/evolution.jsonl", &program::with_header(&journal, ",\"course\":1", ""));
    let said = evolve("old");
    assert!(!said.contains("(seed)") && !scratch.exists("old/folded.csv"), "{said}");
    assert!(!scratch.read("old/proof.toml").contains("Seed "), "{said}");
    assert_ne!(succeed(&["digest", &scratch.path("old")]), succeed(&["digest", &scratch.path("new")]));
}
