//! Scores for people and programs: a table, CSV, JSON.

use crate::course::score::{Gain, Score, ScoreDigest, ScoreEnd, StageScore};
use crate::fitness::pooled::GameGain;
use crate::plan::EvolutionPlan;
use crate::plan::game::PlanGame;
use crate::plan::stage::FitnessMeasure;
use crate::positions::split::Split;
use evouct_base::escape;
use evouct_base::named::Named;
use evouct_base::plural::{core_hours, counted};
use evouct_base::table::{Cell, Table, Width};
use evouct_league::export::csv_file;
use evouct_stats::Interval;
use evouct_store::disk;
use serde_json::{Value as Json, json};
use std::fmt::Write;
use std::path::Path;

/// The score of a genome that stood in a line.
#[derive(Clone, Debug)]
pub struct ScoreRow {
    /// The line, from 1.
    pub line: u64,
    /// What the line called it.
    pub id: Option<Json>,
    /// Its score.
    pub score: Score,
}

/// The scores of genomes that were scored together, in the order of their lines.
#[derive(Clone, Debug)]
pub struct ScoreTable<'a> {
    /// The plan by which they were scored.
    pub plan: &'a EvolutionPlan,
    /// The split of the positions and decks.
    pub split: Split,
    /// The scores.
    pub rows: Vec<ScoreRow>,
    /// The digest of the measurements; none of interim results.
    pub digest: Option<ScoreDigest>,
}

fn of_gain(gain: Gain) -> Json {
    let (low, high) = (gain.interval.map(|interval| interval.low), gain.interval.map(|interval| interval.high));
    json!({ "gain": gain.mean, "low": low, "high": high })
}

fn merged(mut object: Json, others: Json) -> Json {
    if let (Json::Object(object), Json::Object(others)) = (&mut object, others) {
        object.extend(others);
    }
    object
}

impl EvolutionPlan {
    /// The opponents of a stage with their numbers and games; none where positions are measured.
    fn opponents_of(&self, score: &StageScore) -> impl Iterator<Item = (usize, &PlanGame, &str)> {
        let in_games = self.stages[score.stage].measure == FitnessMeasure::Games;
        let games = if in_games { self.games.len().min(score.games().len().max(1)) } else { 0 };
        let opponents = self.games[..games].iter().flat_map(|game| game.opponents.iter().map(move |own| (game, own)));
        opponents.enumerate().map(|(number, (game, opponent))| (number, game, opponent.name.as_str()))
    }

    /// The gain of a stage in each of several games.
    fn gains_by_game(&self, score: &StageScore) -> impl Iterator<Item = (&PlanGame, Gain)> {
        let gain = |gain: &GameGain| Gain::around(gain.mean(), gain.half());
        self.games.iter().zip(score.games().iter().map(gain).collect::<Vec<Gain>>())
    }

    fn unit(&self, stage: usize) -> &'static str {
        if self.stages[stage].measure == FitnessMeasure::Games { "decks" } else { "positions" }
    }

    fn stage_json(&self, score: &StageScore) -> Json {
        let opponent = |(number, game, name): (usize, &PlanGame, &str)| {
            let own = json!({ "name": name, "difference": score.difference(number) });
            let of_game = if self.is_over_games() { json!({ "game": game.name }) } else { json!({}) };
            merged(merged(own, of_game), of_gain(score.gain_against(number)))
        };
        let game = |(game, gain): (&PlanGame, Gain)| {
            merged(json!({ "name": game.name, "held_out": game.held_out }), of_gain(gain))
        };
        let opponents: Vec<Json> = self.opponents_of(score).map(opponent).collect();
        let games: Vec<Json> = self.gains_by_game(score).map(game).collect();
        let games = if games.is_empty() { json!({}) } else { json!({ "games": games }) };
        let measure = self.stages[score.stage].measure.name();
        let own = json!({ "stage": score.stage + 1, "measure": measure, "units": score.units, "opponents": opponents });
        let repeats = if score.repeats() > 0 { json!({ "repeats": score.repeats() }) } else { json!({}) };
        merged(merged(merged(own, games), repeats), of_gain(score.gain()))
    }
}

/// The stages that a genome came to.
fn of_stages(row: &ScoreRow) -> impl Iterator<Item = &StageScore> {
    row.score.stages.iter()
}

impl ScoreRow {
    /// What the line called it as text.
    fn id_text(&self) -> String {
        self.id.as_ref().map_or(String::new(), |id| id.as_str().map_or(id.to_string(), str::to_owned))
    }

    /// The score as JSON: `gain`, `low` and `high` are those of the last stage that the genome came to.
    pub fn json(&self, plan: &EvolutionPlan) -> Json {
        let ScoreRow { line, id, score } = self;
        let stages: Vec<Json> = score.stages.iter().map(|stage| plan.stage_json(stage)).collect();
        let mut own = json!({
            "line": line, "genome": score.genome.to_string(), "nodes": score.genome.size(), "status": score.end.name(),
            "stage": score.stages.last().map(|stage| stage.stage + 1), "stages": stages,
        });
        if let Some(id) = id {
            own["id"] = id.clone();
        }
        score.stages.last().map_or(own.clone(), |stage| merged(own, of_gain(stage.gain())))
    }
}

impl ScoreTable<'_> {
    /// Writes `scores.csv` and `scores.json` into the folder of the scores.
    ///
    /// # Errors
    /// A file that cannot be written, or that has another origin.
    pub fn write(&self, folder: &Path) -> Result<(), disk::Unwritten> {
        let json = format!("{:#}\n", self.json());
        let files = [("scores.csv", self.csv()), ("scores.json", json)];
        let files = files.map(|(name, text)| (name.to_owned(), text.into_bytes())).to_vec();
        disk::replace_own(folder, files, false).map(drop)
    }

    /// All scores as one JSON value.
    pub fn json(&self) -> Json {
        let plan = self.plan;
        json!({
            "name": plan.name, "seed": plan.seed, "split": self.split.name(), "complete": self.digest.is_some(),
            "reference": plan.seeds[0].simplified(plan.ln).to_string(),
            "digest": self.digest.as_ref().map(|found| &found.digest),
            "measurements": self.digest.as_ref().map(|found| found.measurements),
            "genomes": self.rows.iter().map(|row| row.json(plan)).collect::<Vec<_>>(),
        })
    }

    /// A row per genome and stage, and one more for each opponent of a stage of games.
    pub fn table(&self) -> Table {
        let opponents = |stage: &StageScore| {
            let gains = self.plan.opponents_of(stage);
            let gains = gains.map(|(number, game, name)| (game.name.as_str(), name, stage.gain_against(number)));
            let games = self.plan.gains_by_game(stage);
            let games = games.map(|(game, gain)| (game.name.as_str(), "", gain));
            [("", "", stage.gain())].into_iter().chain(games).chain(gains).collect::<Vec<_>>()
        };
        let of_row = |row| {
            of_stages(row).flat_map(move |stage| opponents(stage).into_iter().map(move |gain| (row, stage, gain)))
        };
        let end = |gain: &Gain, of: fn(&Interval) -> f64| Cell::rounded(gain.interval.as_ref().map_or(f64::NAN, of), 3);
        let table = Table::of(
            "scores",
            format!("Scores of {}, {} split", self.plan.name, self.split.name()),
            self.rows.iter().flat_map(of_row),
        )
        .column(Width::Narrow, "line", "line", |(row, ..)| Cell::Count(row.line))
        .column(Width::Narrow, "id", "id", |(row, ..)| Cell::name(row.id_text()))
        .column(Width::Narrow, "stage", "stage", |(_, stage, _)| Cell::count(stage.stage + 1))
        .column(Width::Narrow, "measure", "measure", |(_, stage, _)| {
            Cell::word(self.plan.stages[stage.stage].measure.name())
        })
        .column(Width::Narrow, "units", "units", |(_, stage, _)| Cell::Count(stage.units.into()));
        let table = match self.plan.is_over_games() {
            true => table.column(Width::Narrow, "game", "game", |(.., (game, ..))| Cell::name(*game)),
            false => table,
        };
        table
            .column(Width::Narrow, "opponent", "opponent", |(.., (_, opponent, _))| Cell::name(*opponent))
            .column(Width::Narrow, "gain", "gain", |(.., (_, _, gain))| Cell::rounded(gain.mean, 3))
            .column(Width::Narrow, "low", "low", |(.., (_, _, gain))| end(gain, |interval| interval.low))
            .column(Width::Narrow, "high", "high", |(.., (_, _, gain))| end(gain, |interval| interval.high))
            .column(Width::Narrow, "status", "status", |(row, ..)| Cell::word(row.score.end.name()))
            .column(Width::Narrow, "nodes", "nodes", |(row, ..)| Cell::count(row.score.genome.size()))
            .column(Width::Narrow, "genome", "genome", |(row, ..)| Cell::Formula(row.score.genome.to_string()))
            .table()
    }

    /// The [table](ScoreTable::table) as CSV.
    pub fn csv(&self) -> String {
        csv_file(&self.table())
    }

    /// A table for people: the genomes that came furthest first, and of those the best.
    pub fn text(&self) -> String {
        let plan = self.plan;
        let (split, count) = (self.split.name(), counted(self.rows.len(), "genome"));
        let reference = plan.seeds[0].simplified(plan.ln);
        let interim = if self.digest.is_some() { "" } else { "interim results: " };
        let mut text = format!(
            "{interim}{}: {count}, {split} split; gain over {reference} in {} (95 % interval), by the last stage\n",
            plan.name,
            plan.unit_of_gains()
        );
        let mut rows: Vec<(&Score, Gain)> =
            self.rows.iter().filter_map(|row| Some((&row.score, row.score.stages.last()?.gain()))).collect();
        let reached = |score: &Score| (score.stages.len(), score.stages.last().map(|stage| stage.units));
        rows.sort_by(|(a, a_gain), (b, b_gain)| reached(b).cmp(&reached(a)).then(b_gain.mean.total_cmp(&a_gain.mean)));
        for (score, gain) in rows {
            let stage = score.stages.last().expect("it has a gain");
            let _ = writeln!(
                text,
                "  {:>27}  stage {} of {}, {:>5} {}  {:<8}  {}",
                in_words(gain),
                stage.stage + 1,
                plan.stages.len(),
                stage.units,
                plan.unit(stage.stage),
                score.end.name(),
                score.genome
            );
            let against = plan
                .opponents_of(stage)
                .map(|(number, _, name)| format!("{} {}", escape::line(name), in_words(stage.gain_against(number))));
            let against: Vec<String> = against.collect();
            for (game, gain) in plan.gains_by_game(stage) {
                let (name, held_out) = (&game.name, if game.held_out { " (held out)" } else { "" });
                let _ = writeln!(text, "      in {name} {}{held_out}", in_words(gain));
            }
            if against.len() > 1 && !plan.is_over_games() {
                let _ = writeln!(text, "      against {}", against.join(", "));
            }
            if stage.repeats() > 0 {
                let decks = counted(stage.repeats(), "deck");
                let _ = writeln!(text, "      {decks} of all opponents repeat earlier games and are no evidence");
            }
        }
        let waiting = self.rows.iter().filter(|row| row.score.end == ScoreEnd::Interim).count();
        match &self.digest {
            Some(ScoreDigest { digest, measurements, seconds }) => {
                let cost = seconds.map_or(String::new(), |seconds| format!(", {}", core_hours(seconds)));
                let _ = writeln!(text, "{}{cost}\ndigest {digest}", counted(*measurements, "measurement"));
            }
            None => {
                let _ = writeln!(text, "{} not measured to the end", counted(waiting, "genome"));
            }
        }
        text
    }
}

fn in_words(gain: Gain) -> String {
    match gain.interval {
        Some(interval) => format!("{:+.2} ({:+.2} to {:+.2})", gain.mean, interval.low, interval.high),
        None => format!("{:+.2} (no interval)", gain.mean),
    }
}
