//! One game, played by one of two domains, which its rules choose.

use super::any::{AnyDomain, AnyInfo, AnySession, GameInfo};
use super::contract::Domain;
use super::follower::AnyFollower;
use super::kind::{AnyKinds, KindInfo};
use super::metrics::RecordedMetrics;
use super::positions::AnyPositions;
use super::registered::Registered;
use super::spec::Spec;
use super::terms::Terms;
use super::view::GameView;
use evouct_base::parameter::{ParameterError, Parameters, Value};
use evouct_base::seed::Key;
use std::any::Any;
use std::collections::BTreeMap;
use std::fmt;

/// A game with two domains of the same rules, metrics and names: the first for most rules, the second for those that
/// need more. So the variant that is played most can have small tables.
pub struct Variants<A: Domain, B: Domain<Rules = A::Rules>> {
    first: &'static Registered<A>,
    second: &'static Registered<B>,
    /// Whether these rules need the second domain.
    needs_second: fn(&A::Rules) -> bool,
}

impl<A: Domain, B: Domain<Rules = A::Rules>> Variants<A, B> {
    /// The game of two domains.
    pub fn new(
        first: &'static Registered<A>,
        second: &'static Registered<B>,
        needs_second: fn(&A::Rules) -> bool,
    ) -> Variants<A, B> {
        const { assert!(A::PER_POINT == B::PER_POINT, "both domains count alike") };
        Variants { first, second, needs_second }
    }

    /// The domain that plays by these rules.
    fn by(&self, rules: &[Value]) -> &'static dyn AnyDomain {
        if (self.needs_second)(&A::Rules::read(rules)) { self.second } else { self.first }
    }
}

impl<A: Domain, B: Domain<Rules = A::Rules>> AnyKinds for Variants<A, B> {
    fn kinds(&self) -> Vec<&'static KindInfo> {
        self.first.kinds()
    }

    fn check_player(&self, kind: &KindInfo, values: &[Value]) -> Result<(), ParameterError> {
        self.first.check_player(kind, values)
    }
}

impl<A: Domain, B: Domain<Rules = A::Rules>> AnyInfo for Variants<A, B> {
    fn info(&self) -> &GameInfo {
        self.first.info()
    }
}

impl<A: Domain, B: Domain<Rules = A::Rules>> AnyDomain for Variants<A, B> {
    fn check_rules(&self, rules: &[Value]) -> Result<(), ParameterError> {
        // The first domain refuses what is wrong before the rules are asked which domain they need.
        self.first.check_options(rules)?;
        self.by(rules).check_rules(rules)
    }

    fn seats(&self, rules: &[Value]) -> usize {
        self.first.seats(rules)
    }

    fn has_chance(&self, rules: &[Value]) -> bool {
        self.by(rules).has_chance(rules)
    }

    fn check_seat(&self, kind: &KindInfo, values: &[Value], rules: &[Value]) -> Result<(), ParameterError> {
        let domain = self.by(rules);
        if !domain.kinds().iter().any(|known| known.name == kind.name) {
            let problem = format!("the player {} does not know the expansions of these rules", kind.name);
            return Err(ParameterError::whole(problem));
        }
        domain.check_seat(kind, values, rules)
    }

    fn session(&self, rules: &[Value], deck: Key, players: &[(Spec, Key)]) -> Box<dyn AnySession> {
        self.by(rules).session(rules, deck, players)
    }

    fn replay(
        &self,
        rules: &[Value],
        deck: Key,
        terms: &Terms,
        moves: &str,
        search: &[BTreeMap<String, f64>],
    ) -> Result<Box<dyn AnySession>, String> {
        self.by(rules).replay(rules, deck, terms, moves, search)
    }

    fn positions(
        &self,
        rules: &[Value],
        deck: Key,
        moves: &str,
        turns: &[u32],
    ) -> Result<Box<dyn AnyPositions>, String> {
        self.by(rules).positions(rules, deck, moves, turns)
    }

    fn follow(&self, rules: &[Value]) -> Box<dyn AnyFollower> {
        self.by(rules).follow(rules)
    }

    fn view(&self, rules: &[Value], moves: &str) -> Result<GameView, String> {
        self.by(rules).view(rules, moves)
    }

    fn pictures(&self, rules: &[Value], moves: &str) -> Result<Option<Vec<String>>, String> {
        self.by(rules).pictures(rules, moves)
    }

    fn texts(&self, rules: &[Value], moves: &str, colour: bool) -> Result<Option<Vec<String>>, String> {
        self.by(rules).texts(rules, moves, colour)
    }

    fn definitions(&self, rules: &[Value]) -> Option<String> {
        self.by(rules).definitions(rules)
    }

    fn column_values(&self, metrics: &RecordedMetrics, seat: usize) -> Result<Vec<f64>, String> {
        self.first.column_values(metrics, seat)
    }

    /// The first domain with its types.
    fn as_any(&self) -> &dyn Any {
        self.first
    }
}

impl<A: Domain, B: Domain<Rules = A::Rules>> fmt::Debug for Variants<A, B> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.first.fmt(f)
    }
}
