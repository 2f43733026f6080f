//! What servers on this machine have in common: limits of a connection, whether a Host is theirs, headers of answers.

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
use std::time::Duration;
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::Semaphore;

/// The largest head of a request, in bytes.
const HEAD: usize = 16 << 10;
/// Time limit for the head of a request.
const HEAD_TIME: Duration = Duration::from_secs(5);
/// The largest number of open connections; more wait.
const CONNECTIONS: usize = 64;

/// A connection that serves one request with these limits.
pub(crate) fn one_request() -> http1::Builder {
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
pub(crate) async fn listen(address: SocketAddr) -> Result<(TcpListener, SocketAddr), ServeError> {
    let failed = |error| ServeError::Address { address, error };
    let listener = TcpListener::bind(address).await.map_err(failed)?;
    let address = listener.local_addr().map_err(failed)?;
    Ok((listener, address))
}

/// Serves every connection by `converse`, for ever.
pub(crate) async fn accept<Conversation>(
    listener: &TcpListener,
    converse: impl Fn(TcpStream) -> Conversation,
) -> Result<(), ServeError>
where
    Conversation: Future<Output = ()> + Send + 'static,
{
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
        let conversation = converse(stream);
        tokio::spawn(async move {
            conversation.await;
            drop(place);
        });
    }
}

/// Whether the Host header names this server. This refuses DNS rebinding: another site's name that resolves to the
/// loopback.
pub(crate) fn is_ours(host: Option<&str>, address: SocketAddr) -> bool {
    if !address.ip().is_loopback() {
        return true;
    }
    let name = host.map(|host| host.strip_suffix(&format!(":{}", address.port())).unwrap_or(host));
    name.is_some_and(|name| name == "localhost" || name == "[::1]" || name == address.ip().to_string())
}

/// A refusal in one line.
pub(crate) fn refuse(status: StatusCode, why: &str) -> Response<Full<Bytes>> {
    with_type(status, "text/plain; charset=utf-8", Bytes::from(format!("{why}\n")))
}

/// A body of this media type that no cache keeps.
pub(crate) fn with_type(status: StatusCode, media_type: &'static str, body: Bytes) -> Response<Full<Bytes>> {
    let mut response = Response::new(Full::new(body));
    *response.status_mut() = status;
    let headers = response.headers_mut();
    headers.insert(CONTENT_TYPE, HeaderValue::from_static(media_type));
    headers.insert(X_CONTENT_TYPE_OPTIONS, HeaderValue::from_static("nosniff"));
    headers.insert(CACHE_CONTROL, HeaderValue::from_static("no-store"));
    response
}
