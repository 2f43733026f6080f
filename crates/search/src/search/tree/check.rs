//! Invariants of every tree, for tests and debug builds.

use super::amaf::{AmafColumns, bit, key, list_of};
use super::compact::EDGES_APART;
use super::links::NONE;
use super::{FurtherColumns, Node, SearchTree};
use crate::game::Game;

impl<G: Game> SearchTree<G> {
    /// Checks the tree as a whole: columns of one length, rows and links that lead somewhere, every edge and every node
    /// below the root in its place once, means that are sums over visits, and no more visits below than above.
    ///
    /// # Errors
    /// The first violated invariant.
    pub fn check(&self) -> Result<(), String> {
        self.check_columns()?;
        self.check_edges()?;
        self.check_links()?;
        self.check_positions()?;
        self.check_visits()
    }

    fn check_columns(&self) -> Result<(), String> {
        let edges = self.actions.len();
        let columns = [self.visits.len(), self.sums.len(), self.means.len(), self.untried.len(), self.edge_links.len()];
        if columns.iter().any(|length| *length != edges) {
            return Err(format!("columns of {columns:?} edges, expected {edges}"));
        }
        if let Some(amaf) = &self.amaf
            && (amaf.nodes.len() != self.nodes.len()
                || amaf.keys.len() != edges
                || amaf.visits.len() != edges
                || amaf.sums.len() != edges
                || !(amaf.likeness.is_empty() || amaf.likeness.len() == edges))
        {
            return Err("all-moves-as-first columns are of another length".to_owned());
        }
        if let Some(amaf) = &self.amaf {
            self.check_keys(amaf)?;
        }
        if let Some(further) = &self.further {
            let kept = [
                (&further.squares, further.keeps_squares),
                (&further.best, further.keeps_best),
                (&further.implicit, further.keeps_implicit),
            ];
            if let Some((column, _)) =
                kept.into_iter().find(|(column, kept)| column.len() != usize::from(*kept) * edges)
            {
                return Err(format!("a further column of {} edges, expected {edges}", column.len()));
            }
            if further.proofs.len() != usize::from(further.keeps_proofs) * edges {
                return Err(format!("proofs of {} edges, expected {edges}", further.proofs.len()));
            }
            self.check_numbers(further)?;
        }
        // A backup of its own says what means are.
        let has_own_means = self.further.as_ref().is_some_and(|further| further.has_own_means);
        for edge in (0..edges).filter(|_| !has_own_means) {
            let (visits, sum, mean) = (self.visits[edge], self.sums[edge], self.means[edge]);
            let expected = if visits > 0.0 { sum / visits } else { 0.0 };
            if mean != expected {
                return Err(format!("edge {edge}: mean {mean}, expected {sum} / {visits}"));
            }
        }
        Ok(())
    }

    /// Edges have the keys of their actions, and nodes the bits of their keys and the list of their seat and outcome.
    pub(super) fn check_keys(&self, amaf: &AmafColumns<G::Outcome>) -> Result<(), String> {
        if let Some(edge) = (0..amaf.keys.len()).find(|edge| amaf.keys[*edge] != key(self.actions[*edge])) {
            return Err(format!("edge {edge} has the key of another action"));
        }
        for (number, of_node) in amaf.nodes.iter().enumerate() {
            let Node { mover, first, count, .. } = self.node(number);
            if of_node.bits != amaf.keys[first..first + count].iter().fold(0, |bits, key| bits | bit(*key)) {
                return Err(format!("node {number} has the bits of other actions"));
            }
            if of_node.list != list_of(mover, of_node.drawn) {
                return Err(format!("node {number} has the list of other decisions"));
            }
        }
        Ok(())
    }

    /// The rows of numbers follow one another without gaps, in every column.
    fn check_numbers(&self, further: &FurtherColumns) -> Result<(), String> {
        for rows in [further.numbered.len(), further.leading.len()] {
            if rows != self.nodes.len() {
                return Err(format!("{rows} rows of numbers, expected {}", self.nodes.len()));
            }
        }
        let rows = self.nodes.iter().zip(&further.numbered).filter(|(_, start)| **start != NONE);
        let mut rows: Vec<(usize, usize)> = rows.map(|(node, start)| (*start as usize, node.count as usize)).collect();
        rows.sort_unstable();
        let mut end = 0;
        for (start, count) in rows {
            if start != end {
                return Err(format!("a row of numbers begins at {start}, expected {end}"));
            }
            end += count;
        }
        match further.numbers.iter().find(|column| column.len() != end) {
            Some(column) => Err(format!("a column of {} numbers, expected {end}", column.len())),
            None => Ok(()),
        }
    }

    /// Every edge belongs to one node, in its row, apart or open; or it is spare, and then without a visit.
    fn check_edges(&self) -> Result<(), String> {
        let mut owned = vec![false; self.actions.len()];
        let mut own = |edge: usize, node: usize| match owned.get_mut(edge) {
            Some(taken @ false) => {
                *taken = true;
                Ok(())
            }
            Some(true) => Err(format!("edge {edge} of node {node} belongs to two nodes")),
            None => Err(format!("edge {edge} of node {node} does not exist")),
        };
        for (number, node) in self.nodes.iter().enumerate() {
            let Node { first, count, untried, is_compact, .. } = node.unpacked();
            if is_compact {
                if untried + EDGES_APART < count || untried > count {
                    return Err(format!("node {number}: {untried} untried edges of {count}, and it is compact"));
                }
                self.check_apart(number)?;
                self.apart(number).try_for_each(|(_, edge)| own(edge, number))?;
                continue;
            }
            (first..first + count).try_for_each(|edge| own(edge, number))?;
            if untried > count {
                return Err(format!("node {number}: {untried} untried edges of {count}"));
            }
            let mut places = self.untried[first..first + untried].to_vec();
            places.sort_unstable();
            places.dedup();
            let fresh = |place: &u32| (*place as usize) < count && self.visits[first + *place as usize] == 0.0;
            if places.len() != untried || !places.iter().all(fresh) {
                return Err(format!("node {number}: its untried edges are not {untried} edges without a visit"));
            }
        }
        for ((node, action), edge) in &self.open {
            own(*edge, *node)?;
            if self.nodes.get(*node).is_none_or(|node| node.count > 0) {
                return Err(format!("open edge {edge} hangs on node {node}, which has a row or does not exist"));
            }
            if self.actions[*edge] != *action {
                return Err(format!("open edge {edge} is for {action:?}, but leads to {:?}", self.actions[*edge]));
            }
        }
        for edge in self.spare.iter().map(|edge| *edge as usize) {
            own(edge, NONE as usize)?;
            if self.visits[edge] != 0.0 || self.sums[edge] != 0.0 {
                return Err(format!("edge {edge} is spare and has visits"));
            }
        }
        owned.iter().position(|owned| !owned).map_or(Ok(()), |edge| Err(format!("edge {edge} belongs to no node")))
    }

    /// The edges of a compact node exist, were chosen among those untried, and are linked up to the first.
    fn check_apart(&self, node: usize) -> Result<(), String> {
        let Node { first, count, untried, .. } = self.node(node);
        let mut next = if untried == count { NONE } else { first as u32 };
        for left in untried..count {
            let choice =
                self.untried.get(next as usize).ok_or_else(|| format!("edge {next} of node {node} does not exist"))?;
            if *choice as usize > left {
                return Err(format!("edge {next} of node {node} is choice {choice} of {}", left + 1));
            }
            next = self.edge_links[next as usize];
        }
        if next == NONE { Ok(()) } else { Err(format!("node {node} has more edges apart than are tried")) }
    }

    /// The edges that something may follow: those in rows, and open ones.
    fn edges_followed(&self) -> Vec<usize> {
        let rows = self
            .nodes
            .iter()
            .filter(|node| !node.is_compact)
            .flat_map(|node| node.first..node.first + node.count as usize);
        rows.chain(self.open.values().copied()).collect()
    }

    /// Every node but the root hangs in one place, below a node that is older; if positions are shared, in one or more.
    fn check_links(&self) -> Result<(), String> {
        let expected = self.nodes.len().saturating_sub(1);
        let shares = self.positions.is_some();
        if self.links.count() < expected || !shares && self.links.count() > expected {
            return Err(format!("{} links, expected {expected}", self.links.count()));
        }
        let mut linked = vec![0_u32; self.nodes.len()];
        let edges = self.edges_followed();
        let heads = edges.iter().map(|edge| self.edge_links[*edge]).chain(self.nodes.iter().map(|node| node.link));
        for head in heads {
            self.links.check(head)?;
            for (_, node) in self.links.list(head) {
                let count = linked.get_mut(node);
                *count.ok_or_else(|| format!("a link leads to node {node}, which does not exist"))? += 1;
            }
        }
        let expected = |node: usize| u32::from(node > 0);
        let is_wrong = |node, count| count < expected(node) || (!shares || node == 0) && count > expected(node);
        match linked.iter().enumerate().find(|(node, count)| is_wrong(*node, **count)) {
            Some((node, count)) => Err(format!("node {node} is linked {count} times, expected {}", expected(node))),
            None => Ok(()),
        }
    }

    /// No row has more visits than its node, and no decisions after an edge have more than the edge.
    fn check_visits(&self) -> Result<(), String> {
        let mut rows: Vec<f64> = (0..self.nodes.len()).map(|node| self.visits_of_edges(node)).collect();
        for ((node, _), edge) in &self.open {
            rows[*node] += self.visits[*edge];
        }
        for (number, (node, row)) in self.nodes.iter().zip(rows).enumerate() {
            if row > node.visits {
                return Err(format!("node {number} has {} visits, its edges {row}", node.visits));
            }
        }
        // A node that several edges lead to has the visits of all.
        let followed = if self.positions.is_some() { Vec::new() } else { self.edges_followed() };
        for edge in followed {
            let below = self.decision_visits(self.edge_links[edge]);
            if below > self.visits[edge] {
                return Err(format!("edge {edge} has {} visits, the nodes after it {below}", self.visits[edge]));
            }
        }
        Ok(())
    }

    /// Visits of all decisions in a list of links, chance in between left out.
    fn decision_visits(&self, head: u32) -> f64 {
        let nodes = self.links.list(head).map(|(_, node)| &self.nodes[node]);
        nodes.map(|node| node.visits + self.decision_visits(node.link)).sum()
    }

    fn visits_of_edges(&self, node: usize) -> f64 {
        self.visited(node).iter().map(|(_, edge)| self.visits[*edge]).sum()
    }
}

#[cfg(test)]
mod tests {
    use super::super::PackedNode;
    use super::*;
    use crate::game::slots::{FILL, Kind, NUMBERS, Slots};
    use crate::game::{Deck, MoveNumbers, StreamDeck, Uniform};
    use crate::search::{
        AmafSettings, Budget, Chance, Descent, Guidance, Meter, Search, SearchColumn, SearchSettings, Stopped,
        TreePolicy, Uct, Untried, Workspace,
    };
    use evouct_base::seed::{Key, search_rng};
    use evouct_gp::{LnRule, Program, Tree};
    use std::time::Duration;

    /// The first turn of a seat, with what is to come.
    fn position() -> (Slots, StreamDeck) {
        let (mut state, mut deck) = (Slots::new(), StreamDeck::of(Key::experiment(4)));
        deck.deal(&mut state);
        (state, deck)
    }

    /// A grown tree.
    fn grown(settings: &SearchSettings) -> Workspace<Slots> {
        let (state, _) = position();
        let mut work = Workspace::default();
        let rng = search_rng(&mut Key::experiment(1).stream());
        let mut search = Search::new(&mut work, &state, None, settings, Uniform, rng);
        let mut meter = Meter::start(&Budget::iterations(400), &Stopped, Duration::ZERO, 1);
        search.run(&TreePolicy::Uct(Uct::default()), &mut meter, 1, false);
        work
    }

    #[test]
    fn a_restored_tree_is_the_one_that_was_saved() {
        let amaf = AmafSettings::default();
        let bias = Program::new(Tree::parse_over("sd + best", &SearchColumn::terminals(&[])).unwrap(), LnRule::Abs);
        let guidance = Guidance { bias: Some(bias), ..Guidance::default() };
        for (chance, amaf, guided) in [
            (Chance::Sampled, None, false),
            (Chance::Sampled, Some(amaf), false),
            (Chance::Sampled, None, true),
            (Chance::Peek, Some(amaf), false),
            (Chance::OpenLoop, None, false),
            (Chance::Determinised { decks: 2 }, None, false),
        ] {
            let (root, deck) = position();
            let settings = SearchSettings { chance, amaf, ..SearchSettings::default() };
            let mut work = Workspace::default();
            let rng = search_rng(&mut Key::experiment(1).stream());
            let mut search = Search::new(&mut work, &root, Some(&deck), &settings, Uniform, rng);
            let policy = TreePolicy::Uct(Uct::default());
            if guided {
                search = search.with_guidance(&guidance, &policy);
            }
            let grow = |search: &mut Search<Slots, Uniform>| {
                for _ in 0..200 {
                    search.simulate(&policy, Descent::SEARCH);
                }
            };
            grow(&mut search);
            if chance == Chance::Peek {
                // One outcome follows each action, so its node counts the visits of the edge from the first on.
                let tree = search.workspace().tree();
                let followed = tree.edges_followed().into_iter().filter(|edge| tree.edge_links[*edge] != NONE);
                followed.for_each(|edge| assert_eq!(tree.decision_visits(tree.edge_links[edge]), tree.visits[edge]));
            }
            search.save_tree();
            grow(&mut search);
            assert_eq!(search.check(), Ok(()), "{chance:?}");
            assert!(search.workspace().tree() != search.workspace().saved(), "{chance:?}: the tree did not grow");
            search.restore_tree();
            assert!(search.workspace().tree() == search.workspace().saved(), "{chance:?}");
            // What grows from the copy is sound too.
            grow(&mut search);
            assert_eq!(work.check(), Ok(()), "{chance:?}");
        }
    }

    /// A tree whose search uses two numbers of the game: in the value of untried actions, or in a bias where all are
    /// tried first.
    fn with_numbers(values_untried: bool) -> SearchTree<Slots> {
        let (state, _) = position();
        let names = ["dv", "dm"];
        let program = Program::new(
            Tree::parse_over("Qbar + (dv + 3 * dm)", &SearchColumn::terminals(&names)).unwrap(),
            LnRule::Abs,
        );
        let numbers = MoveNumbers::of(NUMBERS, FILL, &names).unwrap();
        let (untried, bias) =
            if values_untried { (Untried::Formula(program), None) } else { (Untried::Expand, Some(program)) };
        let guidance = Guidance { untried, bias, numbers: Some(numbers), ..Guidance::default() };
        let (settings, policy) = (SearchSettings::default(), TreePolicy::Uct(Uct::default()));
        let mut work = Workspace::default();
        let rng = search_rng(&mut Key::experiment(1).stream());
        let mut search = Search::new(&mut work, &state, None, &settings, Uniform, rng);
        search = search.with_guidance(&guidance, &policy);
        for _ in 0..400 {
            search.simulate(&policy, Descent::SEARCH);
        }
        work.tree().clone()
    }

    #[test]
    fn nodes_have_the_numbers_of_their_actions_once_a_formula_asks() {
        let (state, _) = position();
        let mut scratch = state.clone();
        for values_untried in [true, false] {
            let tree = with_numbers(values_untried);
            assert_eq!(tree.check(), Ok(()));
            let has_numbers = |node: usize| tree.further.as_ref().unwrap().numbered[node] != NONE;
            let decisions: Vec<usize> = (0..tree.size()).filter(|node| tree.node(*node).count > 0).collect();
            if values_untried {
                assert!(decisions.iter().all(|node| has_numbers(*node)));
            } else {
                // Where all actions are tried, and another one was selected after that.
                let asked = |node: usize| tree.visits_of_edges(node) > tree.node(node).count as f64;
                assert!(decisions.iter().all(|node| has_numbers(*node) == asked(*node)));
                assert!(decisions.iter().any(|node| !has_numbers(*node)));
            }
            let [dv, dm] = ["dv", "dm"].map(|name| {
                let of_game = NUMBERS.iter().find(|each| each.name == name).unwrap();
                let value = |action: &_| (of_game.value)(&state, *action, &mut scratch);
                tree.actions(0).iter().map(value).collect::<Vec<f64>>()
            });
            // Of the numbers that order untried actions their sum alone is kept.
            let sums = dv.iter().zip(&dm).map(|(dv, dm)| dv + 3.0 * dm).collect();
            let expected: Vec<Vec<f64>> = if values_untried { vec![sums] } else { vec![dv, dm] };
            assert_eq!(tree.further.as_ref().unwrap().numbers.len(), expected.len());
            for (number, expected) in expected.into_iter().enumerate() {
                assert_eq!(tree.numbers(0, number), expected);
            }
        }
    }

    #[test]
    fn a_part_of_a_tree_keeps_its_numbers() {
        let tree = with_numbers(true);
        let with_rows = |tree: &SearchTree<Slots>| {
            let numbered = &tree.further.as_ref().unwrap().numbered;
            (0..tree.size()).filter(|node| numbered[*node] != NONE).collect::<Vec<usize>>()
        };
        let row = |tree: &SearchTree<Slots>, node: usize| {
            let is_compact = tree.node(node).is_compact;
            ((!is_compact).then(|| tree.actions(node).to_vec()), tree.numbers(node, 0).to_vec())
        };
        assert!(with_rows(&tree).into_iter().any(|node| tree.node(node).is_compact));
        let mut below = 0;
        for root in with_rows(&tree).into_iter().skip(1) {
            let mut part = SearchTree::new();
            part.copy_below(&tree, root);
            assert_eq!(part.check(), Ok(()));
            assert_eq!(row(&part, 0), row(&tree, root));
            below += with_rows(&part).len() - 1;
        }
        assert!(below > 0, "no part has a further node with numbers");
    }

    #[test]
    fn corrupted_numbers_are_found() {
        let tree = with_numbers(true);
        let spoilt = |spoil: fn(&mut FurtherColumns)| {
            let mut tree = tree.clone();
            spoil(tree.further.as_mut().unwrap());
            tree.check().unwrap_err()
        };
        assert!(spoilt(|further| further.numbers[0].truncate(3)).contains("a column of 3 numbers"));
        assert!(spoilt(|further| further.numbered[0] += 1).contains("a row of numbers begins at"));
        assert!(spoilt(|further| further.numbered[0] = NONE).contains("a row of numbers begins at"));
        assert!(spoilt(|further| further.numbered.truncate(1)).contains("1 rows of numbers"));
    }

    #[test]
    fn corrupted_columns_of_all_moves_as_first_are_found() {
        let settings = SearchSettings { amaf: Some(AmafSettings::default()), ..SearchSettings::default() };
        let work = grown(&settings);
        assert_eq!(work.tree().check(), Ok(()));
        let spoilt = |spoil: fn(&mut AmafColumns<Kind>)| {
            let mut tree = work.tree().clone();
            spoil(tree.amaf.as_mut().unwrap());
            tree.check().unwrap_err()
        };
        assert!(spoilt(|amaf| amaf.keys[2] += 1).contains("the key of another action"));
        assert!(spoilt(|amaf| amaf.nodes[1].bits ^= 1).contains("the bits of other actions"));
        assert!(spoilt(|amaf| amaf.nodes[1].list ^= 1).contains("the list of other decisions"));
        assert!(spoilt(|amaf| amaf.sums.truncate(3)).contains("another length"));
    }

    #[test]
    fn every_corruption_is_found() {
        for chance in [Chance::Sampled, Chance::OpenLoop] {
            let work = grown(&SearchSettings { chance, ..SearchSettings::default() });
            assert_eq!(work.tree().check(), Ok(()));
            let spoilt = |spoil: fn(&mut SearchTree<Slots>)| {
                let mut tree = work.tree().clone();
                spoil(&mut tree);
                tree.check().unwrap_err()
            };
            assert!(spoilt(|tree| tree.means[1] += 0.5).contains("mean"));
            assert!(spoilt(|tree| tree.visits.truncate(3)).contains("columns"));
            assert!(spoilt(|tree| tree.nodes[0].visits -= 1.0).contains("its edges"));
            assert!(spoilt(|tree| tree.nodes[1].visits += 1e6).contains("the nodes after it"));
            assert!(spoilt(|tree| tree.nodes[0].count -= 1).contains("belongs to no node"));
            assert!(spoilt(|tree| tree.nodes[0].untried = 1).contains("untried"));
            assert!(spoilt(|tree| tree.links.redirect(1_000_000)).contains("does not exist"));
            assert!(spoilt(|tree| tree.links.redirect(0)).contains("linked"));
            assert!(spoilt(|tree| tree.links.add(&mut { NONE }, None, 0)).contains("links, expected"));
            if chance == Chance::Sampled {
                let spoilt_compact = |spoil: fn(&mut SearchTree<Slots>, usize)| {
                    let mut tree = work.tree().clone();
                    // Neither choice was the last of the actions left, so both stay valid with one action fewer.
                    let is_compact = |node: &PackedNode| {
                        let early = |edge: usize, left| tree.untried[edge] < left;
                        node.is_compact
                            && node.count - node.untried == 2
                            && early(node.first, node.untried)
                            && early(tree.edge_links[node.first] as usize, node.untried + 1)
                    };
                    let node = tree.nodes.iter().position(is_compact).unwrap();
                    spoil(&mut tree, node);
                    tree.check().unwrap_err()
                };
                assert!(spoilt_compact(|tree, node| tree.nodes[node].untried += 1).contains("more edges apart"));
                assert!(spoilt_compact(|tree, node| tree.nodes[node].untried -= 1).contains("does not exist"));
                assert!(spoilt_compact(|tree, node| tree.nodes[node].untried = 0).contains("it is compact"));
                assert!(
                    spoilt_compact(|tree, node| tree.untried[tree.nodes[node].first] = 4_000)
                        .contains("choice 4000 of")
                );
                let used = spoilt_compact(|tree, _| {
                    let edge = tree.add_row(&[tree.actions[0]]);
                    tree.spare.push(edge as u32);
                    tree.update(edge, 1.0);
                });
                assert!(used.contains("is spare and has visits"), "{used}");
                let given_twice = spoilt_compact(|tree, node| tree.spare.push(tree.nodes[node].first as u32));
                assert!(given_twice.contains("belongs to two nodes"));
                assert!(
                    spoilt_compact(|tree, _| {
                        tree.add_row(&[tree.actions[0]]);
                    })
                    .contains("belongs to no node")
                );
            }
            if chance == Chance::OpenLoop {
                let lost = spoilt(|tree| {
                    let key = *tree.open.keys().next().unwrap();
                    tree.open.remove(&key);
                });
                assert!(lost.contains("belongs to no node"));
            }
        }
    }
}
