//! A deck: the order of the tiles of one game, fixed in advance.

use super::edition::Edition;
use super::limits::MAX_TILES;
use super::options::{Rules, Unplaceable};
use super::state::{DrawResult, State};
use super::tile::TileKind;
use evouct_base::sampling;
use evouct_base::seed::Key;
use rand::Rng;

/// An order of all tiles except the start tile, and the key that decides the places of returned tiles.
#[derive(Clone, Debug)]
pub struct TileDeck {
    /// In reverse order: the next tile is the last one.
    tiles: [TileKind; MAX_TILES],
    len: u8,
    returned: u8,
    key: Key,
}

impl TileDeck {
    /// The deck of this key: a uniform shuffle of the tiles in the bag at the start. The tiles of the river come first,
    /// and the lake is the last of them.
    pub fn shuffled(rules: &Rules, key: Key) -> TileDeck {
        TileDeck::in_order(&shuffled(rules.tiles.in_drawing_order(), &mut key.stream()), key)
    }

    /// A random order of the tiles that are left, as in [`shuffled`](TileDeck::shuffled).
    pub(crate) fn of_remaining<E: Edition>(state: &State<E>, rng: &mut impl Rng) -> TileDeck {
        let tiles = shuffled(state.rules().tiles.split(state.remaining()), rng);
        TileDeck::in_order(&tiles, Key::experiment(rng.next_u64()))
    }

    /// The deck with the tiles in this order. Under `unplaceable = return` the key decides the places of returned
    /// tiles.
    pub fn in_order(tiles: &[TileKind], key: Key) -> TileDeck {
        let mut deck = TileDeck { tiles: [TileKind(0); MAX_TILES], len: tiles.len() as u8, returned: 0, key };
        for (place, tile) in deck.tiles.iter_mut().zip(tiles.iter().rev()) {
            *place = *tile;
        }
        deck
    }

    /// The tiles not yet drawn, the next one first.
    pub fn upcoming(&self) -> impl Iterator<Item = TileKind> + '_ {
        self.tiles[..usize::from(self.len)].iter().rev().copied()
    }

    /// Draws the next tile for the state. A tile that fits nowhere is treated as the rules say. `None` once the deck is
    /// empty.
    #[inline]
    pub fn deal<E: Edition>(&mut self, state: &mut State<E>) -> Option<(TileKind, DrawResult)> {
        self.len = self.len.checked_sub(1)?;
        let tile = self.tiles[usize::from(self.len)];
        let drawn = state.draw(tile).expect("the deck holds the tiles of the bag");
        if drawn == DrawResult::SetAside {
            match state.rules().unplaceable {
                Unplaceable::Discard => {}
                _ if state.rules().tiles.kind(tile).has_river() => {}
                Unplaceable::Bottom => self.insert(0, tile),
                Unplaceable::Return => {
                    let mut stream = self.key.nth(self.returned.into()).stream();
                    self.returned = self.returned.wrapping_add(1);
                    self.insert(sampling::below(&mut stream, usize::from(self.len) + 1), tile);
                }
            }
        }
        Some((tile, drawn))
    }

    /// Deals until a tile is in hand, and returns it; tiles that fit nowhere are treated as the rules say. `None` once
    /// the game is over.
    pub fn deal_playable<E: Edition>(&mut self, state: &mut State<E>) -> Option<TileKind> {
        while !state.is_over() {
            if let (tile, DrawResult::InHand) = self.deal(state)? {
                return Some(tile);
            }
        }
        None
    }

    fn insert(&mut self, place: usize, tile: TileKind) {
        let len = usize::from(self.len);
        self.tiles.copy_within(place..len, place + 1);
        self.tiles[place] = tile;
        self.len += 1;
    }
}

fn shuffled(mut groups: [Vec<TileKind>; 3], rng: &mut impl Rng) -> Vec<TileKind> {
    groups.iter_mut().for_each(|group| sampling::shuffle(rng, group));
    groups.concat()
}

#[cfg(test)]
mod tests {
    use super::*;
    use evouct_base::named::Named;

    fn play_out(unplaceable: Unplaceable, seed: u64) -> (State, u32) {
        let rules = Rules { unplaceable, ..Rules::official(2) };
        let mut state = State::new(rules);
        let mut deck = TileDeck::shuffled(&rules, Key::experiment(seed));
        let mut rng = Key::experiment(seed).nth(1).stream();
        let mut set_aside = 0;
        while !state.is_over() {
            let (_, drawn) = deck.deal(&mut state).expect("the game is not over");
            if drawn == DrawResult::SetAside {
                set_aside += 1;
                assert!(set_aside < 10_000, "the game hangs");
                continue;
            }
            let moves = state.legal_moves();
            state.play(moves[sampling::below(&mut rng, moves.len())]).unwrap();
        }
        assert_eq!(deck.upcoming().count(), usize::from(state.tiles_left()));
        (state, set_aside)
    }

    #[test]
    fn every_rule_for_unplaceable_tiles_ends_the_game() {
        for (_, unplaceable) in Unplaceable::NAMES.iter().copied() {
            let mut set_aside = 0;
            for seed in 0..300 {
                let (state, count) = play_out(unplaceable, seed);
                set_aside += count;
                if unplaceable == Unplaceable::Discard {
                    assert_eq!(state.turns().len() as u32 + count, 71);
                } else {
                    assert_eq!(state.turns().len() + usize::from(state.tiles_left()), 71);
                }
            }
            assert!(set_aside > 0, "{unplaceable:?} never set a tile aside");
        }
    }

    /// A test vector: a change here changes every recorded game.
    #[test]
    fn the_first_deck_of_an_experiment_does_not_change() {
        let rules = Rules::official(2);
        let deck = TileDeck::shuffled(&rules, Key::experiment(2022).deck(1));
        let tiles: String = deck.upcoming().map(|kind| rules.tiles.kind(kind).name.as_str()).collect();
        assert_eq!(tiles, "CUVVEOHUFHBWFHUWQVOEMPEGWBUDPEMEINSWKXLDSRKDVVUVVTBNVJIUNULVRKBPUALJJAR");
    }

    #[test]
    fn a_deck_is_a_permutation_of_the_bag() {
        let rules = Rules::official(2);
        let mut deck: Vec<TileKind> = TileDeck::shuffled(&rules, Key::experiment(5)).upcoming().collect();
        deck.sort_unstable();
        let mut bag: Vec<TileKind> = State::new(rules).remaining().collect();
        bag.sort_unstable();
        assert_eq!(deck, bag);
        assert_eq!(deck.len(), 71);
    }
}
