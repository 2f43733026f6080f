//! Nodes that are compact until they have been visited a few times: see
//! [`SearchTree::take_compact`](super::SearchTree::take_compact).

use super::super::settings::LeafReward;
use super::super::tree::Node;
use super::{Search, Workspace};
use crate::game::{Game, Playout};

impl<G: Game, P: Playout<G>> Search<'_, G, P> {
    /// Whether nodes below the root are compact. Not where statistics of actions are kept before they are tried,
    /// nor where the number of an edge must stay. With guidance only where the best action of a new node is known from
    /// its numbers: most nodes are visited once then. A node whose actions are all tried first lists them again at each
    /// visit until it has its row, which takes more time than the row.
    pub(super) fn starts_compact(&self) -> bool {
        let may_be = self.work.tree.may_be_compact() && self.settings.leaf_reward != LeafReward::Stored;
        may_be && self.guidance.is_none_or(|guidance| guidance.widening.is_none() && self.moves.orders())
    }

    /// Gives a compact node its row. The search is in its position.
    pub(super) fn complete_row(&mut self, node: usize) {
        self.list_actions(node);
        let Workspace { tree, actions, .. } = &mut *self.work;
        tree.complete_row(node, actions);
    }

    /// Lists the actions of a compact node in the memory of the search, which is in its position.
    #[inline]
    fn list_actions(&mut self, node: usize) {
        let Workspace { tree, state, actions, .. } = &mut *self.work;
        let Node { count, untried, .. } = tree.node(node);
        // The actions of a node without a tried edge were listed in this iteration, when it was added.
        if untried < count {
            state.as_ref().expect("the workspace has a position").actions(actions);
        }
    }

    /// Takes an untried edge of a compact node.
    #[inline]
    pub(super) fn take_compact(&mut self, node: usize, choice: usize) -> usize {
        self.list_actions(node);
        let Workspace { tree, actions, .. } = &mut *self.work;
        tree.take_compact(node, choice, actions)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::slots::{FILL, NUMBERS, Place, Slots};
    use crate::game::{Deck, MoveNumbers, Turn, Uniform};
    use crate::search::{
        AmafSettings, Chance, Child, FormulaPolicy, Guidance, Prior, SearchColumn, SearchSettings, TreePolicy, Uct,
        Untried,
    };
    use evouct_base::sampling::below;
    use evouct_base::seed::{Key, SearchRng, search_rng};
    use evouct_gp::{ConstantSet, LnRule, Program, Tree};

    fn rng(number: u64) -> SearchRng {
        search_rng(&mut Key::experiment(number).stream())
    }

    /// The turn of a seat after so many random moves.
    fn position(moves: usize) -> Slots {
        let (mut state, mut rng, mut actions) = (Slots::new(), rng(7), Vec::new());
        loop {
            while Game::turn(&state) == Turn::Chance {
                Game::sample(&mut state, &mut rng);
            }
            if state.past.len() >= moves {
                return state;
            }
            Game::actions(&state, &mut actions);
            Game::play(&mut state, actions[below(&mut rng, actions.len())]);
        }
    }

    /// With and without statistics that rule out compact nodes.
    fn in_both_forms<R: PartialEq + std::fmt::Debug>(
        settings: &SearchSettings,
        of: impl Fn(&SearchSettings) -> R,
    ) -> R {
        let compact = of(settings);
        let rows = of(&SearchSettings { amaf: Some(AmafSettings::default()), ..*settings });
        assert_eq!(compact, rows, "{settings:?}");
        compact
    }

    #[test]
    fn a_search_with_compact_nodes_is_the_search_with_rows() {
        let state = position(12);
        let deck = <<Slots as Game>::Deck as Deck<Slots>>::shuffled(&state, &mut rng(8));
        for (chance, most) in [(Chance::Sampled, None), (Chance::Sampled, Some(60)), (Chance::Peek, None)] {
            let settings = SearchSettings { chance, max_tree_nodes: most, ..SearchSettings::default() };
            let policy = TreePolicy::Uct(Uct::default());
            in_both_forms(&settings, |settings| {
                let mut work = Workspace::default();
                let mut search = Search::new(&mut work, &state, Some(&deck), settings, Uniform, rng(9));
                let grow = |search: &mut Search<'_, Slots, Uniform>| {
                    for _ in 0..400 {
                        search.iterate(&policy);
                    }
                    assert_eq!(search.check(), Ok(()));
                    search.children()
                };
                let first = grow(&mut search);
                search.save_tree();
                let second = grow(&mut search);
                search.restore_tree();
                assert_eq!(search.children(), first);
                let third = grow(&mut search);
                let is_compact = |node: &usize| work.tree().node(*node).is_compact;
                let compact = (0..work.tree().size()).filter(is_compact).count();
                assert_eq!(compact > 0, settings.amaf.is_none(), "{compact} nodes are compact");
                [first, second, third]
            });
        }
    }

    /// The decisions at the end of a game: whether the search went on in the tree of the one before, with how many
    /// visits, and what it found.
    fn end_of_a_game(settings: &SearchSettings) -> Vec<(bool, f64, Vec<Child<Place>>)> {
        let (mut state, mut work, mut decisions) = (position(24), Workspace::default(), Vec::new());
        for number in 0.. {
            match Game::turn(&state) {
                Turn::Terminal => break,
                Turn::Chance => {
                    Game::sample(&mut state, &mut rng(number));
                }
                Turn::Player(_) => {
                    let mut search = Search::new(&mut work, &state, None, settings, Uniform, rng(number));
                    let visits = search.work.tree.node(0).visits;
                    for _ in 0..60 {
                        search.iterate(&TreePolicy::Uct(Uct::default()));
                    }
                    assert_eq!(search.check(), Ok(()));
                    let children = search.children();
                    decisions.push((search.is_continued, visits, children.clone()));
                    let best = children.iter().max_by(|a, b| a.visits.total_cmp(&b.visits));
                    let action = best.expect("a legal move").action;
                    Game::play(&mut state, action);
                }
            }
        }
        decisions
    }

    /// A formula over the highest reward of an edge has a column with an entry for every edge, so that nodes have rows.
    #[test]
    fn guided_search_with_compact_nodes_is_that_with_rows() {
        let names = ["dv", "dm"];
        let read = |text| Program::new(Tree::parse_over(text, &SearchColumn::terminals(&names)).unwrap(), LnRule::Abs);
        let (constant, constants) = (Some(1.0), ConstantSet::default());
        let formula = FormulaPolicy { program: read("Q + 2 * sqrt(ln(N) / n) + dv / n"), constant, constants };
        let formulas = (TreePolicy::Formula(formula), Untried::Formula(read("Qbar + 2 * sqrt(ln(N)) + dv")), None);
        let prior = Prior { mean: read("Qbar + (dv + 3 * dm)"), visits: 2.0 };
        let priors = (TreePolicy::Uct(Uct::default()), Untried::Expand, Some(prior));
        let state = position(6);
        for (policy, untried, prior) in [formulas, priors] {
            let [compact, rows] = [None, Some(read("best"))].map(|final_move| {
                let numbers = MoveNumbers::of(NUMBERS, FILL, &names).ok();
                let (untried, prior) = (untried.clone(), prior.clone());
                let guidance = Guidance { untried, prior, final_move, numbers, ..Guidance::default() };
                let (mut work, settings) = (Workspace::default(), SearchSettings::default());
                let search = Search::new(&mut work, &state, None, &settings, Uniform, rng(3));
                let mut search = search.with_guidance(&guidance, &policy);
                let mut grow = || {
                    (0..300).for_each(|_| _ = search.iterate(&policy));
                    assert_eq!(search.check(), Ok(()));
                    search.children()
                };
                let children = [grow(), grow()];
                let tree = work.tree();
                let compact: Vec<Node> =
                    (0..tree.size()).map(|node| tree.node(node)).filter(|node| node.is_compact).collect();
                assert!(compact.iter().all(|node| node.count - node.untried == 1));
                (children, tree.size(), compact.len())
            });
            assert_eq!((&compact.0, compact.1), (&rows.0, rows.1));
            assert!(compact.2 > 50 && rows.2 == 0, "{} and {} of {} are compact", compact.2, rows.2, rows.1);
        }
    }

    #[test]
    fn a_tree_with_compact_nodes_goes_on_as_one_with_rows() {
        let settings = SearchSettings { reuse: true, ..SearchSettings::default() };
        let decisions = in_both_forms(&settings, end_of_a_game);
        let continued: Vec<f64> = decisions.iter().filter(|found| found.0).map(|found| found.1).collect();
        assert!(continued.len() >= 4, "{continued:?}");
        // A root of so few visits had no row.
        assert!(continued.iter().any(|visits| (1.0..=3.0).contains(visits)), "{continued:?}");
    }
}
