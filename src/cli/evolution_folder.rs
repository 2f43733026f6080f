//! What the commands on run folders do with the folder of an evolution.

use super::form::Form;
use super::input_bank::open_whole;
use super::phrases::{differing, wrong_and_unread};
use super::standing::{Standing, StandingRow};
use super::{Outcome, warn, whole};
use crate::error::Failure;
use crate::offline::{EvolutionError, EvolutionFolder, EvolutionPlan, EvolutionProgress, summary};
use crate::plural::{counted, is_or_are};
use crate::report::{evolved_headline, evolved_tables, rebuild_evolved};
use serde_json::json;
use std::io::Write;
use std::path::Path;

/// The folder, if it is that of an evolution.
pub(super) fn open(folder: &Path) -> Result<Option<EvolutionFolder>, Failure> {
    let opened = EvolutionFolder::open(folder).map_err(Failure::usage)?;
    if let Some(opened) = &opened {
        warn(&opened.problems);
        if let Some(by) = opened.measured_by() {
            tracing::warn!("{}: its values were measured by {by}, not by evouct", folder.display());
        }
    }
    Ok(opened)
}

/// That the evolution is not complete, and what goes on with it.
pub(super) fn interim(folder: &EvolutionFolder) -> Failure {
    let standing = standing(folder, &folder.progress());
    whole::interim(folder.folder(), &format!("{standing}; `evouct evolve` goes on with it"))
}

/// `evouct digest`.
pub(super) fn digest(folder: &EvolutionFolder, json: bool, out: &mut dyn Write) -> Outcome {
    let progress = folder.progress();
    let Some(evolved) = &progress.evolved else {
        return Err(interim(folder));
    };
    if json {
        writeln!(out, "{}", json!({ "digest": evolved.digest, "measurements": evolved.measurements }))?;
    } else {
        writeln!(out, "{}  {} measurements", evolved.digest, evolved.measurements)?;
    }
    Ok(())
}

/// `evouct status`: a second line has the champion, or the best so far.
pub(super) fn status(folder: &EvolutionFolder) -> Standing {
    status_of(folder, &folder.progress())
}

/// That of an evolution whose course cannot be followed without callables of Python; none of others.
pub(super) fn status_of_lines(folder: &Path) -> Result<Option<Standing>, Failure> {
    let Some((name, recorded)) = EvolutionFolder::recorded_with_python(folder).map_err(Failure::usage)? else {
        return Ok(None);
    };
    let state = "it needs functions or operators of Python, so it is not known how many are missing".to_owned();
    Ok(Some(Standing {
        missing: None,
        text: format!("{name}: {} recorded; {state}\n", counted(recorded, "measurement")),
        json: json!({ "name": name, "recorded": recorded, "missing": null }),
        rows: vec![StandingRow { name, state, recorded: Some((recorded as u64, None)), ..StandingRow::default() }],
        problems: Vec::new(),
    }))
}

/// The champion, or the best so far, in a line.
fn best(plan: &EvolutionPlan, progress: &EvolutionProgress) -> Option<String> {
    let (rows, unit) = (&progress.history.generations, plan.unit_of_gains());
    let last = &rows[rows.len().saturating_sub(plan.evolve.islands)..];
    match &progress.evolved {
        Some(evolved) => Some(match evolved.finals.champion() {
            Some((genome, gain)) => format!("champion {:+.2} {unit}: {genome}", gain.mean()),
            None => evolved.finals.without_champion().to_owned(),
        }),
        None => last.iter().max_by(|a, b| a.best_gain.total_cmp(&b.best_gain)).map(|best| {
            let genome = &progress.history.individuals[best.best].genome;
            format!("best so far {:+.2} {unit}: {genome}", best.best_gain)
        }),
    }
}

/// The same of an evolution that has come so far.
pub(super) fn status_of(folder: &EvolutionFolder, progress: &EvolutionProgress) -> Standing {
    let plan = folder.plan();
    let best = best(plan, progress).map_or(String::new(), |best| best + "\n");
    let json = json!({
        "name": plan.name,
        "generations": plan.evolve.generations,
        "generations_complete": generations(folder, progress),
        "stage": progress.evolved.is_none().then_some(progress.stage + 1),
        "measurements": progress.measurements,
        "recorded": folder.recorded(),
        "missing": progress.missing,
        "complete": progress.evolved.is_some(),
    });
    let missing = progress.missing as u64;
    let row = StandingRow {
        name: plan.name.clone(),
        state: if progress.evolved.is_some() { "complete".to_owned() } else { batch(folder, progress) },
        recorded: Some((folder.recorded() as u64, None)),
        missing: Some(missing),
        ..StandingRow::default()
    };
    let text = format!("{}: {}\n{}", plan.name, standing(folder, progress), best);
    Standing { missing: Some(missing), text, json, rows: vec![row], problems: Vec::new() }
}

/// Generations that are complete.
fn generations(folder: &EvolutionFolder, progress: &EvolutionProgress) -> usize {
    progress.history.generations.len() / folder.plan().evolve.islands
}

/// What is measured next in an evolution that is not complete.
fn batch(folder: &EvolutionFolder, progress: &EvolutionProgress) -> String {
    part(folder.plan(), generations(folder, progress), progress.stage)
}

/// The part of an evolution with so many complete generations in which a stage is measured, from 0.
pub(super) fn part(plan: &EvolutionPlan, complete: usize, stage: usize) -> String {
    match (complete < plan.evolve.generations as usize, stage) {
        (true, _) => format!("generation {}", complete + 1),
        (false, 0) => "the tuning of constants".to_owned(),
        (false, stage) => format!("stage {}", stage + 1),
    }
}

/// Where an evolution stands, in a line.
fn standing(folder: &EvolutionFolder, progress: &EvolutionProgress) -> String {
    let (complete, all) = (generations(folder, progress), folder.plan().evolve.generations);
    let EvolutionProgress { missing, of_batch, measurements, .. } = progress;
    if progress.evolved.is_some() {
        return format!("complete, {}, {}", counted(all, "generation"), counted(*measurements, "measurement"));
    }
    let batch = batch(folder, progress);
    if let Some(proposer) = &progress.proposer {
        return format!(
            "{complete} of {} complete; in {batch}, the answer of {proposer} is missing",
            counted(all, "generation")
        );
    }
    let (generations, are) = (counted(all, "generation"), is_or_are(*missing));
    if complete < all as usize && folder.plan().evolve.algorithm.is_steady() {
        let measured = counted(*measurements, "measurement");
        return format!(
            "{complete} of {generations} complete; {measured} recorded, and {missing} that can be made by now {are} missing"
        );
    }
    let measurements = counted(*of_batch, "measurement");
    format!("{complete} of {generations} complete; in {batch}, {missing} of {measurements} {are} missing")
}

/// `evouct report`: writes the page, prints the result, the path of the page, and where there is a champion the command
/// that proves it. An evolution that is not complete has a page, too. Returns the digest of a complete one.
pub(super) fn report(folder: &EvolutionFolder, form: Form, out: &mut dyn Write) -> Result<Option<String>, Failure> {
    let progress = folder.progress();
    // The result of a folder that cannot be written is printed before the error.
    let (report, written) = rebuild_evolved(folder, &progress);
    match (&progress.evolved, form) {
        (Some(evolved), Form::Text) => write!(out, "{}", summary(folder.plan(), evolved))?,
        (None, Form::Text) => write!(out, "{}", evolved_headline(&report))?,
        _ => form.print(out, &report, |format| evolved_tables(&report, format))?,
    }
    written.map_err(Failure::failed)?;
    form.print_page(out, folder.folder())?;
    let has_champion = progress.evolved.as_ref().is_some_and(|evolved| evolved.finals.champion().is_some());
    if form == Form::Text && has_champion {
        for proof in folder.plan().proof_files() {
            writeln!(out, "next: evouct run {}", folder.folder().join(proof).display())?;
        }
    }
    Ok(progress.evolved.map(|evolved| evolved.digest))
}

/// Writes the report of an evolution that ended with this digest, and returns its result in a line.
pub(super) fn write_report(folder: &Path, measured: &str) -> Result<String, Failure> {
    let (mut line, mut recorded) = (String::new(), None);
    if let Some(opened) = open(folder)? {
        let progress = opened.progress();
        rebuild_evolved(&opened, &progress).1.map_err(Failure::failed)?;
        line = best(opened.plan(), &progress).unwrap_or_default();
        recorded = progress.evolved.map(|evolved| evolved.digest);
    }
    check_recorded(folder, recorded.as_deref(), measured)?;
    Ok(line)
}

/// Refuses journals that do not hold what was measured.
pub(super) fn check_recorded(folder: &Path, recorded: Option<&str>, measured: &str) -> Outcome {
    if recorded == Some(measured) {
        return Ok(());
    }
    let problem =
        "the journals do not hold what was measured: another process changed them; the same command measures the rest";
    Err(Failure::Failed(format!("{}: {problem}", folder.display())))
}

/// `evouct verify`: makes some measurements again.
pub(super) fn verify(
    folder: &EvolutionFolder,
    bank: Option<&Path>,
    (count, seed): (usize, u64),
    out: &mut dyn Write,
) -> Outcome {
    if bank.is_some() && folder.bank_digest().is_empty() {
        let problem = format!("{} used no bank; leave --bank out", folder.folder().display());
        return Err(Failure::Usage(problem));
    }
    if bank.is_none() && !folder.bank_digest().is_empty() {
        let problem = format!(
            "{} used a bank with the digest {:.12}; name its folder with --bank",
            folder.folder().display(),
            folder.bank_digest()
        );
        return Err(Failure::Usage(problem));
    }
    let bank = bank.map(open_whole).transpose()?;
    let verified = folder.verify(bank, count, seed).map_err(failure)?;
    for line in &verified.differing {
        writeln!(out, "differs: {line}")?;
    }
    writeln!(out, "{} of {} made again", verified.checked, counted(folder.recorded(), "measurement"))?;
    let lines: u64 = folder.problems.iter().map(|problem| problem.lines).sum();
    if verified.differing.is_empty() && folder.problems.is_empty() {
        return Ok(());
    }
    let wrong = verified.differing.len();
    Err(Failure::Failed(wrong_and_unread(differing(wrong as u64, "measurement"), lines)))
}

/// What an error of an evolution means for the exit code.
pub(super) fn failure(error: EvolutionError) -> Failure {
    match error {
        EvolutionError::Interrupted | EvolutionError::Waiting { .. } => Failure::Interrupted(error.to_string()),
        EvolutionError::Folder(_) | EvolutionError::Start(_) | EvolutionError::Plan(_) => Failure::usage(error),
        error => Failure::failed(error),
    }
}
