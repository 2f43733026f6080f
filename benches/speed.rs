//! Small pieces of the hot paths, for comparing two versions of them: `cargo bench`. Whole figures are `evouct
//! bench`'s.

use divan::{Bencher, black_box};
use evouct::carcassonne::{Deck, PlayoutPolicy, Rules, State};
use evouct::gp::{CONSTANTS, Creator, LnRule, Mutation, Program, Scratch, Tree, simplify};
use evouct::sampling::below;
use evouct::seed::{Key, search_rng};

fn main() {
    divan::main();
}

/// A position after this many turns of a random game, a tile in hand.
fn position(turns: usize) -> State {
    let rules = Rules::official(2);
    let mut state = State::new(rules);
    let mut deck = Deck::shuffled(&rules, Key::experiment(35));
    let mut rng = Key::experiment(36).stream();
    while deck.deal_playable(&mut state).is_some() && state.turns().len() < turns {
        let moves = state.legal_moves();
        state.play(moves[below(&mut rng, moves.len())]).expect("the move was listed");
    }
    state
}

#[divan::bench(args = [0, 35, 65])]
fn playout(bencher: Bencher, turns: usize) {
    let start = position(turns);
    let mut state = start.clone();
    let mut rng = search_rng(&mut Key::experiment(1).stream());
    bencher.bench_local(|| {
        state.clone_from(&start);
        black_box(state.playout(PlayoutPolicy::Joint, &mut rng))
    });
}

#[divan::bench(args = [5, 35, 65])]
fn legal_moves(bencher: Bencher, turns: usize) {
    let state = position(turns);
    let mut moves = Vec::new();
    bencher.bench_local(|| {
        black_box(&state).legal_moves_into(&mut moves);
        moves.len()
    });
}

#[divan::bench]
fn clone_whole(bencher: Bencher) {
    let state = position(35);
    bencher.bench_local(|| black_box(&state).clone());
}

#[divan::bench]
fn clone_used(bencher: Bencher) {
    let state = position(35);
    let mut copy = state.clone();
    bencher.bench_local(|| black_box(&mut copy).clone_from(black_box(&state)));
}

/// The seed formula for all children of a node at once.
#[divan::bench(args = [1, 8, 40, 100])]
fn formula(bencher: Bencher, children: usize) {
    let program = Program::new(Tree::uct(), LnRule::Abs);
    let means: Vec<f64> = (0..children).map(|child| (child * 7 % 23) as f64 - 11.0).collect();
    let visits: Vec<f64> = (0..children).map(|child| 1.0 + (child * 5 % 19) as f64).collect();
    let parent = visits.iter().sum();
    let (mut scratch, mut values) = (Scratch::default(), vec![0.0; children]);
    bencher.bench_local(|| {
        program.evaluate(black_box((&means, &visits)), (parent, 0.5), &mut scratch, &mut values);
        values[0]
    });
}

#[divan::bench]
fn mutate(bencher: Bencher) {
    let (seed, mutation) = (Tree::uct(), Mutation { creator: Creator::default(), ..Mutation::default() });
    let mut rng = search_rng(&mut Key::experiment(2).stream());
    bencher.bench_local(|| mutation.mutate(black_box(&seed), &mut rng));
}

#[divan::bench]
fn simplified(bencher: Bencher) {
    let mutation = Mutation::default();
    let mut rng = search_rng(&mut Key::experiment(3).stream());
    let mut tree = Tree::uct().bind(CONSTANTS[0]);
    for _ in 0..20 {
        tree = mutation.mutate(&tree, &mut rng);
    }
    bencher.bench_local(|| simplify(black_box(&tree), LnRule::Abs));
}
