//! Players that choose among formulas while they play: bandits, rehearsals, and new formulas.

use crate::games;
use crate::registry;
use evouct_base::named::Named;
use evouct_base::parameter::Preset;
use evouct_base::seed::{Key, search_rng};
use evouct_carcassonne::Move;
use evouct_games::function::{FunctionReward, PathRule, State, TestFunction};
use evouct_gp::{Genome, LnRule, Needs, Program, Slot, Subtree, Terminal, Variation};
use evouct_search::game::{Deck as _, Game, Uniform};
use evouct_search::player::{Decision, FormulaChoice, Offspring, Player, PlayerView, Portfolio, Rehearsals};
use evouct_search::search::{
    Budget, Clock, Guidance, Rehearsal, Search, SearchColumn, SearchSettings, TreePolicy, Uct, Untried, Workspace,
};
use games::cancelled::Cancelled;
use games::decisions::decisions;
use games::searches::meter;
use games::{Outcome, Tokens};
use rand::Rng;
use std::sync::Arc;

const UCT: &str = "select = Q + 2 * sqrt(2 * ln(N) / n); final = n";
/// Selects what is worst, and plays it.
const WORST: &str = "select = 0 - Q; untried = 1000; final = 0 - Q";

fn formulas_of(decisions: &[Decision<Move>]) -> Vec<String> {
    decisions.iter().map(|decision| decision.evolution.as_ref().unwrap().formula.clone()).collect()
}

#[test]
fn one_formula_alone_plays_as_the_kind_formula_does() {
    let alone =
        "portfolio-mcts:iterations=80,choice=bandit,formulas=select = Q + 10 / n; untried = Qbar + dv; final = n";
    let same = "formula:iterations=80,c=1,formula=Q + 10 / n,untried=Qbar + dv,final_formula=n";
    let considered = |text| decisions(text, 40, 1).into_iter().map(|decision| (decision.action, decision.considered));
    assert!(considered(alone).eq(considered(same)));
}

/// The ready form is two formulas over P, and all kinds with formulas have the same P.
#[test]
fn puct_plays_as_its_formulas_do() {
    let policy = "policy=dv + 3*dm + pc,policy_temperature=2";
    let [select, untried] = ["Q", "Qbar"].map(|mean| format!("{mean} + 7 * P * sqrt(N) / (1 + n)"));
    let puct = format!("puct:iterations=80,c=7,{policy}");
    let formula = format!("formula:iterations=80,c=1,formula={select},untried={untried},final=visits,{policy}");
    let portfolio = format!(
        "portfolio-mcts:iterations=80,choice=bandit,final=visits,{policy},formulas=select = {select}; untried = {untried}"
    );
    let considered = |text: &str| -> Vec<_> {
        decisions(text, 40, 1).into_iter().map(|decision| (decision.action, decision.considered)).collect()
    };
    let expected = considered(&puct);
    assert!(considered(&formula) == expected && considered(&portfolio) == expected);
    // Without a policy it is the first number of the game.
    let alone = "puct:iterations=80,c=7";
    assert!(considered(alone) == considered(&format!("{alone},policy=dv")));
    assert!(considered(alone) != considered(&format!("{alone},policy=0")));
    // Another temperature is another player. A policy whose P no formula uses changes nothing.
    assert!(considered(&puct.replace("policy_temperature=2", "policy_temperature=8")) != expected);
    let bias = "mcts:iterations=80,final=visits,bias=16*dv/(n + 1)";
    assert!(considered(&format!("{bias},{policy}")) == considered(bias));
    assert!(considered(&format!("mcts:iterations=80,final=visits,bias=16*P,{policy}")) != considered(bias));
}

#[test]
fn every_choice_spends_its_iterations_and_repeats() {
    for text in [
        format!("portfolio-mcts:iterations=80,choice=bandit,formulas={UCT} | Q + 10 / n"),
        format!("portfolio-mcts:iterations=80,choice=bandit,carry=false,formulas={UCT} | Q + 10 / n"),
        format!("portfolio-mcts:iterations=80,rehearsals=2,formulas={UCT} | select = Q + dv; untried = Qbar + dv"),
        format!(
            "portfolio-mcts:iterations=80,rehearsals=2,begin=0.25,offspring=2,population=3,formulas={UCT} | Q + dv / n"
        ),
        format!(
            "portfolio-mcts:iterations=80,rehearsals=2,chance=peek,first_iteration=playout,formulas={UCT} | Q + 10 / n"
        ),
        format!("portfolio-mcts:iterations=80,rehearsals=2,offspring=2,carry=false,formulas={UCT} | Q + dv / n * left"),
    ] {
        let all = decisions(&text, 24, 1);
        assert!(all.iter().all(|decision| decision.playouts == 80), "{text}");
        let visits = |decision: &Decision<Move>| decision.considered.iter().map(|child| child.visits).sum::<f64>();
        let expanding = if text.contains("first_iteration=playout") { 79.0 } else { 80.0 };
        assert!(all.iter().all(|decision| visits(decision) == expanding), "{text}");
        let again = decisions(&text, 24, 1);
        assert_eq!(formulas_of(&all), formulas_of(&again), "{text}");
        assert!(all.iter().zip(&again).all(|(one, two)| one.action == two.action), "{text}");
    }
}

#[test]
fn a_formula_that_is_better_is_found() {
    let share = |text: String| {
        let chosen = formulas_of(&decisions(&text, 24, 1));
        chosen.iter().filter(|formula| formula.contains("ln(N)")).count() as f64 / chosen.len() as f64
    };
    // The first formula is played unless another one shows that it is better.
    let found = share(format!("portfolio-mcts:iterations=300,rehearsals=8,formulas={WORST} | {UCT}"));
    assert!(found > 0.7, "{found}");
    let kept = share(format!("portfolio-mcts:iterations=300,rehearsals=8,formulas={UCT} | {WORST}"));
    assert!(kept > 0.95, "{kept}");
}

#[test]
fn a_bandit_prefers_the_formula_whose_iterations_pay() {
    let genomes = [WORST, UCT].map(|text| Genome::parse(text, &Terminal::NAMED).unwrap());
    let choice = (FormulaChoice::Bandit { exploration: 0.5 }, true);
    let mut player =
        Portfolio::new(&genomes, &Guidance::default(), choice, Budget::iterations(400), Uniform, Key::experiment(1));
    let state = State::new(TestFunction::NAMES[0].1, FunctionReward::Value, PathRule::Visits, 17);
    let deck = <State as Game>::Deck::shuffled(&state, &mut Key::experiment(1).stream());
    // One seat: an iteration by the worst formula goes where the function is low.
    let decision = player.decide(&PlayerView::of(&state, &deck));
    assert!(decision.evolution.unwrap().formula.contains("ln(N)"));
}

#[test]
fn of_equal_formulas_the_first_is_played() {
    let text = format!(
        "portfolio-mcts:iterations=100,rehearsals=4,formulas={UCT} | select = 2 * sqrt(2 * ln(N) / n) + Q; final = n"
    );
    let chosen = formulas_of(&decisions(&text, 12, 1));
    assert!(chosen.iter().all(|formula| formula.starts_with('Q')), "{chosen:?}");
}

fn program(text: &str) -> Program {
    Program::new(text.parse().unwrap(), LnRule::Abs)
}

#[test]
fn rehearsals_change_nothing_and_use_common_random_numbers() {
    let mut state = Tokens::new(2, [1, 2, 1, 1, 0, 1]);
    state.apply(Outcome::Token(3));
    let mut needs = Needs::default();
    needs.add(SearchColumn::Deviation.column());
    let tries_all = Guidance::<Tokens> { untried: Untried::Constant(1e6), ..Guidance::default() };
    let expands = Guidance::<Tokens> { final_move: Some(program("Q")), ..Guidance::default() };
    let policy = |exploration| TreePolicy::Uct(Uct { exploration, ..Uct::default() });
    let (mut work, settings) = (Workspace::default(), SearchSettings::default());
    let rng = search_rng(&mut Key::experiment(5).stream());
    let mut search =
        Search::new(&mut work, &state, None, &settings, Uniform, rng).with_guidance_and(&tries_all, &needs);
    let mut meter = meter(&Budget::iterations(40));
    search.run(&policy(1.0), &mut meter, 1, false);
    let belief = search.belief(&tries_all);
    assert!(belief.noise > 0.0 && belief.means.len() == search.children().len());
    let values: Vec<f64> = (0..belief.means.len()).map(|action| if action == 1 { 1e6 } else { 0.0 }).collect();
    let before = search.workspace().tree().clone();
    let next = search.rng().clone().next_u64();
    let rehearsal = Rehearsal { values: &values, noise: 1.0, seed: 3, iterations: 60, left: 0.5 };
    for guidance in [&tries_all, &expands] {
        // A value far above all others is found, and nothing is lost.
        assert_eq!(search.rehearse(&rehearsal, &policy(1e6), guidance, || true), Some(0.0));
        // One that is ended says nothing.
        assert_eq!(search.rehearse(&rehearsal, &policy(1e6), guidance, || false), None);
    }
    assert!(*search.workspace().tree() == before && search.check().is_ok());
    assert_eq!((search.rng().next_u64(), search.playouts()), (next, 40));
    // With noise as large as the differences, regrets differ from seed to seed, and repeat with the same seed.
    let values: Vec<f64> = (0..values.len()).map(|action| action as f64).collect();
    let mut regrets = || {
        let regret = |seed| {
            let rehearsal = Rehearsal { values: &values, noise: 8.0, seed, iterations: 5, left: 0.5 };
            search.rehearse(&rehearsal, &policy(4.0), &tries_all, || true).unwrap()
        };
        (0..20).map(regret).collect::<Vec<f64>>()
    };
    let all = regrets();
    assert_eq!(regrets(), all);
    assert!(all.iter().any(|one| *one != all[0]), "{all:?}");
}

#[test]
fn a_cancelled_decision_does_not_rehearse() {
    let mut state = Tokens::new(2, [1, 2, 1, 1, 0, 1]);
    state.apply(Outcome::Token(3));
    let deck = <Tokens as Game>::Deck::shuffled(&state, &mut Key::experiment(1).stream());
    let genomes = ["Q + 1 / n", "Q"].map(|text| Genome::parse(text, &Terminal::NAMED).unwrap());
    let decided = |count, iterations, clock: &dyn Clock| {
        let choice = FormulaChoice::Rehearsal(Rehearsals { count, begin: 0.5, offspring: None });
        let budget = Budget::iterations(iterations);
        let mut player =
            Portfolio::new(&genomes, &Guidance::default(), (choice, true), budget, Uniform, Key::experiment(4));
        player.decide(&PlayerView { clock, ..PlayerView::of(&state, &deck) })
    };
    // A million rehearsals of half a billion iterations would take years.
    let decision = decided(1_000_000, 1_000_000_000, &Cancelled::from(true));
    let log = decision.evolution.unwrap();
    assert_eq!((decision.playouts, log.formula.as_str(), log.fitness.len()), (1, "Q + 1 / n", 0));
    assert_eq!(decided(2, 100, &Cancelled::from(false)).evolution.unwrap().fitness.len(), 2);
}

#[test]
fn new_formulas_are_kept_and_the_first_one_stays() {
    let (mut state, key) = (Tokens::new(2, [1, 2, 1, 1, 0, 1]), Key::experiment(4));
    state.apply(Outcome::Token(3));
    let deck = <Tokens as Game>::Deck::shuffled(&state, &mut Key::experiment(1).stream());
    let variation = Variation {
        slots: vec![Slot::Select],
        terminals: vec![Terminal::Mean, Terminal::ChildVisits],
        leaf_terminals: Vec::new(),
        functions: evouct_gp::Function::BUILT_IN.to_vec(),
        max_nodes: 9,
        max_height: 2,
        operators: vec![(Arc::new(Subtree), 1.0)],
    };
    let player = |population| {
        let offspring = Some(Offspring { variation: variation.clone(), count: 3, population });
        let choice = FormulaChoice::Rehearsal(Rehearsals { count: 4, begin: 0.5, offspring });
        let genomes = ["Q + 1 / n", "Q"].map(|text| Genome::parse(text, &Terminal::NAMED).unwrap());
        Portfolio::new(&genomes, &Guidance::default(), (choice, true), Budget::iterations(40), Uniform, key)
    };
    let grown = |population, count| {
        let mut player = player(population);
        (0..count).for_each(|_| drop(player.decide(&PlayerView::of(&state, &deck))));
        player.formulas().map(Genome::to_string).collect::<Vec<_>>()
    };
    assert_eq!(grown(100, 0), ["Q + 1 / n", "Q"]);
    let all = grown(100, 3);
    assert!(all.len() > 4 && all.len() <= 11 && all[0] == "Q + 1 / n", "{all:?}");
    let few = grown(3, 3);
    assert!(few.len() == 3 && few[0] == "Q + 1 / n", "{few:?}");
    assert_eq!(grown(3, 3), few);
}

#[test]
fn contradictions_are_refused_in_one_line() {
    let refused = |text: &str, parts: &[&str]| {
        let spec = registry::spec(text, Preset::Text);
        let said = spec.map(|spec| spec.description()).unwrap_err().to_string();
        assert!(parts.iter().all(|part| said.contains(part)), "{text}: {said}");
    };
    refused("portfolio-mcts", &["formulas is needed", "Qbar"]);
    refused("portfolio-mcts:formulas=", &["formulas"]);
    refused("portfolio-mcts:formulas=Q | ", &["formulas"]);
    refused(&format!("portfolio-mcts:formulas=Q{}", " + Q".repeat(5_000)), &["at most"]);
    refused("portfolio-mcts:formulas=Q;\u{1b}[31m", &["formulas"]);
    refused("portfolio-mcts:formulas=Q + c / n", &["formulas", "c"]);
    refused("portfolio-mcts:formulas=select = Q; leaf = V", &["formulas", "leaf is not possible here"]);
    refused("portfolio-mcts:formulas=select = Q; chosen = V", &["formulas", "chosen"]);
    refused("portfolio-mcts:formulas=Q | n | Q", &["Q is given twice"]);
    refused("portfolio-mcts:formulas=Q | n,tree_reuse=true,chance=peek", &["tree_reuse"]);
    refused("portfolio-mcts:formulas=Q | n,chance=open-loop", &["chance"]);
    refused("portfolio-mcts:formulas=select = Q; final = n,final=visits", &["final"]);
    refused("portfolio-mcts:formulas=2 | 3,offspring=1", &["offspring"]);
    refused("portfolio-mcts:formulas=Q | n,time_per_move=1", &["time_per_move", "rehearsal"]);
    refused("portfolio-mcts:formulas=Q | n,choice=bandit,rehearsals=4", &["rehearsals", "rehearsal"]);
}
