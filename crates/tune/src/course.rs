//! The course of a tuning: its stages so far, and what follows from their results.

use super::error::TuneError;
use super::outcome::TuningOutcome;
use super::scores::{StageScores, mean_by_deck};
use super::tuning::Tuning;
use evouct_league::series::{Stage, StageCount};
use evouct_stats::Summary;
use std::collections::BTreeMap;

/// Stages that do not depend on one another: a round, or the held-out stage.
#[derive(Clone, Debug)]
pub struct Group {
    /// `round 1`, or `held-out stage`.
    pub name: String,
    /// The stages: one against each opponent.
    pub stages: Vec<Stage>,
    /// Their games.
    pub count: StageCount,
}

/// The course of a tuning.
#[derive(Clone, Debug)]
pub struct Course {
    /// The groups of stages that are known so far. All but the last are complete.
    pub groups: Vec<Group>,
    /// The result, once all games are recorded.
    pub outcome: Option<TuningOutcome>,
}

/// What is known of a candidate.
#[derive(Clone, Debug, Default)]
pub(super) struct Standing {
    /// Its mean score difference over the opponents, deck by deck of all its rounds.
    pub decks: Vec<f64>,
    /// Its games that failed.
    pub failed: u64,
    /// The round after which it left, from 1.
    pub left: Option<usize>,
    /// Its mean after each of its rounds.
    pub estimates: Vec<f64>,
}

impl Standing {
    /// The mean over its decks; below all numbers where it has none.
    fn mean(&self) -> f64 {
        Summary::of(&self.decks).mean().unwrap_or(f64::NEG_INFINITY)
    }
}

impl Course {
    /// The stages that are known so far, in order.
    pub fn stages(&self) -> impl Iterator<Item = &Stage> {
        self.groups.iter().flat_map(|group| &group.stages)
    }

    /// The group to play next; none once the tuning is complete.
    pub fn open(&self) -> Option<&Group> {
        self.groups.last().filter(|group| group.count.missing() > 0)
    }

    /// The place of the group to play next. With `retry` that is the last group with recorded games if some of them
    /// failed, unless its place is `retried`.
    pub(super) fn open_group(&self, retry: bool, retried: Option<usize>) -> Option<usize> {
        let begun = self.groups.iter().rposition(|group| group.count.recorded > 0);
        let failed = begun.filter(|at| retry && retried != Some(*at) && self.groups[*at].count.failed > 0);
        failed.or_else(|| self.open().map(|_| self.groups.len() - 1))
    }

    /// The games recorded so far.
    pub fn recorded(&self) -> u64 {
        self.groups.iter().map(|group| group.count.recorded).sum()
    }

    /// Recorded games that failed.
    pub fn failed(&self) -> u64 {
        self.groups.iter().map(|group| group.count.failed).sum()
    }
}

impl Tuning {
    /// Reads the records and finds how far the tuning is.
    ///
    /// # Errors
    /// If records cannot be read, or a sub-folder holds another experiment.
    pub fn course(&self) -> Result<Course, TuneError> {
        let mut course = Course { groups: Vec::new(), outcome: None };
        let mut standings = vec![Standing::default(); self.candidates.len()];
        let mut field = self.starters();
        for round in 0..self.halving.rounds.len() {
            let stages = self.round(round, &field)?;
            let scores = self.add(&mut course, format!("round {}", round + 1), stages)?;
            if course.open().is_some() {
                return Ok(course);
            }
            for (place, candidate) in field.iter().enumerate() {
                let standing = &mut standings[*candidate];
                standing.decks.extend(decks(&scores, place).into_values());
                standing.estimates.extend(Summary::of(&standing.decks).mean());
                standing.failed += scores.iter().map(|stage| stage.failed[place]).sum::<u64>();
            }
            // A player that fails is not chosen; equal ones stay in their order.
            field.sort_by(|a, b| {
                let (a, b) = (&standings[*a], &standings[*b]);
                (a.failed > 0).cmp(&(b.failed > 0)).then(b.mean().total_cmp(&a.mean()))
            });
            let stay = self.halving.rounds.get(round + 1).map_or(1, |next| next.contestants);
            for candidate in field.iter().skip(stay) {
                standings[*candidate].left = Some(round + 1);
            }
            // The last round only ranks.
            if round + 1 < self.halving.rounds.len() {
                field.truncate(stay);
                field.sort_unstable();
            }
        }
        let winner = field[0];
        // The held-out stage compares the default with the best of the others.
        let challenger = field.iter().copied().find(|candidate| *candidate != 0).unwrap_or(winner);
        let stages = self.held_out(challenger)?;
        let scores = self.add(&mut course, "held-out stage".to_owned(), stages)?;
        if course.open().is_none() {
            let head_to_head: Vec<f64> = scores[0].decks[0].values().copied().collect();
            let against = (scores.len() > 1).then(|| {
                let [default, challenger] = [0, 1].map(|place| decks(&scores[1..], place));
                let paired = challenger.iter().filter_map(|(deck, value)| Some(value - default.get(deck)?));
                paired.collect::<Vec<f64>>()
            });
            let stages = course.stages().cloned().collect();
            course.outcome = Some(TuningOutcome::of(
                self,
                &standings,
                [winner, challenger],
                &head_to_head,
                against.as_deref(),
                stages,
            ));
        }
        Ok(course)
    }

    /// Adds a group with its games.
    fn add(&self, course: &mut Course, name: String, stages: Vec<Stage>) -> Result<Vec<StageScores>, TuneError> {
        let mut count = StageCount::default();
        let mut scores = Vec::new();
        for stage in &stages {
            let read = StageScores::read(stage, &self.folder)?;
            count += read.count;
            scores.push(read);
        }
        course.groups.push(Group { name, stages, count });
        Ok(scores)
    }
}

/// The results of one player over all stages of a group, by deck.
fn decks(scores: &[StageScores], place: usize) -> BTreeMap<u32, f64> {
    mean_by_deck(scores.iter().map(|stage| &stage.decks[place]))
}
