//! How the budget is shared: rounds, players, decks.

use super::error::TuneError;
use evouct_gp::CmaEs;
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
/// Players of the first round of a surface, and of the others, at most.
const FIRST: usize = 16;
const LATER: usize = 4;
/// Rounds of a surface, at least and at most.
const ROUNDS: [usize; 2] = [4, 16];
/// The fewest decks of its rounds: the spread of decks takes two.
const PAIR: u64 = 2;

/// Rounds of CMA-ES, at least and at most, and the decks of all players that each of them has before there are more.
const CMA_ROUNDS: [u64; 2] = [8, 32];
const CMA_DECKS: u64 = 600;
/// Its players, at least and at most.
const CMA_PLAYERS: [u64; 2] = [8, 128];

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
pub struct TuningRounds {
    /// The rounds; none if there is nothing to select from.
    pub rounds: Vec<RoundPlan>,
    /// The held-out stage.
    pub held_out: HeldOutPlan,
}

impl TuningRounds {
    /// Shares a budget of games among this many players by successive halving.
    ///
    /// Each round has half of the players of the one before and twice its decks, until two or three are left. Rounds
    /// use at most 60 % of the budget; the held-out stage gets what they leave. `opponents` are those of the file; with
    /// none the candidates play against the default.
    ///
    /// # Errors
    /// A budget below that of [`FEWEST_DECKS`] in the first round and in the held-out stage, with the smallest that
    /// would do.
    pub fn halving(budget: u64, contestants: usize, opponents: usize) -> Result<TuningRounds, TuneError> {
        let fit = |budget| TuningRounds::fit_halving(budget, contestants, opponents);
        fit(budget).ok_or_else(|| {
            let least = least(budget, |budget| fit(budget).is_some());
            TuneError::Budget { budget, contestants, fewest: FEWEST_DECKS, least }
        })
    }

    /// Shares a budget of games for a surface over this many places.
    ///
    /// The first round has 16 players, the others four, as far as there are so many, and all have the same number of
    /// decks. There are as many rounds, from 4 to 16, as have two decks. Rounds use at most 60 % of the budget.
    ///
    /// # Errors
    /// A budget below that of four rounds with two decks and a held-out stage of [`FEWEST_DECKS`], with the smallest that
    /// would do.
    pub fn surface(budget: u64, places: usize, opponents: usize) -> Result<TuningRounds, TuneError> {
        let fit = |budget| TuningRounds::fit_surface(budget, places, opponents);
        fit(budget).ok_or_else(|| {
            let least = least(budget, |budget| fit(budget).is_some());
            let rounds = format!("a surface: {} rounds with two decks", ROUNDS[0]);
            TuneError::RoundsBudget { budget, rounds, fewest: FEWEST_DECKS, least }
        })
    }

    /// Shares a budget of games for CMA-ES over this many ranges.
    ///
    /// There are as many rounds, from 8 to 32, as have 600 decks over all players. All have the same number of players,
    /// at most 128 and at least eight or the usual number of samples of CMA-ES, and give them equally many decks. Rounds
    /// use at most 60 % of the budget.
    ///
    /// # Errors
    /// A budget below that of eight rounds with a deck for each player and a held-out stage of [`FEWEST_DECKS`], with the
    /// smallest that would do.
    pub fn cma(budget: u64, ranges: usize, opponents: usize) -> Result<TuningRounds, TuneError> {
        let fit = |budget| TuningRounds::fit_cma(budget, ranges, opponents);
        fit(budget).ok_or_else(|| {
            let least = least(budget, |budget| fit(budget).is_some());
            let rounds = format!("CMA-ES: {} rounds of {} players", CMA_ROUNDS[0], fewest_players(ranges));
            TuneError::RoundsBudget { budget, rounds, fewest: FEWEST_DECKS, least }
        })
    }

    /// The plan of halving, if the budget is large enough.
    pub(super) fn fit_halving(budget: u64, contestants: usize, opponents: usize) -> Option<TuningRounds> {
        let per_deck = GAMES_PER_DECK * opponents.max(1) as u64;
        // The number of decks of a round is that of the first, doubled each time.
        let fields = fields(contestants);
        let weight: u64 = fields.iter().zip(0..).map(|(field, round)| (*field as u64) << round).sum();
        let first = if weight == 0 { 0 } else { budget * TENTHS / 10 / (weight * per_deck) };
        let rounds = fields.iter().zip(0..).map(|(field, round)| (*field, first << round)).collect();
        let enough = weight == 0 || first >= FEWEST_DECKS;
        TuningRounds::of(budget, rounds, opponents).filter(|_| enough)
    }

    /// The plan of a surface, if the budget is large enough.
    fn fit_surface(budget: u64, places: usize, opponents: usize) -> Option<TuningRounds> {
        if places < 2 {
            return TuningRounds::of(budget, Vec::new(), opponents);
        }
        // One of two leaves a choice.
        let (first, later) = (places.min(FIRST), places.div_ceil(2).min(LATER));
        let most = budget * TENTHS / 10 / (GAMES_PER_DECK * opponents.max(1) as u64);
        let decks = |rounds: usize| most / (first + (rounds - 1) * later) as u64;
        let rounds = (ROUNDS[0]..=ROUNDS[1]).rev().find(|rounds| decks(*rounds) >= PAIR)?;
        let field = |round| if round == 0 { first } else { later };
        TuningRounds::of(budget, (0..rounds).map(|round| (field(round), decks(rounds))).collect(), opponents)
    }

    /// The plan of CMA-ES, if the budget is large enough.
    fn fit_cma(budget: u64, ranges: usize, opponents: usize) -> Option<TuningRounds> {
        let most = budget * TENTHS / 10 / (GAMES_PER_DECK * opponents.max(1) as u64);
        let rounds = (most / CMA_DECKS).clamp(CMA_ROUNDS[0], CMA_ROUNDS[1]);
        let of_round = most / rounds;
        let decks = of_round.div_ceil(CMA_PLAYERS[1]);
        let players = of_round.checked_div(decks).filter(|players| *players >= fewest_players(ranges))?;
        TuningRounds::of(budget, vec![(players as usize, decks); rounds as usize], opponents)
    }

    /// Rounds with these players and decks against each opponent, and the held-out stage that they leave; none if its share
    /// is too small.
    pub fn of(budget: u64, rounds: Vec<(usize, u64)>, opponents: usize) -> Option<TuningRounds> {
        let per_deck = GAMES_PER_DECK * opponents.max(1) as u64;
        let plan =
            |(contestants, decks)| RoundPlan { contestants, decks, games: contestants as u64 * decks * per_deck };
        let rounds: Vec<RoundPlan> = rounds.into_iter().map(plan).collect();
        let left = budget - rounds.iter().map(|round| round.games).sum::<u64>();
        // The two against one another, and both against each opponent.
        let per_deck = GAMES_PER_DECK * (1 + 2 * opponents as u64);
        let decks = left / per_deck;
        // By the share, not by what rounds happen to leave: a larger budget then never fits worse.
        let held_out = (budget - budget * TENTHS / 10) / per_deck;
        let enough = held_out >= FEWEST_DECKS;
        enough.then_some(TuningRounds { rounds, held_out: HeldOutPlan { decks, games: decks * per_deck } })
    }

    /// All decks: no two rounds share one, and the held-out stage has its own.
    pub fn decks(&self) -> u64 {
        self.rounds.iter().map(|round| round.decks).sum::<u64>() + self.held_out.decks
    }

    /// All games.
    pub fn games(&self) -> u64 {
        self.rounds.iter().map(|round| round.games).sum::<u64>() + self.held_out.games
    }
}

/// The fewest players of a round of CMA-ES.
fn fewest_players(ranges: usize) -> u64 {
    CMA_PLAYERS[0].max(CmaEs::usual_samples(ranges) as u64)
}

/// The smallest budget that fits, above one that does not: what fits stays fitting with more games.
fn least(budget: u64, fits: impl Fn(u64) -> bool) -> u64 {
    let (mut below, mut least) = (budget, MAX_BUDGET);
    while least - below > 1 {
        let middle = below + (least - below) / 2;
        if fits(middle) {
            least = middle;
        } else {
            below = middle;
        }
    }
    least
}

/// How many players each round of halving has.
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
        let plan = TuningRounds::halving(4_000, 16, 0).unwrap();
        let decks: Vec<u64> = plan.rounds.iter().map(|round| round.decks).collect();
        assert_eq!(decks, [18, 36, 72, 144]);
        assert!(plan.rounds.iter().all(|round| round.games == 16 * 18 * 2));
        assert_eq!(plan.held_out, HeldOutPlan { decks: 848, games: 1_696 });
        // Against two opponents a deck takes four games in a round, and ten in the held-out stage.
        let plan = TuningRounds::halving(4_000, 3, 2).unwrap();
        assert_eq!(plan.rounds, [RoundPlan { contestants: 3, decks: 200, games: 2_400 }]);
        assert_eq!(plan.held_out, HeldOutPlan { decks: 160, games: 1_600 });
    }

    #[test]
    fn a_plan_stays_within_its_budget() {
        for budget in (0..5_000).step_by(37) {
            for (contestants, opponents) in [(1, 0), (2, 0), (5, 1), (16, 0), (17, 3)] {
                let Some(plan) = TuningRounds::fit_halving(budget, contestants, opponents) else { continue };
                assert!(plan.games() <= budget);
                assert!(plan.rounds.iter().map(|round| round.games).sum::<u64>() * 10 <= budget * TENTHS);
            }
        }
    }

    #[test]
    fn rounds_of_a_surface_have_equally_many_decks() {
        let plan = TuningRounds::surface(3_000, 64, 0).unwrap();
        assert_eq!(plan.rounds.len(), 16);
        assert_eq!(plan.rounds[0], RoundPlan { contestants: 16, decks: 11, games: 352 });
        assert!(plan.rounds[1..].iter().all(|round| *round == RoundPlan { contestants: 4, decks: 11, games: 88 }));
        assert_eq!(plan.held_out, HeldOutPlan { decks: 664, games: 1_328 });
        // Three words: the first round has all of them, the others have two.
        let plan = TuningRounds::surface(300, 3, 1).unwrap();
        assert_eq!(
            plan.rounds.iter().map(|round| round.contestants).collect::<Vec<_>>(),
            [[3].as_slice(), &[2; 15]].concat()
        );
        for places in [0, 1] {
            assert!(TuningRounds::surface(60, places, 0).unwrap().rounds.is_empty());
        }
        for (places, opponents) in [(1, 0), (2, 0), (16, 2), (384, 1)] {
            let Err(TuneError::RoundsBudget { least, .. }) = TuningRounds::surface(9, places, opponents) else {
                panic!("9 games are enough for {places}");
            };
            assert!(TuningRounds::surface(least - 1, places, opponents).is_err());
            for budget in least..least + 3_000 {
                let plan = TuningRounds::surface(budget, places, opponents).unwrap();
                assert!(plan.games() <= budget && plan.held_out.decks >= FEWEST_DECKS);
                assert!(plan.rounds.iter().all(|round| round.decks >= 2 && round.contestants >= 1));
            }
        }
    }

    #[test]
    fn rounds_of_cma_es_grow_with_the_budget() {
        for (budget, rounds, contestants, decks) in
            [(300, 8, 11, 1), (3_000, 8, 112, 1), (4_000, 8, 75, 2), (30_000, 15, 120, 5), (10_000_000, 32, 127, 733)]
        {
            let plan = TuningRounds::cma(budget, 2, 0).unwrap();
            let games = 2 * contestants as u64 * decks;
            assert_eq!(plan.rounds, vec![RoundPlan { contestants, decks, games }; rounds], "{budget}");
        }
        for (ranges, opponents) in [(1, 0), (4, 1), (12, 3)] {
            let Err(TuneError::RoundsBudget { least, .. }) = TuningRounds::cma(9, ranges, opponents) else {
                panic!("9 games are enough for {ranges} ranges");
            };
            assert!(TuningRounds::cma(least - 1, ranges, opponents).is_err());
            for budget in (least..least + 20_000).step_by(7) {
                let plan = TuningRounds::cma(budget, ranges, opponents).unwrap();
                assert!(plan.games() <= budget && plan.held_out.decks >= FEWEST_DECKS, "{budget}");
                assert!(plan.rounds.iter().map(|round| round.games).sum::<u64>() * 10 <= budget * TENTHS);
            }
        }
    }

    #[test]
    fn a_budget_that_is_too_small_names_the_smallest_one() {
        for (contestants, opponents) in [(1, 0), (2, 0), (16, 0), (17, 1), (33, 2)] {
            let Err(TuneError::Budget { least, .. }) = TuningRounds::halving(15, contestants, opponents) else {
                panic!("15 games are enough for {contestants}");
            };
            assert!(TuningRounds::fit_halving(least, contestants, opponents).is_some());
            assert!(TuningRounds::fit_halving(least - 1, contestants, opponents).is_none());
            assert!(
                (least..least + 3_000)
                    .all(|budget| TuningRounds::fit_halving(budget, contestants, opponents).is_some())
            );
        }
    }
}
