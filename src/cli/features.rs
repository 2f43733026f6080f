//! `evouct features`: meeples and points by occupied feature, by player of a run.

use super::form::TableArgs;
use super::{Outcome, warn, whole};
use crate::carcassonne::{Carcassonne, FeatureKind, OccupiedFeatures, Transcript};
use crate::domain::Domain;
use crate::error::Failure;
use crate::league::MissingGames;
use crate::record::Run;
use crate::report::{Format, mean, printed};
use crate::stats::Summary;
use crate::store::RecordError;
use crate::table::{Cell, Digits, Table, Width};
use clap::Args;
use std::collections::BTreeMap;
use std::io::Write;
use std::path::PathBuf;

#[derive(Args)]
pub(super) struct Arguments {
    /// The run folder
    #[arg(value_name = "RUN")]
    folder: PathBuf,
    #[command(flatten)]
    form: TableArgs,
}

/// The features of a player over its games.
struct PlayerRow {
    name: String,
    identity: String,
    games: u64,
    features: OccupiedFeatures,
    /// By unit, a deck or a game: games, and the features of these games.
    units: BTreeMap<String, (u64, OccupiedFeatures)>,
}

impl PlayerRow {
    /// The mean number of meeples per game on features of a kind, over units.
    fn meeples(&self, kind: FeatureKind) -> Summary {
        let of_unit =
            |(games, features): &(u64, OccupiedFeatures)| features.of_kind(kind).meeples as f64 / *games as f64;
        Summary::of(&self.units.values().map(of_unit).collect::<Vec<_>>())
    }
}

pub(super) fn run(arguments: &Arguments, out: &mut dyn Write) -> Outcome {
    let run = Run::open(&arguments.folder).map_err(Failure::usage)?;
    let experiment = run.experiment().map_err(Failure::usage)?;
    let Some(rules) = experiment.rules.typed::<Carcassonne>().map(|rules| rules.rules()) else {
        let found = experiment.rules.domain().name();
        return Err(Failure::Usage(format!("features are counted in games of {}, found {found}", <Carcassonne>::NAME)));
    };
    let row = |contender: &crate::config::Contender| PlayerRow {
        name: contender.name.clone(),
        identity: contender.identity.short(),
        games: 0,
        features: OccupiedFeatures::default(),
        units: BTreeMap::new(),
    };
    let mut players: Vec<PlayerRow> = experiment.players.iter().map(row).collect();
    let mut missing = MissingGames::of(&experiment);
    let problems = run.games(|game| -> Result<(), RecordError> {
        missing.see(&game);
        let wrong = |problem: String| RecordError::folder(&arguments.folder, format!("game {}: {problem}", game.id));
        let events = Transcript::parse_events(&game.moves, rules.tiles).map_err(|error| wrong(error.to_string()))?;
        let seats = OccupiedFeatures::of_game(rules, events).map_err(|error| wrong(error.to_string()))?;
        for (identity, features) in game.seats.iter().zip(seats) {
            if let Some(player) = players.iter_mut().find(|player| player.identity == *identity) {
                player.games += 1;
                player.features += features;
                let unit = if experiment.mirror { game.deck.to_string() } else { game.id.clone() };
                let (games, of_unit) = player.units.entry(unit).or_default();
                *games += 1;
                *of_unit += features;
            }
        }
        Ok(())
    });
    warn(&problems.map_err(Failure::failed)?);
    players.retain(|player| player.games > 0);
    if players.is_empty() {
        return Err(Failure::Usage(format!("{}: no game is recorded yet", arguments.folder.display())));
    }
    match arguments.form.of_tables() {
        Some(format) => write!(out, "{}", table(&players, format))?,
        None => json(&players, out)?,
    }
    whole::check(&arguments.folder, missing.count())
}

fn table(players: &[PlayerRow], format: Format) -> String {
    let rows = players.iter().flat_map(|player| OccupiedFeatures::KINDS.into_iter().map(move |kind| (player, kind)));
    let title = "Meeples and features per game, and points per feature; ± is 95 %";
    let table = Table::of("features", title, rows)
        .shown(Width::Narrow, "player", "player", |(player, _)| Cell::name(&player.name))
        .shown(Width::Narrow, "feature", "feature", |(_, (_, name))| Cell::word(*name))
        .shown(Width::Narrow, "meeples", "meeples per game", |(player, (kind, _))| mean(&player.meeples(*kind)))
        .shown(Width::Narrow, "features", "features per game", |(player, (kind, _))| {
            Cell::rounded(player.features.of_kind(*kind).features as f64 / player.games as f64, 2)
        })
        .shown(Width::Narrow, "points", "points per feature", |(player, (kind, _))| {
            Cell::number(player.features.of_kind(*kind).points_per_feature(), Digits::fixed(2))
        })
        .shown(Width::Narrow, "games", "games", |(player, _)| Cell::Count(player.games));
    printed(table.table(), format)
}

fn json(players: &[PlayerRow], out: &mut dyn Write) -> Outcome {
    for player in players {
        for (kind, name) in OccupiedFeatures::KINDS {
            let occupied = player.features.of_kind(kind);
            let meeples = player.meeples(kind);
            let json = serde_json::json!({
                "player": player.name,
                "games": player.games,
                "feature": name,
                "meeples": occupied.meeples,
                "meeples_per_game": meeples.mean(),
                "meeples_per_game_interval": meeples.interval().ok().map(|ends| [ends.low, ends.high]),
                "features": occupied.features,
                "points": occupied.points,
                "points_per_feature": occupied.points_per_feature(),
            });
            writeln!(out, "{json}")?;
        }
    }
    Ok(())
}
