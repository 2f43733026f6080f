//! A run's report as a live page: read-only, from memory, by HTTP.
//!
//! A client can request the files of a report by their exact names; the path of a request is never used as a path of a
//! file. The report is rebuilt in the background when the journals have grown, never by a request, so that no client
//! can cause work. Each connection serves one short request, and every step has a time limit.

pub mod access;
mod answer;
mod connection;
pub mod http;
mod store;

use access::Access;
pub use connection::Offline;
use connection::converse;
use evouct_base::stack::STACK;
use std::io;
use std::net::SocketAddr;
use std::path::Path;
use std::sync::Arc;
use std::time::Duration;
pub use store::ServeError;
use store::Store;

/// Interval between checks of the journals.
const PAUSE: Duration = Duration::from_secs(3);

/// Serves the report of a run folder until the process ends: to those who know the secret in its address, or to anyone
/// who can reach it if `is_open`. `ready` is called with the address for a browser once the server listens.
///
/// # Errors
/// If the folder is no run folder, or the server cannot listen at the address.
pub fn serve(
    folder: &Path,
    address: SocketAddr,
    is_open: bool,
    ready: impl FnOnce(&str) -> io::Result<()>,
) -> Result<(), ServeError> {
    let store = Arc::new(Store::open(folder)?);
    let runtime = tokio::runtime::Builder::new_current_thread()
        .thread_stack_size(STACK)
        .enable_all()
        .build()
        .map_err(ServeError::System)?;
    runtime.block_on(async {
        let (listener, address) = http::listen(address).await?;
        let access = Arc::new(Access::new(address, is_open).map_err(ServeError::System)?);
        ready(access.url()).map_err(ServeError::System)?;
        tokio::spawn(keep_fresh(Arc::clone(&store)));
        let converse = |stream, asked| {
            let (access, store) = (Arc::clone(&access), Arc::clone(&store));
            async move { converse(stream, &access, &asked, &store).await }
        };
        http::accept(&listener, converse).await
    })
}

async fn keep_fresh(store: Arc<Store>) {
    loop {
        tokio::time::sleep(PAUSE).await;
        let store = Arc::clone(&store);
        // Rebuilding takes a while; the server answers requests meanwhile.
        let made = tokio::task::spawn_blocking(move || store.refresh()).await;
        if let Ok(Err(error)) = made {
            tracing::warn!("the report was not rebuilt: {error}");
        }
    }
}
