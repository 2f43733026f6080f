//! Every legal player plays: players are drawn from the definitions of their parameters, play a game by the rules, and
//! play the same game again. After every decision the trees of the player are checked, and so is the number of visits
//! at the root: what evolution played on a copy of the tree is not in it.
//!
//! `EVOUCT_PLAYERS=20000 cargo test --test suite legal_players::` draws as many players as you have time for.

use evouct::carcassonne::{Carcassonne, Move, State};
use evouct::config::{Contender, GameFrame, Log};
use evouct::domain::{AnyDomain, GameRules, KindInfo, Spec};
use evouct::evolve::EvoTree;
use evouct::gp::Creator;
use evouct::league::GameSetup;
use evouct::parameter::{Parameter, Preset, Raw, Value, Values};
use evouct::player::{Decision, Player, PlayerView};
use evouct::record::{Ended, GameRecord};
use evouct::registry;
use evouct::sampling::below;
use evouct::search::Stopped;
use evouct::seed::Key;
use rand_chacha::ChaCha8Rng;

/// Players that the suite draws.
const PLAYERS: usize = 60;
/// Counts are drawn up to this, so that a game takes a moment.
const MOST: u64 = 40;

fn text(value: impl ToString) -> Raw {
    Raw::Text(value.to_string())
}

/// A value of a parameter: sometimes one of its bounds, otherwise a small value.
fn value(row: &Parameter, rng: &mut ChaCha8Rng) -> Raw {
    match &row.values {
        Values::Count(least, most) => {
            text(least + below(rng, (*most.min(&MOST) - least.min(&MOST) + 1) as usize) as u64)
        }
        Values::Real(least, most) => {
            let usual = [0.0, 0.25, 1.0, 7.5, 2_000.0, *least, *most].map(|number: f64| number.clamp(*least, *most));
            text(usual[below(rng, usual.len())])
        }
        Values::Name(names) => text(names[below(rng, names.len())]),
        Values::Names(names) | Values::Subset(names) => {
            let kept: Vec<&str> = names.iter().copied().filter(|_| below(rng, 2) == 0).collect();
            text(if kept.is_empty() { names[0].to_owned() } else { kept.join("+") })
        }
        Values::Reals(..) => text(["0.5", "0+1", "-2+0.25+10"][below(rng, 3)]),
        Values::NameOrReal(names, least, _) => match below(rng, names.len() + 1) {
            chosen if chosen < names.len() => text(names[chosen]),
            _ => text(least + 0.5),
        },
        Values::Flag => text(below(rng, 2) == 0),
        // A formula over the terminals of the paper.
        Values::Language(language) if language.words() == ["Q", "n", "N", "c"] => {
            let creator = Creator::default();
            let (height, constant) = (below(rng, 5), creator.constant(rng));
            text(creator.full(height, constant, rng).infix())
        }
        Values::Language(language) if language.words()[0] == "with-two" => {
            text(["with-two", "printed", "Q+n+N+c+hm+lgr", "Q+n+w1+mg"][below(rng, 4)])
        }
        Values::Language(language) if language.separator().is_none() => {
            let names = language.words();
            // Playouts by this rating evaluate the position after every legal move: a game would take minutes.
            let names: Vec<&str> = names.iter().copied().filter(|name| row.name != "rating" || *name != "ho").collect();
            let [a, b] = [0, 1].map(|_| names[below(rng, names.len())]);
            text([a.to_owned(), format!("{a} + 2 * {b}"), format!("max({a}, 1) / ({b} + 1)")][below(rng, 3)].clone())
        }
        Values::Language(language) => {
            let names = language.words();
            let [a, b] = [0, 1].map(|_| names[below(rng, names.len())]);
            text(format!("select = Q + {a} / (n + 1); untried = {b} | Q + 10 / n | {a} + 2 * {b} + 3"))
        }
        Values::Text | Values::Words => text("any"),
        Values::Texts => Raw::List(vec![text("any")]),
    }
}

/// A player of a kind with some of its parameters drawn; none where they contradict one another.
fn player(game: &'static dyn AnyDomain, kind: &KindInfo, preset: Preset, rng: &mut ChaCha8Rng) -> Option<Spec> {
    let mut given: Vec<(String, Raw)> = Vec::new();
    for row in kind.table.iter().filter(|row| !row.timed) {
        let needed = ["formula", "formulas", "iterations"].contains(&row.name) || row.name == "generations";
        if needed || below(rng, 3) == 0 {
            given.push((row.name.to_owned(), value(row, rng)));
        }
    }
    // Deep searches end by their budget.
    if kind.table.iter().any(|row| row.name == "deepening") {
        given.retain(|(key, _)| key != "deepening" && key != "nodes");
        given.extend([("deepening".to_owned(), text(true)), ("nodes".to_owned(), text(300))]);
    }
    match Spec::resolve(game, kind.name, &given, preset) {
        Ok(spec) => Some(spec),
        Err(errors) => {
            for error in &errors {
                let known = error.key.as_ref().is_none_or(|key| kind.table.iter().any(|row| row.is_called(key)));
                assert!(known && !error.problem.is_empty(), "{}: {error:?}", kind.name);
            }
            None
        }
    }
}

/// A player whose trees are checked after every decision.
struct Checked {
    player: Box<dyn Player<State>>,
    /// For a search in a tree: how its visits follow from its playouts.
    visits: Option<ExpectedVisits>,
}

#[derive(Clone, Copy)]
struct ExpectedVisits {
    /// Playouts per iteration.
    rollouts: u64,
    /// Whether playouts of evolution leave the tree of the search as it was.
    copies: bool,
    /// Iterations that may be playouts from the root, which visit none of its actions.
    at_the_root: u64,
}

impl ExpectedVisits {
    fn of(spec: &Spec) -> Option<ExpectedVisits> {
        let value =
            |name: &str| spec.parameters().rows().find(|(row, _)| row.name == name).map(|(_, value)| value.clone());
        let count = |name: &str| if let Some(Value::Count(count)) = value(name) { Some(count) } else { None };
        if value("tree_reuse") == Some(Value::Flag(true)) {
            // The tree holds visits of earlier decisions.
            return None;
        }
        let trees = if value("chance")? == Value::Name("determinised") { count("decks")? } else { count("trees")? };
        Some(ExpectedVisits {
            rollouts: count("rollouts").unwrap_or(1),
            copies: spec.kind().name == "ea-p-mcts" || spec.parameter() != Some(EvoTree::Shared),
            at_the_root: if value("first_iteration") == Some(Value::Name("playout")) { trees } else { 0 },
        })
    }

    fn check(self, decision: &Decision<Move>) {
        let evolution = decision.evolution.as_ref().map_or(0, |log| log.playouts);
        let kept = decision.playouts - if self.copies { evolution } else { 0 };
        let visits = decision.considered.iter().map(|child| child.visits).sum::<f64>();
        let iterations = (kept / self.rollouts) as f64;
        let at_the_root = iterations - visits;
        assert!(
            (0.0..=self.at_the_root as f64).contains(&at_the_root),
            "{visits} visits at the root after {iterations} iterations, of which {} may visit no action",
            self.at_the_root
        );
    }
}

impl Player<State> for Checked {
    fn decide(&mut self, position: &PlayerView<State>) -> Decision<Move> {
        let PlayerView { explain, .. } = *position;
        let mut decision = self.player.decide(&PlayerView { explain: true, ..*position });
        self.player.check().unwrap_or_else(|problem| panic!("{problem}"));
        if let Some(visits) = self.visits {
            visits.check(&decision);
        }
        if !explain {
            decision.considered.clear();
        }
        decision
    }
}

/// Plays a game between checked players.
fn checked(setup: &GameSetup) -> GameRecord {
    let player = |(seat, seated): (usize, &Contender)| -> Box<dyn Player<State>> {
        let player = registry::player::<Carcassonne>(&seated.spec, setup.player_key(seat));
        Box::new(Checked { player, visits: ExpectedVisits::of(&seated.spec) })
    };
    let players = setup.seats.iter().enumerate().map(player).collect();
    setup.play_with::<Carcassonne>(players, &Stopped, Log::Formulas, "").record
}

/// A record without what depends on the time.
fn lasting(record: &GameRecord) -> GameRecord {
    GameRecord { run: Default::default(), ..record.clone() }
}

#[test]
fn every_legal_player_keeps_the_rules_and_repeats_its_game() {
    let wanted = std::env::var("EVOUCT_PLAYERS").ok().and_then(|count| count.parse().ok()).unwrap_or(PLAYERS);
    let game = registry::default_game();
    // What another program plays follows from no parameter.
    let kinds: Vec<&KindInfo> = game.kinds().into_iter().filter(|kind| !kind.is_outside()).collect();
    let mut rng = Key::experiment(wanted as u64).stream();
    let (mut played, mut refused) = (0, 0);
    while played < wanted {
        assert!(refused < 50 * wanted, "nearly all players are refused");
        let kind = kinds[(played + refused) % kinds.len()];
        let preset = [Preset::Text, Preset::Reference][below(&mut rng, 2)];
        let Some(spec) = player(game, kind, preset, &mut rng) else {
            refused += 1;
            continue;
        };
        let seats = [2, 2, 2, 3, 4, 5][below(&mut rng, 6)];
        let rules = GameRules::resolve(game, &[("seats".to_owned(), Raw::Integer(seats))]).unwrap();
        if rules.check_player(&spec).is_err() {
            refused += 1;
            continue;
        }
        let random = registry::spec("random", Preset::Text).unwrap();
        let mut seated = vec![Contender::new(random, "random"); seats as usize];
        seated[below(&mut rng, seats as usize)] = Contender::new(spec.clone(), "drawn");
        let setup = GameSetup {
            seed: 5,
            rules,
            frame: GameFrame::default(),
            clock: None,
            mirror: true,
            deck: played as u32 + 1,
            seats: seated,
        };
        let name = spec.default_name();
        let first = checked(&setup);
        assert_eq!(first.ended, Ended::Finished, "{name}: {:?}", first.run.message);
        assert_eq!(
            lasting(&setup.play(&Stopped, Log::Formulas, "").record),
            lasting(&first),
            "{name} plays another game"
        );
        assert!(first.seats.len() == seats as usize && first.scores.iter().all(|score| *score >= 0), "{name}");
        played += 1;
    }
}
