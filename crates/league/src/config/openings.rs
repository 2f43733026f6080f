//! Openings: the moves with which the games of a deck begin, before the first decision.
//!
//! In a game without chance nothing else tells decks apart.

use blake3::Hash;
use evouct_base::panic::catch;
use evouct_base::parameter::Preset;
use evouct_base::sampling::below;
use evouct_base::seed::Key;
use evouct_platform::domain::{GameRules, NoOpening, PlyLimit, Spec, Terms};
use evouct_search::search::Stopped;
use serde::{Deserialize, Serialize};
use std::collections::HashSet;
use std::fmt;
use std::sync::{Mutex, PoisonError};

/// The most plies of the openings that are suggested.
const SUGGESTED_PLIES: u32 = 4;
/// Openings that are drawn for a deck before it is looked which ones are left.
const ATTEMPTS: u64 = 100;
/// Openings that are looked at for those that are left, and searches for one of them that is balanced.
const MOST_LISTED: usize = 50_000;
const MOST_SEARCHES: usize = 1_000;
/// The search that says how balanced an opening is, and the values of its moves: 1 for a win, -1 for a loss.
const JUDGE: &str = "mcts:iterations=1000,reward=win,k=0.5";

/// Where the openings of a file come from.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(untagged)]
pub enum OpeningSource {
    /// Random legal moves.
    Random {
        /// How many.
        plies: u32,
        /// How far from 0 the value of the position after them may be for the seat to play, by a quick search: 1 is a
        /// win and -1 a loss.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        balanced: Option<f64>,
    },
    /// One for each deck, in notation.
    List(Vec<String>),
}

impl OpeningSource {
    /// Part `part` of `parts` of a list, which share no opening; random openings as they are.
    #[must_use]
    pub fn part(&self, [part, parts]: [usize; 2]) -> OpeningSource {
        match self {
            OpeningSource::List(list) => OpeningSource::List(list.iter().skip(part).step_by(parts).cloned().collect()),
            random => random.clone(),
        }
    }

    /// So many of a list, from a place on; random openings as they are.
    #[must_use]
    pub fn slice(&self, from: usize, count: usize) -> OpeningSource {
        match self {
            OpeningSource::List(list) => OpeningSource::List(list.iter().skip(from).take(count).cloned().collect()),
            random => random.clone(),
        }
    }

    /// How many openings a list has; none for random ones.
    pub fn listed(&self) -> Option<usize> {
        if let OpeningSource::List(list) = self { Some(list.len()) } else { None }
    }

    /// The value of the key `openings` in a file.
    pub fn toml(&self) -> String {
        match self {
            OpeningSource::Random { plies, balanced } => {
                let balanced = balanced.map_or(String::new(), |balanced| format!(", balanced = {balanced:?}"));
                format!("{{ plies = {plies}{balanced} }}")
            }
            OpeningSource::List(list) => {
                let line = |opening: &String| format!("  {},\n", serde_json::Value::from(opening.as_str()));
                format!("[\n{}]", list.iter().map(line).collect::<String>())
            }
        }
    }
}

impl fmt::Display for OpeningSource {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            OpeningSource::Random { .. } => f.write_str(&self.toml()),
            OpeningSource::List(list) => {
                let hash = blake3::hash(self.toml().as_bytes()).to_hex();
                write!(f, "a list of {} ({hash:.8})", list.len())
            }
        }
    }
}

/// Openings for the decks of a game in which nothing else tells them apart; none in a game with chance, or one that is
/// over at once.
pub fn suggested_openings(rules: &GameRules) -> Option<OpeningSource> {
    if rules.domain().has_chance(rules.options().values()) {
        return None;
    }
    let random = |plies| OpeningSource::Random { plies, balanced: None };
    let fits =
        |source: &OpeningSource| Openings::new(source.clone(), rules.clone(), Key::experiment(0)).check().is_ok();
    (1..=SUGGESTED_PLIES).rev().map(random).find(fits)
}

/// The openings of the decks of an experiment.
pub struct Openings {
    source: OpeningSource,
    rules: GameRules,
    /// The key of the experiment.
    key: Key,
    drawn: Mutex<DrawnOpenings>,
}

/// What was drawn so far.
#[derive(Default)]
struct DrawnOpenings {
    /// By deck, the first of each.
    openings: Vec<String>,
    /// The positions to which they lead, and those that are not balanced.
    known: HashSet<Hash>,
    /// Openings that no deck has; none while drawing still finds some.
    left: Option<Vec<Opening>>,
}

/// An opening, and what tells it from others: the drawing of the position as text with the seat to play, or the moves in
/// a game that draws nothing.
struct Opening {
    moves: String,
    position: Hash,
}

impl DrawnOpenings {
    /// Whether the game has no opening that no deck has.
    fn is_complete(&self) -> bool {
        self.left.as_ref().is_some_and(Vec::is_empty)
    }
}

impl Openings {
    /// The openings of an experiment with this key.
    pub fn new(source: OpeningSource, rules: GameRules, key: Key) -> Openings {
        Openings { source, rules, key, drawn: Mutex::default() }
    }

    /// The one opening of all decks.
    pub fn of_moves(moves: &str, rules: &GameRules) -> Openings {
        Openings::new(OpeningSource::List(vec![moves.to_owned()]), rules.clone(), Key::experiment(0))
    }

    /// Where they come from.
    pub fn source(&self) -> &OpeningSource {
        &self.source
    }

    /// The opening of a deck, counted from 1. A list begins again after its end; so do random openings once the game has
    /// no others.
    ///
    /// # Errors
    /// Chance decides before one of the moves, the game is over by then, or no opening is balanced.
    pub fn of_deck(&self, deck: u32) -> Result<String, String> {
        let place = deck.saturating_sub(1) as usize;
        match &self.source {
            OpeningSource::List(list) => Ok(list[place % list.len()].clone()),
            OpeningSource::Random { .. } => {
                let mut drawn = self.drawn.lock().unwrap_or_else(PoisonError::into_inner);
                while drawn.openings.len() <= place && !drawn.is_complete() {
                    match catch(|| self.next(&mut drawn)).and_then(|next| next) {
                        Ok(next) => drawn.openings.extend(next),
                        Err(problem) => {
                            // Half of a draw must not change the next one.
                            *drawn = DrawnOpenings::default();
                            return Err(problem);
                        }
                    }
                }
                Ok(drawn.openings[place % drawn.openings.len()].clone())
            }
        }
    }

    /// An opening for a deck that is known by its key alone. Of a list it is one of part `part` of `parts`, which share no
    /// opening.
    ///
    /// # Errors
    /// As [`of_deck`](Openings::of_deck).
    pub fn of_key(&self, key: Key, [part, parts]: [usize; 2]) -> Result<String, String> {
        match &self.source {
            OpeningSource::List(list) => {
                let own = list.len().saturating_sub(part).div_ceil(parts);
                let place = part + parts * below(&mut key.named("opening", 0).stream(), own);
                list.get(place).cloned().ok_or_else(|| format!("a list of {} has no {parts} parts", list.len()))
            }
            OpeningSource::Random { .. } => {
                let drawn = catch(|| self.first_of(key, &mut HashSet::new())).and_then(|first| first)?;
                Ok(drawn.ok_or_else(|| self.none())?.moves)
            }
        }
    }

    /// How many different openings so many decks have.
    ///
    /// # Errors
    /// As [`of_deck`](Openings::of_deck).
    pub fn distinct(&self, decks: u32) -> Result<u32, String> {
        self.of_deck(decks)?;
        Ok(match &self.source {
            OpeningSource::List(list) => list.iter().take(decks as usize).collect::<HashSet<&String>>().len() as u32,
            OpeningSource::Random { .. } => {
                let drawn = self.drawn.lock().unwrap_or_else(PoisonError::into_inner);
                decks.min(drawn.openings.len() as u32)
            }
        })
    }

    /// Refuses random openings if the game has none of so many moves.
    ///
    /// # Errors
    /// Chance decides before one of the moves, or the game is over.
    pub(super) fn check(&self) -> Result<(), String> {
        let OpeningSource::Random { plies, .. } = self.source else { return Ok(()) };
        let unbounded = OpeningSource::Random { plies, balanced: None };
        Openings::new(unbounded, self.rules.clone(), self.key).of_deck(1).map(drop)
    }

    /// Refuses a list with an opening that is not legal.
    ///
    /// # Errors
    /// The place of the first such opening, from 0, and what is wrong with it.
    pub(super) fn check_list(&self, limit: Option<PlyLimit>) -> Result<(), (usize, String)> {
        let OpeningSource::List(list) = &self.source else { return Ok(()) };
        list.iter().enumerate().try_for_each(|(place, moves)| {
            let terms = Terms { opening: moves.clone(), limit };
            let legal =
                catch(|| self.rules.domain().session(self.rules.options().values(), self.key, &[]).begin(&terms));
            legal.and_then(|legal| legal).map_err(|problem| (place, problem))
        })
    }

    /// The opening of the next deck; none if all that the game has are taken.
    fn next(&self, drawn: &mut DrawnOpenings) -> Result<Option<String>, String> {
        let key = self.key.deck(drawn.openings.len() as u32 + 1);
        if drawn.left.is_none() {
            if let Some(found) = self.first_of(key, &mut drawn.known)? {
                return Ok(Some(found.moves));
            }
            if drawn.openings.is_empty() {
                return Err(self.none());
            }
            drawn.left = Some(self.left(&mut drawn.known.clone())?);
        }
        let (mut rng, mut searches) = (key.named("opening", ATTEMPTS).stream(), 0);
        let left = drawn.left.as_mut().expect("they were listed");
        while !left.is_empty() && searches < MOST_SEARCHES {
            let found = left.swap_remove(below(&mut rng, left.len()));
            drawn.known.insert(found.position);
            searches += 1;
            if self.is_balanced(&found.moves)? {
                return Ok(Some(found.moves));
            }
        }
        left.clear();
        Ok(None)
    }

    /// The first opening of the stream of a key whose position is not known; it is then. None if attempts find none.
    fn first_of(&self, key: Key, known: &mut HashSet<Hash>) -> Result<Option<Opening>, String> {
        for attempt in 0..ATTEMPTS {
            let mut rng = key.named("opening", attempt).stream();
            if let Some(found) = self.play(&mut |actions| below(&mut rng, actions))?
                && known.insert(found.position)
                && self.is_balanced(&found.moves)?
            {
                return Ok(Some(found));
            }
        }
        Ok(None)
    }

    /// The openings whose positions are not known, in the order of the moves; of many the first ones.
    fn left(&self, known: &mut HashSet<Hash>) -> Result<Vec<Opening>, String> {
        let mut left = Vec::new();
        // The choices of an opening, each with the number of legal actions: an odometer.
        let mut choices: Vec<(usize, usize)> = Vec::new();
        for _ in 0..MOST_LISTED {
            let mut ply = 0;
            let found = self.play(&mut |actions| {
                if ply == choices.len() {
                    choices.push((0, actions));
                }
                ply += 1;
                choices[ply - 1].0
            })?;
            left.extend(found.filter(|found| known.insert(found.position)));
            while choices.pop_if(|(choice, actions)| *choice + 1 == *actions).is_some() {}
            match choices.last_mut() {
                Some((choice, _)) => *choice += 1,
                None => break,
            }
        }
        Ok(left)
    }

    /// Plays an opening; none if it ends the game.
    fn play(&self, choose: &mut dyn FnMut(usize) -> usize) -> Result<Option<Opening>, String> {
        let OpeningSource::Random { plies, .. } = self.source else { unreachable!("a list is not drawn") };
        let mut session = self.rules.domain().session(self.rules.options().values(), self.key, &[]);
        match session.draw_opening(plies, choose) {
            Err(NoOpening::EndsTheGame) => Ok(None),
            Err(NoOpening::Chance) => {
                let game = self.rules.domain().name();
                let hint = "which tells its decks apart; leave openings out";
                Err(format!("chance decides in the first plies of {game}, {hint}"))
            }
            Ok(()) => {
                let moves = session.moves();
                let drawn = session.text(false).unwrap_or_else(|| moves.clone());
                let position = blake3::hash(format!("{:?} {drawn}", session.advance()).as_bytes());
                Ok(Some(Opening { moves, position }))
            }
        }
    }

    /// Whether a quick search sees no seat too far ahead after these moves.
    fn is_balanced(&self, moves: &str) -> Result<bool, String> {
        let OpeningSource::Random { balanced: Some(bound), .. } = self.source else { return Ok(true) };
        let judge = Spec::parse(self.rules.domain(), JUDGE, Preset::Text).map_err(|error| error.to_string())?;
        let judges: Vec<(Spec, Key)> = (0..self.rules.seats())
            .map(|seat| (judge.clone(), Key::experiment(0).named("balance", seat as u64)))
            .collect();
        let mut session = self.rules.domain().session(self.rules.options().values(), self.key, &judges);
        session.begin(&Terms { opening: moves.to_owned(), limit: None })?;
        if session.advance().is_none() {
            return Ok(false);
        }
        let decided = session.decide(&Stopped, true).map_err(|fault| fault.to_string())?;
        let best = decided.considered.iter().max_by(|a, b| a.visits.total_cmp(&b.visits));
        Ok(best.is_none_or(|best| best.mean.abs() <= bound))
    }

    /// The error that the game has none.
    fn none(&self) -> String {
        let OpeningSource::Random { plies, balanced } = self.source else { unreachable!("a list is not drawn") };
        let game = self.rules.domain().name();
        match balanced {
            None => format!("plies = {plies}: every game of {game} that was tried is over by then; expected fewer"),
            Some(bound) => format!("balanced = {bound}: no opening of {plies} plies that was tried is; expected more"),
        }
    }
}

impl fmt::Debug for Openings {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "openings {}", self.source)
    }
}
