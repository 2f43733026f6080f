//! What servers on this machine have in common: limits of connections, headers of answers.

use super::store::ServeError;
use http_body_util::Full;
use hyper::body::Bytes;
use hyper::header::{CACHE_CONTROL, CONTENT_TYPE, HeaderValue, X_CONTENT_TYPE_OPTIONS};
use hyper::server::conn::http1;
use hyper::{Response, StatusCode};
use hyper_util::rt::TokioTimer;
use std::io;
use std::net::SocketAddr;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::Semaphore;
use tokio::task::AbortHandle;

/// The largest head of a request, in bytes.
const HEAD: usize = 16 << 10;
/// Time limit for the head of a request.
const HEAD_TIME: Duration = Duration::from_secs(5);
/// The largest number of open connections. One more takes the place of the oldest that has asked for nothing yet; if
/// all have asked, it waits.
const CONNECTIONS: usize = 64;

/// A connection that serves one request with these limits.
pub fn one_request() -> http1::Builder {
    let mut builder = http1::Builder::new();
    builder
        .keep_alive(false)
        // A client may close its side once it has asked.
        .half_close(true)
        .max_buf_size(HEAD)
        .timer(TokioTimer::new())
        .header_read_timeout(HEAD_TIME);
    builder
}

/// Listens at an address.
pub async fn listen(address: SocketAddr) -> Result<(TcpListener, SocketAddr), ServeError> {
    let failed = |error| ServeError::Address { address, error };
    let listener = TcpListener::bind(address).await.map_err(failed)?;
    let address = listener.local_addr().map_err(failed)?;
    Ok((listener, address))
}

/// Whether a connection has asked for something. Until then it is idle.
#[derive(Clone, Default)]
pub struct Asked(Arc<AtomicBool>);

impl Asked {
    /// Its request has come.
    pub fn set(&self) {
        self.0.store(true, Ordering::Relaxed);
    }

    fn is_set(&self) -> bool {
        self.0.load(Ordering::Relaxed)
    }
}

/// Serves every connection by `converse`, for ever.
pub async fn accept<Conversation>(
    listener: &TcpListener,
    converse: impl Fn(TcpStream, Asked) -> Conversation,
) -> Result<(), ServeError>
where
    Conversation: Future<Output = ()> + Send + 'static,
{
    let free = Arc::new(Semaphore::new(CONNECTIONS));
    // Connections in the order in which they came.
    let mut open: Vec<(Asked, AbortHandle)> = Vec::new();
    loop {
        let stream = match listener.accept().await {
            Ok((stream, _)) => stream,
            Err(error) => {
                // Out of file descriptors, or the client closed the connection: later connections may succeed.
                tracing::debug!("a connection failed: {error}");
                tokio::time::sleep(Duration::from_millis(50)).await;
                continue;
            }
        };
        open.retain(|(_, connection)| !connection.is_finished());
        if free.available_permits() == 0
            && let Some(idle) = open.iter().position(|(asked, _)| !asked.is_set())
        {
            open.remove(idle).1.abort();
        }
        let place =
            Arc::clone(&free).acquire_owned().await.map_err(|error| ServeError::System(io::Error::other(error)))?;
        let asked = Asked::default();
        let conversation = converse(stream, asked.clone());
        let connection = tokio::spawn(async move {
            conversation.await;
            drop(place);
        });
        open.push((asked, connection.abort_handle()));
    }
}

/// A refusal in one line.
pub fn refuse(status: StatusCode, why: &str) -> Response<Full<Bytes>> {
    with_type(status, "text/plain; charset=utf-8", Bytes::from(format!("{why}\n")))
}

/// A body of this media type that no cache keeps.
pub fn with_type(status: StatusCode, media_type: &'static str, body: Bytes) -> Response<Full<Bytes>> {
    let mut response = Response::new(Full::new(body));
    *response.status_mut() = status;
    let headers = response.headers_mut();
    headers.insert(CONTENT_TYPE, HeaderValue::from_static(media_type));
    headers.insert(X_CONTENT_TYPE_OPTIONS, HeaderValue::from_static("nosniff"));
    headers.insert(CACHE_CONTROL, HeaderValue::from_static("no-store"));
    response
}
