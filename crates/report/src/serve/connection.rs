//! One connection: a request is read, answered, and the connection ends.

use super::access::Access;
use super::answer::answer;
use super::http::{Asked, one_request};
use super::served::Served;
use super::store::ServeError;
use evouct_base::stack::STACK;
use hyper::service::service_fn;
use hyper_util::rt::TokioIo;
use std::convert::Infallible;
use std::net::{Ipv4Addr, SocketAddr};
use std::path::Path;
use std::sync::Arc;
use std::time::Duration;
use tokio::io::{AsyncRead, AsyncReadExt, AsyncWrite, AsyncWriteExt, duplex, split};
use tokio::runtime::{Builder, Runtime};

/// Time limit for a connection, the response included.
const WHOLE_TIME: Duration = Duration::from_secs(60);
/// Bytes on their way between the ends of an offline connection.
const IN_TRANSIT: usize = 64 << 10;

/// Answers one request that comes over a stream.
pub(super) async fn converse(
    stream: impl AsyncRead + AsyncWrite + Unpin,
    access: &Access,
    asked: &Asked,
    served: &Served,
) {
    let service = service_fn(|request| {
        asked.set();
        let answer = answer(&request, access, served);
        async move { Ok::<_, Infallible>(answer) }
    });
    let connection = one_request().serve_connection(TokioIo::new(stream), service);
    if let Ok(Err(error)) = tokio::time::timeout(WHOLE_TIME, connection).await {
        tracing::debug!("a connection ended early: {error}");
    }
}

/// The server without a socket, for tests and fuzzing.
#[doc(hidden)]
pub struct Offline {
    served: Arc<Served>,
    runtime: Runtime,
}

impl Offline {
    /// The server of a run folder.
    ///
    /// # Errors
    /// If the folder is no run folder.
    pub fn open(folder: &Path) -> Result<Offline, ServeError> {
        let runtime =
            Builder::new_current_thread().thread_stack_size(STACK).enable_all().build().map_err(ServeError::System)?;
        Ok(Offline { served: Arc::new(Served::open(folder, |_| Ok(None))?), runtime })
    }

    /// What a client receives that sends these bytes and then closes its side. The server listens at 127.0.0.1:80 and
    /// has no secret.
    pub fn reply(&self, bytes: &[u8]) -> Vec<u8> {
        let access = Access::open(SocketAddr::from((Ipv4Addr::LOCALHOST, 80)));
        self.runtime.block_on(async {
            let (client, server) = duplex(IN_TRANSIT);
            let (mut from_server, mut to_server) = split(client);
            let (served, bytes) = (Arc::clone(&self.served), bytes.to_vec());
            tokio::spawn(async move { converse(server, &access, &Asked::default(), &served).await });
            tokio::spawn(async move {
                // The server may close the connection before it has read everything.
                if to_server.write_all(&bytes).await.is_ok() {
                    drop(to_server.shutdown().await);
                }
            });
            let mut received = Vec::new();
            drop(from_server.read_to_end(&mut received).await);
            received
        })
    }
}
