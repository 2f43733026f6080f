//! How the budget is shared: rounds, players, decks.

use super::error::TuneError;
use serde::{Deserialize, Serialize};

/// Seats of a deck: each pair of players plays it from both.
const GAMES_PER_DECK: u64 = 2;
/// The fewest decks that decide anything: of the first round, and of the held-out stage.
pub const FEWEST_DECKS: u64 = 10;
/// The last round compares at most this many players.
const LAST: usize = 3;
/// The share of the budget that rounds may use, in tenths; the rest is for the held-out stage.
const TENTHS: u64 = 6;
/// The largest budget.
pub const MAX_BUDGET: u64 = 10_000_000;

/// A round: how many players play how many decks against each opponent.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct RoundPlan {
    /// Players that are compared.
    pub contestants: usize,
    /// Decks, which no other round has.
    pub decks: u64,
    /// Games of all of them.
    pub games: u64,
}

/// The held-out stage: the winner, the default, and each opponent.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct HeldOutPlan {
    /// Decks, which no round has.
    pub decks: u64,
    /// Games.
    pub games: u64,
}

/// The rounds and the held-out stage of a tuning. All of it is known before the first game.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Halving {
    /// The rounds; none if there is nothing to select from.
    pub rounds: Vec<RoundPlan>,
    /// The held-out stage.
    pub held_out: HeldOutPlan,
}

impl Halving {
    /// Shares a budget of games among this many players.
    ///
    /// Each round has half of the players of the one before and twice its decks, until two or three are left. Rounds
    /// use at most 60 % of the budget; the held-out stage gets what they leave. `opponents` are those of the file; with
    /// none the candidates play against the default.
    ///
    /// # Errors
    /// A budget below that of [`FEWEST_DECKS`] in the first round and in the held-out stage, with the smallest that
    /// would do.
    pub fn of(budget: u64, contestants: usize, opponents: usize) -> Result<Halving, TuneError> {
        Halving::fit(budget, contestants, opponents).ok_or_else(|| {
            // The smallest budget that fits: what fits stays fitting with more games.
            let (mut below, mut least) = (budget, MAX_BUDGET);
            while least - below > 1 {
                let middle = below + (least - below) / 2;
                if Halving::fit(middle, contestants, opponents).is_some() {
                    least = middle;
                } else {
                    below = middle;
                }
            }
            TuneError::Budget { budget, contestants, fewest: FEWEST_DECKS, least }
        })
    }

    /// The plan, if the budget is large enough.
    pub(super) fn fit(budget: u64, contestants: usize, opponents: usize) -> Option<Halving> {
        let per_deck = GAMES_PER_DECK * opponents.max(1) as u64;
        // The number of decks of a round is that of the first, doubled each time.
        let fields = fields(contestants);
        let weight: u64 = fields.iter().zip(0..).map(|(field, round)| (*field as u64) << round).sum();
        let first = if weight == 0 { 0 } else { budget * TENTHS / 10 / (weight * per_deck) };
        let rounds: Vec<RoundPlan> = fields
            .iter()
            .zip(0..)
            .map(|(field, round)| {
                let decks = first << round;
                RoundPlan { contestants: *field, decks, games: *field as u64 * decks * per_deck }
            })
            .collect();
        let left = budget - rounds.iter().map(|round| round.games).sum::<u64>();
        // The two against one another, and both against each opponent.
        let per_deck = GAMES_PER_DECK * (1 + 2 * opponents as u64);
        let decks = left / per_deck;
        // By the share, not by what rounds happen to leave: a larger budget then never fits worse.
        let held_out = (budget - budget * TENTHS / 10) / per_deck;
        let enough = (weight == 0 || first >= FEWEST_DECKS) && held_out >= FEWEST_DECKS;
        enough.then_some(Halving { rounds, held_out: HeldOutPlan { decks, games: decks * per_deck } })
    }

    /// All games.
    pub fn games(&self) -> u64 {
        self.rounds.iter().map(|round| round.games).sum::<u64>() + self.held_out.games
    }
}

/// How many players each round has.
fn fields(contestants: usize) -> Vec<usize> {
    let mut fields = Vec::new();
    if contestants > 1 {
        fields.push(contestants);
    }
    while let Some(last) = fields.last().copied().filter(|last| *last > LAST) {
        fields.push(last.div_ceil(2));
    }
    fields
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rounds_halve_the_players_and_double_the_decks() {
        assert_eq!(fields(17), [17, 9, 5, 3]);
        assert_eq!(fields(16), [16, 8, 4, 2]);
        assert_eq!((fields(3), fields(2), fields(1)), (vec![3], vec![2], vec![]));
        let plan = Halving::of(4_000, 16, 0).unwrap();
        let decks: Vec<u64> = plan.rounds.iter().map(|round| round.decks).collect();
        assert_eq!(decks, [18, 36, 72, 144]);
        assert!(plan.rounds.iter().all(|round| round.games == 16 * 18 * 2));
        assert_eq!(plan.held_out, HeldOutPlan { decks: 848, games: 1_696 });
        // Against two opponents a deck takes four games in a round, and ten in the held-out stage.
        let plan = Halving::of(4_000, 3, 2).unwrap();
        assert_eq!(plan.rounds, [RoundPlan { contestants: 3, decks: 200, games: 2_400 }]);
        assert_eq!(plan.held_out, HeldOutPlan { decks: 160, games: 1_600 });
    }

    #[test]
    fn a_plan_stays_within_its_budget() {
        for budget in (0..5_000).step_by(37) {
            for (contestants, opponents) in [(1, 0), (2, 0), (5, 1), (16, 0), (17, 3)] {
                let Some(plan) = Halving::fit(budget, contestants, opponents) else { continue };
                assert!(plan.games() <= budget);
                assert!(plan.rounds.iter().map(|round| round.games).sum::<u64>() * 10 <= budget * TENTHS);
            }
        }
    }

    #[test]
    fn a_budget_that_is_too_small_names_the_smallest_one() {
        for (contestants, opponents) in [(1, 0), (2, 0), (16, 0), (17, 1), (33, 2)] {
            let Err(TuneError::Budget { least, .. }) = Halving::of(15, contestants, opponents) else {
                panic!("15 games are enough for {contestants}");
            };
            assert!(Halving::fit(least, contestants, opponents).is_some());
            assert!(Halving::fit(least - 1, contestants, opponents).is_none());
            assert!((least..least + 3_000).all(|budget| Halving::fit(budget, contestants, opponents).is_some()));
        }
    }
}
