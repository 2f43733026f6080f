//! The rules against independent implementations: at the root every selection is recomputed from all simulations so far.

use super::{Mcts, Player, PlayerView, Selector};
use crate::game::cells::Cells;
use crate::game::slots::Slots;
use crate::game::{
    Game, MAX_SEATS, MoveLog, Parts, PartsPlayout, Playout, RatedChoice, Rater, Scores, StreamDeck, Turn, Uniform,
    next_seat,
};
use crate::search::{
    AmafSameness, BackedUp, Backup, Budget, CustomPolicy, Decisive, DecisiveRater, DefaultPolicy, FormulaRating, Grave,
    Guidance, LearnedPlayout, Learning, ProgressiveHistory, RatedPlayout, Search, SearchColumn, SearchSettings,
    SelectionRule, Solver, Termination, TreePolicy, UcbForm, Uct, Untried, Workspace,
};
use evouct_base::seed::{Key, search_rng};
use evouct_gp::{LnRule, Program, Tree};
use rand::Rng;
use std::sync::{Arc, Mutex};

/// Moves and rewards of a simulation.
type Simulation = (Vec<usize>, [f64; MAX_SEATS]);
type Simulations = Arc<Mutex<Vec<Simulation>>>;

/// Uniform playouts that note the simulations.
#[derive(Clone, Debug, Default)]
struct Noting(Simulations);

impl Playout<Cells> for Noting {
    fn play_out(&self, state: &mut Cells, rng: &mut impl Rng) -> Scores {
        Uniform.play_out(state, rng)
    }

    fn needs_log(&self) -> bool {
        true
    }

    fn learn(&mut self, log: &MoveLog<Cells>, first: usize, _: &Cells, rewards: &[f64; MAX_SEATS]) {
        self.0.lock().unwrap().push((log.plies()[first..].iter().map(|ply| ply.action).collect(), *rewards));
    }
}

fn program(text: &str) -> Program {
    Program::new(Tree::parse_over(text, &SearchColumn::terminals(&[])).unwrap(), LnRule::Abs)
}

fn uct() -> Uct {
    Uct { exploration: 0.8, form: UcbForm::Plain }
}

/// The decision of a rule, with the simulations that led to it.
fn decide(
    state: &Cells,
    rule: impl SelectionRule + 'static,
    (untried, final_move, iterations): (Untried, Option<Program>, u64),
) -> (usize, Vec<Simulation>) {
    let noting = Noting::default();
    let selector = Selector::Custom(CustomPolicy::new(rule));
    let key = Key::experiment(6);
    let mut player = Mcts::new(selector, Budget::iterations(iterations), noting.clone(), key.seat(0));
    player.guidance = Guidance { untried, final_move, ..Guidance::default() };
    let decision = player.decide(&PlayerView::of(state, &StreamDeck::of(key.deck(1))));
    let simulations = std::mem::take(&mut *noting.0.lock().unwrap());
    (decision.action, simulations)
}

/// Rewards of the seat to play at the root in simulations that begin with a move, and in those that make it at any time.
fn rewards(known: &[Simulation], cell: usize, seat: usize) -> [Vec<f64>; 2] {
    let of = |begins: bool| {
        let mut rewards = Vec::new();
        for (moves, of_seats) in known {
            // Moves of the seat are every second one.
            let own = moves.iter().step_by(2).take(if begins { 1 } else { usize::MAX });
            rewards.extend(own.filter(|other| **other == cell).map(|_| of_seats[seat]));
        }
        rewards
    };
    [of(true), of(false)]
}

fn mean(rewards: &[f64]) -> f64 {
    rewards.iter().sum::<f64>() / rewards.len() as f64
}

/// Checks that each simulation begins with a move of the highest value.
fn check(state: &Cells, simulations: &[Simulation], value: impl Fn(&[Simulation], usize) -> f64) {
    for number in 0..simulations.len() {
        let known = &simulations[..number];
        let values: Vec<(usize, f64)> = state.open().map(|cell| (cell, value(known, cell))).collect();
        let highest = values.iter().map(|(_, value)| *value).fold(f64::NEG_INFINITY, f64::max);
        let (_, chosen) = values.iter().find(|(cell, _)| *cell == simulations[number].0[0]).unwrap();
        assert!(*chosen >= highest - 1e-9 || *chosen == highest, "{number}: {chosen} of {values:?}");
    }
}

#[test]
fn grave_selects_as_an_independent_implementation() {
    let state = Cells::row(&[4, 2]);
    let bias = 0.01;
    let (_, simulations) = decide(&state, Grave { bias }, (Untried::Formula(program("Ag")), None, 300));
    check(&state, &simulations, |known, cell| {
        let [own, first] = rewards(known, cell, 0);
        let (visits, count) = (own.len() as f64, first.len() as f64);
        if count == 0.0 {
            let all: Vec<f64> = known.iter().map(|(_, rewards)| rewards[0]).collect();
            return if all.is_empty() { 0.0 } else { mean(&all) };
        }
        let beta = count / (visits + count + bias * visits * count);
        beta * mean(&first) + if visits > 0.0 { (1.0 - beta) * mean(&own) } else { 0.0 }
    });
}

#[test]
fn progressive_history_selects_as_an_independent_implementation() {
    let state = Cells::row(&[4, 2]);
    let rule = ProgressiveHistory { uct: uct(), weight: 0.7, range: [-1.0, 1.0] };
    let (_, simulations) = decide(&state, rule, (Untried::Expand, None, 300));
    check(&state, &simulations, |known, cell| {
        let [own, all] = rewards(known, cell, 0);
        if own.is_empty() {
            return f64::INFINITY;
        }
        let (visits, parent) = (own.len() as f64, known.len() as f64);
        let losses: f64 = own.iter().map(|reward| (1.0 - reward) / 2.0).sum();
        mean(&own) + 0.8 * (parent.ln() / visits).sqrt() + 0.7 * (1.0 + mean(&all)) / 2.0 / (losses + 1.0)
    });
}

/// Positions of random games with so many moves.
fn positions(moves: usize) -> Vec<Cells> {
    let mut rng = search_rng(&mut Key::experiment(8).stream());
    let mut all = Vec::new();
    while all.len() < 25 {
        let mut state = Cells::row(&[]);
        for _ in 0..moves {
            if next_seat(&mut state, None, &mut rng).is_some() {
                let action = Playout::<Cells>::choose(&Uniform, &state, &mut rng);
                state.play(action);
            }
        }
        all.extend((state.turn() != Turn::Terminal).then_some(state));
    }
    all
}

#[test]
fn a_solver_plays_what_minimax_plays() {
    for state in positions(3) {
        let secure = program("1000000000 * (pw - pl) + Q + 1 / sqrt(n)");
        let (cell, _) = decide(&state, Solver { uct: uct() }, (Untried::Expand, Some(secure), 1_500));
        let best = state.open().map(|cell| -state.with(cell).value()).max().unwrap();
        assert_eq!(-state.with(cell).value(), best, "{cell} in {state:?}");
    }
}

/// After one simulation of each move a decisive search knows what wins or loses at once.
#[test]
fn decisive_moves_are_played_and_losing_ones_are_not() {
    let (mut wins, mut saves) = (0, 0);
    for state in positions(4) {
        let untried = Untried::Formula(program("1000000000 * (1 + w1 - 2 * l1)"));
        let (cell, simulations) = decide(&state, Decisive { uct: uct() }, (untried, None, 30));
        let seat = 9 - state.open().count();
        let is_won = |state: &Cells, seat: usize| state.winner() == Some(seat % 2);
        let lets = |cell: usize| {
            let after = state.with(cell);
            after.winner().is_none() && after.open().any(|reply| is_won(&after.with(reply), seat + 1))
        };
        if state.open().any(|cell| is_won(&state.with(cell), seat)) {
            wins += 1;
            assert!(simulations.iter().all(|(moves, _)| is_won(&state.with(moves[0]), seat)), "{state:?}");
            assert!(is_won(&state.with(cell), seat));
        } else if state.open().any(|cell| !lets(cell)) {
            saves += state.open().filter(|cell| lets(*cell)).count();
            assert!(simulations.iter().all(|(moves, _)| !lets(moves[0])), "{state:?}");
        }
    }
    assert!(wins > 0 && saves > 10, "{wins} {saves}");
}

/// Playouts with the rating win if the next move can.
#[test]
fn decisive_playouts_win_at_once_and_stop_wins() {
    let termination = Termination::default();
    let rater: Option<Arc<dyn Rater<Cells>>> = Some(Arc::new(DecisiveRater));
    let rated = RatedPlayout { random: Uniform, rater, by: Default::default(), epsilon: 0.0, termination };
    let rating = Tree::parse_over("2*w1 - l1", &SearchColumn::terminals(&[])).unwrap();
    let formula = FormulaRating { program: Program::new(rating, LnRule::Abs), numbers: None, by: RatedChoice::Best };
    let formula = LearnedPlayout::by_formula(Uniform, formula, 0.0, Termination::default());
    let playouts = [DefaultPolicy::Rated(Arc::new(rated)), DefaultPolicy::Learned(Box::new(formula))];
    let mut rng = search_rng(&mut Key::experiment(8).stream());
    // The second seat has 3 and 5, the first 0 and 1: it wins by 2, and without 0 it must stop 4.
    for playout in playouts.iter().cycle().take(40) {
        assert_eq!(playout.choose(&Cells::row(&[0, 3, 1, 5]), &mut rng), 2);
        assert_eq!(playout.choose(&Cells::row(&[0, 3, 7, 5]), &mut rng), 4);
    }
}

/// N-gram playouts, by a table of all moves of all simulations.
#[test]
fn n_gram_playouts_play_what_an_independent_table_says() {
    for (length, least) in [(1, 1), (2, 2), (3, 1), (3, 3)] {
        let learning = Learning::NGrams { length, least };
        let (same, termination) = (AmafSameness::Exact, Termination::default());
        let mut policy = LearnedPlayout::new(Uniform, learning, same, 0.0, termination);
        let mut rng = search_rng(&mut Key::experiment(8).stream());
        let mut known: Vec<Simulation> = Vec::new();
        for game in 0..40 {
            let (mut state, mut log) = (Cells::row(&[]), MoveLog::<Cells>::default());
            while let Some(seat) = next_seat(&mut state, Some(&mut log), &mut rng) {
                let played: Vec<usize> = log.plies().iter().map(|ply| ply.action).collect();
                let value = |cell: usize| {
                    let (mut sum, mut count) = (0.0, 0.0);
                    for before in 0..usize::from(length).min(played.len() + 1) {
                        let sequence: Vec<usize> =
                            played[played.len() - before..].iter().copied().chain([cell]).collect();
                        let mut rewards = Vec::new();
                        for (moves, of_seats) in &known {
                            let ends = moves
                                .windows(sequence.len())
                                .enumerate()
                                .filter(|(start, window)| **window == sequence[..] && (start + before) % 2 == seat);
                            rewards.extend(ends.map(|_| of_seats[seat]));
                        }
                        let all: Vec<f64> = known.iter().map(|(_, rewards)| rewards[seat]).collect();
                        if before == 0 && rewards.is_empty() {
                            (sum, count) = (if all.is_empty() { 0.0 } else { mean(&all) }, 1.0);
                        } else if before == 0 || rewards.len() >= least as usize {
                            (sum, count) = (sum + mean(&rewards), count + 1.0);
                        }
                    }
                    sum / count
                };
                let highest = state.open().map(value).fold(f64::NEG_INFINITY, f64::max);
                let mut after = state.clone();
                let before = log.mark();
                assert!(policy.play_turn(&mut after, Some(&mut log), &mut rng));
                let chosen = log.plies().last().unwrap().action;
                assert!(value(chosen) >= highest - 1e-9, "game {game}: {chosen}, {} of {highest}", value(chosen));
                log.go_back(before);
                // The games are random, so that all is learned.
                Uniform.play_turn(&mut state, Some(&mut log), &mut rng);
            }
            let scores = state.scores();
            let mut rewards = [0.0; MAX_SEATS];
            (rewards[0], rewards[1]) = (f64::from(scores[0] - scores[1]), f64::from(scores[1] - scores[0]));
            policy.learn(&log, 0, &state, &rewards);
            known.push((log.plies().iter().map(|ply| ply.action).collect(), rewards));
        }
    }
}

/// A backup of its own: after every simulation the value of each action at the root is what it says.
#[test]
fn a_backup_says_what_actions_are_worth() {
    /// The mean of the mean reward and of the best reply.
    #[derive(Debug)]
    struct Half;

    impl Backup for Half {
        fn value(&self, edge: &BackedUp) -> f64 {
            0.5 * (edge.mean + edge.next.unwrap_or(edge.mean))
        }
    }

    let state = Cells::row(&[4, 2]);
    let guidance = Guidance { backup: Some(Arc::new(Half)), ..Guidance::default() };
    let (settings, mut work) = (SearchSettings::default(), Workspace::default());
    let rng = search_rng(&mut Key::experiment(6).stream());
    let noting = Noting::default();
    let policy = TreePolicy::Uct(uct());
    let mut search = Search::new(&mut work, &state, None, &settings, noting.clone(), rng);
    search = search.with_guidance(&guidance, &policy);
    // Two decisions deep the values are by hand: replies that were tried have the mean reward of the simulations after
    // the first one, which did not come to the reply, and nothing follows them before the third.
    for _ in 0..20 {
        search.iterate(&policy);
        assert_eq!(search.check(), Ok(()));
        let known = noting.0.lock().unwrap();
        for (cell, child) in state.open().zip(search.children()) {
            let own: Vec<_> = known.iter().filter(|(moves, _)| moves[0] == cell).collect();
            let all: Vec<f64> = own.iter().map(|(_, rewards)| rewards[0]).collect();
            let expected = match own.len() {
                0 => 0.0,
                1 => mean(&all),
                2 => 0.5 * (mean(&all) - own[1].1[1]),
                _ => continue,
            };
            assert!((child.mean - expected).abs() < 1e-9, "{cell}: {}, expected {expected}", child.mean);
        }
    }
}

/// Playouts that adapt, by weights in a plain table, which replays each game.
#[test]
fn adapted_playouts_have_the_weights_of_an_independent_table() {
    let rate = 0.7;
    let (same, termination) = (AmafSameness::Exact, Termination::default());
    let mut policy = LearnedPlayout::new(Uniform, Learning::PolicyAdaptation { rate }, same, 0.0, termination);
    let mut rng = search_rng(&mut Key::experiment(8).stream());
    let mut weights = [[0.0_f64; 9]; 2];
    let shares = |weights: &[f64; 9], state: &Cells| -> Vec<(usize, f64)> {
        let all: f64 = state.open().map(|cell| weights[cell].exp()).sum();
        state.open().map(|cell| (cell, weights[cell].exp() / all)).collect()
    };
    for _ in 0..30 {
        let (mut end, mut log) = (Cells::row(&[]), MoveLog::<Cells>::default());
        policy.play_out_logged(&mut end, &mut log, &mut rng);
        policy.learn(&log, 0, &end, &[0.0; MAX_SEATS]);
        let Some(winner) = end.winner() else { continue };
        let (mut state, before) = (Cells::row(&[]), weights[winner]);
        for ply in log.plies() {
            if ply.seat == winner {
                weights[winner][ply.action] += rate;
                shares(&before, &state).iter().for_each(|(cell, share)| weights[winner][*cell] -= rate * share);
            }
            state.play(ply.action);
        }
    }
    // The first seat is to play at the start, the second after one move.
    for (seat, state) in [(0, Cells::row(&[])), (1, Cells::row(&[4]))] {
        let mut counts = [0.0; 9];
        (0..20_000).for_each(|_| counts[policy.choose(&state, &mut rng)] += 1.0 / 20_000.0);
        for (cell, share) in shares(&weights[seat], &state) {
            assert!((counts[cell] - share).abs() < 0.015, "seat {seat}, {cell}: {}, expected {share}", counts[cell]);
        }
    }
}

/// A tree of parts plays whole moves in playouts, and what they learn is the same.
#[test]
fn adapted_playouts_learn_the_same_in_a_tree_of_parts() {
    let (same, termination) = (AmafSameness::Exact, Termination::default());
    let untaught = LearnedPlayout::new(Uniform, Learning::PolicyAdaptation { rate: 1.0 }, same, 0.0, termination);
    let (mut whole, mut parts) = (untaught.clone(), PartsPlayout(untaught.clone()));
    let mut rngs = [9, 9].map(|key| search_rng(&mut Key::experiment(key).stream()));
    for _ in 0..40 {
        let (mut end, mut log) = (Slots::new(), MoveLog::default());
        whole.play_out_logged(&mut end, &mut log, &mut rngs[0]);
        whole.learn(&log, 0, &end, &[0.0; MAX_SEATS]);
        let (mut end, mut log) = (Parts::of(Slots::new()), MoveLog::default());
        parts.play_out_logged(&mut end, &mut log, &mut rngs[1]);
        parts.learn(&log, 0, &end, &[0.0; MAX_SEATS]);
    }
    let scores = |policy: &LearnedPlayout<Slots, Uniform>| {
        let mut rng = search_rng(&mut Key::experiment(10).stream());
        (0..20)
            .map(|_| policy.play_out_logged(&mut Slots::new(), &mut MoveLog::default(), &mut rng))
            .collect::<Vec<_>>()
    };
    assert_eq!(scores(&whole), scores(&parts.0));
    assert_ne!(scores(&whole), scores(&untaught));
}
