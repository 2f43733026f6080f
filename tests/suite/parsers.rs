//! Every parser against generated and mutated input: it accepts or refuses, never panics, and what it accepts reads
//! back as it was. The same properties as the targets of `fuzz/`. PROPTEST_CASES widens the search.

use crate::journal;
use evouct::carcassonne::{DrawResult, Rules, State, TileDeck, Transcript};
use evouct::config::{Contender, Experiment, GameFrame, Log, Overrides};
use evouct::external::Engine;
use evouct::gp::{Function, Inputs, LnRule, Program, Scratch, Terminal, Tree, simplify};
use evouct::league::GameSetup;
use evouct::offline::{EVOLUTION_FILE, EvolutionFolder, EvolutionHeader, Measurement, PlayedDeck};
use evouct::parameter::Preset;
use evouct::record::{GameRecord, Header, Run, repair};
use evouct::registry;
use evouct::schedule::{Schedule, Shard};
use evouct::search::Stopped;
use evouct::seed::Key;
use evouct::serve::Offline;
use evouct::store::{Entries, JournalWriter, RecordError, VERSION};
use journal::{Journal, toml};
use proptest::prelude::*;
use proptest::test_runner::RngSeed;
use std::collections::BTreeMap;
use std::sync::LazyLock;

fn config() -> ProptestConfig {
    ProptestConfig { rng_seed: RngSeed::Fixed(2026), failure_persistence: None, ..Default::default() }
}

/// Changes of a text: bytes replaced, taken out, doubled, cut off, and lines that change places.
#[derive(Clone, Debug)]
enum Change {
    Replace(prop::sample::Index, u8),
    Flip(prop::sample::Index, u8),
    Remove(prop::sample::Index, usize),
    Repeat(prop::sample::Index, usize),
    Cut(prop::sample::Index),
    Swap(prop::sample::Index, prop::sample::Index),
}

fn changes() -> impl Strategy<Value = Vec<Change>> {
    let at = any::<prop::sample::Index>;
    let change = prop_oneof![
        4 => (at(), prop::sample::select(&b"\"\\[]{}=,.:-+#0129eE\n\t \0\x1b\xff"[..])).prop_map(|(at, byte)| Change::Replace(at, byte)),
        4 => (at(), 0..8_u8).prop_map(|(at, bit)| Change::Flip(at, 1 << bit)),
        2 => (at(), 1..40_usize).prop_map(|(at, length)| Change::Remove(at, length)),
        2 => (at(), 1..40_usize).prop_map(|(at, length)| Change::Repeat(at, length)),
        1 => at().prop_map(Change::Cut),
        2 => (at(), at()).prop_map(|(a, b)| Change::Swap(a, b)),
    ];
    prop::collection::vec(change, 1..6)
}

fn changed(text: &[u8], changes: &[Change]) -> Vec<u8> {
    let mut bytes = text.to_vec();
    for change in changes {
        if bytes.is_empty() {
            break;
        }
        let span = |at: &prop::sample::Index, length: usize| {
            let start = at.index(bytes.len());
            start..(start + length).min(bytes.len())
        };
        match change {
            Change::Replace(at, byte) => {
                let at = at.index(bytes.len());
                bytes[at] = *byte;
            }
            Change::Flip(at, bit) => {
                let at = at.index(bytes.len());
                bytes[at] ^= bit;
            }
            Change::Remove(at, length) => drop(bytes.drain(span(at, *length))),
            Change::Repeat(at, length) => {
                let again = bytes[span(at, *length)].to_vec();
                let end = span(at, *length).end;
                bytes.splice(end..end, again);
            }
            Change::Cut(at) => bytes.truncate(at.index(bytes.len())),
            Change::Swap(a, b) => {
                let mut lines: Vec<&[u8]> = bytes.split_inclusive(|byte| *byte == b'\n').collect();
                let (a, b) = (a.index(lines.len()), b.index(lines.len()));
                lines.swap(a, b);
                bytes = lines.concat();
            }
        }
    }
    bytes
}

fn trees() -> impl Strategy<Value = Tree> {
    let number = prop_oneof![
        -10.0..10.0_f64,
        prop::sample::select(vec![0.0, 1.0, -1.0, 0.0005, 1e-300, 1e15, 2.5e-7, 123_456_789.125]),
    ];
    let leaf = prop_oneof![
        3 => prop::sample::select(Terminal::NAMED.to_vec()).prop_map(Tree::leaf),
        1 => number.prop_map(|number| Tree::leaf(Terminal::Number(number))),
    ];
    leaf.prop_recursive(6, 60, 2, |inner| {
        (prop::sample::select(Function::BUILT_IN.to_vec()), inner.clone(), inner).prop_map(|(function, a, b)| {
            if function.arity() == 1 { Tree::apply(function, &[a]) } else { Tree::apply(function, &[a, b]) }
        })
    })
}

fn same(a: f64, b: f64) -> bool {
    a == b || (a.is_nan() && b.is_nan())
}

/// A journal of eight games, as bytes, and its games by id.
static JOURNAL: LazyLock<(Vec<u8>, BTreeMap<String, GameRecord>)> = LazyLock::new(|| {
    let folder = tempfile::tempdir().unwrap();
    let mut journal = Journal::new(folder.path(), &toml(&["a", "b"], 4, ""));
    let mut games = BTreeMap::new();
    for deck in 1..=4 {
        for seats in [[0, 1], [1, 0]] {
            let game = journal.game(deck, seats, [50, 40 + deck as i32]);
            journal.write(&game);
            games.insert(game.id.clone(), game);
        }
    }
    (std::fs::read(folder.path().join("games.jsonl")).unwrap(), games)
});

const EVOLUTION: &str = r#"
name = "small"
[evolve]
seeds = ["Q + 2*sqrt(2*ln(N)/n)"]
islands = 1
population = 4
generations = 1
elite = 1
[[player]]
kind = "formula"
[[opponent]]
kind = "random"
[[stage]]
measure = "games"
decks = 2
"#;

/// A journal of an evolution, as bytes, and its measurements.
static EVALUATIONS: LazyLock<(Vec<u8>, Vec<Measurement>)> = LazyLock::new(|| {
    registry::add_games();
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join(EVOLUTION_FILE);
    let header = EvolutionHeader {
        course: 0,
        format: 1,
        evouct: VERSION.to_owned(),
        name: "small".to_owned(),
        hash: "0123456789abcdef".to_owned(),
        seed: 1,
        bank: String::new(),
        positions: String::new(),
        toml: EVOLUTION.to_owned(),
        seed_override: None,
        measured_by: None,
        per_point: 1,
    };
    let mut journal = JournalWriter::open(&file, &header).unwrap();
    let evaluation = |batch: u32| Measurement {
        stage: 0,
        batch,
        units: 2,
        genome: format!("Q + {batch}"),
        hall: if batch.is_multiple_of(2) { Vec::new() } else { vec!["select = Q / n".to_owned()] },
        sums: vec![f64::from(batch), -0.5],
        second: if batch.is_multiple_of(3) { vec![0.5, f64::from(batch)] } else { Vec::new() },
        decks: (0..batch % 3)
            .map(|deck| PlayedDeck { games: u64::MAX, value: -0.5, second: (deck > 0).then_some(1.5) })
            .collect(),
        seconds: (batch > 3).then_some(0.25),
    };
    let evaluations: Vec<Measurement> = (0..8).map(evaluation).collect();
    for each in &evaluations {
        journal.append(each, std::time::Duration::ZERO).unwrap();
    }
    drop(journal);
    (std::fs::read(&file).unwrap(), evaluations)
});

thread_local! {
    /// The server of a run.
    static SERVER: Offline = {
        let folder = tempfile::tempdir().unwrap();
        std::fs::write(folder.path().join("games.jsonl"), &JOURNAL.0).unwrap();
        Offline::open(folder.path()).unwrap()
    };
}

const REQUEST: &str = "GET /report.json HTTP/1.1\r\nHost: localhost\r\nAccept: */*\r\n\r\n";

fn status(request: &[u8]) -> String {
    let reply = SERVER.with(|server| server.reply(request));
    let reply = String::from_utf8_lossy(&reply);
    reply.split(' ').nth(1).unwrap_or("none").to_owned()
}

#[test]
fn a_valid_request_is_answered() {
    assert_eq!(status(REQUEST.as_bytes()), "200");
    assert_eq!(status(REQUEST.replace("report.json", "games.jsonl").as_bytes()), "404");
    assert_eq!(status(REQUEST.replace("localhost", "example.org").as_bytes()), "403");
    assert_eq!(status(REQUEST.replace("GET", "POST").as_bytes()), "405");
    assert_eq!(status(b"GET"), "none");
}

/// The moves of a game.
static MOVES: LazyLock<String> = LazyLock::new(|| {
    let seat = |name: &str| Contender::new(registry::spec("random", Preset::Text).unwrap(), name);
    let seats = vec![seat("one"), seat("two")];
    let table = GameSetup {
        seed: 4,
        rules: registry::rules(&[]).unwrap(),
        frame: GameFrame::default(),
        clock: None,
        mirror: true,
        deck: 1,
        seats,
    };
    table.play(&Stopped, Log::None, "here").record.moves
});

/// A game in notation.
static GAME: LazyLock<String> = LazyLock::new(|| {
    let transcript = Transcript {
        events: Transcript::parse_events(&MOVES, Rules::official(2).tiles).unwrap(),
        rules: Rules::official(2),
        hand: None,
        scores: None,
    };
    transcript.to_string()
});

/// What a league says to an engine on the first seat.
static TALK: LazyLock<String> = LazyLock::new(|| {
    let mut talk = "evouct 1\nnewgame carcassonne seats=2 seat=1 seed=3\nrules seats=2 two_tile_city=4\n".to_owned();
    let moves: Vec<&str> = MOVES.split(' ').take(5).collect();
    for turn in [0, 2, 4] {
        let tile = moves[turn].split('@').next().unwrap_or_default();
        let before = moves[..turn].join(" ");
        talk.push_str(&format!("position {before}\ndrawn {tile}\nlegal {}\ngo iterations 4\n", moves[turn]));
    }
    talk
});

/// What an engine that plays at random answers.
fn answers(lines: &[u8]) -> String {
    let player = registry::spec("random", Preset::Text).unwrap();
    let mut out = Vec::new();
    let mut engine = Engine::new(registry::default_game(), player, None, Preset::Text).unwrap();
    engine.speak(&mut &lines[..], &mut out).unwrap();
    String::from_utf8(out).unwrap()
}

#[test]
fn valid_lines_are_answered() {
    let answers = answers(TALK.as_bytes());
    let words: Vec<&str> = answers.lines().map(|line| line.split([' ', '@']).next().unwrap()).collect();
    assert_eq!(words, ["id", "ready", "move", "move", "move"], "{answers}");
}

proptest! {
    #![proptest_config(config())]

    #[test]
    fn a_formula_comes_back_in_every_notation(tree in trees()) {
        prop_assert_eq!(&tree.infix().parse::<Tree>().unwrap(), &tree);
        prop_assert_eq!(&tree.prefix().parse::<Tree>().unwrap(), &tree);
        prop_assert_eq!(&Tree::from_json(&tree.json(), &Terminal::NAMED).unwrap(), &tree);
        let lengths = [tree.latex(), tree.dot(), tree.python(LnRule::Abs), tree.sympy(LnRule::Clamp)];
        prop_assert!(lengths.iter().all(|text| !text.is_empty() && text.len() < 400 * tree.size() + 4_000));
    }

    #[test]
    fn a_shorter_formula_has_the_same_values(
        tree in trees(),
        mean in -1e6..1e6_f64,
        visits in 0..1_000_000_u32,
        parent in 0..1_000_000_u32,
        constant in -4.0..4.0_f64,
        clamp in any::<bool>(),
    ) {
        let ln = if clamp { LnRule::Clamp } else { LnRule::Abs };
        let inputs = Inputs { mean, visits: visits.into(), parent: parent.into(), constant };
        let shorter = simplify(&tree, ln);
        prop_assert!(shorter.size() <= tree.size());
        prop_assert_eq!(&simplify(&shorter, ln), &shorter);
        let [before, after] = [&tree, &shorter].map(|tree| tree.evaluate(inputs, ln));
        prop_assert!(same(before, after), "{} is {}, {} {}", tree, before, shorter, after);
        let mut values = [0.0];
        let program = Program::new(tree.clone(), ln);
        program.evaluate((&[mean], &[visits.into()]), (parent.into(), constant), &mut Scratch::default(), &mut values);
        prop_assert!(same(before, values[0]));
    }

    #[test]
    fn any_text_is_a_formula_or_is_not(text in "[QnNc0-9.eE+*/(), lsqrtadiv-]{0,60}", more in any::<String>()) {
        for text in [text, more] {
            if let Ok(tree) = text.parse::<Tree>() {
                prop_assert_eq!(&tree.infix().parse::<Tree>().unwrap(), &tree);
            }
        }
    }

    #[test]
    fn an_experiment_is_refused_or_read(changes in changes()) {
        evouct::registry::add_games();
        let text = include_str!("../../experiments/quick.toml");
        let Ok(text) = String::from_utf8(changed(text.as_bytes(), &changes)) else { return Ok(()) };
        match Experiment::parse(&text, "x.toml", Overrides::default()) {
            Ok(experiment) => {
                let header = Header::of(&experiment, None);
                let again = header.read("header").unwrap();
                prop_assert_eq!(again.hash(), experiment.hash());
                let schedule = Schedule::of(&experiment);
                for game in schedule.clone().games().take(50) {
                    prop_assert_eq!(schedule.game(&game.id(&experiment), &experiment), Some(game));
                }
            }
            Err(error) => prop_assert!(error.to_string().starts_with("x.toml"), "{}", error),
        }
    }

    #[test]
    fn a_changed_journal_gives_no_other_game(changes in changes()) {
        let (journal, games) = &*JOURNAL;
        let folder = tempfile::tempdir().unwrap();
        std::fs::write(folder.path().join("games.jsonl"), changed(journal, &changes)).unwrap();
        let check = |folder: &std::path::Path| -> Result<usize, TestCaseError> {
            let Ok(run) = Run::open(folder) else { return Ok(0) };
            let mut found = BTreeMap::new();
            run.games(|game| -> Result<(), RecordError> {
                found.insert(game.id.clone(), game);
                Ok(())
            })
            .unwrap();
            prop_assert!(found.iter().all(|(id, game)| games.get(id) == Some(game)));
            Ok(found.len())
        };
        let read = check(folder.path())?;
        // Salvage keeps the same games, and no fewer.
        let out = tempfile::tempdir().unwrap();
        if repair(folder.path(), out.path()).is_ok() {
            prop_assert!(check(out.path())? >= read);
        } else {
            prop_assert_eq!(read, 0);
        }
    }

    #[test]
    fn a_changed_journal_of_an_evolution_gives_no_other_measurement(changes in changes()) {
        let (journal, evaluations) = &*EVALUATIONS;
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join(EVOLUTION_FILE);
        std::fs::write(&file, changed(journal, &changes)).unwrap();
        if let Ok(read) = Entries::<EvolutionHeader, Measurement>::read(&file) {
            prop_assert!(read.entries.iter().all(|entry| evaluations.contains(entry)));
            prop_assert!(read.header.is_some() || read.entries.is_empty());
        }
        // It is refused, or has a course as far as the records go.
        if let Ok(Some(evolution)) = EvolutionFolder::open(folder.path()) {
            prop_assert!(evolution.recorded() <= evaluations.len());
            prop_assert!(evolution.progress().missing > 0);
        }
    }

    #[test]
    fn a_request_is_answered_or_the_connection_is_closed(changes in changes(), noise in any::<Vec<u8>>()) {
        let known = ["none", "200", "400", "403", "404", "405", "413", "414", "431", "501", "505"];
        for request in [changed(REQUEST.as_bytes(), &changes), noise] {
            let status = status(&request);
            prop_assert!(known.contains(&status.as_str()), "{}", status);
        }
    }

    #[test]
    fn an_engine_answers_any_lines(changes in changes(), noise in any::<Vec<u8>>()) {
        for mut lines in [changed(TALK.as_bytes(), &changes), noise] {
            let is_over = lines.split(|byte| *byte == b'\n').any(|line| String::from_utf8_lossy(line).trim() == "quit");
            lines.push(b'\n');
            lines.extend(TALK.as_bytes());
            let found = answers(&lines);
            let is_known = |line: &str| line == "ready" || ["id ", "move ", "error "].iter().any(|word| line.starts_with(word));
            prop_assert!(found.lines().all(is_known), "{}", found);
            // What went wrong before changes nothing for the next game.
            prop_assert!(is_over || found.ends_with(&answers(TALK.as_bytes())), "{}", found);
        }
    }

    #[test]
    fn shards_are_parts_of_the_whole(count in 1..50_u32, total in 0..3_000_u64, text in "[0-9/+ -]{0,12}") {
        let mut sizes = vec![0_u64; count as usize];
        for position in 0..total {
            let of: Vec<u32> = (0..count).filter(|index| Shard::new(*index, count).unwrap().has(position)).collect();
            prop_assert_eq!(of.len(), 1);
            sizes[of[0] as usize] += 1;
            if position > 200 && count > 10 {
                break;
            }
        }
        prop_assert!(sizes.iter().max().unwrap() - sizes.iter().min().unwrap() <= 1);
        if let Ok(shard) = text.parse::<Shard>() {
            prop_assert_eq!(shard.to_string().parse::<Shard>(), Ok(shard));
            prop_assert!(shard.index() < shard.count());
        }
    }

    #[test]
    fn notation_is_refused_or_comes_back(changes in changes()) {
        let Ok(text) = String::from_utf8(changed(GAME.as_bytes(), &changes)) else { return Ok(()) };
        if let Ok(transcript) = text.parse::<Transcript>() {
            let again: Transcript = transcript.to_string().parse().unwrap();
            prop_assert_eq!(again.to_string(), transcript.to_string());
            // The rules accept it or name what is wrong.
            drop(transcript.replay());
        }
    }

    #[test]
    fn any_game_by_the_rules_is_written_and_read(choices in prop::collection::vec(any::<prop::sample::Index>(), 72)) {
        let mut state = State::new(Rules::official(2));
        let mut deck = TileDeck::shuffled(&Rules::official(2), Key::experiment(5).deck(1));
        let mut events = Vec::new();
        for choice in choices {
            let Some((tile, drawn)) = deck.deal(&mut state) else { break };
            if drawn == DrawResult::SetAside {
                events.push(evouct::carcassonne::Event::SetAside(tile));
                continue;
            }
            let moves = state.legal_moves();
            let action = moves[choice.index(moves.len())];
            events.push(evouct::carcassonne::Event::Turn(evouct::carcassonne::PlayedTurn { tile, action }));
            state.play(action).unwrap();
        }
        let text = Transcript { rules: Rules::official(2), events, hand: None, scores: None }.to_string();
        let again: Transcript = text.parse().unwrap();
        prop_assert_eq!(again.to_string(), text);
        let replayed = again.replay().unwrap();
        prop_assert_eq!(replayed.scores(), state.scores());
    }
}
