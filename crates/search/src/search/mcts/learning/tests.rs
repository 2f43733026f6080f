//! What a search learns of moves, against sums over all its simulations, after every one of them.

use super::*;
use crate::game::cells::Cells;
use crate::game::slots::Slots;
use crate::game::{MoveLog, Ply, PlyOf, RatedChoice, RatingScratch, Scores, Uniform, next_seat, play_logged};
use crate::search::mcts::workspace::Step;
use crate::search::move_table::MoveTable;
use crate::search::{FormulaRating, Guidance, LearnedSettings, SearchSettings, TreePolicy, UcbForm, Uct};
use evouct_base::seed::{Key, search_rng};
use evouct_gp::{LnRule, Program, Tree};
use rand::Rng;
use std::sync::{Arc, Mutex};

/// A simulation: its plies and those before it, the number of the latter, rewards and scores.
struct Simulation<G: Game> {
    plies: Vec<PlyOf<G>>,
    first: usize,
    rewards: [f64; MAX_SEATS],
    scores: Scores,
}

type Simulations<G> = Arc<Mutex<Vec<Simulation<G>>>>;

/// Uniform playouts that note the simulations.
struct Noting<G: Game>(Simulations<G>);

impl<G: Game> Clone for Noting<G> {
    fn clone(&self) -> Noting<G> {
        Noting(Arc::clone(&self.0))
    }
}

impl<G: Game> std::fmt::Debug for Noting<G> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("Noting")
    }
}

impl<G: Game> Playout<G> for Noting<G> {
    fn play_out(&self, state: &mut G, rng: &mut impl Rng) -> Scores {
        Uniform.play_out(state, rng)
    }

    fn needs_log(&self) -> bool {
        true
    }

    fn learn(&mut self, log: &MoveLog<G>, first: usize, end: &G, rewards: &[f64; MAX_SEATS]) {
        let plies = log.plies().to_vec();
        self.0.lock().unwrap().push(Simulation { plies, first, rewards: *rewards, scores: end.scores() });
    }
}

fn same<G: Game>(one: &PlyOf<G>, other: &PlyOf<G>) -> bool {
    one.seat == other.seat && one.action == other.action
}

/// Mean and count of these rewards, with `extra` rewards of this mean.
fn mean(rewards: &[f64], extra: f64, otherwise: f64) -> (f64, f64) {
    let (sum, count) = (rewards.iter().sum::<f64>(), rewards.len() as f64);
    (if count + extra > 0.0 { (sum + extra * otherwise) / (count + extra) } else { otherwise }, count)
}

/// What formulas should know of a move of a seat at a node, by a look through all simulations. `before` are the plies of
/// the game before the node, `below` the plies of those that went through the node whose moves as first are used.
fn expected<G: Game>(
    simulations: &[Simulation<G>],
    ply: &PlyOf<G>,
    before: &[PlyOf<G>],
    below: &[(&[PlyOf<G>], [f64; MAX_SEATS])],
) -> Vec<(SearchColumn, f64)> {
    let of_seat: Vec<f64> = simulations.iter().map(|simulation| simulation.rewards[ply.seat]).collect();
    let made = |back: usize| {
        let mut rewards = Vec::new();
        for Simulation { plies, first, rewards: of_seats, .. } in simulations {
            for place in *first..plies.len() {
                // As many plies before it are the same, or there is none in both.
                let is_same = (1..=back).all(|back| {
                    let own = place.checked_sub(back).map(|place| &plies[place]);
                    let other = before.len().checked_sub(back).map(|place| &before[place]);
                    match (own, other) {
                        (Some(own), Some(other)) => same::<G>(own, other),
                        (own, other) => own.is_none() && other.is_none(),
                    }
                });
                if is_same && same::<G>(&plies[place], ply) {
                    rewards.push(of_seats[ply.seat]);
                }
            }
        }
        rewards
    };
    let history = mean(&made(0), 0.0, mean(&of_seat, 0.0, 0.0).0);
    let pair = mean(&made(1), 2.0, history.0);
    let triple = mean(&made(2), 2.0, pair.0);
    let mut first = Vec::new();
    for (plies, rewards) in below {
        first.extend(plies.iter().filter(|other| same::<G>(other, ply)).map(|_| rewards[ply.seat]));
    }
    let first = mean(&first, 0.0, history.0);
    let mut reply: Option<G::Action> = None;
    for Simulation { plies, first, scores, .. } in simulations {
        for place in (*first).max(1)..plies.len() {
            let answers = before.last().is_some_and(|last| same::<G>(last, &plies[place - 1]));
            if !answers || plies[place].seat != ply.seat {
                continue;
            }
            match scores[ply.seat].cmp(&scores[1 - ply.seat]) {
                std::cmp::Ordering::Greater => reply = Some(plies[place].action),
                std::cmp::Ordering::Less if reply == Some(plies[place].action) => reply = None,
                _ => {}
            }
        }
    }
    let reply = f64::from(reply == Some(ply.action));
    use SearchColumn as C;
    let means = [(C::History, history.0), (C::PairMean, pair.0), (C::TripleMean, triple.0), (C::GraveMean, first.0)];
    let counts =
        [(C::HistoryCount, history.1), (C::PairCount, pair.1), (C::TripleCount, triple.1), (C::GraveVisits, first.1)];
    means.into_iter().chain(counts).chain([(C::Reply, reply)]).collect()
}

fn of_column(column: SearchColumn) -> Program {
    Program::new(Tree::leaf(column.terminal()), LnRule::Abs)
}

fn all_columns() -> Needs {
    let mut needs = Needs::default();
    SearchColumn::ALL.iter().filter(|column| column.is_learned()).for_each(|column| needs.add(column.column()));
    needs
}

fn uct(exploration: f64) -> TreePolicy {
    TreePolicy::Uct(Uct { exploration, form: UcbForm::Plain })
}

/// The values of a column for the children of a node, which the search is at.
fn values<G: Game, P: Playout<G>>(
    search: &mut Search<G, P>,
    guidance: &Guidance<G>,
    node: usize,
    column: SearchColumn,
) -> Vec<f64> {
    search.evaluate(guidance, node, &of_column(column));
    search.work.guided.values.clone()
}

/// Compares all columns of a node that the search is at.
fn compare<G: Game>(
    search: &mut Search<G, Noting<G>>,
    (guidance, node, seat): (&Guidance<G>, usize, usize),
    simulations: &[Simulation<G>],
    below: &[(&[PlyOf<G>], [f64; MAX_SEATS])],
) -> f64 {
    let (before, drawn) = (search.work.log.plies().to_vec(), search.work.log.drawn(seat));
    let mut actions = Vec::new();
    search.state().actions(&mut actions);
    let mut counted = 0.0;
    for (place, action) in actions.iter().enumerate() {
        for (column, value) in expected(simulations, &Ply { seat, drawn, action: *action }, &before, below) {
            let found = values(search, guidance, node, column)[place];
            let close = (found - value).abs() < 1e-9;
            assert!(close, "{column:?} of {action:?} after {}: {found}, expected {value}", simulations.len());
            counted += if column == SearchColumn::History { 0.0 } else { value.abs() };
        }
    }
    counted
}

/// In playouts, formulas know the same numbers, after every simulation.
#[test]
fn numbers_of_moves_in_playouts_are_sums_over_all_simulations() {
    let columns = SearchColumn::ALL.into_iter().filter(|column| column.terminal().is_in_playouts());
    let at_once = [SearchColumn::Wins, SearchColumn::Lets];
    let columns: Vec<SearchColumn> = columns.filter(|column| !at_once.contains(column)).collect();
    assert_eq!(columns.len(), 7);
    let choices = columns.iter().map(|column| FormulaRating::<Slots> {
        program: of_column(*column),
        numbers: None,
        by: RatedChoice::Best,
    });
    let choices: Vec<FormulaRating<Slots>> = choices.collect();
    let mut table = MoveTable::default();
    table.begin(SearchColumn::lessons_of(columns.iter().copied()), 0.0, false);
    let mut rng = search_rng(&mut Key::experiment(3).stream());
    let (mut known, mut counted): (Vec<Simulation<Slots>>, f64) = (Vec::new(), 0.0);
    for _ in 0..25 {
        let (mut state, mut log) = (Slots::new(), MoveLog::default());
        while let Some(seat) = next_seat(&mut state, Some(&mut log), &mut rng) {
            for (column, choice) in columns.iter().zip(&choices) {
                let mut scratch = RatingScratch::default();
                state.actions(&mut scratch.actions);
                choice.rate(&state, &table, (seat, &log), &mut scratch);
                for (action, found) in scratch.actions.iter().zip(&scratch.ratings) {
                    let ply = Ply { seat, drawn: log.drawn(seat), action: *action };
                    let all = expected(&known, &ply, log.plies(), &[]);
                    let (_, value) = all.into_iter().find(|(own, _)| own == column).unwrap();
                    assert!((found - value).abs() < 1e-9, "{column:?}: {found}, expected {value}");
                    counted += value.abs();
                }
            }
            let action = Uniform.choose(&state, &mut rng);
            play_logged(&mut state, seat, action, Some(&mut log));
        }
        let (scores, mut rewards) = (state.scores(), [0.0; MAX_SEATS]);
        (0..2).for_each(|seat| rewards[seat] = f64::from(scores[seat] - scores[1 - seat]));
        table.learn(&state, (log.plies(), 0), std::iter::empty(), &rewards);
        known.push(Simulation { plies: log.plies().to_vec(), first: 0, rewards, scores });
    }
    assert!(counted > 100.0, "{counted}");
}

const ENOUGH: u32 = 6;

fn settings() -> SearchSettings {
    SearchSettings { learned: LearnedSettings { grave_visits: ENOUGH, keep: 0.0 }, ..SearchSettings::default() }
}

/// At the root of a game with chance, with two moves before it.
#[test]
fn numbers_of_moves_at_the_root_are_sums_over_all_simulations() {
    let mut rng = search_rng(&mut Key::experiment(2).stream());
    let (mut root, mut log) = (Slots::new(), MoveLog::default());
    for _ in 0..2 {
        Uniform.play_turn(&mut root, Some(&mut log), &mut rng);
    }
    let seat = crate::game::next_seat(&mut root, Some(&mut log), &mut rng).unwrap();
    let (settings, guidance, needs) = (settings(), Guidance::default(), all_columns());
    let (mut work, simulations) = (Workspace::default(), Simulations::<Slots>::default());
    let playout = Noting(Arc::clone(&simulations));
    let mut search = Search::following(&mut work, (&root, Some(&log)), None, &settings, playout, rng);
    search = search.with_guidance_and(&guidance, &needs);
    let mut counted = 0.0;
    for _ in 0..12 {
        search.reset();
        let known = simulations.lock().unwrap();
        let below: Vec<_> = known.iter().map(|one| (&one.plies[one.first..], one.rewards)).collect();
        counted += compare(&mut search, (&guidance, 0, seat), &known, &below);
        drop(below);
        drop(known);
        search.iterate(&uct(1.0));
    }
    assert!(counted > 100.0, "{counted}");
}

/// Below the root, where moves as first are those of the node once it has enough visits, and of the root before.
#[test]
fn numbers_of_moves_below_the_root_are_sums_over_all_simulations() {
    let root = Cells::crosses(&[4]);
    let (settings, guidance, needs) = (settings(), Guidance::default(), all_columns());
    let (mut work, simulations) = (Workspace::default(), Simulations::<Cells>::default());
    let (playout, rng) = (Noting(Arc::clone(&simulations)), search_rng(&mut Key::experiment(4).stream()));
    let mut search = Search::new(&mut work, &root, None, &settings, playout, rng);
    search = search.with_guidance_and(&guidance, &needs);
    let mut seen = [0; 2];
    for _ in 0..120 {
        search.iterate(&uct(1.0));
        for edge in 0..8 {
            let Some(node) = search.work.tree.follow(crate::search::tree::Parent::Edge(edge), None) else { continue };
            let action = search.work.tree.action(edge);
            search.reset();
            search.work.path.push(Step { node: 0, edge: Some(edge), mover: 1 });
            search.state().play(action);
            search.work.log.play(1, action);
            let known = simulations.lock().unwrap();
            let has_enough = search.work.tree.node(node).visits >= f64::from(ENOUGH);
            let through = known.iter().filter(|one| !has_enough || one.plies[0].action == action);
            // The simulation that tried the edge did not come to the node.
            let first = if has_enough { 1 } else { 0 };
            let below: Vec<_> = through.skip(first).map(|one| (&one.plies[first..], one.rewards)).collect();
            compare(&mut search, (&guidance, node, 0), &known, &below);
            seen[usize::from(has_enough)] += 1;
        }
    }
    assert!(seen.iter().all(|seen| *seen > 50), "{seen:?}");
}

/// What is proven is so by minimax, and in the end all is, also where equal positions share a node.
#[test]
fn what_the_tree_proves_is_so_by_minimax() {
    let columns = [SearchColumn::ProvenWin, SearchColumn::ProvenLoss, SearchColumn::ProvenDraw];
    let mut kinds = [0; 3];
    let roots = [&[4, 0, 8][..], &[0, 4, 8, 2], &[4, 1, 0], &[0, 1, 2, 4]];
    for (cells, transpositions) in roots.into_iter().flat_map(|cells| [(cells, false), (cells, true)]) {
        let root = Cells::crosses(cells);
        let actions: Vec<usize> = root.open().collect();
        let settings = SearchSettings { transpositions, ..settings() };
        let (guidance, needs) = (Guidance::default(), all_columns());
        let mut work = Workspace::default();
        let rng = search_rng(&mut Key::experiment(4).stream());
        let mut search = Search::new(&mut work, &root, None, &settings, Uniform, rng);
        search = search.with_guidance_and(&guidance, &needs);
        let mut proven = 0;
        for iteration in 0..6_000 {
            search.iterate(&uct(30.0));
            if iteration % 50 > 0 && iteration > 100 {
                continue;
            }
            search.reset();
            let [wins, losses, draws] = columns.map(|column| values(&mut search, &guidance, 0, column));
            proven = 0;
            for (place, cell) in actions.iter().enumerate() {
                let found = [wins[place], losses[place], draws[place]];
                let value = -root.with(*cell).value();
                let expected = [1, -1, 0].map(|kind| f64::from(kind == value));
                assert!(found == expected || found == [0.0; 3], "{cell}: {found:?}, expected {expected:?}");
                proven += usize::from(found == expected);
                (0..3).for_each(|kind| kinds[kind] += found[kind] as usize);
            }
        }
        assert_eq!(proven, actions.len(), "all is proven after {cells:?}");
    }
    assert!(kinds.iter().all(|count| *count > 0), "{kinds:?}");
}

#[test]
fn moves_that_win_at_once_and_that_let_the_other_win_by_hand() {
    // Crosses have 0 and 1, noughts 3 and 4; crosses are to play.
    let root = Cells::crosses(&[0, 3, 1, 4]);
    let (settings, guidance, needs) = (settings(), Guidance::default(), all_columns());
    let (mut work, rng) = (Workspace::default(), search_rng(&mut Key::experiment(4).stream()));
    let mut search = Search::new(&mut work, &root, None, &settings, Uniform, rng);
    search = search.with_guidance_and(&guidance, &needs);
    search.reset();
    // 2 wins. 5 stops the noughts, all others do not.
    assert_eq!(values(&mut search, &guidance, 0, SearchColumn::Wins), [1.0, 0.0, 0.0, 0.0, 0.0]);
    assert_eq!(values(&mut search, &guidance, 0, SearchColumn::Lets), [0.0, 0.0, 1.0, 1.0, 1.0]);
}

/// With `keep`, sums of the last decision count in part.
#[test]
fn what_was_learned_fades_from_decision_to_decision() {
    let (root, guidance, needs) = (Cells::crosses(&[4]), Guidance::default(), all_columns());
    for keep in [0.0, 0.25] {
        let learned = LearnedSettings { keep, ..LearnedSettings::default() };
        let settings = SearchSettings { learned, ..SearchSettings::default() };
        let mut work = Workspace::default();
        let mut total = 0.0;
        for decision in 0..2 {
            let rng = search_rng(&mut Key::experiment(4).stream());
            let mut search = Search::new(&mut work, &root, None, &settings, Uniform, rng);
            search = search.with_guidance_and(&guidance, &needs);
            search.reset();
            let counts: f64 = values(&mut search, &guidance, 0, SearchColumn::HistoryCount).iter().sum();
            assert_eq!(counts, if decision == 0 { 0.0 } else { keep * total });
            for _ in 0..40 {
                search.iterate(&uct(1.0));
            }
            search.reset();
            total = values(&mut search, &guidance, 0, SearchColumn::HistoryCount).iter().sum();
        }
    }
}
