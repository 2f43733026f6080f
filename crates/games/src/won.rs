//! Games that are won, lost or drawn, and have no points.

/// What their score is, for captions.
pub(crate) const WON: &str = "The score is 1 for a win, else 0, so its mean is the share of games won.";
