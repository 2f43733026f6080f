//! `evouct formulas`: the formulas of a run or an evolution for other programs, with the protections and constants that
//! they were evolved with.

use super::{Outcome, evolution_folder, whole};
use crate::error::Failure;
use crate::gp::{Genome, LnRule, NamedFormula, SYMPY_IMPORT, Tree, c_source, numpy};
use crate::kinds::{formula_player, player_text, player_toml};
use crate::named::Named;
use crate::offline::{EvolutionFolder, Pooled, genome_table};
use crate::plural::counted;
use crate::record::Run;
use crate::report::{FormulaRow, LoadedRun};
use clap::{Args, ValueEnum};
use std::io::Write;
use std::path::PathBuf;

#[derive(Args)]
pub(super) struct Arguments {
    /// The folder of a run, or of an evolution
    folder: PathBuf,
    /// The most frequent formulas of each player; of an evolution the best finalists
    #[arg(long, value_name = "N", default_value_t = 10, value_parser = clap::value_parser!(u16).range(1..=10_000))]
    top: u16,
    /// What they become: players for evouct, a NumPy module, a C file, LaTeX, or a SymPy script
    #[arg(long = "as", value_enum, value_name = "FORM", default_value_t = Target::Player)]
    target: Target,
    /// Round numbers in LaTeX to N significant digits
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u8).range(1..=17))]
    digits: Option<u8>,
}

#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Target {
    Player,
    Numpy,
    C,
    Latex,
    Sympy,
}

/// A formula to export.
struct Exported {
    /// The name of its function.
    name: String,
    about: String,
    tree: Tree,
    ln: LnRule,
}

impl Exported {
    fn named(&self) -> NamedFormula<'_> {
        NamedFormula { name: self.name.clone(), about: self.about.clone(), tree: &self.tree, ln: self.ln }
    }

    fn latex(&self, digits: Option<u8>) -> String {
        let dropped = self.tree.dropped_protections(self.ln);
        let mut text = format!("% {}\n", self.about);
        if !dropped.is_empty() {
            text.push_str(&format!("% protections that are not shown: {}\n", dropped.join("; ")));
        }
        let formula = match digits {
            None => self.tree.latex(),
            Some(digits) => {
                text.push_str(&format!("% numbers are rounded to {}\n", counted(digits, "significant digit")));
                self.tree.latex_rounded(digits.into())
            }
        };
        text + &formula + "\n"
    }

    /// SymPy expressions drop no protection of a real number; intermediate overflow has no counterpart in them.
    fn sympy(&self) -> String {
        let rule = match self.ln {
            LnRule::Abs => "ln of the absolute value",
            LnRule::Clamp => "ln clamped",
        };
        let text = self.tree.sympy_called(&self.name, self.ln);
        format!("# {}\n# all protections are kept ({rule}); overflow to infinity is not\n{text}", self.about)
    }
}

pub(super) fn run(arguments: &Arguments, out: &mut dyn Write) -> Outcome {
    if arguments.digits.is_some() && arguments.target != Target::Latex {
        return Err(Failure::Usage("--digits is for --as latex; programs get every digit".to_owned()));
    }
    let (formulas, players, whole) = match evolution_folder::open(&arguments.folder)? {
        Some(folder) => of_evolution(&folder, arguments)?,
        None => of_run(arguments)?,
    };
    let named = || formulas.iter().map(Exported::named).collect::<Vec<_>>();
    let joined = |text: &dyn Fn(&Exported) -> String| formulas.iter().map(text).collect::<Vec<_>>().join("\n");
    let text = match arguments.target {
        Target::Numpy => numpy(&named()),
        Target::C => c_source(&named()),
        Target::Player => players.join("\n"),
        Target::Latex => joined(&|formula| formula.latex(arguments.digits)),
        Target::Sympy => format!("{SYMPY_IMPORT}\n{}", joined(&Exported::sympy)),
    };
    writeln!(out, "{}", text.trim_end())?;
    whole
}

/// Formulas, the same as players, and whether what they are from is complete.
type Found = (Vec<Exported>, Vec<String>, Outcome);

/// The formulas of an evolution: its finalists, the best first, or what is best so far.
fn of_evolution(folder: &EvolutionFolder, arguments: &Arguments) -> Result<Found, Failure> {
    let (progress, plan) = (folder.progress(), folder.plan());
    let whole = if progress.evolved.is_some() { Ok(()) } else { Err(evolution_folder::interim(folder)) };
    let mut genomes: Vec<(Genome, String)> = match &progress.evolved {
        Some(evolved) => {
            let champion = evolved.finals.champion().map(|(genome, _)| genome);
            let words = |genome: &Genome| if Some(genome) == champion { "champion" } else { "finalist" };
            let gain = |gain: &Pooled| format!("{:+.2} points per game over the reference", gain.mean());
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
    let (mut formulas, mut players) = (Vec::new(), Vec::new());
    for (number, (genome, words)) in (1..).zip(&genomes) {
        for slot in genome.slots() {
            let tree = genome.tree(slot).expect("a slot with a formula").clone();
            let about = format!("{}; {} = {tree}; ln = {}", about(number, words), slot.name(), plan.ln.name());
            formulas.push(Exported { name: format!("{}_{number}", slot.name()), about, tree, ln: plan.ln });
        }
        let table = genome_table(plan, genome, &format!("formula {number}"));
        players.push(format!("# {}\n{table}", about(number, words)));
    }
    Ok((formulas, players, whole))
}

/// The most frequent formulas of a run.
fn of_run(arguments: &Arguments) -> Result<Found, Failure> {
    let run = Run::open(&arguments.folder).map_err(Failure::usage)?;
    let experiment = run.experiment().map_err(Failure::usage)?;
    let loaded = LoadedRun::read(&run, &experiment, |_, _| Ok(())).map_err(Failure::failed)?;
    let rows = loaded.aggregate.formulas(&experiment, usize::from(arguments.top));
    let (mut formulas, mut players) = (Vec::new(), Vec::new());
    for (number, row) in (1..).zip(rows) {
        let Some(by) = experiment.players.iter().find(|player| player.name == row.player) else { continue };
        let Ok(tree) = row.formula.parse::<Tree>() else { continue };
        let about = about(number, &row);
        // A formula may be of no use as a player; only players need one.
        if arguments.target == Target::Player {
            let first = |errors: Vec<crate::parameter::ParameterError>| {
                let problem = errors.first().map_or(String::new(), |error| error.problem.clone());
                Failure::Failed(format!("formula {number} cannot be a player: {problem}"))
            };
            let spec = formula_player(experiment.rules.domain(), &by.spec, &tree).map_err(first)?;
            let toml = player_toml(&spec, &format!("formula {number}"));
            players.push(format!("# {about}\n# {}\n{toml}", player_text(&spec)));
        }
        formulas.push(Exported { name: format!("formula_{number}"), about, tree, ln: row.ln });
    }
    if formulas.is_empty() {
        let folder = arguments.folder.display();
        return Err(Failure::Usage(format!("{folder} has no evolved formula; expected a run with an evolving player")));
    }
    Ok((formulas, players, whole::check(&arguments.folder, loaded.missing)))
}

/// Who evolved a formula, how often, by which rules, and what `c` stands for.
fn about(number: usize, row: &FormulaRow) -> String {
    let FormulaRow { player, formula, order, count, of, ln, .. } = row;
    let constant = if formula.contains('c') { "; c is drawn at every use" } else { "" };
    let ln = ln.name();
    let of = counted(*of, "decision");
    format!("{number}: {formula} ({player}, {count} of {of}; order {order}; ln = {ln}{constant})")
}
