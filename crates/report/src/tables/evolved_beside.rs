//! An evolution beside others, each of one random seed.

use super::evolved::{EvolvedReport, FitnessRow, GainRow};
use evouct_base::plural::counted;
use serde::Serialize;

/// An evolution in its folder.
#[derive(Clone, Debug, Serialize)]
pub struct EvolvedBeside {
    /// The folder.
    pub folder: String,
    /// Its report.
    #[serde(flatten)]
    pub report: EvolvedReport,
}

impl EvolvedBeside {
    /// By generation the best gain over islands.
    pub(crate) fn curve(&self) -> Vec<(f64, f64)> {
        let generations = self.report.fitness.chunk_by(|a, b| a.generation == b.generation);
        let best = |rows: &[FitnessRow]| rows.iter().map(|row| row.best).fold(f64::NEG_INFINITY, f64::max);
        generations.map(|rows| (f64::from(rows[0].generation), best(rows))).collect()
    }

    /// How many generations are complete, in words.
    pub(crate) fn generations(&self) -> String {
        let (all, complete) = self.report.generations;
        format!("{complete} of {} complete", counted(all, "generation"))
    }

    /// What is to be known first of all of them.
    pub(crate) fn headline(all: &[EvolvedBeside]) -> Vec<String> {
        let mut said: Vec<String> = all.iter().map(EvolvedBeside::sentence).collect();
        said.push(
            "One random seed each: how they differ says nothing about what was changed between them. Evolutions of \
             several seeds, which evouct evolve --seeds makes, are tested against one another."
                .to_owned(),
        );
        said
    }

    fn sentence(&self) -> String {
        let EvolvedBeside { folder, report } = self;
        let by = report.measured_by.as_ref().map_or(String::new(), |by| format!(" (measured by {by}, not by evouct)"));
        let folder = format!("{folder}{by}");
        let what = if report.has_champion { "the champion" } else { "no champion; the best finalist" };
        match report.finalists.first() {
            _ if report.digest.is_none() => format!("{folder}: {}.", self.generations()),
            None => format!("{folder}: no finalist."),
            Some(GainRow { gain, half, nodes, .. }) => {
                let half = half.map_or(String::new(), |half| format!(" ± {half:.2}"));
                let nodes = counted(*nodes, "node");
                format!("{folder}: {what} gains {gain:+.2}{half} {} over the reference and has {nodes}.", report.unit)
            }
        }
    }
}
