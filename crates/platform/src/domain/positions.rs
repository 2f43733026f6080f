//! Positions of a recorded game that can be decided again, by any player.

use super::contract::Domain;
use super::decided::Decided;
use super::kind::Kind;
use super::metrics::Metrics;
use super::spec::Spec;
use super::step::GameStep;
use evouct_base::seed::{Key, search_rng};
use evouct_search::game::{Deck, Game, MoveLog, Playout, Turn};
use evouct_search::player::PlayerView;
use evouct_search::search::Reward;

/// Decisions of a recorded game, without their types.
pub trait AnyPositions: Send + Sync {
    /// The number of decisions.
    fn count(&self) -> usize;

    /// The seat that decides.
    fn seat(&self, decision: usize) -> usize;

    /// The legal actions in notation, in the order of the game.
    fn actions(&self, decision: usize) -> Vec<String>;

    /// What this player decides here, in notation, in a game of its own that begins with this decision; with `explain`
    /// also what it considered. If `common_random_numbers`, players with the same key use common random numbers
    /// ([`PlayerView::common_random_numbers`]). The player must be of this game; it may panic.
    fn decide(
        &self,
        decision: usize,
        player: &Spec,
        key: Key,
        explain: bool,
        common_random_numbers: bool,
    ) -> (String, Decided);

    /// Rewards of playouts after each legal action, for the seat that decides: `count` of them per action, by the
    /// game's default policy, in points of difference.
    fn rewards(&self, decision: usize, count: usize, key: Key) -> Vec<Vec<i32>>;

    /// What the seat that decides has in the end, in points of difference, if this player goes on for all seats after
    /// each of these legal actions (places in the list of [`actions`](AnyPositions::actions)). One game per action, all
    /// with the same order of what is to come and the same keys of players. The player may panic.
    fn continued(&self, decision: usize, actions: &[usize], player: &Spec, key: Key) -> Vec<f64>;

    /// What the game gives for each legal action: its move numbers, then its ratings, in the order in which the game
    /// names them.
    fn move_numbers(&self, decision: usize) -> Vec<Vec<f64>>;

    /// The reward of the seat that decides if the game ended here, in points of difference.
    fn lead(&self, decision: usize) -> i32;

    /// The share of the game that is played, if the game knows it.
    fn phase(&self, decision: usize) -> Option<f64>;
}

/// A position, the order of what is to come, and the moves before it.
type PositionAndDeck<G> = (G, <G as Game>::Deck, MoveLog<G>);

pub(super) struct Positions<D: Domain> {
    kinds: Vec<&'static Kind<D>>,
    /// How many numbers the game gives for a move, ratings included.
    numbers: usize,
    decisions: Vec<PositionAndDeck<D::Game>>,
}

impl<D: Domain> Positions<D> {
    /// The decisions of a game with this many move numbers before these turns (counted from 0), which ascend.
    ///
    /// # Errors
    /// If a move is not legal, if chance did not decide by the deck, or if the game has no such turn.
    pub(super) fn of(
        kinds: Vec<&'static Kind<D>>,
        move_numbers: usize,
        rules: &D::Rules,
        deck: Key,
        steps: &[GameStep<D::Game>],
        turns: &[u32],
    ) -> Result<Positions<D>, String> {
        let mut game = D::start(rules);
        let mut deck = D::deck(rules, deck);
        let mut metrics = vec![D::Metrics::default(); game.seats()];
        let (mut turn, mut wanted) = (0, turns.iter().copied().peekable());
        let mut log = MoveLog::default();
        let mut decisions = Vec::new();
        for step in steps {
            match (game.turn(), step) {
                (Turn::Chance, GameStep::Chance(recorded)) => {
                    if D::Metrics::deal(&mut game, &mut deck, &mut metrics) != *recorded {
                        return Err(format!("before turn {turn} chance did not decide by this deck"));
                    }
                    step.log(&game, &mut log);
                }
                (Turn::Player(_), GameStep::Action(action)) => {
                    D::check(&game, *action).map_err(|why| format!("turn {turn}: {why}"))?;
                    if wanted.next_if_eq(&turn).is_some() {
                        decisions.push((game.clone(), deck.clone(), log.clone()));
                    }
                    step.log(&game, &mut log);
                    D::Metrics::play(&mut game, *action, &mut metrics);
                    turn += 1;
                }
                _ => return Err(format!("turn {turn} is not a move of this game")),
            }
        }
        match wanted.next() {
            Some(missing) => Err(format!("the game has no turn {missing}")),
            None => Ok(Positions { kinds, numbers: move_numbers + D::RATINGS.len(), decisions }),
        }
    }

    fn kind(&self, player: &Spec) -> &'static Kind<D> {
        Kind::of(&self.kinds, player.kind())
    }

    fn legal(&self, decision: usize) -> Vec<<D::Game as Game>::Action> {
        let mut actions = Vec::new();
        self.decisions[decision].0.actions(&mut actions);
        actions
    }
}

impl<D: Domain> AnyPositions for Positions<D> {
    fn count(&self) -> usize {
        self.decisions.len()
    }

    fn seat(&self, decision: usize) -> usize {
        match self.decisions[decision].0.turn() {
            Turn::Player(seat) => seat,
            _ => unreachable!("only positions in which a seat decides are kept"),
        }
    }

    fn actions(&self, decision: usize) -> Vec<String> {
        let game = &self.decisions[decision].0;
        self.legal(decision).into_iter().map(|action| D::NOTATION.write_action(game, action)).collect()
    }

    fn decide(
        &self,
        decision: usize,
        player: &Spec,
        key: Key,
        explain: bool,
        common_random_numbers: bool,
    ) -> (String, Decided) {
        let mut player = self.kind(player).player(player.values(), key);
        let (state, deck, log) = &self.decisions[decision];
        let (log, turns_left) = (Some(log), D::turns_left(state));
        let position = PlayerView { log, turns_left, explain, common_random_numbers, ..PlayerView::of(state, deck) };
        let decided = player.decide(&position);
        (D::NOTATION.write_action(state, decided.action), Decided::of(state, D::NOTATION, decided))
    }

    fn rewards(&self, decision: usize, count: usize, key: Key) -> Vec<Vec<i32>> {
        let (state, ..) = &self.decisions[decision];
        let seat = self.seat(decision);
        let mut rng = search_rng(&mut key.stream());
        let mut leaf = state.clone();
        let mut after = |action: <D::Game as Game>::Action| {
            let mut reward = || {
                leaf.clone_from(state);
                leaf.play(action);
                let scores = D::Playout::default().play_out(&mut leaf, &mut rng);
                Reward::Difference.of(&scores, state.seats(), 1.0)[seat] as i32
            };
            (0..count).map(|_| reward()).collect()
        };
        self.legal(decision).into_iter().map(&mut after).collect()
    }

    fn continued(&self, decision: usize, actions: &[usize], player: &Spec, key: Key) -> Vec<f64> {
        let (state, _, log) = &self.decisions[decision];
        let (kind, legal, seat) = (self.kind(player), self.legal(decision), self.seat(decision));
        let mut rng = search_rng(&mut key.named("deck", 0).stream());
        let deck = <D::Game as Game>::Deck::shuffled(state, &mut rng);
        let value = |action: &usize| {
            let (mut game, mut deck, mut log) = (state.clone(), deck.clone(), log.clone());
            let mut players: Vec<_> =
                (0..state.seats()).map(|seat| kind.player(player.values(), key.seat(seat))).collect();
            log.play(seat, legal[*action]);
            game.play(legal[*action]);
            loop {
                match game.turn() {
                    Turn::Terminal => break,
                    Turn::Chance => log.draw(deck.deal(&mut game)),
                    Turn::Player(seat) => {
                        let turns_left = D::turns_left(&game);
                        let position = PlayerView { log: Some(&log), turns_left, ..PlayerView::of(&game, &deck) };
                        let action = players[seat].decide(&position).action;
                        log.play(seat, action);
                        game.play(action);
                    }
                }
            }
            Reward::Difference.of(&game.scores(), game.seats(), 1.0)[seat]
        };
        actions.iter().map(value).collect()
    }

    fn move_numbers(&self, decision: usize) -> Vec<Vec<f64>> {
        let game = &self.decisions[decision].0;
        let actions = self.legal(decision);
        let wanted: Vec<usize> = (0..self.numbers).collect();
        let mut columns = vec![Vec::new(); wanted.len()];
        D::fill_move_numbers(game, &actions, &wanted, &mut game.clone(), &mut columns);
        (0..actions.len()).map(|action| columns.iter().map(|column| column[action]).collect()).collect()
    }

    fn lead(&self, decision: usize) -> i32 {
        let game = &self.decisions[decision].0;
        Reward::Difference.of(&game.scores(), game.seats(), 1.0)[self.seat(decision)] as i32
    }

    fn phase(&self, decision: usize) -> Option<f64> {
        self.decisions[decision].0.phase()
    }
}
