//! Carcassonne as a [`Game`] for search.

use super::rules::{Edition, FeatureKind, MAX_SEATS, Move, PlayoutPolicy, State, TileDeck, TileKind};
use evouct_search::game::{self, Game, MoveLog, Playout, Ply, Scores, Turn};
use rand::Rng;

/// The most points of the base game for one player without fields, and the most complete cities (Müller, 4.4.5): 282
/// points if a field has three points for a city.
const MAX_SCORE: (i32, i32) = (234, 16);

/// No player can have more points with expansions; not a tight bound. Three points for each of the 73 segments and 14
/// pennants of cities, two for each of the 80 segments of roads, nine for each of the 19 monasteries and gardens, and
/// for the fields of eight figures three points for each of the 36 complete cities.
const MAX_SCORE_EXPANDED: i32 = 3 * (73 + 14) + 2 * 80 + 9 * 19 + 8 * 3 * 36;

impl<E: Edition> Game for State<E> {
    type Action = Move;
    type Outcome = TileKind;
    type Deck = TileDeck;

    const HAS_PARTS: bool = true;

    fn seats(&self) -> usize {
        usize::from(self.rules().seats)
    }

    #[inline]
    fn turn(&self) -> Turn {
        if self.hand().is_some() {
            Turn::Player(self.player())
        } else if self.is_over() {
            Turn::Terminal
        } else {
            Turn::Chance
        }
    }

    fn outcomes(&self, outcomes: &mut Vec<(TileKind, u32)>) {
        outcomes.clear();
        outcomes.extend(self.draw_outcomes().map(|(kind, count)| (kind, u32::from(count))));
    }

    #[inline]
    fn apply(&mut self, outcome: TileKind) {
        self.draw(outcome).expect("the outcome is in the list of outcomes");
    }

    #[inline]
    fn sample(&mut self, rng: &mut impl Rng) -> TileKind {
        self.draw_random(rng)
    }

    fn actions(&self, actions: &mut Vec<Move>) {
        self.legal_moves_into(actions);
    }

    #[inline]
    fn play(&mut self, action: Move) {
        self.play_legal(action, &mut ());
    }

    /// The tiles that fit somewhere. Any other tile is set aside, and the same seat draws again.
    fn live_outcomes(&self, outcomes: &mut Vec<(TileKind, u32)>) {
        outcomes.clear();
        let fitting = self.draw_outcomes().filter(|(kind, _)| self.placement_count(*kind) > 0);
        outcomes.extend(fitting.map(|(kind, count)| (kind, u32::from(count))));
    }

    /// The placement, without the meeple.
    fn first_part(action: Move) -> Move {
        Move { meeple: None, ..action }
    }

    fn scores(&self) -> Scores {
        widen(self.virtual_scores())
    }

    fn max_score(&self) -> Option<i32> {
        Some(if E::EXPANDED {
            MAX_SCORE_EXPANDED
        } else {
            MAX_SCORE.0 + MAX_SCORE.1 * i32::from(self.rules().fields.points())
        })
    }

    /// Turns played over the turns of a game in which every tile fits.
    fn phase(&self) -> Option<f64> {
        Some(self.turns().len() as f64 / f64::from(self.rules().tiles.tiles - 1))
    }

    fn drawn(&self) -> Option<TileKind> {
        self.hand()
    }

    fn past(&self) -> Option<Vec<Ply<Move, TileKind>>> {
        Some(turns_from(self, 0).collect())
    }

    /// The cell and the figure: its kind and that of the feature that it claims, if there is one. Tile, rotation and
    /// segment do not matter.
    fn likeness(&self, ply: Ply<Move, TileKind>) -> Option<u32> {
        let Move { cell, meeple, .. } = ply.action;
        let claimed = ply.drawn.zip(ply.action.segment()).map(|(tile, segment)| self.segment_kind(tile, segment));
        let feature = match claimed {
            None => 0,
            Some(FeatureKind::City) => 1,
            Some(FeatureKind::Road) => 2,
            Some(FeatureKind::Field) => 3,
            Some(FeatureKind::Monastery) => 4,
            Some(FeatureKind::Garden) => 5,
        };
        let figure = if E::EXPANDED { meeple.map_or(0, |deployment| deployment.figure() as u8) } else { 0 };
        Some(u32::from_le_bytes([cell.x.to_le_bytes()[0], cell.y.to_le_bytes()[0], feature, figure]))
    }
}

impl<E: Edition> game::Deck<State<E>> for TileDeck {
    fn shuffled(state: &State<E>, rng: &mut impl Rng) -> TileDeck {
        TileDeck::of_remaining(state, rng)
    }

    #[inline]
    fn deal(&mut self, state: &mut State<E>) -> TileKind {
        TileDeck::deal(self, state).expect("the deck holds what is left to come").0
    }
}

/// The decisions from number `first` on. A tile that is set aside is drawn again by the same seat: seats alternate by
/// turns.
fn turns_from<E: Edition>(state: &State<E>, first: usize) -> impl Iterator<Item = Ply<Move, TileKind>> {
    let seats = usize::from(state.rules().seats);
    let mut seat = first % seats;
    state.turns().get(first..).unwrap_or_default().iter().map(move |turn| {
        let ply = Ply { seat, drawn: Some(turn.tile), action: turn.action };
        // Without a division for each of them: RAVE logs every playout.
        seat = if seat + 1 == seats { 0 } else { seat + 1 };
        ply
    })
}

impl<E: Edition> Playout<State<E>> for PlayoutPolicy {
    #[inline]
    fn play_out(&self, state: &mut State<E>, rng: &mut impl Rng) -> Scores {
        widen(state.playout(*self, rng))
    }

    fn play_out_logged(&self, state: &mut State<E>, log: &mut MoveLog<State<E>>, rng: &mut impl Rng) -> Scores {
        let before = state.turns().len();
        let scores = widen(state.playout(*self, rng));
        turns_from(state, before).for_each(|ply| log.push(ply));
        scores
    }

    fn choose(&self, state: &State<E>, rng: &mut impl Rng) -> Move {
        state.random_move(*self, rng).expect("a tile is in hand")
    }

    #[inline]
    fn play_turn(&self, state: &mut State<E>, log: Option<&mut MoveLog<State<E>>>, rng: &mut impl Rng) -> bool {
        let before = state.turns().len();
        let has_played = state.play_random_turn(*self, rng);
        if let Some(log) = log {
            turns_from(state, before).for_each(|ply| log.push(ply));
        }
        has_played
    }
}

#[inline]
fn widen(scores: [u16; MAX_SEATS]) -> Scores {
    let mut wide = Scores::default();
    for (wide, score) in wide.iter_mut().zip(scores) {
        *wide = i32::from(score);
    }
    wide
}
