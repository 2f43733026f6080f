//! The report of an offline evolution: fitness by generation, the front of size against gain, the lineage, the
//! terminals in use, and the shape of what came out.

use super::formula_names::formula_names;
use super::formulas::shown_means;
use super::objectives::Objectives;
use evouct_base::named::Named;
use evouct_base::plural::{counted, is_or_are};
use evouct_gp::{Column, Genome, LnRule, Node, Slot, Terminal, Tree};
use evouct_league::config::Contender;
use evouct_offline::{
    EvolutionFolder, EvolutionPlan, EvolutionProgress, Finals, GainEstimate, GameGain, History, Individual, PlanGame,
    RepeatedDecks,
};
use evouct_stats::SIGNIFICANCE_LEVEL;
use serde::{Serialize, Serializer};
use std::collections::{BTreeMap, BTreeSet};

/// Ancestors that are shown, the nearest first.
const ANCESTORS: usize = 40;
/// Visits of the parent in the shape of a formula, where the search has no budget of iterations.
const PARENT: u64 = 400;
/// Places of a shape.
const PLACES: u32 = 60;
/// The statistics that a shape has values for.
const OF_NODE: [&str; 4] = ["phase", "left", "sd", "moves"];

/// What came of an evolution, in numbers.
#[derive(Clone, Debug, Serialize)]
pub struct EvolvedReport {
    /// The version of evouct that computed it.
    pub evouct: &'static str,
    /// The name of the evolution.
    pub name: String,
    /// The seed.
    pub seed: u64,
    /// The game.
    pub game: String,
    /// The games with their rules, the budget of a decision and the algorithm, in words.
    #[serde(skip)]
    pub setting: String,
    /// The unit of gains.
    #[serde(skip)]
    pub unit: &'static str,
    /// The leagues that test a champion.
    #[serde(skip)]
    pub proofs: Vec<String>,
    /// Generations, and those that are complete.
    pub generations: (u32, usize),
    /// The digest of all measurements; none while some are missing.
    pub digest: Option<String>,
    /// Who measured, if it was not evouct.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub measured_by: Option<String>,
    /// The digest of the bank; empty without one.
    pub bank: String,
    /// Measurements that the evolution has used.
    pub measurements: usize,
    /// What they took, in seconds of one core; absent where the time of some is not known.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub core_seconds: Option<f64>,
    /// Decks of games, and how many of them are distinct; absent where all are, and before the end.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub distinct: Option<RepeatedDecks>,
    /// The formula that gains are measured against.
    pub reference: String,
    /// Whether it is a climb, in which gains of the first stage are sums of the gains of steps.
    pub is_climb: bool,
    /// What is to be known first, in sentences.
    pub headline: Vec<String>,
    /// Fitness by generation and island.
    pub fitness: Vec<FitnessRow>,
    /// The front of size against gain in the first stage.
    pub front: Vec<GainRow>,
    /// Finalists of the last stage, the best first.
    pub finalists: Vec<GainRow>,
    /// The finalists in both objectives; none of an evolution with one, or before its end.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub second: Option<Objectives>,
    /// The best finalist against each opponent in the last games that it played; empty where no stage plays games.
    pub opponents: Vec<OpponentRow>,
    /// The best finalist in each of several games of the last stage; empty in an evolution in one game.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub games: Vec<GameRow>,
    /// The best individual and its ancestors.
    pub lineage: Vec<AncestorRow>,
    /// The operators of these, each with what it does.
    #[serde(skip)]
    pub operators: Vec<(&'static str, &'static str)>,
    /// The share of the individuals of each generation that use a terminal.
    pub terminals: Vec<TerminalRow>,
    /// Candidates of the finals, those included that no later stage measured.
    #[serde(skip)]
    pub entered: usize,
    /// Visits of the parent in the shape, and the standard deviation of its rewards.
    #[serde(skip)]
    pub parent: (u64, f64),
    /// Values of the best formula that selects, and of the reference.
    pub shape: Vec<ShapeCurve>,
    /// The best finalist; before the finals the best individual.
    #[serde(skip)]
    pub best: Option<Genome>,
    /// The terminals with names in the formulas of this report, each with what it is.
    #[serde(skip)]
    pub names: Vec<(Terminal, &'static str)>,
    /// Whether there is a champion, and so a league that tests it.
    #[serde(skip)]
    pub has_champion: bool,
    /// The text of the file of the evolution.
    #[serde(skip)]
    pub toml: String,
    /// The seed that was given in place of the file's, if one was.
    #[serde(skip)]
    pub seed_override: Option<u64>,
}

/// A generation of an island.
#[derive(Clone, Debug, Serialize)]
pub struct FitnessRow {
    /// The generation, from 1.
    pub generation: u32,
    /// The island, from 1.
    pub island: usize,
    /// The highest gain, in points per game; in a climb that of the formula as it stands.
    pub best: f64,
    /// The median gain.
    pub median: f64,
    /// Mean number of nodes.
    pub nodes: f64,
}

/// A genome with its gain over the reference.
#[derive(Clone, Debug, Serialize)]
pub struct GainRow {
    /// Nodes of all its formulas.
    pub nodes: usize,
    /// The gain, in points per game.
    pub gain: f64,
    /// Half the width of its 95 % interval; none with fewer than two blocks.
    pub half: Option<f64>,
    /// Its formulas; in JSON as text.
    #[serde(serialize_with = "as_text")]
    pub formula: Genome,
}

/// A game of the best finalist.
#[derive(Clone, Debug, Serialize)]
pub struct GameRow {
    /// Its name.
    pub game: String,
    /// Whether evolution did not see it.
    pub held_out: bool,
    /// The gain, in standard deviations of the game.
    pub gain: f64,
    /// Half the width of its 95 % interval; none with fewer than two blocks.
    pub half: Option<f64>,
    /// The gain in points per game.
    pub points: f64,
}

/// An opponent of the best finalist.
#[derive(Clone, Debug, Serialize)]
pub struct OpponentRow {
    /// Its name.
    pub opponent: String,
    /// Mean score of the finalist less the opponent's, in points per game.
    pub difference: f64,
}

/// An ancestor of the best individual.
#[derive(Clone, Debug, Serialize)]
pub struct AncestorRow {
    /// Its number.
    pub individual: usize,
    /// The generation of its birth, from 1.
    pub born: u32,
    /// The island, from 1.
    pub island: usize,
    /// How it was made.
    pub operator: &'static str,
    /// The numbers of its parents.
    pub parents: Vec<usize>,
    /// Its gain in the first stage, in points per game.
    pub gain: f64,
    /// Its formulas; in JSON as text.
    #[serde(serialize_with = "as_text")]
    pub formula: Genome,
}

/// Writes formulas as their text.
pub(super) fn as_text<S: Serializer>(genome: &Genome, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.collect_str(genome)
}

/// How much a terminal is used.
#[derive(Clone, Debug, Serialize)]
pub struct TerminalRow {
    /// Its name.
    pub terminal: String,
    /// By generation, the share of the individuals born in it that use the terminal.
    pub shares: Vec<f64>,
}

/// Values of a formula over the visits of a child.
#[derive(Clone, Debug, Serialize)]
pub struct ShapeCurve {
    /// Which formula, and the child's mean reward.
    pub name: String,
    /// Whether it is the reference.
    pub is_reference: bool,
    /// Visits and values.
    pub points: Vec<(f64, f64)>,
}

/// What the gain of a finalist over the reference is called: it is that of the last stage.
pub(crate) const VALIDATION: &str = "validation gain";

impl EvolvedReport {
    /// What the gain of an individual is called, by which evolution selects.
    pub(crate) fn gain_in_training(&self) -> &'static str {
        if self.is_climb { "sum of steps" } else { "training gain" }
    }

    /// The report of an evolution as far as it has come.
    pub fn of(folder: &EvolutionFolder, progress: &EvolutionProgress) -> EvolvedReport {
        let (plan, history) = (folder.plan(), &progress.history);
        let finals = progress.evolved.as_ref().map(|evolved| &evolved.finals);
        let finalists: Vec<GainRow> = finals
            .map_or(Vec::new(), |finals| finals.ranking.iter().map(|(genome, gain)| gain_row(genome, gain)).collect());
        let second = finals.and_then(|finals| Objectives::of(plan, finals));
        let best = finals.and_then(|finals| finals.ranking.first()).map(|(genome, _)| genome);
        let best_individual = best_of(history, best);
        let best = best.or(best_individual.map(|individual| &individual.genome));
        let front: Vec<GainRow> =
            history.front().into_iter().map(|each| gain_row(&each.genome, &each.fitness)).collect();
        let lineage = best_individual.map_or(Vec::new(), |individual| lineage(history, individual));
        let listed = front.iter().chain(&finalists).map(|row| &row.formula);
        let listed = best.into_iter().chain(listed).chain(lineage.iter().map(|row| &row.formula));
        let formulas = listed.flat_map(|genome| genome.slots().filter_map(|slot| genome.tree(slot)));
        let names = formula_names(&plan.domains(), formulas);
        let said = second.as_ref().map_or(Vec::new(), Objectives::sentences);
        EvolvedReport {
            evouct: evouct_store::VERSION,
            name: plan.name.clone(),
            seed: plan.seed,
            game: plan.game_names(),
            setting: plan.setting(),
            unit: plan.unit_of_gains(),
            proofs: plan.proof_files(),
            generations: (plan.evolve.generations, history.generations.len() / plan.evolve.islands.max(1)),
            digest: progress.evolved.as_ref().map(|evolved| evolved.digest.clone()),
            measured_by: folder.measured_by().map(str::to_owned),
            bank: folder.bank_digest().to_owned(),
            measurements: progress.measurements,
            core_seconds: progress.spent.seconds,
            distinct: progress.evolved.as_ref().and_then(|evolved| evolved.repeats),
            reference: plan.seeds[0].to_string(),
            is_climb: plan.evolve.algorithm.plays_itself(),
            headline: [origin(folder).into_iter().collect(), headline(plan, progress), said].concat(),
            fitness: history
                .generations
                .iter()
                .map(|row| FitnessRow {
                    generation: row.generation + 1,
                    island: row.island + 1,
                    best: row.best_gain,
                    median: row.median_gain,
                    nodes: row.size,
                })
                .collect(),
            front,
            finalists,
            second,
            opponents: finals.map_or(Vec::new(), |finals| opponents(plan, finals)),
            games: finals.map_or(Vec::new(), |finals| games(plan, finals)),
            operators: (plan.variation.operators.iter())
                .map(|(own, _)| (own.name(), own.about()))
                .filter(|(name, _)| lineage.iter().any(|row| row.operator == *name))
                .collect(),
            lineage,
            terminals: terminals(history),
            entered: finals.map_or(0, |finals| finals.entered),
            parent: parent(plan),
            shape: best.map_or(Vec::new(), |best| shape(plan, best)),
            best: best.cloned(),
            names,
            has_champion: finals.is_some_and(|finals| finals.champion().is_some()),
            toml: plan.toml.clone(),
            seed_override: folder.seed_override(),
        }
    }
}

/// The best finalist against each opponent, in the last stage of games that it came to.
fn opponents(plan: &EvolutionPlan, finals: &Finals) -> Vec<OpponentRow> {
    let best = finals.ranking.first().map(|(genome, _)| genome);
    let played = finals.rows.iter().rev().find(|row| Some(&row.genome) == best && !row.against.is_empty());
    let against = played.map_or(&[][..], |row| &row.against);
    let row = |((game, opponent), difference): ((&PlanGame, &Contender), &f64)| {
        let of = if plan.is_over_games() { format!("{}: ", game.name) } else { String::new() };
        OpponentRow { opponent: format!("{of}{}", opponent.name), difference: *difference }
    };
    plan.panels().zip(against).map(row).collect()
}

/// The best finalist in each of several games.
fn games(plan: &EvolutionPlan, finals: &Finals) -> Vec<GameRow> {
    let gains = finals.ranking.first().map_or(&[][..], |(_, gain)| gain.games());
    let row = |(game, gain): (&PlanGame, &GameGain)| {
        let (game, held_out) = (game.name.clone(), game.held_out);
        GameRow { game, held_out, gain: gain.mean(), half: gain.half(), points: gain.points() }
    };
    plan.games.iter().zip(gains).map(row).collect()
}

fn gain_row(genome: &Genome, gain: &GainEstimate) -> GainRow {
    GainRow { nodes: genome.size(), gain: gain.mean(), half: gain.half(), formula: genome.clone() }
}

/// The individual of a genome, or of the nearest one before its constants were tuned; else the best of the last
/// generation.
fn best_of<'a>(history: &'a History, genome: Option<&Genome>) -> Option<&'a Individual> {
    let steps = history.steps.iter().flatten().map(|id| &history.individuals[*id]);
    let same =
        |genome: &Genome| steps.clone().chain(&history.individuals).find(|individual| individual.genome == *genome);
    let last = || {
        let newest = history.generations.last()?.generation;
        let rows = history.generations.iter().filter(|row| row.generation == newest);
        let best = rows.max_by(|a, b| a.best_gain.total_cmp(&b.best_gain))?;
        history.individuals.get(best.best)
    };
    genome.and_then(|genome| same(genome).or_else(|| same_but_numbers(history, genome))).or_else(last)
}

/// The best individual with the same formulas but for numbers.
fn same_but_numbers<'a>(history: &'a History, genome: &Genome) -> Option<&'a Individual> {
    let shape = |genome: &Genome| -> Vec<Option<Vec<Option<Node>>>> {
        let number = |node: &Node| (!matches!(node, Node::Terminal(Terminal::Number(_)))).then_some(*node);
        let tree = |slot: &Slot| genome.tree(*slot).map(|tree| tree.nodes().iter().map(number).collect());
        Slot::NAMES.iter().map(|(_, slot)| tree(slot)).collect()
    };
    let wanted = shape(genome);
    let alike = history.individuals.iter().filter(|individual| shape(&individual.genome) == wanted);
    alike.max_by(|a, b| a.fitness.mean().total_cmp(&b.fitness.mean()))
}

/// That evouct did not measure, if it did not.
fn origin(folder: &EvolutionFolder) -> Option<String> {
    let by = folder.measured_by()?;
    Some(format!("All values were measured by {by}, not by evouct, which cannot make them again."))
}

fn headline(plan: &EvolutionPlan, progress: &EvolutionProgress) -> Vec<String> {
    let mut sentences = Vec::new();
    let Some(evolved) = &progress.evolved else {
        let complete = progress.history.generations.len() / plan.evolve.islands.max(1);
        let missing = match &progress.proposer {
            Some(proposer) => format!("the answer of {proposer} is"),
            None => {
                let measurements = counted(progress.missing, "measurement");
                let which = match plan.evolve.algorithm.is_steady() {
                    true => "that can be made by now",
                    false => "of the next batch",
                };
                format!("{measurements} {which} {}", is_or_are(progress.missing))
            }
        };
        sentences.push(format!(
            "The evolution is not complete: {complete} of {} {}, and {missing} missing.",
            counted(plan.evolve.generations, "generation"),
            is_or_are(complete),
        ));
        return sentences;
    };
    let finals = &evolved.finals;
    match finals.champion() {
        Some((genome, gain)) => {
            let [is_best, at_once] = match finals.entered {
                1 => [String::new(), String::new()],
                candidates => [
                    format!(", an estimate that is biased upwards, as it is the best of {candidates} candidates"),
                    ", which holds for all of them at once,".to_owned(),
                ],
            };
            sentences.push(format!(
                "The champion gains {:+.2} {} over the reference in games on validation decks{is_best}. The lower bound{at_once} is \
                 {:+.2} (one-sided, level {SIGNIFICANCE_LEVEL}).",
                gain.mean(),
                plan.unit_of_gains(),
                finals.lower_bound(gain)
            ));
            sentences.push(format!("It has {}: {genome}.", counted(genome.size(), "node")));
            sentences.extend(evolved.of_champion(plan));
            let proof = match &plan.proof_files()[..] {
                [one] => format!("The league of {one} tests"),
                all => format!("The leagues of {} test", all.join(", ")),
            };
            sentences.push(format!(
                "This is not yet a confirmation. {proof} it on decks that the evolution could not reach."
            ));
        }
        None if finals.entered == 0 => sentences.push("No champion: there is no finalist.".to_owned()),
        None => sentences.push(format!(
            "No champion: none of {} candidates is better than the reference after correction for their number.",
            finals.entered
        )),
    }
    for (proposer, tally) in plan.proposers.iter().zip(&progress.history.proposers) {
        let (name, asked) = (&proposer.name, counted(tally.asked, "generation"));
        match (tally.proposed, tally.measured) {
            (0, _) => sentences.push(format!("The proposer {name} proposed no formula in {asked}.")),
            (formulas, 0) => {
                let formulas = counted(formulas, "formula");
                sentences.push(format!("The proposer {name} proposed {formulas} in {asked}; none was new and valid."));
            }
            _ => {}
        }
    }
    sentences.extend(evolved.repeats.map(|repeats| repeats.to_string()));
    sentences
}

/// An individual and its ancestors, the youngest first.
fn lineage(history: &History, individual: &Individual) -> Vec<AncestorRow> {
    let (mut open, mut seen) = (BTreeSet::from([individual.id]), Vec::new());
    while let Some(id) = open.pop_last() {
        if seen.len() == ANCESTORS {
            break;
        }
        let Individual { genome, born, island, parents, operator, fitness: gain, .. } = &history.individuals[id];
        open.extend(parents.iter().copied());
        seen.push(AncestorRow {
            individual: id,
            born: born + 1,
            island: island + 1,
            operator,
            parents: parents.clone(),
            gain: gain.mean(),
            formula: genome.clone(),
        });
    }
    seen
}

/// The names of the terminals of a genome, numbers aside.
fn terminals_of(genome: &Genome) -> BTreeSet<String> {
    let nodes = genome.slots().filter_map(|slot| genome.tree(slot)).flat_map(Tree::nodes);
    let name = |node: &Node| match node {
        Node::Terminal(terminal) => terminal.name().map(str::to_owned),
        Node::Function(_) => None,
    };
    nodes.filter_map(name).collect()
}

fn terminals(history: &History) -> Vec<TerminalRow> {
    let last = history.generations.last().map_or(0, |row| row.generation);
    let count = last as usize + 1;
    let mut born = vec![0_u32; count];
    let mut users: BTreeMap<String, Vec<u32>> = BTreeMap::new();
    for individual in history.individuals.iter().filter(|individual| individual.born <= last) {
        let generation = individual.born as usize;
        born[generation] += 1;
        for terminal in terminals_of(&individual.genome) {
            users.entry(terminal).or_insert_with(|| vec![0; count])[generation] += 1;
        }
    }
    let row = |(terminal, users): (String, Vec<u32>)| {
        // A climb tries the same neighbours again where none of them won.
        let share = |last: &mut f64, (users, born): (u32, &u32)| {
            *last = if *born == 0 { *last } else { f64::from(users) / f64::from(*born) };
            Some(*last)
        };
        TerminalRow { terminal, shares: users.into_iter().zip(&born).scan(0.0, share).collect() }
    };
    let mut rows: Vec<TerminalRow> = users.into_iter().map(row).collect();
    let newest = |row: &TerminalRow| row.shares.last().copied().unwrap_or(0.0);
    rows.sort_by(|a, b| newest(b).total_cmp(&newest(a)).then(a.terminal.cmp(&b.terminal)));
    rows
}

/// Visits of a parent as a search of the first game makes, and the standard deviation of its rewards.
fn parent(plan: &EvolutionPlan) -> (u64, f64) {
    (plan.iterations().unwrap_or(PARENT), shown_means(plan.games[0].rules.domain().point())[1])
}

/// Values over the visits of a child; none of a formula over what a search learns, which has no value but in a search.
fn shape(plan: &EvolutionPlan, best: &Genome) -> Vec<ShapeCurve> {
    let mut curves = Vec::new();
    let is_known = |column| matches!(column, Column::MoveNumber(_)) || OF_NODE.contains(&column.name());
    if best.tree(Slot::Select).is_some_and(|tree| !tree.needs().columns().all(is_known)) {
        return curves;
    }
    let (reference, (visited, deviation)) = (&plan.seeds[0], parent(plan));
    let visited = visited as f64;
    for (what, genome, is_reference) in [("best formula", best, false), ("reference", reference, true)] {
        let Some(tree) = genome.tree(Slot::Select) else { continue };
        for mean in [0.0, deviation] {
            let value = |visits: f64| value((tree, plan.ln), (visited, deviation), mean, visits);
            let steps = (0..PLACES).map(|step| (visited.ln() * f64::from(step) / f64::from(PLACES - 1)).exp());
            let points = steps.map(|visits| (visits, value(visits))).filter(|(_, value)| value.abs() < 1e6).collect();
            curves.push(ShapeCurve { name: format!("{what}, Q = {mean}"), is_reference, points });
        }
    }
    curves
}

fn value((tree, ln): (&Tree, LnRule), (visited, deviation): (f64, f64), mean: f64, visits: f64) -> f64 {
    let terminal = |terminal: Terminal| match terminal {
        Terminal::Mean => mean,
        Terminal::ChildVisits => visits,
        Terminal::ParentVisits => visited,
        Terminal::Constant => 1.0,
        Terminal::Number(number) => number,
        // Half of the game and of the budget are over, and the children's mean is that of the better child.
        Terminal::Column(column) => match column.name() {
            "phase" | "left" => 0.5,
            "sd" => deviation,
            "moves" => 50.0,
            _ => 0.0,
        },
    };
    tree.evaluate_by(terminal, ln)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_formula_over_what_a_search_learns_has_no_shape() {
        evouct_carcassonne::add();
        let file = "name = \"a\"\n[evolve]\ntrees = [\"select\"]\nterminals = [\"Q\", \"n\", \"N\", \"hm\", \"dv\", \"sd\"]\n\
                    seeds = [\"Q + sqrt(ln(N)/n)\"]\n[[player]]\nkind = \"formula\"\niterations = 20\n\
                    [[opponent]]\nname = \"UCT\"\nkind = \"mcts\"\niterations = 20\n[[stage]]\nmeasure = \"games\"\ndecks = 2\n";
        let plan = EvolutionPlan::parse(file, "a.toml", None).unwrap();
        assert_eq!(plan.setting(), "carcassonne, 20 iterations per decision, algorithm generational");
        let curves = |text| shape(&plan, &Genome::parse(text, &plan.terminals()).unwrap()).len();
        assert_eq!(["Q + 1/n", "Q + dv/n + sd", "Q + hm/n"].map(curves), [4, 4, 0]);
    }
}
