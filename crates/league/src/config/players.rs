//! The players of an experiment: names, sweeps, identities.

use super::reader::TomlTable;
use evouct_base::parameter::{Filled, Parameter, ParameterError, Preset, Raw, Value};
use evouct_base::seed::Identity;
use evouct_base::suggest;
use evouct_platform::domain::{AnyDomain, GameRules, Spec};
use evouct_platform::registry;
use std::collections::HashMap;

/// The most players of an experiment.
const MAX_PLAYERS: usize = 1_000;
const MAX_NAME: usize = 200;
/// The most keys of a player's table: many more than any kind has parameters.
const MAX_KEYS: usize = 1_000;

/// A player of an experiment.
#[derive(Clone, Debug)]
pub struct Contender {
    /// Its name in tables.
    pub name: String,
    /// Kind and parameters.
    pub spec: Spec,
    /// Its number among identical players, from 0.
    pub ordinal: u32,
    /// The identity that its random streams derive from.
    pub identity: Identity,
}

impl Contender {
    /// A player that is the only one of its kind and parameters.
    pub fn new(spec: Spec, name: impl Into<String>) -> Contender {
        Contender::numbered(spec, name, 0)
    }

    /// A player that has this number among identical ones, from 0.
    pub fn numbered(spec: Spec, name: impl Into<String>, ordinal: u32) -> Contender {
        Contender { name: name.into(), identity: spec.identity(ordinal), ordinal, spec }
    }
}

/// Reads the tables of players called `section` and collects the errors. With a clock, players have no budgets but those that
/// are given. `check` refuses players for a reason of its own.
pub fn contenders(
    table: &TomlTable,
    section: &'static str,
    preset: Preset,
    rules: &GameRules,
    has_clock: bool,
    check: impl Fn(&Spec) -> Result<(), ParameterError>,
) -> Vec<Contender> {
    let mut contenders: Vec<Contender> = Vec::new();
    let mut alike: HashMap<String, u32> = HashMap::new();
    for player in table.sections(section) {
        for (name, spec) in specs(&player, rules.domain(), preset) {
            let spec = if has_clock { spec.under_clock() } else { spec };
            if contenders.len() == MAX_PLAYERS {
                player.note(too_many(MAX_PLAYERS + 1));
                return contenders;
            }
            let is_taken = contenders.iter().any(|other| other.name == name);
            match check_name(&name) {
                Ok(()) if is_taken => {
                    player.note_at("name", format!("two players are called {name:?}; give each a name"));
                }
                // What is wrong with the name was said of the first one.
                Err(problem) if !is_taken => player.note_at("name", problem),
                _ => {}
            }
            if let Err(error) = rules.check_player(&spec).and_then(|()| check(&spec)) {
                player.note_at(error.key.as_deref().unwrap_or("kind"), error.problem);
            }
            let ordinal = alike.entry(spec.description()).and_modify(|count| *count += 1).or_insert(0);
            contenders.push(Contender::numbered(spec, name, *ordinal));
        }
    }
    let mut short: Vec<String> = contenders.iter().map(|contender| contender.identity.short()).collect();
    short.sort_unstable();
    if short.windows(2).any(|pair| pair[0] == pair[1]) {
        table.note("two players have the same short identity by chance; change a parameter of one");
    }
    contenders
}

fn too_many(found: usize) -> String {
    format!("an experiment has at most {MAX_PLAYERS} players, found {found}")
}

/// The values that a sweep takes for one key: one value, or each of a list.
fn sweep(raw: Raw, takes_list: bool) -> Vec<Raw> {
    match raw {
        Raw::List(items) if takes_list && !items.iter().all(|item| matches!(item, Raw::List(_))) => {
            vec![Raw::List(items)]
        }
        Raw::List(items) => items,
        single => vec![single],
    }
}

/// The players of one table: one for each combination of the listed values, named after what distinguishes them.
fn specs(table: &TomlTable, domain: &'static dyn AnyDomain, preset: Preset) -> Vec<(String, Spec)> {
    let text = |key| {
        table.text(key).unwrap_or_else(|error| {
            table.note_at(key, error.problem);
            None
        })
    };
    let name = text("name");
    let Some(kind) = text("kind") else {
        if !table.has("kind") {
            table.note("kind is missing; see `evouct players`");
        }
        return Vec::new();
    };
    let keys = table.keys().count();
    if keys > MAX_KEYS {
        table.note(format!("a player has at most {MAX_KEYS} keys, found {keys}"));
        return Vec::new();
    }
    let known = domain.kinds().into_iter().find(|known| known.name == kind);
    let takes_list = |key: &str| {
        let row = known.and_then(|kind| kind.table.iter().find(|row| row.is_called(key)));
        row.is_some_and(|row| row.values.is_list())
    };
    let given: Vec<(String, Vec<Raw>)> = table
        .raws(|key| !["name", "kind"].contains(&key))
        .into_iter()
        .map(|(key, raw)| {
            let values = sweep(raw, takes_list(&key));
            (key, values)
        })
        .collect();
    if let Some((key, _)) = given.iter().find(|(_, values)| values.is_empty()) {
        table.note_at(key, format!("{key} is an empty list; expected a value or a list of values"));
        return Vec::new();
    }
    let combinations = given.iter().fold(1_usize, |product, (_, values)| product.saturating_mul(values.len()));
    if combinations > MAX_PLAYERS {
        table.note(too_many(combinations));
        return Vec::new();
    }
    (0..combinations)
        .filter_map(|combination| {
            let mut left = combination;
            let mut parameters: Vec<(String, Raw)> = Vec::new();
            // The last list varies fastest.
            for (key, values) in given.iter().rev() {
                parameters.push((key.clone(), values[left % values.len()].clone()));
                left /= values.len();
            }
            parameters.reverse();
            let spec = Spec::resolve(domain, kind, &parameters, preset)
                .map_err(|errors| match elsewhere(domain, |game| game.kinds().iter().any(|known| known.name == kind)) {
                    Some(games) if known.is_none() => {
                        table.note_at("kind", format!("{kind} does not play {}; it plays {games}", domain.name()));
                    }
                    _ => table.note_all("kind", errors),
                })
                .ok()?;
            let row_of = |key: &str| spec.parameters().rows().find(|(row, _)| row.is_called(key));
            let listed = given.iter().filter(|(_, values)| values.len() > 1);
            let varied: Vec<(&Parameter, &Value)> = listed.filter_map(|(key, _)| row_of(key)).collect();
            let name = match name {
                Some(name) => {
                    name_of(name, spec.parameters(), &varied).map_err(|problem| table.note_at("name", problem)).ok()?
                }
                None => spec.default_name(),
            };
            Some((name, spec))
        })
        .collect()
}

/// A player's name: `{key}` in it stands for the value of that parameter. Values that distinguish the players of one
/// table follow the name unless they stand in it.
fn name_of(name: &str, parameters: &Filled, varied: &[(&Parameter, &Value)]) -> Result<String, String> {
    let mut parts = name.split('{');
    let mut filled = parts.next().unwrap_or_default().to_owned();
    let mut named: Vec<&str> = Vec::new();
    for part in parts {
        let is_key = |key: &str| {
            !key.is_empty() && key.chars().all(|letter| letter.is_ascii_lowercase() || "_0123456789".contains(letter))
        };
        let Some((key, rest)) = part.split_once('}').filter(|(key, _)| is_key(key)) else {
            filled.push('{');
            filled.push_str(part);
            continue;
        };
        let Some((row, value)) = parameters.rows().find(|(row, _)| row.is_called(key)) else {
            let near = suggest::nearest(key, parameters.rows().map(|(row, _)| row.name));
            let hint = near.map_or_else(String::new, |near| format!("; did you mean {{{near}}}?"));
            return Err(format!("{{{key}}} is not a parameter of this kind of player{hint}"));
        };
        named.push(row.name);
        filled.push_str(&format!("{value}{rest}"));
    }
    for (row, value) in varied.iter().filter(|(row, _)| !named.contains(&row.name)) {
        filled.push_str(&format!(" {}={value}", row.name));
    }
    Ok(filled)
}

/// The other games of which something holds, as a list; none if there are none.
pub(super) fn elsewhere(game: &dyn AnyDomain, holds: impl Fn(&dyn AnyDomain) -> bool) -> Option<String> {
    let games = registry::games();
    let others = games.iter().filter(|other| other.name() != game.name() && holds(**other));
    let names: Vec<&str> = others.map(|other| other.name()).collect();
    (!names.is_empty()).then(|| names.join(", "))
}

fn check_name(name: &str) -> Result<(), String> {
    let length = name.chars().count();
    if length == 0 || length > MAX_NAME {
        let hint = if length > 0 { "; name = \"…\" gives it a short one" } else { "" };
        return Err(format!("a player's name has 1 to {MAX_NAME} characters, found {length}{hint}"));
    }
    match name.chars().find(|letter| letter.is_control()) {
        Some(letter) => Err(format!("a player's name has no control characters, found {letter:?}")),
        None => Ok(()),
    }
}

#[cfg(test)]
mod tests {
    use super::name_of;
    use evouct_base::parameter::Preset;
    use evouct_platform::domain::Spec;

    #[test]
    fn values_stand_in_a_name_or_follow_it() {
        let spec =
            Spec::parse(evouct_carcassonne::add(), "mcts:iterations=50,k=0.5,final=visits", Preset::Text).unwrap();
        let row = |name: &str| spec.parameters().rows().find(|(row, _)| row.name == name).unwrap();
        let varied = [row("k"), row("final")];
        let name = |text| name_of(text, spec.parameters(), &varied);
        assert_eq!(name("UCT").unwrap(), "UCT k=0.5 final=visits");
        assert_eq!(name("UCT {k} ({iterations})").unwrap(), "UCT 0.5 (50) final=visits");
        assert_eq!(name("{final}, K = {k}").unwrap(), "visits, K = 0.5");
        assert_eq!(name("a {b c} {} {").unwrap(), "a {b c} {} { k=0.5 final=visits");
        assert_eq!(
            name("{iteration}").unwrap_err(),
            "{iteration} is not a parameter of this kind of player; did you mean {iterations}?"
        );
    }
}
