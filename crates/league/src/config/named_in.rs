//! What a list of folders says of a file, without reading it in full.

use evouct_platform::registry;

/// The names of the games and of the players (or their kinds) in the text of an experiment, an evolution or a tuning. They
/// are not checked. None if it is no TOML.
///
/// ```
/// let (games, players) = evouct_league::config::named_in("game = 'hex'\n[[player]]\nkind = 'mcts'").unwrap();
/// assert_eq!((games, players), (vec!["hex".to_owned()], vec!["mcts".to_owned()]));
/// ```
pub fn named_in(toml: &str) -> Option<(Vec<String>, Vec<String>)> {
    let file: toml::Table = toml.parse().ok()?;
    let tables = |table: &toml::Table, key: &str| match table.get(key) {
        Some(toml::Value::Array(rows)) => rows.iter().filter_map(|row| row.as_table().cloned()).collect(),
        _ => Vec::new(),
    };
    let word = |table: &toml::Table, key: &str| Some(table.get(key)?.as_str()?.to_owned());
    let evolve = file.get("evolve").and_then(toml::Value::as_table);
    let mut games: Vec<String> =
        evolve.iter().flat_map(|evolve| tables(evolve, "game")).filter_map(|game| word(&game, "game")).collect();
    if games.is_empty() {
        games.push(word(&file, "game").unwrap_or_else(|| registry::default_game().name().to_owned()));
    }
    let players = ["player", "opponent"].into_iter().flat_map(|key| tables(&file, key));
    let players = players.filter_map(|player| word(&player, "name").or_else(|| word(&player, "kind"))).collect();
    Some((games, players))
}
