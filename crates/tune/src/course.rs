//! The course of a tuning: its stages so far, and what follows from their results.

use super::candidates::Candidate;
use super::error::TuneError;
use super::games::{deviations, mean_over_games};
use super::outcome::TuningOutcome;
use super::scores::{DeckScore, StageScores, distinct_means, mean_by_deck};
use super::selection::Selection;
use super::standing::RoundResult;
use super::tuning::Tuning;
use evouct_league::series::{Stage, StageCount};
use evouct_stats::Summary;
use evouct_stats::distinct::Distinct;
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
    /// The time that players thought in them, in seconds.
    pub seconds: f64,
}

/// The course of a tuning.
#[derive(Clone, Debug)]
pub struct Course {
    /// The groups of stages that are known so far. All but the last are complete.
    pub groups: Vec<Group>,
    /// The result, once all games are recorded.
    pub outcome: Option<TuningOutcome>,
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
        let mut selection = self.selection();
        let mut candidates = self.candidates.clone();
        let mut distinct: Vec<Distinct> = Vec::new();
        let mut units = None;
        while let Some((_, field)) = selection.field() {
            let round = course.groups.len();
            let field = field.to_vec();
            let stages = self.next_round(round, &selection, &mut candidates)?;
            distinct.resize(candidates.len(), Distinct::default());
            let scores = self.add(&mut course, format!("round {}", round + 1), stages)?;
            if course.open().is_some() {
                return Ok(course);
            }
            let seen: Vec<&[StageScores]> = scores.chunks(self.opponents.len().max(1)).collect();
            let units = units.get_or_insert_with(|| self.units(&seen));
            selection.take(field.iter().enumerate().map(|(place, candidate)| {
                let failed = scores.iter().map(|stage| stage.failed[place]).sum::<u64>();
                let (decks, distinct) = (decks(&seen, place, units), &mut distinct[*candidate]);
                let played = Summary::of(&decks.values().map(|deck| deck.mean).collect::<Vec<f64>>());
                let new = distinct_means(distinct, decks.values());
                RoundResult { mean: played.mean().ok(), repeats: played.count() - new.len() as u64, decks: new, failed }
            }));
        }
        // The held-out stage compares the default with the best of the others.
        let [_, challenger] = selection.best();
        self.add_drawn(&mut candidates, selection.drawn())?;
        let stages = self.held_out(&candidates[challenger])?;
        let scores = self.add(&mut course, "held-out stage".to_owned(), stages)?;
        if course.open().is_none() {
            // Head to head, and against the opponents.
            let all: Vec<(&[StageScores], &[StageScores])> =
                scores.chunks(1 + self.opponents.len()).map(|game| game.split_at(1)).collect();
            let seen = || all.iter().zip(self.games()).filter(|(_, (_, held_out))| !held_out).map(|(game, _)| *game);
            let (heads, against): (Vec<&[StageScores]>, Vec<&[StageScores]>) = seen().unzip();
            let units = units.get_or_insert_with(|| self.units(&heads));
            let held_out = differences(&heads, &against, units);
            let by_game = if self.further.is_empty() { Vec::new() } else { all };
            let by_game = by_game.iter().map(|(head, against)| differences(&[*head], &[*against], &[1.0])).collect();
            course.outcome = Some(TuningOutcome::of(self, candidates, &selection, &held_out, by_game, &course.groups));
        }
        Ok(course)
    }

    /// The stages of the next round, counted from 0; none after the last.
    fn next_round(
        &self,
        round: usize,
        selection: &Selection,
        candidates: &mut Vec<Candidate>,
    ) -> Result<Vec<Stage>, TuneError> {
        let Some((_, field)) = selection.field() else { return Ok(Vec::new()) };
        self.add_drawn(candidates, selection.drawn())?;
        self.round(round, &field.iter().map(|at| &candidates[*at]).collect::<Vec<&Candidate>>())
    }

    /// The stages of the first round.
    pub(super) fn first_round(&self) -> Result<Vec<Stage>, TuneError> {
        self.next_round(0, &self.selection(), &mut self.candidates.clone())
    }

    /// What results count in, game by game: points of a tuning in one game.
    fn units(&self, games: &[&[StageScores]]) -> Vec<f64> {
        if self.further.is_empty() { vec![1.0] } else { deviations(games.iter().copied()) }
    }

    /// Adds a group with its games.
    fn add(&self, course: &mut Course, name: String, stages: Vec<Stage>) -> Result<Vec<StageScores>, TuneError> {
        let (mut count, mut seconds) = (StageCount::default(), 0.0);
        let (mut scores, is_extended) = (Vec::new(), self.may_hold_fewer()?);
        for stage in &stages {
            let read = StageScores::read(stage, &self.folder, is_extended)?;
            count += read.count;
            seconds += read.seconds;
            scores.push(read);
        }
        course.groups.push(Group { name, stages, count, seconds });
        Ok(scores)
    }
}

/// The held-out results of a candidate less those of the default by deck: head to head and, if there are opponents, against
/// these.
pub(super) type Differences = (Vec<DeckScore>, Option<Vec<DeckScore>>);

/// The differences over these games in these units.
fn differences(heads: &[&[StageScores]], against: &[&[StageScores]], units: &[f64]) -> Differences {
    let head_to_head = decks(heads, 0, units).into_values().collect();
    let against = against.iter().any(|stages| !stages.is_empty()).then(|| {
        let [default, challenger] = [0, 1].map(|place| decks(against, place, units));
        let paired = challenger.into_iter().filter_map(|(deck, score)| Some(score.less(default.get(&deck)?)));
        paired.collect()
    });
    (head_to_head, against)
}

/// The results of one player over all games and their stages, by deck, where a game counts in this unit.
fn decks(games: &[&[StageScores]], place: usize, units: &[f64]) -> BTreeMap<u32, DeckScore> {
    let of_game = |stages: &&[StageScores]| mean_by_deck(stages.iter().map(|stage| &stage.decks[place]));
    match games {
        [one] => of_game(one),
        several => mean_over_games(several.iter().map(of_game), units),
    }
}
