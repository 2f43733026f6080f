//! Several trees per decision: what each finds, how their roots are added, and that threads change nothing. Trees that
//! are full.

use crate::games;
use crate::registry;
use evouct_base::parameter::Preset;
use evouct_base::seed::Key;
use evouct_carcassonne::{Carcassonne, Move, Rules, State, TileDeck};
use evouct_platform::domain::Domain;
use evouct_search::game::{Deck as _, Game, Playout, Scores, Uniform};
use evouct_search::player::{Decision, Mcts, Player, PlayerView, Selector};
use evouct_search::search::{
    Budget, Chance, Child, FinalMove, Observer, SearchProgress, SearchSettings, TreePolicy, Uct,
};
use games::cancelled::Cancelled;
use games::decisions::decisions;
use games::searches::searched;
use games::{Action, Outcome, Tokens};
use rand::{Rng, RngExt};
use std::cell::RefCell;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::thread::{self, ThreadId};

/// Decisions of the last turns of a game that went on in the tree of the decision before, and all of them: after moves
/// of which each leaves a choice of a meeple, and after moves of which one does not.
fn continued(text: &str) -> [(usize, usize); 2] {
    let (spec, rules) = (registry::spec(text, Preset::Text).unwrap(), Rules::official(2));
    let mut counts = [(0, 0); 2];
    for game in 0..4 {
        let key = Key::experiment(game);
        let (mut state, mut deck) = (State::new(rules), TileDeck::shuffled(&rules, key));
        let mut players = [0, 1].map(|seat| registry::player::<Carcassonne>(&spec, key.seat(seat)));
        let mut rng = key.stream();
        let mut one_part = Vec::new();
        for turn in 0.. {
            if deck.deal_playable(&mut state).is_none() {
                break;
            }
            let turns_left = Carcassonne::turns_left(&state);
            let position = PlayerView { turns_left, explain: true, ..PlayerView::of(&state, &deck) };
            let action = if turns_left > 7 {
                // Most moves leave the meeple in hand, so that some are left for the end.
                let moves = state.legal_moves();
                let bare: Vec<Move> = moves.iter().filter(|action| action.meeple.is_none()).copied().collect();
                let chosen = if rng.random_bool(0.8) { bare } else { moves };
                chosen[rng.random_range(0..chosen.len())]
            } else {
                let Decision { action, considered, playouts, .. } = players[state.player()].decide(&position);
                if turns_left < 6 {
                    let visits: f64 = considered.iter().map(|child| child.visits).sum();
                    let (continued, all) = &mut counts[usize::from(one_part[turn - 2..].contains(&true))];
                    *continued += usize::from(visits > playouts as f64);
                    *all += 1;
                }
                action
            };
            let of_placement = |other: &&Move| <State>::first_part(**other) == <State>::first_part(action);
            one_part.push(state.legal_moves().iter().filter(of_placement).count() == 1);
            state.play(action).unwrap();
        }
    }
    counts
}

/// A placement after which no meeple can be placed is one decision in a tree of parts, any other two.
#[test]
fn a_tree_of_parts_is_used_again_after_any_move() {
    for nodes in ["whole", "parts"] {
        let counts = continued(&format!("mcts:iterations=5000,tree_reuse=true,chance=sampled,nodes={nodes}"));
        for (continued, all) in counts {
            assert!(all > 15 && 5 * continued > all, "{nodes}: {continued} of {all} decisions, of {counts:?}");
        }
    }
    let counts = continued("mcts:iterations=5000,tree_reuse=false,chance=sampled,nodes=parts");
    assert_eq!(counts.map(|(continued, _)| continued), [0, 0]);
}

/// The final move does not change the search: where two rules choose the same placement, its meeple is chosen by the rule, too.
#[test]
fn the_meeple_is_chosen_by_the_rule_of_the_final_move() {
    let decided = |rule: &str| {
        let text = format!("mcts:iterations=60,nodes=parts,final={rule}");
        let spec = registry::spec(&text, Preset::Text).unwrap();
        let rules = Rules::official(2);
        let mut actions = Vec::new();
        for game in 0..60 {
            let key = Key::experiment(game);
            let (mut state, mut deck) = (State::new(rules), TileDeck::shuffled(&rules, key));
            deck.deal_playable(&mut state).unwrap();
            let turns_left = Carcassonne::turns_left(&state);
            let mut player = registry::player::<Carcassonne>(&spec, key.seat(0));
            actions.push(player.decide(&PlayerView { turns_left, ..PlayerView::of(&state, &deck) }).action);
        }
        actions
    };
    let (by_mean, by_visits) = (decided("mean"), decided("visits"));
    let same_placement = |(a, b): &(&Move, &Move)| <State>::first_part(**a) == <State>::first_part(**b);
    let other = by_mean.iter().zip(&by_visits).filter(same_placement).filter(|(a, b)| a != b).count();
    assert!(other > 0, "{by_mean:?}");
}

/// The first decision of a game of tokens.
fn tokens() -> (Tokens, <Tokens as Game>::Deck) {
    let mut state = Tokens::new(2, [1, 2, 1, 1, 0, 1]);
    state.apply(Outcome::Token(3));
    let deck = <Tokens as Game>::Deck::shuffled(&state, &mut Key::experiment(1).stream());
    (state, deck)
}

/// What one tree finds with a stream and so many iterations, by the parts of a search alone.
fn one_tree(state: &Tokens, settings: &SearchSettings, key: Key, iterations: u64) -> Vec<Child<Action>> {
    let policy = TreePolicy::Uct(Uct::default());
    searched(state, None, settings, Uniform, &policy, (iterations, key), |search| search.children())
}

fn player(settings: SearchSettings, iterations: u64, trees: u32, key: Key) -> Mcts<Tokens> {
    let player = Mcts::new(Selector::Uct(Uct::default()), Budget::iterations(iterations), Uniform, key);
    player.with_settings(settings).with_trees(trees)
}

#[test]
fn sums_of_roots_by_hand() {
    let (state, deck) = tokens();
    let key = Key::experiment(7);
    let position = PlayerView { explain: true, ..PlayerView::of(&state, &deck) };
    for final_move in [FinalMove::Mean, FinalMove::Visits] {
        let settings = SearchSettings { final_move, ..SearchSettings::default() };
        let decision = player(settings, 102, 4, key).decide(&position);
        // The first tree has the stream of a player with one tree; 102 iterations are 26 + 26 + 25 + 25.
        let trees = [(key, 26), (key.named("tree", 1), 26), (key.named("tree", 2), 25), (key.named("tree", 3), 25)];
        let trees = trees.map(|(key, iterations)| one_tree(&state, &settings, key, iterations));
        assert!(trees[0] != trees[1], "trees with random numbers of their own");
        let mut values = Vec::new();
        for (place, child) in decision.considered.iter().enumerate() {
            let visits: f64 = trees.iter().map(|tree| tree[place].visits).sum();
            let sum: f64 = trees.iter().map(|tree| tree[place].mean * tree[place].visits).sum();
            assert_eq!((child.action, child.visits), (trees[0][place].action, visits));
            assert!((child.mean - sum / visits).abs() < 1e-12, "{child:?}, expected {sum} / {visits}");
            values.push(if final_move == FinalMove::Mean { sum / visits } else { visits });
        }
        assert_eq!(decision.playouts, 102);
        let best = (0..values.len()).max_by(|a, b| values[*a].total_cmp(&values[*b])).unwrap();
        assert_eq!(decision.action, decision.considered[best].action);
    }
}

#[test]
fn one_tree_is_the_player_without_trees() {
    let (state, deck) = tokens();
    let position = PlayerView { explain: true, ..PlayerView::of(&state, &deck) };
    let key = Key::experiment(3);
    let decided = |mut player: Mcts<Tokens>| {
        [(); 3].map(|()| player.decide(&position)).map(|decision| (decision.action, decision.considered))
    };
    assert_eq!(decided(player(SearchSettings::default(), 200, 1, key)), decided(Mcts::uct(200, key)));
    let identity = |text: &str| registry::spec(text, Preset::Text).unwrap().identity(0);
    assert_eq!(identity("mcts:trees=1"), identity("mcts"));
    assert_ne!(identity("mcts:trees=2"), identity("mcts"));
}

#[test]
fn threads_change_no_decision() {
    for text in [
        "mcts:iterations=61,trees=4",
        "mcts:iterations=61,trees=5,final=tree-policy,first_iteration=playout",
        "mcts:iterations=60,trees=3,tree_reuse=true,chance=sampled",
        "mcts:iterations=90,trees=3,nodes=parts",
        "mcts:iterations=60,trees=3,chance=open-loop",
        "mcts:iterations=60,trees=3,bias=dv,final=visits,default_policy=mast",
        "mcts-rave:iterations=60,trees=3",
        "formula:iterations=60,trees=3,formula=Q+c*sqrt(ln(N)/n)",
        "sa-mcts:iterations=60,trees=3",
        "ea-p-mcts:iterations=90,trees=3,generations=1,simulations=2",
        "siea-mcts:iterations=200,trees=3,generations=2,simulations=3,count_evolution=true",
    ] {
        let outcome = |threads| {
            let decided = decisions(text, 24, threads).into_iter();
            decided
                .map(|Decision { action, playouts, evolution, considered, .. }| {
                    (action, playouts, evolution.map(|log| log.formula), considered)
                })
                .collect::<Vec<_>>()
        };
        let one = outcome(1);
        let again = one.iter().filter(|(.., considered)| considered.iter().any(|child| child.visits > 1.0)).count();
        assert!(again > one.len() / 2, "{text} tries no move twice in {again} decisions of {}", one.len());
        for threads in [2, 4] {
            assert!(outcome(threads) == one, "{text} decides something else with {threads} threads");
        }
    }
}

#[test]
fn one_formula_is_evolved_and_all_trees_share_the_iterations() {
    let text = "siea-mcts:iterations=200,generations=2,simulations=3";
    for (trees, counted) in [(1, false), (3, false), (3, true)] {
        let decided = decisions(&format!("{text},trees={trees},count_evolution={counted}"), 24, 2);
        let logs: Vec<_> = decided.iter().filter_map(|decision| decision.evolution.as_ref()).collect();
        assert!(logs.len() > 12 && logs.iter().all(|log| log.playouts == 27), "{trees} {counted}");
        for decision in &decided {
            let evolution = decision.evolution.as_ref().map_or(0, |log| log.playouts);
            assert_eq!(decision.playouts, if counted { 200 } else { 200 + evolution }, "{trees} {counted}");
        }
    }
}

/// Keeps the last that it saw.
#[derive(Default)]
struct Last(RefCell<Option<SearchProgress<Action>>>);

impl Observer<Action> for Last {
    fn look(&self, progress: &dyn Fn() -> SearchProgress<Action>) {
        *self.0.borrow_mut() = Some(progress());
    }
}

#[test]
fn an_observer_sees_the_trees_of_its_thread_together() {
    let (state, deck) = tokens();
    let seen = |threads| {
        let last = Last::default();
        let position = PlayerView { explain: true, threads, observer: Some(&last), ..PlayerView::of(&state, &deck) };
        let decision = player(SearchSettings::default(), 90, 3, Key::experiment(4)).decide(&position);
        (last.0.into_inner().unwrap(), decision)
    };
    let (progress, decision) = seen(1);
    assert_eq!(progress.playouts, 90);
    for (found, child) in progress.children.iter().zip(&decision.considered) {
        assert_eq!((found.action, found.visits), (child.action, child.visits));
        assert!((found.mean - child.mean).abs() < 1e-12, "{found:?}, decided by {child:?}");
    }
    assert_eq!(seen(3).0.playouts, 30);
    // Of three trees on two threads the calling one grows the first and the third.
    assert_eq!(seen(2).0.playouts, 60);
}

#[test]
fn a_cancelled_decision_ends_in_all_trees() {
    let (state, deck) = tokens();
    let clock = Cancelled::from(true);
    for threads in [1, 4] {
        let position = PlayerView { threads, clock: &clock, ..PlayerView::of(&state, &deck) };
        let mut player = player(SearchSettings::default(), 1_000_000_000, 4, Key::experiment(4));
        assert_eq!(player.decide(&position).playouts, 4);
    }
}

/// A default policy that panics on every thread but this one.
#[derive(Clone, Debug)]
struct PanicsBeside(ThreadId);

impl Playout<Tokens> for PanicsBeside {
    fn play_out(&self, state: &mut Tokens, rng: &mut impl Rng) -> Scores {
        assert_eq!(thread::current().id(), self.0, "no playout today");
        Uniform.play_out(state, rng)
    }
}

#[test]
fn a_panic_in_a_tree_is_one_of_the_player() {
    let (state, deck) = tokens();
    let decide = |threads| {
        let policy = PanicsBeside(thread::current().id());
        let player = Mcts::new(Selector::Uct(Uct::default()), Budget::iterations(9), policy, Key::experiment(1));
        let mut player = player.with_trees(3);
        catch_unwind(AssertUnwindSafe(|| {
            player.decide(&PlayerView { threads, ..PlayerView::of(&state, &deck) }).playouts
        }))
    };
    assert_eq!(decide(1).unwrap(), 9);
    let payload = decide(3).unwrap_err();
    let message = payload.downcast_ref::<String>().unwrap();
    assert!(message.contains("no playout today") && message.contains("trees.rs"), "{message}");
}

#[test]
fn a_full_tree_grows_no_further_and_its_search_goes_on() {
    let (state, deck) = tokens();
    let position = PlayerView { explain: true, ..PlayerView::of(&state, &deck) };
    for chance in [Chance::Sampled, Chance::Peek, Chance::OpenLoop] {
        let settings = SearchSettings { chance, ..SearchSettings::default() };
        let decided = |max_tree_nodes| {
            let mut player = player(SearchSettings { max_tree_nodes, ..settings }, 3_000, 1, Key::experiment(5));
            let decision = player.decide(&position);
            player.check().unwrap();
            let visits: f64 = decision.considered.iter().map(|child| child.visits).sum();
            assert_eq!((decision.playouts, visits), (3_000, 3_000.0));
            (player.tree().size(), decision.action, decision.considered)
        };
        let unlimited = decided(None);
        assert!(unlimited.0 > 8, "{chance:?}: {} nodes", unlimited.0);
        for most in [1, 2, 8] {
            let full = decided(Some(most));
            assert_eq!(full.0 as u64, most, "{chance:?}");
            assert_eq!(full, decided(Some(most)));
            assert_ne!(full.2, unlimited.2, "{chance:?}: {most} nodes");
        }
        // A limit that is not reached changes nothing.
        assert_eq!(decided(Some(unlimited.0 as u64)), unlimited);
    }
}
