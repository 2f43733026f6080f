//! Who plays whom.

use super::seatings::Seatings;

evouct_base::named! {
    /// Who plays whom.
    #[derive(Default)]
    pub enum ScheduleKind {
        /// Every player at home against every other; with more than two seats every set of players.
        #[default]
        RoundRobin = "round-robin",
        /// The first player, or each of several first ones, against each other one, at home and away; with more than
        /// two seats every set with the first player.
        Gauntlet = "gauntlet",
        /// Each player against the next in the file, at home and away; with more than two seats as many next ones as
        /// needed.
        Neighbours = "neighbours",
        /// In rounds, players with about as many points against one another, at home and away.
        Swiss = "swiss",
    }
}

/// The number of ways to choose so many of a list.
pub(crate) fn choose(of: usize, count: usize) -> u64 {
    if count > of {
        return 0;
    }
    (0..count as u64).fold(1_u64, |ways, taken| ways.saturating_mul(of as u64 - taken) / (taken + 1))
}

impl ScheduleKind {
    /// The number of tables: sets of players that play one another.
    fn tables(self, fixed: usize, players: usize, seats: usize) -> u64 {
        match self {
            // All that may meet.
            ScheduleKind::RoundRobin | ScheduleKind::Swiss => choose(players, seats),
            ScheduleKind::Gauntlet if seats == 1 => players as u64,
            ScheduleKind::Gauntlet if seats == 2 => (fixed as u64).saturating_mul(players.saturating_sub(fixed) as u64),
            ScheduleKind::Gauntlet => choose(players.saturating_sub(1), seats - 1),
            ScheduleKind::Neighbours => (players + 1).saturating_sub(seats) as u64,
        }
    }

    /// The number of games on a deck among this many players on so many seats, of a Swiss schedule those that may be
    /// played. A gauntlet of two seats has so many `fixed` opponents.
    pub fn matches(self, fixed: usize, players: usize, seats: usize, seatings: Seatings) -> u64 {
        self.tables(fixed, players, seats).saturating_mul(seatings.count(seats))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tables_are_counted_without_overflow() {
        let matches = |kind: ScheduleKind, players, seats| kind.matches(1, players, seats, Seatings::Mirrored);
        assert_eq!(matches(ScheduleKind::RoundRobin, 5, 2), 20);
        assert_eq!(matches(ScheduleKind::RoundRobin, 6, 4), 15 * 8);
        assert_eq!(matches(ScheduleKind::Gauntlet, 5, 2), 8);
        assert_eq!(matches(ScheduleKind::Gauntlet, 6, 4), 10 * 8);
        let fixed = |fixed, players| ScheduleKind::Gauntlet.matches(fixed, players, 2, Seatings::Mirrored);
        assert_eq!([fixed(2, 5), fixed(4, 5), fixed(2, 2), fixed(9, 2)], [12, 8, 0, 0]);
        assert_eq!(fixed(usize::MAX / 2, usize::MAX), u64::MAX);
        assert_eq!(matches(ScheduleKind::Neighbours, 5, 2), 8);
        assert_eq!(matches(ScheduleKind::Neighbours, 6, 4), 3 * 8);
        for kind in [ScheduleKind::RoundRobin, ScheduleKind::Gauntlet, ScheduleKind::Neighbours] {
            assert_eq!((matches(kind, 7, 1), matches(kind, 2, 3)), (7, 0));
        }
        assert!(matches(ScheduleKind::RoundRobin, 1_000, 6) > 1_000_000_000_000);
    }
}
