//! In which orders the players of a table take their seats.

/// The most games of one deck.
pub(super) const MAX_SEATINGS: u64 = 1_000_000;

evouct_base::named! {
    /// The orders in which the players of a table sit, each of which is a game on the same deck. A game of one seat has
    /// one order.
    #[derive(Default)]
    pub enum Seatings {
        /// Every rotation of the order of the file, and every rotation of the reversed order: each player has each seat
        /// equally often, with each other player before and behind it. With two seats: both orders.
        #[default]
        Mirrored = "mirrored",
        /// Every rotation of the order of the file.
        Rotations = "rotations",
        /// Every order.
        All = "all",
        /// The order of the file.
        Once = "once",
    }
}

impl Seatings {
    /// The number of orders of a table with so many seats.
    pub fn count(self, seats: usize) -> u64 {
        let seats = seats as u64;
        match self {
            _ if seats == 1 => 1,
            Seatings::Mirrored if seats > 2 => 2 * seats,
            Seatings::Mirrored | Seatings::Rotations => seats,
            Seatings::All => (1..=seats).product(),
            Seatings::Once => 1,
        }
    }

    /// The orders of a table; the first is that of the file.
    pub fn orders(self, table: &[usize]) -> Vec<Vec<usize>> {
        let rotations = |table: &[usize]| -> Vec<Vec<usize>> {
            (0..table.len()).map(|first| [&table[first..], &table[..first]].concat()).collect()
        };
        match self {
            _ if table.len() == 1 => vec![table.to_vec()],
            Seatings::Mirrored if table.len() > 2 => {
                let reversed: Vec<usize> = table.iter().rev().copied().collect();
                [rotations(table), rotations(&reversed)].concat()
            }
            Seatings::Mirrored | Seatings::Rotations => rotations(table),
            Seatings::All => permutations(table),
            Seatings::Once => vec![table.to_vec()],
        }
    }
}

/// All orders of a list.
fn permutations(list: &[usize]) -> Vec<Vec<usize>> {
    if list.is_empty() {
        return vec![Vec::new()];
    }
    let begins_with = |first: usize| {
        let rest = [&list[..first], &list[first + 1..]].concat();
        permutations(&rest).into_iter().map(move |rest| [&[list[first]], &rest[..]].concat())
    };
    (0..list.len()).flat_map(begins_with).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use evouct_base::named::Named;

    #[test]
    fn orders_are_distinct_and_as_many_as_counted() {
        for seats in 1..=6 {
            let table: Vec<usize> = (10..10 + seats).collect();
            for (name, seatings) in Seatings::NAMES {
                let orders = seatings.orders(&table);
                let distinct: std::collections::BTreeSet<&Vec<usize>> = orders.iter().collect();
                assert_eq!((orders.len() as u64, distinct.len()), (seatings.count(seats), orders.len()), "{name}");
                assert_eq!(orders[0], table);
            }
        }
        let mirrored = [[1, 2, 3, 4], [2, 3, 4, 1], [3, 4, 1, 2], [4, 1, 2, 3]];
        let reversed = [[4, 3, 2, 1], [3, 2, 1, 4], [2, 1, 4, 3], [1, 4, 3, 2]];
        assert_eq!(Seatings::Mirrored.orders(&[1, 2, 3, 4]), [mirrored, reversed].concat());
    }
}
