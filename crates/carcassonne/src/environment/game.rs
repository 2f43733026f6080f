//! The environment as a [`Game`]: one decision after the other, by their numbers, with chance decided from outside.
//!
//! A search over it has a node for each decision that an agent makes, the place of a tile and then the figure. An
//! episode that the window ends is over, with the points that it would have if the game ended there.

use super::episode::{Episode, Phase};
use crate::rules::{Edition, TileKind};
use evouct_search::game::{Game, Scores, StreamDeck, Turn};

impl<E: Edition> Game for Episode<E> {
    type Action = u16;
    type Outcome = TileKind;
    type Deck = StreamDeck;

    fn seats(&self) -> usize {
        Game::seats(self.state())
    }

    fn turn(&self) -> Turn {
        match self.phase() {
            Phase::Tile | Phase::Figure => Turn::Player(self.state().player()),
            Phase::Draw => Turn::Chance,
            Phase::End => Turn::Terminal,
        }
    }

    fn outcomes(&self, outcomes: &mut Vec<(TileKind, u32)>) {
        outcomes.clear();
        if self.phase() == Phase::Draw {
            Game::outcomes(self.state(), outcomes);
        }
    }

    fn apply(&mut self, outcome: TileKind) {
        self.draw(outcome).expect("the outcome is in the list of outcomes");
    }

    fn actions(&self, actions: &mut Vec<u16>) {
        actions.clear();
        self.each_legal(|number| actions.push(u16::try_from(number).expect("the widest window has fewer decisions")));
    }

    fn play(&mut self, action: u16) {
        self.step(action.into()).expect("the action is legal");
    }

    fn scores(&self) -> Scores {
        Game::scores(self.state())
    }

    fn phase(&self) -> Option<f64> {
        Game::phase(self.state())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rules::{Base, Expanded, Expansions, Rules, TileSet};
    use evouct_base::seed::Key;
    use evouct_search::game::check_game;

    #[test]
    fn the_environment_keeps_the_contract_of_games() {
        let all = Rules { tiles: TileSet::of(Expansions::all_sets().last().unwrap(), false), ..Rules::official(3) };
        check_game(|| Episode::<Base>::open(Rules::official(2), 25), Key::experiment(1), 3).unwrap();
        check_game(|| Episode::<Expanded>::open(all, 31), Key::experiment(1), 2).unwrap();
        // A window that is too small ends the game.
        check_game(|| Episode::<Base>::open(Rules::official(4), 7), Key::experiment(1), 5).unwrap();
    }

    #[test]
    fn an_opened_episode_knows_no_tile_to_come() {
        let dealt = Episode::<Base>::new(Rules::official(2), 1, 25);
        let mut opened = dealt.opened();
        assert_eq!((opened.legal(), opened.state().hand()), (dealt.legal(), dealt.state().hand()));
        for _ in 0..2 {
            opened.step(opened.legal()[0]).unwrap();
        }
        assert_eq!(opened.phase(), Phase::Draw);
        let (mut found, mut expected) = (Vec::new(), Vec::new());
        opened.outcomes(&mut found);
        Game::outcomes(opened.state(), &mut expected);
        assert!(found == expected && found.len() > 20);
    }
}
