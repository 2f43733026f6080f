//! The conformance test of games: it accepts correct games, and finds each broken promise.

use crate::games;
use evouct_base::named::Named;
use evouct_base::seed::Key;
use evouct_carcassonne::{Expanded, Rules, State, TileSet, Unplaceable};
use evouct_search::game::{CheckReport, Deck, Game, Ply, Scores, StreamDeck, Turn, check_game};
use games::{Action, Outcome, Tokens};
use rand::Rng;
use std::collections::VecDeque;
use std::sync::atomic::{AtomicU8, Ordering};

const BAG: [u8; 6] = [2, 3, 2, 2, 1, 1];

#[test]
fn carcassonne_keeps_the_contract_under_all_rules() {
    for seats in 2..=5 {
        for (name, unplaceable) in Unplaceable::NAMES.iter().copied() {
            let start = || State::new(Rules { unplaceable, ..Rules::official(seats) });
            let report = check_game(start, Key::experiment(seats.into()), 3).unwrap_or_else(|problem| {
                panic!("{seats} seats, unplaceable = {name}: {problem}");
            });
            assert!(report.decisions > 3 * 65 && report.longest > 130, "{report:?}");
            assert!(report.most_actions > 50 && report.most_outcomes > 20, "{report:?}");
        }
    }
}

#[test]
fn carcassonne_keeps_the_contract_with_every_set_of_expansions() {
    let unplaceable = Unplaceable::NAMES.iter().cycle();
    for (number, (tiles, (name, unplaceable))) in (0..).zip(TileSet::all().zip(unplaceable)) {
        let official = Rules::with(tiles, 2);
        let seats = 2 + number % (official.most_seats() - 1);
        let rules = Rules { seats, unplaceable: *unplaceable, farmers: number % 5 != 0, ..official };
        let start = || State::<Expanded>::start(rules);
        let report = check_game(start, Key::experiment(number.into()), 2).unwrap_or_else(|problem| {
            panic!("{}, {seats} seats, unplaceable = {name}: {problem}", tiles.name);
        });
        assert!(report.decisions > 2 * 65 && report.longest > 130, "{report:?}");
    }
}

#[test]
fn the_tiny_game_keeps_the_contract() {
    for seats in 2..=6 {
        let report = check_game(|| Tokens::new(seats, BAG), Key::experiment(1), 100).unwrap();
        assert_eq!((report.games, report.most_actions, report.most_outcomes), (100, 3, 6));
    }
    let midway = || {
        let mut state = Tokens::new(2, BAG);
        state.apply(Outcome::Token(3));
        state.play(Action::Bet);
        state
    };
    assert!(check_game(midway, Key::experiment(2), 20).is_ok());
}

/// The fault of a game.
#[derive(Clone, Copy, PartialEq, Debug)]
enum Fault {
    None,
    NeverEnds,
    NoSeats,
    ForeignSeat,
    StartDiffers,
    ShallowClone,
    SharedMemory,
    ZeroWeight,
    OutcomeTwice,
    OutcomesAtTheEnd,
    NoOutcomes,
    ActionTwice,
    NoActions,
    ActionsAtTheWrongTurn,
    SampleIgnoresWeights,
    SampleAppliesAnother,
    SampleForeign,
    FirstActionAlways,
    ForeignLiveOutcome,
    LiveOutcomeTwice,
    DeckForeign,
    DeckCopyDiffers,
    ScoreBeyondSeats,
    ScoreAboveMost,
    DrawnAnother,
    PastLosesPlies,
    PastWrongSeat,
    FirstPart,
    FirstPartsApart,
    AllWin,
    UnknownLets,
    HiddenParts,
    OneKey,
    KeyAgain,
}

/// State outside the position, shared by all copies: a game must not have any.
static MEMORY: AtomicU8 = AtomicU8::new(0);
static STARTS: AtomicU8 = AtomicU8::new(0);

/// The tiny game with a fault.
#[derive(PartialEq, Eq, Debug)]
struct Broken<const FAULT: u8> {
    tokens: Tokens,
}

impl<const FAULT: u8> Broken<FAULT> {
    fn has(fault: Fault) -> bool {
        FAULT == fault as u8
    }

    fn start() -> Broken<FAULT> {
        let mut tokens = Tokens::new(2, BAG);
        if Self::has(Fault::StartDiffers) && STARTS.fetch_add(1, Ordering::Relaxed) % 2 == 1 {
            tokens.bag[1] += 1;
        }
        MEMORY.store(0, Ordering::Relaxed);
        Broken { tokens }
    }
}

impl<const FAULT: u8> Clone for Broken<FAULT> {
    fn clone(&self) -> Self {
        Broken { tokens: self.tokens.clone() }
    }

    fn clone_from(&mut self, other: &Self) {
        let scores = self.tokens.scores;
        self.tokens.clone_from(&other.tokens);
        if Self::has(Fault::ShallowClone) {
            self.tokens.scores = scores;
        }
    }
}

impl<const FAULT: u8> Game for Broken<FAULT> {
    type Action = Action;
    type Outcome = Outcome;
    type Deck = Row<FAULT>;

    const HAS_PARTS: bool = FAULT == Fault::FirstPart as u8 || FAULT == Fault::FirstPartsApart as u8;
    const TRANSPOSES: bool = FAULT == Fault::OneKey as u8 || FAULT == Fault::KeyAgain as u8;

    fn seats(&self) -> usize {
        if Self::has(Fault::NoSeats) { 0 } else { 2 }
    }

    fn turn(&self) -> Turn {
        match self.tokens.turn() {
            Turn::Player(1) if Self::has(Fault::ForeignSeat) => Turn::Player(2),
            turn => turn,
        }
    }

    fn outcomes(&self, outcomes: &mut Vec<(Outcome, u32)>) {
        self.tokens.outcomes(outcomes);
        if Self::has(Fault::ZeroWeight) && outcomes.len() > 2 {
            outcomes[2].1 = 0;
        }
        if Self::has(Fault::OutcomeTwice) && outcomes.len() > 2 {
            outcomes.push(outcomes[0]);
        }
        if Self::has(Fault::OutcomesAtTheEnd) && self.turn() == Turn::Terminal {
            outcomes.push((Outcome::Token(0), 1));
        }
        if Self::has(Fault::NoOutcomes) && self.tokens.bet.is_some() {
            outcomes.clear();
        }
    }

    fn apply(&mut self, outcome: Outcome) {
        if Self::has(Fault::SampleForeign) && outcome == Outcome::Token(9) {
            return;
        }
        self.tokens.apply(outcome);
    }

    fn sample(&mut self, rng: &mut impl Rng) -> Outcome {
        let mut outcomes = Vec::new();
        self.tokens.outcomes(&mut outcomes);
        if Self::has(Fault::SampleIgnoresWeights) {
            let (outcome, _) = outcomes[evouct_base::sampling::below(rng, outcomes.len())];
            self.apply(outcome);
            return outcome;
        }
        let outcome = self.tokens.sample(rng);
        match outcome {
            Outcome::Token(_) if Self::has(Fault::SampleForeign) => Outcome::Token(9),
            Outcome::Coin(won) if Self::has(Fault::SampleAppliesAnother) => Outcome::Coin(!won),
            _ => outcome,
        }
    }

    fn wins_at_once(&self, actions: &[Action], found: &mut Vec<f64>) -> bool {
        let is_known = Self::has(Fault::AllWin);
        found.extend(actions.iter().filter(|_| is_known).map(|_| 1.0));
        is_known
    }

    fn lets_win(&self, actions: &[Action], found: &mut Vec<f64>) -> bool {
        found.extend(actions.iter().filter(|_| Self::has(Fault::UnknownLets)).map(|_| 0.0));
        false
    }

    fn random_action(&self, memory: &mut Vec<Action>, rng: &mut impl Rng) -> Action {
        self.actions(memory);
        let number = evouct_base::sampling::below(rng, memory.len());
        memory[if Self::has(Fault::FirstActionAlways) { 0 } else { number }]
    }

    fn actions(&self, actions: &mut Vec<Action>) {
        self.tokens.actions(actions);
        let is_late = self.tokens.past.len() > 3;
        if Self::has(Fault::ActionTwice) && is_late && actions.len() > 1 {
            actions.push(actions[0]);
        }
        if Self::has(Fault::NoActions) && is_late {
            actions.clear();
        }
        if Self::has(Fault::ActionsAtTheWrongTurn) && actions.is_empty() {
            actions.push(Action::Keep);
        }
    }

    fn play(&mut self, action: Action) {
        self.tokens.play(action);
        if Self::has(Fault::NeverEnds) || Self::has(Fault::KeyAgain) {
            self.tokens.bag = BAG;
            self.tokens.scores = Scores::default();
        }
        if Self::has(Fault::SharedMemory) {
            MEMORY.fetch_add(1, Ordering::Relaxed);
        }
    }

    fn scores(&self) -> Scores {
        let mut scores = self.tokens.scores;
        if Self::has(Fault::ScoreBeyondSeats) {
            scores[4] = scores[0];
        }
        if Self::has(Fault::SharedMemory) {
            scores[0] += i32::from(MEMORY.load(Ordering::Relaxed));
        }
        scores
    }

    fn live_outcomes(&self, outcomes: &mut Vec<(Outcome, u32)>) {
        self.outcomes(outcomes);
        if Self::has(Fault::ForeignLiveOutcome) && self.tokens.bet.is_some() {
            outcomes.push((Outcome::Token(5), 1));
        }
        if Self::has(Fault::LiveOutcomeTwice) && !outcomes.is_empty() {
            outcomes.push(outcomes[0]);
        }
    }

    fn first_part(action: Action) -> Action {
        match action {
            Action::Bet if Self::has(Fault::FirstPart) => Action::Keep,
            Action::Keep if Self::has(Fault::FirstPart) => Action::Steal,
            Action::Steal if Self::has(Fault::FirstPartsApart) || Self::has(Fault::HiddenParts) => Action::Keep,
            action => action,
        }
    }

    fn max_score(&self) -> Option<i32> {
        Some(if Self::has(Fault::ScoreAboveMost) { 3 } else { 200 })
    }

    fn position_key(&self) -> [u128; 2] {
        let mut actions = Vec::new();
        self.tokens.actions(&mut actions);
        let seen = self.tokens.scores.iter().fold(actions.len() as u128, |seen, score| 256 * seen + *score as u128);
        match self.tokens.drawn() {
            Some(Outcome::Token(token)) if Self::has(Fault::KeyAgain) => [token.into(), seen],
            _ => [0; 2],
        }
    }

    fn drawn(&self) -> Option<Outcome> {
        if Self::has(Fault::DrawnAnother) { Some(Outcome::Token(9)) } else { self.tokens.drawn() }
    }

    fn past(&self) -> Option<Vec<Ply<Action, Outcome>>> {
        let mut plies = self.tokens.past()?;
        if Self::has(Fault::PastLosesPlies) {
            plies.truncate(3);
        }
        if Self::has(Fault::PastWrongSeat) {
            plies.iter_mut().for_each(|ply| ply.seat = 0);
        }
        Some(plies)
    }
}

/// The deck of the tiny game, with a fault.
struct Row<const FAULT: u8> {
    deck: VecDeque<Outcome>,
    is_copy: bool,
}

impl<const FAULT: u8> Clone for Row<FAULT> {
    fn clone(&self) -> Self {
        Row { deck: self.deck.clone(), is_copy: true }
    }
}

impl<const FAULT: u8> Deck<Broken<FAULT>> for Row<FAULT> {
    fn shuffled(state: &Broken<FAULT>, rng: &mut impl Rng) -> Self {
        Row { deck: Deck::shuffled(&state.tokens, rng), is_copy: false }
    }

    fn deal(&mut self, state: &mut Broken<FAULT>) -> Outcome {
        let dealt = self.deck.deal(&mut state.tokens);
        if FAULT == Fault::DeckForeign as u8 {
            return Outcome::Token(9);
        }
        match dealt {
            Outcome::Coin(won) if self.is_copy && FAULT == Fault::DeckCopyDiffers as u8 => Outcome::Coin(!won),
            dealt => dealt,
        }
    }
}

fn check<const FAULT: u8>() -> Result<CheckReport, String> {
    check_game(Broken::<FAULT>::start, Key::experiment(5), 40)
}

#[test]
fn every_broken_promise_is_found() {
    macro_rules! results_of {
        ($($fault:ident: $words:literal),* $(,)?) => {
            [$((Fault::$fault, check::<{ Fault::$fault as u8 }>(), $words)),*]
        };
    }
    assert!(check::<{ Fault::None as u8 }>().is_ok());
    let found = results_of! {
        NeverEnds: "not over after",
        NoSeats: "0 seats, expected 1 to 6",
        ForeignSeat: "seat 2 is to play, expected one below 2",
        StartDiffers: "a replay of the same plies differs in its outcomes",
        ShallowClone: "a clone_from onto a used position differs in its scores",
        SharedMemory: "a position whose copy was played on differs in its scores",
        ZeroWeight: "the weight of outcome Token(2) is 0",
        OutcomeTwice: "outcomes: Token(0) is listed twice",
        OutcomesAtTheEnd: "outcomes: some at another turn",
        NoOutcomes: "outcomes: none at their turn",
        ActionTwice: "actions: Keep is listed twice",
        NoActions: "actions: none at their turn",
        ActionsAtTheWrongTurn: "actions: some at another turn",
        SampleIgnoresWeights: "expected 0.",
        SampleAppliesAnother: "the position after sample and after apply differs in its scores",
        FirstActionAlways: "random_action gives",
        SampleForeign: "sample draws Token(9), which is not among the outcomes",
        ForeignLiveOutcome: "live outcome (Token(5), 1) is not among the outcomes",
        LiveOutcomeTwice: "is listed twice",
        DeckForeign: "the deck draws Token(9), which is not among the outcomes",
        DeckCopyDiffers: "a copy of it Coin",
        ScoreBeyondSeats: "seat 4 of 2 scores",
        ScoreAboveMost: "above max_score",
        DrawnAnother: "drawn is Token(9), expected",
        PastLosesPlies: "the past holds 3 decisions, expected 4",
        PastWrongSeat: "the past holds Ply",
        FirstPart: "first_part of the first part of Bet",
        FirstPartsApart: "actions with the first part Keep do not follow one another",
        OneKey: "another position of this key differs in its",
        KeyAgain: "a position has the key of an earlier one of the game",
        AllWin: "wins_at_once gives [1",
        UnknownLets: "lets_win gives [0",
        HiddenParts: "first_part of Steal is another action, but HAS_PARTS is false",
    };
    let missed: Vec<_> = found
        .into_iter()
        .filter(|(_, found, words)| {
            !found.as_ref().is_err_and(|problem| {
                problem.contains(words) && problem.starts_with("game ") && problem.contains(", ply ")
            })
        })
        .collect();
    assert!(missed.is_empty(), "{missed:#?}");
}

/// The smallest game: one seat rolls three dice.
#[derive(Clone)]
struct Dice {
    rolls: u32,
    sum: i32,
}

impl Game for Dice {
    type Action = ();
    type Outcome = i32;
    type Deck = StreamDeck;

    fn seats(&self) -> usize {
        1
    }

    fn turn(&self) -> Turn {
        if self.rolls < 3 { Turn::Chance } else { Turn::Terminal }
    }

    fn outcomes(&self, outcomes: &mut Vec<(i32, u32)>) {
        outcomes.clear();
        if self.rolls < 3 {
            outcomes.extend([(1, 1), (6, 5)]);
        }
    }

    fn apply(&mut self, outcome: i32) {
        self.rolls += 1;
        self.sum += outcome;
    }

    fn actions(&self, actions: &mut Vec<()>) {
        actions.clear();
    }

    fn play(&mut self, (): ()) {}

    fn scores(&self) -> Scores {
        [self.sum, 0, 0, 0, 0, 0]
    }
}

#[test]
fn a_stream_deck_serves_any_game() {
    let start = || Dice { rolls: 0, sum: 0 };
    assert_eq!(check_game(start, Key::experiment(1), 30).unwrap().longest, 3);
    let deal = |key: Key| {
        let (mut state, mut deck) = (start(), StreamDeck::of(key));
        [(); 3].map(|()| deck.deal(&mut state))
    };
    let key = Key::experiment(3);
    assert_eq!(deal(key), deal(key));
    assert!((0..20).any(|other| deal(key.nth(other)) != deal(key)));
}
