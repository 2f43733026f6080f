//! A whole game as one figure, whose parts tell when they are there.

use super::layout::{extent, laid_tiles};
use super::notation::{Event, ReplayError, Transcript};
use super::state::State;
use super::svg::{Figure, definitions, write_board};
use super::tile_set::TileSet;
use std::fmt;

/// Every position of a game, and all of them in one SVG element: written by [`Display`](fmt::Display).
///
/// Whatever was laid or put on turn `k` (from 1) has `data-from="k"`, a meeple that came back on turn `m` also
/// `data-until="m"`: position `k` shows what has `from ≤ k < until`. As it stands the end of the game is shown. The element
/// refers to [`Film::definitions`], which a page holds once for all its games.
#[derive(Clone)]
pub struct Film {
    /// The start, and the position after each turn.
    positions: Vec<State>,
}

/// A meeple's time on the board.
pub(super) struct Stay {
    /// The turn that put it there, from 0.
    pub turn: usize,
    pub seat: usize,
    /// The first position, counted by turns played, at which it is gone.
    pub until: Option<usize>,
}

impl Film {
    /// Plays a game through.
    ///
    /// # Errors
    /// The first event against the rules.
    pub fn new(transcript: &Transcript) -> Result<Film, ReplayError> {
        let mut state = State::new(transcript.rules);
        let mut positions = vec![state.clone()];
        for (number, event) in transcript.events.iter().enumerate() {
            event.apply(&mut state, number, &mut |_| ())?;
            if let Event::Turn(_) = event {
                positions.push(state.clone());
            }
        }
        Ok(Film { positions })
    }

    /// The number of turns.
    pub fn turns(&self) -> usize {
        self.positions.len() - 1
    }

    /// The position after this many turns, or the last.
    pub fn after(&self, turns: usize) -> &State {
        &self.positions[turns.min(self.turns())]
    }

    /// One picture of the film, a document by itself; all have the extent of the last.
    pub fn frame(&self, turns: usize) -> Figure<'_> {
        Figure::new(self.after(turns)).with_extent(extent(&laid_tiles(self.after(self.turns()))))
    }

    /// What the films of a tile set refer to: an SVG element that shows nothing.
    pub fn definitions(tiles: &TileSet) -> String {
        definitions(tiles)
    }

    fn stays(&self) -> Vec<Stay> {
        let mut stays: Vec<Stay> = Vec::new();
        for (played, state) in self.positions.iter().enumerate() {
            let standing = state.standing_meeples();
            for stay in stays.iter_mut().filter(|stay| stay.until.is_none()) {
                if !standing.iter().any(|(turn, _)| *turn == stay.turn) {
                    stay.until = Some(played);
                }
            }
            let new = standing.into_iter().filter(|(turn, _)| turn + 1 == played);
            stays.extend(new.map(|(turn, seat)| Stay { turn, seat, until: None }));
        }
        stays
    }
}

impl fmt::Display for Film {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write_board(f, self.after(self.turns()), &self.stays())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use roxmltree::Document;

    const GAME: &str = "[base seats=2 two-tile-city=4 unplaceable=discard] ";

    /// A random game, by its own record.
    fn game() -> Transcript {
        use crate::carcassonne::{Deck, Drawn, Rules};
        let rules = Rules::official(2);
        let mut state = State::new(rules);
        let mut deck = Deck::shuffled(&rules, crate::seed::Key::experiment(3));
        let mut rng = crate::seed::Key::experiment(3).nth(1).stream();
        let mut transcript: Transcript = GAME.parse().unwrap();
        while let Some((tile, drawn)) = deck.deal(&mut state) {
            if drawn == Drawn::SetAside {
                transcript.events.push(Event::SetAside(tile));
                continue;
            }
            let moves = state.legal_moves();
            let action = moves[crate::sampling::below(&mut rng, moves.len())];
            state.play(action).unwrap();
            transcript.events.push(Event::Turn(crate::carcassonne::Turn { tile, action }));
        }
        transcript
    }

    #[test]
    fn every_position_can_be_read_off_the_film() {
        let film = Film::new(&game()).unwrap();
        let svg = film.to_string();
        let document = Document::parse(&svg).unwrap();
        let number = |node: &roxmltree::Node, name| node.attribute(name).and_then(|text| text.parse::<usize>().ok());
        for turns in 0..=film.turns() {
            let state = film.after(turns);
            let there = document.descendants().filter(|node| {
                number(node, "data-from").is_some_and(|from| from <= turns)
                    && number(node, "data-until").is_none_or(|until| turns < until)
            });
            let (meeples, tiles): (Vec<_>, Vec<_>) = there.partition(|node| node.has_tag_name("use"));
            assert_eq!(tiles.len(), state.turns().len());
            assert_eq!(meeples.len(), state.standing_meeples().len(), "after {turns} turns");
        }
        assert!(film.turns() > 60);
    }

    #[test]
    fn what_a_film_refers_to_is_defined() {
        let film = Film::new(&game()).unwrap();
        let page = format!("<div>{}{film}</div>", Film::definitions(TileSet::base()));
        let document = Document::parse(&page).unwrap();
        let ids: Vec<&str> = document.descendants().filter_map(|node| node.attribute("id")).collect();
        for href in document.descendants().filter_map(|node| node.attribute("href")) {
            assert!(ids.contains(&href.trim_start_matches('#')), "{href}");
        }
        let frame = film.frame(3).to_string();
        assert_eq!(
            Document::parse(&frame).unwrap().root_element().attribute("viewBox"),
            Document::parse(&film.frame(70).to_string()).unwrap().root_element().attribute("viewBox")
        );
    }
}
