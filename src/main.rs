//! The program: see `evouct --help`.

#![forbid(unsafe_code)]

mod cli;

use std::process::ExitCode;

fn main() -> ExitCode {
    if let Err(line) = evouct::cpu::check() {
        eprintln!("{line}");
        return ExitCode::from(2);
    }
    cli::main()
}
