//! What N-gram selection learns: rewards of moves, and of sequences of two or three moves, one after the other.

use super::hash::QuickMap;
use super::move_table::Sum;
use std::hash::Hash;

/// The most sequences that are kept. What is new then is not counted.
const MOST_SEQUENCES: usize = 1 << 20;

/// The number of no move.
const NONE: u32 = u32::MAX;

/// The rewards of moves `M` and of their sequences. A playout asks for all moves of a decision at once: what counts after
/// the last moves is listed by these, so that it costs nothing for each move.
#[derive(Clone)]
pub(super) struct NGrams<M> {
    /// The most moves of a sequence, 1 to 3.
    length: u8,
    /// Rewards from which a sequence of several moves counts, 1 or more.
    least: f64,
    numbers: QuickMap<M, u32>,
    /// By number of the move.
    moves: Vec<Sum>,
    /// The numbers of what comes before the last move of a sequence: its last move, and the one before or [`NONE`].
    contexts: QuickMap<[u32; 2], u32>,
    /// By number of the context: the sequences that count.
    counted: Vec<Vec<u32>>,
    /// The numbers of sequences, by context and move.
    sequences: QuickMap<[u32; 2], u32>,
    /// By number of the sequence: its last move and its rewards.
    sums: Vec<(u32, Sum)>,
}

impl<M: Copy + Eq + Hash> NGrams<M> {
    /// Knows nothing yet.
    pub(super) fn new(length: u8, least: u32) -> NGrams<M> {
        NGrams {
            length,
            least: f64::from(least.max(1)),
            numbers: QuickMap::default(),
            moves: Vec::new(),
            contexts: QuickMap::default(),
            counted: Vec::new(),
            sequences: QuickMap::default(),
            sums: Vec::new(),
        }
    }

    /// What comes before a move in sequences of two moves to the longest, as far as there are as many moves.
    fn before(&self, [last, before]: [Option<u32>; 2]) -> impl Iterator<Item = [u32; 2]> + use<M> {
        let pair = last.filter(|_| self.length > 1).map(|last| [last, NONE]);
        let triple = last.zip(before).filter(|_| self.length > 2).map(|(last, before)| [last, before]);
        pair.into_iter().chain(triple)
    }

    /// The values of the moves of a decision after the last two moves, the later one first. The value of a move is the mean
    /// over the sequences that it ends: that of the move alone, or `unknown` if it was never made, and those that count.
    pub(super) fn values(&self, last: [Option<M>; 2], unknown: f64, moves: impl Iterator<Item = M>) -> Vec<f64> {
        let last = last.map(|last| last.and_then(|last| self.numbers.get(&last).copied()));
        let contexts = self.before(last).filter_map(|before| self.contexts.get(&before));
        let rows = contexts.map(|context| &self.counted[*context as usize]).filter(|row| !row.is_empty());
        let mut longer: Vec<[Option<f64>; 2]> = Vec::new();
        for (place, row) in rows.enumerate() {
            longer.resize(self.moves.len(), [None; 2]);
            for number in row {
                let (last, sum) = self.sums[*number as usize];
                longer[last as usize][place] = Some(sum.mean());
            }
        }
        let value = |own| {
            let Some(number) = self.numbers.get(&own).map(|number| *number as usize) else { return unknown };
            let mut values = Sum::default();
            values.add(self.moves[number].mean_or(unknown));
            longer.get(number).into_iter().flatten().flatten().for_each(|mean| values.add(*mean));
            values.mean()
        };
        moves.map(value).collect()
    }

    fn number(&mut self, own: M) -> u32 {
        let (moves, next) = (&mut self.moves, self.numbers.len() as u32);
        *self.numbers.entry(own).or_insert_with(|| {
            moves.push(Sum::default());
            next
        })
    }

    /// Adds a simulation: moves with their rewards, in order, none for those before its root.
    pub(super) fn learn(&mut self, moves: impl Iterator<Item = (M, Option<f64>)>) {
        let mut last = [None; 2];
        for (own, reward) in moves {
            let number = self.number(own);
            if let Some(reward) = reward {
                self.moves[number as usize].add(reward);
                for before in self.before(last) {
                    self.add(before, number, reward);
                }
            }
            last = [Some(number), last[0]];
        }
    }

    fn add(&mut self, before: [u32; 2], last: u32, reward: f64) {
        let full = self.sums.len() >= MOST_SEQUENCES;
        let context = match self.contexts.get(&before) {
            Some(context) => *context,
            None if full => return,
            None => {
                self.counted.push(Vec::new());
                let context = self.contexts.len() as u32;
                self.contexts.insert(before, context);
                context
            }
        };
        let number = match self.sequences.get(&[context, last]) {
            Some(number) => *number,
            None if full => return,
            None => {
                self.sums.push((last, Sum::default()));
                let number = self.sequences.len() as u32;
                self.sequences.insert([context, last], number);
                number
            }
        };
        let (_, sum) = &mut self.sums[number as usize];
        sum.add(reward);
        if sum.count == self.least {
            self.counted[context as usize].push(number);
        }
    }
}
