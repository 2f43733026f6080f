//! `evouct formulas`: the formulas of a run for other programs, with the protections and constants that they were evolved with.

use super::Outcome;
use crate::config::Contender;
use crate::error::Failure;
use crate::gp::{LnRule, NamedFormula, Tree, c_source, numpy};
use crate::kinds::{formula_player, player_text, player_toml};
use crate::named::Named;
use crate::record::Run;
use crate::report::{FormulaRow, LoadedRun};
use clap::{Args, ValueEnum};
use std::io::Write;
use std::path::PathBuf;

#[derive(Args)]
pub(super) struct Arguments {
    /// The run folder
    folder: PathBuf,
    /// The most frequent formulas of each player
    #[arg(long, value_name = "N", default_value_t = 10, value_parser = clap::value_parser!(u16).range(1..=10_000))]
    top: u16,
    /// What they become: players for evouct, a NumPy module, a C file, or LaTeX or SymPy expressions
    #[arg(long = "as", value_enum, value_name = "FORM", default_value_t = Target::Player)]
    target: Target,
}

#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Target {
    Player,
    Numpy,
    C,
    Latex,
    Sympy,
}

/// A formula with the player that evolved it.
struct Evolved<'a> {
    row: FormulaRow,
    tree: Tree,
    by: &'a Contender,
    /// Its number in the output, from 1.
    number: usize,
}

impl Evolved<'_> {
    /// Who evolved it, how often, and by which rules.
    fn about(&self) -> String {
        let FormulaRow { player, formula, order, count, of, .. } = &self.row;
        format!(
            "{}: {formula} ({player}, {count} of {of} decisions; order {order}; ln = {}{})",
            self.number,
            self.row.ln.name(),
            self.constant()
        )
    }

    /// What `c` stands for; empty for a formula without it.
    fn constant(&self) -> String {
        if self.row.formula.contains('c') { "; c is drawn at every use".to_owned() } else { String::new() }
    }

    fn named(&self) -> NamedFormula<'_> {
        NamedFormula {
            name: format!("formula_{}", self.number),
            about: self.about(),
            tree: &self.tree,
            ln: self.row.ln,
        }
    }

    fn player(&self) -> Result<String, Failure> {
        let first = |errors: Vec<crate::parameter::ParameterError>| {
            let problem = errors.first().map_or(String::new(), |error| error.problem.clone());
            Failure::Failed(format!("formula {} cannot be a player: {problem}", self.number))
        };
        let spec = formula_player(&self.by.spec, &self.tree).map_err(first)?;
        let name = format!("formula {}", self.number);
        Ok(format!("# {}\n# {}\n{}", self.about(), player_text(&spec), player_toml(&spec, &name)))
    }

    fn latex(&self) -> String {
        let dropped = self.tree.dropped_protections(self.row.ln);
        let note = if dropped.is_empty() { "none".to_owned() } else { dropped.join("; ") };
        format!("% {}\n% protections that are not shown: {note}\n{}", self.about(), self.tree.latex())
    }
}

pub(super) fn run(arguments: &Arguments, out: &mut dyn Write) -> Outcome {
    let run = Run::open(&arguments.folder).map_err(Failure::usage)?;
    let experiment = run.experiment().map_err(Failure::usage)?;
    let loaded = LoadedRun::read(&run, &experiment, |_, _| Ok(())).map_err(Failure::failed)?;
    let rows = loaded.aggregate.formulas(&experiment, usize::from(arguments.top));
    let evolved: Vec<Evolved> = rows
        .into_iter()
        .enumerate()
        .filter_map(|(place, row)| {
            let by = experiment.players.iter().find(|player| player.name == row.player)?;
            Some(Evolved { tree: row.formula.parse().ok()?, row, by, number: place + 1 })
        })
        .collect();
    if evolved.is_empty() {
        let folder = arguments.folder.display();
        return Err(Failure::Usage(format!("{folder} has no evolved formula; expected a run with an evolving player")));
    }
    let text = match arguments.target {
        Target::Numpy => numpy(&evolved.iter().map(Evolved::named).collect::<Vec<_>>()),
        Target::C => c_source(&evolved.iter().map(Evolved::named).collect::<Vec<_>>()),
        Target::Player => {
            let players: Vec<String> = evolved.iter().map(Evolved::player).collect::<Result<_, _>>()?;
            players.join("\n")
        }
        Target::Latex => evolved.iter().map(|formula| formula.latex() + "\n").collect::<Vec<_>>().join("\n"),
        Target::Sympy => evolved.iter().map(sympy).collect::<Vec<_>>().join("\n"),
    };
    writeln!(out, "{}", text.trim_end())?;
    Ok(())
}

/// SymPy expressions drop no protection of a real number; intermediate overflow has no counterpart in them.
fn sympy(formula: &Evolved) -> String {
    let rule = match formula.row.ln {
        LnRule::Abs => "ln of the absolute value",
        LnRule::Clamp => "ln clamped",
    };
    let text = formula.tree.sympy(formula.row.ln);
    format!("# {}\n# all protections are kept ({rule}); overflow to infinity is not\n{text}\n", formula.about())
}
