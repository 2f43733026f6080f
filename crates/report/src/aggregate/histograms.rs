//! Sums of the histograms that searches left behind.

use evouct_league::record::GameRecord;
use evouct_platform::domain::HistogramInfo;
use std::collections::BTreeMap;

/// Histograms of all games, by player and name.
#[derive(Clone, Debug, Default)]
pub(crate) struct Histograms(BTreeMap<(usize, &'static str), HistogramSum>);

/// A histogram summed over games.
#[derive(Clone, Debug, Default)]
pub(crate) struct HistogramSum {
    /// By bin.
    pub counts: Vec<u64>,
    pub games: u64,
}

impl Histograms {
    /// Adds those of a game; `players` are its players by seat. One whose number of bins is not that of the game is
    /// left out.
    pub(super) fn add(&mut self, record: &GameRecord, players: &[usize], infos: &[HistogramInfo]) {
        for (recorded, player) in record.histograms.iter().zip(players) {
            for info in infos {
                let Some(counts) = recorded.get(info.name).filter(|counts| counts.len() == info.bins) else { continue };
                let sum = self.0.entry((*player, info.name)).or_default();
                sum.counts.resize(info.bins, 0);
                sum.counts.iter_mut().zip(counts).for_each(|(sum, count)| *sum += u64::from(*count));
                sum.games += 1;
            }
        }
    }

    /// That of a player.
    pub(crate) fn of(&self, player: usize, name: &'static str) -> Option<&HistogramSum> {
        self.0.get(&(player, name))
    }
}
