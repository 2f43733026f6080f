//! `evouct serve`: the report of a run as a live page, and the list of all runs.

use super::Outcome;
use crate::error::Failure;
use crate::plural::counted;
use crate::report::Document;
use crate::serve::{ServeError, serve};
use crate::store::RecordError;
use crate::tune::{TuneError, Tuning, documents};
use clap::Args;
use std::io::Write;
use std::net::{IpAddr, Ipv4Addr, SocketAddr};
use std::path::{Path, PathBuf};

#[derive(Args)]
pub(super) struct Arguments {
    /// The folder of a run, of a tuning, of an evolution or of evolutions of several seeds, or a folder of such folders: then
    /// a list of them all
    #[arg(value_name = "RUN")]
    folder: PathBuf,
    /// Address to listen on; any address other than the loopback exposes the report to the network
    #[arg(long, value_name = "ADDRESS", default_value_t = IpAddr::V4(Ipv4Addr::LOCALHOST))]
    bind: IpAddr,
    /// Port; 0 picks a free one. From another machine: ssh -L N:localhost:N HOST, then the same address
    #[arg(long, value_name = "N", default_value_t = 8017)]
    port: u16,
    /// Ask for no secret: for a machine that nobody else uses
    #[arg(long)]
    open: bool,
}

pub(super) fn run(arguments: &Arguments, out: &mut dyn Write) -> Outcome {
    super::signals::end_with_success();
    let address = SocketAddr::new(arguments.bind, arguments.port);
    let served = serve(&arguments.folder, address, arguments.open, tuning, |url| {
        writeln!(out, "{url} serves {}; stop with Ctrl-C", arguments.folder.display())?;
        out.flush()
    });
    served.map_err(|error| match error {
        ServeError::Record(_) | ServeError::Address { .. } => Failure::usage(error),
        ServeError::System(_) => Failure::failed(error),
    })
}

/// The page of a tuning that is complete; none of a folder that is no tuning.
fn tuning(folder: &Path) -> Result<Option<Vec<Document>>, RecordError> {
    let failed = |error: TuneError| RecordError::folder(folder, error.to_string());
    let Some(tuning) = Tuning::open(folder).map_err(failed)? else { return Ok(None) };
    let course = tuning.course().map_err(failed)?;
    let outcome = course.outcome.as_ref().ok_or_else(|| {
        let missing = counted(tuning.rounds().games() - course.recorded(), "game");
        RecordError::folder(folder, format!("the tuning is not complete: {missing} missing"))
    })?;
    documents(&tuning, outcome).map(Some).map_err(failed)
}
