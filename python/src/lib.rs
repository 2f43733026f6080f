//! The native part of the Python package `evouct`.

mod arrays;
mod ask_tell;
mod callables;
mod errors;
mod formula;
mod games;
mod numbers;
mod player;
mod playouts;
mod pool;
mod program;
mod records;
mod rules;
mod runs;
mod search;
mod signals;
mod state;
mod vector;

use pyo3::exceptions::PyImportError;
use pyo3::prelude::*;

/// The native part of the package.
#[pymodule]
mod _native {
    #[pymodule_export]
    use super::ask_tell::{EvolutionCore, MeasurementCore, MeasurerCore};
    #[pymodule_export]
    use super::formula::FormulaCore;
    #[pymodule_export]
    use super::games::{add_game, check_kinds};
    #[pymodule_export]
    use super::player::Player;
    #[pymodule_export]
    use super::pool::{answer_chunk, work};
    #[pymodule_export]
    use super::program::main;
    #[pymodule_export]
    use super::records::{report_table, run_header, run_records, run_tables};
    #[pymodule_export]
    use super::rules::Rules;
    #[pymodule_export]
    use super::runs::{
        bank_contents, evolution_champion, run_bank, run_evolution, run_league, run_scores, run_tuning, source_text,
        tuning_sentence,
    };
    #[pymodule_export]
    use super::search::SearchCore;
    #[pymodule_export]
    use super::state::State;
    #[pymodule_export]
    use super::vector::VectorCore;
    use super::{Bound, PyAnyMethods, PyImportError, PyModule, PyModuleMethods, PyResult};
    use evouct::carcassonne::environment::{feature, global, pair, plane};
    use numpy::{PyArray1, PyArrayMethods};

    #[pymodule_init]
    fn init(module: &Bound<'_, PyModule>) -> PyResult<()> {
        evouct::cpu::check().map_err(PyImportError::new_err)?;
        evouct::registry::add_games();
        super::games::add_family();
        evouct::phrase::speak(super::errors::words);
        // The tables of NumPy are loaded at their first use, by an import that a signal such as Ctrl-C would break off.
        // So they are used here, where the caller imports anyway. The program has no arrays and starts without them.
        if !module.py().import("sys")?.getattr("modules")?.contains("evouct.__main__")? {
            if let Some(problem) = evouct::cpu::slower() {
                module.py().import("warnings")?.call_method1("warn", (problem,))?;
            }
            module.py().import("numpy")?;
            drop(PyArray1::<u8>::zeros(module.py(), 1, false).try_readwrite());
        }
        module.add("__version__", env!("CARGO_PKG_VERSION"))?;
        let planes = [
            ("tile", plane::TILE),
            ("city", plane::CITY),
            ("road", plane::ROAD),
            ("river", plane::RIVER),
            ("pennants", plane::PENNANTS),
            ("monastery", plane::MONASTERY),
            ("garden", plane::GARDEN),
            ("city_joined", plane::CITY_JOINED),
            ("road_joined", plane::ROAD_JOINED),
            ("field", plane::FIELD),
            ("slot", plane::SLOT),
            ("owner", plane::OWNER),
            ("big", plane::BIG),
            ("abbot", plane::ABBOT),
            ("legal", plane::LEGAL),
            ("last", plane::LAST),
        ];
        module.add("PLANES", planes.to_vec())?;
        let features = [
            ("size", feature::SIZE),
            ("open", feature::OPEN),
            ("own", feature::OWN),
            ("other", feature::OTHER),
            ("around", feature::AROUND),
        ];
        module.add("FEATURES", features.to_vec())?;
        let pairs = [
            ("city", pair::CITY),
            ("road", pair::ROAD),
            ("river", pair::RIVER),
            ("field", pair::FIELD),
            ("monastery", pair::MONASTERY),
            ("garden", pair::GARDEN),
            ("pennants", pair::PENNANTS),
            ("cathedral", pair::CATHEDRAL),
            ("inn", pair::INN),
            ("figures", pair::FIGURES),
        ];
        module.add("PAIRS", pairs.to_vec())?;
        let globals = [
            ("phase", global::PHASE),
            ("hand", global::HAND),
            ("last_x", global::LAST_X),
            ("last_y", global::LAST_Y),
            ("rotation", global::ROTATION),
            ("tiles_left", global::TILES_LEFT),
            ("to_act", global::TO_ACT),
            ("kinds", global::KINDS),
        ];
        module.add("GLOBALS", globals.to_vec())
    }
}
