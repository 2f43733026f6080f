//! Sets of terminals that formulas draw from when they evolve during a game.

use super::guidance::{Formula, OfSelection, Vocabulary};
use crate::domain::Domain;
use evouct_base::parameter::{Language, ParameterType, Parsed, Unreadable, Value, Values};
use evouct_base::suggest::nearest;
use evouct_gp::{Terminal, Terminals};
use evouct_search::search::SearchColumn;
use std::marker::PhantomData;
use std::sync::Arc;

/// All that a search has at a child without a prior of moves, and `c`.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct OfEvolution;

impl Vocabulary for OfEvolution {
    fn terminals() -> Vec<Terminal> {
        let prior = SearchColumn::Prior.terminal();
        OfSelection::terminals().into_iter().filter(|terminal| *terminal != prior).collect()
    }
}

/// A set of terminals of a game.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct TerminalSet<D> {
    pub set: Terminals,
    game: PhantomData<D>,
}

impl<D> Default for TerminalSet<D> {
    fn default() -> TerminalSet<D> {
        TerminalSet { set: Terminals::default(), game: PhantomData }
    }
}

impl<D: Domain> ParameterType for TerminalSet<D> {
    fn values() -> Values {
        let mut terminals = Formula::<D, OfEvolution>::terminals();
        terminals.push(Terminal::Number(2.0));
        Values::Language(Arc::new(Sets { terminals }))
    }

    fn to_value(&self) -> Value {
        Value::Parsed(parsed(&self.set))
    }

    fn from_value(value: &Value) -> Option<TerminalSet<D>> {
        let Value::Parsed(parsed) = value else { return None };
        Some(TerminalSet { set: parsed.meaning::<Terminals>()?.clone(), game: PhantomData })
    }
}

/// The sets of the paper, which have names.
fn named() -> [(&'static str, Terminals); 2] {
    [("with-two", Terminals::default()), ("printed", Terminals::printed())]
}

fn name(terminal: Terminal) -> &'static str {
    terminal.name().unwrap_or("2")
}

fn parsed(set: &Terminals) -> Parsed {
    let text = match named().iter().find(|(_, own)| own == set) {
        Some((name, _)) => (*name).to_owned(),
        None => set.terminals().iter().map(|terminal| name(*terminal)).collect::<Vec<_>>().join("+"),
    };
    Parsed::new(text, set.clone())
}

/// The language of sets of these terminals. One that is no set of the paper has at least two names: a list in a file is
/// a player for each of its values.
#[derive(Debug)]
struct Sets {
    terminals: Vec<Terminal>,
}

impl Language for Sets {
    fn describe(&self) -> String {
        let names: Vec<&str> = self.terminals.iter().copied().map(name).collect();
        format!("with-two (Q+n+N+c+2) | printed (Q+n+N+c) | at least two, joined by +, of {}", names.join(", "))
    }

    fn words(&self) -> Vec<&'static str> {
        named().map(|(name, _)| name).into_iter().chain(self.terminals.iter().copied().map(name)).collect()
    }

    fn read(&self, texts: &[&str]) -> Result<Parsed, Unreadable> {
        if let Some((_, set)) = named().iter().find(|(name, _)| *name == texts[0]) {
            return Ok(parsed(set));
        }
        let refused = |problem: String| Unreadable { problem, column: None };
        let given: Vec<&str> = texts[0].split('+').map(str::trim).collect();
        let find = |text: &&str| {
            let found = self.terminals.iter().copied().find(|terminal| name(*terminal) == *text);
            found.ok_or_else(|| match nearest(text, self.words()) {
                Some(name) => refused(format!("{text:?}: did you mean {name}?")),
                None => refused(format!("there is no terminal called {text:?}")),
            })
        };
        let terminals = given.iter().map(find).collect::<Result<Vec<Terminal>, Unreadable>>()?;
        let set = Terminals::of(&terminals).filter(|_| terminals.len() > 1);
        set.map(|set| parsed(&set)).ok_or_else(|| {
            let problem =
                if terminals.len() > 1 { "a name is given twice" } else { "it is one name, expected several" };
            refused(format!("{problem}, such as Q+n+N+c+hm"))
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use evouct_base::parameter::Raw;

    #[test]
    fn sets_are_read_and_written_in_one_form() {
        let terminals = OfEvolution::terminals().into_iter().chain([Terminal::Number(2.0)]).collect();
        let values = Values::Language(Arc::new(Sets { terminals }));
        let read = |text: &str| values.accept(&Raw::Text(text.to_owned())).map(|value| value.to_string());
        for (text, expected) in [
            ("with-two", "with-two"),
            ("Q+n+N+c+2", "with-two"),
            ("printed", "printed"),
            ("Q + n + hm + lgr", "Q+n+hm+lgr"),
        ] {
            assert_eq!(read(text).as_deref(), Some(expected), "{text}");
        }
        for (text, problem) in [
            ("hm", "it is one name, expected several, such as Q+n+N+c+hm"),
            ("Q+n+Q", "a name is given twice, such as Q+n+N+c+hm"),
            ("Q+hm4", "\"hm4\": did you mean hm?"),
            ("Q+gain_of_points", "there is no terminal called \"gain_of_points\""),
        ] {
            assert_eq!(values.explain(&Raw::Text(text.to_owned())).as_deref(), Some(problem), "{text}");
        }
    }
}
