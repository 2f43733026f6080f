//! The layers above search with another game: the toy game as a domain.

use crate::tokens;
use evouct::config::{Experiment, Log, Overrides};
use evouct::domain::{ColumnInfo, Domain, MoveNumber, ScoreLead, Trace, check_domain};
use evouct::game::Uniform;
use evouct::league::{GameSetup, Verifier};
use evouct::player::Decision;
use evouct::registry;
use evouct::schedule::Schedule;
use evouct::search::Stopped;
use evouct::seed::Key;
use tokens::{Action, Tokens};

evouct::parameters! {
    /// The rules of the toy game.
    struct TokenRules {
        /// Players.
        seats: usize = 2, values = evouct::parameter::Values::Count(2, 3), recorded = true;
    }
}

#[derive(Clone, Copy, Debug, Default, PartialEq)]
struct TokenDomain;

impl Domain for TokenDomain {
    type Game = Tokens;
    type Rules = TokenRules;
    type Playout = Uniform;
    type Evaluation = ScoreLead;
    type Metrics = ();

    const NAME: &'static str = "tokens";
    const ABOUT: &'static str = "the toy game of the tests";
    const TRACE: &'static dyn Trace<Tokens> = &RootVisits;

    fn start(rules: &TokenRules) -> Tokens {
        Tokens::new(rules.seats, [2, 2, 2, 1, 1, 1])
    }
}

/// Sums of decisions and of visits at their roots.
struct RootVisits;

impl Trace<Tokens> for RootVisits {
    fn columns(&self) -> &'static [ColumnInfo] {
        &[
            ColumnInfo { name: "decisions", printed: None, heading: None, about: "decisions made" },
            ColumnInfo { name: "root_visits", printed: None, heading: Some("visits"), about: "visits of root actions" },
        ]
    }

    fn add(&self, _: &Tokens, decision: &Decision<Action>, columns: &mut [f64]) {
        columns[0] += 1.0;
        columns[1] += decision.considered.iter().map(|child| child.visits).sum::<f64>();
    }
}

/// The same with a number of a move that has the name of a statistic.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
struct TakenName;

impl Domain for TakenName {
    type Game = Tokens;
    type Rules = TokenRules;
    type Playout = Uniform;
    type Evaluation = ScoreLead;
    type Metrics = ();

    const NAME: &'static str = "taken";
    const ABOUT: &'static str = "a game that gives a name twice";
    const RATINGS: &'static [MoveNumber<Tokens>] = &[MoveNumber::new("best", "nothing", |_, _, _| 0.0)];

    fn start(rules: &TokenRules) -> Tokens {
        Tokens::new(rules.seats, [2, 2, 2, 1, 1, 1])
    }
}

#[test]
fn a_number_of_a_move_has_no_name_of_a_statistic() {
    let game = registry::add_game::<TakenName>();
    let problem = check_domain(game, &TokenRules { seats: 2 }, Key::experiment(1), 1).unwrap_err();
    assert_eq!(problem, "number of a move \"best\": every search has a statistic of that name");
}

const EXPERIMENT: &str = "name = \"tokens\"\ngame = \"tokens\"\ngames_per_match = 2\n\
                          [[player]]\nkind = \"mcts\"\niterations = 30\n[[player]]\nkind = \"random\"\n";

#[test]
fn the_toy_game_keeps_the_contract() {
    let game = registry::add_game::<TokenDomain>();
    let report = check_domain(game, &TokenRules { seats: 3 }, Key::experiment(1), 3);
    report.unwrap_or_else(|problem| panic!("{problem}"));
}

#[test]
fn records_keep_what_searches_leave_behind() {
    registry::add_game::<TokenDomain>();
    let experiment = Experiment::parse(EXPERIMENT, "tokens.toml", Overrides::default()).unwrap();
    let verifier = Verifier::new(&experiment);
    for game in Schedule::of(&experiment).games() {
        let record = GameSetup::of(&experiment, &game).play(&Stopped, Log::Formulas, "").record;
        let mcts = game.seats.iter().position(|player| *player == 0).unwrap();
        let decisions = record.search[mcts]["decisions"];
        assert!(decisions >= 1.0);
        // Every iteration visits one action of the root; a random player searches nothing.
        assert_eq!(record.search[mcts]["root_visits"], 30.0 * decisions);
        assert_eq!(record.search[1 - mcts]["root_visits"], 0.0);
        // Recorded moves do not contain what a search did: a replay does not compare it, playing the game again does.
        verifier.replay(&record).unwrap();
        verifier.play_again(&record, &Stopped).unwrap();
    }
}
