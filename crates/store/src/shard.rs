//! Shards: parts of an experiment that machines play independently.

use std::fmt;
use std::str::FromStr;

/// The largest number of shards.
const MAX_SHARDS: u32 = 1_000_000;

/// One of `count` parts of a schedule; their lengths differ by at most one game.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash, PartialOrd, Ord)]
pub struct Shard {
    /// The number of shards.
    count: u32,
    /// The number of this shard, from 0.
    index: u32,
}

impl Shard {
    /// Shard `index`, from 0, of `count`.
    ///
    /// # Errors
    /// If there is no such shard.
    pub fn new(index: u32, count: u32) -> Result<Shard, String> {
        match count {
            0 => Err("expected at least one shard, found 0".to_owned()),
            1..=MAX_SHARDS if index < count => Ok(Shard { count, index }),
            1..=MAX_SHARDS => {
                Err(format!("shards count from 0: expected 0 to {} of {count}, found {index}", count - 1))
            }
            _ => Err(format!("expected at most {MAX_SHARDS} shards, found {count}")),
        }
    }

    /// The number of shards.
    pub fn count(self) -> u32 {
        self.count
    }

    /// The number of this shard, from 0.
    pub fn index(self) -> u32 {
        self.index
    }

    /// What the names of the journals of a part begin with: `stem`, or with a shard `stem-shard-I-of-N`.
    pub fn stem(stem: &str, shard: Option<Shard>) -> String {
        shard.map_or(stem.to_owned(), |Shard { count, index }| format!("{stem}-shard-{index}-of-{count}"))
    }

    /// Whether the game at this position of the schedule is in this shard.
    ///
    /// Every shard has one of each `count` consecutive games. Which one varies pseudo-randomly; with a fixed remainder
    /// one shard could get all games of the slowest match.
    pub fn has(self, position: u64) -> bool {
        Shard::of(position, self.count) == self
    }

    /// How many of so many games are in this shard.
    pub fn share(self, games: u64) -> u64 {
        let (count, index) = (u64::from(self.count), u64::from(self.index));
        let (rows, rest) = (games / count, games % count);
        // The games of the last row are those of consecutive shards.
        let first = (rows * count + mixed(rows)) % count;
        rows + u64::from((index + count - first) % count < rest)
    }

    /// The shard, one of `count`, that has the game at this position. See [`has`](Shard::has).
    pub fn of(position: u64, count: u32) -> Shard {
        let row = position / u64::from(count);
        let index = (position + mixed(row)) % u64::from(count);
        Shard { count, index: index as u32 }
    }
}

/// A pseudo-random number for a row: the finaliser of SplitMix64, shifted so that sums do not overflow.
fn mixed(row: u64) -> u64 {
    let mut z = row.wrapping_add(0x9e37_79b9_7f4a_7c15);
    z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    (z ^ (z >> 31)) >> 8
}

impl fmt::Display for Shard {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        write!(f, "{}/{}", self.index, self.count)
    }
}

impl FromStr for Shard {
    type Err = String;

    fn from_str(text: &str) -> Result<Shard, String> {
        let parts = text.split_once('/').map(|(index, count)| (index.parse(), count.parse()));
        match parts {
            Some((Ok(index), Ok(count))) => Shard::new(index, count),
            _ => Err(format!("expected I/N such as 0/5, found {text:?}")),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_game_is_in_one_shard_and_shards_are_equally_long() {
        for count in [1, 2, 3, 5, 7, 64] {
            for games in [0_u64, 1, 6, 63, 1000] {
                let shards: Vec<Shard> = (0..count).map(|index| Shard::new(index, count).unwrap()).collect();
                let sizes: Vec<usize> =
                    shards.iter().map(|shard| (0..games).filter(|game| shard.has(*game)).count()).collect();
                assert!(shards.iter().zip(&sizes).all(|(shard, size)| shard.share(games) == *size as u64));
                assert_eq!(sizes.iter().sum::<usize>() as u64, games);
                assert!(sizes.iter().max().unwrap() - sizes.iter().min().unwrap() <= 1, "{sizes:?}");
            }
        }
    }

    #[test]
    fn no_shard_is_left_with_one_match() {
        // Twenty matches a deck, five shards: by remainder alone each shard would have the same four matches on every
        // deck.
        let shard = Shard::new(0, 5).unwrap();
        let matches: std::collections::HashSet<u64> =
            (0..2000).filter(|game| shard.has(*game)).map(|game| game % 20).collect();
        assert_eq!(matches.len(), 20);
    }

    #[test]
    fn shards_read_as_they_are_written() {
        let shard: Shard = "3/5".parse().unwrap();
        assert_eq!((shard.index(), shard.count(), shard.to_string().as_str()), (3, 5, "3/5"));
        for wrong in ["5/5", "0/0", "1", "a/b", "-1/5", "1/2/3", "", "0/99999999999", "0/2000000"] {
            assert!(wrong.parse::<Shard>().is_err(), "{wrong}");
        }
    }
}
