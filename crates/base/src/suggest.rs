//! The nearest right name for a misspelt one.

/// The name most similar to the given one, if any is similar enough.
pub fn nearest<'a>(given: &str, known: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    let given = given.to_lowercase();
    known
        .into_iter()
        .map(|name| (strsim::damerau_levenshtein(&given, &name.to_lowercase()), name))
        .filter(|(distance, name)| *distance <= 1.max(name.chars().count() / 3))
        .min_by_key(|(distance, _)| *distance)
        .map(|(_, name)| name)
}

#[cfg(test)]
mod tests {
    use super::nearest;

    #[test]
    fn a_misspelling_finds_its_name_and_nonsense_finds_none() {
        let names = ["iterations", "playout", "seed"];
        assert_eq!(nearest("iteratons", names), Some("iterations"));
        assert_eq!(nearest("sede", names), Some("seed"));
        assert_eq!(nearest("playouts", names), Some("playout"));
        assert_eq!(nearest("SEED", names), Some("seed"));
        assert_eq!(nearest("xyz", names), None);
    }
}
