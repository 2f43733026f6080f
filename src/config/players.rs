//! The players of an experiment: names, sweeps, identities.

use super::reader::{ConfigError, TomlTable};
use crate::carcassonne::Rules;
use crate::player::{Preset, Raw, Spec};
use crate::seed::Identity;
use std::collections::HashMap;

/// The most players of an experiment.
const MAX_PLAYERS: usize = 1_000;
const MAX_NAME: usize = 200;

/// A player of an experiment.
#[derive(Clone, Debug)]
pub struct Contender {
    /// Its name in tables.
    pub name: String,
    /// Kind and parameters.
    pub spec: Spec,
    /// Which of those described alike it is, from 0.
    pub ordinal: u32,
    /// What its random streams derive from.
    pub identity: Identity,
}

/// Reads the `[[player]]` tables.
pub(super) fn contenders(table: &TomlTable, preset: Preset, rules: &Rules) -> Result<Vec<Contender>, ConfigError> {
    let mut contenders: Vec<Contender> = Vec::new();
    let mut alike: HashMap<String, u32> = HashMap::new();
    for player in table.tables("player")? {
        for (name, spec) in specs(&player, preset)? {
            if contenders.len() == MAX_PLAYERS {
                return Err(player.error(format!("an experiment has at most {MAX_PLAYERS} players")));
            }
            if let Err(problem) = check_name(&name) {
                return Err(player.error_at("name", problem));
            }
            if contenders.iter().any(|other| other.name == name) {
                return Err(player.error_at("name", format!("two players are called {name:?}; give each a name")));
            }
            spec.check_rules(rules)
                .map_err(|error| player.error_at(error.key.as_deref().unwrap_or(""), error.problem))?;
            let ordinal = alike.entry(spec.description()).and_modify(|count| *count += 1).or_insert(0);
            let identity = spec.identity(*ordinal);
            contenders.push(Contender { name, identity, ordinal: *ordinal, spec });
        }
    }
    if contenders.len() < 2 {
        return Err(table.error(format!("a league needs at least two players, found {}", contenders.len())));
    }
    let mut short: Vec<String> = contenders.iter().map(|contender| contender.identity.short()).collect();
    short.sort_unstable();
    if short.windows(2).any(|pair| pair[0] == pair[1]) {
        return Err(table.error("two players have the same short identity by chance; change a parameter of one"));
    }
    Ok(contenders)
}

/// The players of one table: one for each combination of the listed values, named after what distinguishes them.
fn specs(table: &TomlTable, preset: Preset) -> Result<Vec<(String, Spec)>, ConfigError> {
    let name = table.text("name")?;
    let kind = table.text("kind")?.ok_or_else(|| table.error("kind is missing; see `evouct players`"))?;
    let given = table.rest()?;
    let combinations: usize = given.iter().map(|(_, values)| values.len()).product();
    if combinations > MAX_PLAYERS {
        return Err(table.error(format!("an experiment has at most {MAX_PLAYERS} players, found {combinations}")));
    }
    let mut specs = Vec::new();
    for combination in 0..combinations {
        let mut left = combination;
        let mut parameters: Vec<(String, Raw)> = Vec::new();
        // The last list varies fastest.
        for (key, values) in given.iter().rev() {
            parameters.push((key.clone(), values[left % values.len()].clone()));
            left /= values.len();
        }
        parameters.reverse();
        let spec = Spec::resolve(kind, &parameters, preset)
            .map_err(|error| table.error_at(error.key.as_deref().unwrap_or("kind"), error.problem))?;
        let varied = given.iter().zip(&parameters).filter(|((_, values), _)| values.len() > 1);
        let varied: Vec<String> = varied.map(|((key, _), _)| format!("{key}={}", spec.value(key))).collect();
        let name = match name {
            Some(name) if varied.is_empty() => name.to_owned(),
            Some(name) => format!("{name} {}", varied.join(" ")),
            None => spec.default_name(),
        };
        specs.push((name, spec));
    }
    Ok(specs)
}

fn check_name(name: &str) -> Result<(), String> {
    let length = name.chars().count();
    if length == 0 || length > MAX_NAME {
        return Err(format!("a player's name has 1 to {MAX_NAME} characters, found {length}"));
    }
    match name.chars().find(|letter| letter.is_control()) {
        Some(letter) => Err(format!("a player's name has no control characters, found {letter:?}")),
        None => Ok(()),
    }
}
