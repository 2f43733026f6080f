//! The program `evouct` inside Python.

use pyo3::prelude::*;
use std::ffi::OsString;
use std::path::PathBuf;

/// Runs the program with arguments, and returns its exit code. `program` is what starts it again. Call it once per
/// process, and end the process with the code at once.
#[pyfunction]
pub fn main(py: Python<'_>, program: PathBuf, arguments: Vec<OsString>) -> u8 {
    py.detach(|| evouct::cli::main_within(program, arguments))
}
