//! What the commands on run folders do with the folder of evolutions of several seeds.

use super::evolution_folder::status_of;
use super::form::Form;
use super::standing::{Standing, StandingRow};
use super::{Outcome, warn, whole};
use crate::error::Failure;
use crate::offline::{EvolutionFolder, EvolutionSet, SeedEvolution};
use crate::plural::counted;
use crate::report::{SeedsReport, seeds_documents, seeds_summary, write_documents};
use crate::schedule::Shard;
use crate::store::{EVOLUTION_STEM, SEEDS_PLAN, check_repair_folder, claim, copy_plan, copy_with_headers};
use serde_json::json;
use std::io::Write;
use std::path::Path;

/// The set in a folder, if it holds one.
pub(super) fn open(folder: &Path) -> Result<Option<EvolutionSet>, Failure> {
    EvolutionSet::open(folder).map_err(Failure::usage)
}

/// Its evolutions as far as they have come. Warns of what is wrong with their records.
pub(super) fn evolutions(set: &EvolutionSet) -> Result<Vec<SeedEvolution>, Failure> {
    let evolutions = set.evolutions().map_err(Failure::usage)?;
    evolutions.iter().filter_map(|own| own.begun.as_ref()).for_each(|(folder, _)| warn(&folder.problems));
    Ok(evolutions)
}

/// That not all seeds are complete, and what goes on with them.
pub(super) fn interim(set: &EvolutionSet, evolutions: &[SeedEvolution]) -> Failure {
    let standing = EvolutionSet::standing(evolutions);
    whole::interim(set.folder(), &format!("{standing}; `evouct evolve --seeds` goes on with it"))
}

/// `evouct digest`.
pub(super) fn digest(set: &EvolutionSet, json: bool, out: &mut dyn Write) -> Outcome {
    let evolutions = evolutions(set)?;
    let Some(digest) = EvolutionSet::digest(&evolutions) else { return Err(interim(set, &evolutions)) };
    match json {
        true => writeln!(out, "{}", json!({ "digest": digest, "seeds": set.seeds() }))?,
        false => writeln!(out, "{digest}  {}", counted(evolutions.len(), "seed"))?,
    }
    Ok(())
}

/// `evouct status`: the whole, and the lines of each seed.
pub(super) fn status(set: &EvolutionSet) -> Result<Standing, Failure> {
    let evolutions = evolutions(set)?;
    let mut text = format!("{}: {}\n", set.name(), EvolutionSet::standing(&evolutions));
    let missing = evolutions.iter().map(missing).sum();
    let (mut rows, mut all, mut problems) = (Vec::new(), Vec::new(), Vec::new());
    for own in &evolutions {
        let name = EvolutionSet::sub_folder(own.seed);
        let Some((folder, progress)) = &own.begun else {
            text += &format!("  {name}: not begun\n");
            rows.push(StandingRow { name, state: "not begun".to_owned(), ..StandingRow::default() });
            continue;
        };
        let of_seed = status_of(folder, progress);
        let is_behind = !own.is_complete && progress.evolved.is_some();
        of_seed.text.lines().for_each(|line| text += &format!("  {line}\n"));
        if is_behind {
            text += "  it has fewer generations than another seed: --extend goes on with it\n";
        }
        rows.extend(of_seed.rows.into_iter().map(|row| StandingRow { name: name.clone(), ..row }));
        all.push(of_seed.json);
        problems.extend(of_seed.problems);
    }
    let whole = StandingRow {
        name: set.name().to_owned(),
        state: EvolutionSet::standing(&evolutions),
        missing: Some(missing),
        ..StandingRow::default()
    };
    rows.insert(0, whole);
    let json = json!({
        "name": set.name(), "seeds": set.seeds(), "complete": evolutions.iter().all(|own| own.is_complete),
        "missing": missing, "evolutions": all,
    });
    Ok(Standing { missing: Some(missing), text, json, rows, problems })
}

/// What is missing of an evolution: at least one measurement unless all is there.
fn missing(own: &SeedEvolution) -> u64 {
    let recorded = own.begun.as_ref().map_or(0, |(_, progress)| progress.missing as u64);
    recorded.max(u64::from(!own.is_complete))
}

/// What is missing of the seeds of a shard.
pub(super) fn missing_of(set: &EvolutionSet, shard: Shard) -> Result<u64, Failure> {
    let parts = set.part(Some(shard));
    let is_own = |own: &&SeedEvolution| parts.iter().any(|(seed, _)| *seed == own.seed);
    Ok(evolutions(set)?.iter().filter(is_own).map(missing).sum())
}

/// `evouct verify`: does so with each seed that has begun.
pub(super) fn verify(
    set: &EvolutionSet,
    out: &mut dyn Write,
    mut verify: impl FnMut(&EvolutionFolder, &mut dyn Write) -> Outcome,
) -> Outcome {
    let mut wrong = Vec::new();
    for SeedEvolution { seed, begun, .. } in evolutions(set)? {
        let Some((folder, _)) = begun else { continue };
        let name = EvolutionSet::sub_folder(seed);
        writeln!(out, "{name}:")?;
        match verify(&folder, out) {
            Err(Failure::Failed(problem)) => wrong.push(format!("{name}: {problem}")),
            outcome => outcome?,
        }
    }
    if wrong.is_empty() { Ok(()) } else { Err(Failure::Failed(wrong.join("; "))) }
}

/// `evouct repair`: copies the plan, and the journals of each seed with whole headers.
pub(super) fn repair(set: &EvolutionSet, to: &Path, out: &mut dyn Write) -> Outcome {
    let folder = set.folder();
    check_repair_folder(folder, to).and_then(|()| claim(to)).map_err(Failure::usage)?;
    copy_plan(&folder.join(SEEDS_PLAN), &to.join(SEEDS_PLAN)).map_err(Failure::usage)?;
    for seed in set.seeds().iter().filter(|seed| set.folder_of(**seed).is_dir()) {
        let name = EvolutionSet::sub_folder(*seed);
        match copy_with_headers(&set.folder_of(*seed), &to.join(&name), EVOLUTION_STEM, true) {
            Ok(copied) => {
                for journal in copied {
                    let header = if journal.is_restored { "one bit of its header was wrong" } else { "copied" };
                    writeln!(out, "{name}/{}: {header}", journal.name)?;
                }
            }
            Err(error) => writeln!(out, "{name}: left out: {error}")?,
        }
    }
    writeln!(out, "what is left out is measured again by the command that began it, with the folder {}", to.display())?;
    Ok(())
}

/// `evouct report`: writes the page and its files, and prints the tables. Seeds succeed above `level`. Returns whether all
/// are complete.
pub(super) fn report(set: &EvolutionSet, level: f64, form: Form, out: &mut dyn Write) -> Result<bool, Failure> {
    let evolutions = evolutions(set)?;
    let Some(report) = SeedsReport::of(set, &evolutions, level) else {
        return Err(interim(set, &evolutions));
    };
    // The result of a folder that cannot be written is printed before the error.
    let written = write_documents(set.folder(), seeds_documents(&report, None), true);
    form.print(out, &report, |format| seeds_summary(&report, format))?;
    written.map_err(Failure::failed)?;
    form.print_page(out, set.folder())?;
    if form == Form::Text {
        let champion = report.champion.map(|champion| report.finalists[champion].seed);
        let begun = |seed: u64| evolutions.iter().find(|own| own.seed == seed)?.begun.as_ref();
        if let Some((folder, _)) = champion.and_then(begun) {
            for proof in folder.plan().proof_files() {
                writeln!(out, "next: evouct run {}", folder.folder().join(proof).display())?;
            }
        }
    }
    Ok(report.digest.is_some())
}
