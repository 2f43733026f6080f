//! What the names in formulas mean.

use evouct_gp::{Node, Terminal, Tree};
use evouct_platform::domain::AnyDomain;

/// The terminals with names that formulas use, each with what it is, in the order in which they appear.
pub(crate) fn formula_names<'a>(
    games: &[&'static dyn AnyDomain],
    formulas: impl Iterator<Item = &'a Tree>,
) -> Vec<(Terminal, &'static str)> {
    let of_game: Vec<(&str, &str)> =
        games.iter().flat_map(|game| game.move_numbers().into_iter().chain(game.ratings())).collect();
    let mut names: Vec<(Terminal, &str)> = Vec::new();
    for terminal in formulas.flat_map(Tree::nodes).filter_map(|node| match node {
        Node::Terminal(terminal) => Some(*terminal),
        Node::Function(_) => None,
    }) {
        let is_known = names.iter().any(|(known, _)| *known == terminal);
        let Some(name) = terminal.name().filter(|_| !is_known) else { continue };
        let by_game = of_game.iter().find(|(known, _)| terminal.is_move_number() && *known == name);
        let about = by_game.map_or(terminal.about(), |(_, about)| about);
        names.push((terminal, about.trim_end_matches('.')));
    }
    names
}
