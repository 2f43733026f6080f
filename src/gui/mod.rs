//! Playing and analysing in the browser: one table on this machine, shown by all windows.
//!
//! The server holds the game: its seed, rules, players and the list of moves. A page shows what the server draws and
//! asks for changes by POST, each from the version that it shows, so that two windows cannot overwrite one another.
//! Rules and legal moves are the game's: a page chooses among the actions that the [scene](crate::domain::Scene) of the
//! position lists. Two threads work on the table: one makes the moves of players, one searches for the analysis;
//! windows see both through a stream of events.
//!
//! The server listens on the loopback only. Its paths begin with a secret of the session, and Host and Origin must be
//! its own.

mod analysis;
mod analyst;
mod answer;
mod archive;
mod events;
mod game;
mod inner;
mod levels;
mod page;
mod players;
mod request;
mod seats;
mod state;
mod stop;
mod table;

pub use levels::{Level, levels, player_of};

use crate::parameter::Preset;
use crate::registry;
use crate::serve::access::Access;
use crate::serve::{ServeError, http};
use crate::stack::{self, STACK};
use answer::{Server, answer};
use game::Game;
use hyper::service::service_fn;
use hyper_util::rt::TokioIo;
use request::NewGame;
use std::collections::BTreeMap;
use std::convert::Infallible;
use std::io;
use std::net::{Ipv4Addr, SocketAddr};
use std::path::PathBuf;
use std::sync::Arc;
use table::Table;

/// What the table begins with.
#[derive(Clone, Debug)]
pub struct GuiOptions {
    /// The game.
    pub game: String,
    /// The seed of the first game.
    pub seed: u64,
    /// Options of the rules: key and value.
    pub rules: BTreeMap<String, String>,
    /// The preset of players.
    pub preset: Preset,
    /// Players with names of their own: name, and kind with parameters. The page offers them, other programs among
    /// them.
    pub players: Vec<(String, String)>,
    /// A run whose games can be shown; its first game lies on the table then.
    pub run: Option<PathBuf>,
    /// The folder in which games are saved, each in a folder of its own.
    pub folder: PathBuf,
}

/// Why there is no table.
#[derive(Debug, thiserror::Error)]
pub enum GuiError {
    /// The game, its rules or its players are wrong.
    #[error("{0}")]
    Beginning(String),
    /// The server cannot serve.
    #[error(transparent)]
    Serve(#[from] ServeError),
}

impl GuiOptions {
    fn table(self) -> Result<Table, GuiError> {
        let game = registry::game(&self.game).map_err(GuiError::Beginning)?;
        let first = match &self.run {
            Some(run) => {
                archive::check(run).map_err(ServeError::Record)?;
                archive::load(run, None)
            }
            None => {
                let seats = seats::first(game, &self.rules, &self.players);
                let first = NewGame { game: self.game.clone(), seed: self.seed, rules: self.rules.clone(), seats };
                first.experiment(self.preset).and_then(|experiment| Game::start(experiment, 0))
            }
        };
        let first = first.map_err(GuiError::Beginning)?;
        Ok(Table::new(first, self.preset, self.players, self.run, self.folder))
    }
}

/// Serves a table on the loopback until the process ends: to those who know the secret in its address, or to all users
/// of the machine if `is_open`. `ready` is called with the address for a browser once the server listens.
///
/// # Errors
/// If the game cannot begin, or the server cannot listen on the port.
pub fn gui(
    beginning: GuiOptions,
    port: u16,
    is_open: bool,
    ready: impl FnOnce(&str) -> io::Result<()>,
) -> Result<(), GuiError> {
    let table = Arc::new(beginning.table()?);
    let runtime = tokio::runtime::Builder::new_current_thread()
        .thread_stack_size(STACK)
        .enable_all()
        .build()
        .map_err(ServeError::System)?;
    runtime.block_on(async {
        let (listener, address) = http::listen(SocketAddr::from((Ipv4Addr::LOCALHOST, port))).await?;
        for work in [players::run, analyst::run] {
            let table = Arc::clone(&table);
            stack::thread("table").spawn(move || work(&table)).map_err(ServeError::System)?;
        }
        let access = Access::new(address, is_open).map_err(ServeError::System)?;
        ready(access.url()).map_err(ServeError::System)?;
        let server = Arc::new(Server { table, access });
        let converse = |stream, asked: http::Asked| {
            let server = Arc::clone(&server);
            async move {
                let service = service_fn(|request| {
                    asked.set();
                    let server = Arc::clone(&server);
                    async move { Ok::<_, Infallible>(answer(request, &server).await) }
                });
                // A window that is closed must be noticed while it is sent events.
                let connection = http::one_request().half_close(false).serve_connection(TokioIo::new(stream), service);
                if let Err(error) = connection.await {
                    tracing::debug!("a connection ended early: {error}");
                }
            }
        };
        Ok(http::accept(&listener, converse).await?)
    })
}
