//! Points by occupied feature: a seat's points from each feature that it has a meeple on (Heyden 2009, figures 6.1 to
//! 6.4, 6.7 and 6.8).

use super::notation::{Event, ReplayError, Transcript};
use super::rules::{Award, Base, Edition, Expanded, FeatureKind, MAX_SEATS, Rules, State};
use std::ops::AddAssign;

/// Features of one kind that a seat occupied.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Occupied {
    /// Meeples placed on features of the kind.
    pub meeples: u64,
    /// Features with a meeple of the seat when they were scored, each once, however many meeples it had.
    pub features: u64,
    /// Points that the seat received from them; none for a feature whose majority was another seat's.
    pub points: u64,
}

impl Occupied {
    /// The mean points per occupied feature; none without such features.
    pub fn points_per_feature(self) -> Option<f64> {
        (self.features > 0).then(|| self.points as f64 / self.features as f64)
    }
}

/// By kind, in the order of [`OccupiedFeatures::KINDS`].
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct OccupiedFeatures {
    counts: [Occupied; 4],
}

impl AddAssign for OccupiedFeatures {
    fn add_assign(&mut self, other: OccupiedFeatures) {
        for (own, other) in self.counts.iter_mut().zip(other.counts) {
            own.meeples += other.meeples;
            own.features += other.features;
            own.points += other.points;
        }
    }
}

impl OccupiedFeatures {
    /// The kinds with their names. Gardens count as monasteries.
    pub const KINDS: [(FeatureKind, &'static str); 4] = [
        (FeatureKind::Monastery, "monastery"),
        (FeatureKind::City, "city"),
        (FeatureKind::Road, "road"),
        (FeatureKind::Field, "field"),
    ];

    /// The features of a kind.
    pub fn of_kind(&self, kind: FeatureKind) -> Occupied {
        self.counts[place(kind)]
    }

    /// Counts one game, by seat.
    ///
    /// # Errors
    /// The first event that the rules do not allow.
    pub fn of_game(rules: Rules, events: Vec<Event>) -> Result<[OccupiedFeatures; MAX_SEATS], ReplayError> {
        if rules.are_of_the_base_game() {
            OccupiedFeatures::of_game_as::<Base>(rules, events)
        } else {
            OccupiedFeatures::of_game_as::<Expanded>(rules, events)
        }
    }

    fn of_game_as<E: Edition>(rules: Rules, events: Vec<Event>) -> Result<[OccupiedFeatures; MAX_SEATS], ReplayError> {
        let mut seats = [OccupiedFeatures::default(); MAX_SEATS];
        let mut before: Option<State<E>> = None;
        let end = Transcript { rules, events, hand: None, scores: None }.replay_with::<E>(|state| {
            if let Some(before) = &mut before {
                count_turn(before, state, &mut seats);
            }
            before = Some(state.clone());
        })?;
        if let Some(before) = &mut before {
            count_turn(before, &end, &mut seats);
        }
        count_awards(&end.standing_awards(), &mut seats);
        Ok(seats)
    }
}

fn place(kind: FeatureKind) -> usize {
    let kind = if kind == FeatureKind::Garden { FeatureKind::Monastery } else { kind };
    OccupiedFeatures::KINDS.iter().position(|(known, _)| *known == kind).expect("every kind is in the list")
}

/// Counts the turn between two positions. Leaves `before` as the position after it.
fn count_turn<E: Edition>(before: &mut State<E>, after: &State<E>, seats: &mut [OccupiedFeatures; MAX_SEATS]) {
    let Some(turn) = after.turns().last().filter(|_| after.turns().len() > before.turns().len()) else { return };
    if let Some(segment) = turn.action.segment() {
        let kind = before.segment_kind(turn.tile, segment);
        seats[before.player()].counts[place(kind)].meeples += 1;
    }
    let mut awards: Vec<Award> = Vec::new();
    before.play_legal(turn.action, &mut awards);
    count_awards(&awards, seats);
}

fn count_awards(awards: &[Award], seats: &mut [OccupiedFeatures; MAX_SEATS]) {
    for award in awards {
        for (seat, meeples) in award.meeples.iter().enumerate() {
            let occupied = &mut seats[seat].counts[place(award.kind)];
            if *meeples > 0 {
                occupied.features += 1;
                if award.winners().any(|winner| winner == seat) {
                    occupied.points += u64::from(award.points);
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{PlayoutPolicy, TileDeck};
    use evouct_base::seed::{Key, search_rng};

    #[test]
    fn points_of_all_features_are_the_scores_and_no_meeple_is_lost() {
        for seed in 0..20 {
            let rules = Rules::official(2);
            let mut state = State::new(rules);
            let mut deck = TileDeck::shuffled(&rules, Key::experiment(seed));
            let mut rng = search_rng(&mut Key::experiment(seed).stream());
            let (mut events, mut meeples) = (Vec::new(), [0; 2]);
            while let Some(tile) = deck.deal_playable(&mut state) {
                let action = state.random_move(PlayoutPolicy::Joint, &mut rng).unwrap();
                meeples[state.player()] += u64::from(action.meeple.is_some());
                events.push(Event::Turn(crate::PlayedTurn { tile, action }));
                state.play(action).unwrap();
            }
            let Ok(seats) = OccupiedFeatures::of_game(rules, events) else {
                // A tile that was set aside is an event of its own, which this test does not write.
                continue;
            };
            for seat in 0..2 {
                let all = OccupiedFeatures::KINDS.map(|(kind, _)| seats[seat].of_kind(kind));
                let points: u64 = all.iter().map(|occupied| occupied.points).sum();
                assert_eq!(points, u64::from(state.virtual_scores()[seat]), "seed {seed}");
                assert_eq!(all.iter().map(|occupied| occupied.meeples).sum::<u64>(), meeples[seat]);
                // Several meeples may stand on one feature.
                assert!(all.iter().all(|occupied| occupied.features <= occupied.meeples));
                assert!(all.iter().any(|occupied| occupied.features > 0));
            }
        }
    }
}
