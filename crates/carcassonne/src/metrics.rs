//! Counts of a seat during a game, and the columns that reports make of them.

use super::rules::{Award, Edition, FeatureKind, Move, ScoreObserver, State};
use evouct_platform::domain::{MetricColumn, Metrics};
use serde::{Deserialize, Serialize};

/// Turns in which a seat could be without a meeple, by seat: 36 and 35 turns less the first seven (Valdez Ameneyro et
/// al. 2020, Equation 5).
const MEEPLELESS_TURNS: [f64; 2] = [29.0, 28.0];
/// A seat has a meeple at least in its first seven turns.
const FIRST_TURNS: f64 = 7.0;

/// Numbers about one seat of a game, in the order of the alphabet, which records have.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SeatMetrics {
    /// Meeples on cities and points of them.
    pub city: FeatureMetrics,
    /// The same of fields.
    pub field: FeatureMetrics,
    /// Meeples placed.
    pub meeples: u32,
    /// The same of monasteries and gardens together.
    pub monastery: FeatureMetrics,
    /// The same of roads.
    pub road: FeatureMetrics,
    /// Turns played.
    pub turns: u32,
    /// Turns that began with a meeple in supply.
    pub turns_with_meeple: u32,
}

/// Counts of a seat for one kind of feature.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct FeatureMetrics {
    /// Meeples placed on it.
    pub meeples: u32,
    /// Points from it, during the game and at its end.
    pub points: u32,
}

impl SeatMetrics {
    fn of_kind(&mut self, kind: FeatureKind) -> &mut FeatureMetrics {
        match kind {
            FeatureKind::City => &mut self.city,
            FeatureKind::Road => &mut self.road,
            FeatureKind::Field => &mut self.field,
            FeatureKind::Monastery | FeatureKind::Garden => &mut self.monastery,
        }
    }
}

impl<E: Edition> Metrics<State<E>> for SeatMetrics {
    const COLUMNS: &'static [MetricColumn<SeatMetrics>] = &[
        MetricColumn {
            printed: Some("mpg"),
            ..MetricColumn::headed("meeples", "meeples", "meeples placed", |metrics, _| metrics.meeples.into())
        },
        MetricColumn::new("turns_with_meeple", "turns begun with a meeple in supply", |metrics, _| {
            metrics.turns_with_meeple.into()
        }),
        MetricColumn::headed(
            "twm",
            "twm",
            "turns_with_meeple / 29 for player 1, / 28 for player 2",
            |metrics, seat| f64::from(metrics.turns_with_meeple) / meepleless_turns(seat),
        ),
        MetricColumn::new("twm_shifted", "the same after subtracting the first seven turns", |metrics, seat| {
            (f64::from(metrics.turns_with_meeple) - FIRST_TURNS) / meepleless_turns(seat)
        }),
        MetricColumn::new("city_meeples", "meeples placed in cities", |metrics, _| metrics.city.meeples.into()),
        MetricColumn::headed("city_points", "city", "points from cities", |metrics, _| metrics.city.points.into()),
        MetricColumn::new("road_meeples", "meeples placed on roads", |metrics, _| metrics.road.meeples.into()),
        MetricColumn::headed("road_points", "road", "points from roads", |metrics, _| metrics.road.points.into()),
        MetricColumn::new("field_meeples", "meeples placed on fields", |metrics, _| metrics.field.meeples.into()),
        MetricColumn::headed("field_points", "field", "points from fields", |metrics, _| metrics.field.points.into()),
        MetricColumn::new("monastery_meeples", "meeples placed in monasteries", |metrics, _| {
            metrics.monastery.meeples.into()
        }),
        MetricColumn::headed("monastery_points", "monastery", "points from monasteries", |metrics, _| {
            metrics.monastery.points.into()
        }),
    ];

    fn play(state: &mut State<E>, action: Move, metrics: &mut [SeatMetrics]) {
        let seat = state.player();
        let own = &mut metrics[seat];
        own.turns += 1;
        own.turns_with_meeple += u32::from(state.figures_left(seat) > 0);
        if let (Some(segment), Some(tile)) = (action.segment(), state.hand()) {
            own.meeples += 1;
            own.of_kind(state.segment_kind(tile, segment)).meeples += 1;
        }
        state.play_legal(action, &mut Counted(metrics));
    }

    /// Counts what the meeples on the board get at the end.
    fn finish(state: &State<E>, metrics: &mut [SeatMetrics]) {
        let mut counted = Counted(metrics);
        state.each_standing_award(|award| counted.award(award));
    }
}

/// Counts awards as they are scored.
struct Counted<'a>(&'a mut [SeatMetrics]);

impl ScoreObserver for Counted<'_> {
    fn award(&mut self, award: Award) {
        for seat in award.winners() {
            self.0[seat].of_kind(award.kind).points += u32::from(award.points);
        }
    }
}

/// The paper defines the number for two seats; later ones count as the second.
fn meepleless_turns(seat: usize) -> f64 {
    MEEPLELESS_TURNS[seat.min(1)]
}
