//! Search whose leaves are evaluated from outside, several at once: by a network that gives priors of moves and values.
//!
//! PUCT as in Silver et al. (2017, "Mastering the game of Go without human knowledge", Methods): a leaf is not played
//! out. It is evaluated, its moves get priors, and its value is backed up. [`select`](EvaluatedSearch::select) descends,
//! the caller evaluates the [`leaves`](EvaluatedSearch::leaves), and [`back_up`](EvaluatedSearch::back_up) counts what
//! they are worth. Within a batch a descent that was selected counts as a visit with a lost game until all are selected
//! (virtual loss: Chaslot, Winands and van den Herik 2008; Segal 2010).
//!
//! Chance is sampled: outcomes are drawn by their weights at every descent, and each has its own children.

use super::super::guidance::Guidance;
use super::super::policy::{Choice, FormulaPolicy, TreePolicy, Values};
use super::super::rave::Amaf;
use super::super::reward::Reward;
use super::super::reward_rule::RewardSource;
use super::super::search_column::SearchColumn;
use super::super::tree::{Before, Parent, SearchTree};
use super::guided::move_columns::MoveColumns;
use super::view::{Columns, View};
use crate::game::{Game, MAX_SEATS, Turn};
use crate::search::Child;
use evouct_base::sampling::first_highest;
use evouct_base::seed::SearchRng;
use evouct_gp::{Column, Program};

/// The numbers that the tree keeps for each action of an evaluated node: its prior, and the value of the node for the
/// seat that decides, which is the same at all actions.
const NUMBERS: usize = 2;
const VALUE: usize = 1;

/// The options of an [`EvaluatedSearch`].
#[derive(Clone, Debug)]
pub struct EvaluatedSettings {
    /// The value of an action; the highest is selected. An action without visits has `n` = 0, and `Q` is the mean of its
    /// node, in which the node's own value counts as one visit. `N` counts each descent that ended at the node as a visit.
    pub select: FormulaPolicy,
    /// The value of an action without visits, if it is another one.
    pub untried: Option<FormulaPolicy>,
    /// What the end of the game is worth to each seat: the scale of all values.
    pub reward: Reward,
    /// While a batch is selected, a descent counts for each seat that chose in it as a visit with this reward, negated:
    /// from 0, in units of the reward.
    pub virtual_loss: f64,
}

/// What is known of a leaf.
#[derive(Clone, PartialEq, Debug)]
pub struct LeafEvaluation {
    /// The prior of each legal action, in the order of the actions: from 0.
    pub priors: Vec<f64>,
    /// The value for each seat.
    pub values: [f64; MAX_SEATS],
}

/// A position that waits for its evaluation.
struct Waiting<G> {
    node: usize,
    state: G,
}

/// A leaf as the caller sees it: where a seat is to play.
pub struct Leaf<'s, G: Game> {
    /// The position.
    pub state: &'s G,
    /// Its legal actions.
    pub actions: &'s [G::Action],
}

/// An edge on the path of a descent.
#[derive(Clone, Copy)]
struct Step {
    node: usize,
    edge: usize,
    mover: usize,
}

/// Where a descent ended.
enum End {
    /// At the end of the game, with these rewards.
    Game([f64; MAX_SEATS]),
    /// At this one of the positions that wait.
    Leaf(usize),
}

/// A descent that was selected.
struct Descent {
    path: Vec<Step>,
    end: End,
}

/// Memory of the values of a node's actions.
#[derive(Debug, Default)]
struct Row {
    means: Vec<f64>,
    columns: Columns,
    values: Values,
}

/// A search, step by step. It can go on as long as its caller wants, and below the root when moves are played.
pub struct EvaluatedSearch<G: Game> {
    select: TreePolicy,
    untried: Option<TreePolicy>,
    reward: Reward,
    bound: f64,
    virtual_loss: f64,
    root: G,
    tree: SearchTree<G>,
    /// Squares and highest rewards, if a formula uses them.
    further: [bool; 2],
    guidance: Guidance<G>,
    state: G,
    actions: Vec<G::Action>,
    row: Row,
    rng: SearchRng,
    /// The generator before the batch.
    before: Option<SearchRng>,
    under_way: Vec<Before>,
    descents: Vec<Descent>,
    waiting: Vec<Waiting<G>>,
}

/// What a formula may use of these: what a search with playouts knows beyond it has no value here.
fn check_formula(program: &Program) -> Result<(), String> {
    use SearchColumn::{AmafMean, AmafVisits, Left, Reward, Standing};
    let missing = |column: &Column| {
        let known = SearchColumn::of(*column);
        known
            .is_none_or(|known| known.is_learned() || matches!(known, AmafMean | AmafVisits | Left | Reward | Standing))
    };
    match program.needs().columns().find(missing) {
        Some(column) => Err(format!("{}: a search with an evaluator has no such number", column.name())),
        None => Ok(()),
    }
}

impl<G: Game> EvaluatedSearch<G> {
    /// A search from `root`, where a seat must be to play.
    ///
    /// # Errors
    /// If a formula uses a number of moves, or a statistic of playouts, of all moves as first, or of the budget.
    ///
    /// # Panics
    /// If no seat is to play, or the reward needs a bound ([`Reward::needs_bound`]) that the game does not know, or is
    /// one of positions.
    pub fn new(root: G, settings: EvaluatedSettings, rng: SearchRng) -> Result<EvaluatedSearch<G>, String> {
        let EvaluatedSettings { select, untried, reward, virtual_loss } = settings;
        let mut needs = select.program.needs().clone();
        check_formula(&select.program)?;
        if let Some(untried) = &untried {
            check_formula(&untried.program)?;
            untried.program.needs().columns().for_each(|column| needs.add(column));
        }
        let further = [SearchColumn::Deviation, SearchColumn::Best].map(|one| needs.by_child.contains(&one.column()));
        let mut search = EvaluatedSearch {
            select: TreePolicy::Formula(select),
            untried: untried.map(TreePolicy::Formula),
            reward,
            bound: reward.bound(&root),
            virtual_loss,
            state: root.clone(),
            root,
            tree: SearchTree::new(),
            further,
            guidance: Guidance::default(),
            actions: Vec::new(),
            row: Row::default(),
            rng,
            before: None,
            under_way: Vec::new(),
            descents: Vec::new(),
            waiting: Vec::new(),
        };
        search.plant();
        Ok(search)
    }

    /// Begins a tree at the root.
    fn plant(&mut self) {
        self.tree.clear(false);
        let [squares, best] = self.further;
        self.tree.keep_columns([squares, best, false, false], NUMBERS);
        self.root.actions(&mut self.actions);
        self.tree.add_node(self.mover(), None, 0.0, &self.actions);
    }

    /// The position at the root.
    pub fn root(&self) -> &G {
        &self.root
    }

    /// The seat that decides.
    ///
    /// # Panics
    /// If no seat is to play at the root.
    pub fn mover(&self) -> usize {
        let Turn::Player(mover) = self.root.turn() else {
            panic!("the root must be a position in which a seat is to play")
        };
        mover
    }

    /// Whether the root is evaluated. If it is not, the next batch is the root alone, and counts as no iteration.
    pub fn is_begun(&self) -> bool {
        self.tree.has_numbers(0)
    }

    /// Selects leaves by so many descents. Some may end at the same leaf, which is evaluated once and counts for each of
    /// them, and some at the end of the game: there may be no leaf to evaluate. What was selected before and not backed
    /// up is forgotten, as by [`cancel`](EvaluatedSearch::cancel).
    pub fn select(&mut self, descents: usize) {
        self.cancel();
        self.before = Some(self.rng.clone());
        if !self.is_begun() {
            self.waiting.push(Waiting { node: 0, state: self.root.clone() });
            self.descents.push(Descent { path: Vec::new(), end: End::Leaf(0) });
            return;
        }
        for number in 1..=descents {
            let descent = self.descend();
            if number < descents {
                for Step { node, edge, .. } in &descent.path {
                    self.under_way.push(self.tree.begin_visit(*node, *edge, -self.virtual_loss));
                }
            }
            self.descents.push(descent);
        }
        self.take_back();
    }

    /// The leaves that wait for their evaluation, in the order in which they were found.
    pub fn leaves(&self) -> impl ExactSizeIterator<Item = Leaf<'_, G>> {
        self.waiting.iter().map(|waiting| Leaf { state: &waiting.state, actions: self.tree.actions(waiting.node) })
    }

    /// Backs up what was selected, in order, with the evaluations of the leaves.
    ///
    /// # Panics
    /// If there are not as many evaluations as leaves, or not as many priors as actions.
    pub fn back_up(&mut self, evaluations: &[LeafEvaluation]) {
        assert_eq!(evaluations.len(), self.waiting.len(), "each leaf has one evaluation");
        for (waiting, LeafEvaluation { priors, values }) in self.waiting.iter().zip(evaluations) {
            let own = values[self.tree.node(waiting.node).mover];
            let actions = self.tree.actions(waiting.node).len();
            self.tree.fill_numbers(waiting.node, |columns| {
                assert_eq!(actions, priors.len(), "each action has a prior");
                columns[0].extend_from_slice(priors);
                columns[VALUE].extend(priors.iter().map(|_| own));
            });
        }
        for Descent { path, end } in self.descents.drain(..) {
            let rewards = match end {
                End::Game(rewards) => rewards,
                End::Leaf(place) => {
                    self.tree.visit(self.waiting[place].node);
                    evaluations[place].values
                }
            };
            for Step { node, edge, mover } in path {
                self.tree.visit(node);
                self.tree.update(edge, rewards[mover]);
                self.tree.update_further(edge, rewards[mover]);
            }
        }
        self.waiting.clear();
        self.before = None;
    }

    /// Forgets what was selected and not backed up: the search goes on as if it had not been selected.
    pub fn cancel(&mut self) {
        self.take_back();
        self.descents.clear();
        self.waiting.clear();
        if let Some(before) = self.before.take() {
            self.rng = before;
        }
    }

    fn take_back(&mut self) {
        while let Some(before) = self.under_way.pop() {
            self.tree.take_back(before);
        }
    }

    /// Makes the position after an action of the root the root, with what is known of it. `outcomes` are what chance
    /// decides then, one after the other, until a seat decides or the game is over. What was selected and not backed up
    /// is forgotten.
    ///
    /// # Errors
    /// If the action is not legal, chance does not decide so, or the game is over: the search stays where it was.
    pub fn advance(&mut self, action: G::Action, outcomes: &[G::Outcome]) -> Result<(), String> {
        self.cancel();
        let actions = self.tree.actions(0);
        let place = actions.iter().position(|other| *other == action).ok_or("the action is not legal here")?;
        let edge = self.tree.node(0).first + place;
        let mut next = self.root.clone();
        next.play(action);
        let mut node =
            if let Turn::Player(_) = next.turn() { self.tree.follow(Parent::Edge(edge), None) } else { None };
        let (mut parent, mut possible) = (Some(Parent::Edge(edge)), Vec::new());
        for outcome in outcomes {
            next.outcomes(&mut possible);
            if !possible.iter().any(|(other, _)| other == outcome) {
                return Err(format!("chance cannot decide {outcome:?} after the action"));
            }
            next.apply(*outcome);
            node = parent.and_then(|parent| self.tree.follow(parent, Some(*outcome)));
            parent = node.map(Parent::Chance);
        }
        match next.turn() {
            Turn::Terminal => return Err("the game is over after the action".to_owned()),
            Turn::Chance => return Err("chance decides after the action: say what it decides".to_owned()),
            Turn::Player(_) => self.root = next,
        }
        match node {
            Some(node) => {
                let before = std::mem::take(&mut self.tree);
                self.tree.copy_below(&before, node);
            }
            None => self.plant(),
        }
        Ok(())
    }

    /// The actions at the root with their visits and mean rewards for the seat that decides, in the order of the actions.
    pub fn children(&self) -> Vec<Child<G::Action>> {
        let (means, visits) = self.tree.statistics(0);
        let row = self.tree.actions(0).iter().zip(visits).zip(means);
        row.map(|((action, visits), mean)| Child::new(*action, *visits, *mean)).collect()
    }

    /// The priors of the actions at the root; none before it is evaluated.
    pub fn priors(&self) -> Option<&[f64]> {
        self.is_begun().then(|| self.tree.numbers(0, 0))
    }

    /// What the root is worth to the seat that decides: the mean over its own value and the rewards of all iterations.
    /// None before it is evaluated.
    pub fn value(&self) -> Option<f64> {
        self.is_begun().then(|| node_mean(&self.tree, 0))
    }

    /// Nodes of the tree.
    pub fn size(&self) -> usize {
        self.tree.size()
    }

    /// One descent, to a position without evaluation or the end of the game.
    fn descend(&mut self) -> Descent {
        self.state.clone_from(&self.root);
        let (mut path, mut node) = (Vec::new(), 0);
        loop {
            let edge = self.choose(node, path.len());
            path.push(Step { node, edge, mover: self.tree.node(node).mover });
            self.state.play(self.tree.action(edge));
            match self.next_node(edge) {
                None => {
                    let rewards = self.reward.of(&self.state.scores(), self.root.seats(), self.bound);
                    return Descent { path, end: End::Game(rewards) };
                }
                Some(next) if self.tree.has_numbers(next) => node = next,
                Some(leaf) => {
                    let known = self.waiting.iter().position(|waiting| waiting.node == leaf);
                    let place = known.unwrap_or_else(|| {
                        self.waiting.push(Waiting { node: leaf, state: self.state.clone() });
                        self.waiting.len() - 1
                    });
                    return Descent { path, end: End::Leaf(place) };
                }
            }
        }
    }

    /// The edge of an evaluated node that is selected.
    fn choose(&mut self, node: usize, depth: usize) -> usize {
        let EvaluatedSearch { select, untried, tree, guidance, state, row, rng, reward, bound, .. } = self;
        let source = RewardSource { rule: None, reward: *reward, bound: *bound };
        let of_node = tree.node(node);
        let statistics = tree.statistics(node);
        let (moves, left, parent) = (&MoveColumns::default(), 1.0, of_node.visits);
        let learned = None;
        let view = View { tree, guidance, moves, learned, node, statistics, state, depth, left, source, parent };
        let (means, visits) = tree.statistics(node);
        let Row { means: seen, columns, values } = row;
        let first_mean = node_mean(tree, node);
        seen.clear();
        seen.extend(means.iter().zip(visits).map(|(mean, visits)| if *visits > 0.0 { *mean } else { first_mean }));
        let choice = Choice { means: seen, visits, amaf: Amaf::default(), parent: view.parent, minimises: false };
        let by_formula = view.value_by(select, choice, columns, values, rng);
        let Some(untried) = untried else { return of_node.first + first_highest(by_formula.iter().copied()) };
        let by_formula = by_formula.to_vec();
        let first = view.value_by(untried, choice, columns, values, rng);
        let all = by_formula.iter().zip(first).zip(visits);
        of_node.first + first_highest(all.map(|((tried, first), visits)| if *visits > 0.0 { *tried } else { *first }))
    }

    /// Lets chance act and returns the node that follows an edge, a new one if there is none yet. None at the end of the
    /// game.
    fn next_node(&mut self, edge: usize) -> Option<usize> {
        let EvaluatedSearch { tree, state, actions, rng, .. } = self;
        let mut parent = Parent::Edge(edge);
        loop {
            let outcome = match state.turn() {
                Turn::Terminal => return None,
                Turn::Player(_) => None,
                Turn::Chance => Some(state.sample(rng)),
            };
            let turn = state.turn();
            if turn == Turn::Terminal {
                return None;
            }
            let node = tree.follow(parent, outcome).unwrap_or_else(|| {
                let node = match turn {
                    Turn::Player(mover) => {
                        state.actions(actions);
                        tree.add_node(mover, None, 0.0, actions)
                    }
                    _ => tree.add_node(0, None, 0.0, &[]),
                };
                tree.link(parent, outcome, node);
                node
            });
            if let Turn::Player(_) = turn {
                return Some(node);
            }
            parent = Parent::Chance(node);
        }
    }
}

/// The mean over an evaluated node's own value and the rewards of its actions.
fn node_mean<G: Game>(tree: &SearchTree<G>, node: usize) -> f64 {
    let (means, visits) = tree.statistics(node);
    let own = tree.numbers(node, VALUE).first().copied().unwrap_or(0.0);
    let (sum, count) =
        means.iter().zip(visits).fold((own, 1.0), |(sum, count), (mean, visits)| (sum + mean * visits, count + visits));
    sum / count
}

#[cfg(test)]
mod tests;
