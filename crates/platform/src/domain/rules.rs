//! The rules of a game with its types hidden.

use super::any::AnyDomain;
use super::contract::Domain;
use super::spec::Spec;
use evouct_base::parameter::{Filled, ParameterError, Parameters, Preset, Raw};
use evouct_base::plural::counted;
use serde_json::Value as Json;
use std::fmt;

/// The option for the number of seats, in games with a choice.
const SEATS: &str = "seats";

/// The option of the rules that says how many seats there are; none in a game without a choice. It is no part of the
/// name of a player.
pub fn seats_option(domain: &dyn AnyDomain) -> Option<&'static str> {
    domain.rules_table().iter().any(|row| row.name == SEATS).then_some(SEATS)
}

/// A game and the options of its rules.
#[derive(Clone)]
pub struct GameRules {
    domain: &'static dyn AnyDomain,
    options: Filled,
}

impl GameRules {
    /// The rules of a game with these options.
    ///
    /// # Errors
    /// Everything that is wrong with them.
    pub fn resolve(domain: &'static dyn AnyDomain, given: &[(String, Raw)]) -> Result<GameRules, Vec<ParameterError>> {
        let of = format!("the game {}", domain.name());
        let options = Filled::resolve(domain.rules_table(), given, Preset::Text, (&of, "see `evouct schema`"))?;
        GameRules::of(domain, options).map_err(|error| vec![error])
    }

    /// The rules of a game with these values of its options.
    ///
    /// # Errors
    /// If they contradict one another.
    pub fn of(domain: &'static dyn AnyDomain, options: Filled) -> Result<GameRules, ParameterError> {
        domain.check_rules(options.values())?;
        Ok(GameRules { domain, options })
    }

    /// The rules of a game with every option at its default.
    pub fn default_of(domain: &'static dyn AnyDomain) -> GameRules {
        GameRules { domain, options: Filled::defaults(domain.rules_table(), Preset::Text) }
    }

    /// The game.
    pub fn domain(&self) -> &'static dyn AnyDomain {
        self.domain
    }

    /// The options with their values.
    pub fn options(&self) -> &Filled {
        &self.options
    }

    /// The number of seats.
    pub fn seats(&self) -> usize {
        self.domain.seats(self.options.values())
    }

    /// Checks that there is a player for each seat.
    ///
    /// # Errors
    /// If there are more or fewer.
    pub fn check_players(&self, players: usize) -> Result<(), String> {
        let seats = self.seats();
        if seats == players {
            return Ok(());
        }
        let (seats, players) = (counted(seats, "seat"), counted(players, "player"));
        Err(format!("{} is for {seats} here, found {players}", self.domain.name()))
    }

    /// Checks that this player can play by these rules.
    ///
    /// # Errors
    /// Why it cannot.
    pub fn check_player(&self, player: &Spec) -> Result<(), ParameterError> {
        let (kind, game) = (player.kind(), self.domain.name());
        if kind.game != game {
            return Err(ParameterError::whole(format!("the player {} plays {}, not {game}", kind.name, kind.game)));
        }
        self.domain.check_seat(kind, player.values(), self.options.values())
    }

    /// The rules as their own type; none if they are of another game.
    pub fn typed<D: Domain>(&self) -> Option<D::Rules> {
        (self.domain.name() == D::NAME).then(|| D::Rules::read(self.options.values()))
    }

    /// The options that records name, in the order of the table: those that are always named, and those that are not at
    /// their default.
    pub fn recorded(&self) -> Vec<(String, Json)> {
        let named = self.options.rows().filter(|(row, value)| row.recorded || row.text != **value);
        named.map(|(row, value)| (row.recorded_name().to_owned(), value.to_json())).collect()
    }

    /// A name with the options that are not at their default: `hex (size=7)`.
    pub fn with_options(&self, name: &str) -> String {
        match &self.arguments()[..] {
            [] => name.to_owned(),
            options => format!("{name} ({})", options.join(", ")),
        }
    }

    /// The options that are not at their default, as `--rule key=value` of the command line takes them.
    pub fn arguments(&self) -> Vec<String> {
        let differing = self.options.rows().filter(|(row, value)| row.text != **value);
        differing.map(|(row, value)| format!("{}={value}", row.name)).collect()
    }
}

impl fmt::Debug for GameRules {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}({})", self.domain.name(), self.options.description())
    }
}
