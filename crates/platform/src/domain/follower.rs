//! A player that follows a game whose moves come from elsewhere, such as over the line protocol.

use super::contract::Domain;
use super::kind::Kind;
use super::moves::{guarded, legal_steps};
use super::spec::Spec;
use super::time_left::TimeLeft;
use evouct_base::parameter::{Parameters, Value};
use evouct_base::seed::{Key, search_rng};
use evouct_search::game::{Deck, Game, MoveLog, Turn};
use evouct_search::player::{Player, PlayerView};
use evouct_search::search::Clock;

/// A position of a game that is played elsewhere, and the player of one of its seats, without their types.
pub trait AnyFollower {
    /// Goes to the position after these moves, at which chance decided `drawn` last, if it did.
    ///
    /// # Errors
    /// What is wrong in the notation; the position stays as it was.
    fn go_to(&mut self, moves: &str, drawn: Option<&str>) -> Result<(), String>;

    /// The seat to play; none if the position is chance's, or the game is over.
    fn seat(&self) -> Option<usize>;

    /// Seats a player of this game in place of the last one.
    fn sit(&mut self, player: &Spec, key: Key);

    /// Lets the player that sits decide for the seat to play, and returns its action in notation; none if no player
    /// sits or no seat is to play. The player may panic. It does not see the real order of what is to come. `time` is
    /// what the clock of its seat says, if the game has one.
    fn decide(&mut self, clock: &dyn Clock, time: Option<TimeLeft>) -> Option<String>;
}

/// A player and its key.
type Seated<G> = (Box<dyn Player<G>>, Key);

pub(super) struct Follower<D: Domain> {
    kinds: Vec<&'static Kind<D>>,
    rules: Vec<Value>,
    game: D::Game,
    /// The moves before the position.
    log: MoveLog<D::Game>,
    player: Option<Seated<D::Game>>,
}

impl<D: Domain> Follower<D> {
    /// At the start of a game by these rules.
    pub(super) fn new(kinds: Vec<&'static Kind<D>>, rules: &[Value]) -> Follower<D> {
        let game = D::start(&D::Rules::read(rules));
        Follower { kinds, rules: rules.to_vec(), game, log: MoveLog::default(), player: None }
    }
}

impl<D: Domain> AnyFollower for Follower<D> {
    fn go_to(&mut self, moves: &str, drawn: Option<&str>) -> Result<(), String> {
        (self.game, self.log) = guarded::<D, _>(|| {
            let (rules, steps) = legal_steps::<D>(&self.rules, moves)?;
            let (mut game, mut log) = (D::start(&rules), MoveLog::default());
            for step in &steps {
                step.log(&game, &mut log);
                step.apply(&mut game);
            }
            if let Some(word) = drawn {
                let mut outcomes = Vec::new();
                game.outcomes(&mut outcomes);
                let found = outcomes.iter().find(|(outcome, _)| D::NOTATION.write_outcome(&game, *outcome) == word);
                let (outcome, _) = found.ok_or_else(|| format!("\"{word:.40}\" cannot be drawn here"))?;
                log.draw(*outcome);
                game.apply(*outcome);
            }
            Ok((game, log))
        })?;
        Ok(())
    }

    fn seat(&self) -> Option<usize> {
        match self.game.turn() {
            Turn::Player(seat) if !D::is_over(&self.game) => Some(seat),
            _ => None,
        }
    }

    fn sit(&mut self, player: &Spec, key: Key) {
        let kind = Kind::of(&self.kinds, player.kind());
        self.player = Some((kind.player(player.values(), key), key));
    }

    fn decide(&mut self, clock: &dyn Clock, time: Option<TimeLeft>) -> Option<String> {
        self.seat()?;
        let (player, key) = self.player.as_mut()?;
        // What is to come is unknown here: any order of it serves a player that does not look at it.
        let deck = <D::Game as Game>::Deck::shuffled(&self.game, &mut search_rng(&mut key.named("deck", 0).stream()));
        let turns_left = D::turns_left(&self.game);
        let limit = time.map(|time| time.share(turns_left));
        let log = Some(&self.log);
        let position = PlayerView { log, turns_left, clock, limit, ..PlayerView::of(&self.game, &deck) };
        let action = player.decide(&position).action;
        Some(D::NOTATION.write_action(&self.game, action))
    }
}
