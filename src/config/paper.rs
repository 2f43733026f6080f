//! `[paper]`: printed numbers, to be set beside ours.

use super::players::Contender;
use super::reader::{ConfigError, TomlTable};
use crate::suggest::nearest;

/// Printed numbers of a table.
#[derive(Clone, Debug, PartialEq)]
pub struct Paper {
    /// What is printed where, as the file says.
    pub source: Option<String>,
    /// The table's number.
    pub table: Option<String>,
    /// Games of each printed match where it says nothing else: those of the experiment's file unless given.
    pub games_per_match: u32,
    /// Whether the printed matches shared their decks: as those of the experiment unless given.
    pub mirror: bool,
    /// A printed ranking, in its order.
    pub ranking: Vec<PaperRow>,
    /// Printed results of single matches.
    pub matches: Vec<PaperCell>,
    /// Printed means of a player in a seat.
    pub seats: Vec<PaperSeat>,
}

/// A row of a printed ranking; a number that is not printed is left out.
#[derive(Clone, Debug, PartialEq)]
pub struct PaperRow {
    /// The player, as in the experiment.
    pub player: String,
    /// League points.
    pub points: Option<f64>,
    /// Bonus points of match winners.
    pub bwp: Option<f64>,
    /// Bonus points of match losers.
    pub blp: Option<f64>,
    /// Matches won.
    pub wins: Option<f64>,
    /// Matches lost.
    pub losses: Option<f64>,
    /// Matches drawn.
    pub draws: Option<f64>,
    /// Sum of mean score differences.
    pub pd: Option<f64>,
}

/// A printed match: games won by the home player and by the away player.
#[derive(Clone, Debug, PartialEq)]
pub struct PaperCell {
    /// The player who goes first.
    pub home: String,
    /// The player who goes second.
    pub away: String,
    /// Games of the match, where they are not [`Paper::games_per_match`].
    pub games: Option<u64>,
    /// Games that the home player won.
    pub home_wins: u64,
    /// Games that the away player won.
    pub away_wins: u64,
}

/// Printed means a game of a player in a seat; what is not printed is left out.
#[derive(Clone, Debug, PartialEq)]
pub struct PaperSeat {
    /// The player, as in the experiment.
    pub player: String,
    /// 1 where the player goes first, 2 where second.
    pub seat: usize,
    /// Games of the means, against all opponents together, where they are not [`Paper::games_per_match`] against each.
    pub games: Option<u64>,
    /// The means, by the names in [`PaperSeat::MEASURES`].
    pub means: Vec<(&'static str, f64)>,
}

impl PaperSeat {
    /// What can be printed: the key in `[paper]`, and the measure of a seat that it is set beside.
    ///
    /// `difference` and `score` are in points, `mpg` is meeples played a game, `twm` turns begun with a meeple over 29 or 28
    /// (Valdez Ameneyro et al. 2020, Equation 5).
    pub const MEASURES: [(&'static str, &'static str); 4] =
        [("difference", "difference"), ("score", "score"), ("mpg", "meeples"), ("twm", "twm")];
}

impl Paper {
    pub(super) fn read(
        table: &TomlTable,
        players: &[Contender],
        games_per_match: u32,
        mirror: bool,
    ) -> Result<Paper, ConfigError> {
        let given = table.count("games_per_match", 1..1_000_001)?;
        let games_per_match = given.map_or(games_per_match, |games| games as u32);
        let paper = Paper {
            source: table.text("source")?.map(str::to_owned),
            table: table.text("table")?.map(str::to_owned),
            games_per_match,
            mirror: table.flag("mirror")?.unwrap_or(mirror),
            ranking: table.tables("ranking")?.iter().map(|row| read_row(row, players)).collect::<Result<_, _>>()?,
            matches: table
                .tables("matches")?
                .iter()
                .map(|cell| read_cell(cell, players, games_per_match))
                .collect::<Result<_, _>>()?,
            seats: table.tables("seats")?.iter().map(|seat| read_seat(seat, players)).collect::<Result<_, _>>()?,
        };
        table.finish()?;
        paper.without_repeats().map_err(|problem| table.error(problem))?;
        Ok(paper)
    }
}

impl Paper {
    /// A number that is printed twice would count twice.
    fn without_repeats(&self) -> Result<(), String> {
        let rows = self.ranking.iter().map(|row| format!("the ranking of {:?}", row.player));
        let matches = self.matches.iter().map(|cell| format!("the match {:?} - {:?}", cell.home, cell.away));
        let seats = self.seats.iter().map(|seat| format!("seat {} of {:?}", seat.seat, seat.player));
        let mut seen = std::collections::BTreeSet::new();
        for what in rows.chain(matches).chain(seats) {
            if seen.contains(&what) {
                return Err(format!("paper: {what} is printed twice"));
            }
            seen.insert(what);
        }
        match self.matches.iter().find(|cell| cell.home == cell.away) {
            Some(cell) => Err(format!("paper: a match of {:?} against itself", cell.home)),
            None => Ok(()),
        }
    }
}

fn read_row(table: &TomlTable, players: &[Contender]) -> Result<PaperRow, ConfigError> {
    let row = PaperRow {
        player: player(table, "player", players)?,
        points: table.real("points")?,
        bwp: table.real("bwp")?,
        blp: table.real("blp")?,
        wins: table.real("wins")?,
        losses: table.real("losses")?,
        draws: table.real("draws")?,
        pd: table.real("pd")?,
    };
    table.finish()?;
    Ok(row)
}

fn read_cell(table: &TomlTable, players: &[Contender], games_per_match: u32) -> Result<PaperCell, ConfigError> {
    let wins = |key| table.count(key, 0..1_000_001)?.ok_or_else(|| table.error(format!("{key} is missing")));
    let cell = PaperCell {
        home: player(table, "home", players)?,
        away: player(table, "away", players)?,
        games: table.count("games", 1..1_000_001)?,
        home_wins: wins("home_wins")?,
        away_wins: wins("away_wins")?,
    };
    table.finish()?;
    let (won, games) = (cell.home_wins + cell.away_wins, cell.games.unwrap_or_else(|| games_per_match.into()));
    if won > games {
        let (home, away) = (&cell.home, &cell.away);
        return Err(table.error_at("home_wins", format!("{home:?} - {away:?}: {won} games won of {games}")));
    }
    Ok(cell)
}

fn read_seat(table: &TomlTable, players: &[Contender]) -> Result<PaperSeat, ConfigError> {
    let mut means = Vec::new();
    for (key, _) in PaperSeat::MEASURES {
        means.extend(table.real(key)?.map(|mean| (key, mean)));
    }
    let seat = PaperSeat {
        player: player(table, "player", players)?,
        seat: table.count("seat", 1..3)?.ok_or_else(|| table.error("seat is missing".to_owned()))? as usize,
        games: table.count("games", 1..1_000_001)?,
        means,
    };
    table.finish()?;
    if seat.means.is_empty() {
        let known: Vec<&str> = PaperSeat::MEASURES.iter().map(|(key, _)| *key).collect();
        return Err(table.error(format!(
            "seat {} of {:?} has no mean; known: {}",
            seat.seat,
            seat.player,
            known.join(", ")
        )));
    }
    Ok(seat)
}

/// The name of a player of the experiment.
fn player(table: &TomlTable, key: &'static str, players: &[Contender]) -> Result<String, ConfigError> {
    let name = table.text(key)?.ok_or_else(|| table.error(format!("{key} is missing")))?;
    if players.iter().any(|contender| contender.name == name) {
        return Ok(name.to_owned());
    }
    let hint = nearest(name, players.iter().map(|contender| contender.name.as_str()));
    let hint = hint.map_or(String::new(), |name| format!("; did you mean {name:?}?"));
    Err(table.error_at(key, format!("no player of the experiment is called {name:?}{hint}")))
}
