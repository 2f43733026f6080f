//! Sweeps: players that differ in one numeric parameter only, with their strength over its value.

use super::gauntlet::Gauntlet;
use super::league::League;
use super::mean_with_interval::MeanWithInterval;
use crate::aggregate::game_result::GameResult;
use evouct_base::parameter::Value;
use evouct_league::config::ScheduleKind;
use serde::ser::SerializeMap;
use serde::{Serialize, Serializer};
use std::collections::BTreeMap;

/// The fewest values of a parameter that make a sweep.
const FEWEST_VALUES: usize = 3;
/// The most sweeps of a report.
const MOST: usize = 8;

/// Players that differ in one numeric parameter.
#[derive(Clone, Debug, Serialize)]
pub struct Sweep {
    /// Their kind.
    pub kind: &'static str,
    /// The parameter.
    pub parameter: &'static str,
    /// The fixed opponents of a gauntlet, to which differences are taken, of several the mean over them; none in another
    /// league, where differences are to all opponents. In `report.json` one is `opponent`, which is null for several,
    /// which are a list `opponents`.
    #[serde(flatten, serialize_with = "one_or_list")]
    pub opponents: Vec<String>,
    /// By ascending value.
    pub points: Vec<SweepPoint>,
}

/// A value of the parameter.
#[derive(Clone, Debug, Serialize)]
pub struct SweepPoint {
    /// The value.
    pub value: f64,
    /// The player that has it.
    pub player: String,
    /// Score less the opponent's per game, with its interval over units.
    pub difference: MeanWithInterval,
}

impl Sweep {
    /// The points with their differences as tables and charts show them: in a gauntlet those of the fixed opponents,
    /// from whose view all its results are shown. `report.json` has the view of the contestants.
    pub(crate) fn shown(&self) -> impl Iterator<Item = (&SweepPoint, MeanWithInterval)> {
        let is_gauntlet = !self.opponents.is_empty();
        let view = move |difference: MeanWithInterval| if is_gauntlet { difference.negated() } else { difference };
        self.points.iter().map(move |point| (point, view(point.difference)))
    }
}

/// One opponent by its key, several as a list.
fn one_or_list<S: Serializer>(opponents: &[String], serializer: S) -> Result<S::Ok, S::Error> {
    let mut map = serializer.serialize_map(None)?;
    let one = Some(opponents).filter(|opponents| opponents.len() == 1);
    map.serialize_entry("opponent", &one.map(|opponents| &opponents[0]))?;
    if opponents.len() > 1 {
        map.serialize_entry("opponents", opponents)?;
    }
    map.end()
}

/// What the players of a sweep have in common: their kind, the place of the parameter, and all other values.
type Alike = (&'static str, usize, Vec<String>);

impl League<'_> {
    /// All sweeps of the league, the longest first; none where each player meets its neighbours only, because their
    /// strengths differ.
    pub(super) fn sweeps(&self, gauntlet: Option<&Gauntlet>) -> Vec<Sweep> {
        if self.experiment.schedule == ScheduleKind::Neighbours {
            return Vec::new();
        }
        let fixed = self.fixed_opponents();
        let mut groups: BTreeMap<Alike, Vec<(f64, usize)>> = BTreeMap::new();
        for (player, contender) in self.experiment.players.iter().enumerate() {
            let is_left_out = |found: &Gauntlet| found.has_several() && found.row_of(&contender.name).is_none();
            if fixed.contains(&player) || self.games_of(player).next().is_none() || gauntlet.is_some_and(is_left_out) {
                continue;
            }
            let values = contender.spec.values();
            for (place, value) in values.iter().enumerate() {
                let value = match value {
                    Value::Count(count) => *count as f64,
                    Value::Real(number) => *number,
                    _ => continue,
                };
                let mut others: Vec<String> = values.iter().map(Value::to_string).collect();
                others.remove(place);
                let key = (contender.spec.kind().name, place, others);
                groups.entry(key).or_default().push((value, player));
            }
        }
        let mut sweeps: Vec<Sweep> = groups
            .into_iter()
            .filter_map(|((kind, place, _), mut players)| {
                players.sort_by(|a, b| a.0.total_cmp(&b.0));
                // Two players may be alike in everything; the first stands for both.
                players.dedup_by(|a, b| a.0 == b.0);
                let first = players.first().filter(|_| players.len() >= FEWEST_VALUES)?.1;
                let parameter = self.experiment.players[first].spec.kind().table[place].name;
                let point = |&(value, player): &(f64, usize)| SweepPoint {
                    value,
                    player: self.name(player),
                    difference: self.strength(player, gauntlet),
                };
                let points = players.iter().map(point).collect();
                let opponents =
                    gauntlet.map_or_else(Vec::new, Gauntlet::names).into_iter().map(str::to_owned).collect();
                Some(Sweep { kind, parameter, opponents, points })
            })
            .collect();
        sweeps.sort_by_key(|sweep| std::cmp::Reverse(sweep.points.len()));
        sweeps.truncate(MOST);
        sweeps
    }

    /// Score less the opponent's: in a gauntlet the fixed ones'.
    fn strength(&self, player: usize, gauntlet: Option<&Gauntlet>) -> MeanWithInterval {
        let row = gauntlet.and_then(|found| found.row_of(&self.experiment.players[player].name));
        row.map_or_else(
            || match self.experiment.rules.seats() {
                1 => self.statistic(self.differences_to_all(player)),
                _ => self.mean(self.games_of(player), GameResult::difference),
            },
            |row| row.difference,
        )
    }
}
