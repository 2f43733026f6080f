//! Searches whose equal positions share a node, against a graph of their own: every selection is recomputed from all
//! simulations so far.

use evouct_base::sampling::below;
use evouct_base::seed::{Key, search_rng};
use evouct_games::{breakthrough, connect_four, einstein, havannah, hex, othello, y};
use evouct_platform::domain::Domain;
use evouct_search::game::{Game, MAX_SEATS, MoveLog, Playout, PlyOf, Scores, Turn, Uniform};
use evouct_search::search::{Child, Search, SearchSettings, TreePolicy, UcbForm, Uct, Workspace};
use rand::Rng;
use std::collections::{HashMap, HashSet};
use std::fmt::Debug;
use std::sync::{Arc, Mutex};

const EXPLORATION: f64 = 0.7;

/// Moves and rewards of a simulation.
type Simulation<G> = (Vec<PlyOf<G>>, [f64; MAX_SEATS]);

/// Uniform playouts that note the simulations.
#[derive(Clone, Debug)]
struct Noting<G: Game>(Arc<Mutex<Vec<Simulation<G>>>>);

impl<G: Game + Debug> Playout<G> for Noting<G> {
    fn play_out(&self, state: &mut G, rng: &mut impl Rng) -> Scores {
        Uniform.play_out(state, rng)
    }

    fn needs_log(&self) -> bool {
        true
    }

    fn learn(&mut self, log: &MoveLog<G>, first: usize, _: &G, rewards: &[f64; MAX_SEATS]) {
        self.0.lock().unwrap().push((log.plies()[first..].to_vec(), *rewards));
    }
}

/// What a search has found, the nodes of its tree, and its simulations.
struct Found<G: Game> {
    children: Vec<Child<G::Action>>,
    nodes: usize,
    simulations: Vec<Simulation<G>>,
}

fn search<G: Game + Debug>(root: &G, transpositions: bool, iterations: u32) -> Found<G> {
    let settings = SearchSettings { transpositions, ..SearchSettings::default() };
    let policy = TreePolicy::Uct(Uct { exploration: EXPLORATION, form: UcbForm::Plain });
    let (mut work, noting) = (Workspace::default(), Noting(Arc::default()));
    let rng = search_rng(&mut Key::experiment(3).stream());
    let mut search = Search::new(&mut work, root, None, &settings, noting.clone(), rng);
    (0..iterations).for_each(|_| _ = search.iterate(&policy));
    assert_eq!(search.check(), Ok(()));
    let children = search.children();
    let simulations = std::mem::take(&mut *noting.0.lock().unwrap());
    Found { children, nodes: work.tree().size(), simulations }
}

/// Visits of a position, and by action the visits and the sum of rewards.
#[derive(Default)]
struct Known {
    visits: f64,
    actions: Vec<(f64, f64)>,
}

/// Replays simulations into a graph of positions by what tells nodes apart: `way` is the moves to a position. Checks what
/// was selected, and returns the graph.
fn graph<G: Game, N: Eq + std::hash::Hash + Clone>(
    root: &G,
    simulations: &[Simulation<G>],
    name: impl Fn(&G, &[PlyOf<G>]) -> N,
) -> HashMap<N, Known> {
    let (mut graph, mut actions): (HashMap<N, Known>, Vec<G::Action>) = Default::default();
    for (plies, rewards) in simulations {
        let (mut state, mut path) = (root.clone(), Vec::new());
        for (at, ply) in plies.iter().enumerate() {
            while state.turn() == Turn::Chance {
                state.apply(ply.drawn.unwrap());
            }
            state.actions(&mut actions);
            let name = name(&state, &plies[..at]);
            let known = graph.entry(name.clone()).or_default();
            known.actions.resize(actions.len(), (0.0, 0.0));
            let place = actions.iter().position(|action| *action == ply.action).unwrap();
            path.push((name, place, ply.seat));
            if known.actions.iter().any(|(visits, _)| *visits == 0.0) {
                assert_eq!(known.actions[place].0, 0.0, "an untried move is tried");
                break;
            }
            let value = |(visits, sum): (f64, f64)| sum / visits + EXPLORATION * (known.visits.ln() / visits).sqrt();
            let best = known.actions.iter().map(|action| value(*action)).fold(f64::NEG_INFINITY, f64::max);
            assert!(value(known.actions[place]) >= best - 1e-9);
            state.play(ply.action);
        }
        for (name, place, seat) in path {
            let known = graph.get_mut(&name).unwrap();
            known.visits += 1.0;
            let (visits, sum) = &mut known.actions[place];
            (*visits, *sum) = (*visits + 1.0, *sum + rewards[seat]);
        }
    }
    graph
}

/// The position after so many random plies, at the turn of a seat; none if the game ends before.
fn position<G: Game>(mut state: G, plies: u32, seed: u64) -> Option<G> {
    let (mut rng, mut actions, mut left) = (search_rng(&mut Key::experiment(seed).stream()), Vec::new(), plies);
    loop {
        match state.turn() {
            Turn::Terminal => return None,
            Turn::Chance => _ = state.sample(&mut rng),
            Turn::Player(_) if left == 0 => return Some(state),
            Turn::Player(_) => {
                state.actions(&mut actions);
                state.play(actions[below(&mut rng, actions.len())]);
                left -= 1;
            }
        }
    }
}

/// Compares searches with graphs, and where no position came twice, with searches without the option. Both occur.
fn compare<D: Domain<Game: Debug>>(rules: D::Rules) {
    let has_chance = position(D::start(&rules), 0, 0).is_some_and(|state| state.drawn().is_some());
    let by_position = |state: &D::Game, _: &[PlyOf<D::Game>]| (state.turn(), state.position_key());
    let mut counts = [0; 2];
    for (plies, iterations) in [(0, 12), (0, 1_500), (1, 1_500), (2, 40), (3, 600), (6, 200), (8, 600)] {
        let Some(root) = position(D::start(&rules), plies, plies.into()) else { continue };
        let shared = search(&root, true, iterations);
        let known = graph(&root, &shared.simulations, by_position);
        assert!(has_chance || known.len() == shared.nodes, "{} positions, {} nodes", known.len(), shared.nodes);
        let of_root = &known[&by_position(&root, &[])];
        for (child, (visits, sum)) in shared.children.iter().zip(&of_root.actions) {
            assert_eq!(child.visits, *visits);
            assert!((child.mean - sum / visits.max(1.0)).abs() < 1e-9);
        }
        let plain = search(&root, false, iterations);
        let ways = |state: &D::Game, way: &[PlyOf<D::Game>]| (format!("{way:?}"), by_position(state, way));
        let tree = graph(&root, &plain.simulations, ways);
        let transposes = tree.keys().map(|(_, position)| position).collect::<HashSet<_>>().len() < tree.len();
        counts[usize::from(!transposes)] += 1;
        if !transposes {
            assert_eq!((shared.children, shared.nodes), (plain.children, plain.nodes));
        }
    }
    assert!(counts.iter().all(|count| *count > 0), "{}: {counts:?}", D::NAME);
}

#[test]
fn equal_positions_share_what_is_known_of_their_moves() {
    compare::<connect_four::ConnectFour>(connect_four::ConnectFourRules { rows: 4, columns: 4 });
    compare::<hex::Hex>(hex::HexRules { size: 3 });
    compare::<y::Y>(y::YRules { size: 3 });
    compare::<havannah::Havannah>(havannah::HavannahRules { size: 2 });
    compare::<othello::Othello>(othello::OthelloRules { half: 3 });
    compare::<breakthrough::Breakthrough>(breakthrough::BreakthroughRules { rows: 5, columns: 3 });
    compare::<einstein::Einstein>(einstein::EinsteinRules { rows: 4, columns: 4, diagonals: 2, shuffled: false });
}
