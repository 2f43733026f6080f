//! `evouct compare`: runs compared with the first of them.

use super::form::{Form, one_of};
use super::{Outcome, evolution_set, output_file, warn, whole};
use crate::config::Experiment;
use crate::error::Failure;
use crate::offline::{EvolutionPlan, EvolutionSet, SeedEvolution};
use crate::record::Run;
use crate::report::{
    BesideFirst, ComparedRun, LoadedRun, SeedsBeside, SeedsReport, beside_first, compared_page, seeds_beside,
    seeds_beside_page,
};
use clap::Args;
use std::io::Write;
use std::path::{Path, PathBuf};

#[derive(Args)]
pub(super) struct Arguments {
    /// The run folder with which the others are compared; or all are folders of evolutions of several seeds
    #[arg(value_name = "RUN")]
    first: PathBuf,
    /// The other run folders
    #[arg(required = true, value_name = "OTHER")]
    others: Vec<PathBuf>,
    /// Form of what is printed; html is a page
    #[arg(long, value_name = "FORMAT", default_value = "text",
          value_parser = one_of(&[Form::Text, Form::Markdown, Form::Csv, Form::Json, Form::Html]))]
    format: Form,
    /// An earlier spelling of --format json.
    #[arg(long, hide = true, conflicts_with = "format")]
    json: bool,
    /// Write the comparison as an HTML page, too
    #[arg(long, value_name = "FILE")]
    html: Option<PathBuf>,
    /// Of evolutions of several seeds: the gain above which a seed succeeds [default: 0]
    #[arg(long, value_name = "GAIN", allow_negative_numbers = true)]
    level: Option<f64>,
}

pub(super) fn run(arguments: &Arguments, out: &mut dyn Write) -> Outcome {
    if let Some(first) = evolution_set::open(&arguments.first)? {
        return of_sets(&first, arguments, out);
    }
    if arguments.level.is_some() {
        return Err(Failure::Usage("--level is for evolutions of several seeds".to_owned()));
    }
    let first = read(&arguments.first)?;
    let others = arguments.others.iter().map(|folder| read(folder)).collect::<Result<Vec<_>, _>>()?;
    let folders = std::iter::once(&arguments.first).chain(&arguments.others).map(PathBuf::as_path);
    let missing: Vec<u64> = std::iter::once(&first).chain(&others).map(|(_, loaded)| loaded.missing).collect();
    let others: Vec<ComparedRun> = others.iter().map(compared).collect();
    let compared = BesideFirst::of(compared(&first), &others);
    if let Some(file) = &arguments.html {
        output_file::write(file, &compared_page(&compared), &output_file::PAGE)?;
    }
    match arguments.format.of_tables().filter(|_| !arguments.json) {
        Some(format) => {
            write!(out, "{}", beside_first(&compared, format))?;
            if let Some(file) = arguments.html.as_ref().filter(|_| arguments.format == Form::Text) {
                writeln!(out, "page {}", file.display())?;
            }
        }
        None if arguments.format == Form::Html => writeln!(out, "{}", compared_page(&compared))?,
        None => writeln!(out, "{}", serde_json::to_string_pretty(&compared).map_err(Failure::failed)?)?,
    }
    whole::check_all(folders.zip(missing))
}

/// Sets of evolutions, by tests over their seeds.
fn of_sets(first: &EvolutionSet, arguments: &Arguments, out: &mut dyn Write) -> Outcome {
    let level = arguments.level.unwrap_or(0.0);
    let (own, evolutions) = reported(first, level)?;
    let (mut all, mut parts) = (Vec::new(), Vec::new());
    if own.digest.is_none() {
        parts.push(evolution_set::interim(first, &evolutions));
    }
    for folder in &arguments.others {
        let set = evolution_set::open(folder)?.ok_or_else(|| {
            let problem = "this folder has no evolutions of several seeds, to compare with those of";
            Failure::Usage(format!("{}: {problem} {}", folder.display(), first.folder().display()))
        })?;
        let (theirs, others) = reported(&set, level)?;
        if let Some(what) = plan_of(&others).zip(plan_of(&evolutions)).and_then(|(theirs, own)| theirs.other_gains(own))
        {
            let problem = format!("its gains are of something else than those of {}", first.folder().display());
            return Err(Failure::Usage(format!("{}: {problem}: {what}", folder.display())));
        }
        let names = [first.folder(), folder].map(|folder| folder.display().to_string());
        all.push(SeedsBeside::of(names, [&own, &theirs]).map_err(Failure::Usage)?);
        if theirs.digest.is_none() {
            parts.push(evolution_set::interim(&set, &others));
        }
    }
    if let Some(file) = &arguments.html {
        output_file::write(file, &seeds_beside_page(&all), &output_file::PAGE)?;
    }
    match arguments.format.of_tables().filter(|_| !arguments.json) {
        Some(format) => write!(out, "{}", seeds_beside(&all, format))?,
        None if arguments.format == Form::Html => writeln!(out, "{}", seeds_beside_page(&all))?,
        None => writeln!(out, "{}", serde_json::to_string_pretty(&all).map_err(Failure::failed)?)?,
    }
    parts.into_iter().next().map_or(Ok(()), Err)
}

/// The report of a set, and its evolutions.
fn reported(set: &EvolutionSet, level: f64) -> Result<(SeedsReport, Vec<SeedEvolution>), Failure> {
    let evolutions = evolution_set::evolutions(set)?;
    let report = SeedsReport::of(set, &evolutions, level);
    Ok((report.ok_or_else(|| evolution_set::interim(set, &evolutions))?, evolutions))
}

/// The plan of a seed that has begun.
fn plan_of(evolutions: &[SeedEvolution]) -> Option<&EvolutionPlan> {
    evolutions.iter().find_map(|own| own.begun.as_ref()).map(|(folder, _)| folder.plan())
}

fn compared((experiment, loaded): &(Experiment, LoadedRun)) -> ComparedRun<'_> {
    ComparedRun { experiment, aggregate: &loaded.aggregate }
}

/// The experiment and the records of a run folder. Nothing is written.
pub(super) fn read(folder: &Path) -> Result<(Experiment, LoadedRun), Failure> {
    let run = Run::open(folder).map_err(Failure::usage)?;
    let experiment = run.experiment().map_err(Failure::usage)?;
    let loaded = LoadedRun::read(&run, &experiment, |_, _| Ok(())).map_err(Failure::failed)?;
    warn(&loaded.problems);
    Ok((experiment, loaded))
}
