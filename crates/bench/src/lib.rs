//! Measurements of speed, the same for `evouct bench` and for the documentation.
//!
//! Rates are per second of the measuring thread's processor time, so that other programs on the machine have little
//! influence. Every measurement repeats one fixed piece of work, from fixed seeds, until its time is up, and the work
//! of all measurements is done in one process. This is a crate of its own because the loops that it times are compiled
//! in it, at full optimisation.
//!
//! ```
//! use evouct_bench::{games, numbers, playouts};
//!
//! // A hundredth of a second for each, for a look; a figure to report needs seconds.
//! let seconds = 0.01;
//! let rules = playouts(Default::default(), seconds)["games_per_second"];
//! println!("{rules:.0} random games per second by the rules alone");
//!
//! // Ratios within one run mean something on a busy machine, too.
//! for player in ["random", "simple1", "simple3"] {
//!     let rate = games(player, seconds)["games_per_second"];
//!     println!("{player}: {:.3} of it", rate / rules);
//!     assert!(rate > 0.0);
//! }
//!
//! // What formulas ask of all moves of a node, in random playouts from there.
//! for names in [&["dv"][..], &["dv", "dm", "fl", "cl", "op"], &["he"]] {
//!     let figures = numbers(names, seconds);
//!     println!("{names:?}: {:.2} playouts per node", figures["playouts_per_node"]);
//!     assert!(figures["nanoseconds_per_node"] > figures["nanoseconds_per_move"]);
//! }
//! ```

#![warn(missing_docs, unreachable_pub)]

mod evolution;
mod harness;

pub use evolution::evolve;
pub use harness::harness;

use evouct_base::parameter::Preset;
use evouct_base::sampling::below;
use evouct_base::seed::Key;
use evouct_carcassonne::{
    Carcassonne, Edition, Expanded, Expansions, ImportedGame, Move, PlayoutPolicy, Rules, State, TileDeck, TileSet,
};
use evouct_platform::clock::{ProcessClock, ThreadClock, WallClock};
use evouct_platform::domain::{Domain, Spec};
use evouct_search::player::{Decision, Player, PlayerView};
use evouct_search::search::Clock;
use std::collections::BTreeMap;
use std::hint::black_box;
use std::time::Duration;

/// One measurement: figures by name.
pub type Figures = BTreeMap<&'static str, f64>;

/// Runs `work` until `seconds` of processor time have passed, at least once; returns the time spent and the sum of what
/// `work` counted.
fn repeat(seconds: f64, mut work: impl FnMut() -> u64) -> (f64, u64) {
    let clock = ThreadClock::start();
    let limit = Duration::from_secs_f64(seconds);
    let (start, mut count) = (clock.now(), 0);
    loop {
        count += work();
        let spent = clock.now() - start;
        if spent >= limit {
            return (spent.as_secs_f64(), count);
        }
    }
}

/// Complete random games of two players.
pub fn playouts(policy: PlayoutPolicy, seconds: f64) -> Figures {
    let rate = games_per_second(&State::new(Rules::official(2)), policy, seconds);
    BTreeMap::from([("games_per_second", rate)])
}

/// The same with all expansions, and the rate of tiles beside that of the base game.
pub fn expansions(seconds: f64) -> Figures {
    let rules = Rules::official(2);
    let all = Expansions::all_sets().last().expect("there are expansions");
    let expanded = Rules::with(TileSet::of(all, false), 2);
    let policy = PlayoutPolicy::default();
    let base = games_per_second(&State::new(rules), policy, seconds / 2.0) * f64::from(rules.tiles.tiles - 1);
    let games = games_per_second(&State::<Expanded>::start(expanded), policy, seconds / 2.0);
    let tiles = games * f64::from(expanded.tiles.tiles - 1);
    BTreeMap::from([
        ("games_per_second", games),
        ("tiles_per_second", tiles),
        ("tiles_per_second_of_the_base_game", base),
        ("ratio", tiles / base),
    ])
}

fn games_per_second<E: Edition>(start: &State<E>, policy: PlayoutPolicy, seconds: f64) -> f64 {
    let mut state = start.clone();
    let mut rng = evouct_base::seed::search_rng(&mut Key::experiment(1).stream());
    let (spent, games) = repeat(seconds, || {
        for _ in 0..500 {
            state.clone_from(start);
            black_box(state.playout(policy, &mut rng));
        }
        500
    });
    games as f64 / spent
}

/// A position after this many turns of a random game, a tile in hand.
fn position(turns: usize) -> (State, TileDeck) {
    let rules = Rules::official(2);
    let mut state = State::new(rules);
    let mut deck = TileDeck::shuffled(&rules, Key::experiment(35));
    let mut rng = Key::experiment(36).stream();
    while deck.deal_playable(&mut state).is_some() && state.turns().len() < turns {
        let moves = state.legal_moves();
        state.play_legal(moves[below(&mut rng, moves.len())], &mut ());
    }
    (state, deck)
}

/// The size of a state, the time to copy one at mid-game, and playouts from there.
pub fn state(seconds: f64) -> Figures {
    let (state, _) = position(35);
    let mut copy = state.clone();
    let (fresh, clones) = repeat(seconds / 3.0, || {
        for _ in 0..10_000 {
            black_box(black_box(&state).clone());
        }
        10_000
    });
    let (reused, copies) = repeat(seconds / 3.0, || {
        for _ in 0..10_000 {
            black_box(&mut copy).clone_from(black_box(&state));
        }
        10_000
    });
    let mut rng = evouct_base::seed::search_rng(&mut Key::experiment(1).stream());
    let (spent, games) = repeat(seconds / 3.0, || {
        for _ in 0..1_000 {
            copy.clone_from(&state);
            black_box(copy.playout(PlayoutPolicy::Joint, &mut rng));
        }
        1_000
    });
    BTreeMap::from([
        ("state_bytes", size_of::<State>() as f64),
        ("clone_nanoseconds", 1e9 * fresh / clones as f64),
        ("clone_from_nanoseconds", 1e9 * reused / copies as f64),
        ("playout_from_turn_35_nanoseconds", 1e9 * spent / games as f64),
    ])
}

/// Lists of legal moves over the positions of random games.
pub fn moves(seconds: f64) -> Figures {
    let positions: Vec<State> = (5..70).step_by(5).map(|turns| position(turns).0).collect();
    let mut list: Vec<Move> = Vec::new();
    let mut listed = 0_u64;
    let (spent, lists) = repeat(seconds, || {
        for state in &positions {
            for _ in 0..500 {
                black_box(state).legal_moves_into(&mut list);
                listed += black_box(list.len()) as u64;
            }
        }
        500 * positions.len() as u64
    });
    BTreeMap::from([
        ("nanoseconds_per_list", 1e9 * spent / lists as f64),
        ("moves_per_list", listed as f64 / lists as f64),
        ("nanoseconds_per_move", 1e9 * spent / listed as f64),
    ])
}

/// Numbers of all legal moves over the positions of random games, beside random playouts from these positions.
///
/// # Panics
/// If the game has no number of such a name.
pub fn numbers(names: &[&str], seconds: f64) -> Figures {
    let mut positions: Vec<(State, Vec<Move>)> = (5..70).step_by(5).map(|turns| listed(position(turns).0)).collect();
    let all = || <Carcassonne>::MOVE_NUMBERS.iter().chain(<Carcassonne>::RATINGS);
    let place = |name: &&str| all().position(|number| number.name == *name).expect("the game has the number");
    let wanted: Vec<usize> = names.iter().map(place).collect();
    let mut columns = vec![Vec::new(); wanted.len()];
    let mut scratch = positions[0].0.clone();
    let moves: usize = positions.iter().map(|(_, moves)| moves.len()).sum();
    let (spent, nodes) = repeat(seconds / 2.0, || {
        for (state, moves) in &positions {
            for _ in 0..20 {
                columns.iter_mut().for_each(Vec::clear);
                <Carcassonne>::fill_move_numbers(black_box(state), moves, &wanted, &mut scratch, &mut columns);
                black_box(&columns);
            }
        }
        20 * positions.len() as u64
    });
    let mut rng = evouct_base::seed::search_rng(&mut Key::experiment(1).stream());
    let (playing, playouts) = repeat(seconds / 2.0, || {
        for (state, _) in &mut positions {
            for _ in 0..20 {
                scratch.clone_from(state);
                black_box(scratch.playout(PlayoutPolicy::default(), &mut rng));
            }
        }
        20 * positions.len() as u64
    });
    let [node, playout] = [spent / nodes as f64, playing / playouts as f64];
    BTreeMap::from([
        ("nanoseconds_per_node", 1e9 * node),
        ("nanoseconds_per_move", 1e9 * node * positions.len() as f64 / moves as f64),
        ("playouts_per_node", node / playout),
    ])
}

/// A position with its legal moves.
fn listed(state: State) -> (State, Vec<Move>) {
    let moves = state.legal_moves();
    (state, moves)
}

fn decide(player: &mut dyn Player<State>, state: &State, deck: &TileDeck) -> Decision<Move> {
    let turns_left = <Carcassonne>::turns_left(state);
    player.decide(&PlayerView { turns_left, ..PlayerView::of(state, deck) })
}

fn spec(text: &str) -> Spec {
    Spec::parse(evouct_carcassonne::add(), text, Preset::Text).expect("the player of a measurement is well formed")
}

fn player(spec: &Spec, seat: usize) -> Box<dyn Player<State>> {
    evouct_carcassonne::player(spec, Key::experiment(9).seat(seat))
}

/// Whole games in which both seats search with 2,000 iterations per decision and default options.
pub fn mcts(seconds: f64) -> Figures {
    whole_games("mcts:iterations=2000", seconds).figures()
}

/// The same with RAVE.
pub fn rave(seconds: f64) -> Figures {
    whole_games("mcts-rave:iterations=2000", seconds).figures()
}

/// Whole games of a player without search against itself.
pub fn games(text: &str, seconds: f64) -> Figures {
    let WholeGames { spent, games, decisions, .. } = whole_games(text, seconds);
    BTreeMap::from([
        ("games_per_second", games as f64 / spent),
        ("microseconds_per_decision", 1e6 * spent / decisions as f64),
    ])
}

/// Playouts by a default policy from the positions of whole games of flat Monte Carlo, beside random ones.
pub fn rated(policy: &str, seconds: f64) -> Figures {
    let rates = ["", policy].map(|policy| {
        let WholeGames { spent, playouts, .. } = whole_games(&format!("flat-mc:iterations=100{policy}"), seconds / 2.0);
        playouts as f64 / spent
    });
    BTreeMap::from([
        ("random_playouts_per_second", rates[0]),
        ("playouts_per_second", rates[1]),
        ("ratio", rates[1] / rates[0]),
    ])
}

/// Whole games with 400 iterations per decision: a player with these parameters, beside UCT with K = 1. The cost is
/// what UCT could do in the same time: its iterations for one of the player's.
pub fn guided(player: &str, seconds: f64) -> Figures {
    let [uct, guided] = ["mcts:iterations=400,k=1,final=visits", player].map(|text| {
        let WholeGames { spent, decisions, .. } = whole_games(text, seconds / 2.0);
        1e3 * spent / decisions as f64
    });
    BTreeMap::from([
        ("uct_milliseconds_per_decision", uct),
        ("milliseconds_per_decision", guided),
        ("cost", guided / uct),
    ])
}

/// Counts over whole games.
struct WholeGames {
    /// Seconds of processor time.
    spent: f64,
    games: u64,
    decisions: u64,
    playouts: u64,
}

impl WholeGames {
    fn figures(&self) -> Figures {
        BTreeMap::from([
            ("playouts_per_second", self.playouts as f64 / self.spent),
            ("games", self.games as f64),
            ("milliseconds_per_decision", 1e3 * self.spent / self.decisions as f64),
        ])
    }
}

fn whole_games(text: &str, seconds: f64) -> WholeGames {
    let spec = spec(text);
    let (mut games, mut decisions) = (0_u64, 0_u64);
    let (spent, playouts) = repeat(seconds, || {
        games += 1;
        let rules = Rules::official(2);
        let mut state = State::new(rules);
        let mut deck = TileDeck::shuffled(&rules, Key::experiment(games));
        let mut players = [0, 1].map(|seat| player(&spec, seat));
        let mut playouts = 0;
        while deck.deal_playable(&mut state).is_some() {
            let decision = decide(players[state.player()].as_mut(), &state, &deck);
            playouts += decision.playouts;
            decisions += 1;
            state.play_legal(decision.action, &mut ());
        }
        playouts
    });
    WholeGames { spent, games, decisions, playouts }
}

/// Decisions of SIEA-MCTS with default options at turn 35.
pub fn siea(seconds: f64) -> Figures {
    let (state, deck) = position(35);
    let mut player = player(&spec("siea-mcts"), state.player());
    let mut decisions = 0_u64;
    let (spent, playouts) = repeat(seconds, || {
        decisions += 1;
        decide(player.as_mut(), &state, &deck).playouts
    });
    BTreeMap::from([
        ("milliseconds_per_decision", 1e3 * spent / decisions as f64),
        ("playouts_per_decision", playouts as f64 / decisions as f64),
        ("playouts_per_second", playouts as f64 / spent),
        ("decisions", decisions as f64),
    ])
}

/// The iterations of a short and of a long decision.
const SHORT_AND_LONG: [u64; 2] = [2_800, 1_000_000];

/// One decision of MCTS at turn 35 with a million iterations, by a player without memory from earlier decisions, beside
/// decisions with 2,800. The bytes are those of its tree.
pub fn long(seconds: f64) -> Figures {
    let (state, deck) = position(35);
    let player = |iterations: u64| player(&spec(&format!("mcts:iterations={iterations}")), state.player());
    let [short, long] = SHORT_AND_LONG;
    let mut short_player = player(short);
    let (spent, playouts) = repeat(seconds / 2.0, || decide(short_player.as_mut(), &state, &deck).playouts);
    let short_rate = playouts as f64 / spent;
    let mut tree = [0, 0];
    let (spent, playouts) = repeat(seconds / 2.0, || {
        let mut player = player(long);
        let playouts = decide(player.as_mut(), &state, &deck).playouts;
        tree = player.tree_size().expect("MCTS has a tree");
        playouts
    });
    let long_rate = playouts as f64 / spent;
    BTreeMap::from([
        ("playouts_per_second", long_rate),
        ("playouts_per_second_of_2800", short_rate),
        ("ratio", long_rate / short_rate),
        ("bytes_per_iteration", tree[1] as f64 / long as f64),
        ("nodes_per_iteration", tree[0] as f64 / long as f64),
    ])
}

/// Iterations per tree of [`trees`].
const PER_TREE: u64 = 20_000;

/// Decisions of MCTS at turn 35 with as many trees as threads, beside one tree, in turn. Every tree has 20,000
/// iterations.
///
/// Rates are per second of wall time, so other programs on the machine count. `processor_ratio` is of playouts per
/// second of processor time, all threads together: what the trees cost one another, whatever else the machine does.
pub fn trees(threads: usize, seconds: f64) -> Figures {
    let (state, deck) = position(35);
    let (wall, processor) = (WallClock::start(), ProcessClock::start());
    let mut players = [1, threads].map(|trees| {
        let iterations = PER_TREE * trees as u64;
        player(&spec(&format!("mcts:iterations={iterations},trees={trees}")), state.player())
    });
    let mut spent = [(0, Duration::ZERO, Duration::ZERO); 2];
    let turns_left = <Carcassonne>::turns_left(&state);
    while spent[0].1 + spent[1].1 < Duration::from_secs_f64(seconds) {
        for (player, (playouts, of_wall, of_processor)) in players.iter_mut().zip(&mut spent) {
            let before = (wall.now(), processor.now());
            *playouts += player.decide(&PlayerView { turns_left, threads, ..PlayerView::of(&state, &deck) }).playouts;
            *of_wall += wall.now() - before.0;
            *of_processor += processor.now() - before.1;
        }
    }
    let [one, all] = spent.map(|(playouts, wall, _)| playouts as f64 / wall.as_secs_f64());
    let [one_processor, all_processors] =
        spent.map(|(playouts, _, processor)| playouts as f64 / processor.as_secs_f64());
    BTreeMap::from([
        ("threads", threads as f64),
        ("playouts_per_second", all),
        ("playouts_per_second_of_one_tree", one),
        ("ratio_per_thread", all / one / threads as f64),
        ("processor_ratio", all_processors / one_processor),
    ])
}

/// The fifty positions that Heyden's algorithms are compared on.
const POSITIONS: &str = include_str!("heyden-states.jsonl");

/// Decisions of Star2.5 in the fifty positions, at depth 2 and, for a few of them and so many nodes, at depth 3.
pub fn star(seconds: f64) -> Figures {
    let states: Vec<State> = POSITIONS
        .lines()
        .map(|line| {
            let recording: ImportedGame = serde_json::from_str(line).expect("the positions are well formed");
            recording.position().expect("the positions are by the rules")
        })
        .collect();
    let mut figures = Figures::new();
    // At depth 3 a decision may take half a minute: a number of nodes ends it.
    for (text, every, rate, milliseconds) in [
        ("star2.5:depth=2", 1, "nodes_per_second", "milliseconds_per_decision"),
        (
            "star2.5:depth=3,deepening=true,nodes=300000",
            10,
            "nodes_per_second_depth_3",
            "milliseconds_per_300000_nodes",
        ),
    ] {
        let (spec, mut decisions) = (spec(text), 0_u64);
        let (spent, nodes) = repeat(seconds / 2.0, || {
            let mut nodes = 0;
            for state in states.iter().step_by(every) {
                let mut player = player(&spec, state.player());
                let tiles: Vec<_> = state.remaining().collect();
                nodes += decide(player.as_mut(), state, &TileDeck::in_order(&tiles, Key::experiment(1))).nodes;
                decisions += 1;
            }
            nodes
        });
        figures.insert(rate, nodes as f64 / spent);
        figures.insert(milliseconds, 1e3 * spent / decisions as f64);
    }
    figures
}
