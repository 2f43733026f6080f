use super::*;
use crate::game::slots::Slots;
use crate::game::{Playout, Scores, StreamDeck, Uniform};
use evouct_base::seed::{Key, search_rng};
use evouct_gp::{ConstantSet, LnRule, Tree};
use std::collections::HashMap;
use std::fmt::Debug;

/// Two or three seats take one or two of the stones that are left; who takes the last one wins. With a coin, chance
/// takes one more after each turn or none, but never the last.
#[derive(Clone, Debug, PartialEq)]
struct Stones {
    left: u32,
    seat: usize,
    seats: usize,
    coin: bool,
    falls: bool,
    winner: usize,
}

impl Stones {
    fn new(left: u32, seats: usize, coin: bool) -> Stones {
        Stones { left, seat: 0, seats, coin, falls: false, winner: 0 }
    }
}

impl Game for Stones {
    type Action = u32;
    type Outcome = u32;
    type Deck = StreamDeck;

    fn seats(&self) -> usize {
        self.seats
    }

    fn turn(&self) -> Turn {
        match self.left {
            0 => Turn::Terminal,
            _ if self.falls => Turn::Chance,
            _ => Turn::Player(self.seat),
        }
    }

    fn outcomes(&self, outcomes: &mut Vec<(u32, u32)>) {
        outcomes.clear();
        if self.turn() == Turn::Chance {
            outcomes.extend([(0, 2), (1, 1)].into_iter().filter(|(fallen, _)| *fallen < self.left));
        }
    }

    fn apply(&mut self, fallen: u32) {
        (self.left, self.falls) = (self.left - fallen, false);
    }

    fn actions(&self, actions: &mut Vec<u32>) {
        actions.clear();
        if let Turn::Player(_) = self.turn() {
            actions.extend(1..=2.min(self.left));
        }
    }

    fn play(&mut self, taken: u32) {
        (self.left, self.winner) = (self.left - taken, self.seat);
        (self.seat, self.falls) = ((self.seat + 1) % self.seats, self.coin);
    }

    fn scores(&self) -> Scores {
        let mut scores = Scores::default();
        scores[self.winner] = i32::from(self.left == 0);
        scores
    }
}

const C: f64 = 1.5;

fn formula(text: &str) -> FormulaPolicy {
    let tree = Tree::parse_over(text, &SearchColumn::terminals(&[])).unwrap();
    FormulaPolicy { program: Program::new(tree, LnRule::Abs), constant: Some(C), constants: ConstantSet::default() }
}

fn settings(reward: Reward) -> EvaluatedSettings {
    EvaluatedSettings { select: formula("Q + c*P*sqrt(N)/(1 + n)"), untried: None, reward, virtual_loss: 1.0 }
}

fn rng(seed: u64) -> SearchRng {
    search_rng(&mut Key::experiment(seed).stream())
}

/// Priors that differ by place, and the rewards of a playout that depends on the position alone.
fn evaluated<G: Game + Debug>(state: &G, actions: usize, reward: Reward) -> LeafEvaluation {
    let seed = format!("{state:?}").bytes().fold(7_u64, |seed, byte| seed.wrapping_mul(31).wrapping_add(byte.into()));
    let weights = (0..actions).map(|place| ((seed >> (place % 40)) & 7) as f64 + 1.0);
    let sum: f64 = weights.clone().sum();
    let scores = Uniform.play_out(&mut state.clone(), &mut rng(seed));
    LeafEvaluation {
        priors: weights.map(|weight| weight / sum).collect(),
        values: reward.of(&scores, state.seats(), 1.0),
    }
}

/// The root alone, then so many iterations in batches of at most so many.
fn run<G: Game + Debug>(search: &mut EvaluatedSearch<G>, iterations: usize, batch: usize, reward: Reward) {
    let mut left = iterations;
    while left > 0 {
        let is_begun = search.is_begun();
        search.select(batch.min(left));
        let all: Vec<LeafEvaluation> =
            search.leaves().map(|leaf| evaluated(leaf.state, leaf.actions.len(), reward)).collect();
        search.back_up(&all);
        left -= if is_begun { batch.min(left) } else { 0 };
    }
}

fn searched<G: Game + Debug>(root: &G, iterations: usize, batch: usize, reward: Reward) -> EvaluatedSearch<G> {
    let mut search = EvaluatedSearch::new(root.clone(), settings(reward), rng(3)).unwrap();
    run(&mut search, iterations, batch, reward);
    search
}

/// PUCT by the book: nodes by what led to them, and nothing of the tree of this crate.
struct Book<G: Game> {
    nodes: HashMap<String, BookNode<G::Action>>,
    rng: SearchRng,
    reward: Reward,
}

struct BookNode<Action> {
    actions: Vec<Action>,
    priors: Vec<f64>,
    own: f64,
    visits: Vec<f64>,
    sums: Vec<f64>,
}

impl<G: Game + Debug> Book<G> {
    /// One visit of a position; returns the rewards that are backed up.
    fn visit(&mut self, state: &mut G, path: &str) -> [f64; MAX_SEATS] {
        let mut path = path.to_owned();
        while state.turn() == Turn::Chance {
            path += &format!("!{:?}", state.sample(&mut self.rng));
        }
        let Turn::Player(mover) = state.turn() else {
            return self.reward.of(&state.scores(), state.seats(), 1.0);
        };
        let Some(node) = self.nodes.get(&path) else {
            let mut actions = Vec::new();
            state.actions(&mut actions);
            let LeafEvaluation { priors, values } = evaluated(state, actions.len(), self.reward);
            let nothing = vec![0.0; actions.len()];
            let (visits, sums, own) = (nothing.clone(), nothing, values[mover]);
            self.nodes.insert(path, BookNode { actions, priors, own, visits, sums });
            return values;
        };
        let all: f64 = node.visits.iter().sum();
        let mean = (node.own + node.sums.iter().sum::<f64>()) / (1.0 + all);
        let value = |place: usize| {
            let n = node.visits[place];
            let q = if n > 0.0 { node.sums[place] / n } else { mean };
            q + C * node.priors[place] * (1.0 + all).sqrt() / (1.0 + n)
        };
        let chosen =
            (1..node.actions.len()).fold(0, |best, place| if value(place) > value(best) { place } else { best });
        let action = node.actions[chosen];
        state.play(action);
        let rewards = self.visit(state, &format!("{path}.{action:?}"));
        let node = self.nodes.get_mut(&path).unwrap();
        node.visits[chosen] += 1.0;
        node.sums[chosen] += rewards[mover];
        rewards
    }
}

fn is_by_the_book<G: Game + Debug>(root: G, reward: Reward, iterations: usize) {
    let search = searched(&root, iterations, 1, reward);
    let mut book = Book { nodes: HashMap::new(), rng: rng(3), reward };
    for _ in 0..=iterations {
        book.visit(&mut root.clone(), "");
    }
    let node = &book.nodes[""];
    let children = search.children();
    assert_eq!(children.iter().map(|child| child.action).collect::<Vec<_>>(), node.actions);
    assert_eq!(children.iter().map(|child| child.visits).collect::<Vec<_>>(), node.visits);
    for (child, sum) in children.iter().zip(&node.sums) {
        assert!((child.mean - sum / child.visits.max(1.0)).abs() < 1e-9, "{child:?}");
    }
    assert_eq!(search.priors(), Some(&*node.priors));
    assert!(
        (search.value().unwrap() - (node.own + node.sums.iter().sum::<f64>()) / (1.0 + iterations as f64)).abs() < 1e-9
    );
}

#[test]
fn one_leaf_at_a_time_is_puct_by_the_book() {
    for (stones, seats, coin) in [(9, 2, false), (12, 2, true), (10, 3, true)] {
        is_by_the_book(Stones::new(stones, seats, coin), Reward::Win, 300);
    }
    let mut slots = Slots::new();
    slots.sample(&mut rng(1));
    is_by_the_book(slots, Reward::Difference, 600);
}

#[test]
fn batches_count_every_descent_and_are_the_same_again() {
    let root = Stones::new(12, 3, true);
    for batch in [1, 3, 8, 64] {
        let visits = |search: &EvaluatedSearch<Stones>| search.children().iter().map(|child| child.visits).collect();
        let first: Vec<f64> = visits(&searched(&root, 200, batch, Reward::Win));
        let second: Vec<f64> = visits(&searched(&root, 200, batch, Reward::Win));
        assert_eq!((first.iter().sum::<f64>(), &first), (200.0, &second), "batch {batch}");
    }
    // Runs of whole batches are one run.
    let mut parts = searched(&root, 80, 8, Reward::Win);
    run(&mut parts, 120, 8, Reward::Win);
    assert_eq!(parts.children(), searched(&root, 200, 8, Reward::Win).children());
}

#[test]
fn a_batch_spreads_and_leaves_no_trace_until_it_is_backed_up() {
    let mut slots = Slots::new();
    slots.sample(&mut rng(1));
    let mut search = searched(&slots, 40, 8, Reward::Difference);
    let (children, value) = (search.children(), search.value());
    search.select(16);
    assert!(search.leaves().len() > 8, "{} leaves of 16 descents", search.leaves().len());
    assert_eq!((search.children(), search.value()), (children, value));
    // A batch that was not evaluated changes nothing of the search that follows.
    search.cancel();
    assert_eq!(search.leaves().len(), 0);
    run(&mut search, 40, 8, Reward::Difference);
    assert_eq!(search.children(), searched(&slots, 80, 8, Reward::Difference).children());
}

#[test]
fn squares_count_descents_under_way_and_leave_no_trace() {
    let with_deviation = || {
        let settings =
            EvaluatedSettings { select: formula("Q + sd*P*sqrt(N)/(1 + n)"), ..settings(Reward::Difference) };
        EvaluatedSearch::new(Stones::new(12, 2, true), settings, rng(3)).unwrap()
    };
    let (mut once, mut disturbed) = (with_deviation(), with_deviation());
    run(&mut once, 40, 8, Reward::Difference);
    run(&mut disturbed, 16, 8, Reward::Difference);
    let before = disturbed.tree.squares(0).to_vec();
    let edge = disturbed.tree.node(0).first;
    let visit = disturbed.tree.begin_visit(0, edge, -3.0);
    assert_eq!(disturbed.tree.squares(0)[0], before[0] + 9.0);
    disturbed.tree.take_back(visit);
    disturbed.select(16);
    assert_eq!(disturbed.tree.squares(0), before);
    run(&mut disturbed, 24, 8, Reward::Difference);
    assert_eq!(disturbed.children(), once.children());
}

#[test]
fn a_loss_that_is_greater_spreads_more() {
    // With so small a factor only the losses keep descents apart.
    let leaves = |virtual_loss| {
        let settings =
            EvaluatedSettings { select: formula("Q + 0.001*P"), virtual_loss, ..settings(Reward::Difference) };
        let mut slots = Slots::new();
        slots.sample(&mut rng(1));
        let mut search = EvaluatedSearch::new(slots, settings, rng(3)).unwrap();
        run(&mut search, 1, 1, Reward::Difference);
        search.select(16);
        search.leaves().len()
    };
    assert!(leaves(0.0) < leaves(50.0), "{} and {}", leaves(0.0), leaves(50.0));
}

#[test]
fn the_end_of_the_game_needs_no_evaluation() {
    // One stone: the only action wins.
    let mut search = searched(&Stones::new(1, 2, false), 0, 1, Reward::Win);
    search.select(4);
    assert_eq!(search.leaves().len(), 1, "the root");
    search.back_up(&[LeafEvaluation { priors: vec![1.0], values: [0.5, -0.5, 0.0, 0.0, 0.0, 0.0] }]);
    search.select(4);
    assert_eq!(search.leaves().len(), 0);
    search.back_up(&[]);
    assert_eq!(search.children(), [Child::new(1, 4.0, 1.0)]);
    assert_eq!(search.value(), Some((0.5 + 4.0) / 5.0));
}

#[test]
fn the_winning_move_is_found_without_knowledge() {
    for (stones, best) in [(7, 1), (8, 2), (10, 1)] {
        let mut search = EvaluatedSearch::new(Stones::new(stones, 2, false), settings(Reward::Win), rng(1)).unwrap();
        for _ in 0..100 {
            search.select(4);
            let alike = |leaf: Leaf<Stones>| {
                let share = 1.0 / leaf.actions.len() as f64;
                LeafEvaluation { priors: vec![share; leaf.actions.len()], values: [0.0; MAX_SEATS] }
            };
            let all: Vec<LeafEvaluation> = search.leaves().map(alike).collect();
            search.back_up(&all);
        }
        let children = search.children();
        let most = children.iter().max_by(|a, b| a.visits.total_cmp(&b.visits)).unwrap();
        assert_eq!(most.action, best, "{stones} stones: {children:?}");
    }
}

#[test]
fn what_is_known_below_a_move_is_kept() {
    let root = Stones::new(12, 2, true);
    let mut search = searched(&root, 300, 1, Reward::Win);
    let mut book = Book { nodes: HashMap::new(), rng: rng(3), reward: Reward::Win };
    for _ in 0..=300 {
        book.visit(&mut root.clone(), "");
    }
    let before = search.children();
    for (action, outcomes) in [(3, vec![0]), (1, vec![2]), (1, vec![]), (1, vec![0, 0])] {
        search.advance(action, &outcomes).unwrap_err();
    }
    assert_eq!(before, search.children(), "an error changes nothing");
    search.advance(2, &[1]).unwrap();
    let node = &book.nodes[".2!1"];
    assert_eq!(*search.root(), Stones { left: 9, seat: 1, ..root });
    assert_eq!(search.children().iter().map(|child| child.visits).collect::<Vec<_>>(), node.visits);
    assert_eq!(search.priors(), Some(&*node.priors));
    assert!(node.visits.iter().sum::<f64>() > 20.0);
    run(&mut search, 10, 4, Reward::Win);
    assert_eq!(search.children().iter().map(|child| child.visits).sum::<f64>(), node.visits.iter().sum::<f64>() + 10.0);
    // Below a move that was never tried there is nothing to keep: the tree is new.
    let mut fresh = searched(&Stones::new(9, 2, false), 0, 1, Reward::Win);
    fresh.advance(2, &[]).unwrap();
    assert!(!fresh.is_begun() && fresh.size() == 1 && fresh.value().is_none() && fresh.priors().is_none());
    assert!(searched(&Stones::new(1, 2, false), 1, 1, Reward::Win).advance(1, &[]).unwrap_err().contains("over"));
}

#[test]
fn formulas_see_what_the_search_keeps_and_no_more() {
    let with = |select: &str, untried: Option<&str>| {
        let settings =
            EvaluatedSettings { select: formula(select), untried: untried.map(formula), ..settings(Reward::Win) };
        EvaluatedSearch::new(Stones::new(9, 2, false), settings, rng(1))
    };
    for strange in ["Q + A", "Q + m", "Q + left", "Q + R", "Q + V"] {
        let error = with(strange, None).err().unwrap();
        assert!(error.starts_with(strange.split(' ').next_back().unwrap()), "{error}");
        assert!(with("Q", Some(strange)).is_err());
    }
    // A constant for what is untried: the prior decides nothing then, and the first action with a high mean stays.
    let mut greedy = with("Q + sd + best + Qbar + Qmax + sdQ + moves + depth + lead + G", Some("-100")).unwrap();
    run(&mut greedy, 30, 1, Reward::Win);
    let visits: Vec<f64> = greedy.children().iter().map(|child| child.visits).collect();
    assert_eq!(visits, [30.0, 0.0]);
}
