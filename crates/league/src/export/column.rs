//! The types of the columns of all tables: a name has one type, whatever a table happens to hold.

/// The type of a column. Every value may be absent, but a text is at most empty.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ColumnType {
    /// Whole numbers.
    Whole,
    /// Real numbers.
    Real,
    /// Texts.
    Text,
    /// Yes or no.
    Flag,
}

/// The columns of the CSV files that reports, evolutions, scores and tunings write, by type. Columns whose names are not
/// fixed are not here: the second objective of an evolution, and the parameters of a tuning.
const DECLARED: [(ColumnType, &str); 4] = [
    (
        ColumnType::Whole,
        "a_wins away_wins b_wins best blp born buchholz bwp by_semantics deck decks depth draws effort failed games \
         games_drawn games_won generation generations group home_wins in_range individual island left line losses nodes place \
         playouts points price printed_away_wins printed_games printed_home_wins rank replaced round seat seed stage ties turn \
         units wins",
    ),
    (
        ColumnType::Real,
        "a12 agreement best_gain bootstrap_high bootstrap_low cohen_d cohen_dz difference difference_high difference_low \
         difference_sd fitness_first fitness_last gain high holm_p low lower mean mean_nodes median_gain nodes_per_decision p \
         paired_df paired_difference paired_high paired_low paired_p paired_t pd permutation_p playouts_per_decision score \
         score_high score_low seconds_per_decision standard_error surface surface_high surface_low virtual_score welch_df \
         welch_difference welch_p welch_t wilcoxon_p win_rate win_rate_high win_rate_low",
    ),
    (
        ColumnType::Text,
        "a away b best_formula candidate formula game genome home id measure metric operator opponent order parents player \
         simplified status win_rate_method",
    ),
    (ColumnType::Flag, "complete default permutation_exact sees_deck success went_on wilcoxon_exact"),
];

impl ColumnType {
    /// The type of a column of a CSV file; none if its name is not fixed.
    pub fn declared(name: &str) -> Option<ColumnType> {
        let of = DECLARED.iter().find(|(_, names)| names.split(' ').any(|known| known == name));
        of.map(|(of, _)| *of)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_column_has_one_type() {
        let mut names: Vec<&str> = DECLARED.iter().flat_map(|(_, names)| names.split(' ')).collect();
        let count = names.len();
        names.sort_unstable();
        names.dedup();
        assert_eq!(names.len(), count);
        assert_eq!(ColumnType::declared("player"), Some(ColumnType::Text));
        assert_eq!(ColumnType::declared("rank"), Some(ColumnType::Whole));
        assert_eq!(ColumnType::declared(""), None);
    }
}
