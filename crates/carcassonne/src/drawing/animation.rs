//! A whole game as one SVG element. Each part of it carries the turns during which it is visible.

use super::board_svg::{BoardSvg, definitions, write_board};
use super::layout::{extent, placed_tiles};
use crate::notation::{Event, ReplayError, Transcript};
use crate::rules::{Base, Edition, State, TileSet};
use std::fmt;

/// All positions of a game in one SVG element, written by [`Display`](fmt::Display).
///
/// A tile or meeple of turn `k` (from 1) has `data-from="k"`. A meeple that is returned on turn `m` also has
/// `data-until="m"`. Position `k` consists of the parts with `from ≤ k < until`. The element as written shows the end
/// of the game. It refers to [`Animation::definitions`], which a page contains once for all games.
#[derive(Clone)]
pub struct Animation<E: Edition = Base> {
    /// The start, and the position after each turn.
    positions: Vec<State<E>>,
}

/// The turns during which a meeple is on the board.
pub(super) struct MeepleSpan {
    /// The turn that placed it, from 0.
    pub turn: usize,
    pub seat: usize,
    /// The number of turns played when it is returned.
    pub until: Option<usize>,
}

impl<E: Edition> Animation<E> {
    /// Replays a game.
    ///
    /// # Errors
    /// The first event that the rules do not allow, or rules that the edition does not have.
    pub fn new(transcript: &Transcript) -> Result<Animation<E>, ReplayError> {
        if !E::EXPANDED && !transcript.rules.are_of_the_base_game() {
            return Err(ReplayError::Edition);
        }
        let mut state = State::<E>::start(transcript.rules);
        let mut positions = vec![state.clone()];
        for (number, event) in transcript.events.iter().enumerate() {
            event.apply(&mut state, number, &mut |_| ())?;
            if let Event::Turn(_) = event {
                positions.push(state.clone());
            }
        }
        Ok(Animation { positions })
    }

    /// The number of turns.
    pub fn turns(&self) -> usize {
        self.positions.len() - 1
    }

    /// The position after this number of turns, or the last position if the game is shorter.
    pub fn after(&self, turns: usize) -> &State<E> {
        &self.positions[turns.min(self.turns())]
    }

    /// The position after this number of turns as an SVG document. All frames have the extent of the last position.
    pub fn frame(&self, turns: usize) -> BoardSvg<'_, E> {
        BoardSvg::new(self.after(turns)).with_extent(extent(&placed_tiles(self.after(self.turns()))))
    }

    /// The definitions to which animations of a tile set refer: an SVG element that shows nothing.
    pub fn definitions(tiles: &TileSet) -> String {
        definitions(tiles)
    }

    fn meeple_spans(&self) -> Vec<MeepleSpan> {
        let mut meeple_spans: Vec<MeepleSpan> = Vec::new();
        for (played, state) in self.positions.iter().enumerate() {
            let standing = state.standing_meeples();
            for span in meeple_spans.iter_mut().filter(|span| span.until.is_none()) {
                if !standing.iter().any(|(turn, _)| *turn == span.turn) {
                    span.until = Some(played);
                }
            }
            let new = standing.into_iter().filter(|(turn, _)| turn + 1 == played);
            meeple_spans.extend(new.map(|(turn, seat)| MeepleSpan { turn, seat, until: None }));
        }
        meeple_spans
    }
}

impl<E: Edition> fmt::Display for Animation<E> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write_board(f, self.after(self.turns()), &self.meeple_spans())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use roxmltree::Document;

    const GAME: &str = "[base seats=2 two-tile-city=4 unplaceable=discard] ";

    /// A transcript of a random game.
    fn game() -> Transcript {
        use crate::{DrawResult, Rules, TileDeck};
        let rules = Rules::official(2);
        let mut state = State::new(rules);
        let mut deck = TileDeck::shuffled(&rules, evouct_base::seed::Key::experiment(3));
        let mut rng = evouct_base::seed::Key::experiment(3).nth(1).stream();
        let mut transcript: Transcript = GAME.parse().unwrap();
        while let Some((tile, drawn)) = deck.deal(&mut state) {
            if drawn == DrawResult::SetAside {
                transcript.events.push(Event::SetAside(tile));
                continue;
            }
            let moves = state.legal_moves();
            let action = moves[evouct_base::sampling::below(&mut rng, moves.len())];
            state.play(action).unwrap();
            transcript.events.push(Event::Turn(crate::PlayedTurn { tile, action }));
        }
        transcript
    }

    #[test]
    fn every_position_can_be_read_from_the_animation() {
        let animation = Animation::<Base>::new(&game()).unwrap();
        let svg = animation.to_string();
        let document = Document::parse(&svg).unwrap();
        let number = |node: &roxmltree::Node, name| node.attribute(name).and_then(|text| text.parse::<usize>().ok());
        for turns in 0..=animation.turns() {
            let state = animation.after(turns);
            let there = document.descendants().filter(|node| {
                number(node, "data-from").is_some_and(|from| from <= turns)
                    && number(node, "data-until").is_none_or(|until| turns < until)
            });
            let (meeples, tiles): (Vec<_>, Vec<_>) = there.partition(|node| node.has_tag_name("use"));
            assert_eq!(tiles.len(), state.turns().len());
            assert_eq!(meeples.len(), state.standing_meeples().len(), "after {turns} turns");
        }
        assert!(animation.turns() > 60);
    }

    #[test]
    fn all_references_of_an_animation_are_defined() {
        let animation = Animation::<Base>::new(&game()).unwrap();
        let page = format!("<div>{}{animation}</div>", Animation::<Base>::definitions(TileSet::base()));
        let document = Document::parse(&page).unwrap();
        let ids: Vec<&str> = document.descendants().filter_map(|node| node.attribute("id")).collect();
        for href in document.descendants().filter_map(|node| node.attribute("href")) {
            assert!(ids.contains(&href.trim_start_matches('#')), "{href}");
        }
        let frame = animation.frame(3).to_string();
        assert_eq!(
            Document::parse(&frame).unwrap().root_element().attribute("viewBox"),
            Document::parse(&animation.frame(70).to_string()).unwrap().root_element().attribute("viewBox")
        );
    }
}
