//! Means of every measure by player and seat, and virtual scores by turn.

use super::league::League;
use super::mean_with_interval::MeanWithInterval;
use crate::aggregate::Aggregate;
use crate::aggregate::game_result::GameResult;
use crate::aggregate::measures::measures;
use crate::aggregate::turn_sums::TurnSums;
use evouct_league::config::Experiment;
use evouct_stats::Summary;
use serde::Serialize;
use std::collections::BTreeMap;

/// A player on one seat.
#[derive(Clone, Debug, Serialize)]
pub struct SeatRow {
    /// The player.
    pub player: String,
    /// From 1.
    pub seat: usize,
    /// Games.
    pub games: u64,
    /// Means per game, by the names of measures.
    pub means: BTreeMap<String, MeanWithInterval>,
}

/// Virtual scores of a player on a seat after a turn.
#[derive(Clone, Debug, Serialize)]
pub struct TurnRow {
    /// The player.
    pub player: String,
    /// From 1.
    pub seat: usize,
    /// The seat's turn, from 1.
    pub turn: usize,
    /// Games that reached this turn.
    pub games: u64,
    /// Mean virtual score.
    pub score: f64,
    /// Mean difference of the virtual scores.
    pub difference: f64,
    /// Standard deviation of that difference over games.
    pub difference_sd: Option<f64>,
}

/// Draws of chance that no seat could act on.
#[derive(Clone, Debug, Serialize)]
pub struct UnusedDraws {
    /// What they are, in the plural.
    pub what: &'static str,
    /// How many.
    pub draws: u64,
    /// Games that have one.
    pub games: u64,
}

impl UnusedDraws {
    pub(super) fn of(experiment: &Experiment, aggregate: &Aggregate) -> Option<UnusedDraws> {
        let (what, _) = experiment.rules.domain().unused()?;
        let draws = aggregate.results().map(|game| game.unused).sum();
        let games = aggregate.results().filter(|game| game.unused > 0).count() as u64;
        (draws > 0).then_some(UnusedDraws { what, draws, games })
    }
}

impl League<'_> {
    pub(super) fn seats(&self) -> Vec<SeatRow> {
        let (mut rows, measures) = (Vec::new(), measures(self.experiment.rules.domain()));
        for player in 0..self.experiment.players.len() {
            for seat in 0..self.experiment.rules.seats() {
                let games: Vec<&GameResult> = self.games_in(player, seat).collect();
                if games.is_empty() {
                    continue;
                }
                let mut means = BTreeMap::new();
                for measure in &measures {
                    let statistic =
                        self.mean(games.iter().map(|game| (*game, seat)), |game, seat| measure.value(game, seat));
                    means.insert(measure.name.to_owned(), statistic);
                }
                rows.push(SeatRow { player: self.name(player), seat: seat + 1, games: games.len() as u64, means });
            }
        }
        rows
    }

    /// The units of a measure of a player in a seat, from 0; none of a name that is no measure.
    pub(super) fn seat_units(&self, player: usize, seat: usize, measure: &str) -> Summary {
        let measures = measures(self.experiment.rules.domain());
        let Some(measure) = measures.iter().find(|known| known.name == measure) else { return Summary::default() };
        self.units(self.games_in(player, seat).map(|game| (game.of_deck(), measure.value(game, seat))))
    }
}

/// Virtual scores by player, seat and turn.
pub(super) fn turns(experiment: &Experiment, aggregate: &Aggregate) -> Vec<TurnRow> {
    let scale = experiment.rules.domain().scale();
    let row = |(&(player, seat, turn), sums): (&(usize, usize, usize), &TurnSums)| TurnRow {
        player: experiment.players[player].name.clone(),
        seat: seat + 1,
        turn,
        games: sums.games,
        score: scale.points(sums.score()),
        difference: scale.points(sums.difference().mean().unwrap_or_default()),
        difference_sd: sums.difference().sd().ok().map(|sd| scale.points(sd)),
    };
    aggregate.turns.iter().map(row).collect()
}
