//! Numbers that the game tells of a move before it is played.

use super::rules::{Award, FeatureKind, MAX_SEATS, Move, ScoreObserver, State};
use crate::domain::MoveNumber;

/// Counts the features that a move completes.
#[derive(Default)]
struct Completed(u32);

impl ScoreObserver for Completed {
    fn award(&mut self, _: Award) {
        self.0 += 1;
    }
}

/// The numbers, by name.
pub(super) const MOVE_NUMBERS: &[MoveNumber<State>] = &[
    MoveNumber {
        name: "dv",
        about: "gain of the seat's virtual score, in points",
        value: |state, action, after| gain(state, action, after, state.player()),
    },
    MoveNumber {
        name: "dm",
        about: "change of the seat's meeples in supply",
        value: |state, action, after| {
            let seat = state.player();
            play(state, action, after);
            f64::from(after.meeples_left()[seat]) - f64::from(state.meeples_left()[seat])
        },
    },
    MoveNumber {
        name: "fl",
        about: "1 if a meeple goes on a field, else 0",
        value: |state, action, _| {
            let claimed = action.meeple.zip(state.hand());
            let kind = claimed.map(|(segment, tile)| state.rules().tiles.segments(tile)[segment.index()].kind());
            f64::from(u8::from(kind == Some(FeatureKind::Field)))
        },
    },
    MoveNumber {
        name: "cl",
        about: "claimed features that the move completes",
        value: |state, action, after| {
            let mut completed = Completed::default();
            after.clone_from(state);
            after.play_legal(action, &mut completed);
            completed.0.into()
        },
    },
    MoveNumber {
        name: "op",
        about: "loss of the opponents' virtual scores together, in points",
        value: |state, action, after| {
            let (seat, seats) = (state.player(), usize::from(state.rules().seats));
            play(state, action, after);
            let [before, later] = [state.virtual_scores(), after.virtual_scores()];
            others(&before, seat, seats) - others(&later, seat, seats)
        },
    },
];

fn play(state: &State, action: Move, after: &mut State) {
    after.clone_from(state);
    after.play_legal(action, &mut ());
}

fn gain(state: &State, action: Move, after: &mut State, seat: usize) -> f64 {
    play(state, action, after);
    f64::from(after.virtual_scores()[seat]) - f64::from(state.virtual_scores()[seat])
}

fn others(scores: &[u16; MAX_SEATS], seat: usize, seats: usize) -> f64 {
    (0..seats).filter(|other| *other != seat).map(|other| f64::from(scores[other])).sum()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::carcassonne::Transcript;

    /// All numbers of the moves of a position, by the notation of the move.
    fn numbers(position: &str, wanted: &str) -> Vec<f64> {
        let state = position.parse::<Transcript>().unwrap().replay().unwrap();
        let tiles = state.rules().tiles;
        let turn = crate::carcassonne::parse_turn(wanted, tiles).unwrap();
        assert_eq!(state.check(turn.action), Ok(()), "{wanted}");
        let mut after = state.clone();
        MOVE_NUMBERS.iter().map(|number| (number.value)(&state, turn.action, &mut after)).collect()
    }

    /// Hand-computed: the start tile has a city to the north and a road from west to east.
    #[test]
    fn the_numbers_of_a_move_by_hand() {
        let start = "[base seats=2 two-tile-city=4 unplaceable=discard]";
        // Tile E (a city on one side) turned so that its city closes the start tile's city, claimed: 4 points, the meeple
        // comes back at once, one claimed feature is complete.
        let closing = numbers(&format!("{start} ?E"), "E@0,-1r2:cS");
        assert_eq!(closing, [4.0, 0.0, 0.0, 1.0, 0.0]);
        // The same without a meeple: nothing is scored by anybody.
        assert_eq!(numbers(&format!("{start} ?E"), "E@0,-1r2"), [0.0, 0.0, 0.0, 0.0, 0.0]);
        // A meeple on the field: it stays there, and a field without a complete city has no points.
        assert_eq!(numbers(&format!("{start} ?E"), "E@0,1r2:fNNW"), [0.0, -1.0, 1.0, 0.0, 0.0]);
    }
}
