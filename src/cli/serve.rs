//! `evouct serve`: the report of a run as a live page.

use super::Outcome;
use clap::Args;
use evouct::error::Failure;
use evouct::serve::{ServeError, serve};
use std::io::Write;
use std::net::{IpAddr, Ipv4Addr, SocketAddr};
use std::path::PathBuf;

#[derive(Args)]
pub(super) struct Arguments {
    /// The run folder
    folder: PathBuf,
    /// The address to listen on; anything but the loopback shows the report to others
    #[arg(long, value_name = "ADDRESS", default_value_t = IpAddr::V4(Ipv4Addr::LOCALHOST))]
    bind: IpAddr,
    /// The port; 0 takes one that is free
    #[arg(long, value_name = "N", default_value_t = 8017)]
    port: u16,
}

pub(super) fn run(arguments: &Arguments, out: &mut dyn Write) -> Outcome {
    // Nothing is lost where it ends: there is nothing to tidy up, and no error.
    for signal in [signal_hook::consts::SIGINT, signal_hook::consts::SIGTERM] {
        let always = std::sync::Arc::new(std::sync::atomic::AtomicBool::new(true));
        if let Err(error) = signal_hook::flag::register_conditional_shutdown(signal, 0, always) {
            tracing::warn!("signal {signal} will not be caught: {error}");
        }
    }
    let served = serve(&arguments.folder, SocketAddr::new(arguments.bind, arguments.port), |address| {
        writeln!(out, "http://{address}/ shows {}; Ctrl-C ends it", arguments.folder.display())?;
        out.flush()
    });
    served.map_err(|error| match error {
        ServeError::Record(_) | ServeError::Address { .. } => Failure::usage(error),
        ServeError::System(_) => Failure::failed(error),
    })
}
