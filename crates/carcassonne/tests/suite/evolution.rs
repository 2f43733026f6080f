//! Evolution inside a search of Carcassonne and of a tiny game: the playouts it uses, the state of the tree afterwards,
//! and its result.

use crate::games;
use crate::registry;
use evouct_base::parameter::Preset;
use evouct_base::sampling::below;
use evouct_base::seed::{Key, search_rng};
use evouct_carcassonne::{Carcassonne, PlayoutPolicy, Rules, State, TileDeck};
use evouct_gp::{SemanticSelection, Strategy, Tree};
use evouct_platform::domain::Domain;
use evouct_search::evolve::{
    EvoTree, EvolutionSettings, FitnessPlayout, ParentFitness, PartialFitnessPlayout, SeedConstant, Variant, evolve,
};
use evouct_search::game::{Deck as _, Game, Turn, Uniform};
use evouct_search::player::{Decision, Mcts, Player, PlayerView, Selector};
use evouct_search::search::{self, Budget, Chance, Meter, Search, Stopped, TreePolicy, UcbForm, Uct, Workspace};
use games::{Action, Tokens};
use std::time::Duration;

fn position(turns: usize) -> (State, TileDeck) {
    let rules = Rules::official(2);
    let mut state = State::new(rules);
    let mut deck = TileDeck::shuffled(&rules, Key::experiment(turns as u64));
    let mut rng = Key::experiment(1).stream();
    while deck.deal_playable(&mut state).is_some() && state.turns().len() < turns {
        let moves = state.legal_moves();
        state.play(moves[below(&mut rng, moves.len())]).unwrap();
    }
    (state, deck)
}

fn uct() -> TreePolicy {
    TreePolicy::Uct(Uct { exploration: 1.0, form: UcbForm::Doubled })
}

/// Expands the root, evolves, and returns the search.
fn run<T>(
    settings: &EvolutionSettings,
    budget: &Budget,
    then: impl FnOnce(evouct_search::evolve::Evolved, &mut Search<State, PlayoutPolicy>, &mut Meter, f64) -> T,
) -> T {
    let (state, _) = position(35);
    let mut work = Workspace::default();
    let search_settings = search::SearchSettings::default();
    let rng = search_rng(&mut Key::experiment(8).stream());
    let mut search = Search::new(&mut work, &state, None, &search_settings, PlayoutPolicy::Joint, rng);
    let mut meter = Meter::start(budget, &Stopped, Duration::ZERO, 1);
    search.run(&uct(), &mut meter, 1, true);
    let expanded = visits(&search);
    assert_eq!(expanded, state.legal_moves().len() as f64);
    let evolved = evolve(settings, &mut search, &mut meter);
    then(evolved, &mut search, &mut meter, expanded)
}

fn visits(search: &Search<State, PlayoutPolicy>) -> f64 {
    search.children().iter().map(|child| child.visits).sum()
}

#[test]
fn evolution_plays_the_playouts_of_its_settings() {
    let reevaluating = ParentFitness::Reevaluate;
    for (settings, expected, generations) in [
        (EvolutionSettings::siea(), 2_430, 21),
        (EvolutionSettings { strategy: Strategy::Comma, ..EvolutionSettings::siea() }, 2_400, 20),
        (EvolutionSettings { parent: reevaluating, ..EvolutionSettings::siea() }, 3_000, 21),
        (
            EvolutionSettings { generations: 3, lambda: 2, simulations: 5, ..EvolutionSettings::siea() },
            5 * (1 + 3 * 2),
            4,
        ),
    ] {
        assert_eq!(settings.playouts(), expected);
        run(&settings, &Budget::iterations(400), |evolved, search, meter, expanded| {
            assert_eq!(evolved.log.playouts, expected);
            assert_eq!((meter.evolution(), meter.spent() as f64), (expected, expanded));
            assert_eq!(search.playouts() as f64, expanded + expected as f64);
            assert_eq!(evolved.log.fitness.len(), generations);
        });
    }
}

#[test]
fn a_copied_tree_is_left_as_it_was_and_a_shared_one_keeps_the_visits() {
    for (tree, kept) in [(EvoTree::Copy, 0.0), (EvoTree::CopyPerIndividual, 0.0), (EvoTree::Shared, 2_430.0)] {
        for evaluation in [FitnessPlayout::Descend, FitnessPlayout::RootChild, FitnessPlayout::Expand] {
            let variant = Variant::Semantic { evaluation, tree, selection: SemanticSelection::default() };
            let settings = EvolutionSettings { variant, ..EvolutionSettings::siea() };
            run(&settings, &Budget::iterations(400), |_, search, _, expanded| {
                assert_eq!(visits(search), expanded + kept, "{tree:?} {evaluation:?}");
                assert_eq!(search.check(), Ok(()));
            });
        }
    }
    for evaluation in [PartialFitnessPlayout::Descend, PartialFitnessPlayout::RootChild] {
        let settings = EvolutionSettings { variant: Variant::Partial { evaluation }, ..EvolutionSettings::siea() };
        run(&settings, &Budget::iterations(400), |_, search, _, expanded| assert_eq!(visits(search), expanded));
    }
}

/// A copy for each individual starts from the saved tree, a shared copy from what earlier individuals left.
#[test]
fn an_individual_with_its_own_copy_does_not_see_the_playouts_of_others() {
    let fitness = |tree: EvoTree| {
        let selection = SemanticSelection::default();
        let variant = Variant::Semantic { evaluation: FitnessPlayout::Descend, tree, selection };
        let settings = EvolutionSettings { variant, ..EvolutionSettings::siea() };
        run(&settings, &Budget::iterations(400), |evolved, _, _, _| evolved.log.fitness)
    };
    let (shared, own) = (fitness(EvoTree::Copy), fitness(EvoTree::CopyPerIndividual));
    assert_eq!(shared[0], own[0], "the seed is the first to be evaluated");
    assert_ne!(shared, own);
}

#[test]
fn the_best_fitness_of_a_plus_strategy_never_falls_and_the_best_ever_is_returned() {
    run(&EvolutionSettings::siea(), &Budget::iterations(400), |evolved, _, _, _| {
        assert!(evolved.log.fitness.windows(2).all(|pair| pair[0] <= pair[1]), "{:?}", evolved.log.fitness);
        let tree: Tree = evolved.log.formula.parse().unwrap();
        assert_eq!((tree.size(), tree.depth()), (evolved.log.nodes, evolved.log.depth));
        assert!(!tree.has_constant(), "c is bound if it is drawn once per decision");
        assert!(evolved.log.replaced > 0);
    });
    run(
        &EvolutionSettings { strategy: Strategy::Comma, ..EvolutionSettings::siea() },
        &Budget::iterations(400),
        |evolved, _, _, _| {
            assert!(evolved.log.fitness.windows(2).any(|pair| pair[0] > pair[1]), "a comma strategy forgets");
            assert_eq!(evolved.log.replaced, 20);
        },
    );
}

#[test]
fn a_counted_evolution_stops_at_the_budget() {
    let budget = Budget { count_evolution: true, ..Budget::iterations(1_000) };
    run(&EvolutionSettings::siea(), &budget, |evolved, search, meter, expanded| {
        // Individuals are evaluated whole: the last may go over by less than its 30 playouts.
        let spent = evolved.log.playouts as f64 + expanded;
        assert!((1_000.0..1_030.0).contains(&spent), "{spent}");
        assert!(!meter.allows() && !meter.allows_evolution());
        assert_eq!(search.playouts() as f64, spent);
        assert!(!evolved.log.fitness.is_empty());
    });
    // The budget does not suffice for the seed: the seed is the result.
    let tight = Budget { count_evolution: true, ..Budget::iterations(1) };
    let (state, _) = position(35);
    let mut work = Workspace::default();
    let search_settings = search::SearchSettings::default();
    let mut search = Search::new(
        &mut work,
        &state,
        None,
        &search_settings,
        PlayoutPolicy::Joint,
        search_rng(&mut Key::experiment(8).stream()),
    );
    let mut meter = Meter::start(&tight, &Stopped, Duration::ZERO, 1);
    meter.count();
    let evolved = evolve(
        &EvolutionSettings { seed_constant: SeedConstant::Fixed(0.5), ..EvolutionSettings::siea() },
        &mut search,
        &mut meter,
    );
    assert_eq!(evolved.log.formula, "Q + 2 * 0.5 * sqrt(2 * ln(N) / n)");
    assert_eq!((evolved.log.playouts, evolved.log.fitness.len()), (0, 0));
}

fn decide(spec: &str, preset: Preset, turns: usize) -> evouct_search::player::Decision<evouct_carcassonne::Move> {
    let (state, deck) = position(turns);
    let spec = registry::spec(spec, preset).unwrap();
    let mut player = registry::player::<Carcassonne>(&spec, Key::experiment(3));
    let turns_left = Carcassonne::turns_left(&state);
    player.decide(&PlayerView { turns_left, explain: true, ..PlayerView::of(&state, &deck) })
}

#[test]
fn both_presets_play_400_iterations_and_2430_of_evolution() {
    for preset in [Preset::Text, Preset::Reference] {
        for kind in ["siea-mcts", "ea-mcts", "ea-p-mcts"] {
            let decision = decide(kind, preset, 35);
            assert_eq!(decision.playouts, 2_830, "{kind} {preset:?}");
            // The paper's copy keeps nothing of the evolution, the authors' tree all of it; EA-p updates neither.
            let visits: f64 = decision.considered.iter().map(|child| child.visits).sum();
            let expected = match (preset, kind) {
                (Preset::Text, _) => 400.0,
                (Preset::Reference, "ea-p-mcts") => 399.0,
                (Preset::Reference, _) => 2_829.0,
            };
            assert_eq!(visits, expected, "{kind} {preset:?}");
        }
    }
    assert_eq!(decide("siea-mcts:strategy=comma", Preset::Text, 35).playouts, 2_800);
    assert_eq!(decide("siea-mcts:count_evolution=true,iterations=2830", Preset::Text, 35).playouts, 2_830);
}

#[test]
fn evolution_waits_until_the_root_is_expanded() {
    // Fewer iterations than legal moves: nothing is ever selected, and nothing evolves.
    let decision = decide("siea-mcts:iterations=10", Preset::Text, 35);
    assert_eq!((decision.playouts, decision.evolution), (10, None));
}

#[test]
fn the_constant_stays_symbolic_only_where_it_is_drawn_at_every_use() {
    let mut symbolic = 0;
    for turns in [10, 20, 30, 40, 50] {
        let formula = decide("siea-mcts:generations=1,lambda=1", Preset::Reference, turns).evolution.unwrap().formula;
        symbolic += usize::from(formula.contains('c'));
    }
    assert!(symbolic > 0);
    let fixed = decide("ea-mcts:seed_k=0.75,generations=1,lambda=1,simulations=1", Preset::Text, 35);
    assert!(!fixed.evolution.unwrap().formula.contains('c'));
}

/// The one offspring of the seed, of which a leaf is mutated: three of its six leaves are constants.
#[test]
fn a_player_redraws_constants_where_it_is_told_to() {
    let seed = "Q + 2 * 0.5 * sqrt(2 * ln(N) / n)";
    let settings = "seed_k=0.5,p_internal=0,strategy=comma,return=last,generations=1,lambda=1,simulations=1";
    for preset in [Preset::Text, Preset::Reference] {
        // A formula that differs from the seed by a number has its size.
        let redrawn = |option: &str| {
            let evolved = |turns| decide(&format!("siea-mcts:{settings}{option}"), preset, turns).evolution.unwrap();
            (1..=12).map(|part| evolved(5 * part)).filter(|log| log.nodes == 13 && log.formula != seed).count()
        };
        assert_eq!([redrawn(""), redrawn(",mutated_k=subtree")], [0, 0], "{preset:?}");
        assert!(redrawn(",mutated_k=redraw") > 2, "{preset:?}");
    }
}

#[test]
fn an_evolved_formula_plays_as_a_player() {
    let evolved = decide("siea-mcts", Preset::Text, 35).evolution.unwrap();
    let decision = decide(&format!("formula:formula={}", evolved.formula), Preset::Text, 35);
    assert_eq!(decision.playouts, 400);
    // The seed as a formula is UCT.
    let seed = "formula:formula=Q + 2 * c * sqrt(2 * ln(N) / n),c=1.4142135623730951";
    let [a, b] = [seed, "mcts"].map(|spec| decide(spec, Preset::Text, 35));
    assert_eq!((a.action, a.considered), (b.action, b.considered));
}

#[test]
fn a_formula_without_any_number_still_plays_legally() {
    let tower = "N * N * N * N * N * N * N * N";
    let huge = vec![format!("({tower})"); 40].join(" * ");
    for turns in [0, 35, 69] {
        let decision = decide(&format!("formula:formula={huge} - {huge}"), Preset::Text, turns);
        assert!(position(turns).0.check(decision.action).is_ok());
    }
}

/// Once edges of open-loop nodes remained when the tree was restored to its copy.
#[test]
fn an_evolution_on_a_copy_of_an_open_loop_tree_leaves_nothing_behind() {
    for player in ["siea-mcts", "ea-mcts"] {
        for evaluation in ["full", "descend", "root-child"] {
            for tree in ["copy", "copy-per-individual", "shared"] {
                let spec = format!(
                    "{player}:chance=open-loop,evaluation={evaluation},evo_tree={tree},iterations=150,generations=3,\
                     simulations=10"
                );
                for turns in [20, 50, 64] {
                    let decision = decide(&spec, Preset::Text, turns);
                    assert!(position(turns).0.check(decision.action).is_ok(), "{spec}");
                    assert!(decision.considered.iter().all(|child| child.mean.is_finite()), "{spec}");
                }
            }
        }
    }
}

/// Evolution of a size for a tiny game.
fn small(variant: Variant) -> EvolutionSettings {
    EvolutionSettings { variant, generations: 3, lambda: 3, simulations: 8, ..EvolutionSettings::siea() }
}

/// All decisions of one seat's player in a game of tokens; the other seats play at random.
fn decisions(seats: usize, settings: EvolutionSettings, chance: Chance, key: Key) -> Vec<Decision<Action>> {
    let mut player = Mcts::new(Selector::Evolving(settings), Budget::iterations(60), Uniform, key.seat(0));
    player.settings.chance = chance;
    let mut state = Tokens::new(seats, [2, 2, 2, 1, 1, 1]);
    let mut rng = key.nth(1).stream();
    let mut deck = <Tokens as Game>::Deck::shuffled(&state, &mut rng);
    let mut decisions = Vec::new();
    loop {
        match state.turn() {
            Turn::Terminal => return decisions,
            Turn::Chance => {
                deck.deal(&mut state);
            }
            Turn::Player(0) => {
                let position = PlayerView { explain: true, ..PlayerView::of(&state, &deck) };
                let decision = player.decide(&position);
                state.play(decision.action);
                decisions.push(decision);
            }
            Turn::Player(_) => {
                let mut actions = Vec::new();
                state.actions(&mut actions);
                state.play(actions[below(&mut rng, actions.len())]);
            }
        }
    }
}

#[test]
fn the_three_controllers_play_a_tiny_game_and_equal_keys_decide_alike() {
    let mut variants = vec![EvolutionSettings::ea_p().variant, EvolutionSettings::ea().variant];
    for tree in [EvoTree::Copy, EvoTree::Shared, EvoTree::CopyPerIndividual] {
        for evaluation in [FitnessPlayout::Descend, FitnessPlayout::RootChild, FitnessPlayout::Expand] {
            variants.push(Variant::Semantic { evaluation, tree, selection: SemanticSelection::default() });
        }
    }
    let chances = [Chance::Sampled, Chance::Peek, Chance::OpenLoop, Chance::Determinised { decks: 2 }];
    let key = Key::experiment(7);
    for seats in [2, 3] {
        for variant in &variants {
            for chance in chances {
                let play = |key: Key| decisions(seats, small(*variant), chance, key);
                let [first, again, other] = [key, key, key.nth(2)].map(play);
                let seen = |game: &[Decision<Action>]| -> Vec<_> {
                    game.iter()
                        .map(|one| (one.action, one.playouts, one.evolution.clone(), one.considered.clone()))
                        .collect()
                };
                assert_eq!(seen(&first), seen(&again), "{seats} seats, {variant:?}, {chance:?}");
                assert_ne!(seen(&first), seen(&other), "{seats} seats, {variant:?}, {chance:?}");
                let spent = small(*variant).playouts();
                for decision in &first {
                    assert_eq!(decision.evolution.as_ref().map(|log| log.playouts), Some(spent));
                    assert_eq!(decision.playouts, 60 + spent);
                }
            }
        }
    }
}
