//! Names that are shortened to fit and still told apart.

use std::collections::BTreeSet;

/// Names of at most `limit` characters. What distinguishes generated names is at the end or in the middle, so more of
/// the beginning, then more of the end is kept until no two names look alike; where all fail, they are longer than the
/// limit.
pub(super) fn shortened(names: &[String], limit: usize) -> Vec<String> {
    let different = |names: &[String]| names.iter().collect::<BTreeSet<_>>().len();
    let wanted = different(names);
    let longest = names.iter().map(|name| name.chars().count()).max().unwrap_or(0);
    if longest <= limit {
        return names.to_vec();
    }
    let middle = |limit: usize| (limit - 1) / 2;
    let heads = (middle(limit)..limit).chain((0..middle(limit)).rev()).map(|head| (limit, head));
    let longer = std::iter::successors(Some(2 * limit), |limit| Some(2 * limit)).map(|limit| (limit, middle(limit)));
    let tried = heads.chain(longer.take_while(|(limit, _)| *limit < longest));
    let mut short = tried.map(|(limit, head)| names.iter().map(|name| shorten(name, limit, head)).collect::<Vec<_>>());
    short.find(|short| different(short) == wanted).unwrap_or_else(|| names.to_vec())
}

/// The same for a drawing, which has no more room: where no shortening tells the names apart, those that are too long
/// have their number among the different names in place of their end.
pub(super) fn drawn_names(names: &[String], limit: usize) -> Vec<String> {
    let short = shortened(names, limit);
    let fits = |name: &String| name.chars().count() <= limit;
    if short.iter().all(fits) {
        return short;
    }
    let mut different: Vec<&String> = Vec::new();
    let mut number_of = |name| {
        let known = different.iter().position(|other| *other == name);
        known.unwrap_or_else(|| {
            different.push(name);
            different.len() - 1
        })
    };
    let numbered = |name| {
        let end = format!("… {}", number_of(name) + 1);
        let head = limit.saturating_sub(end.chars().count());
        if fits(name) { name.clone() } else { name.chars().take(head).collect::<String>() + &end }
    };
    names.iter().map(numbered).collect()
}

/// The beginning, of `head` characters, and the end of a name that is longer than `limit`.
fn shorten(name: &str, limit: usize, head: usize) -> String {
    let length = name.chars().count();
    if length <= limit {
        return name.to_owned();
    }
    let tail = limit - 1 - head;
    name.chars().take(head).chain(['…']).chain(name.chars().skip(length - tail)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_keeps_its_beginning_and_its_end() {
        let short =
            |names: &[&str], limit| shortened(&names.iter().map(|&name| name.to_owned()).collect::<Vec<_>>(), limit);
        assert_eq!(short(&["mcts:iterations=2800,k=0.5", "short"], 13), ["mcts:i…,k=0.5", "short"]);
        // The middle, or both ends and the middle, distinguishes them.
        assert_eq!(short(&["MCTS K=0.5 (2800)", "MCTS K=1.5 (2800)"], 12), ["MCTS K=0…00)", "MCTS K=1…00)"]);
        let both = short(&["MCTS K=0.5 (2800)", "MCTS K=1.5 (2800)", "MCTS K=0.5 (400)", "MCTS K=1.5 (400)"], 12);
        assert_eq!(both.iter().collect::<BTreeSet<_>>().len(), 4, "{both:?}");
        // A drawing numbers names that differ in the middle only, each at its place in the list.
        let middle: Vec<String> = [
            "MCTS 20 iterations, K = 0.5, best mean reward",
            "random",
            "MCTS 20 iterations, K = 1.5, best mean reward",
            "random",
        ]
        .map(str::to_owned)
        .into();
        assert_eq!(drawn_names(&middle, 12), ["MCTS 20 i… 1", "random", "MCTS 20 i… 3", "random"]);
        assert_eq!(drawn_names(&middle, 60), middle);
        // Many long names that differ in the middle only are told apart without trying every length.
        let names: Vec<String> = (0..2_000).map(|n| format!("{}{n}{}", "a".repeat(2_000), "b".repeat(2_000))).collect();
        assert_eq!(shortened(&names, 20).iter().collect::<BTreeSet<_>>().len(), 2_000);
    }
}
