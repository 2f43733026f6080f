//! What an evolution leaves behind: tables, the champion, and the league that tests it.

pub(crate) mod champion;
pub(crate) mod scores;

use crate::course::finals::{EvolutionResult, FinalRow, Finals};
use crate::course::history::Individual;
use crate::fitness::pooled::GainEstimate;
use crate::fitness::second_gain::SecondGain;
use crate::plan::EvolutionPlan;
use evouct_base::named::Named;
use evouct_base::plural::{core_hours, counted};
use evouct_base::seed::{Key, SeriesPart};
use evouct_base::table::{Cell, Digits, Table, TableOf};
use evouct_base::wrap::wrapped;
use evouct_gp::{Decisions, Genome, Slot};
use evouct_league::export::csv_file;
use evouct_platform::domain::Spec;
use evouct_stats::SIGNIFICANCE_LEVEL;
use evouct_store::{RecordError, disk};
use std::fmt::Write;
use std::path::Path;

/// The league that tests the champion in the only game.
pub(crate) const PROOF_FILE: &str = "proof.toml";

impl EvolutionPlan {
    /// The leagues that test the champion, by game.
    pub fn proof_files(&self) -> Vec<String> {
        match self.is_over_games() {
            true => self.games.iter().map(|game| format!("proof-{}.toml", game.name)).collect(),
            false => vec![PROOF_FILE.to_owned()],
        }
    }
}

/// Writes the files of an evolution into its folder: `generations.csv`, `front.csv`, `lineage.csv`, `finals.csv`,
/// `opponents.csv`, `folded.csv`, of several games `games.csv` and, if there is a champion, `champions.toml` and
/// [its proofs](EvolutionPlan::proof_files).
///
/// # Errors
/// If a file cannot be written.
pub fn write_files(plan: &EvolutionPlan, evolved: &EvolutionResult, folder: &Path) -> Result<Vec<String>, RecordError> {
    let mut files = vec![
        ("generations.csv", csv_file(&generations(evolved))),
        ("front.csv", csv_file(&front(evolved))),
        ("lineage.csv", csv_file(&lineage(plan, evolved))),
        ("finals.csv", csv_file(&finals(plan, &evolved.finals))),
        ("opponents.csv", csv_file(&opponents(plan, &evolved.finals))),
    ];
    if plan.is_over_games() {
        files.push(("games.csv", csv_file(&games(plan, &evolved.finals))));
    }
    if plan.folds() || evolved.history.steps.is_some() {
        files.push(("folded.csv", csv_file(&folded(evolved))));
    }
    let failed = |(path, error): disk::Unwritten| RecordError::io(&path, "cannot write", error);
    let (champions, proofs) = (folder.join("champions.toml"), plan.proof_files());
    if let Some((genome, _)) = evolved.finals.champion() {
        files.push(("champions.toml", champion(plan, evolved, genome)));
        let proof = |(game, name)| (name, proof(plan, game, evolved, genome));
        files.extend(proofs.iter().map(String::as_str).enumerate().map(proof));
    } else if champions.exists() {
        // A champion of an earlier course would mislead.
        let own = disk::OwnFiles::of(folder, true).map_err(failed)?;
        for name in ["champions.toml"].into_iter().chain(proofs.iter().map(String::as_str)) {
            let stale = folder.join(name);
            if stale.exists() && own.check(name, None).is_ok() {
                disk::remove(&stale).map_err(|error| RecordError::io(&stale, "cannot remove", error))?;
            }
        }
    }
    let names = files.iter().map(|(name, _)| (*name).to_owned()).collect();
    let files = files.into_iter().map(|(name, text)| (name.to_owned(), text.into_bytes())).collect();
    disk::replace_own(folder, files, true).map_err(failed)?;
    Ok(names)
}

/// A number with three decimals; nothing if there is none.
fn number(value: f64) -> Cell {
    Cell::rounded(value, 3)
}

fn formula(genome: &Genome) -> Cell {
    Cell::Formula(genome.to_string())
}

fn generations(evolved: &EvolutionResult) -> Table {
    let individuals = &evolved.history.individuals;
    Table::of("generations", "Generations", &evolved.history.generations)
        .file("generation", |each| Cell::Count(each.generation.into()))
        .file("island", |each| Cell::count(each.island))
        .file("best", |each| Cell::count(each.best))
        .file("best_gain", |each| number(each.best_gain))
        .file("median_gain", |each| number(each.median_gain))
        .file("mean_nodes", |each| Cell::Rounded(each.size, Digits::fixed(1)))
        .file("best_formula", |each| formula(&individuals[each.best].genome))
        .table()
}

fn front(evolved: &EvolutionResult) -> Table {
    Table::of("front", "Front", evolved.history.front())
        .file("nodes", |each| Cell::count(each.genome.size()))
        .file("gain", |each| number(each.fitness.mean()))
        .file("standard_error", |each| number(each.fitness.error()))
        .file("units", |each| Cell::Count(each.fitness.units()))
        .file("individual", |each| Cell::count(each.id))
        .file("formula", |each| formula(&each.genome))
        .table()
}

/// The columns of the second objective, if there is one: the mean and the standard error of an estimate.
fn of_second<R>(
    table: TableOf<R>,
    plan: &EvolutionPlan,
    what: &str,
    estimate: impl Fn(&R) -> Option<&GainEstimate>,
) -> TableOf<R> {
    let Some(second) = plan.second else { return table };
    table
        .file(&format!("{}{what}", second.name), |row| Cell::maybe(estimate(row), |own| number(own.mean())))
        .file(&format!("{}{what}_error", second.name), |row| Cell::maybe(estimate(row), |own| number(own.error())))
}

fn lineage(plan: &EvolutionPlan, evolved: &EvolutionResult) -> Table {
    let parents = |each: &Individual| each.parents.iter().map(usize::to_string).collect::<Vec<_>>().join(" ");
    let table = Table::of("lineage", "Lineage", &evolved.history.individuals)
        .file("individual", |each| Cell::count(each.id))
        .file("born", |each| Cell::Count(each.born.into()))
        .file("island", |each| Cell::count(each.island))
        .file("operator", |each| Cell::word(each.operator))
        .file("parents", |each| Cell::word(parents(each)))
        .file("nodes", |each| Cell::count(each.genome.size()))
        .file("gain", |each| number(each.fitness.mean()))
        .file("standard_error", |each| number(each.fitness.error()))
        .file("units", |each| Cell::Count(each.fitness.units()));
    of_second(table, plan, "", |each| evolved.history.second.get(each.id))
        .file("formula", |each| formula(&each.genome))
        .table()
}

fn folded(evolved: &EvolutionResult) -> Table {
    Table::of("folded", "Folded", &evolved.history.folded)
        .file("born", |each| Cell::Count(each.born.into()))
        .file("individual", |each| Cell::count(each.into))
        .file("formula", |each| formula(&each.genome))
        .table()
}

fn finals(plan: &EvolutionPlan, finals: &Finals) -> Table {
    let mut last = (usize::MAX, u32::MAX, 0);
    let place = |each: &&FinalRow| {
        let place = if (last.0, last.1) == (each.stage, each.round) { last.2 + 1 } else { 1 };
        last = (each.stage, each.round, place);
        Cell::Count(place)
    };
    let table = Table::of("finals", "Finals", &finals.rows)
        .file("stage", |each| Cell::count(each.stage + 1))
        .file("measure", |each| Cell::word(plan.stages[each.stage].measure.name()))
        .file("round", |each| Cell::Count(u64::from(each.round) + 1))
        .file("place", place)
        .file("gain", |each| number(each.gain.mean()))
        .file("standard_error", |each| number(each.gain.error()))
        .file("units", |each| Cell::Count(each.gain.units()))
        .file("went_on", |each| Cell::Flag(each.went_on));
    let table = of_second(table, plan, "", |each| Some(&each.second.as_ref()?.value));
    of_second(table, plan, "_gain", |each| Some(&each.second.as_ref()?.gain))
        .file("formula", |each| formula(&each.genome))
        .table()
}

/// By opponent, how the finalists fare in games: fitness is the mean of these.
fn opponents(plan: &EvolutionPlan, finals: &Finals) -> Table {
    let against =
        finals.rows.iter().flat_map(|each| plan.panels().zip(&each.against).map(move |against| (each, against)));
    let table = Table::of("opponents", "Opponents", against)
        .file("stage", |(each, _)| Cell::count(each.stage + 1))
        .file("round", |(each, _)| Cell::Count(u64::from(each.round) + 1));
    let table = match plan.is_over_games() {
        true => table.file("game", |(_, ((game, _), _))| Cell::name(&game.name)),
        false => table,
    };
    table
        .file("opponent", |(_, ((_, opponent), _))| Cell::name(&opponent.name))
        .file("difference", |(_, (_, difference))| number(**difference))
        .file("formula", |(each, _)| formula(&each.genome))
        .table()
}

/// By game, how the finalists fare: fitness is over these.
fn games(plan: &EvolutionPlan, finals: &Finals) -> Table {
    let by_game =
        finals.rows.iter().flat_map(|each| plan.games.iter().zip(each.gain.games()).map(move |game| (each, game)));
    Table::of("games", "Games", by_game)
        .file("stage", |(each, _)| Cell::count(each.stage + 1))
        .file("round", |(each, _)| Cell::Count(u64::from(each.round) + 1))
        .file("game", |(_, (game, _))| Cell::name(&game.name))
        .file("held_out", |(_, (game, _))| Cell::Flag(game.held_out))
        .file("gain", |(_, (_, gain))| number(gain.mean()))
        .file("standard_error", |(_, (_, gain))| number(gain.error()))
        .file("points", |(_, (_, gain))| number(gain.points()))
        .file("units", |(_, (_, gain))| Cell::Count(gain.units()))
        .file("formula", |(each, _)| formula(&each.genome))
        .table()
}

/// A `[[player]]` table.
fn player_table(text: &mut String, name: &str, spec: &Spec) {
    let quoted = |value: &str| serde_json::Value::from(value).to_string();
    let _ = write!(text, "\n[[player]]\nname = {}\nkind = {}\n", quoted(name), quoted(spec.kind().name));
    for (parameter, value) in spec.parameters().given() {
        let _ = writeln!(text, "{} = {}", parameter.name, value.to_json());
    }
}

/// A genome as a `[[player]]` table; of several games one table for each, under its name.
pub fn genome_table(plan: &EvolutionPlan, genome: &Genome, name: &str) -> String {
    let mut text = String::new();
    for (place, game) in plan.games.iter().enumerate() {
        if plan.is_over_games() {
            let _ = write!(text, "\n# In {}:", game.name);
        }
        player_table(&mut text, name, &player(plan, place, genome));
    }
    text.trim_start().to_owned()
}

/// The player of a genome in a game, under a plan whose seeds were checked.
fn player(plan: &EvolutionPlan, game: usize, genome: &Genome) -> Spec {
    let player = plan.written_player(game, genome);
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
    text.push('\n');
    text.push_str(&genome_table(plan, genome, "Champion"));
    text
}

/// A gauntlet on decks that the evolution could not reach: the seed of a league derives decks in a context of its own.
fn proof(plan: &EvolutionPlan, game: usize, evolved: &EvolutionResult, genome: &Genome) -> String {
    let (place, game) = (game, &plan.games[game]);
    let player = |genome: &Genome| player(plan, place, genome);
    let of = if plan.is_over_games() { format!("-{}", game.name) } else { String::new() };
    let seed = Key::series("evolve", plan.seed).experiment_seed(SeriesPart::HeldOut);
    let mut text = format!(
        "# A test of the champion of {} on decks that evolution did not see. Protocol: one gauntlet, the champion against\n\
         # each opponent, {} decks each, both seats; simultaneous tests by Holm's correction over the champion's matches.\n\
         name = \"{}-proof{of}\"\nabout = \"The champion of {} (digest {:.16}) against its rivals, on unseen decks\"\n\
         seed = {seed}\ngames_per_match = {}\nschedule = \"gauntlet\"\npreset = \"{}\"\n",
        plan.name,
        plan.evolve.held_out_decks,
        plan.name,
        plan.name,
        evolved.digest,
        plan.evolve.held_out_decks,
        plan.preset.recorded_name()
    );
    if game.rules.domain().name() != evouct_platform::registry::default_game().name() {
        let _ = writeln!(text, "game = \"{}\"", game.rules.domain().name());
    }
    // The first part of a list: its stages have the others.
    let [_, parts] = plan.part_of_stage(0);
    text.push_str(&game.frame.toml(|source| source.part([0, parts])));
    let rules = game.rules.options();
    let differing: Vec<_> = rules.rows().filter(|(row, value)| row.text != **value).collect();
    if !differing.is_empty() {
        text.push_str("\n[rules]\n");
        for (row, value) in differing {
            let _ = writeln!(text, "{} = {}", row.name, value.to_json());
        }
    }
    player_table(&mut text, "Champion", &player(genome));
    player_table(&mut text, "Reference", &player(&plan.seeds[0]));
    for (place, seed) in further_seeds(plan, genome) {
        player_table(&mut text, &format!("Seed {place}"), &player(seed));
    }
    // Controls: the champion without each of its other formulas.
    for slot in genome.slots().filter(|slot| *slot != Slot::Select) {
        let without = genome.with(slot, None);
        player_table(&mut text, &format!("Champion without {}", slot.name()), &player(&without));
    }
    for opponent in &game.opponents {
        player_table(&mut text, &opponent.name, &opponent.spec);
    }
    text.push_str(&plan.python.section_for(&text));
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
    let EvolutionResult { history, finals, digest, measurements, seconds, repeats, measured_by } = evolved;
    let mut text = format!(
        "{}: {} in {} on {}, {}{}\n",
        plan.name,
        counted(history.individuals.len(), "individual"),
        counted(plan.evolve.generations, "generation"),
        counted(plan.evolve.islands, "island"),
        counted(*measurements, "measurement"),
        seconds.map_or(String::new(), |seconds| format!(", {}", core_hours(seconds)))
    );
    for (proposer, tally) in plan.proposers.iter().zip(&history.proposers) {
        let (formulas, asked) = (counted(tally.proposed, "formula"), counted(tally.asked, "generation"));
        let _ = write!(text, "proposer {}: {formulas} in {asked}, {} measured", proposer.name, tally.measured);
        let problems = counted(tally.problems, "answer");
        let _ = if tally.problems > 0 { writeln!(text, "; {problems} had a problem") } else { writeln!(text) };
    }
    let unit = plan.unit_of_gains();
    text.push_str(&match &history.steps {
        None => format!("\nfront of size against training gain over the reference ({unit}):\n"),
        Some(steps) if steps.is_empty() => "\nno step won\n".to_owned(),
        Some(_) => format!("\nsteps, with the sum of their gains ({unit}, ± of the last one):\n"),
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
        let _ = writeln!(text, "\nfinalists, with their validation gain over the reference ({unit}):");
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
                "\nchampion: {genome}\n  validation gain {:+.2} {unit} over the reference\n  simultaneous lower bound {:+.2} ({}, level {SIGNIFICANCE_LEVEL})\n",
                gain.mean(),
                finals.lower_bound(gain),
                counted(finals.entered, "candidate")
            );
            let last = finals.rows.iter().rfind(|row| row.genome == *genome);
            let against = last.map_or(&[][..], |row| &row.against);
            for (game, own) in plan.games.iter().zip(gain.games()) {
                let half = own.half().map_or(String::new(), |half| format!(" ± {half:.2}"));
                let held_out = if game.held_out { " (held out)" } else { "" };
                let _ = writeln!(text, "  {:>+7.2}{half} in {}{held_out}", own.mean(), game.name);
            }
            for ((game, opponent), difference) in plan.panels().zip(against) {
                let of = if plan.is_over_games() { format!(" in {}", game.name) } else { String::new() };
                let _ = writeln!(text, "  {difference:>+7.2} points per game against {}{of}", opponent.name);
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
