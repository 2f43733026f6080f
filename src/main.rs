//! The program: see `evouct --help`.

#![forbid(unsafe_code)]

use std::process::ExitCode;

fn main() -> ExitCode {
    evouct::cli::main()
}
