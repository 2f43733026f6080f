//! A registered game that panics anywhere, or gives a wrong number of facts, fails only its own games and drawings: the
//! run ends, its records say what happened, and the report is made.

use evouct::config::{Experiment, Overrides};
use evouct::domain::{Domain, Drawing, GameStep, MetricColumn, Metrics, Notation, ScoreLead};
use evouct::game::{Deck, Game, Scores, StreamDeck, Turn, Uniform};
use evouct::league::{ResumeOptions, Session, Verifier};
use evouct::named::Named;
use evouct::parameter::ParameterError;
use evouct::record::{Digester, Ended, GameRecord, Run};
use evouct::registry;
use evouct::report::{LoadedRun, Report, documents};
use evouct::seed::{Key, search_rng};
use evouct::store::RecordError;
use serde::{Deserialize, Serialize};
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

evouct_base::named! {
    /// Where the game is at fault.
    #[derive(Default)]
    enum Fault {
        #[default]
        Nowhere = "nowhere",
        Check = "check",
        Start = "start",
        Seats = "seats",
        Seat = "seat",
        Deck = "deck",
        Deal = "deal",
        Actions = "actions",
        Play = "play",
        Scores = "scores",
        Notation = "notation",
        Reading = "reading",
        Finish = "finish",
        MetricColumn = "column",
        Facts = "facts",
        FewFacts = "few-facts",
        Picture = "picture",
        FewPictures = "few-pictures",
        Definitions = "definitions",
    }
}

evouct::parameters! {
    /// The rules.
    struct FaultyRules {
        /// Where the game is at fault.
        fault: Fault = Fault::Nowhere;
    }
}

/// Four coins; each seat adds one or two points after each.
#[derive(Clone)]
struct Coins {
    fault: Fault,
    turns: usize,
    tossed: bool,
    scores: Scores,
}

impl Coins {
    /// Panics halfway through a game that is at fault here.
    fn at(&self, place: Fault) {
        assert!(self.fault != place || self.turns < 2, "no {place:?} today");
    }
}

impl Game for Coins {
    type Action = i32;
    type Outcome = bool;
    type Deck = StreamDeck;

    fn seats(&self) -> usize {
        if self.fault == Fault::Seats { 7 } else { 2 }
    }

    fn turn(&self) -> Turn {
        match self.tossed {
            _ if self.turns == 4 => Turn::Terminal,
            true if self.turns == 2 && self.fault == Fault::Seat => Turn::Player(2),
            true => Turn::Player(self.turns % 2),
            false => Turn::Chance,
        }
    }

    fn outcomes(&self, outcomes: &mut Vec<(bool, u32)>) {
        outcomes.clear();
        outcomes.extend([(false, 1), (true, 1)]);
    }

    fn apply(&mut self, _: bool) {
        self.tossed = true;
    }

    fn actions(&self, actions: &mut Vec<i32>) {
        self.at(Fault::Actions);
        actions.clear();
        actions.extend([1, 2]);
    }

    fn play(&mut self, points: i32) {
        self.at(Fault::Play);
        self.scores[self.turns % 2] += points;
        self.turns += 1;
        self.tossed = false;
    }

    fn scores(&self) -> Scores {
        self.at(Fault::Scores);
        self.scores
    }
}

#[derive(Clone, Default, Debug, Serialize, Deserialize)]
struct Faulty {
    column: bool,
}

impl Metrics<Coins> for Faulty {
    const COLUMNS: &'static [MetricColumn<Faulty>] =
        &[MetricColumn::headed("faults", "faults", "faults of a seat", |metrics, _| {
            assert!(!metrics.column, "no column today");
            0.0
        })];

    fn deal(game: &mut Coins, deck: &mut StreamDeck, _: &mut [Faulty]) -> bool {
        game.at(Fault::Deal);
        deck.deal(game)
    }

    fn finish(game: &Coins, metrics: &mut [Faulty]) {
        assert!(game.fault != Fault::Finish, "no finish today");
        metrics.iter_mut().for_each(|metrics| metrics.column = game.fault == Fault::MetricColumn);
    }
}

#[derive(Clone, Copy, Debug, Default, PartialEq)]
struct FaultyCoins;

impl Domain for FaultyCoins {
    type Game = Coins;
    type Rules = FaultyRules;
    type Playout = Uniform;
    type Evaluation = ScoreLead;
    type Metrics = Faulty;

    const NAME: &'static str = "faulty";
    const ABOUT: &'static str = "a game that panics";
    const NOTATION: &'static dyn Notation<Coins> = &FaultyCoins;
    const DRAWING: &'static dyn Drawing<Coins> = &FaultyCoins;

    fn check_rules(rules: &FaultyRules) -> Result<(), ParameterError> {
        assert!(rules.fault != Fault::Check, "no check today");
        Ok(())
    }

    fn start(rules: &FaultyRules) -> Coins {
        assert!(rules.fault != Fault::Start, "no start today");
        Coins { fault: rules.fault, turns: 0, tossed: false, scores: Scores::default() }
    }

    fn deck(rules: &FaultyRules, key: Key) -> StreamDeck {
        assert!(rules.fault != Fault::Deck, "no deck today");
        Deck::shuffled(&Self::start(rules), &mut search_rng(&mut key.stream()))
    }
}

impl Notation<Coins> for FaultyCoins {
    fn write_action(&self, game: &Coins, points: i32) -> String {
        game.at(Fault::Notation);
        points.to_string()
    }

    fn read_moves(&self, start: &Coins, text: &str) -> Result<Vec<GameStep<Coins>>, String> {
        assert!(start.fault != Fault::Reading, "no reading today");
        let step = |word: &str| match word.parse() {
            Ok(outcome) => Ok(GameStep::Chance(outcome)),
            Err(_) => word.parse().map(GameStep::Action).map_err(|_| format!("{word} is no step")),
        };
        text.split_whitespace().map(step).collect()
    }
}

impl Drawing<Coins> for FaultyCoins {
    fn facts(&self, game: &Coins, seat: usize) -> Vec<i64> {
        game.at(Fault::Facts);
        if game.fault == Fault::FewFacts { Vec::new() } else { vec![game.scores[seat].into()] }
    }

    fn svg(&self, game: &Coins) -> Option<String> {
        game.at(Fault::Picture);
        let few = game.fault == Fault::FewPictures && game.turns == 1;
        (!few).then(|| "<svg xmlns=\"http://www.w3.org/2000/svg\"/>".to_owned())
    }

    fn definitions(&self, start: &Coins) -> Option<String> {
        assert!(start.fault != Fault::Definitions, "no definitions today");
        None
    }
}

fn experiment(fault: Fault) -> Result<Experiment, String> {
    registry::add_game::<FaultyCoins>();
    let toml = format!(
        "name = \"faulty\"\ngame = \"faulty\"\ngames_per_match = 1\n[rules]\nfault = \"{}\"\n\
         [[player]]\nkind = \"mcts\"\niterations = 20\n[[player]]\nkind = \"random\"\n",
        fault.name()
    );
    Experiment::parse(&toml, "faulty.toml", Overrides::default()).map_err(|errors| errors.to_string())
}

/// Plays the league and makes its report; returns the records and the digest.
fn play(fault: Fault) -> (Vec<GameRecord>, String) {
    let experiment = experiment(fault).unwrap();
    let folder = tempfile::tempdir().unwrap();
    let session = Session::plan(experiment, folder.path(), None, ResumeOptions::default()).unwrap();
    session.play(2, &Arc::new(AtomicBool::new(false)), &mut (), |_| {}).unwrap();
    let run = Run::open(folder.path()).unwrap();
    let experiment = run.experiment().unwrap();
    let (mut records, mut digester) = (Vec::new(), Digester::default());
    run.games_in_order(|game| -> Result<(), RecordError> {
        digester.add(&game);
        records.push(game);
        Ok(())
    })
    .unwrap();
    let loaded = LoadedRun::read(&run, &experiment, |_, _| Ok(())).unwrap();
    let report = Report::of(&experiment, &loaded.aggregate);
    assert!(documents(&run, &experiment, &report, &loaded, None).len() > 10, "{fault:?}");
    for record in &records {
        // The records are sound, or the problem is named.
        drop(Verifier::new(&experiment).replay(record));
    }
    (records, digester.finish().digest)
}

#[test]
fn rules_at_fault_are_refused_in_one_line() {
    for (fault, words) in [
        (Fault::Check, "the game faulty panicked: no check today"),
        (Fault::Start, "the game faulty panicked: no start today"),
        (Fault::Seats, "the game faulty has 7 seats by these rules, expected 1 to 6"),
    ] {
        let error = experiment(fault).unwrap_err();
        assert!(error.starts_with("faulty.toml") && error.contains(words), "{error}");
        assert_eq!(error.lines().count(), 1, "{error}");
    }
}

/// What a program tells of a game, and what a bank holds, are played as a league's games are.
#[test]
fn a_game_at_fault_is_followed_to_an_error() {
    let key = Key::experiment(1);
    let (mut coins, mut deck) = (
        FaultyCoins::start(&FaultyRules { fault: Fault::Nowhere }),
        FaultyCoins::deck(&FaultyRules { fault: Fault::Nowhere }, key),
    );
    let mut moves = Vec::new();
    while coins.turn() != Turn::Terminal {
        moves.push(format!("{} 1", deck.deal(&mut coins)));
        coins.play(1);
    }
    let moves = moves.join(" ");
    for fault in [Fault::Play, Fault::Reading] {
        let experiment = experiment(fault).unwrap();
        let (rules, game) = (&experiment.rules, experiment.rules.domain());
        let values = rules.options().values();
        let followed = game.follow(values).go_to(&moves, None).unwrap_err();
        let taken = game.positions(values, key, &moves, &[3]).err().unwrap();
        for error in [followed, taken] {
            assert!(error.starts_with("the game faulty panicked: no "), "{fault:?}: {error}");
        }
    }
    let experiment = experiment(Fault::Nowhere).unwrap();
    let (values, game) = (experiment.rules.options().values(), experiment.rules.domain());
    game.follow(values).go_to(&moves, None).unwrap();
    assert!(game.positions(values, key, &moves, &[3]).is_ok());
}

#[test]
fn games_at_fault_are_records_and_the_report_is_made() {
    let all = Fault::NAMES.iter().map(|(_, fault)| *fault);
    for fault in all.filter(|fault| ![Fault::Check, Fault::Start, Fault::Seats].contains(fault)) {
        let (records, digest) = play(fault);
        assert_eq!(records.len(), 2, "{fault:?}");
        let in_game = ![
            Fault::Nowhere,
            Fault::Reading,
            Fault::MetricColumn,
            Fault::Facts,
            Fault::FewFacts,
            Fault::Picture,
            Fault::FewPictures,
            Fault::Definitions,
        ]
        .contains(&fault);
        for record in &records {
            assert_eq!(record.ended == Ended::Panicked, in_game, "{fault:?}: {record:?}");
            let message = record.run.message.as_deref().unwrap_or_default();
            // Of a seat that there is not, search panics before it is to play.
            let is_named = if fault == Fault::Seat { !message.is_empty() } else { message.contains(" today at ") };
            assert_eq!(is_named, in_game, "{fault:?}: {message}");
            assert_eq!((record.scores.len(), record.metrics.len()), (2, 2), "{fault:?}");
        }
        assert_eq!(play(fault).1, digest, "{fault:?}");
    }
}
