//! Games shown move by move: with `aggregate/measures.rs` the only place of the report that knows which game is played.

use crate::carcassonne::{Animation, Event, MEEPLES, NotationError, ReplayError, Rules, State, Transcript};
use crate::config::Experiment;
use crate::record::{ConsideredMove, DecisionTrace, GameRecord};
use crate::report::aggregate::load::LoadedRun;
use serde::Serialize;

/// Moves shown of what a search considered.
const BEST: usize = 6;

/// Why a game cannot be shown.
#[derive(Debug, thiserror::Error)]
pub enum ShowError {
    /// Its moves cannot be read.
    #[error("moves: {0}")]
    Notation(#[from] NotationError),
    /// Its moves are against the rules.
    #[error("moves: {0}")]
    Rules(#[from] ReplayError),
}

/// A game made ready to be watched.
pub struct Show {
    /// Its id, or the name of its file.
    pub id: String,
    /// The players, by seat.
    pub players: Vec<String>,
    /// The board after every turn.
    pub film: Animation,
    /// What there is to tell, by turn.
    pub turns: Vec<ShownTurn>,
}

/// What there is to tell of a turn.
#[derive(Clone, Debug, Serialize)]
pub struct ShownTurn {
    /// Whose turn it was, from 0.
    pub seat: usize,
    /// The tile.
    pub tile: String,
    /// The turn in notation.
    pub play: String,
    /// Tiles set aside before it.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub aside: Vec<String>,
    /// Scores after it, by seat.
    pub scores: Vec<u16>,
    /// Virtual scores after it, by seat.
    #[serde(rename = "virtual")]
    pub virtual_scores: Vec<u16>,
    /// Meeples left after it, by seat.
    pub meeples: Vec<u8>,
    /// The formula in use, where one was evolved.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub formula: Option<String>,
    /// The moves that were tried most often, where thoughts were kept.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub best: Vec<ConsideredMove>,
    /// How many moves were considered.
    #[serde(skip_serializing_if = "is_zero")]
    pub considered: usize,
}

fn is_zero(count: &usize) -> bool {
    *count == 0
}

/// What the boards of all games of a page share: the drawings of the tiles, as SVG.
pub(super) fn definitions(rules: Rules) -> String {
    Animation::definitions(rules.tiles).to_string()
}

impl Show {
    /// The games of a run's sample. A game whose record cannot be replayed is left out with a warning.
    pub(super) fn sample(run: &LoadedRun, experiment: &Experiment) -> Vec<Show> {
        let show = |game: &GameRecord| {
            let traces = run.traces.get(&game.id).map(Vec::as_slice).unwrap_or_default();
            let show = Show::of_record(experiment.rules, game, traces);
            show.inspect_err(|error| tracing::warn!("game {} cannot be shown: {error}", game.id)).ok()
        };
        run.sample.games().into_iter().filter_map(show).collect()
    }

    /// The rules of the game.
    pub(super) fn rules(&self) -> Rules {
        *self.film.after(0).rules()
    }

    /// Meeples of each seat before the first turn.
    pub(super) fn meeples_at_start(&self) -> u8 {
        MEEPLES
    }

    /// A recorded game.
    ///
    /// # Errors
    /// If its moves are not those of a game by these rules.
    pub fn of_record(rules: Rules, game: &GameRecord, traces: &[DecisionTrace]) -> Result<Show, ShowError> {
        let events = Transcript::parse_events(&game.moves, rules.tiles)?;
        let transcript = Transcript { rules, events, hand: None, scores: None };
        let mut show = Show::of_transcript(&game.id, &transcript)?;
        if game.run.players.len() == show.players.len() {
            show.players.clone_from(&game.run.players);
        }
        for decision in &game.evolution {
            if let Some(turn) = show.turns.get_mut(decision.turn as usize) {
                turn.formula = Some(decision.log.formula.clone());
            }
        }
        for trace in traces {
            if let Some(turn) = show.turns.get_mut(trace.turn as usize) {
                let mut best = trace.considered.clone();
                best.sort_by(|a, b| b.visits.total_cmp(&a.visits).then(b.mean.total_cmp(&a.mean)));
                best.truncate(BEST);
                turn.considered = trace.considered.len();
                turn.best = best;
            }
        }
        Ok(show)
    }

    /// A game that is known by its moves alone.
    ///
    /// # Errors
    /// If they are against the rules.
    pub fn of_transcript(id: &str, transcript: &Transcript) -> Result<Show, ShowError> {
        let film = Animation::new(transcript)?;
        let tiles = transcript.rules.tiles;
        let seats = usize::from(transcript.rules.seats);
        let mut aside = Vec::new();
        let mut turns: Vec<ShownTurn> = Vec::new();
        for event in &transcript.events {
            match event {
                Event::SetAside(tile) => aside.push(tiles.kind(*tile).name.clone()),
                Event::Turn(turn) => {
                    let number = turns.len();
                    let after: &State = film.after(number + 1);
                    turns.push(ShownTurn {
                        seat: number % seats,
                        tile: tiles.kind(turn.tile).name.clone(),
                        play: crate::carcassonne::write_turn(turn, tiles),
                        aside: std::mem::take(&mut aside),
                        scores: after.scores().to_vec(),
                        virtual_scores: after.virtual_scores()[..seats].to_vec(),
                        meeples: after.meeples_left()[..seats].to_vec(),
                        formula: None,
                        best: Vec::new(),
                        considered: 0,
                    });
                }
            }
        }
        let players = (1..=seats).map(|seat| format!("player {seat}")).collect();
        Ok(Show { id: id.to_owned(), players, film, turns })
    }
}
