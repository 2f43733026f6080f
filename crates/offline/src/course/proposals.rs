//! What proposers are told, and what becomes of what they propose.

use super::history::{History, Judge, ProposerTally};
use crate::error::EvolutionError;
use crate::plan::EvolutionPlan;
use crate::plan::grammar::of_move;
use crate::plan::proposer::{Proposal, Question};
use evouct_base::named::Named;
use evouct_gp::{Genome, Node, Terminal, Tree};
use serde_json::{Value as Json, json};

/// The operator of individuals that were proposed.
pub(crate) const PROPOSED: &str = "proposed";

/// The version of the questions.
const VERSION: u32 = 1;
/// How many of the best individuals a question tells.
const BEST: usize = 20;

/// What was refused of the last proposals of a proposer, and why.
type Refused = Vec<(String, String)>;

/// The course of the proposals through an evolution, by proposer.
#[derive(Debug, Default)]
pub(crate) struct Proposals(Vec<Account>);

/// What became of a proposer's last proposals, and of all of them.
#[derive(Debug, Default)]
struct Account {
    /// The individuals of the last ones.
    last: Vec<usize>,
    /// What was refused of the last ones.
    refused: Refused,
    /// What was wrong with the last answer.
    problem: Option<String>,
    tally: ProposerTally,
}

/// A formula that was proposed and can play.
pub(crate) struct Proposed {
    /// The place of the proposer in the plan.
    proposer: usize,
    /// What it wrote.
    text: String,
    /// The genome, simplified.
    pub genome: Genome,
}

impl Proposals {
    /// Asks all proposers of a plan in a generation. `best` are the individuals that they are told, the best first. Returns
    /// what can play, proposer by proposer.
    ///
    /// # Errors
    /// Those of the judge.
    pub(crate) fn ask(
        &mut self,
        plan: &EvolutionPlan,
        generation: u32,
        (history, best): (&History, &[usize]),
        judge: &mut dyn Judge,
    ) -> Result<Vec<Proposed>, EvolutionError> {
        self.0.resize_with(plan.proposers.len(), Account::default);
        let mut proposed = Vec::new();
        for (place, account) in self.0.iter_mut().enumerate() {
            let line = account.line(plan, generation, (history, best), place);
            let Proposal { formulas, problem, .. } = judge.propose(&Question { proposer: place, generation, line })?;
            account.tally.asked += 1;
            account.tally.proposed += formulas.len() as u64;
            account.tally.problems += u64::from(problem.is_some());
            (account.last, account.refused, account.problem) = (Vec::new(), Vec::new(), problem);
            for text in formulas {
                match plan.proposed(&text) {
                    Ok(genome) => proposed.push(Proposed { proposer: place, text, genome }),
                    Err(why) => account.refused.push((text, why)),
                }
            }
        }
        Ok(proposed)
    }

    /// Notes the individual that a proposal has become, or that it decides as one that was known.
    pub(crate) fn note(&mut self, proposed: &Proposed, id: usize, is_new: bool) {
        let account = &mut self.0[proposed.proposer];
        if is_new {
            account.last.push(id);
            account.tally.measured += 1;
        } else {
            account.refused.push((proposed.text.clone(), format!("it is the individual {id} again, or decides alike")));
        }
    }

    /// What became of all proposals so far.
    pub(crate) fn tallies(&self) -> Vec<ProposerTally> {
        self.0.iter().map(|account| account.tally).collect()
    }
}

impl Account {
    /// The question to a proposer: a line of JSON.
    fn line(
        &self,
        plan: &EvolutionPlan,
        generation: u32,
        (history, best): (&History, &[usize]),
        place: usize,
    ) -> String {
        let told = |id: &usize| individual(history, *id);
        let of_move: Vec<(&str, &str)> = plan.domains().into_iter().flat_map(of_move).collect();
        let terminal = |terminal: &Terminal| {
            let name = terminal.name()?;
            let given = || of_move.iter().find(|(own, _)| *own == name).map_or("", |(_, about)| about);
            let about = if terminal.is_move_number() { given() } else { terminal.about() };
            Some(json!({ "name": name, "about": about }))
        };
        let refused = |(formula, why): &(String, String)| json!({ "formula": formula, "why": why });
        let variation = &plan.variation;
        json!({
            "version": VERSION,
            "evolution": plan.name,
            "game": plan.game_names(),
            "generation": generation + 1,
            "generations": plan.evolve.generations,
            "count": plan.proposers[place].count,
            "grammar": {
                "formulas": variation.slots.iter().map(|slot| slot.name()).collect::<Vec<_>>(),
                "terminals": plan.proposable().iter().filter_map(terminal).collect::<Vec<_>>(),
                "functions": variation.functions.iter().map(|function| function.name()).collect::<Vec<_>>(),
                "max_nodes": variation.max_nodes,
            },
            "reference": plan.seeds[0].to_string(),
            "best": best.iter().take(BEST).map(told).collect::<Vec<_>>(),
            "yours": self.last.iter().map(told).collect::<Vec<_>>(),
            "refused": self.refused.iter().map(refused).collect::<Vec<_>>(),
            "problem": self.problem,
        })
        .to_string()
    }
}

/// What a question tells of an individual. Gain and error are null where they are not known.
fn individual(history: &History, id: usize) -> Json {
    let individual = &history.individuals[id];
    let fitness = &individual.fitness;
    let measured = fitness.units() > 0;
    json!({
        "individual": id,
        "formula": individual.genome.to_string(),
        "gain": measured.then(|| fitness.mean()),
        "error": Some(fitness.error()).filter(|error| measured && error.is_finite()),
        "units": fitness.units(),
        "nodes": individual.genome.size(),
        "operator": individual.operator,
        "born": individual.born + 1,
    })
}

impl EvolutionPlan {
    /// The terminals of formulas that are proposed: those that evolve, and those of the seeds.
    fn proposable(&self) -> Vec<Terminal> {
        let mut terminals = self.variation.terminals.clone();
        let trees = self.seeds.iter().flat_map(|seed| seed.slots().filter_map(|slot| seed.tree(slot)));
        for node in trees.flat_map(Tree::nodes) {
            if let Node::Terminal(terminal) = node
                && terminal.name().is_some()
                && !terminals.contains(terminal)
            {
                terminals.push(*terminal);
            }
        }
        terminals
    }

    /// Reads a formula that was proposed.
    fn proposed(&self, text: &str) -> Result<Genome, String> {
        let genome = Genome::parse(text, &self.proposable())?;
        if let Some(slot) = genome.slots().find(|slot| !self.variation.slots.contains(slot)) {
            let known: Vec<&str> = self.variation.slots.iter().map(|slot| slot.name()).collect();
            return Err(format!(
                "the formula {} does not evolve here; those that do are {}",
                slot.name(),
                known.join(", ")
            ));
        }
        let (most, found) = (self.variation.max_nodes, genome.largest());
        if found > most {
            return Err(format!("a formula has at most {most} nodes, this one {found}"));
        }
        let genome = genome.simplified(self.ln);
        for game in &self.games {
            let player = game.player(&genome, self.ln, self.preset);
            player.and_then(|player| game.rules.check_player(&player)).map_err(|error| error.problem)?;
        }
        Ok(genome)
    }
}
