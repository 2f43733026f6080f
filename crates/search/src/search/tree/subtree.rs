//! The part of a tree that a later decision can use again.

use super::amaf::AmafColumns;
use super::links::NONE;
use super::{FurtherColumns, Node, PackedNode, Parent, SearchTree};
use crate::game::{Game, Ply};
use crate::search::FinalMove;
use std::collections::BTreeMap;

impl<G: Game> SearchTree<G> {
    /// The node that these decisions after the root lead to, the first of them made at the root, if the search has
    /// visited it. `drawn` is what was drawn after the last of them.
    pub(in crate::search) fn descend(
        &self,
        plies: &[Ply<G::Action, G::Outcome>],
        drawn: Option<G::Outcome>,
    ) -> Option<usize> {
        let mut node = 0;
        for (number, ply) in plies.iter().enumerate() {
            let Node { mover, is_compact, .. } = self.nodes.get(node)?.unpacked();
            // Where the node is compact, nothing follows.
            if mover != ply.seat || is_compact {
                return None;
            }
            let place = self.actions(node).iter().position(|action| *action == ply.action)?;
            let edge = Parent::Edge(self.nodes[node].first + place);
            let outcome = plies.get(number + 1).map_or(drawn, |next| next.drawn);
            // Where no chance decides in between, what was drawn belongs to an earlier decision.
            node = self.follow(edge, outcome).or_else(|| self.follow(edge, None))?;
        }
        (self.nodes.get(node)?.count > 0).then_some(node)
    }

    /// The best of the actions that were tried at the decision that follows this action of the root at once, without
    /// chance in between: the one with the most visits over all trees if the final move is by visits, among equals and
    /// otherwise the one with the highest mean reward. None if there is no such decision or none was tried. The trees
    /// are of the same position.
    pub fn best_reply<'t>(
        trees: impl Iterator<Item = &'t SearchTree<G>>,
        action: G::Action,
        by: FinalMove,
    ) -> Option<G::Action>
    where
        G: 't,
    {
        // By place among the actions.
        let mut replies: BTreeMap<usize, (G::Action, f64, f64)> = BTreeMap::new();
        for (tree, node) in trees.filter_map(|tree| Some((tree, tree.reply(action)?))) {
            for (place, edge) in tree.visited(node) {
                let (_, visits, sum) = replies.entry(place).or_insert((tree.actions[edge], 0.0, 0.0));
                (*visits, *sum) = (*visits + tree.visits[edge], *sum + tree.sums[edge]);
            }
        }
        let mut best: Option<(G::Action, (f64, f64))> = None;
        for (reply, visits, sum) in replies.into_values() {
            let value = (if by == FinalMove::Visits { visits } else { 0.0 }, sum / visits);
            if best.is_none_or(|(_, highest)| value > highest) {
                best = Some((reply, value));
            }
        }
        best.map(|(reply, _)| reply)
    }

    /// The decision that follows an action of the root at once.
    fn reply(&self, action: G::Action) -> Option<usize> {
        let place = self.actions(0).iter().position(|other| *other == action)?;
        self.follow(Parent::Edge(self.nodes[0].first + place), None)
    }

    /// Becomes the part of another tree at and below this node, with all statistics.
    pub(in crate::search) fn copy_below(&mut self, other: &SearchTree<G>, root: usize) {
        self.clear(other.amaf.is_some());
        self.further = other.further.as_ref().map(|further| FurtherColumns {
            squares: Vec::new(),
            best: Vec::new(),
            implicit: Vec::new(),
            proofs: Vec::new(),
            numbers: vec![Vec::new(); further.numbers.len()],
            numbered: Vec::new(),
            leading: Vec::new(),
            ..*further
        });
        self.copy_node(other, root);
        let mut copied = vec![root];
        let mut number = 0;
        while number < copied.len() {
            let Node { first, count, link, is_compact, .. } = other.node(copied[number]);
            let own = self.nodes[number].first;
            self.copy_links(other, link, Parent::Chance(number), &mut copied);
            // Nothing follows the edges of a compact node.
            for place in (0..count).filter(|_| !is_compact) {
                self.copy_links(other, other.edge_links[first + place], Parent::Edge(own + place), &mut copied);
            }
            number += 1;
        }
    }

    fn copy_links(&mut self, other: &SearchTree<G>, head: u32, parent: Parent, copied: &mut Vec<usize>) {
        let links: Vec<(Option<G::Outcome>, usize)> = other.links.list(head).collect();
        for (outcome, linked) in links.into_iter().rev() {
            let node = self.copy_node(other, linked);
            copied.push(linked);
            self.link(parent, outcome, node);
        }
    }

    /// Appends a node of another tree with its row, without links; returns its number.
    fn copy_node(&mut self, other: &SearchTree<G>, node: usize) -> usize {
        let Node { first, count, is_compact, .. } = other.node(node);
        if is_compact {
            return self.copy_compact(other, node);
        }
        let row = first..first + count;
        self.nodes.push(PackedNode { first: self.actions.len(), link: NONE, ..other.nodes[node] });
        self.actions.extend_from_slice(&other.actions[row.clone()]);
        self.visits.extend_from_slice(&other.visits[row.clone()]);
        self.sums.extend_from_slice(&other.sums[row.clone()]);
        self.means.extend_from_slice(&other.means[row.clone()]);
        self.untried.extend_from_slice(&other.untried[row.clone()]);
        self.edge_links.resize(self.actions.len(), NONE);
        if let (Some(own), Some(AmafColumns { nodes, keys, visits, sums, likeness })) = (&mut self.amaf, &other.amaf) {
            own.nodes.push(nodes[node]);
            own.keys.extend_from_slice(&keys[row.clone()]);
            own.visits.extend_from_slice(&visits[row.clone()]);
            own.sums.extend_from_slice(&sums[row.clone()]);
            own.likeness.extend_from_slice(likeness.get(row.clone()).unwrap_or_default());
        }
        if let (Some(own), Some(further)) = (&mut self.further, &other.further) {
            own.squares.extend_from_slice(further.squares.get(row.clone()).unwrap_or_default());
            own.best.extend_from_slice(further.best.get(row.clone()).unwrap_or_default());
            own.implicit.extend_from_slice(further.implicit.get(row.clone()).unwrap_or_default());
            own.proofs.extend_from_slice(further.proofs.get(row.clone()).unwrap_or_default());
        }
        self.copy_numbers(other, node);
        self.nodes.len() - 1
    }

    /// Gives the node that was appended last the numbers that this node of another tree has.
    pub(super) fn copy_numbers(&mut self, other: &SearchTree<G>, node: usize) {
        let (Some(own), Some(further)) = (&mut self.further, &other.further) else { return };
        own.add_node();
        if further.numbered[node] != NONE {
            self.fill_numbers(self.nodes.len() - 1, |columns| {
                let copied = (0..columns.len()).map(|number| other.numbers(node, number));
                columns.iter_mut().zip(copied).for_each(|(own, numbers)| own.extend_from_slice(numbers));
            });
        }
    }
}

#[cfg(test)]
mod tests {
    use crate::game::slots::Slots;
    use crate::game::{Game, Ply, Uniform};
    use crate::search::tree::Node;
    use crate::search::{Descent, FinalMove, Search, SearchSettings, SearchTree, TreePolicy, Uct, Workspace};
    use evouct_base::seed::{Key, search_rng};

    #[test]
    fn the_part_below_a_decision_is_a_tree_of_its_own() {
        let mut rng = search_rng(&mut Key::experiment(5).stream());
        let mut root = Slots::new();
        Game::sample(&mut root, &mut rng);
        let (mut work, settings) = (Workspace::default(), SearchSettings::default());
        let mut search = Search::new(&mut work, &root, None, &settings, Uniform, rng);
        for _ in 0..2_000 {
            search.simulate(&TreePolicy::Uct(Uct::default()), Descent::SEARCH);
        }
        let tree = work.tree();
        let (mut found, mut missing, mut compact) = (0, 0, 0);
        for action in tree.actions(0).to_vec() {
            let mut state = root.clone();
            let ply = Ply { seat: 0, drawn: root.drawn(), action };
            Game::play(&mut state, action);
            let mut outcomes = Vec::new();
            Game::outcomes(&state, &mut outcomes);
            for (outcome, _) in outcomes {
                let Some(node) = tree.descend(&[ply], Some(outcome)) else {
                    missing += 1;
                    continue;
                };
                found += 1;
                let mut below = SearchTree::new();
                below.copy_below(tree, node);
                assert_eq!(below.check(), Ok(()));
                let (mut own, mut tried) = (below.visited(0), tree.visited(node));
                own.sort_unstable();
                tried.sort_unstable();
                assert_eq!(own.len(), tried.len());
                for ((place, edge), (there, other)) in own.into_iter().zip(tried) {
                    assert_eq!((place, below.action(edge)), (there, tree.action(other)));
                    assert_eq!(
                        (below.edge_visits(edge), below.edge_mean(edge)),
                        (tree.edge_visits(other), tree.edge_mean(other))
                    );
                }
                let shape = |node: Node| (node.mover, node.visits, node.count, node.untried, node.is_compact);
                assert_eq!(shape(below.node(0)), shape(tree.node(node)));
                compact += usize::from(tree.node(node).is_compact);
                assert!(below.size() < tree.size());
            }
        }
        assert!(found > 50 && missing > 0, "{found} nodes, {missing} missing");
        assert!(compact > 20 && compact < found, "{compact} of {found} nodes are compact");
    }

    /// Three replies: 10 visits with the mean 1, 2 visits with the mean 5, and 10 visits with the mean 2.
    #[test]
    fn the_best_reply_by_hand() {
        let mut root = Slots::new();
        Game::sample(&mut root, &mut search_rng(&mut Key::experiment(5).stream()));
        let mut actions = Vec::new();
        root.actions(&mut actions);
        let mut tree: SearchTree<Slots> = SearchTree::new();
        tree.add_node(0, None, 0.0, &actions[..2]);
        let node = tree.add_node(0, None, 0.0, &actions[..4]);
        tree.link(crate::search::tree::Parent::Edge(1), None, node);
        for (place, visits, mean) in [(0, 10.0, 1.0), (1, 2.0, 5.0), (2, 10.0, 2.0)] {
            let edge = tree.node(node).first + place;
            (tree.visits[edge], tree.sums[edge]) = (visits, visits * mean);
        }
        let best = |action, by| SearchTree::best_reply(std::iter::once(&tree), action, by);
        assert_eq!(best(actions[1], FinalMove::Mean), Some(actions[1]));
        assert_eq!(best(actions[1], FinalMove::TreePolicy), Some(actions[1]));
        // The most visits, among equals the highest mean.
        assert_eq!(best(actions[1], FinalMove::Visits), Some(actions[2]));
        // Visits add up over trees.
        let twice = SearchTree::best_reply([&tree, &tree].into_iter(), actions[1], FinalMove::Visits);
        assert_eq!(twice, Some(actions[2]));
        assert_eq!(best(actions[0], FinalMove::Mean), None);
    }

    /// Two outcomes follow an edge, with values 5 and 7 for the other seat and three and one visits: -(3·5 + 7) / 4.
    #[test]
    fn heuristic_values_are_backed_up_by_hand() {
        let mut root = Slots::new();
        let mut rng = search_rng(&mut Key::experiment(5).stream());
        Game::sample(&mut root, &mut rng);
        let mut actions = Vec::new();
        root.actions(&mut actions);
        let mut outcomes = Vec::new();
        let mut after = root.clone();
        Game::play(&mut after, actions[0]);
        Game::outcomes(&after, &mut outcomes);
        let mut tree: SearchTree<Slots> = SearchTree::new();
        tree.keep_columns([false, false, true, false], 0);
        tree.add_node(0, None, 0.0, &actions[..2]);
        tree.set_implicit(0, &[1.0, f64::NAN]);
        assert_eq!(tree.implicit(0), [1.0, 0.0]);
        for ((outcome, _), (visits, values)) in outcomes.iter().zip([(3.0, [5.0, -1.0]), (1.0, [2.0, 7.0])]) {
            let node = tree.add_node(1, None, visits, &actions[..2]);
            tree.set_implicit(node, &values);
            tree.link(crate::search::tree::Parent::Edge(0), Some(*outcome), node);
        }
        tree.back_up_implicit(0, 0, &mut Vec::new());
        assert_eq!(tree.implicit(0), [-22.0 / 4.0, 0.0]);
        // Without a follower the value stays.
        tree.back_up_implicit(0, 1, &mut Vec::new());
        assert_eq!(tree.implicit(0), [-22.0 / 4.0, 0.0]);
    }
}
