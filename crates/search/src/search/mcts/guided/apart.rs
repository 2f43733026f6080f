//! Selection where a formula values untried children: tried ones apart from untried ones, of which mostly one counts.
//!
//! A node has a hundred legal moves and few tried ones. The tree policy is evaluated for the tried ones alone. Where the
//! formula for untried children orders them by a part that only the move knows ([`Tree::move_part`]), the best of them
//! is known before the formula is evaluated, which therefore sees two children: the best, and the next, whose value
//! may be equal by rounding. So it is where node priors make untried children compete. The choice is what it is where
//! every child has its value, to the bit, unless a value inside a formula is infinite.
//!
//! [`Tree::move_part`]: evouct_gp::Tree::move_part

use super::super::view::{Learned, View};
use super::super::workspace::{GuidedRow, Workspace};
use super::super::{Edge, Search};
use super::move_columns::keeps;
use crate::game::{Game, Playout};
use crate::search::guidance::{Guidance, Untried};
use crate::search::policy::{Choice, TreePolicy, UcbForm};
use crate::search::rave::Amaf;
use crate::search::reward_rule::RewardSource;
use crate::search::tree::{Leading, Node, SearchTree};
use evouct_base::sampling::{below, first_highest, random_highest};
use evouct_gp::{ColumnValues, Program};
use rand::Rng;

/// The leading untried children as a formula sees them: as many as cost least. They have no statistics.
const LEADING: usize = Program::padded(2);
const NOTHING: [f64; LEADING] = [0.0; LEADING];

/// Takes the places, mean rewards and visits of a node's tried children, then of its leading untried ones, and repeats
/// the last where more children cost less. Returns their number without repetition; none if a tried child has no
/// visits, as a simulation without an update leaves it.
fn gather<G: Game>(tree: &SearchTree<G>, node: usize, leading: Option<Leading>, row: &mut GuidedRow) -> Option<usize> {
    let GuidedRow { means, visits, places, .. } = row;
    let tried = tree.tried(node);
    places.clear();
    places.extend_from_slice(tried);
    places.extend(leading.iter().flat_map(|leading| leading.places));
    let count = places.len();
    if let Some(last) = places.last() {
        places.resize(Program::padded(count), *last);
    }
    means.clear();
    visits.clear();
    if tried.is_empty() {
        means.resize(places.len(), 0.0);
        visits.resize(places.len(), 0.0);
        return Some(count);
    }
    let (all_means, all_visits) = tree.statistics(node);
    debug_assert!(tried.is_sorted() && all_visits.iter().filter(|visits| **visits > 0.0).count() <= tried.len());
    means.extend(places.iter().map(|place| all_means[*place as usize]));
    visits.extend(places.iter().map(|place| all_visits[*place as usize]));
    (!visits[..tried.len()].contains(&0.0)).then_some(count)
}

/// A random one of the untried children with the highest value, by its number among the untried ones.
pub(super) fn highest_untried<G: Game>(tree: &SearchTree<G>, node: usize, values: &[f64], rng: &mut impl Rng) -> usize {
    random_highest(tree.untried(node).iter().map(|place| values[*place as usize]), rng)
}

/// A random one of the leading untried children by these numbers, which are finite, as [`highest_untried`].
fn highest_leading<G: Game>(
    tree: &SearchTree<G>,
    node: usize,
    (numbers, leading): (&[f64], Leading),
    rng: &mut impl Rng,
) -> usize {
    let highest = numbers[leading.places[0] as usize];
    let chosen = below(rng, leading.ties as usize);
    let is_equal = |place: usize| numbers[place] == highest;
    let choice = if leading.untried as usize == numbers.len() {
        (0..numbers.len()).filter(|place| is_equal(*place)).nth(chosen)
    } else {
        tree.untried(node)
            .iter()
            .enumerate()
            .filter(|(_, place)| is_equal(**place as usize))
            .map(|(choice, _)| choice)
            .nth(chosen)
    };
    choice.expect("as many untried children are equal")
}

impl<G: Game, P: Playout<G>> Search<'_, G, P> {
    /// What [`choose_guided`](Search::choose_guided) chooses; none where it must value all children.
    pub(super) fn choose_apart(
        &mut self,
        guidance: &Guidance<G>,
        node: usize,
        policy: &TreePolicy,
        expand: bool,
    ) -> Option<Option<Edge>> {
        let Untried::Formula(formula) = &guidance.untried else { return None };
        let adds = guidance.prior.is_some() || guidance.bias.is_some() || guidance.implicit.is_some();
        let is_of_child = match policy {
            TreePolicy::Uct(uct) => uct.form != UcbForm::Tuned,
            TreePolicy::Rave(_) | TreePolicy::Custom(_) => false,
            TreePolicy::Formula(formula) => keeps(formula.program.needs()),
        };
        // Only a constant that is drawn at every use is a matter of untried children, too.
        let draws = matches!(policy, TreePolicy::Formula(formula) if formula.constant.is_none());
        let is_compact = self.work.tree.node(node).is_compact;
        if adds || !is_of_child || (draws && is_compact) {
            return None;
        }
        self.complete_numbers(guidance, node);
        let (minimises, parent) = (self.minimises(node), self.parent_visits(node));
        let Workspace { tree, state, guided, path, log, table, values: memory, .. } = &mut *self.work;
        let Node { first, untried, .. } = tree.node(node);
        let part = self.moves.column_of_part(0);
        let leading = (self.moves.orders() && untried > 0).then(|| tree.leading(node, part, &mut guided.further));
        let tree = &*tree;
        let tried = gather(tree, node, None, guided)?;
        let GuidedRow { means, visits, values, further, places, columns, scratch, .. } = guided;
        let state = state.as_ref().expect("the workspace has a position");
        let source = RewardSource { rule: self.rewards, reward: self.settings.reward, bound: self.bound };
        let (statistics, depth, left) = ((&means[..tried], &visits[..tried]), path.len(), self.left);
        let moves = &self.moves;
        let learned = Some(Learned { table, log, path, enough: self.settings.learned.grave_visits });
        let view = View { tree, guidance, moves, learned, node, statistics, state, depth, left, source, parent };
        let choice = Choice { means, visits, amaf: Amaf::default(), parent, minimises };
        let of_tried = if tried > 0 || draws {
            view.value_some_by(moves.policy(policy), choice, places, columns, memory, &mut self.rng)
        } else {
            &[]
        };
        let best_tried = (tried > 0).then(|| {
            let chosen = first_highest(of_tried[..tried].iter().copied());
            (of_tried[chosen], Edge { index: first + places[chosen] as usize, is_new: false })
        });
        if untried == 0 {
            return Some(best_tried.map(|(_, edge)| edge));
        }
        let tries = |best_untried: f64| best_tried.filter(|(value, _)| *value >= best_untried);
        if let Some(leading) = leading.filter(|leading| leading.is_finite) {
            let [best, next] = leading.places;
            let mut places = [next; LEADING];
            places[0] = best;
            view.evaluate_some(
                moves.untried(formula),
                (&places, (&NOTHING, &NOTHING)),
                &mut (columns, scratch, further),
            );
            if further[0].is_finite() {
                if let Some((_, edge)) = tries(further[0]) {
                    return Some(Some(edge));
                }
                // Where rounding makes the formula equal for different parts, every child is valued.
                if best == next || further[1] < further[0] {
                    let order = (tree.numbers(node, part), leading);
                    let choice = expand.then(|| highest_leading(tree, node, order, &mut self.rng));
                    return Some(choice.map(|choice| self.take_choice(node, choice)));
                }
            }
        }
        if is_compact {
            return None;
        }
        view.evaluate(moves.untried(formula), &mut (columns, scratch, values));
        let best = tree.untried(node).iter().map(|place| values[*place as usize]).fold(f64::NEG_INFINITY, f64::max);
        if let Some((_, edge)) = tries(best) {
            return Some(Some(edge));
        }
        let choice = expand.then(|| highest_untried(tree, node, values, &mut self.rng));
        Some(choice.map(|choice| self.take_choice(node, choice)))
    }

    /// The same where node priors make untried children compete with tried ones: see
    /// [`Prior`](crate::search::guidance::Prior).
    pub(super) fn choose_by_prior(
        &mut self,
        guidance: &Guidance<G>,
        node: usize,
        policy: &TreePolicy,
        expand: bool,
    ) -> Option<Option<Edge>> {
        let (Some(prior), TreePolicy::Uct(uct)) = (&guidance.prior, policy) else { return None };
        // Only sums of whole numbers are the same in any order.
        let is_whole = prior.visits.fract() == 0.0;
        let adds = guidance.bias.is_some() || guidance.implicit.is_some();
        if adds || !is_whole || !self.moves.orders() || uct.form == UcbForm::Tuned {
            return None;
        }
        self.complete_numbers(guidance, node);
        let (minimises, parent) = (self.minimises(node), self.parent_visits(node));
        let Workspace { tree, state, guided, path, log, table, values: memory, .. } = &mut *self.work;
        let Node { first, count, untried, .. } = tree.node(node);
        let part = self.moves.column_of_part(0);
        let leading = (untried > 0).then(|| tree.leading(node, part, &mut guided.further));
        let tree = &*tree;
        if leading.is_some_and(|leading| !leading.is_finite) {
            return None;
        }
        let known = gather(tree, node, leading, guided)?;
        let GuidedRow { means, visits, values, further, places, columns, scratch, .. } = guided;
        let state = state.as_ref().expect("the workspace has a position");
        let source = RewardSource { rule: self.rewards, reward: self.settings.reward, bound: self.bound };
        let (statistics, depth, left) = ((&means[..known], &visits[..known]), path.len(), self.left);
        let moves = &self.moves;
        let learned = Some(Learned { table, log, path, enough: self.settings.learned.grave_visits });
        let view = View { tree, guidance, moves, learned, node, statistics, state, depth, left, source, parent };
        view.evaluate_some(moves.untried(&prior.mean), (places, (means, visits)), &mut (columns, scratch, further));
        values.clear();
        for ((mean, visits), mixed) in means.iter().zip(&*visits).zip(&mut *further) {
            *mixed = (mean * visits + *mixed * prior.visits) / (visits + prior.visits);
            values.push(visits + prior.visits);
        }
        let parent = 1.0 + (visits[..known].iter().sum::<f64>() + count as f64 * prior.visits);
        let choice = Choice { means: further, visits: values, amaf: Amaf::default(), parent, minimises };
        let values = policy.values_over(choice, ColumnValues::default(), memory, &mut self.rng);
        let (of_tried, of_untried) = values[..known].split_at(count - untried);
        let best_tried = first_highest(of_tried.iter().copied());
        let edge = |place: usize| Some(Some(Edge { index: first + places[place] as usize, is_new: false }));
        let (Some(leading), [best, next]) = (leading, of_untried) else { return edge(best_tried) };
        if !best.is_finite() {
            return None;
        }
        if of_tried.get(best_tried).is_some_and(|value| value >= best) {
            return edge(best_tried);
        }
        if leading.places[0] != leading.places[1] && next >= best {
            return None;
        }
        let order = (tree.numbers(node, part), leading);
        let choice = expand.then(|| highest_leading(tree, node, order, &mut self.rng));
        Some(choice.map(|choice| self.take_choice(node, choice)))
    }
}

#[cfg(test)]
mod tests;
