//! The reward of a playout for each seat.

use crate::game::{Game, MAX_SEATS, Scores};

evouct_base::named! {
    /// The reward of a finished playout.
    #[derive(Default)]
    pub enum Reward {
        /// The seat's score minus the best of the others', in points (Valdez Ameneyro et al. 2020, Equation 4).
        #[default]
        Difference = "difference",
        /// The seat's score minus the sum of the others', in points (after Heyden 2009). With two seats the difference.
        DifferenceToAll = "difference-to-all",
        /// 1 for a win, 0 for a draw, -1 for a loss (R1 of Galván et al. 2022, Table III).
        Win = "win",
        /// The seat's share of all points, 0 to 1; equal shares if no seat has points (Müller, 4.4.3).
        Portion = "portion",
        /// The seat's score over the highest possible score, [`Game::max_score`]: 0 to 1.
        Fraction = "fraction",
        /// The difference divided by twice the highest possible score, [`Game::max_score`]: −0.5 to 0.5 (Müller,
        /// 4.4.5).
        Normalised = "normalised",
        /// The same plus one half: 0 to 1 (Müller, 4.4.5).
        NormalisedUnit = "normalised-unit",
        /// A win, draw or loss as ±1 or 0, plus a hundredth of the portion minus one half (Müller, 4.4.7).
        Bonus = "bonus",
        /// The score times the squared inverse rank, minus the same of all others; the winner of n has inverse rank n
        /// (Müller, 4.4.8, complex utility 1).
        Ranked = "ranked",
        /// As [`Ranked`](Reward::Ranked), but the inverse rank times the highest possible score is added to the score
        /// (complex utility 2).
        RankedSum = "ranked-sum",
        /// The game's evaluation of the position in which the playout ends, in Carcassonne Heyden's (Müller, 4.4.4). A
        /// reward of positions: see [`RewardRule`](super::RewardRule).
        Evaluation = "evaluation",
    }
}

impl Reward {
    /// Whether the reward is scaled by the highest possible score, so that the game must know one.
    pub fn needs_bound(self) -> bool {
        matches!(self, Reward::Fraction | Reward::Normalised | Reward::NormalisedUnit | Reward::RankedSum)
    }

    /// The bound of a game for [`of`](Reward::of); 1 if the reward needs none.
    ///
    /// # Panics
    /// If the reward needs a bound and [`Game::max_score`] gives none.
    pub fn bound<G: Game>(self, state: &G) -> f64 {
        if !self.needs_bound() {
            return 1.0;
        }
        f64::from(state.max_score().expect("the reward is scaled by the game's max_score"))
    }

    /// Whether its bounds depend on the highest possible score.
    pub fn is_bounded_by_score(self) -> bool {
        matches!(self, Reward::Difference | Reward::DifferenceToAll | Reward::Ranked | Reward::RankedSum)
    }

    /// The lowest and the highest reward of a game for this many seats whose highest possible score is `most`. For the
    /// complex utilities all other seats may have that score too.
    ///
    /// # Panics
    /// For [`Reward::Evaluation`], whose bounds are those of the evaluation.
    pub fn bounds(self, seats: usize, most: f64) -> [f64; 2] {
        let (seats, others) = (seats as f64, seats as f64 - 1.0);
        match self {
            Reward::Difference => [-most, most],
            Reward::DifferenceToAll => [-others * most, most],
            Reward::Win => [-1.0, 1.0],
            Reward::Portion | Reward::Fraction | Reward::NormalisedUnit => [0.0, 1.0],
            Reward::Normalised => [-0.5, 0.5],
            Reward::Bonus => [-1.0 - 0.5 / 100.0, 1.0 + 0.5 / 100.0],
            Reward::Ranked => [-others * most * seats * seats, most * seats * seats],
            // The others have the ranks below and no points, or tie at the top with all points. Those who tie at the
            // bottom share a better rank, so that ranks without ties are the fewest.
            Reward::RankedSum => {
                [most - others * (most + seats * most), most + seats * most - 0.5 * others * seats * most]
            }
            Reward::Evaluation => unreachable!("an evaluation has its own bounds"),
        }
    }

    /// The reward of each seat. `bound` is the highest possible score: see [`bound`](Reward::bound).
    ///
    /// # Panics
    /// For [`Reward::Evaluation`], which is of positions and not of scores.
    #[inline]
    pub fn of(self, scores: &Scores, seats: usize, bound: f64) -> [f64; MAX_SEATS] {
        let mut rewards = [0.0; MAX_SEATS];
        if matches!(self, Reward::Ranked | Reward::RankedSum) {
            return self.by_rank(scores, seats, bound);
        }
        for seat in 0..seats {
            let others = (0..seats).filter(|other| *other != seat).map(|other| scores[other]);
            // With one seat the difference is the score.
            let difference = scores[seat] - others.max().unwrap_or(0);
            rewards[seat] = match self {
                Reward::Difference => f64::from(difference),
                Reward::DifferenceToAll => f64::from(2 * scores[seat] - scores[..seats].iter().sum::<i32>()),
                Reward::Win => f64::from(difference.signum()),
                Reward::Portion => portion(scores, seats, seat),
                Reward::Fraction => f64::from(scores[seat]) / bound,
                Reward::Normalised => f64::from(difference) / (2.0 * bound),
                Reward::NormalisedUnit => f64::from(difference) / (2.0 * bound) + 0.5,
                Reward::Bonus => f64::from(difference.signum()) + (portion(scores, seats, seat) - 0.5) / 100.0,
                Reward::Evaluation => unreachable!("an evaluation is of positions"),
                Reward::Ranked | Reward::RankedSum => unreachable!("returned above"),
            };
        }
        rewards
    }

    fn by_rank(self, scores: &Scores, seats: usize, bound: f64) -> [f64; MAX_SEATS] {
        let scores = &scores[..seats];
        let mut utilities = [0.0; MAX_SEATS];
        for (utility, score) in utilities.iter_mut().zip(scores) {
            let inverse_rank = (seats - scores.iter().filter(|other| *other > score).count()) as f64;
            *utility = match self {
                Reward::Ranked => f64::from(*score) * inverse_rank * inverse_rank,
                _ => f64::from(*score) + bound * inverse_rank,
            };
        }
        let total: f64 = utilities.iter().sum();
        let mut rewards = [0.0; MAX_SEATS];
        for (reward, utility) in rewards.iter_mut().zip(utilities).take(seats) {
            *reward = utility - (total - utility);
        }
        rewards
    }
}

fn portion(scores: &Scores, seats: usize, seat: usize) -> f64 {
    let total: i32 = scores[..seats].iter().sum();
    if total == 0 { 1.0 / seats as f64 } else { f64::from(scores[seat]) / f64::from(total) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rewards_by_seat() {
        assert_eq!(Reward::Difference.of(&[57, 43, 0, 0, 0, 0], 2, 282.0)[..2], [14.0, -14.0]);
        assert_eq!(Reward::Win.of(&[57, 43, 0, 0, 0, 0], 2, 282.0)[..2], [1.0, -1.0]);
        assert_eq!(Reward::Difference.of(&[30, 43, 41, 0, 0, 0], 3, 282.0)[..3], [-13.0, 2.0, -2.0]);
        assert_eq!(Reward::Win.of(&[43, 43, 41, 0, 0, 0], 3, 282.0)[..3], [0.0, 0.0, -1.0]);
        assert_eq!(Reward::DifferenceToAll.of(&[30, 43, 41, 0, 0, 0], 3, 282.0)[..3], [-54.0, -28.0, -32.0]);
        assert_eq!(Reward::DifferenceToAll.of(&[57, 43, 0, 0, 0, 0], 2, 282.0)[..2], [14.0, -14.0]);
        assert_eq!(Reward::Difference.of(&[57, 0, 0, 0, 0, 0], 1, 282.0)[..1], [57.0]);
    }

    #[test]
    fn rewards_of_mueller_by_hand() {
        let two = [60, 40, 0, 0, 0, 0];
        assert_eq!(Reward::Portion.of(&two, 2, 282.0)[..2], [0.6, 0.4]);
        assert_eq!(Reward::Portion.of(&[0; 6], 2, 282.0)[..2], [0.5, 0.5]);
        assert_eq!(Reward::Fraction.of(&two, 2, 120.0)[..2], [0.5, 1.0 / 3.0]);
        assert_eq!(Reward::Normalised.of(&[282, 0, 0, 0, 0, 0], 2, 282.0)[..2], [0.5, -0.5]);
        assert_eq!(Reward::NormalisedUnit.of(&[141, 0, 0, 0, 0, 0], 2, 282.0)[..2], [0.75, 0.25]);
        assert_eq!(Reward::Bonus.of(&two, 2, 282.0)[..2], [1.0 + (0.6 - 0.5) / 100.0, -1.0 + (0.4 - 0.5) / 100.0]);
        // Inverse ranks 3, 2, 1 of three: 30·9, 20·4, 10·1.
        let three = [30, 20, 10, 0, 0, 0];
        assert_eq!(Reward::Ranked.of(&three, 3, 282.0), [270.0 - 90.0, 80.0 - 280.0, 10.0 - 350.0, 0.0, 0.0, 0.0]);
        assert_eq!(Reward::RankedSum.of(&three, 3, 282.0)[0], (30.0 + 846.0) - (20.0 + 564.0) - (10.0 + 282.0));
        // Those who tie share the better rank.
        assert_eq!(Reward::Ranked.of(&[30, 30, 10, 0, 0, 0], 3, 282.0)[..2], [270.0 - 280.0, 270.0 - 280.0]);
    }
}
