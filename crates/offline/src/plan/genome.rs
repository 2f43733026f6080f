//! The player of a genome.

use super::grammar::of_move;
use evouct_base::parameter::{ParameterError, Preset, Raw};
use evouct_gp::{Column, Genome, LnRule, Node, Slot, Terminal, Tree, simplify};
use evouct_platform::domain::{AnyDomain, Spec};
use evouct_search::search::SearchColumn;
use std::borrow::Cow;

/// The parameter of the kind `formula` that takes the formula of a slot.
pub(crate) const fn parameter(slot: Slot) -> &'static str {
    match slot {
        Slot::Select => "formula",
        Slot::Untried => "untried",
        Slot::Final => "final_formula",
        Slot::Leaf => "leaf",
        Slot::Policy => "policy",
        Slot::Playout => "rating",
    }
}

/// The policy of a genome without one whose formulas use `P`: all moves have the same prior.
pub(crate) const EVEN: f64 = 0.0;

/// The rating of moves in playouts, where formulas of them evolve, of a genome without one: all moves are alike. None where
/// nothing of the template chooses by a rating.
pub(crate) fn even_rating(template: &[(String, Raw)]) -> Option<(String, Raw)> {
    let is_rated = template.iter().any(|(key, _)| matches!(key.as_str(), "default_policy" | "epsilon"));
    is_rated.then(|| (parameter(Slot::Playout).to_owned(), Raw::Text(EVEN.to_string())))
}

/// Whether a parameter is about playouts that choose by a rating.
pub(crate) fn rates_playouts(key: &str) -> bool {
    matches!(key, "default_policy" | "epsilon") || key == parameter(Slot::Playout)
}

/// Whether a genome uses `P` without a policy.
pub(crate) fn needs_policy(genome: &Genome) -> bool {
    let prior = SearchColumn::Prior.column();
    let uses = |slot: Slot| genome.tree(slot).is_some_and(|tree| tree.needs().by_child.contains(&prior));
    genome.tree(Slot::Policy).is_none() && genome.slots().any(uses)
}

/// A genome in a game: numbers of a move that the game does not give are 0.
pub(crate) fn in_game<'a>(genome: &'a Genome, domain: &'static dyn AnyDomain, ln: LnRule) -> Cow<'a, Genome> {
    let given = of_move(domain);
    let is_foreign = |node: &Node| match node {
        Node::Terminal(Terminal::Column(Column::MoveNumber(name))) => !given.iter().any(|(own, _)| own == name),
        _ => false,
    };
    let foreign = |tree: &&Tree| tree.nodes().iter().any(is_foreign);
    let mut own = Cow::Borrowed(genome);
    for slot in genome.slots() {
        let Some(tree) = genome.tree(slot).filter(foreign) else { continue };
        let zero = Node::Terminal(Terminal::Number(0.0));
        let nodes = tree.nodes().iter().map(|node| if is_foreign(node) { zero } else { *node });
        let tree = Tree::from_prefix(nodes.collect()).expect("a number is a leaf as a number of a move is");
        own = Cow::Owned(own.with(slot, Some(simplify(&tree, ln))));
    }
    own
}

/// The player of a genome: `template` is the kind and its other parameters.
///
/// # Errors
/// If the kind refuses a formula.
pub(crate) fn player(
    genome: &Genome,
    domain: &'static dyn AnyDomain,
    template: &[(String, Raw)],
    preset: Preset,
) -> Result<Spec, ParameterError> {
    let mut given = template.to_vec();
    if needs_policy(genome) {
        given.push((parameter(Slot::Policy).to_owned(), Raw::Text(EVEN.to_string())));
    }
    for slot in genome.slots() {
        given.retain(|(key, _)| key != parameter(slot));
        let text = genome.tree(slot).map(Tree::infix).unwrap_or_default();
        given.push((parameter(slot).to_owned(), Raw::Text(text)));
    }
    Spec::resolve(domain, "formula", &given, preset).map_err(|mut errors| errors.swap_remove(0))
}
