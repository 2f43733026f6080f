//! How many threads play: no more than there are games, or than the machine gives this job.

use evouct_base::plural::counted;

/// Threads that are used, and why they are fewer than were asked for, if they are.
///
/// `missing` is the number of games to play. What the machine gives is the least of its cores, the affinity of the
/// process and the limit of its cgroup.
pub fn granted(asked: usize, missing: u64) -> (usize, Option<String>) {
    let given = std::thread::available_parallelism().map_or(1, usize::from);
    limited(asked, missing, given)
}

fn limited(asked: usize, missing: u64, given: usize) -> (usize, Option<String>) {
    let games = usize::try_from(missing).unwrap_or(usize::MAX).max(1);
    let threads = asked.clamp(1, given.max(1)).min(games);
    let why = match threads {
        threads if threads >= asked => return (threads, None),
        threads if threads == games => format!("{} to play", counted(missing, "game")),
        _ => format!("the machine gives this job {given}"),
    };
    (threads, Some(format!("{threads} instead of {}: {why}", counted(asked, "thread"))))
}

#[cfg(test)]
mod tests {
    use super::limited;

    #[test]
    fn threads_are_limited_by_games_and_by_the_machine() {
        assert_eq!(limited(2, 12, 8), (2, None));
        assert_eq!(limited(8, 8, 8), (8, None));
        let words = |(threads, why): (usize, Option<String>)| (threads, why.unwrap());
        let (threads, why) = words(limited(65_535, 12, 64));
        assert_eq!((threads, why.as_str()), (12, "12 instead of 65535 threads: 12 games to play"));
        let (threads, why) = words(limited(65_535, 1_000_000, 64));
        assert_eq!((threads, why.as_str()), (64, "64 instead of 65535 threads: the machine gives this job 64"));
        assert_eq!(limited(1, 0, 0).0, 1);
        assert_eq!(limited(4, u64::MAX, 1).0, 1);
    }
}
