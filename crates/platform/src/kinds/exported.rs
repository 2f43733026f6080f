//! An evolved formula as a player that anyone can run: with the protections and the constant that it was evolved with.

use crate::domain::{AnyKinds, Spec};
use evouct_base::parameter::{Parameter, ParameterError, ParameterType, Preset, Raw, Value};
use evouct_gp::Tree;
use evouct_search::evolve::SeedConstant;

/// The kind of player that selects with a given formula.
const KIND: &str = "formula";

/// A `formula` player of this game that selects with a formula as the evolving player `spec` does between evolutions: the same
/// protection of ln, the same values of `c`, and the same tree, playouts and limits.
///
/// # Errors
/// If the game has no kind `formula`, or the kind refuses the parameters.
pub fn formula_player(game: &dyn AnyKinds, spec: &Spec, formula: &Tree) -> Result<Spec, Vec<ParameterError>> {
    let kinds = game.kinds();
    let table = kinds.iter().find(|kind| kind.name == KIND).map_or(&[][..], |kind| kind.table);
    let mut given = vec![("formula".to_owned(), Raw::Text(formula.infix()))];
    if let Some(constant) = spec.parameter::<SeedConstant>() {
        given.push(("c".to_owned(), Raw::Text(constant.to_value().to_string())));
    }
    for (row, value) in spec.parameters().rows().filter(|(_, value)| **value != Value::Unset) {
        let own = table.iter().find(|own| own.name == row.name && own.values == row.values);
        if own.is_some_and(|own| own.text != *value) {
            given.push((row.name.to_owned(), Raw::Text(value.to_string())));
        }
    }
    Spec::resolve(game, KIND, &given, Preset::Text)
}

/// The parameters of a player that must be written so that it is the same under either preset.
fn written(spec: &Spec) -> impl Iterator<Item = (&'static Parameter, &Value)> {
    let holds = |row: &Parameter| {
        let found = |name: &str| spec.parameters().rows().find(|(other, _)| other.name == name).map(|(_, value)| value);
        row.only.is_none_or(|condition| {
            found(condition.parameter).is_some_and(|value| value.to_string() == condition.value)
        })
    };
    spec.parameters().rows().filter(move |(row, value)| {
        **value != Value::Unset && (row.text != **value || row.reference != **value) && holds(row)
    })
}

/// A player as commands take it, `kind:key=value,key=value`, the same under either preset.
pub fn player_text(spec: &Spec) -> String {
    let parameters: Vec<String> = written(spec).map(|(row, value)| format!("{}={value}", row.name)).collect();
    format!("{}:{}", spec.kind().name, parameters.join(","))
}

/// A player as a table of an experiment file, the same under either preset.
pub fn player_toml(spec: &Spec, name: &str) -> String {
    // A text is written alike in JSON and in TOML.
    let quoted = |text: &str| serde_json::Value::from(text).to_string();
    let mut text = format!("[[player]]\nname = {}\nkind = {}\n", quoted(name), quoted(spec.kind().name));
    for (row, value) in written(spec) {
        text.push_str(&format!("{} = {}\n", row.name, value.toml()));
    }
    text
}
