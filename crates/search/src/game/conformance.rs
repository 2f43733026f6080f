//! Whether a game keeps the contract of [`Game`].

mod view;

use super::at_once::{tried_lets, tried_wins};
use super::{Deck, Game, MAX_SEATS, MoveLog, Turn};
use evouct_base::sampling::below;
use evouct_base::seed::{Key, SearchRng, search_rng};
use std::collections::HashMap;
use std::fmt::Debug;
use std::hash::Hash;
use view::View;

/// A random game must end within this many plies (decisions and outcomes of chance).
const MAX_PLIES: usize = 10_000;
/// From one position in this many the game is also continued in a copy, and a deck is shuffled and dealt.
const SIDE_LINE: usize = 8;
/// Positions after this many plies of a game are not copied; a copy is continued for at most this many plies.
const SIDE_LINE_PLIES: usize = 1_000;
/// Positions at which frequencies are compared with weights, over all games, and draws at each.
const FREQUENCY_POSITIONS: usize = 20;
const DRAWS: usize = 4_000;
/// The highest probability that a correct game is refused, over all its positions and outcomes.
const FALSE_ALARM: f64 = 1e-6;

/// What a check covered.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct CheckReport {
    /// Games played.
    pub games: u32,
    /// Decisions in all of them.
    pub decisions: u64,
    /// Outcomes of chance in all of them.
    pub outcomes: u64,
    /// Plies (decisions and outcomes) of the longest game.
    pub longest: usize,
    /// The most legal actions of a position.
    pub most_actions: usize,
    /// The most outcomes of a position.
    pub most_outcomes: usize,
}

/// Plays random games and checks every promise of [`Game`] and [`Deck`] on the way: a test
/// for a game of your own.
///
/// `start` must give the same position each time. What is checked:
///
/// - a game ends within 10,000 plies;
/// - the same plies from the start, a clone, and a [`clone_from`](Clone::clone_from) onto a used position give the same
///   position, and playing on in a copy leaves the original unchanged;
/// - outcomes have a weight, actions and outcomes are listed once, at their turn and at no other;
/// - [`sample`](Game::sample) applies a listed outcome, with the frequency of its weight. Frequencies are compared at no more than
///   20 positions, 4,000 draws each, so coarsely (Hoeffding's bound: about 0.05) that the probability of a false alarm is
///   below 10⁻⁶;
/// - [`random_action`](Game::random_action) is the action whose number is drawn;
/// - [`wins_at_once`](Game::wins_at_once) and [`lets_win`](Game::lets_win) are what trying tells, or are not known;
/// - [`live_outcomes`](Game::live_outcomes) are among the outcomes, with the same weights;
/// - a deck deals listed outcomes and others only where they change nothing, for 1,000 plies or to the end of the game, and a copy of it deals the same;
/// - scores of seats beyond [`seats`](Game::seats) are 0, no score is above [`max_score`](Game::max_score);
/// - [`drawn`](Game::drawn) is what chance decided last, and the [`past`](Game::past) holds what was played, if the
///   position knows them;
/// - [`first_part`](Game::first_part) of a first part is that part, actions with the same first part follow one another, and
///   [`HAS_PARTS`](Game::HAS_PARTS) is true if an action has another first part than itself.
/// - Positions of one [key](Game::position_key) look the same, and none comes again within a game.
///
/// Positions are compared by what a search can see of them.
///
/// # Errors
/// The first promise that is broken, in one line with the number of the game and the ply.
pub fn check_game<G: Game>(start: impl Fn() -> G, key: Key, games: u32) -> Result<CheckReport, String> {
    let mut report = CheckReport { games, ..CheckReport::default() };
    let (mut frequency_positions, mut positions) = (0, HashMap::new());
    for game in 0..games {
        let mut check = Check {
            rng: search_rng(&mut key.nth(game).stream()),
            report: &mut report,
            frequency_positions: &mut frequency_positions,
            ply: 0,
        };
        check
            .game(&start, (game, &mut positions))
            .map_err(|problem| format!("game {game}, ply {}: {problem}", check.ply))?;
    }
    Ok(report)
}

type ViewOf<G> = View<<G as Game>::Action, <G as Game>::Outcome>;
/// By seat and key, the last game that had a position, and what it looked like.
type Positions<G> = HashMap<(usize, [u128; 2]), (u32, ViewOf<G>)>;

/// The check of one game.
struct Check<'a> {
    rng: SearchRng,
    report: &'a mut CheckReport,
    frequency_positions: &'a mut usize,
    ply: usize,
}

impl Check<'_> {
    fn game<G: Game>(&mut self, start: &impl Fn() -> G, known: (u32, &mut Positions<G>)) -> Result<(), String> {
        self.positions(start, known)?;
        self.report.longest = self.report.longest.max(self.ply);
        self.ply = 0;
        self.decks(start())
    }

    /// Plays a random game and looks at every position of it.
    fn positions<G: Game>(
        &mut self,
        start: &impl Fn() -> G,
        (game, known): (u32, &mut Positions<G>),
    ) -> Result<(), String> {
        // A twin plays the same plies from a start of its own.
        let (mut state, mut twin) = (start(), start());
        let mut used = state.clone();
        let mut log = MoveLog::known_to(&state);
        loop {
            let view = View::of(&state);
            self.position::<G>(&view)?;
            view.expect_same(&View::of(&twin), "a replay of the same plies")?;
            view.expect_same(&View::of(&state.clone()), "a clone")?;
            used.clone_from(&state);
            view.expect_same(&View::of(&used), "a clone_from onto a used position")?;
            if self.plays_side_line() {
                self.play_on(&mut used);
                view.expect_same(&View::of(&state), "a position whose copy was played on")?;
            }
            match view.turn {
                Turn::Terminal => return Ok(()),
                Turn::Chance => {
                    let mut sampled = state.clone();
                    let outcome = sampled.sample(&mut self.rng);
                    view.expect_listed(outcome, "sample")?;
                    let before = state.clone();
                    state.apply(outcome);
                    twin.apply(outcome);
                    log.draw(outcome);
                    View::of(&state).expect_same(&View::of(&sampled), "the position after sample and after apply")?;
                    self.frequencies(&before, &view)?;
                    self.report.outcomes += 1;
                }
                Turn::Player(seat) => {
                    if G::TRANSPOSES {
                        // What led to a position may differ.
                        let of_key = View { past: None, ..View::of(&state) };
                        if let Some((before, other)) = known.get(&(seat, state.position_key())) {
                            of_key.expect_same(other, "another position of this key")?;
                            if *before == game {
                                return Err("a position has the key of an earlier one of the game".to_owned());
                            }
                        }
                        known.insert((seat, state.position_key()), (game, of_key));
                    }
                    self.at_once(&state, seat, &view.actions)?;
                    let found = state.random_action(&mut Vec::new(), &mut self.rng.clone());
                    let action = view.actions[below(&mut self.rng, view.actions.len())];
                    if found != action {
                        return Err(format!(
                            "random_action gives {found:?}, the action of the drawn number is {action:?}"
                        ));
                    }
                    log.play(seat, action);
                    state.play(action);
                    twin.play(action);
                    self.report.decisions += 1;
                }
            }
            self.step()?;
            check_log(&state, &log)?;
        }
    }

    /// Compares what wins at once and what lets another seat win with what trying tells.
    fn at_once<G: Game>(&self, state: &G, seat: usize, actions: &[G::Action]) -> Result<(), String> {
        let (mut wins, mut lets, mut scratch) = (Vec::new(), Vec::new(), state.clone());
        let known = [state.wins_at_once(actions, &mut wins), state.lets_win(actions, &mut lets)];
        let tried = [tried_wins, tried_lets].map(|tried| tried(state, (seat, actions), &mut scratch));
        for (((known, found), tried), name) in
            known.iter().zip([wins, lets]).zip(tried).zip(["wins_at_once", "lets_win"])
        {
            if found != if *known { tried.clone() } else { Vec::new() } {
                return Err(format!("{name} gives {found:?}, trying {tried:?}, of {actions:?}"));
            }
        }
        Ok(())
    }

    /// Plays a random game and shuffles a deck at some of its positions.
    fn decks<G: Game>(&mut self, mut state: G) -> Result<(), String> {
        while state.turn() != Turn::Terminal {
            if self.plays_side_line() {
                self.deck(&state)?;
            }
            if !self.random_ply(&mut state) {
                return Ok(());
            }
            self.step()?;
        }
        Ok(())
    }

    fn step(&mut self) -> Result<(), String> {
        self.ply += 1;
        if self.ply > MAX_PLIES {
            return Err(format!("a random game is not over after {MAX_PLIES} plies"));
        }
        Ok(())
    }

    /// Whether this position is one of those from which a side line is played, too.
    fn plays_side_line(&mut self) -> bool {
        self.ply < SIDE_LINE || (self.ply < SIDE_LINE_PLIES && below(&mut self.rng, SIDE_LINE) == 0)
    }

    /// What holds of every position.
    fn position<G: Game>(&mut self, view: &ViewOf<G>) -> Result<(), String> {
        let View { seats, turn, .. } = *view;
        if !(1..=MAX_SEATS).contains(&seats) {
            return Err(format!("{seats} seats, expected 1 to {MAX_SEATS}"));
        }
        if let Turn::Player(seat) = turn
            && seat >= seats
        {
            return Err(format!("seat {seat} is to play, expected one below {seats}"));
        }
        check_listing("actions", &view.actions, matches!(turn, Turn::Player(_)))?;
        let outcomes: Vec<G::Outcome> = view.outcomes.iter().map(|(outcome, _)| *outcome).collect();
        check_listing("outcomes", &outcomes, turn == Turn::Chance)?;
        if let Some((outcome, _)) = view.outcomes.iter().find(|(_, weight)| *weight == 0) {
            return Err(format!("the weight of outcome {outcome:?} is 0, expected at least 1"));
        }
        let live: Vec<G::Outcome> = view.live.iter().map(|(outcome, _)| *outcome).collect();
        if let Some(twice) = repeated(&live) {
            return Err(format!("live outcome {twice:?} is listed twice"));
        }
        if let Some(foreign) = view.live.iter().find(|outcome| !view.outcomes.contains(outcome)) {
            return Err(format!("live outcome {foreign:?} is not among the outcomes with this weight"));
        }
        if let Some(action) = view.actions.iter().find(|action| {
            let part = G::first_part(**action);
            G::first_part(part) != part
        }) {
            return Err(format!("first_part of the first part of {action:?} is another action"));
        }
        if let Some(action) = view.actions.iter().find(|action| !G::HAS_PARTS && G::first_part(**action) != **action) {
            return Err(format!("first_part of {action:?} is another action, but HAS_PARTS is false"));
        }
        let mut parts: Vec<G::Action> = view.actions.iter().map(|action| G::first_part(*action)).collect();
        parts.dedup();
        if let Some(apart) = repeated(&parts) {
            return Err(format!("actions with the first part {apart:?} do not follow one another"));
        }
        for (seat, score) in view.scores.iter().enumerate() {
            if seat >= seats && *score != 0 {
                return Err(format!("seat {seat} of {seats} scores {score}, expected 0"));
            }
            if view.max_score.is_some_and(|most| *score > most) {
                return Err(format!("seat {seat} scores {score}, above max_score"));
            }
        }
        self.report.most_actions = self.report.most_actions.max(view.actions.len());
        self.report.most_outcomes = self.report.most_outcomes.max(outcomes.len());
        Ok(())
    }

    /// One random ply. False where there is none: at the end, and where the game lists nothing, which is found where
    /// positions are looked at.
    fn random_ply<G: Game>(&mut self, state: &mut G) -> bool {
        let (mut actions, mut outcomes) = (Vec::new(), Vec::new());
        match state.turn() {
            Turn::Terminal => return false,
            Turn::Chance => {
                state.outcomes(&mut outcomes);
                if outcomes.iter().all(|(_, weight)| *weight == 0) {
                    return false;
                }
                state.sample(&mut self.rng);
            }
            Turn::Player(_) => {
                state.actions(&mut actions);
                let Some(action) = actions.get(below(&mut self.rng, actions.len())) else { return false };
                state.play(*action);
            }
        }
        true
    }

    fn play_on<G: Game>(&mut self, state: &mut G) {
        for _ in 0..SIDE_LINE_PLIES {
            if !self.random_ply(state) {
                return;
            }
        }
    }

    /// Deals a deck shuffled at this position, and a copy of it, until the game is over or long enough.
    fn deck<G: Game>(&mut self, state: &G) -> Result<(), String> {
        let mut deck = G::Deck::shuffled(state, &mut self.rng);
        let (mut state, mut twin, mut copy) = (state.clone(), state.clone(), deck.clone());
        let mut actions = Vec::new();
        for _ in 0..SIDE_LINE_PLIES {
            match state.turn() {
                Turn::Terminal => break,
                Turn::Chance => {
                    let before = View::of(&state);
                    let dealt = deck.deal(&mut state);
                    if before != View::of(&state) {
                        before.expect_listed(dealt, "the deck")?;
                    }
                    let again = copy.deal(&mut twin);
                    if again != dealt {
                        return Err(format!("the deck deals {dealt:?}, a copy of it {again:?}"));
                    }
                }
                Turn::Player(_) => {
                    state.actions(&mut actions);
                    let Some(action) = actions.get(below(&mut self.rng, actions.len())) else { break };
                    state.play(*action);
                    twin.play(*action);
                }
            }
        }
        Ok(())
    }

    /// Compares the frequencies of [`Game::sample`] with the weights, at some positions.
    fn frequencies<G: Game>(&mut self, state: &G, view: &ViewOf<G>) -> Result<(), String> {
        if view.outcomes.len() < 2 || *self.frequency_positions == FREQUENCY_POSITIONS || below(&mut self.rng, 4) > 0 {
            return Ok(());
        }
        *self.frequency_positions += 1;
        let mut counts: HashMap<G::Outcome, u32> = HashMap::new();
        let mut copy = state.clone();
        for _ in 0..DRAWS {
            copy.clone_from(state);
            *counts.entry(copy.sample(&mut self.rng)).or_default() += 1;
        }
        // Hoeffding: a frequency of n draws is off by t with a probability of at most 2·exp(-2·n·t²).
        let comparisons = (view.outcomes.len() * FREQUENCY_POSITIONS) as f64;
        let tolerance = ((2.0 * comparisons / FALSE_ALARM).ln() / (2.0 * DRAWS as f64)).sqrt();
        let total: f64 = view.outcomes.iter().map(|(_, weight)| f64::from(*weight)).sum();
        for (outcome, weight) in &view.outcomes {
            let frequency = f64::from(counts.remove(outcome).unwrap_or(0)) / DRAWS as f64;
            let expected = f64::from(*weight) / total;
            if (frequency - expected).abs() > tolerance {
                return Err(format!(
                    "sample draws {outcome:?} with frequency {frequency:.3}, expected {expected:.3} by its weight"
                ));
            }
        }
        counts.keys().next().map_or(Ok(()), |outcome| view.expect_listed(*outcome, "sample"))
    }
}

/// Refuses a list that is empty at its turn, filled at another, or has something twice.
fn check_listing<T: Copy + Eq + Hash + Debug>(what: &str, list: &[T], is_its_turn: bool) -> Result<(), String> {
    if list.is_empty() == is_its_turn {
        let found = if is_its_turn { "none at their turn" } else { "some at another turn" };
        return Err(format!("{what}: {found}"));
    }
    repeated(list).map_or(Ok(()), |twice| Err(format!("{what}: {twice:?} is listed twice")))
}

fn repeated<T: Copy + Eq + Hash>(list: &[T]) -> Option<T> {
    let mut seen = std::collections::HashSet::new();
    list.iter().copied().find(|item| !seen.insert(*item))
}

/// Compares what a position knows of the moves with those of the game.
fn check_log<G: Game>(state: &G, log: &MoveLog<G>) -> Result<(), String> {
    if let (Turn::Player(seat), Some(found)) = (state.turn(), state.drawn())
        && log.drawn(seat) != Some(found)
    {
        return Err(format!("drawn is {found:?}, expected {:?}", log.drawn(seat)));
    }
    let Some(past) = state.past() else { return Ok(()) };
    let (found, expected) = (past.len(), log.plies().len());
    if found != expected {
        return Err(format!("the past holds {found} decisions, expected {expected}"));
    }
    let differs = past.iter().zip(log.plies()).find(|(found, expected)| found != expected);
    differs.map_or(Ok(()), |(found, expected)| Err(format!("the past holds {found:?}, expected {expected:?}")))
}
