//! `[paper]`: printed numbers to compare with ours.

use super::players::Contender;
use super::reader::TomlTable;
use evouct_base::parameter::{Parameter, Parameters, Value, Values};
use evouct_base::suggest::nearest;
use evouct_platform::domain::{AnyDomain, GameRules};
use evouct_search::game::MAX_SEATS;
use std::collections::BTreeMap;
use std::sync::{LazyLock, Mutex, PoisonError};

/// Printed numbers of a table.
#[derive(Clone, Debug, PartialEq)]
pub struct Paper {
    /// The publication, as the file names it.
    pub source: Option<String>,
    /// The table's number.
    pub table: Option<String>,
    /// Games of each printed match unless the match has its own number; by default as in the experiment's file.
    pub games_per_match: u32,
    /// Whether the printed matches shared their decks: as those of the experiment unless given.
    pub mirror: bool,
    /// A printed ranking, in its order.
    pub ranking: Vec<PaperRow>,
    /// Printed results of single matches.
    pub matches: Vec<PaperCell>,
    /// Printed means of a player in a seat.
    pub seats: Vec<PaperSeat>,
    /// Printed means of a player over recorded positions.
    pub positions: Vec<PaperPositions>,
    /// Printed results of two players, the games of both seats together.
    pub pairs: Vec<PaperPair>,
}

/// Printed means per game of a player in a seat; numbers that are not printed are left out.
#[derive(Clone, Debug, PartialEq)]
pub struct PaperSeat {
    /// The player, as in the experiment.
    pub player: String,
    /// 1 if the player moves first, 2 if second.
    pub seat: usize,
    /// Games of the means, against all opponents together, if not [`Paper::games_per_match`] against each.
    pub games: Option<u64>,
    /// The numbers, by the keys of [`PaperSeat::measures`]: means, and the lowest and highest score.
    pub means: Vec<(&'static str, f64)>,
}

/// The key of a printed lowest score.
pub const LOWEST: &str = "lowest";
/// The key of a printed highest score.
pub const HIGHEST: &str = "highest";
/// The most games that a printed number may be of.
const GAMES: Values = Values::Count(1, 1_000_000);
/// The games that a player may have won of them.
const WON: Values = Values::Count(0, 1_000_000);

evouct_base::parameters! {
    /// The keys of `[paper]`.
    struct PaperKeys {
        /// The publication.
        source: Option<String> = None;
        /// Number of the table.
        table: Option<String> = None;
        /// Games of each printed match, if not as in the experiment.
        games_per_match: Option<u32> = None, values = GAMES;
        /// Whether the printed matches shared their decks, if not as in the experiment.
        mirror: Option<bool> = None;
    }
}

evouct_base::parameters! {
    /// A row of a printed ranking, the keys of `[[paper.ranking]]`; a number that is not printed is left out.
    pub struct PaperRow {
        /// Name of the player in the experiment.
        player: String = String::new(), required = true;
        /// League points.
        points: Option<f64> = None;
        /// Bonus points of match winners.
        bwp: Option<f64> = None;
        /// Bonus points of match losers.
        blp: Option<f64> = None;
        /// Matches won.
        wins: Option<f64> = None;
        /// Matches lost.
        losses: Option<f64> = None;
        /// Matches drawn.
        draws: Option<f64> = None;
        /// Sum of the mean score differences.
        pd: Option<f64> = None;
    }
}

evouct_base::parameters! {
    /// A printed match, the keys of `[[paper.matches]]`.
    pub struct PaperCell {
        /// The player that moves first.
        home: String = String::new(), required = true;
        /// The player that moves second.
        away: String = String::new(), required = true;
        /// Games of this match, if not games_per_match.
        games: Option<u64> = None, values = GAMES;
        /// Games that the home player won.
        home_wins: u64 = 0, values = WON, required = true;
        /// Games that the away player won.
        away_wins: u64 = 0, values = WON, required = true;
    }
}

evouct_base::parameters! {
    /// The keys of `[[paper.seats]]` that every game has.
    struct SeatKeys {
        /// Name of the player in the experiment.
        player: String = String::new(), required = true;
        /// Seat of the player: 1 moves first.
        seat: usize = 1, values = Values::Count(1, MAX_SEATS as u64), required = true;
        /// Games of the means against all opponents together, if not games_per_match against each.
        games: Option<u64> = None, values = GAMES;
        /// Mean score difference per game, in points.
        difference: Option<f64> = None;
        /// Mean score per game, in points.
        score: Option<f64> = None;
        /// The lowest score of these games.
        lowest: Option<f64> = None;
        /// The highest score of these games.
        highest: Option<f64> = None;
    }
}

evouct_base::parameters! {
    /// A printed result of two players over the games of both seats together (Müller 2014, chapter 5), the keys of
    /// `[[paper.pairs]]`. Games that neither won were drawn. Means that are not printed are left out.
    pub struct PaperPair {
        /// Name of the player in the experiment.
        player: String = String::new(), required = true;
        /// Name of the other player in the experiment.
        opponent: String = String::new(), required = true;
        /// Games of both seats together, if not twice games_per_match.
        games: Option<u64> = None, values = GAMES;
        /// Games that the player won.
        wins: u64 = 0, values = WON, required = true;
        /// Games that the opponent won.
        losses: u64 = 0, values = WON, required = true;
        /// Mean points per game of the player.
        points: Option<f64> = None;
        /// Mean points per game of the opponent.
        opponent_points: Option<f64> = None;
        /// Mean playouts per decision of the player.
        playouts: Option<f64> = None;
        /// Mean playouts per decision of the opponent.
        opponent_playouts: Option<f64> = None;
        /// Mean playouts per second of the player.
        playouts_per_second: Option<f64> = None;
        /// Mean playouts per second of the opponent.
        opponent_playouts_per_second: Option<f64> = None;
    }
}

evouct_base::parameters! {
    /// Printed means of a player over recorded positions, the keys of `[[paper.positions]]`; a number that is not printed
    /// is left out.
    pub struct PaperPositions {
        /// Name of the player in the experiment.
        player: String = String::new(), required = true;
        /// Mean nodes per decision.
        nodes: Option<f64> = None;
        /// Mean milliseconds per decision.
        milliseconds: Option<f64> = None;
    }
}

pub(super) static KEYS: LazyLock<Vec<Parameter>> = LazyLock::new(PaperKeys::table);
pub(super) static RANKING: LazyLock<Vec<Parameter>> = LazyLock::new(PaperRow::table);
pub(super) static MATCHES: LazyLock<Vec<Parameter>> = LazyLock::new(PaperCell::table);
pub(super) static PAIRS: LazyLock<Vec<Parameter>> = LazyLock::new(PaperPair::table);
pub(super) static POSITIONS: LazyLock<Vec<Parameter>> = LazyLock::new(PaperPositions::table);

/// The keys of `[[paper.seats]]` for a game: those of every game, and a mean for each column of the game and of its
/// searches.
pub(super) fn seat_keys(domain: &dyn AnyDomain) -> &'static [Parameter] {
    static TABLES: Mutex<BTreeMap<&'static str, &'static [Parameter]>> = Mutex::new(BTreeMap::new());
    let mut tables = TABLES.lock().unwrap_or_else(PoisonError::into_inner);
    // One table for each game lives as long as the program.
    tables.entry(domain.name()).or_insert_with(|| {
        let mut table = SeatKeys::table();
        let like = table[table.len() - 1].clone();
        let mean = |(name, about)| Parameter { name, about, ..like.clone() };
        let columns = [domain.columns(), domain.trace_columns().to_vec()].concat();
        table.extend(columns.iter().map(|column| mean((column.printed.unwrap_or(column.name), column.about))));
        Box::leak(table.into_boxed_slice())
    })
}

impl PaperSeat {
    /// What can be printed: the key in `[[paper.seats]]`, and the measure of a seat that it is compared with.
    pub fn measures(domain: &dyn AnyDomain) -> Vec<(&'static str, &'static str)> {
        let columns = domain.columns().into_iter().chain(domain.trace_columns().iter().copied());
        let columns = columns.map(|column| (column.printed.unwrap_or(column.name), column.name));
        let every = [("difference", "difference"), ("score", "score"), (LOWEST, "score"), (HIGHEST, "score")];
        every.into_iter().chain(columns).collect()
    }
}

impl Paper {
    /// Reads the section and collects the errors.
    pub(super) fn read(
        table: &TomlTable,
        rules: &GameRules,
        players: &[Contender],
        games_per_match: u32,
        mirror: bool,
    ) -> Paper {
        let keys = PaperKeys::read(table.fill(&KEYS, &["ranking", "matches", "seats", "positions", "pairs"]).values());
        let games_per_match = keys.games_per_match.unwrap_or(games_per_match);
        let rows = |section| table.sections(section);
        let known = |table: &TomlTable, key, name: &str| check_player(table, key, name, players);
        let paper = Paper {
            source: keys.source,
            table: keys.table,
            games_per_match,
            mirror: keys.mirror.unwrap_or(mirror),
            ranking: read_rows(&rows("ranking"), &RANKING, |at, row: &PaperRow| known(at, "player", &row.player)),
            matches: read_rows(&rows("matches"), &MATCHES, |at, cell: &PaperCell| {
                let PaperCell { home, away, games, home_wins, away_wins } = cell;
                let (won, games) = (home_wins + away_wins, games.unwrap_or(games_per_match.into()));
                if won > games {
                    at.note_at("home_wins", format!("{home:?} - {away:?}: {won} games won of {games}"));
                }
                known(at, "home", home) & known(at, "away", away)
            }),
            seats: rows("seats").iter().filter_map(|seat| read_seat(seat, rules, players)).collect(),
            positions: read_rows(&rows("positions"), &POSITIONS, |at, row: &PaperPositions| {
                known(at, "player", &row.player)
            }),
            pairs: read_rows(&rows("pairs"), &PAIRS, |at, pair: &PaperPair| {
                let PaperPair { player, opponent, games, wins, losses, .. } = pair;
                let (decided, games) = (wins + losses, games.unwrap_or(2 * u64::from(games_per_match)));
                if decided > games {
                    at.note_at("wins", format!("{player:?} - {opponent:?}: {decided} games won of {games}"));
                }
                known(at, "player", player) & known(at, "opponent", opponent)
            }),
        };
        if let Err(problem) = paper.without_repeats() {
            table.note(problem);
        }
        paper
    }

    /// A number that is printed twice would count twice.
    fn without_repeats(&self) -> Result<(), String> {
        let rows = self.ranking.iter().map(|row| format!("the ranking of {:?}", row.player));
        let matches = self.matches.iter().map(|cell| format!("the match {:?} - {:?}", cell.home, cell.away));
        let seats = self.seats.iter().map(|seat| format!("seat {} of {:?}", seat.seat, seat.player));
        let mut seen = std::collections::BTreeSet::new();
        let positions = self.positions.iter().map(|row| format!("positions of {:?}", row.player));
        let pairs = self.pairs.iter().map(|pair| format!("the pair {:?} - {:?}", pair.player, pair.opponent));
        for what in rows.chain(matches).chain(seats).chain(positions).chain(pairs) {
            if seen.contains(&what) {
                return Err(format!("paper: {what} is printed twice"));
            }
            seen.insert(what);
        }
        let matches = self.matches.iter().map(|cell| (&cell.home, &cell.away));
        let mut opposed = matches.chain(self.pairs.iter().map(|pair| (&pair.player, &pair.opponent)));
        match opposed.find(|(player, opponent)| player == opponent) {
            Some((player, _)) => Err(format!("paper: a match of {player:?} against itself")),
            None => Ok(()),
        }
    }
}

/// Reads tables of one kind; those that `check` refuses are left out.
fn read_rows<T: Parameters>(
    tables: &[TomlTable],
    keys: &'static [Parameter],
    check: impl Fn(&TomlTable, &T) -> bool,
) -> Vec<T> {
    let rows = tables.iter().map(|table| (table, T::read(table.fill(keys, &[]).values())));
    rows.filter(|(table, row)| check(table, row)).map(|(_, row)| row).collect()
}

fn read_seat(table: &TomlTable, rules: &GameRules, players: &[Contender]) -> Option<PaperSeat> {
    let (domain, seats) = (rules.domain(), rules.seats());
    let filled = table.fill(seat_keys(domain), &[]);
    let keys = SeatKeys::read(&filled.values()[..SeatKeys::COUNT]);
    let measures = PaperSeat::measures(domain);
    let printed = filled.rows().filter_map(|(row, value)| match value {
        Value::Real(mean) => Some((row.name, *mean)),
        _ => None,
    });
    let means: Vec<(&'static str, f64)> = printed.collect();
    let (player, seat) = (keys.player, keys.seat);
    if !check_player(table, "player", &player, players) {
        return None;
    }
    if seat > seats {
        table.note_at("seat", format!("seat = {seat} is not a whole number from 1 to {seats}"));
    }
    if means.is_empty() {
        let known: Vec<&str> = measures.iter().map(|(key, _)| *key).collect();
        table.note(format!("seat {seat} of {player:?} has no mean; known: {}", known.join(", ")));
    }
    Some(PaperSeat { player, seat, games: keys.games, means })
}

/// Whether a player of the experiment has this name; one that has another is noted.
fn check_player(table: &TomlTable, key: &str, name: &str, players: &[Contender]) -> bool {
    let is_known = players.iter().any(|contender| contender.name == name);
    // That there is no name is noted already.
    if !is_known && table.has(key) {
        let hint = nearest(name, players.iter().map(|contender| contender.name.as_str()));
        let hint = hint.map_or(String::new(), |name| format!("; did you mean {name:?}?"));
        table.note_at(key, format!("no player of the experiment is called {name:?}{hint}"));
    }
    is_known
}
