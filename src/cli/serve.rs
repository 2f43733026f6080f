//! `evouct serve`: the report of a run as a live page, and the list of all runs.

use super::Outcome;
use crate::error::Failure;
use crate::report::Document;
use crate::serve::{ServeError, serve};
use crate::store::{FolderKind, RecordError};
use crate::tune::{TuneError, compare_tunings, documents, ended};
use clap::Args;
use std::io::Write;
use std::net::{IpAddr, Ipv4Addr, SocketAddr};
use std::path::PathBuf;

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

/// The page of a tuning that is complete, or of several that are compared; none of other folders.
fn tuning(folders: &[PathBuf]) -> Result<Option<Vec<Document>>, RecordError> {
    let [folder] = folders else {
        let is_tuning = FolderKind::of(&folders[0]) == Some(FolderKind::Tuning);
        let page = is_tuning.then(|| compare_tunings(folders)).transpose()?;
        return Ok(page.map(|compared| vec![("report.html".to_owned(), compared.page().into_bytes())]));
    };
    let failed = |error: TuneError| RecordError::folder(folder, error.to_string());
    let Some((tuning, outcome)) = ended(folder)? else { return Ok(None) };
    documents(&tuning, &outcome).map(Some).map_err(failed)
}
