//! Results of one kind beside the first of them: as a page, as commands print them, and as numbers.

use super::block::{Block, Format, print};
use super::chart::rows::Dot;
use super::chart::{Series, lines};
use super::figure::PageFigure;
use super::page::table::table_over;
use super::page::{PagePart, headline, page_of};
use super::picture::points;
use crate::tables::evolved::{EvolvedReport, VALIDATION};
use crate::tables::evolved_beside::EvolvedBeside;
use crate::tables::seeds::SeedsReport;
use crate::tables::seeds_beside::SeedsBeside;
use crate::tables::typed;
use evouct_base::table::{Table, Width};
use evouct_gp::Terminal;
use evouct_offline::{EvolutionFolder, EvolutionPlan, EvolutionSet, SeedEvolution};
use evouct_store::{Problem, RecordError};
use maud::html;
use serde_json::{Value, json};
use std::path::{Path, PathBuf};

/// Values in a chart.
const DOTS: usize = 40;

/// Several results beside the first of them.
pub struct FolderComparison {
    /// The folder of the first.
    pub first: String,
    /// What the comparison is of, in a sentence.
    pub about: &'static str,
    /// What is to be known first, in sentences.
    pub headline: Vec<String>,
    /// The pictures.
    pub figures: Vec<PageFigure>,
    /// The tables, each below a heading.
    pub tables: Vec<(&'static str, Table)>,
    /// What formulas in them are over, beside the terminals that every game has.
    pub terminals: Vec<Terminal>,
    /// All numbers.
    pub json: Value,
    /// The folders that are not complete, and how far each is.
    pub interim: Vec<(PathBuf, String)>,
    /// What could not be read.
    pub problems: Vec<Problem>,
}

impl FolderComparison {
    /// The page, in one file.
    pub fn page(&self) -> String {
        let drawn = html! { div.charts { @for figure in &self.figures { (figure.alone()) } } };
        let mut sections: Vec<PagePart> = vec![("headline", "In short", headline(&self.headline))];
        if !self.figures.is_empty() {
            sections.push(("glance", "At a glance", drawn));
        }
        let terminals: Vec<Terminal> = Terminal::NAMED.into_iter().chain(self.terminals.iter().copied()).collect();
        let parts = self.tables.iter().map(|(title, shown)| (shown.name, *title, table_over(shown, &terminals)));
        sections.extend(parts);
        let header = html! { h1 { (self.first) " beside others" } p.lead { (self.about) } };
        let footer = html! { "Written by evouct " (evouct_store::VERSION) " from the records." };
        page_of(&format!("{}: comparison", self.first), &header, sections, &footer)
    }

    /// What a command prints.
    pub fn print(&self, format: Format) -> String {
        let said = self.headline.iter().cloned().map(Block::Paragraph);
        let tables = self.tables.iter().map(|(_, table)| Block::Table(table.clone(), Width::Full));
        print(&said.chain(tables).collect::<Vec<_>>(), format)
    }
}

/// Refuses an evolution whose gains are of something else than those of the first.
fn check_gains((first, own): &(&Path, EvolutionPlan), folder: &Path, plan: &EvolutionPlan) -> Result<(), RecordError> {
    let problem = |what| format!("it cannot be compared with {}: {what}", first.display());
    plan.other_gains(own).map_or(Ok(()), |what| Err(RecordError::folder(folder, problem(what))))
}

/// A curve for each name.
fn curves(all: impl Iterator<Item = (String, Vec<(f64, f64)>)>, axis: &str, caption: &str) -> PageFigure {
    let series = (0..).zip(all).map(|(colour, (name, points))| Series { name, points, dashed: false, colour });
    let series: Vec<Series> = series.collect();
    let drawing = lines("generation", axis, &series, false);
    PageFigure::new("gain", caption, drawing, "folder generation gain", points(&series))
}

/// Evolutions, one in each folder, beside the first.
///
/// # Errors
/// If a folder cannot be read or holds no evolution, or gains are of different things.
pub fn compare_evolutions(folders: &[PathBuf]) -> Result<FolderComparison, RecordError> {
    let (mut all, mut problems, mut interim) = (Vec::new(), Vec::new(), Vec::new());
    let mut first: Option<(&Path, EvolutionPlan)> = None;
    for path in folders {
        let folder = EvolutionFolder::open(path)?;
        let folder = folder.ok_or_else(|| RecordError::folder(path, "this folder has no evolution"))?;
        check_gains(first.get_or_insert_with(|| (path.as_path(), folder.plan().clone())), path, folder.plan())?;
        let own = EvolvedBeside {
            folder: path.display().to_string(),
            report: EvolvedReport::of(&folder, &folder.progress()),
        };
        if own.report.digest.is_none() {
            interim.push((path.clone(), format!("{}; `evouct evolve` goes on with it", own.generations())));
        }
        problems.extend(folder.problems);
        all.push(own);
    }
    let (unit, gain) = all.first().map_or(("", ""), |own| (own.report.unit, own.report.gain_in_training()));
    let caption =
        format!("The best {gain} of each generation. The best of many noisy values is too high in every evolution.");
    let curve = |own: &EvolvedBeside| (own.folder.clone(), own.curve());
    let gains = curves(all.iter().map(curve), &format!("{gain}, {unit}"), &caption);
    let most = (DOTS / all.len().max(1)).max(1);
    let finalists = all.iter().enumerate().flat_map(|(colour, own)| {
        own.report.finalists.iter().take(most).map(move |row| {
            let interval = row.half.map(|half| (row.gain - half, row.gain + half));
            Dot { name: own.folder.clone(), value: row.gain, interval, colour }
        })
    });
    let finalists: Vec<Dot> = finalists.collect();
    let mut figures = vec![gains];
    if !finalists.is_empty() {
        let caption = "The finalists of each evolution, the best first, with 95 % intervals.";
        figures.push(PageFigure::of_dots(["finalists", caption], &format!("{VALIDATION}, {unit}"), &finalists));
    }
    Ok(FolderComparison {
        first: folders[0].display().to_string(),
        about: "Evolutions of one random seed each.",
        headline: EvolvedBeside::headline(&all),
        figures,
        tables: vec![("Evolutions", typed::evolutions(&all))],
        terminals: all.iter().flat_map(|own| own.report.names.iter().map(|(name, _)| *name)).collect(),
        json: json!(all),
        interim,
        problems,
    })
}

/// Evolutions of several seeds, a set in each folder, beside the first, by tests over their seeds. A seed succeeds above
/// `level`.
///
/// # Errors
/// If a folder cannot be read or holds no set, has too few complete seeds, or gains are of different things.
pub fn compare_sets(folders: &[PathBuf], level: f64) -> Result<FolderComparison, RecordError> {
    let (mut reports, mut problems, mut interim) = (Vec::new(), Vec::new(), Vec::new());
    let mut first: Option<(&Path, EvolutionPlan)> = None;
    for path in folders {
        let set = EvolutionSet::open(path)?;
        let set = set.ok_or_else(|| RecordError::folder(path, "this folder has no evolutions of several seeds"))?;
        let evolutions = set.evolutions()?;
        let standing = EvolutionSet::standing(&evolutions);
        let report = SeedsReport::of(&set, &evolutions, level);
        let report = report.ok_or_else(|| RecordError::folder(path, "no seed has begun"))?;
        for (folder, _) in evolutions.into_iter().filter_map(|SeedEvolution { begun, .. }| begun) {
            check_gains(first.get_or_insert_with(|| (path.as_path(), folder.plan().clone())), path, folder.plan())?;
            problems.extend(folder.problems);
        }
        if report.digest.is_none() {
            interim.push((path.clone(), format!("{standing}; `evouct evolve --seeds` goes on with it")));
        }
        reports.push((path.display().to_string(), report));
    }
    let (own, others) = reports.split_first().expect("there is a first folder");
    let beside = |other: &(String, SeedsReport)| {
        SeedsBeside::of([own.0.clone(), other.0.clone()], [&own.1, &other.1])
            .map_err(|(at, problem)| RecordError::folder(Path::new(if at == 0 { &own.0 } else { &other.0 }), problem))
    };
    let all = others.iter().map(beside).collect::<Result<Vec<SeedsBeside>, _>>()?;
    let median = |(name, report): &(String, SeedsReport)| {
        (name.clone(), report.curve.iter().map(|row| (f64::from(row.generation), row.best.median)).collect())
    };
    let caption = "The best training gain of a generation, median over the seeds of a folder. The best of many noisy \
                   values is too high in every seed.";
    Ok(FolderComparison {
        first: own.0.clone(),
        about: "Evolutions of several random seeds each. The unit of every test is the seed.",
        headline: all.iter().flat_map(|beside| beside.headline.clone()).collect(),
        figures: vec![curves(reports.iter().map(median), &format!("training gain, {}", own.1.unit), caption)],
        tables: vec![("Evolutions", typed::sets(&all)), ("Differences", typed::differences_of_seeds(&all))],
        terminals: Vec::new(),
        json: json!(all),
        interim,
        problems,
    })
}
