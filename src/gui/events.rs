//! The stream of events of a window: what has changed, as soon as it has.

use super::state;
use super::table::{News, Table};
use hyper::body::{Body, Bytes, Frame};
use std::convert::Infallible;
use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll};
use std::time::Duration;
use tokio::sync::mpsc::{Receiver, Sender, channel};

/// Events on their way to a window; a window that reads more slowly misses those between.
const WAITING: usize = 4;
/// The interval of the lines by which a closed window is noticed.
const BEAT: Duration = Duration::from_secs(2);

/// A window that reads nothing for so long is closed.
const SLOW: Duration = Duration::from_secs(20);

/// A body that ends when the window is closed.
pub(super) struct Events(Receiver<Bytes>);

impl Events {
    /// The events of a new window; none if too many are open. Must be called within the runtime.
    pub(super) fn open(table: &Arc<Table>) -> Option<Events> {
        let window = Window::open(table)?;
        let (sender, receiver) = channel(WAITING);
        tokio::spawn(send(window, sender));
        Some(Events(receiver))
    }
}

impl Body for Events {
    type Data = Bytes;
    type Error = Infallible;

    fn poll_frame(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Bytes>, Infallible>>> {
        self.0.poll_recv(context).map(|bytes| bytes.map(|bytes| Ok(Frame::data(bytes))))
    }
}

/// An open window; it is closed when this is dropped.
struct Window(Arc<Table>);

impl Window {
    fn open(table: &Arc<Table>) -> Option<Window> {
        table.open_window().then(|| Window(Arc::clone(table)))
    }
}

impl Drop for Window {
    fn drop(&mut self) {
        self.0.close_window();
    }
}

async fn send(window: Window, sender: Sender<Bytes>) {
    let table = &window.0;
    let mut news = table.news.subscribe();
    let mut told = News::default();
    let mut is_first = true;
    loop {
        let now = *news.borrow_and_update();
        let event = if is_first || now.state != told.state {
            Some(("state", state::state(&table.look())))
        } else if now.analysis != told.analysis {
            Some(("analysis", state::analysis(&table.look())))
        } else {
            None
        };
        (told, is_first) = (now, false);
        if let Some((name, data)) = event {
            let text = format!("event: {name}\ndata: {data}\n\n");
            if sender.send_timeout(Bytes::from(text), SLOW).await.is_err() {
                return;
            }
        }
        let beat = tokio::time::timeout(BEAT, news.changed()).await;
        table.rest();
        match beat {
            Ok(Ok(())) => {}
            Ok(Err(_)) => return,
            Err(_) => {
                if sender.send_timeout(Bytes::from_static(b": \n\n"), SLOW).await.is_err() {
                    return;
                }
            }
        }
    }
}
