//! What an evolution leaves behind: tables, the champion, and the league that tests it.

pub(crate) mod champion;
pub(crate) mod scores;

use crate::course::finals::{EvolutionResult, Finals};
use crate::course::history::{Folded, Individual};
use crate::fitness::pooled::Pooled;
use crate::fitness::second_gain::SecondGain;
use crate::plan::{Algorithm, EvolutionPlan};
use evouct_base::named::Named;
use evouct_base::plural::counted;
use evouct_base::seed::{Key, SeriesPart};
use evouct_base::wrap::wrapped;
use evouct_gp::{Decisions, Genome, Slot};
use evouct_league::export::csv_table;
use evouct_platform::domain::Spec;
use evouct_stats::SIGNIFICANCE_LEVEL;
use evouct_store::{RecordError, disk};
use std::fmt::Write;
use std::path::Path;

/// The league that tests the champion.
pub(crate) const PROOF_FILE: &str = "proof.toml";

/// Writes the files of an evolution into its folder: `generations.csv`, `front.csv`, `lineage.csv`, `finals.csv`,
/// `opponents.csv`, `folded.csv` and, if there is a champion, `champions.toml` and `proof.toml`.
///
/// # Errors
/// If a file cannot be written.
pub fn write_files(
    plan: &EvolutionPlan,
    evolved: &EvolutionResult,
    folder: &Path,
) -> Result<Vec<&'static str>, RecordError> {
    let mut files = vec![
        ("generations.csv", generations(evolved)),
        ("front.csv", front(evolved)),
        ("lineage.csv", lineage(plan, evolved)),
        ("finals.csv", finals(plan, &evolved.finals)),
        ("opponents.csv", opponents(plan, &evolved.finals)),
    ];
    if plan.folds() || plan.algorithm == Algorithm::Climb {
        files.push(("folded.csv", folded(evolved)));
    }
    let failed = |(path, error): disk::Unwritten| RecordError::io(&path, "cannot write", error);
    let champions = folder.join("champions.toml");
    if let Some((genome, _)) = evolved.finals.champion() {
        files.push(("champions.toml", champion(plan, evolved, genome)));
        files.push((PROOF_FILE, proof(plan, evolved, genome)));
    } else if champions.exists() {
        // A champion of an earlier course would mislead.
        let own = disk::OwnFiles::of(folder, true).map_err(failed)?;
        for name in ["champions.toml", PROOF_FILE] {
            let stale = folder.join(name);
            if stale.exists() && own.check(name, None).is_ok() {
                disk::remove(&stale).map_err(|error| RecordError::io(&stale, "cannot remove", error))?;
            }
        }
    }
    let names = files.iter().map(|(name, _)| *name).collect();
    let files = files.into_iter().map(|(name, text)| (name.to_owned(), text.into_bytes())).collect();
    disk::replace_own(folder, files, true).map_err(failed)?;
    Ok(names)
}

/// A number with three decimals; empty if there is none.
pub(crate) fn number(value: f64) -> String {
    if value.is_finite() { format!("{value:.3}") } else { String::new() }
}

fn generations(evolved: &EvolutionResult) -> String {
    let mut rows = Vec::new();
    for each in &evolved.history.generations {
        let genome = &evolved.history.individuals[each.best].genome;
        rows.push(vec![
            each.generation.to_string(),
            each.island.to_string(),
            each.best.to_string(),
            number(each.best_gain),
            number(each.median_gain),
            format!("{:.1}", each.size),
            genome.to_string(),
        ]);
    }
    csv_table("generation island best best_gain median_gain mean_nodes best_formula", rows)
}

fn front(evolved: &EvolutionResult) -> String {
    let mut rows = Vec::new();
    for each in evolved.history.front() {
        rows.push(vec![
            each.genome.size().to_string(),
            number(each.fitness.mean()),
            number(each.fitness.error()),
            each.fitness.units().to_string(),
            each.id.to_string(),
            each.genome.to_string(),
        ]);
    }
    csv_table("nodes gain standard_error units individual formula", rows)
}

/// The columns of the second objective, if there is one: what stands before the formula.
fn of_second(plan: &EvolutionPlan, columns: &[&str]) -> String {
    plan.second.map_or(String::new(), |second| columns.iter().map(|what| format!("{}{what} ", second.name)).collect())
}

/// The mean and the standard error of each of these.
fn estimates<'a>(all: impl IntoIterator<Item = &'a Pooled>) -> impl Iterator<Item = String> {
    all.into_iter().flat_map(|own| [own.mean(), own.error()].map(number))
}

fn lineage(plan: &EvolutionPlan, evolved: &EvolutionResult) -> String {
    let second = of_second(plan, &["", "_error"]);
    let mut rows = Vec::new();
    for Individual { id, genome, born, island, parents, operator, fitness: gain } in &evolved.history.individuals {
        let parents: Vec<String> = parents.iter().map(usize::to_string).collect();
        let mut fields = vec![
            id.to_string(),
            born.to_string(),
            island.to_string(),
            (*operator).to_owned(),
            parents.join(" "),
            genome.size().to_string(),
            number(gain.mean()),
            number(gain.error()),
            gain.units().to_string(),
        ];
        fields.extend(estimates(evolved.history.second.get(*id)));
        fields.push(genome.to_string());
        rows.push(fields);
    }
    csv_table(&format!("individual born island operator parents nodes gain standard_error units {second}formula"), rows)
}

fn folded(evolved: &EvolutionResult) -> String {
    let mut rows = Vec::new();
    for Folded { born, genome, into } in &evolved.history.folded {
        rows.push(vec![born.to_string(), into.to_string(), genome.to_string()]);
    }
    csv_table("born individual formula", rows)
}

fn finals(plan: &EvolutionPlan, finals: &Finals) -> String {
    let second = of_second(plan, &["", "_error", "_gain", "_gain_error"]);
    let mut rows = Vec::new();
    let mut last = (usize::MAX, u32::MAX, 0);
    for each in &finals.rows {
        let place = if (last.0, last.1) == (each.stage, each.round) { last.2 + 1 } else { 1 };
        last = (each.stage, each.round, place);
        let mut fields = vec![
            (each.stage + 1).to_string(),
            plan.stages[each.stage].measure.name().to_owned(),
            (each.round + 1).to_string(),
            place.to_string(),
            number(each.gain.mean()),
            number(each.gain.error()),
            each.gain.units().to_string(),
            each.went_on.to_string(),
        ];
        fields.extend(estimates(each.second.iter().flat_map(|second| [&second.value, &second.gain])));
        fields.push(each.genome.to_string());
        rows.push(fields);
    }
    csv_table(&format!("stage measure round place gain standard_error units went_on {second}formula"), rows)
}

/// By opponent, how the finalists fare in games: fitness is the mean of these.
fn opponents(plan: &EvolutionPlan, finals: &Finals) -> String {
    let mut rows = Vec::new();
    for each in &finals.rows {
        for (opponent, difference) in plan.opponents.iter().zip(&each.against) {
            rows.push(vec![
                (each.stage + 1).to_string(),
                (each.round + 1).to_string(),
                opponent.name.clone(),
                number(*difference),
                each.genome.to_string(),
            ]);
        }
    }
    csv_table("stage round opponent difference formula", rows)
}

/// A `[[player]]` table.
fn player_table(text: &mut String, name: &str, spec: &Spec) {
    let quoted = |value: &str| serde_json::Value::from(value).to_string();
    let _ = write!(text, "\n[[player]]\nname = {}\nkind = {}\n", quoted(name), quoted(spec.kind().name));
    for (parameter, value) in spec.parameters().given() {
        let _ = writeln!(text, "{} = {}", parameter.name, value.to_json());
    }
}

/// A genome as a `[[player]]` table.
pub fn genome_table(plan: &EvolutionPlan, genome: &Genome, name: &str) -> String {
    let mut text = String::new();
    player_table(&mut text, name, &player(plan, genome));
    text.trim_start().to_owned()
}

/// The player of a genome under a plan whose seeds were checked.
fn player(plan: &EvolutionPlan, genome: &Genome) -> Spec {
    let player = plan.player(genome);
    player.expect("a genome that was measured is a player")
}

fn champion(plan: &EvolutionPlan, evolved: &EvolutionResult, genome: &Genome) -> String {
    let mut text = format!(
        "# The champion of the evolution {}, seed {}, digest {:.16}.\n# As a player of an experiment; proof.toml is a league that tests it.\n",
        plan.name, plan.seed, evolved.digest
    );
    if let Some(by) = &evolved.measured_by {
        let _ = writeln!(text, "# Its values were measured by {by}, not by evouct.");
    }
    player_table(&mut text, "Champion", &player(plan, genome));
    text
}

/// A gauntlet on decks that the evolution could not reach: the seed of a league derives decks in a context of its own.
fn proof(plan: &EvolutionPlan, evolved: &EvolutionResult, genome: &Genome) -> String {
    let seed = Key::series("evolve", plan.seed).experiment_seed(SeriesPart::HeldOut);
    let mut text = format!(
        "# A test of the champion of {} on decks that evolution did not see. Protocol: one gauntlet, the champion against\n\
         # each opponent, {} decks each, both seats; simultaneous tests by Holm's correction over the champion's matches.\n\
         name = \"{}-proof\"\nabout = \"The champion of {} (digest {:.16}) against its rivals, on unseen decks\"\n\
         seed = {seed}\ngames_per_match = {}\nschedule = \"gauntlet\"\npreset = \"{}\"\n",
        plan.name,
        plan.held_out_decks,
        plan.name,
        plan.name,
        evolved.digest,
        plan.held_out_decks,
        plan.preset.recorded_name()
    );
    if plan.rules.domain().name() != evouct_platform::registry::default_game().name() {
        let _ = writeln!(text, "game = \"{}\"", plan.rules.domain().name());
    }
    // The first part of a list: its stages have the others.
    let [_, parts] = plan.part_of_stage(0);
    text.push_str(&plan.frame.toml(|source| source.part([0, parts])));
    let rules = plan.rules.options();
    let differing: Vec<_> = rules.rows().filter(|(row, value)| row.text != **value).collect();
    if !differing.is_empty() {
        text.push_str("\n[rules]\n");
        for (row, value) in differing {
            let _ = writeln!(text, "{} = {}", row.name, value.to_json());
        }
    }
    player_table(&mut text, "Champion", &player(plan, genome));
    player_table(&mut text, "Reference", &player(plan, &plan.seeds[0]));
    for (place, seed) in further_seeds(plan, genome) {
        player_table(&mut text, &format!("Seed {place}"), &player(plan, seed));
    }
    // Controls: the champion without each of its other formulas.
    for slot in genome.slots().filter(|slot| *slot != Slot::Select) {
        let without = genome.with(slot, None);
        player_table(&mut text, &format!("Champion without {}", slot.name()), &player(plan, &without));
    }
    for opponent in &plan.opponents {
        player_table(&mut text, &opponent.name, &opponent.spec);
    }
    text
}

/// The seeds after the reference with their numbers, those left out that decide as the champion or an earlier one does.
fn further_seeds<'a>(plan: &'a EvolutionPlan, champion: &Genome) -> Vec<(usize, &'a Genome)> {
    if plan.course == 0 {
        return Vec::new();
    }
    let decisions = |genome: &Genome| Decisions::of(&genome.simplified(plan.ln), plan.ln);
    let mut decided = vec![decisions(champion)];
    let mut seeds: Vec<(usize, &Genome)> = (1..).zip(&plan.seeds).collect();
    seeds.retain(|(place, seed)| {
        let own = decisions(seed);
        let is_new = !decided.contains(&own);
        decided.push(own);
        is_new && *place > 1
    });
    seeds
}

/// The result in a few sentences, for people.
pub fn summary(plan: &EvolutionPlan, evolved: &EvolutionResult) -> String {
    let EvolutionResult { history, finals, digest, measurements, repeats, measured_by } = evolved;
    let mut text = format!(
        "{}: {} in {} on {}, {}\n",
        plan.name,
        counted(history.individuals.len(), "individual"),
        counted(plan.generations, "generation"),
        counted(plan.islands, "island"),
        counted(*measurements, "measurement")
    );
    for (proposer, tally) in plan.proposers.iter().zip(&history.proposers) {
        let (formulas, asked) = (counted(tally.proposed, "formula"), counted(tally.asked, "generation"));
        let _ = write!(text, "proposer {}: {formulas} in {asked}, {} measured", proposer.name, tally.measured);
        let problems = counted(tally.problems, "answer");
        let _ = if tally.problems > 0 { writeln!(text, "; {problems} had a problem") } else { writeln!(text) };
    }
    text.push_str(match &history.steps {
        None => "\nfront of size against gain over the reference (points per game, by the first stage):\n",
        Some(steps) if steps.is_empty() => "\nno step won\n",
        Some(_) => "\nsteps, with the sum of their gains (points per game, ± of the last one):\n",
    });
    for each in history.front() {
        let _ = writeln!(
            text,
            "  {:>3} nodes  {:>+7.2} {}  {}",
            each.genome.size(),
            each.fitness.mean(),
            each.fitness.plus_minus(2),
            each.genome
        );
    }
    if finals.entered > 0 {
        text.push_str("\nfinalists of the last stage (gain over the reference, points per game):\n");
    }
    for (genome, gain) in &finals.ranking {
        let _ = write!(text, "  {:>+7.2} {}  ", gain.mean(), gain.plus_minus(2));
        if let Some((objective, SecondGain { value, .. })) = plan.second.zip(finals.second_of(genome)) {
            let _ = write!(text, "{} {:.3} {}  ", objective.name, value.mean(), value.plus_minus(3));
        }
        let mark = if finals.seeds.iter().any(|seed| seed.genome == *genome) { "  (seed)" } else { "" };
        let _ = writeln!(text, "{genome}{mark}");
    }
    match finals.champion() {
        Some((genome, gain)) => {
            let _ = write!(
                text,
                "\nchampion: {genome}\n  gain over the reference {:+.2} points per game; simultaneous lower bound {:+.2} ({}, level {SIGNIFICANCE_LEVEL})\n",
                gain.mean(),
                finals.lower_bound(gain),
                counted(finals.entered, "candidate")
            );
            let last = finals.rows.iter().rfind(|row| row.genome == *genome);
            let against = last.map_or(&[][..], |row| &row.against);
            for (opponent, difference) in plan.opponents.iter().zip(against) {
                let _ = writeln!(text, "  {difference:>+7.2} points per game against {}", opponent.name);
            }
            evolved.of_champion(plan).iter().for_each(|sentence| text.push_str(&wrapped(sentence)));
        }
        None => {
            let _ = writeln!(text, "\n{}", finals.without_champion());
        }
    }
    if let Some(repeats) = repeats {
        let _ = writeln!(text, "{repeats}");
    }
    if let Some(by) = measured_by {
        let _ = writeln!(text, "measured by {by}, not by evouct");
    }
    let _ = writeln!(text, "digest {digest}");
    text
}
