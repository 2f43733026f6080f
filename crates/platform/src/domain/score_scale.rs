//! Scores in points.

use serde_json::{Value, json};

/// How scores, which are whole numbers in a game and its records, become points, which people, tables and tests read.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct ScoreScale {
    per_point: u32,
}

impl ScoreScale {
    /// The scores themselves.
    pub const WHOLE: ScoreScale = ScoreScale { per_point: 1 };

    /// So many of a score's whole numbers are a point, at least 1.
    pub(super) const fn of(per_point: u32) -> ScoreScale {
        assert!(per_point > 0, "a point is at least 1 of the score");
        ScoreScale { per_point }
    }

    /// How many of a score's whole numbers are a point.
    pub fn per_point(self) -> u32 {
        self.per_point
    }

    /// Whether all points are whole.
    pub fn is_whole(self) -> bool {
        self.per_point == 1
    }

    /// The points of a score, or of a mean of scores.
    ///
    /// ```
    /// use evouct_platform::domain::ScoreScale;
    /// assert_eq!(ScoreScale::WHOLE.points(87_i32), 87.0);
    /// ```
    pub fn points(self, score: impl Into<f64>) -> f64 {
        score.into() / f64::from(self.per_point)
    }

    /// The points of one score less those of another: equal differences of scores are equal points, to the bit.
    pub fn difference(self, one: i32, other: i32) -> f64 {
        self.points((i64::from(one) - i64::from(other)) as f64)
    }

    /// The points of a score as text: no more digits than they have.
    pub fn text(self, score: i32) -> String {
        self.points(score).to_string()
    }

    /// The points of scores as JSON: whole numbers where all are.
    pub fn json(self, scores: &[i32]) -> Value {
        if self.is_whole() { json!(scores) } else { scores.iter().map(|score| self.points(*score)).collect() }
    }
}

#[cfg(test)]
mod tests {
    use super::ScoreScale;

    #[test]
    fn points_are_scores_over_what_a_point_is() {
        let hundredths = ScoreScale::of(100);
        assert_eq!([-250, 87, 100].map(|score| hundredths.text(score)), ["-2.5", "0.87", "1"]);
        assert_eq!(hundredths.json(&[-250, 100]).to_string(), "[-2.5,1.0]");
        assert_eq!(ScoreScale::WHOLE.json(&[-250, 100]).to_string(), "[-250,100]");
        assert_eq!(ScoreScale::WHOLE.text(-250), "-250");
        assert_eq!(hundredths.difference(30, 10), hundredths.difference(50, 30));
        assert_eq!(ScoreScale::WHOLE.difference(i32::MAX, i32::MIN), 4_294_967_295.0);
    }
}
