//! Pairs that are least decided play first (`--undecided-first`), and the same games are played in the end.

use crate::looks::{play_some, session};
use crate::program;
use evouct::config::{Experiment, Overrides};
use evouct::league::End;
use evouct::record::{GameRecord, Run};
use evouct::stats::Summary;
use evouct::stats::t_test::paired;
use evouct::store::RecordError;
use program::{Scratch, digest, fail, succeed, unwrapped};
use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

/// Two players that are the same but for one iteration, and two that differ from them.
const LEAGUE: &str = "name = \"four\"\nseed = 3\ngames_per_match = 20\n\
    [[player]]\nname = \"random\"\nkind = \"random\"\n\
    [[player]]\nname = \"mcts-8\"\nkind = \"mcts\"\niterations = 8\n\
    [[player]]\nname = \"mcts-9\"\nkind = \"mcts\"\niterations = 9\n\
    [[player]]\nname = \"greedy\"\nkind = \"one-ply\"\n";
/// Games of a pair.
const GAMES: usize = 2 * 20;

type Pair = [String; 2];

/// What is known of a pair: by deck, the first player's score less the second's.
type Decks = BTreeMap<u32, Vec<f64>>;

fn games(folder: &str) -> Vec<GameRecord> {
    let mut games = Vec::new();
    let run = Run::open(Path::new(folder)).unwrap();
    let read = run.games(|game| -> Result<(), RecordError> {
        games.push(game);
        Ok(())
    });
    assert!(read.unwrap().is_empty());
    games
}

fn pair(game: &GameRecord) -> Pair {
    let mut pair = [game.seats[0].clone(), game.seats[1].clone()];
    pair.sort();
    pair
}

/// How decided a pair is: the number of games before it has two decks, then |t|.
fn decided(decks: &Decks) -> (bool, f64) {
    let means: Vec<f64> = decks.values().filter(|deck| deck.len() == 2).map(|deck| (deck[0] + deck[1]) / 2.0).collect();
    if means.len() < 2 {
        return (false, decks.values().map(Vec::len).sum::<usize>() as f64);
    }
    (true, paired(&Summary::of(&means)).unwrap().t.map_or(f64::INFINITY, f64::abs))
}

#[test]
fn every_game_is_of_the_pair_that_is_least_decided() {
    evouct::registry::add_games();
    let scratch = Scratch::new();
    let file = scratch.write("four.toml", LEAGUE);
    let folder = scratch.path("ordered");
    succeed(&["run", &file, "--out", &folder, "--threads", "1", "--undecided-first"]);
    let games = games(&folder);
    let mut known: BTreeMap<Pair, Decks> = games.iter().map(|game| (pair(game), Decks::new())).collect();
    assert_eq!((known.len(), games.len()), (6, 6 * GAMES));
    let mut chosen = 0;
    for game in &games {
        let is_open = |decks: &&Decks| decks.values().map(Vec::len).sum::<usize>() < GAMES;
        let least = known.values().filter(is_open).map(decided).min_by(|a, b| a.partial_cmp(b).unwrap()).unwrap();
        let own = decided(&known[&pair(game)]);
        assert!(own.0 == least.0 && own.1 <= least.1 * (1.0 + 1e-9), "{}: {own:?}, {least:?}", game.id);
        chosen += usize::from(known.values().filter(is_open).count() > 1);
        let difference = f64::from(game.scores[0]) - f64::from(game.scores[1]);
        let sign = if game.seats[0] < game.seats[1] { 1.0 } else { -1.0 };
        known.get_mut(&pair(game)).unwrap().entry(game.deck).or_default().push(sign * difference);
    }
    assert!(chosen > 4 * GAMES, "{chosen}");
}

#[test]
fn a_run_that_is_stopped_has_its_games_where_something_is_open() {
    let scratch = Scratch::new();
    let file = scratch.write("four.toml", LEAGUE);
    succeed(&["run", &file, "--out", &scratch.path("plain")]);
    let plain = digest(&scratch.path("plain"));
    evouct::registry::add_games();
    let experiment = || Experiment::load(Path::new(&file), Overrides::default()).unwrap();
    let folder = scratch.path("cut");
    for games in [50, 20] {
        assert_eq!(play_some(session(experiment(), &folder).undecided_first().unwrap(), games), End::Interrupted);
    }
    let equal: BTreeSet<String> = experiment().players[1..=2].iter().map(|player| player.identity.short()).collect();
    let (own, others): (Vec<GameRecord>, Vec<GameRecord>) =
        games(&folder).into_iter().partition(|game| game.seats.iter().all(|seat| equal.contains(seat)));
    // In the order of the schedule each of six pairs would have a sixth.
    assert_eq!(own.len() + others.len(), 70);
    assert!(own.len() > 3 * others.len() / 5, "{} of 70", own.len());
    succeed(&["run", &file, "--out", &folder, "--threads", "3", "--undecided-first"]);
    assert_eq!(digest(&folder), plain);
    let shard = fail(&["run", &file, "--out", &scratch.path("shard"), "--shard", "0/2", "--undecided-first"], 2);
    assert!(
        unwrapped(&shard).contains("--undecided-first needs the results of all games, of which a shard has"),
        "{shard}"
    );
}

#[test]
fn games_without_pairs_to_choose_from_are_refused() {
    let scratch = Scratch::new();
    let refused = |more: &str, expected: &str| {
        let file = scratch.write("wrong.toml", &LEAGUE.replace("[[player]]\nname = \"random\"", more));
        let line = fail(&["run", &file, "--out", &scratch.path("none"), "--undecided-first"], 2);
        assert!(unwrapped(&line).contains(expected), "{line}");
        assert!(!scratch.exists("none"));
    };
    let player = "[[player]]\nname = \"random\"";
    refused(
        &format!("[sequential]\nlooks = 2\n{player}"),
        "--undecided-first and [sequential] are two ways to choose the next games, expected one of them",
    );
    refused(
        &format!("[rules]\nseats = 3\n{player}"),
        "--undecided-first compares the pairs that meet, so it is for games of two",
    );
}
