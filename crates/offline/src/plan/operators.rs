//! The operators of variation of an evolution, with their weights.

use evouct_base::parameter::{Filled, ParameterType};
use evouct_gp::{Fade, Grow, Operator, Prune, Toggle, Variation};
use evouct_league::config::PythonNeeds;
use evouct_league::config::reader::TomlTable;
use std::sync::{Arc, PoisonError, RwLock};

static ADDED: RwLock<Vec<Arc<dyn Operator>>> = RwLock::new(Vec::new());

/// Adds an operator whose name is a new key.
pub(crate) fn add(operator: Arc<dyn Operator>) {
    ADDED.write().unwrap_or_else(PoisonError::into_inner).push(operator);
}

/// The operators that were added.
pub(crate) fn added() -> Vec<Arc<dyn Operator>> {
    ADDED.read().unwrap_or_else(PoisonError::into_inner).clone()
}

/// The operators with the weights that `[evolve]` gives them, those of Python with their own unless it gives one: formulas
/// are toggled where there are several slots.
pub(crate) fn operators(
    evolve: &TomlTable,
    keys: &Filled,
    slots: usize,
    python: &PythonNeeds,
) -> Vec<(Arc<dyn Operator>, f64)> {
    let weighted = |own: Arc<dyn Operator>| {
        let key = keys.rows().find(|(row, _)| row.name == own.name() && (slots > 1 || row.name != Toggle.name()));
        let usual = (python.has(own.name()) && !evolve.has(own.name())).then(|| own.weight());
        let weight = usual.or_else(|| f64::from_value(key?.1)).unwrap_or_default();
        (own, weight)
    };
    let further: [Arc<dyn Operator>; 3] = [Arc::new(Grow), Arc::new(Prune), Arc::new(Fade)];
    let further = further.into_iter().chain(added()).map(weighted);
    let mut operators: Vec<(Arc<dyn Operator>, f64)> = Variation::operators().into_iter().map(weighted).collect();
    // Without a weight they are not part of the evolution.
    operators.extend(further.filter(|(_, weight)| *weight > 0.0));
    if operators.iter().all(|(_, weight)| *weight == 0.0) {
        evolve.note("the weights of all operators are 0; expected at least one above 0");
    }
    operators
}
