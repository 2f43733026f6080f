//! Games shown move by move.

use crate::aggregate::load::LoadedRun;
use evouct_league::config::Experiment;
use evouct_league::record::{ConsideredMove, DecisionTrace, GameRecord};
use evouct_platform::domain::{GameRules, TurnView};
use serde::Serialize;

/// Moves shown of what a search considered.
const BEST: usize = 6;

/// A game prepared for display.
pub struct Show {
    /// Its id, or the name of its file.
    pub id: String,
    /// The players, by seat.
    pub players: Vec<String>,
    /// The game and its rules.
    pub rules: GameRules,
    /// The moves in notation.
    pub moves: String,
    /// The board after every turn in one SVG element; none where the game has no drawing.
    pub animation: Option<String>,
    /// What is shown of a seat: the names of [`ShownTurn::facts`].
    pub facts: &'static [&'static str],
    /// The facts of each seat before the first turn.
    pub start: Vec<Vec<i64>>,
    /// What is shown, by turn.
    pub turns: Vec<ShownTurn>,
    /// The scores by seat: the final ones where they are recorded, and else what each seat would score after the moves.
    pub scores: Vec<i32>,
}

/// What is shown of a turn.
#[derive(Clone, Debug, Serialize)]
pub struct ShownTurn {
    /// Whose turn it was, from 0.
    pub seat: usize,
    /// The action in notation.
    pub play: String,
    /// Whether it is a move of the opening, which no player decided.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub opening: bool,
    /// What chance decided before it and the seat did not act on.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub aside: Vec<String>,
    /// What each seat would score if the game had ended after it.
    pub scores: Vec<i32>,
    /// Facts of each seat after it.
    pub facts: Vec<Vec<i64>>,
    /// The formula in use, where one was evolved.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub formula: Option<String>,
    /// The moves that were tried most often, where traces were kept.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub best: Vec<ConsideredMove>,
    /// How many moves were considered.
    #[serde(skip_serializing_if = "evouct_base::is_default")]
    pub considered: usize,
}

impl ShownTurn {
    fn of(turn: TurnView) -> ShownTurn {
        let TurnView { seat, chance: mut aside, play, scores, facts } = turn;
        aside.pop();
        ShownTurn { seat, play, opening: false, aside, scores, facts, formula: None, best: Vec::new(), considered: 0 }
    }
}

impl Show {
    /// The games of a run's sample. A game whose record cannot be replayed is left out with a warning.
    pub(super) fn sample(run: &LoadedRun, experiment: &Experiment) -> Vec<Show> {
        let show = |game: &GameRecord| {
            let traces = run.traces.get(&game.id).map(Vec::as_slice).unwrap_or_default();
            let show = Show::of_record(&experiment.rules, game, traces);
            show.inspect_err(|error| tracing::warn!("game {} cannot be shown: {error}", game.id)).ok()
        };
        run.sample.games().into_iter().filter_map(show).collect()
    }

    /// A recorded game.
    ///
    /// # Errors
    /// If its moves are not those of a game by these rules.
    pub fn of_record(rules: &GameRules, game: &GameRecord, traces: &[DecisionTrace]) -> Result<Show, String> {
        let mut show = Show::of_moves(&game.id, rules, &game.moves)?;
        if game.run.players.len() == show.players.len() {
            show.players.clone_from(&game.run.players);
        }
        show.scores.clone_from(&game.scores);
        let opening = (game.opening as usize).min(show.turns.len());
        let (opening, decided) = show.turns.split_at_mut(opening);
        opening.iter_mut().for_each(|turn| turn.opening = true);
        for decision in &game.evolution {
            if let Some(turn) = decided.get_mut(decision.turn as usize) {
                turn.formula = Some(decision.log.formula.clone());
            }
        }
        for trace in traces {
            if let Some(turn) = decided.get_mut(trace.turn as usize) {
                let mut best = trace.considered.clone();
                // A bound is never better than the same value.
                let order = |a: &ConsideredMove, b: &ConsideredMove| a.upper_bound.cmp(&b.upper_bound);
                best.sort_by(|a, b| b.visits.total_cmp(&a.visits).then(b.mean.total_cmp(&a.mean)).then(order(a, b)));
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
    pub fn of_moves(id: &str, rules: &GameRules, moves: &str) -> Result<Show, String> {
        let view =
            rules.domain().view(rules.options().values(), moves).map_err(|problem| format!("moves: {problem}"))?;
        let scores = view.turns.last().map_or(vec![0; rules.seats()], |turn| turn.scores.clone());
        Ok(Show {
            scores,
            id: id.to_owned(),
            players: (1..=rules.seats()).map(|seat| format!("player {seat}")).collect(),
            rules: rules.clone(),
            moves: moves.to_owned(),
            animation: view.animation,
            facts: view.facts,
            start: view.start,
            turns: view.turns.into_iter().map(ShownTurn::of).collect(),
        })
    }

    /// Facts of each seat after the last turn.
    pub(super) fn last_facts(&self) -> &[Vec<i64>] {
        self.turns.last().map_or(&self.start, |turn| &turn.facts)
    }
}

/// What the boards of all games of a page share, as SVG.
pub(super) fn definitions(rules: &GameRules) -> String {
    rules.domain().definitions(rules.options().values()).unwrap_or_default()
}
