//! Histograms of what searches left behind, by player.

use crate::aggregate::Aggregate;
use evouct_league::config::Experiment;
use serde::Serialize;

/// A histogram of a player: mean counts per game.
#[derive(Clone, Debug, Serialize)]
pub struct HistogramRow {
    /// The player.
    pub player: String,
    /// Its name.
    pub histogram: &'static str,
    /// What is counted, by what.
    pub about: &'static str,
    /// The lower end of the first bin.
    pub low: f64,
    /// The upper end of the last bin.
    pub high: f64,
    /// Games.
    pub games: u64,
    /// Mean counts per game, by bin.
    pub means: Vec<f64>,
}

impl HistogramRow {
    /// All histograms: by histogram, and in it by player.
    pub(super) fn all(experiment: &Experiment, aggregate: &Aggregate) -> Vec<HistogramRow> {
        let infos = experiment.rules.domain().histograms().iter();
        let of_all = infos.flat_map(|info| {
            experiment.players.iter().enumerate().filter_map(|(index, player)| {
                let sum = aggregate.histograms.of(index, info.name)?;
                Some(HistogramRow {
                    player: player.name.clone(),
                    histogram: info.name,
                    about: info.about,
                    low: info.low,
                    high: info.high,
                    games: sum.games,
                    means: sum.counts.iter().map(|count| *count as f64 / sum.games.max(1) as f64).collect(),
                })
            })
        });
        of_all.collect()
    }

    /// The middle of each bin, with its mean count.
    pub fn points(&self) -> impl Iterator<Item = (f64, f64)> {
        let width = (self.high - self.low) / self.means.len().max(1) as f64;
        self.means.iter().enumerate().map(move |(bin, mean)| (self.low + (bin as f64 + 0.5) * width, *mean))
    }
}
