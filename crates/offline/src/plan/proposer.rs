//! Programs that propose formulas: `[[proposer]]` in the file of an evolution.
//!
//! A program is asked once per generation, by a line of JSON, and answers a line of JSON. Its answer is in the journal, so
//! that an evolution that is resumed does not ask for it again.

use evouct_base::parameter::{Parameter, Parameters, Values, Words};
use evouct_league::config::check_name;
use evouct_league::config::reader::TomlTable;
use evouct_platform::domain::FaultReason;
use evouct_platform::external::{Dialog, exists};
use serde::{Deserialize, Serialize};
use std::sync::LazyLock;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

/// The most proposers of an evolution.
const MOST: usize = 16;

evouct_base::parameters! {
    /// The keys of a `[[proposer]]`.
    struct ProposerKeys {
        /// Name in messages and in the journal [default: proposer-1 and so on].
        name: Option<String> = None;
        /// Program and arguments, as a list of texts.
        command: Option<Words> = None, required = true, later = Changes;
        /// Formulas that it may propose in a generation. They take the places of so many offspring.
        count: u32 = 4, values = Values::Count(1, 1_000);
        /// How long it may take for an answer, in seconds.
        seconds: f64 = 300.0, values = Values::Real(0.001, 1e6), later = Changes;
    }
}

pub(crate) static PROPOSER_KEYS: LazyLock<Vec<Parameter>> = LazyLock::new(ProposerKeys::table);

/// A program that proposes formulas.
#[derive(Clone, PartialEq, Debug)]
pub struct Proposer {
    /// Its name.
    pub name: String,
    /// Program and arguments.
    pub command: Words,
    /// The most formulas of a generation.
    pub count: u32,
    /// How long it may take for an answer.
    pub limit: Duration,
}

impl Proposer {
    /// What determines its part in an evolution, as text. Another command, or one that may take longer, can go on with the
    /// same evolution: what was proposed is in the journal.
    pub(crate) fn description(&self) -> String {
        format!("{} count={}", self.name, self.count)
    }

    /// Whether its program is on this machine.
    pub fn exists(&self) -> bool {
        exists(&self.command)
    }
}

/// Reads the `[[proposer]]` tables of an evolution in which they may propose `most` formulas in a generation together.
pub(crate) fn proposers(table: &TomlTable, most: Option<usize>) -> Vec<Proposer> {
    let sections = table.sections("proposer");
    if let Some(section) = sections.get(MOST) {
        section.note(format!("[[proposer]]: at most {MOST}, found {}", sections.len()));
    }
    let mut proposers: Vec<Proposer> = Vec::new();
    for (place, section) in sections.iter().enumerate() {
        let keys = ProposerKeys::read(section.fill(&PROPOSER_KEYS, &[]).values());
        let name = keys.name.unwrap_or_else(|| format!("proposer-{}", place + 1));
        if let Err(problem) = check_name(&name) {
            section.note_at("name", problem);
        }
        if proposers.iter().any(|other| other.name == name) {
            section.note_at("name", format!("name: two proposers have the name {name}"));
        }
        if let Some(command) = keys.command {
            let limit = Duration::from_secs_f64(keys.seconds);
            proposers.push(Proposer { name, command, count: keys.count, limit });
        }
    }
    let share: usize = proposers.iter().map(|proposer| proposer.count as usize).sum();
    if let Some(most) = most.filter(|most| share > *most) {
        table.note(format!(
            "[[proposer]]: they may propose {share} formulas in a generation; at most {most} leave every island an offspring of \
             its own"
        ));
    }
    proposers
}

/// What a program proposed in a generation, as the journal holds it.
#[derive(Clone, PartialEq, Debug, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Proposal {
    /// The proposer.
    pub proposer: String,
    /// The generation, from 0.
    pub generation: u32,
    /// What it proposed, as it wrote it: not all of it need be formulas.
    pub formulas: Vec<String>,
    /// Why it proposed nothing, or not all that it wrote was taken.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub problem: Option<String>,
}

/// A question to a proposer.
#[derive(Clone, PartialEq, Debug)]
pub struct Question {
    /// The place of the proposer in the plan.
    pub proposer: usize,
    /// The generation, from 0.
    pub generation: u32,
    /// The line of JSON.
    pub line: String,
}

/// An answer, as programs write it.
#[derive(Deserialize)]
struct Answer {
    formulas: Vec<String>,
}

/// A program of a proposer.
#[derive(Debug, Default)]
struct Program {
    /// None where it does not run.
    dialog: Option<Dialog>,
    /// Whether it has answered, in time or not, since the evolution was begun or resumed.
    has_worked: bool,
    /// Whether it was said that it proposes nothing.
    is_told: bool,
}

/// The programs that were started, by proposer.
#[derive(Debug, Default)]
pub(crate) struct Programs(Vec<Program>);

impl Programs {
    /// Asks a program, and starts it if it does not run. What goes wrong is in the proposal. None if `stop` was set.
    ///
    /// # Errors
    /// That it cannot be started here, or ends before its first answer: then its command is wrong, and its places are not
    /// to be lost.
    pub(crate) fn ask(
        &mut self,
        proposer: &Proposer,
        question: &Question,
        stop: &AtomicBool,
    ) -> Result<Option<Proposal>, String> {
        if self.0.len() <= question.proposer {
            self.0.resize_with(question.proposer + 1, Program::default);
        }
        let program = &mut self.0[question.proposer];
        let (name, generation) = (proposer.name.clone(), question.generation);
        let mut proposal = Proposal { proposer: name, generation, ..Proposal::default() };
        let started = match program.dialog.take() {
            Some(dialog) => Ok(dialog),
            None => Dialog::start(&proposer.command),
        };
        let answered = started.and_then(|mut dialog| Ok((dialog.ask(&question.line, proposer.limit, stop)?, dialog)));
        match answered {
            Ok((None, _)) => return Ok(None),
            Ok((Some(line), dialog)) => {
                let is_answer = proposal.read(&line, proposer.count as usize);
                if is_answer && proposal.formulas.is_empty() && !std::mem::replace(&mut program.is_told, true) {
                    let (name, remark) = (&proposer.name, dialog.remark());
                    tracing::warn!("{name}: generation {}: it proposed no formula{remark}", generation + 1);
                }
                // One that writes something else may be behind by a line.
                program.dialog = is_answer.then_some(dialog);
            }
            // The signal that stops evouct may have reached the program, too.
            Err(_) if stop.load(Ordering::Relaxed) => return Ok(None),
            Err(fault)
                if !program.has_worked && [FaultReason::NotStarted, FaultReason::Ended].contains(&fault.reason) =>
            {
                return Err(format!("{}: {fault}; nothing was recorded of it", proposer.name));
            }
            Err(fault) => proposal.problem = Some(fault.message),
        }
        program.has_worked = true;
        Ok(Some(proposal))
    }
}

impl Proposal {
    /// Takes an answer of at most so many formulas; whether it was one.
    fn read(&mut self, line: &str, count: usize) -> bool {
        match serde_json::from_str::<Answer>(line) {
            Ok(Answer { formulas }) => {
                self.formulas = formulas;
                let found = self.formulas.len();
                if found > count {
                    self.problem = Some(format!("it proposed {found} formulas; the first {count} are taken"));
                    self.formulas.truncate(count);
                }
                true
            }
            Err(error) => {
                let expected = "{\"formulas\": [\"…\"]}";
                self.problem = Some(format!("it answered \"{line:.60}\", expected {expected}: {error}"));
                false
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn answers_are_taken_up_to_the_count() {
        let read = |line: &str| {
            let mut proposal = Proposal::default();
            let is_answer = proposal.read(line, 2);
            assert_eq!(is_answer, line.starts_with("{\"formulas\": [") && !line.contains("[1]"), "{line}");
            (proposal.formulas, proposal.problem)
        };
        let owned = |texts: &[&str]| texts.iter().map(|text| (*text).to_owned()).collect::<Vec<_>>();
        assert_eq!(read(r#"{"formulas": []}"#), (Vec::new(), None));
        assert_eq!(
            read(r#"{"formulas": ["Q", "no\u0000 formula"], "note": 1}"#),
            (owned(&["Q", "no\0 formula"]), None)
        );
        let (formulas, problem) = read(r#"{"formulas": ["Q", "n", "N"]}"#);
        assert_eq!(formulas, ["Q", "n"]);
        assert_eq!(problem.as_deref(), Some("it proposed 3 formulas; the first 2 are taken"));
        for wrong in ["", "Q", "[]", r#"{"formulas": "Q"}"#, r#"{"formulas": [1]}"#] {
            let (formulas, problem) = read(wrong);
            assert!(formulas.is_empty() && problem.is_some_and(|problem| problem.contains("expected")), "{wrong}");
        }
    }
}
