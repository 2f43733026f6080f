//! Formulas, genomes and sets of primitives as values of parameters.

use crate::{ConstantSet, Function, FunctionSet, Genome, Terminal, Tree};
use evouct_base::parameter::{Language, ParameterType, Parsed, Unreadable, Value, Values};
use std::sync::Arc;

/// The language of formulas over given terminals: its values are a [`Tree`] each.
#[derive(Clone, Debug)]
pub struct Formulas {
    terminals: Vec<Terminal>,
}

impl Formulas {
    /// Formulas over these terminals.
    pub fn over(terminals: Vec<Terminal>) -> Values {
        Values::Language(Arc::new(Formulas { terminals }))
    }
}

impl Language for Formulas {
    fn describe(&self) -> String {
        let functions = Function::all().filter(|function| function.sign().is_none());
        let functions: Vec<&str> = functions.map(Function::name).collect();
        let terminals = self.words().join(", ");
        format!("a formula over {terminals} and numbers with + - * / {}", functions.join(" "))
    }

    fn words(&self) -> Vec<&'static str> {
        self.terminals.iter().copied().filter_map(Terminal::name).collect()
    }

    fn read(&self, texts: &[&str]) -> Result<Parsed, Unreadable> {
        read(texts[0], &self.terminals)
    }
}

fn read(text: &str, terminals: &[Terminal]) -> Result<Parsed, Unreadable> {
    match Tree::parse_over(text, terminals) {
        Ok(tree) => Ok(Parsed::new(tree.infix(), tree)),
        Err(error) => Err(Unreadable { problem: error.to_string(), column: Some(error.column) }),
    }
}

/// The language of selection formulas over the terminals of the paper.
#[derive(Clone, Debug)]
struct PaperFormulas;

impl Language for PaperFormulas {
    fn describe(&self) -> String {
        "a formula over Q, n, N, c and numbers with + - * / ln sqrt".to_owned()
    }

    fn words(&self) -> Vec<&'static str> {
        Terminal::NAMED.into_iter().filter_map(Terminal::name).collect()
    }

    fn read(&self, texts: &[&str]) -> Result<Parsed, Unreadable> {
        read(texts[0], &Terminal::NAMED)
    }
}

impl ParameterType for Tree {
    fn values() -> Values {
        Values::Language(Arc::new(PaperFormulas))
    }

    fn to_value(&self) -> Value {
        Value::Parsed(Parsed::new(self.infix(), self.clone()))
    }

    fn from_value(value: &Value) -> Option<Tree> {
        if let Value::Parsed(parsed) = value { parsed.meaning::<Tree>().cloned() } else { None }
    }
}

/// The language of lists of genomes whose formulas are over given terminals: its values are a `Vec<Genome>` each. In
/// one text [`Genome::BETWEEN`] stands between genomes.
#[derive(Clone, Debug)]
pub struct Genomes {
    formulas: Formulas,
}

impl Genomes {
    /// Genomes whose formulas are over these terminals.
    pub fn over(terminals: Vec<Terminal>) -> Values {
        Values::Language(Arc::new(Genomes { formulas: Formulas { terminals } }))
    }

    /// These genomes as a value.
    pub fn value(genomes: Vec<Genome>) -> Value {
        Value::Parsed(Genomes::parsed(genomes))
    }

    fn parsed(genomes: Vec<Genome>) -> Parsed {
        let texts: Vec<String> = genomes.iter().map(Genome::to_string).collect();
        Parsed::new(texts.join(Genome::BETWEEN), genomes)
    }
}

impl Language for Genomes {
    fn describe(&self) -> String {
        let formula = self.formulas.describe();
        format!("a list of texts, each {formula}, or several as in \"select = Q + 1/n; untried = Qbar; final = n\"")
    }

    fn words(&self) -> Vec<&'static str> {
        self.formulas.words()
    }

    fn separator(&self) -> Option<&'static str> {
        Some(Genome::BETWEEN)
    }

    fn read(&self, texts: &[&str]) -> Result<Parsed, Unreadable> {
        let read = |text: &&str| {
            let unreadable = |error| Unreadable { problem: format!("{text}: {error}"), column: None };
            let refused = ["leaf", "policy", "playout"];
            let of_part = |part: &str| refused.into_iter().find(|name| part.starts_with(&format!("{name} = ")));
            if let Some(name) = text.split("; ").find_map(of_part) {
                return Err(unreadable(format!("{name} is not possible here; expected select, untried, final")));
            }
            Genome::parse(text, &self.formulas.terminals).map_err(unreadable)
        };
        Ok(Genomes::parsed(texts.iter().map(read).collect::<Result<_, _>>()?))
    }
}

impl ParameterType for FunctionSet {
    fn values() -> Values {
        Values::Names(Function::all().map(Function::name).collect())
    }

    fn to_value(&self) -> Value {
        Value::Names(self.functions().iter().map(|function| function.name()).collect())
    }

    fn from_value(value: &Value) -> Option<FunctionSet> {
        let Value::Names(names) = value else { return None };
        FunctionSet::of(&names.iter().map(|name| Function::named(name)).collect::<Option<Vec<_>>>()?)
    }
}

impl ParameterType for ConstantSet {
    fn values() -> Values {
        Values::Reals(-1e6, 1e6)
    }

    fn to_value(&self) -> Value {
        Value::Reals(self.constants().to_vec())
    }

    fn from_value(value: &Value) -> Option<ConstantSet> {
        if let Value::Reals(numbers) = value { ConstantSet::of(numbers) } else { None }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Column;
    use evouct_base::parameter::Raw;

    #[test]
    fn texts_are_read_once_and_written_in_canonical_form() {
        let text = |text: &str| Raw::Text(text.to_owned());
        let value = Tree::values().accept(&text("Q+1/n")).unwrap();
        assert_eq!(value.to_string(), "Q + 1 / n");
        assert_eq!(Tree::from_value(&value).unwrap().to_value(), value);
        assert_eq!(Tree::values().accept(&text("dv")), None);
        assert!(Formulas::over(vec![Terminal::Column(Column::MoveNumber("dv"))]).accept(&text("dv + 1")).is_some());
        let genomes = Genomes::over(vec![Terminal::Mean, Terminal::ChildVisits]);
        let one = genomes.accept(&text("Q | select = n; final = Q+1")).unwrap();
        assert_eq!(Some(&one), genomes.accept(&Raw::List(vec![text("Q"), text("select = n; final = Q + 1")])).as_ref());
        assert_eq!(genomes.accept(&Raw::List(Vec::new())), None);
        assert!(genomes.explain(&text("Q | zz")).unwrap().starts_with("zz: "));
    }
}
