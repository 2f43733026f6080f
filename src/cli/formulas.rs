//! `evouct formulas`: the formulas of a run or an evolution for other programs, with the protections and constants that
//! they were evolved with.

use super::notation::{Exported, Notation, check_digits};
use super::{Outcome, evolution_folder, whole};
use crate::error::Failure;
use crate::gp::{Genome, Tree};
use crate::kinds::{formula_player, player_text, player_toml};
use crate::named::Named;
use crate::offline::{EvolutionFolder, GainEstimate, genome_table};
use crate::plural::counted;
use crate::record::Run;
use crate::report::{FormulaRow, LoadedRun};
use clap::Args;
use std::io::Write;
use std::path::PathBuf;

#[derive(Args)]
pub(super) struct Arguments {
    /// The folder of a run, or of an evolution
    #[arg(value_name = "RUN")]
    folder: PathBuf,
    /// The most frequent formulas of each player; of an evolution the best finalists
    #[arg(long, value_name = "N", default_value_t = 10, value_parser = clap::value_parser!(u16).range(1..=10_000))]
    top: u16,
    /// What they become
    #[arg(long, alias = "as", value_enum, value_name = "FORMAT", default_value_t = Notation::Player)]
    format: Notation,
    /// Round numbers in LaTeX to N significant digits
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u8).range(1..=17))]
    digits: Option<u8>,
}

pub(super) fn run(arguments: &Arguments, out: &mut dyn Write) -> Outcome {
    check_digits(arguments.digits, Some(arguments.format))?;
    let (formulas, whole) = match evolution_folder::open(&arguments.folder)? {
        Some(folder) => of_evolution(&folder, arguments)?,
        None => of_run(arguments)?,
    };
    let text = arguments.format.of_all(&formulas, arguments.digits);
    writeln!(out, "{}", text.trim_end())?;
    whole
}

/// Formulas, and whether what they are from is complete.
type Found = (Vec<Exported>, Outcome);

/// The formulas of an evolution: its finalists, the best first, or what is best so far.
fn of_evolution(folder: &EvolutionFolder, arguments: &Arguments) -> Result<Found, Failure> {
    let (progress, plan) = (folder.progress(), folder.plan());
    let whole = if progress.evolved.is_some() { Ok(()) } else { Err(evolution_folder::interim(folder)) };
    let mut genomes: Vec<(Genome, String)> = match &progress.evolved {
        Some(evolved) => {
            let champion = evolved.finals.champion().map(|(genome, _)| genome);
            let words = |genome: &Genome| if Some(genome) == champion { "champion" } else { "finalist" };
            let gain = |gain: &GainEstimate| format!("{:+.2} {} over the reference", gain.mean(), plan.unit_of_gains());
            let ranking = evolved.finals.ranking.iter();
            ranking.map(|(genome, own)| (genome.clone(), format!("{}, {}", words(genome), gain(own)))).collect()
        }
        None => {
            progress.history.front().into_iter().rev().map(|each| (each.genome.clone(), "so far".to_owned())).collect()
        }
    };
    genomes.truncate(usize::from(arguments.top));
    if genomes.is_empty() {
        let lack = if whole.is_ok() { "no finalist" } else { "no complete generation yet" };
        return Err(Failure::Usage(format!("{}: the evolution has {lack}", arguments.folder.display())));
    }
    let about =
        |number: usize, words: &str| format!("{number}: of the evolution {}, seed {}, {words}", plan.name, plan.seed);
    let mut formulas = Vec::new();
    for (number, (genome, words)) in (1..).zip(&genomes) {
        let table = genome_table(plan, genome, &format!("formula {number}"));
        // One player has all formulas of a genome.
        let mut player = format!("# {}\n{table}", about(number, words));
        for slot in genome.slots() {
            let tree = genome.tree(slot).expect("a slot with a formula").clone();
            let about = format!("{}; {} = {tree}; ln = {}", about(number, words), slot.name(), plan.ln.name());
            let player = std::mem::take(&mut player);
            formulas.push(Exported { name: format!("{}_{number}", slot.name()), about, tree, ln: plan.ln, player });
        }
    }
    Ok((formulas, whole))
}

/// The most frequent formulas of a run.
fn of_run(arguments: &Arguments) -> Result<Found, Failure> {
    let run = Run::open(&arguments.folder).map_err(Failure::usage)?;
    let experiment = run.experiment().map_err(Failure::usage)?;
    let loaded = LoadedRun::read(&run, &experiment, |_, _| Ok(())).map_err(Failure::failed)?;
    let rows = loaded.aggregate.formulas(&experiment, usize::from(arguments.top));
    let mut formulas = Vec::new();
    for (number, row) in (1..).zip(rows) {
        let Some(by) = experiment.players.iter().find(|player| player.name == row.player) else { continue };
        let Ok(tree) = row.formula.parse::<Tree>() else { continue };
        let about = about(number, &row);
        // A formula may be of no use as a player; only players need one.
        let mut player = String::new();
        if arguments.format == Notation::Player {
            let first = |errors: Vec<crate::parameter::ParameterError>| {
                let problem = errors.first().map_or(String::new(), |error| error.problem.clone());
                Failure::Failed(format!("formula {number} cannot be a player: {problem}"))
            };
            let spec = formula_player(experiment.rules.domain(), &by.spec, &tree).map_err(first)?;
            let toml = player_toml(&spec, &format!("formula {number}"));
            player = format!("# {about}\n# {}\n{toml}", player_text(&spec));
        }
        formulas.push(Exported { name: format!("formula_{number}"), about, tree, ln: row.ln, player });
    }
    if formulas.is_empty() {
        let folder = arguments.folder.display();
        return Err(Failure::Usage(format!("{folder} has no evolved formula; expected a run with an evolving player")));
    }
    Ok((formulas, whole::check(&arguments.folder, loaded.missing)))
}

/// Who evolved a formula, how often, by which rules, and what `c` stands for.
fn about(number: usize, row: &FormulaRow) -> String {
    let FormulaRow { player, formula, order, count, of, ln, .. } = row;
    let constant = if formula.contains('c') { "; c is drawn at every use" } else { "" };
    let ln = ln.name();
    let of = counted(*of, "decision");
    format!("{number}: {formula} ({player}, {count} of {of}; order {order}; ln = {ln}{constant})")
}
