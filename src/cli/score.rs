//! `evouct score`: the gains of genomes that come from a file or, line by line, from another program.

use super::evolution_folder::failure;
use super::form::{Form, one_of};
use super::place::{Helper, Place};
use super::play_args::MeasureArgs;
use super::progress::Counted;
use super::{Outcome, programs, signals, stderr, warn};
use crate::clock::WallClock;
use crate::error::Failure;
use crate::escape;
use crate::external::{InputLine, read_line, skip_line};
use crate::gp::Genome;
use crate::named::Named;
use crate::offline::{
    Asker, EvolutionError, EvolutionPlan, EvolutionSession, Purpose, RunContext, Score, ScoreDigest, ScoreRow,
    ScoreTable, Split,
};
use crate::plural::counted;
use crate::report::{Format, printed};
use clap::Args;
use clap::builder::PossibleValuesParser;
use serde::Deserialize;
use serde_json::{Value as Json, json};
use std::fs::File;
use std::io::{self, BufRead, BufReader, Write, stdin};
use std::path::{Path, PathBuf};

/// The most genomes that are scored together.
const MOST: usize = 10_000;

#[derive(Args)]
pub(super) struct Arguments {
    /// File of an evolution (TOML): its player, opponents, stages and bank measure the genomes, its first seed is the
    /// reference, and `[score]` says which genomes are measured further
    evolution: PathBuf,
    /// Genomes, one per line: formulas as in `seeds`, or JSON. - for stdin [default: each line of stdin is answered by
    /// a line of JSON when its genome is scored]
    #[arg(long, value_name = "FILE|-")]
    genomes: Option<PathBuf>,
    /// The positions and decks: optimise on training, choose on validation, and report on test
    #[arg(long, value_name = "SPLIT", default_value = "training", value_parser = PossibleValuesParser::new(Split::names()))]
    split: String,
    /// What is printed
    #[arg(long, value_name = "FORMAT", default_value = "text", requires = "genomes",
          value_parser = one_of(&[Form::Text, Form::Markdown, Form::Csv, Form::Json]))]
    format: Form,
    #[command(flatten)]
    measure: MeasureArgs,
}

pub(super) fn run(arguments: &Arguments, out: &mut dyn Write) -> Outcome {
    let helper = Helper::Measurements(&|_| arguments.session());
    arguments.measure.work.on_place(helper, |place| carry_out(arguments, place, out))
}

impl Arguments {
    fn split(&self) -> Split {
        Split::of_name(&self.split).expect("clap knows the names")
    }

    /// The scores in their folder.
    fn session(&self) -> Result<EvolutionSession, Failure> {
        self.measure.session(&self.evolution, "-scores", Purpose::Scores(self.split()))
    }

    /// Refuses journals that do not hold what was measured.
    fn check_recorded(&self, digest: &ScoreDigest) -> Outcome {
        digest.check(&self.session()?).map_err(Failure::Failed)
    }
}

/// Scores what is missing, and prints the scores.
fn carry_out(arguments: &Arguments, place: &mut dyn Place, out: &mut dyn Write) -> Outcome {
    let work = &arguments.measure.work;
    if arguments.genomes.is_none() && work.part.shard.is_some() {
        return Err(Failure::usage("shards need the same genomes: name a file with --genomes, or leave --shard out"));
    }
    let session = arguments.session()?;
    work.part.warn_of_whole(Some(session.evolution().seed));
    warn(&session.problems);
    let (plan, split, folder) = (session.evolution().clone(), arguments.split(), session.folder().to_owned());
    let entries = arguments.genomes.as_ref().map(|file| read_all(&plan, file)).transpose()?;
    let stop = signals::playing();
    programs::check(&plan.opponents(), &stop)?;
    let (clock, mut executor, patience) = (WallClock::start(), Counted(place.blocks()), work.patience());
    let workers = RunContext { executor: &mut executor, stop: &stop, clock: &clock, patience };
    let Some((entries, bad)) = entries else {
        let input = BufReader::new(stdin());
        let mut lines = Lines { plan: &plan, input, out, number: 0, asked: Vec::new(), bad: 0, failure: None };
        signals::played();
        let scored = session.score(split, workers, &mut lines);
        signals::played();
        let Lines { bad, failure: broken, .. } = lines;
        broken.map_or(Ok(()), Err)?;
        let scored = scored.map_err(ended)?;
        arguments.check_recorded(&scored)?;
        let ScoreDigest { digest, measurements, .. } = scored;
        writeln!(out, "{}", json!({ "digest": digest, "measurements": measurements }))?;
        return unread(bad);
    };
    let (places, genomes): (Vec<GenomeLine>, Vec<Genome>) = entries.into_iter().unzip();
    let (scores, scored) = session.score_all(split, workers, genomes);
    signals::played();
    let rows = places.into_iter().zip(scores);
    let rows = rows.map(|(GenomeLine { line, id }, score)| ScoreRow { line, id, score }).collect();
    let whole = |digest: ScoreDigest| arguments.check_recorded(&digest).map(|()| digest);
    let (digest, end) = match scored.map_err(ended).and_then(whole) {
        Ok(digest) => (Some(digest), Ok(())),
        Err(failure) => (None, Err(failure)),
    };
    let table = ScoreTable { plan: &plan, split, rows, digest };
    // They are of games that were played, so that what cannot be written is no wrong argument.
    let unwritten =
        |(path, error): (PathBuf, io::Error)| Failure::Failed(format!("{}: cannot write: {error}", path.display()));
    let written = match end {
        Ok(()) => table.write(&folder).map_err(unwritten),
        // What is interim replaces no whole result.
        Err(_) => Ok(()),
    };
    let text = match arguments.format {
        Form::Csv => table.csv(),
        Form::Markdown => printed(table.table(), Format::Markdown),
        Form::Json => format!("{:#}\n", table.json()),
        _ => table.text(),
    };
    write!(out, "{text}")?;
    end.and(written)?;
    unread(bad)
}

/// What an error of a scoring means for the exit code.
fn ended(error: EvolutionError) -> Failure {
    match error {
        EvolutionError::Interrupted => {
            Failure::Interrupted("interrupted; the same command goes on with the scores".to_owned())
        }
        error => failure(error),
    }
}

fn unread(bad: usize) -> Outcome {
    match bad {
        0 => Ok(()),
        _ => Err(Failure::Failed(format!("{} cannot be scored", counted(bad, "genome")))),
    }
}

/// Where a genome stood, and what it was called there.
struct GenomeLine {
    line: u64,
    id: Option<Json>,
}

/// A genome in JSON.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct JsonGenome {
    genome: String,
    #[serde(default)]
    id: Option<Json>,
}

/// What a line holds: a genome, or several in a JSON list; none in an empty line or a comment.
fn entries(plan: &EvolutionPlan, line: u64, text: &str) -> Vec<(GenomeLine, Result<Genome, String>)> {
    // Some editors begin a file with a byte order mark.
    let text = text.trim_start_matches(|c| line == 1 && c == '\u{feff}').trim();
    let place = |id| GenomeLine { line, id };
    let wrong = |problem: serde_json::Error| {
        format!(
            "expected {{\"genome\": \"…\"}}, with \"id\" if you like, or a list of such objects and texts: {problem}"
        )
    };
    let of = |json: Json| match json {
        Json::String(text) => (place(None), plan.read_genome(&text)),
        json => match serde_json::from_value::<JsonGenome>(json) {
            Ok(JsonGenome { genome, id }) => (place(id), plan.read_genome(&genome)),
            Err(problem) => (place(None), Err(wrong(problem))),
        },
    };
    match text.chars().next() {
        None | Some('#') => Vec::new(),
        Some('[') => match serde_json::from_str::<Vec<Json>>(text) {
            Ok(all) => all.into_iter().map(of).collect(),
            Err(problem) => vec![(place(None), Err(wrong(problem)))],
        },
        Some('{') => vec![serde_json::from_str(text).map_or_else(|problem| (place(None), Err(wrong(problem))), of)],
        Some(_) => vec![(place(None), plan.read_genome(text))],
    }
}

/// The next line, or what is wrong with it; none at the end.
fn next_line(input: &mut impl BufRead) -> std::io::Result<Option<Result<String, &'static str>>> {
    Ok(match read_line(input)? {
        InputLine::Text(text) => Some(Ok(text)),
        InputLine::NotText => Some(Err("not text in UTF-8")),
        InputLine::TooLong => {
            skip_line(input)?;
            Some(Err("a line has at most 65536 bytes"))
        }
        InputLine::End => None,
    })
}

/// The genomes of a file, and how many cannot be read: each is named.
fn read_all(plan: &EvolutionPlan, file: &Path) -> Result<(Vec<(GenomeLine, Genome)>, usize), Failure> {
    let is_stdin = file == Path::new("-");
    let name = if is_stdin { "stdin".to_owned() } else { file.display().to_string() };
    let cannot = |error: std::io::Error| Failure::Usage(format!("{name}: cannot read the genomes: {error}"));
    let mut input: Box<dyn BufRead> =
        if is_stdin { Box::new(stdin().lock()) } else { Box::new(BufReader::new(File::open(file).map_err(cannot)?)) };
    let (mut number, mut read, mut bad) = (0, Vec::new(), 0);
    while let Some(line) = next_line(&mut input).map_err(cannot)? {
        number += 1;
        let found = match line {
            Ok(text) => entries(plan, number, &text),
            Err(problem) => vec![(GenomeLine { line: number, id: None }, Err(problem.to_owned()))],
        };
        for (place, genome) in found {
            match genome {
                Ok(genome) => read.push((place, genome)),
                Err(problem) => {
                    bad += 1;
                    stderr::say(&escape::line(&format!("{name}:{number}: {problem}")));
                }
            }
        }
        if read.len() > MOST {
            return Err(Failure::Usage(format!("{name}: more than {MOST} genomes; score them in parts")));
        }
    }
    match read.is_empty() {
        true if bad == 0 => Err(Failure::Usage(format!("{name}: no genome is in it; expected one per line"))),
        true => Err(Failure::Failed(format!("{name}: no genome can be scored, of {bad}"))),
        false => Ok((read, bad)),
    }
}

/// Genomes of another program, line by line, which waits for the answer to each.
struct Lines<'a, R> {
    plan: &'a EvolutionPlan,
    input: R,
    out: &'a mut dyn Write,
    number: u64,
    /// What is being scored, with the answers to what cannot be.
    asked: Vec<(GenomeLine, Result<Genome, String>)>,
    bad: usize,
    /// Why no more is read.
    failure: Option<Failure>,
}

impl<R: BufRead> Lines<'_, R> {
    /// Reads on until a line has genomes, which remain in `asked`; without an end there is none.
    fn read(&mut self) -> Result<Vec<Genome>, Failure> {
        let cannot = |error: std::io::Error| Failure::Failed(format!("stdin: cannot read the genomes: {error}"));
        while let Some(line) = next_line(&mut self.input).map_err(cannot)? {
            self.number += 1;
            self.asked = match line {
                Ok(text) => entries(self.plan, self.number, &text),
                Err(problem) => vec![(GenomeLine { line: self.number, id: None }, Err(problem.to_owned()))],
            };
            let genomes: Vec<Genome> = self.asked.iter().filter_map(|(_, genome)| genome.clone().ok()).collect();
            if !genomes.is_empty() {
                return Ok(genomes);
            }
            self.answer(Vec::new())?;
        }
        Ok(Vec::new())
    }

    /// Answers what was asked, in its order.
    fn answer(&mut self, scores: Vec<Score>) -> Outcome {
        let mut scores = scores.into_iter();
        for (GenomeLine { line, id }, genome) in std::mem::take(&mut self.asked) {
            let answer = match (genome, &id) {
                (Err(problem), id) => {
                    self.bad += 1;
                    let mut answer = json!({ "line": line, "error": problem });
                    if let Some(id) = id {
                        answer["id"] = id.clone();
                    }
                    answer
                }
                (Ok(_), _) => {
                    let score = scores.next().expect("a score for each genome");
                    ScoreRow { line, id, score }.json(self.plan)
                }
            };
            writeln!(self.out, "{answer}")?;
        }
        Ok(self.out.flush()?)
    }
}

impl<R: BufRead> Asker for Lines<'_, R> {
    fn genomes(&mut self) -> Option<Vec<Genome>> {
        if self.failure.is_some() {
            return None;
        }
        // Nothing is lost while a line is waited for: a signal ends the command at once.
        signals::played();
        match self.read() {
            Ok(genomes) => {
                signals::playing();
                Some(genomes).filter(|genomes| !genomes.is_empty())
            }
            Err(failure) => {
                self.failure = Some(failure);
                None
            }
        }
    }

    fn scored(&mut self, scores: Vec<Score>) {
        self.failure = self.answer(scores).err();
    }
}
