//! Formulas for SymPy, as expressions of functions that compute numbers as evouct does.
//!
//! SymPy's own sums, products and cases are those of real numbers: they neither round nor overflow, `Q - Q` is 0 before
//! `Q` is known to be infinite, and a printer may compute what a case before it excludes. So every function of evouct,
//! sums and products too, is a function of SymPy that stays as it is until its arguments are numbers.

use super::code::{NamedFormula, definitions, formulas};
use super::primitive::{Function, LnRule, Primitive, fill};
use super::terminal::{Column, Terminal};
use super::tree::Tree;
use std::borrow::Cow;

/// First lines of every script.
const HEAD: &str = include_str!("sympy.py");

impl Tree {
    /// A Python script that makes the formula a SymPy expression called `value`, over the symbols `Q`, `n`, `N`, `c` and
    /// those of further columns. Numbers in their place give the value of evouct, by `subs`, `evalf` and `lambdify`;
    /// `value.doit()` is the formula in SymPy's arithmetic of reals.
    ///
    /// ```
    /// use evouct_gp::{LnRule, Tree};
    /// let tree: Tree = "sqrt(n)".parse().unwrap();
    /// assert!(tree.sympy(LnRule::Abs).ends_with("\nvalue = sqrt_abs(n)\n"));
    /// ```
    pub fn sympy(&self, ln: LnRule) -> String {
        sympy(&[NamedFormula { name: "value".to_owned(), about: String::new(), tree: self, ln }])
    }

    /// The lines of [`sympy`](Tree::sympy) that make the expression, by this name, without the definitions before them.
    pub fn sympy_called(&self, name: &str, ln: LnRule) -> String {
        let symbols: Vec<&str> = Terminal::NAMED
            .into_iter()
            .filter_map(Terminal::name)
            .chain(self.needs().columns().map(Column::name))
            .collect();
        // All digits: SymPy prints a number of 15 digits with 15 where it becomes code.
        let steps = self.steps(|function| call(function.row(ln)), |number| format!("Float({number:?}, 17)"));
        let (names, text) = (symbols.join(", "), symbols.join(" "));
        format!("{names} = symbols(\"{text}\", real=True)\n{}{name} = {}\n", steps.lines("", ""), steps.value)
    }
}

/// A Python script that makes each formula a SymPy expression of its name, as [`Tree::sympy`] makes one.
pub fn sympy(named: &[NamedFormula]) -> String {
    let mut text = script(&formulas(named));
    for formula in named {
        let about = formula.about.replace(['\n', '\r'], " ");
        let about = if about.is_empty() { about } else { format!("# {about}\n") };
        text.push_str(&format!("\n\n{about}{}", formula.tree.sympy_called(&formula.name, formula.ln)));
    }
    text
}

/// The definitions for all functions of evouct, with both protections of ln: what [`Tree::sympy_called`] uses.
pub fn sympy_definitions() -> String {
    let every: Vec<Tree> = Function::all()
        .map(|function| {
            let arguments = [Terminal::Mean, Terminal::ChildVisits].map(Tree::leaf);
            Tree::apply(function, &arguments[..function.arity()])
        })
        .collect();
    script(&every.iter().flat_map(|tree| [(tree, LnRule::Abs), (tree, LnRule::Clamp)]).collect::<Vec<_>>())
}

/// The beginning of a script, and the functions of these formulas.
fn script(formulas: &[(&Tree, LnRule)]) -> String {
    HEAD.to_owned()
        + &definitions(formulas, |row| definition(row).map_or("".into(), |text| format!("\n\n{text}").into()))
}

/// The function of a row: its value over the reals, and the code for numbers.
fn definition(row: &Primitive) -> Option<String> {
    let (code, over_reals) = row.code.zip(row.sympy)?;
    let arguments = ["a", "a, b"][row.arity - 1];
    let of_letters = |template| fill(template, |letter| if letter == 'a' { "a" } else { "b" });
    let function = match row.definitions[0] {
        "" => format!("def {}({arguments}):\n    return {}\n", row.name, of_letters(code)),
        own => own.to_owned(),
    };
    Some(format!("@exact(lambda {arguments}: {})\n{function}", of_letters(over_reals)))
}

/// The template of a call of what [`definition`] defines, or else the one of the row.
fn call(row: &Primitive) -> Cow<'static, str> {
    match row.code.zip(row.sympy) {
        Some((code, _)) if !row.definitions[0].is_empty() => code.into(),
        Some(_) => row.template(None),
        None => row.template(row.sympy),
    }
}
