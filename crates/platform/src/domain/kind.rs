//! Kinds of player.

use super::contract::Domain;
use super::outside::{OutsidePlayer, SeatedPlayer};
use evouct_base::parameter::{Parameter, ParameterError, Parameters, Value};
use evouct_base::seed::Key;
use evouct_search::player::Player;
use std::fmt::Debug;

/// Who makes the decisions of a player.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Decider {
    /// This program.
    Evouct,
    /// Another program, by the line protocol.
    Program,
    /// A person, at the table of `evouct gui`.
    Person,
}

/// A kind of player without the types of its game.
#[derive(Debug)]
pub struct KindInfo {
    /// The name of its game.
    pub game: &'static str,
    /// Its name in files and on the command line.
    pub name: &'static str,
    /// What it does.
    pub about: &'static str,
    /// Its source.
    pub source: &'static str,
    /// Its parameters.
    pub table: &'static [Parameter],
    /// Who decides for its players.
    pub decider: Decider,
}

impl KindInfo {
    /// Whether another program decides.
    pub fn is_program(&self) -> bool {
        self.decider == Decider::Program
    }

    /// Whether a person decides.
    pub fn is_person(&self) -> bool {
        self.decider == Decider::Person
    }

    /// Whether another program or a person decides. Such a player can only play whole games, not decide single
    /// positions.
    pub fn is_outside(&self) -> bool {
        self.decider != Decider::Evouct
    }
}

/// The kinds of player of a game, without its types.
pub trait AnyKinds: Debug + Send + Sync {
    /// The kinds of player that play it.
    fn kinds(&self) -> Vec<&'static KindInfo>;

    /// Refuses a player whose parameters contradict one another.
    ///
    /// # Errors
    /// The parameter at fault.
    fn check_player(&self, kind: &KindInfo, values: &[Value]) -> Result<(), ParameterError>;
}

type Check<Context> = Box<dyn Fn(&[Value], &Context) -> Result<(), ParameterError> + Send + Sync>;
type Wrap<D> = fn(Box<dyn Player<<D as Domain>::Game>>) -> Box<dyn Player<<D as Domain>::Game>>;
type Make<D> = Box<dyn Fn(&[Value], Key) -> SeatedPlayer<<D as Domain>::Game> + Send + Sync>;

/// What `run` returns inside of `within`.
fn ran<T>(within: &impl Fn(&mut dyn FnMut()), run: impl Fn() -> T) -> T {
    let mut result = None;
    within(&mut || result = Some(run()));
    result.expect("the surroundings run what they are given")
}

/// A check inside of `within`.
fn surrounded<Context: 'static>(
    check: Check<Context>,
    within: impl Fn(&mut dyn FnMut()) + Send + Sync + 'static,
) -> Check<Context> {
    Box::new(move |values, context| ran(&within, || check(values, context)))
}

/// A kind of player of a game: typed parameters and the player that they make.
pub struct Kind<D: Domain> {
    info: &'static KindInfo,
    check: Option<Check<()>>,
    check_rules: Option<Check<D::Rules>>,
    make: Make<D>,
}

impl<D: Domain> Kind<D> {
    /// A kind of player with parameters `P`. `source` cites the method; `make` creates the player of one game,
    /// whose random numbers must all come from the key.
    pub fn new<P: Parameters>(
        name: &'static str,
        about: &'static str,
        source: &'static str,
        make: impl Fn(&P, Key) -> Box<dyn Player<D::Game>> + Send + Sync + 'static,
    ) -> Kind<D> {
        Kind::of_info(name, about, source, Decider::Evouct, move |p, key| SeatedPlayer::Inside(make(p, key)))
    }

    /// A kind like [`new`](Kind::new), whose players are other programs. `docs/reference/protocol.md` is the source of
    /// all of them.
    pub fn of_programs<P: Parameters>(
        name: &'static str,
        about: &'static str,
        make: impl Fn(&P, Key) -> Box<dyn OutsidePlayer> + Send + Sync + 'static,
    ) -> Kind<D> {
        let make = move |p: &P, key| SeatedPlayer::Outside(make(p, key));
        Kind::of_info(name, about, "docs/reference/protocol.md", Decider::Program, make)
    }

    /// A kind like [`new`](Kind::new), whose players are people.
    pub fn of_people<P: Parameters>(
        name: &'static str,
        about: &'static str,
        make: impl Fn(&P, Key) -> Box<dyn OutsidePlayer> + Send + Sync + 'static,
    ) -> Kind<D> {
        let make = move |p: &P, key| SeatedPlayer::Outside(make(p, key));
        Kind::of_info(name, about, "docs/manual/browser.md", Decider::Person, make)
    }

    fn of_info<P: Parameters>(
        name: &'static str,
        about: &'static str,
        source: &'static str,
        decider: Decider,
        make: impl Fn(&P, Key) -> SeatedPlayer<D::Game> + Send + Sync + 'static,
    ) -> Kind<D> {
        // Kinds are made once and live as long as the program.
        let table = P::table().leak();
        let info = Box::leak(Box::new(KindInfo { game: D::NAME, name, about, source, table, decider }));
        Kind { info, check: None, check_rules: None, make: Box::new(move |values, key| make(&P::read(values), key)) }
    }

    /// Refuses parameters that contradict one another.
    #[must_use]
    pub fn checked<P: Parameters>(
        mut self,
        check: impl Fn(&P) -> Result<(), ParameterError> + Send + Sync + 'static,
    ) -> Kind<D> {
        self.check = Some(Box::new(move |values, ()| check(&P::read(values))));
        self
    }

    /// Refuses rules under which a player of this kind cannot play.
    #[must_use]
    pub fn under<P: Parameters>(
        mut self,
        check: impl Fn(&P, &D::Rules) -> Result<(), ParameterError> + Send + Sync + 'static,
    ) -> Kind<D> {
        self.check_rules = Some(Box::new(move |values, rules| check(&P::read(values), rules)));
        self
    }

    /// The same kind of a game of another name with the same types. Checks, and the making of players, run in `within`,
    /// which must run what it is given once; players are replaced by what `wrap` makes of them.
    #[must_use]
    pub fn of_game(
        self,
        game: &'static str,
        within: impl Fn(&mut dyn FnMut()) + Clone + Send + Sync + 'static,
        wrap: Wrap<D>,
    ) -> Kind<D> {
        let info = Box::leak(Box::new(KindInfo { game, ..*self.info }));
        let (make, surround) = (self.make, within.clone());
        let make: Make<D> = Box::new(move |values, key| match ran(&surround, || make(values, key)) {
            SeatedPlayer::Inside(player) => SeatedPlayer::Inside(wrap(player)),
            outside @ SeatedPlayer::Outside(_) => outside,
        });
        let check = self.check.map(|check| surrounded(check, within.clone()));
        let check_rules = self.check_rules.map(|check| surrounded(check, within));
        Kind { info, check, check_rules, make }
    }

    /// The kind that has this description.
    ///
    /// # Panics
    /// If it is a kind of another game.
    pub(super) fn of(kinds: &[&'static Kind<D>], info: &KindInfo) -> &'static Kind<D> {
        let is_it = |kind: &&&'static Kind<D>| (kind.info.game, kind.info.name) == (info.game, info.name);
        kinds.iter().find(is_it).expect("a player of this game")
    }

    /// The kind without types.
    pub fn info(&self) -> &'static KindInfo {
        self.info
    }

    pub(super) fn check(&self, values: &[Value]) -> Result<(), ParameterError> {
        self.check.as_ref().map_or(Ok(()), |check| check(values, &()))
    }

    pub(super) fn check_rules(&self, values: &[Value], rules: &D::Rules) -> Result<(), ParameterError> {
        self.check_rules.as_ref().map_or(Ok(()), |check| check(values, rules))
    }

    /// The player of a seat in a game between players.
    pub(super) fn seated(&self, values: &[Value], key: Key) -> SeatedPlayer<D::Game> {
        (self.make)(values, key)
    }

    pub(super) fn player(&self, values: &[Value], key: Key) -> Box<dyn Player<D::Game>> {
        self.seated(values, key).alone()
    }
}
