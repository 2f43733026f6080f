//! Games of two seats that are won, lost or drawn, and have no points.

use evouct_platform::domain::seat_letter;

/// What their score is, for captions.
pub(crate) const WON: &str = "The score is 1 for a win, else 0, so its mean is the share of games won.";

/// What stands below a board: who has won, that the game is a draw, or which seat is to move.
pub(crate) fn caption(winner: Option<usize>, is_over: bool, seat: u8) -> String {
    match winner {
        Some(winner) => format!("{} has won", seat_letter(winner)),
        None if is_over => "a draw".to_owned(),
        None => format!("{} to move", seat_letter(seat.into())),
    }
}

/// Makes a board a game of two seats without chance. The board has a field `seat` (which is to move) and the methods
/// `is_over`, `winner`, `add_actions` (adds those of a game that is not over), `pick` (of as many, that whose number is drawn) and `make`
/// (carries one out), and by seat what it has on the board, in a field that tells positions apart. More methods of the game may follow.
macro_rules! game_without_chance {
    ($board:ty, $action:ty, $pieces:ident $(, $more:item)*) => {
        impl evouct_search::game::Game for $board {
            type Action = $action;
            type Outcome = ();
            type Deck = evouct_search::game::StreamDeck;

            const TRANSPOSES: bool = true;

            fn seats(&self) -> usize {
                2
            }

            #[inline]
            fn turn(&self) -> evouct_search::game::Turn {
                use evouct_search::game::Turn;
                if self.is_over() { Turn::Terminal } else { Turn::Player(self.seat.into()) }
            }

            fn outcomes(&self, outcomes: &mut Vec<((), u32)>) {
                outcomes.clear();
            }

            fn apply(&mut self, (): ()) {}

            #[inline]
            fn actions(&self, actions: &mut Vec<$action>) {
                actions.clear();
                if !self.is_over() {
                    self.add_actions(actions);
                }
            }

            #[inline]
            fn play(&mut self, action: $action) {
                self.make(action);
            }

            #[inline]
            fn random_action(&self, _: &mut Vec<$action>, rng: &mut impl rand::Rng) -> $action {
                self.pick(|count| evouct_base::sampling::below(rng, count as usize) as u32)
            }

            $($more)*

            fn scores(&self) -> evouct_search::game::Scores {
                $crate::won::scores(self.winner())
            }

            fn max_score(&self) -> Option<i32> {
                Some(1)
            }

            fn position_key(&self) -> [u128; 2] {
                self.$pieces.map(u128::from)
            }
        }
    };
}
pub(crate) use game_without_chance;

/// 1 for the seat that has won.
pub(crate) fn scores(winner: Option<usize>) -> evouct_search::game::Scores {
    let mut scores = evouct_search::game::Scores::default();
    if let Some(winner) = winner {
        scores[winner] = 1;
    }
    scores
}

/// Makes a type the domain of a game that is won or lost, with its own notation and drawing: its name, what it is, its
/// champion and its rules for people.
macro_rules! won_domain {
    ($domain:ident, $game:ty, $rules:ty, $name:literal, $about:literal, $champion:literal, $how:literal $(, $more:item)?) => {
        impl evouct_platform::domain::Domain for $domain {
            type Game = $game;
            type Rules = $rules;
            type Playout = evouct_search::game::Uniform;
            type Evaluation = evouct_platform::domain::ScoreLead;
            type Metrics = ();

            const NAME: &'static str = $name;
            const ABOUT: &'static str = $about;
            const CHAMPION: Option<&'static str> = Some($champion);
            const HOW_TO_PLAY: &'static str = $how;
            const CAPTION: &'static str = $crate::won::WON;
            const POINT: &'static str = evouct_platform::domain::GAME_WON;
            const NOTATION: &'static dyn evouct_platform::domain::Notation<$game> = &$domain;
            const DRAWING: &'static dyn evouct_platform::domain::Drawing<$game> = &$domain;

            fn start(rules: &$rules) -> $game {
                <$game>::new(*rules)
            }

            $($more)?
        }
    };
}
pub(crate) use won_domain;
