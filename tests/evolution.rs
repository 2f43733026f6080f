//! Evolution inside a search of Carcassonne: what it spends, what it leaves behind, what it returns.

use evouct::carcassonne::{Deck, Drawn, Policy, Rules, State};
use evouct::evolve::{Evaluation, EvoTree, Form, ParentFitness, Returned, SeedConstant, Settings, Variant, evolve};
use evouct::evolve::{Selection, SemanticRule, Semantics};
use evouct::gp::{LnRule, Mutation, Tree};
use evouct::player::{Position, Preset, Spec};
use evouct::sampling::below;
use evouct::search::{self, Budget, Meter, Search, Stopped, TreePolicy, UcbForm, Uct, Workspace};
use evouct::seed::{Key, search_rng};
use std::time::Duration;

fn position(turns: usize) -> (State, Deck) {
    let rules = Rules::official(2);
    let mut state = State::new(rules);
    let mut deck = Deck::shuffled(&rules, Key::experiment(turns as u64));
    let mut rng = Key::experiment(1).stream();
    loop {
        let (_, drawn) = deck.deal(&mut state).unwrap();
        if drawn == Drawn::SetAside {
            continue;
        }
        if state.turns().len() == turns {
            return (state, deck);
        }
        let moves = state.legal_moves();
        state.play(moves[below(&mut rng, moves.len())]).unwrap();
    }
}

fn siea() -> Settings {
    Settings {
        variant: Variant::Semantic,
        generations: 20,
        lambda: 4,
        simulations: 30,
        selection: Selection {
            form: Form::Plus,
            semantic: Some(SemanticRule::Ties),
            semantics: Semantics::Sorted,
            alpha: 5.0,
            beta: 10.0,
            tie_epsilon: 0.0,
        },
        parent: ParentFitness::Keep,
        returned: Returned::BestEver,
        evaluation: Evaluation::Descend,
        evo_tree: EvoTree::Copy,
        seed_constant: SeedConstant::PerDecision,
        mutation: Mutation::default(),
        ln: LnRule::Abs,
    }
}

fn uct() -> TreePolicy {
    TreePolicy::Uct(Uct { exploration: 1.0, form: UcbForm::Doubled })
}

/// Expands the root, evolves, and hands the search on.
fn run<T>(
    settings: &Settings,
    budget: &Budget,
    then: impl FnOnce(evouct::evolve::Evolved, &mut Search<State, Policy>, &mut Meter, f64) -> T,
) -> T {
    let (state, _) = position(35);
    let mut work = Workspace::default();
    let search_settings = search::Settings::default();
    let rng = search_rng(&mut Key::experiment(8).stream());
    let mut search = Search::new(&mut work, &state, None, &search_settings, Policy::Joint, rng);
    let mut meter = Meter::start(budget, &Stopped, Duration::ZERO, 1);
    search.run(&uct(), &mut meter, 1, true);
    let expanded = visits(&search);
    assert_eq!(expanded, state.legal_moves().len() as f64);
    let evolved = evolve(settings, &mut search, &mut meter);
    then(evolved, &mut search, &mut meter, expanded)
}

fn visits(search: &Search<State, Policy>) -> f64 {
    search.children().iter().map(|child| child.visits).sum()
}

#[test]
fn evolution_spends_what_its_settings_say() {
    let reevaluating = ParentFitness::Reevaluate;
    let comma = Selection { form: Form::Comma, ..siea().selection };
    for (settings, expected, generations) in [
        (siea(), 2_430, 21),
        (Settings { selection: comma, ..siea() }, 2_400, 20),
        (Settings { parent: reevaluating, ..siea() }, 3_000, 21),
        (Settings { generations: 3, lambda: 2, simulations: 5, ..siea() }, 5 * (1 + 3 * 2), 4),
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
    for (evo_tree, kept) in [(EvoTree::Copy, 0.0), (EvoTree::CopyPerIndividual, 0.0), (EvoTree::Shared, 2_430.0)] {
        for evaluation in [Evaluation::Descend, Evaluation::RootChild, Evaluation::Expand] {
            let settings = Settings { evo_tree, evaluation, ..siea() };
            run(&settings, &Budget::iterations(400), |_, search, _, expanded| {
                assert_eq!(visits(search), expanded + kept, "{evo_tree:?} {evaluation:?}");
            });
        }
    }
    for evaluation in [Evaluation::Descend, Evaluation::RootChild] {
        let settings = Settings { variant: Variant::Partial, evo_tree: EvoTree::Shared, evaluation, ..siea() };
        run(&settings, &Budget::iterations(400), |_, search, _, expanded| assert_eq!(visits(search), expanded));
    }
}

#[test]
fn the_best_fitness_of_a_plus_strategy_never_falls_and_the_best_ever_is_returned() {
    run(&siea(), &Budget::iterations(400), |evolved, _, _, _| {
        assert!(evolved.log.fitness.windows(2).all(|pair| pair[0] <= pair[1]), "{:?}", evolved.log.fitness);
        let tree: Tree = evolved.log.formula.parse().unwrap();
        assert_eq!((tree.size(), tree.depth()), (evolved.log.nodes, evolved.log.depth));
        assert!(!tree.has_constant(), "c is bound where it is drawn once a decision");
        assert!(evolved.log.replaced > 0);
    });
    let falling = Selection { form: Form::Comma, ..siea().selection };
    run(&Settings { selection: falling, ..siea() }, &Budget::iterations(400), |evolved, _, _, _| {
        assert!(evolved.log.fitness.windows(2).any(|pair| pair[0] > pair[1]), "a comma strategy forgets");
        assert_eq!(evolved.log.replaced, 20);
    });
}

#[test]
fn a_counted_evolution_stops_with_the_budget_and_nothing_unplayed_counts() {
    let budget = Budget { count_evolution: true, ..Budget::iterations(1_000) };
    run(&siea(), &budget, |evolved, search, meter, expanded| {
        // Individuals are evaluated whole: the last may go over by less than its 30 playouts.
        let spent = evolved.log.playouts as f64 + expanded;
        assert!((1_000.0..1_030.0).contains(&spent), "{spent}");
        assert!(!meter.allows() && !meter.allows_evolution());
        assert_eq!(search.playouts() as f64, spent);
        assert!(!evolved.log.fitness.is_empty());
    });
    // Not even the seed can be evaluated: the seed comes out.
    let tight = Budget { count_evolution: true, ..Budget::iterations(1) };
    let (state, _) = position(35);
    let mut work = Workspace::default();
    let search_settings = search::Settings::default();
    let mut search = Search::new(
        &mut work,
        &state,
        None,
        &search_settings,
        Policy::Joint,
        search_rng(&mut Key::experiment(8).stream()),
    );
    let mut meter = Meter::start(&tight, &Stopped, Duration::ZERO, 1);
    meter.count();
    let evolved = evolve(&Settings { seed_constant: SeedConstant::Fixed(0.5), ..siea() }, &mut search, &mut meter);
    assert_eq!(evolved.log.formula, "Q + 2 * 0.5 * sqrt(2 * ln(N) / n)");
    assert_eq!((evolved.log.playouts, evolved.log.fitness.len()), (0, 0));
}

fn decide(spec: &str, preset: Preset, turns: usize) -> evouct::player::Decision<evouct::carcassonne::Move> {
    let (state, deck) = position(turns);
    let mut player = Spec::parse(spec, preset).unwrap().player(Key::experiment(3));
    let turns_left = u32::from(state.tiles_left()) / 2 + 1;
    player.decide(&Position { state: &state, deck: &deck, turns_left, clock: &Stopped, explain: true })
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
