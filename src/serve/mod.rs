//! A run's report as a live page: read-only, from memory, by HTTP.
//!
//! A client can request the files of a report by their exact names; the path of a request is never used as a path of a file.
//! The report is rebuilt in the background when the journals have grown, never by a request, so that no client can cause
//! work. Each connection serves one short request, and every step has a time limit.

mod answer;
mod connection;
mod store;

pub use connection::Offline;
use connection::converse;
use std::io;
use std::net::SocketAddr;
use std::path::Path;
use std::sync::Arc;
use std::time::Duration;
pub use store::ServeError;
use store::Store;
use tokio::net::TcpListener;
use tokio::sync::Semaphore;

/// The largest number of open connections; more wait.
const CONNECTIONS: usize = 64;
/// Interval between checks of the journals.
const PAUSE: Duration = Duration::from_secs(3);

/// Serves the report of a run folder until the process ends. `ready` is called with the address once the server listens.
///
/// # Errors
/// If the folder is no run folder, or the server cannot listen at the address.
pub fn serve(
    folder: &Path,
    address: SocketAddr,
    ready: impl FnOnce(SocketAddr) -> io::Result<()>,
) -> Result<(), ServeError> {
    let store = Arc::new(Store::open(folder)?);
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().map_err(ServeError::System)?;
    runtime.block_on(async {
        let failed = |error| ServeError::Address { address, error };
        let listener = TcpListener::bind(address).await.map_err(failed)?;
        let address = listener.local_addr().map_err(failed)?;
        ready(address).map_err(ServeError::System)?;
        tokio::spawn(keep_fresh(Arc::clone(&store)));
        accept(&listener, address, &store).await
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

async fn accept(listener: &TcpListener, address: SocketAddr, store: &Arc<Store>) -> Result<(), ServeError> {
    let free = Arc::new(Semaphore::new(CONNECTIONS));
    loop {
        let place =
            Arc::clone(&free).acquire_owned().await.map_err(|error| ServeError::System(io::Error::other(error)))?;
        let stream = match listener.accept().await {
            Ok((stream, _)) => stream,
            Err(error) => {
                // Out of file descriptors, or the client closed the connection: later connections may succeed.
                tracing::debug!("a connection failed: {error}");
                tokio::time::sleep(Duration::from_millis(50)).await;
                continue;
            }
        };
        let store = Arc::clone(store);
        tokio::spawn(async move {
            converse(stream, address, &store).await;
            drop(place);
        });
    }
}
