//! The file of an evolution in a steady state.

use super::keys::EvolveKeys;
use crate::algorithm::AlgorithmFile;

/// What a steady state cannot have.
pub(crate) fn check_steady_state(AlgorithmFile { file, evolve, keys, .. }: &AlgorithmFile) {
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
    if let Some(proposer) = file.sections("proposer").first() {
        proposer.note("[[proposer]]: a steady state, which has no generation to ask about, has none; leave it out");
    }
    let EvolveKeys { generations, lag, population, islands, .. } = keys;
    let births = population * islands;
    let most = births * (*generations as usize - 1);
    if *generations > 1 && *lag > most {
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
