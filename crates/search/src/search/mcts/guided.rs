//! Selection with [`Guidance`]: what a search does at a node if formulas need further columns, if untried children
//! compete with tried ones, or if knowledge of the game is used. Plain searches do not come here.

use self::apart::highest_untried;
use self::move_columns::{MoveColumns, OverColumns, OwnColumn};
use super::super::decisive::{lets, wins};
use super::super::guidance::{Guidance, ImplicitMinimax, Untried};
use super::super::policy::{Choice, TreePolicy};
use super::super::reward_rule::RewardSource;
use super::super::search_column::SearchColumn;
use super::super::tree::Node;
use super::view::{Learned, View};
use super::workspace::{GuidedRow, Workspace};
use super::{Edge, Search};
use crate::game::{Game, MAX_SEATS, Playout, Ply};
use evouct_base::sampling::{below, first_highest};
use evouct_gp::{Column, ColumnValues, Needs, Program};

/// Which untried edges a search takes one of.
#[derive(Clone, Copy)]
enum Among {
    /// All.
    All,
    /// Those with the highest value.
    Best,
}

impl<'a, G: Game, P: Playout<G>> Search<'a, G, P> {
    /// The same search with this guidance, and with the columns that it and the policy need. Must come before the first
    /// iteration. Not with [`Chance::OpenLoop`](crate::search::Chance::OpenLoop), whose nodes keep no rows.
    ///
    /// # Panics
    /// If a formula uses a number of moves that is not among the guidance's numbers.
    #[must_use]
    pub fn with_guidance(self, guidance: &'a Guidance<G>, policy: &TreePolicy) -> Search<'a, G, P> {
        self.guided_by(guidance, &policy.needs(), Some(policy))
    }

    /// The same, with further columns that policies and guidance need which the search takes later.
    ///
    /// # Panics
    /// If a formula uses a number of moves that is not among the guidance's numbers, `P` without a policy, or a statistic
    /// that is not a [`SearchColumn`].
    #[must_use]
    pub fn with_guidance_and(self, guidance: &'a Guidance<G>, further: &Needs) -> Search<'a, G, P> {
        self.guided_by(guidance, further, None)
    }

    fn guided_by(
        mut self,
        guidance: &'a Guidance<G>,
        further: &Needs,
        policy: Option<&TreePolicy>,
    ) -> Search<'a, G, P> {
        let mut needs = guidance.needs();
        further.columns().for_each(|column| needs.add(column));
        if guidance.is_empty() && needs.is_empty() {
            return self;
        }
        if let Some(missing) = needs.move_numbers().find(|name| !guidance.number_names().contains(name)) {
            panic!("the guidance lacks the number {missing}, which a formula uses");
        }
        if guidance.policy.is_none() && needs.by_child.contains(&SearchColumn::Prior.column()) {
            panic!("the guidance lacks a policy, whose P a formula uses");
        }
        let is_strange = |column: &Column| matches!(column, Column::Declared(_)) && SearchColumn::of(*column).is_none();
        if let Some(strange) = needs.columns().find(is_strange) {
            panic!("a search does not know the statistic {}, which a formula uses", strange.name());
        }
        self.guidance = Some(guidance);
        self.moves = MoveColumns::of(guidance, policy);
        self.learn_for(&needs);
        self.needs_left |= needs.by_node.contains(&SearchColumn::Left.column());
        self.needs = needs;
        self.keep_columns();
        self
    }

    /// From now on, this guidance instead. The search must keep the columns of both: see
    /// [`with_guidance_and`](Self::with_guidance_and).
    ///
    /// # Panics
    /// If the guidance has other numbers of moves, or if only one of both has a policy. Nodes have the priors of the first.
    pub fn take_guidance(&mut self, guidance: &'a Guidance<G>) {
        let of = |guidance: Option<&'a Guidance<G>>| {
            guidance.map_or((&[][..], false), |guidance| (guidance.number_names(), guidance.policy.is_some()))
        };
        assert_eq!(of(self.guidance), of(Some(guidance)), "a guidance with other columns by move");
        self.guidance = Some(guidance);
        // The tree has the part of the first guidance.
        self.moves.over_columns = OverColumns::default();
    }

    /// Makes the tree, which has its root only, keep what the formulas need.
    pub(super) fn keep_columns(&mut self) {
        let Some(guidance) = self.guidance.filter(|_| !self.is_continued) else { return };
        let columns = self.needs.by_child.iter();
        use SearchColumn::{Best, Deviation, ProvenDraw, ProvenLoss, ProvenWin};
        let [squares, best, wins, losses, draws] = [Deviation, Best, ProvenWin, ProvenLoss, ProvenDraw]
            .map(|wanted| columns.clone().any(|column| *column == wanted.column()));
        let (implicit, proofs) = (guidance.implicit.is_some(), wins || losses || draws);
        self.work.tree.keep_columns([squares, best, implicit, proofs], self.moves.count());
        self.begin_implicit();
    }

    /// Computes the heuristic values of the moves of the node that was added last, in whose position the search is, if
    /// it needs them.
    pub(super) fn begin_implicit(&mut self) {
        let Some((guidance, implicit)) = self.guidance.and_then(|all| Some((all, all.implicit.as_ref()?))) else {
            return;
        };
        let node = self.work.tree.size() - 1;
        self.evaluate(guidance, node, &implicit.value);
        let Workspace { tree, guided, .. } = &mut *self.work;
        tree.set_implicit(node, &guided.values);
    }

    /// Ensures that a node has what the tree keeps of its moves: see [`MoveColumns`]. The search is in its position, and if
    /// the node is compact, none of its edges is tried.
    pub(super) fn complete_numbers(&mut self, guidance: &Guidance<G>, node: usize) {
        if self.moves.count() == 0 || self.work.tree.has_numbers(node) {
            return;
        }
        let Guidance { numbers, policy, .. } = guidance;
        let names = guidance.number_names();
        let mover = self.work.tree.node(node).mover;
        let Workspace { tree, state, scratch, guided, actions, log, table, .. } = &mut *self.work;
        let state = state.as_ref().expect("the workspace has a position");
        let GuidedRow { numbers: columns, further: nothing, scratch: of_formulas, .. } = guided;
        // The actions of a compact node were listed in this iteration, when it was added.
        let actions = if tree.node(node).is_compact { &actions[..] } else { tree.actions(node) };
        let count = actions.len();
        columns.resize(names.len(), Vec::new());
        columns.iter_mut().for_each(Vec::clear);
        if let Some(numbers) = numbers {
            numbers.fill(state, actions, scratch.get_or_insert_with(|| state.clone()), columns);
        }
        let own = self.moves.own().iter().map(|which| {
            let (scratch, mut found) = (scratch.get_or_insert_with(|| state.clone()), Vec::with_capacity(count));
            match which {
                OwnColumn::Number => {
                    let ply = |action: &G::Action| Ply { seat: mover, drawn: log.drawn(mover), action: *action };
                    found.extend(actions.iter().map(|action| f64::from(table.number(state, ply(action)))));
                }
                OwnColumn::Wins => wins(state, (mover, actions), scratch, &mut found),
                OwnColumn::Lets => lets(state, (mover, actions), scratch, &mut found),
            }
            found
        });
        let found: Vec<Vec<f64>> = own.collect();
        tree.fill_numbers(node, |kept| {
            let (kept, priors, own, parts) = self.moves.split(kept);
            own.iter_mut().zip(&found).for_each(|(column, values)| column.extend_from_slice(values));
            for (kept, place) in kept.iter_mut().zip(self.moves.numbers()) {
                kept.extend_from_slice(&columns[*place]);
            }
            if let (Some(policy), Some(priors)) = (policy, priors) {
                policy.push(count, (names, columns), (of_formulas, nothing), priors);
            }
            self.moves.push(count, (names, columns), (of_formulas, nothing), parts);
        });
    }

    /// Counts the rewards of a simulation in the further columns of its path.
    pub(super) fn update_further(&mut self, rewards: &[f64; MAX_SEATS]) {
        let Workspace { tree, path, .. } = &mut *self.work;
        for (edge, mover) in path.iter().filter_map(|step| step.edge.map(|edge| (edge, step.mover))) {
            tree.update_further(edge, rewards[mover]);
        }
        if let Some(backup) = self.guidance.and_then(|guidance| guidance.backup.as_deref()) {
            let Workspace { tree, path, beside, .. } = &mut *self.work;
            for step in path.iter().rev() {
                if let Some(edge) = step.edge {
                    tree.back_up_by(backup, (step.node, edge, rewards[step.mover]), beside);
                }
            }
        }
        if self.guidance.is_some_and(|guidance| guidance.implicit.is_some()) {
            let Workspace { tree, path, beside, .. } = &mut *self.work;
            for (node, edge) in path.iter().rev().filter_map(|step| Some((step.node, step.edge?))) {
                tree.back_up_implicit(node, edge, beside);
            }
        }
    }

    /// As [`choose`](Search::choose) with guidance.
    pub(super) fn choose_guided(
        &mut self,
        guidance: &Guidance<G>,
        node: usize,
        policy: &TreePolicy,
        expand: bool,
    ) -> Option<Edge> {
        let Node { count, untried, is_compact, .. } = self.work.tree.node(node);
        if is_compact && untried < count && !guidance.tries_all_first() {
            self.complete_row(node);
        }
        if let Some(widening) = guidance.widening.as_ref().filter(|_| untried > 0) {
            let tried = count - untried;
            if (tried as f64) < widening.allowed(self.work.tree.node(node).visits) {
                return expand.then(|| match &widening.order {
                    None => self.take_untried(node, Among::All),
                    Some(order) => {
                        self.evaluate(guidance, node, order);
                        self.take_untried(node, Among::Best)
                    }
                });
            }
            self.value_children(guidance, node, policy);
            self.leave_out_untried(node);
        } else if untried > 0 && guidance.tries_all_first() {
            return expand.then(|| self.take_untried(node, Among::All));
        } else if let Some(choice) = self
            .choose_apart(guidance, node, policy, expand)
            .or_else(|| self.choose_by_prior(guidance, node, policy, expand))
        {
            return choice;
        } else if self.work.tree.node(node).is_compact {
            self.complete_row(node);
            return self.choose_guided(guidance, node, policy, expand);
        } else {
            self.value_children(guidance, node, policy);
        }
        let (_, visits) = self.work.tree.statistics(node);
        let values = &self.work.guided.values;
        let chosen = first_highest(values.iter().copied());
        let highest = values[chosen];
        let best_tried = values.iter().zip(visits).position(|(value, visits)| *value == highest && *visits > 0.0);
        match best_tried {
            Some(place) => Some(Edge { index: self.work.tree.node(node).first + place, is_new: false }),
            None if untried == 0 => Some(Edge { index: self.work.tree.node(node).first + chosen, is_new: false }),
            None => expand.then(|| self.take_untried(node, Among::Best)),
        }
    }

    /// Takes a random edge of these untried ones.
    fn take_untried(&mut self, node: usize, among: Among) -> Edge {
        let Workspace { tree, guided, .. } = &*self.work;
        let choice = match among {
            Among::All => below(&mut self.rng, tree.node(node).untried),
            Among::Best => highest_untried(tree, node, &guided.values, &mut self.rng),
        };
        self.take_choice(node, choice)
    }

    /// Takes the untried edge of this number. Not inlined at each of its uses: playouts leave little room in the cache for
    /// code.
    #[inline(never)]
    fn take_choice(&mut self, node: usize, choice: usize) -> Edge {
        let index = if self.work.tree.node(node).is_compact {
            self.take_compact(node, choice)
        } else {
            self.work.tree.take_untried_in_order(node, choice)
        };
        Edge { index, is_new: true }
    }

    fn leave_out_untried(&mut self, node: usize) {
        let Workspace { tree, guided, .. } = &mut *self.work;
        let (_, visits) = tree.statistics(node);
        for (value, _) in guided.values.iter_mut().zip(visits).filter(|(_, visits)| **visits == 0.0) {
            *value = f64::NEG_INFINITY;
        }
    }

    /// The values of a formula for the children of a node, in the memory of guided selection.
    pub(super) fn evaluate(&mut self, guidance: &Guidance<G>, node: usize, program: &Program) {
        self.complete_numbers(guidance, node);
        let parent = self.parent_visits(node);
        let Workspace { tree, state, guided, path, log, table, .. } = &mut *self.work;
        let state = state.as_ref().expect("the workspace has a position");
        let source = RewardSource { rule: self.rewards, reward: self.settings.reward, bound: self.bound };
        let (depth, left) = (path.len(), self.left);
        let statistics = tree.statistics(node);
        let moves = &self.moves;
        let learned = Some(Learned { table, log, path, enough: self.settings.learned.grave_visits });
        let view = View { tree, guidance, moves, learned, node, statistics, state, depth, left, source, parent };
        view.evaluate(program, &mut (&mut guided.columns, &mut guided.scratch, &mut guided.values));
    }

    /// The value of every child, tried or not, in the memory of guided selection.
    pub(super) fn value_children(&mut self, guidance: &Guidance<G>, node: usize, policy: &TreePolicy) {
        self.complete_numbers(guidance, node);
        let minimises = self.minimises(node);
        let mut parent = self.parent_visits(node);
        let Workspace { tree, state, guided, path, log, table, values: memory, .. } = &mut *self.work;
        let state = state.as_ref().expect("the workspace has a position");
        let source = RewardSource { rule: self.rewards, reward: self.settings.reward, bound: self.bound };
        let (depth, left) = (path.len(), self.left);
        let statistics = tree.statistics(node);
        let moves = &self.moves;
        let learned = Some(Learned { table, log, path, enough: self.settings.learned.grave_visits });
        let view = View { tree, guidance, moves, learned, node, statistics, state, depth, left, source, parent };
        let GuidedRow { means, visits, values, further, columns, scratch, .. } = guided;
        let (real_means, real_visits) = statistics;
        means.clear();
        means.extend_from_slice(real_means);
        visits.clear();
        visits.extend_from_slice(real_visits);
        if let Some(prior) = &guidance.prior {
            view.evaluate(moves.untried(&prior.mean), &mut (columns, scratch, further));
            for ((mean, visits), heuristic) in means.iter_mut().zip(&mut *visits).zip(&*further) {
                *mean = (*mean * *visits + heuristic * prior.visits) / (*visits + prior.visits);
                *visits += prior.visits;
            }
            parent = 1.0 + visits.iter().sum::<f64>();
        } else {
            let first_mean = match guidance.untried {
                Untried::NodeMean(offset) => view.mean() + offset,
                _ => 0.0,
            };
            for (mean, visits) in means.iter_mut().zip(&mut *visits).filter(|(_, visits)| **visits == 0.0) {
                (*mean, *visits) = (first_mean, 1.0);
            }
        }
        if let Some(ImplicitMinimax { weight, .. }) = guidance.implicit {
            let rows = means.iter_mut().zip(real_visits).zip(view.tree.implicit(node));
            for ((mean, _), value) in rows.filter(|((_, visits), _)| **visits > 0.0) {
                *mean = (1.0 - weight) * *mean + weight * value;
            }
        }
        let choice = Choice { means, visits, amaf: view.tree.amaf(node), parent, minimises };
        let by_policy = view.value_by(moves.policy(policy), choice, columns, memory, &mut self.rng);
        values.clear();
        values.extend_from_slice(by_policy);
        let untried = |(_, visits): &(&mut f64, &f64)| **visits == 0.0;
        match &guidance.untried {
            Untried::Constant(constant) => {
                values.iter_mut().zip(real_visits).filter(untried).for_each(|(value, _)| *value = *constant);
            }
            Untried::Formula(program) => {
                view.evaluate(moves.untried(program), &mut (columns, scratch, further));
                let rows = values.iter_mut().zip(real_visits).zip(&*further);
                for ((value, _), first) in rows.filter(|((_, visits), _)| **visits == 0.0) {
                    *value = *first;
                }
            }
            Untried::Expand | Untried::NodeMean(_) => {}
        }
        if let Some(bias) = &guidance.bias {
            view.evaluate(bias, &mut (columns, scratch, further));
            for ((value, visits), heuristic) in values.iter_mut().zip(real_visits).zip(&*further) {
                let biased = *value + heuristic / (visits + 1.0);
                *value = if biased.is_nan() { f64::NEG_INFINITY } else { biased };
            }
        }
    }

    /// The index of the root's action by the guidance's own formula, or by the tree policy with the guidance.
    pub(super) fn decide_guided(&mut self, guidance: &Guidance<G>, policy: &TreePolicy) -> usize {
        self.reset();
        match &guidance.final_move {
            Some(program) => self.evaluate(guidance, 0, program),
            None => self.value_children(guidance, 0, policy),
        }
        self.leave_out_untried(0);
        first_highest(self.work.guided.values.iter().copied())
    }

    /// Rewards by seat as the leaf formula wants them. `standing` are the rewards if the game ended at the leaf.
    pub(super) fn leaf_rewards(
        &mut self,
        program: &Program,
        (phase, standing): (f64, [f64; MAX_SEATS]),
        rewards: [f64; MAX_SEATS],
    ) -> [f64; MAX_SEATS] {
        let seats = self.root.seats();
        let scratch = &mut self.work.guided.scratch;
        let reward = SearchColumn::Reward.column();
        let of_seats = |column: &Column| if *column == reward { &rewards[..seats] } else { &standing[..seats] };
        let by_child: Vec<&[f64]> = program.needs().by_child.iter().map(of_seats).collect();
        let by_node = vec![phase; program.needs().by_node.len()];
        let (nothing, mut values) = ([0.0; MAX_SEATS], [0.0; MAX_SEATS]);
        let lanes = (&nothing[..seats], &nothing[..seats]);
        let columns = ColumnValues { by_child: &by_child, by_node: &by_node };
        program.evaluate_over(lanes, (0.0, 1.0), columns, scratch, &mut values[..seats]);
        // A formula without a value leaves the reward of the playout.
        for (value, reward) in values.iter_mut().zip(rewards) {
            *value = if value.is_finite() { *value } else { reward };
        }
        values
    }
}

mod apart;
pub(super) mod move_columns;
#[cfg(test)]
mod tests;
