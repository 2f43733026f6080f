//! Journals made up by tests: any players, any results.
#![allow(dead_code, reason = "each test file uses some of it")]

use evouct::carcassonne::SeatMetrics;
use evouct::config::{Experiment, Overrides};
use evouct::domain::RecordedMetrics;
use evouct::record::{Ended, FinishedGame, GameRecord, Header, RunInfo, TurnScores};
use evouct::schedule::game_id;
use evouct::store::JournalWriter;
use std::path::Path;
use std::time::Duration;

/// An experiment between players of these names that all play at random.
pub fn toml(names: &[&str], decks: usize, more: &str) -> String {
    let mut text = format!("name = \"made-up\"\nseed = 5\ngames_per_match = {decks}\n{more}");
    for name in names {
        // A text is written alike in JSON and in TOML.
        let name = serde_json::Value::from(*name);
        text.push_str(&format!("[[player]]\nname = {name}\nkind = \"random\"\n"));
    }
    text
}

/// Two players, each first once.
pub const BOTH: [[usize; 2]; 2] = [[0, 1], [1, 0]];

/// Every player at home against every other one.
pub fn pairs(players: usize) -> Vec<[usize; 2]> {
    (0..players)
        .flat_map(|home| (0..players).map(move |away| [home, away]))
        .filter(|[home, away]| home != away)
        .collect()
}

pub struct Journal {
    pub experiment: Experiment,
    writer: JournalWriter,
}

impl Journal {
    pub fn new(folder: &Path, toml: &str) -> Journal {
        evouct::registry::add_games();
        let experiment = Experiment::parse(toml, "made-up.toml", Overrides::default()).unwrap();
        let header = Header::of(&experiment, None);
        Journal { writer: JournalWriter::open(&folder.join("games.jsonl"), &header).unwrap(), experiment }
    }

    /// A game between two players by their numbers.
    pub fn game(&self, deck: u32, seats: [usize; 2], scores: [i32; 2]) -> GameRecord {
        let players = seats.map(|seat| &self.experiment.players[seat]);
        GameRecord {
            id: game_id(deck, players.map(|player| &player.identity)),
            deck,
            seats: players.map(|player| player.identity.short()).to_vec(),
            ended: Ended::Finished,
            fault: None,
            reproducible: true,
            opening: 0,
            moves: String::new(),
            scores: scores.to_vec(),
            virtual_scores: TurnScores::default(),
            movers: Vec::new(),
            search: Vec::new(),
            histograms: Vec::new(),
            metrics: vec![RecordedMetrics::of(&SeatMetrics::default()); 2],
            playouts: vec![0, 0],
            nodes: Vec::new(),
            evolution: Vec::new(),
            run: RunInfo {
                players: players.map(|player| player.name.clone()).to_vec(),
                seconds: vec![0.0, 0.0],
                ..RunInfo::default()
            },
        }
    }

    /// Writes one game of each deck from 1 on between players in each of these seats, with the scores that a deck and
    /// seats have.
    pub fn play(&mut self, decks: u32, seats: &[[usize; 2]], mut scores: impl FnMut(u32, [usize; 2]) -> [i32; 2]) {
        for deck in 1..=decks {
            for &seats in seats {
                let game = self.game(deck, seats, scores(deck, seats));
                self.write(&game);
            }
        }
    }

    pub fn write(&mut self, game: &GameRecord) {
        self.writer.append(&FinishedGame::of(game, &[], &self.experiment.binding()), Duration::ZERO).unwrap();
    }
}
