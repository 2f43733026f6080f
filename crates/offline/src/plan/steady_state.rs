//! The file of an evolution in a steady state.

use evouct_league::config::reader::TomlTable;

/// What a steady state cannot have. `births` are those of a generation.
pub(crate) fn check_steady_state(table: &TomlTable, evolve: &TomlTable, (lag, births, generations): (u64, u64, u64)) {
    let refused = [
        ("offspring", "a steady state, which breeds individuals one by one, has none"),
        ("cma_samples", "a steady state has none: constants are searched where generations are barriers"),
        ("semantics", "a steady state has none: equals of a generation are compared where generations are barriers"),
    ];
    for (key, why) in refused {
        if evolve.has(key) {
            evolve.note_at(key, format!("{key}: {why}; leave it out"));
        }
    }
    if let Some(proposer) = table.sections("proposer").first() {
        proposer.note("[[proposer]]: a steady state, which has no generation to ask about, has none; leave it out");
    }
    let most = births * (generations - 1);
    if generations > 1 && lag > most {
        let default = if evolve.has("lag") { "" } else { " (the default)" };
        evolve.note_at(
            "lag",
            format!(
                "lag = {lag}{default} leaves no birth with parents in {generations} generations of {births}; expected at \
                 most {most}"
            ),
        );
    }
}
