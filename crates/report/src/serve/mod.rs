//! A run's report as a live page, or a list of all runs: read-only, from memory, by HTTP.
//!
//! A client can request the files of a report by their exact names; the path of a request is never used as a path of a
//! file. The report is rebuilt in the background when the journals have grown, never by a request, so that no client
//! can cause work. Each connection serves one short request, and every step has a time limit.

pub mod access;
mod answer;
mod connection;
mod gallery;
mod gallery_page;
pub mod http;
mod row;
mod served;
mod store;

use access::Access;
pub use connection::Offline;
use connection::converse;
use evouct_base::stack::STACK;
use served::Served;
use std::io;
use std::net::SocketAddr;
use std::path::Path;
use std::sync::Arc;
use std::time::Duration;
pub use store::{Documents, ServeError};

/// Interval between checks of the journals, and between looks whether somebody waits for a page.
const PAUSE: Duration = Duration::from_secs(3);
const WAIT: Duration = Duration::from_millis(100);

/// Serves the report of a run folder, or a list of all runs in a folder with the report of each, until the process ends:
/// to those who know the secret in its address, or to anyone who can reach it if `is_open`. `documents` makes the page of
/// a folder that this crate does not know. `ready` is called with the address for a browser once the server listens.
///
/// # Errors
/// If the folder is no run folder and holds none, or the server cannot listen at the address.
pub fn serve(
    folder: &Path,
    address: SocketAddr,
    is_open: bool,
    documents: Documents,
    ready: impl FnOnce(&str) -> io::Result<()>,
) -> Result<(), ServeError> {
    let served = Arc::new(Served::open(folder, documents)?);
    let runtime = tokio::runtime::Builder::new_current_thread()
        .thread_stack_size(STACK)
        .enable_all()
        .build()
        .map_err(ServeError::System)?;
    runtime.block_on(async {
        let (listener, address) = http::listen(address).await?;
        let access = Arc::new(Access::new(address, is_open).map_err(ServeError::System)?);
        ready(access.url()).map_err(ServeError::System)?;
        tokio::spawn(keep_fresh(Arc::clone(&served)));
        let converse = |stream, asked| {
            let (access, served) = (Arc::clone(&access), Arc::clone(&served));
            async move { converse(stream, &access, &asked, &served).await }
        };
        http::accept(&listener, converse).await
    })
}

async fn keep_fresh(served: Arc<Served>) {
    loop {
        for _ in 0..PAUSE.as_millis() / WAIT.as_millis() {
            tokio::time::sleep(WAIT).await;
            if served.is_awaited() {
                break;
            }
        }
        let served = Arc::clone(&served);
        // Rebuilding takes a while; the server answers requests meanwhile.
        let made = tokio::task::spawn_blocking(move || served.refresh()).await;
        if let Ok(Err(error)) = made {
            tracing::warn!("the report was not rebuilt: {error}");
        }
    }
}
