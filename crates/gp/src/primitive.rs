//! The function set: one row per function, with its value, its notations and its laws.

use super::rows::{Argument, by_lane, combine, combine_blocks};
use super::terminal::Terminal;
use std::borrow::Cow;
use std::fmt;
use std::sync::{LazyLock, Mutex, OnceLock, PoisonError};

/// Divisors of a smaller magnitude than this give 1.
macro_rules! smallest_divisor {
    () => {
        0.001
    };
}

/// The row of a function.
///
/// Templates of notations have `#a` and `#b` in place of the arguments; a function without a template is written as a
/// call by its name, and what reads the text must define it.
#[derive(Clone, Copy, Debug)]
pub struct Primitive {
    /// The name in every notation: a letter, then letters, digits and underscores.
    pub name: &'static str,
    /// The number of arguments: 1 or 2.
    pub arity: usize,
    /// The value. A function of one argument ignores the second. It must be the same on every machine.
    pub value: fn(f64, f64) -> f64,
    /// A bound on the magnitude of the value, from bounds on those of the arguments; infinite if there is none.
    pub bound: fn(f64, f64) -> f64,
    /// Laws that the simplifier may use.
    pub laws: Laws,
    /// The sign between two arguments in infix notation; none for functions that are written by name.
    pub sign: Option<(&'static str, Precedence)>,
    /// LaTeX for math mode.
    pub latex: Latex,
    /// The template in SymPy, over the reals. Numbers are computed by `code`.
    pub sympy: Option<&'static str>,
    /// The template in Python, with NumPy and in C.
    pub code: Option<&'static str>,
    /// What the code calls, defined in Python, with NumPy and in C; empty where nothing is needed.
    pub definitions: [&'static str; 3],
    /// The protection that LaTeX does not show, as a sentence; empty if there is none.
    pub protection: &'static str,
}

/// Laws of a function that hold for every finite value, to the bit up to the sign of a zero.
#[derive(Clone, Copy, Debug)]
pub struct Laws {
    /// Whether the arguments may change places.
    pub commutes: bool,
    /// By place, the argument that leaves the other one as it is.
    pub neutral: [Option<f64>; 2],
    /// Whether the value is 0 if one argument is 0 and the other finite.
    pub zero_absorbs: bool,
    /// The value for two equal arguments.
    pub of_equals: OfEquals,
    /// The second arguments for which the value is 1, whatever the first is.
    pub guard: Option<fn(f64) -> bool>,
}

/// The value of a function for two equal arguments.
#[derive(Clone, Copy, Debug)]
pub enum OfEquals {
    /// Nothing is known.
    Unknown,
    /// The argument, also if it is no finite number.
    Argument,
    /// This number, if the argument is finite.
    Number(f64),
}

/// Precedence of an expression: a lower one gets parentheses.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Precedence {
    /// A sum or difference.
    Sum,
    /// A product or quotient.
    Product,
    /// Text with brackets of its own.
    Atom,
    /// A number or the name of a terminal.
    Name,
}

/// How LaTeX writes a function.
#[derive(Clone, Copy, Debug)]
pub enum Latex {
    /// By its name, as a call.
    Name,
    /// With this sign between the terms of a sum.
    Sum(&'static str),
    /// As factors side by side.
    Product,
    /// With this command before its argument.
    Prefix(&'static str),
    /// By a template with brackets of its own.
    Text(&'static str),
}

impl Laws {
    /// No law.
    pub const NONE: Laws =
        Laws { commutes: false, neutral: [None; 2], zero_absorbs: false, of_equals: OfEquals::Unknown, guard: None };
}

impl Primitive {
    /// A function that is written by its name and has no laws.
    pub const fn new(name: &'static str, arity: usize, value: fn(f64, f64) -> f64) -> Primitive {
        Primitive {
            name,
            arity,
            value,
            bound: |_, _| f64::INFINITY,
            laws: Laws::NONE,
            sign: None,
            latex: Latex::Name,
            sympy: None,
            code: None,
            definitions: [""; 3],
            protection: "",
        }
    }

    /// A template, or that of a call by name.
    pub(super) fn template(&self, own: Option<&'static str>) -> Cow<'static, str> {
        let arguments = ["#a", "#a, #b"][self.arity - 1];
        own.map_or_else(|| format!("{}({arguments})", self.name).into(), Cow::Borrowed)
    }
}

/// A function that [`Function::add`] added.
#[derive(Clone, Copy, PartialEq, Eq)]
pub struct AddedFunction {
    place: u8,
    arity: u8,
}

/// Functions that were added, in order. A [`Function`] has an index and not a pointer, so that nodes stay small.
static ADDED: [OnceLock<&'static Primitive>; 256] = [const { OnceLock::new() }; 256];

impl AddedFunction {
    #[inline]
    fn row(self) -> &'static Primitive {
        ADDED[usize::from(self.place)].get().expect("a function that was added")
    }

    /// Out of line, so that loops over built-in functions keep their registers.
    #[cold]
    fn apply(self, first: f64, second: f64) -> f64 {
        (self.row().value)(first, second)
    }

    /// The last one of each name.
    fn all() -> impl Iterator<Item = AddedFunction> {
        let rows = || ADDED.iter().map_while(OnceLock::get);
        let is_last = move |place: u8| {
            let mut own = rows().skip(usize::from(place));
            own.next().is_some_and(|row| own.all(|later| later.name != row.name))
        };
        let named = (0..=u8::MAX).zip(rows()).filter(move |(place, _)| is_last(*place));
        named.map(|(place, row)| AddedFunction { place, arity: row.arity as u8 })
    }
}

impl fmt::Debug for AddedFunction {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.row().name)
    }
}

/// The template with texts in place of `#` and a letter. What was put in is not looked at again.
pub(super) fn fill<'a>(template: &str, text: impl Fn(char) -> &'a str) -> String {
    let mut parts = template.split('#');
    let mut filled = parts.next().unwrap_or_default().to_owned();
    for part in parts {
        let mut letters = part.chars();
        filled.push_str(letters.next().map_or("", &text));
        filled.push_str(letters.as_str());
    }
    filled
}

/// Declares the built-in functions: a line with name, arity and value, then what else the row has. The values are
/// compiled into the loops of [`Program`](super::Program).
macro_rules! functions {
    ($ln:ident: $($(#[$about:meta])+ $function:ident: $name:literal, $arity:literal, |$a:ident, $b:pat_param| $value:expr,
    { $($row:tt)* })+) => {
        /// A function of one or two arguments.
        #[derive(Clone, Copy, PartialEq, Eq, Debug)]
        pub enum Function {
            $($(#[$about])+ $function,)+
            /// A function that [`Function::add`] added.
            Added(AddedFunction),
        }

        impl Function {
            /// The functions of evouct.
            pub const BUILT_IN: [Function; [$($name),+].len()] = [$(Function::$function),+];

            /// The number of arguments: 1 or 2.
            #[inline]
            pub const fn arity(self) -> usize {
                match self {
                    $(Function::$function => $arity,)+
                    Function::Added(added) => added.arity as usize,
                }
            }

            /// Its row, where the logarithm is protected by the rule `Abs`.
            fn of_abs(self) -> &'static Primitive {
                match self {
                    $(Function::$function => {
                        static ROW: Primitive = Primitive { $($row)* ..Primitive::new($name, $arity, |$a, $b| {
                            let $ln = LnRule::Abs;
                            let _ = $ln;
                            $value
                        }) };
                        &ROW
                    })+
                    Function::Added(added) => added.row(),
                }
            }

            /// The value for these arguments; functions of one argument ignore the second.
            #[inline]
            pub fn apply(self, first: f64, second: f64, $ln: LnRule) -> f64 {
                match self {
                    $(Function::$function => { let ($a, $b) = (first, second); $value })+
                    Function::Added(added) => added.apply(first, second),
                }
            }

            /// Sets each value of a row to that for the arguments.
            #[inline]
            pub(super) fn apply_to_row(self, first: Argument, second: Argument, $ln: LnRule, out: &mut [f64]) {
                match self {
                    // Functions of one argument get a constant, so that their loops are compiled without a second one.
                    $(Function::$function => {
                        let second = if $arity == 1 { Argument::Same(0.0) } else { second };
                        combine(first, second, out, |$a: f64, $b: f64| $value)
                    })+
                    Function::Added(added) => combine(first, second, out, added.row().value),
                }
            }

            /// The values for two blocks of arguments.
            #[inline]
            pub(super) fn apply_to_block<const N: usize>(self, a: &[f64; N], b: &[f64; N], $ln: LnRule) -> [f64; N] {
                match self {
                    $(Function::$function => combine_blocks(a, b, |$a: f64, $b: f64| $value),)+
                    Function::Added(added) => by_lane(a, b, added.row().value),
                }
            }
        }
    };
}

functions! { ln:
    /// Sum.
    Add: "add", 2, |a, b| a + b, {
        sign: Some(("+", Precedence::Sum)),
        bound: |a, b| a + b,
        laws: Laws { commutes: true, neutral: [Some(0.0); 2], ..Laws::NONE },
        latex: Latex::Sum(" + "),
        sympy: Some("(#a + #b)"),
        code: Some("(#a + #b)"),
    }
    /// Difference.
    Sub: "sub", 2, |a, b| a - b, {
        sign: Some(("-", Precedence::Sum)),
        bound: |a, b| a + b,
        laws: Laws { neutral: [None, Some(0.0)], of_equals: OfEquals::Number(0.0), ..Laws::NONE },
        latex: Latex::Sum(" - "),
        sympy: Some("(#a - #b)"),
        code: Some("(#a - #b)"),
    }
    /// Product.
    Mul: "mul", 2, |a, b| a * b, {
        sign: Some(("*", Precedence::Product)),
        bound: |a, b| a * b,
        laws: Laws { commutes: true, neutral: [Some(1.0); 2], zero_absorbs: true, ..Laws::NONE },
        latex: Latex::Product,
        sympy: Some("(#a * #b)"),
        code: Some("(#a * #b)"),
    }
    /// Quotient, 1 if the magnitude of the divisor is below 0.001.
    Div: "div", 2, |a, b| if b.abs() < SMALLEST_DIVISOR { 1.0 } else { a / b }, {
        sign: Some(("/", Precedence::Product)),
        bound: |a, _| (a / SMALLEST_DIVISOR).max(1.0),
        // If the protection does not act, the quotient of a finite number by itself is exactly 1.
        laws: Laws {
            neutral: [None, Some(1.0)],
            of_equals: OfEquals::Number(1.0),
            guard: Some(|b| b.abs() < SMALLEST_DIVISOR),
            ..Laws::NONE
        },
        latex: Latex::Text(r"\frac{#a}{#b}"),
        sympy: Some(concat!("Piecewise((1, Abs(#b) < ", smallest_divisor!(), "), (#a / #b, True))")),
        code: Some("protected_div(#a, #b)"),
        definitions: [
            concat!("def protected_div(a, b):\n    return 1.0 if abs(b) < ", smallest_divisor!(), " else a / b\n"),
            concat!(
                "def protected_div(a, b):\n    small = np.abs(b) < ", smallest_divisor!(),
                "\n    return np.where(small, 1.0, a / np.where(small, 1.0, b))\n",
            ),
            concat!(
                "static inline double protected_div(double a, double b) { return fabs(b) < ", smallest_divisor!(),
                " ? 1.0 : a / b; }\n",
            ),
        ],
        protection: concat!("a quotient is 1 if its divisor is below ", smallest_divisor!(), " in magnitude"),
    }
    /// Natural logarithm, protected as [`LnRule`] says.
    Ln: "ln", 1, |a, _| ln.apply(a), {
        bound: |a, _| bound_of_ln(a, LnRule::Abs),
        latex: Latex::Prefix(r"\ln"),
        sympy: Some("Piecewise((0, Eq(#a, 0)), (log(Abs(#a)), True))"),
        code: Some("ln_abs(#a)"),
        definitions: [
            "def ln_abs(x):\n    return math.log(abs(x)) if x != 0 else 0.0\n",
            "def ln_abs(x):\n    zero = np.equal(x, 0.0)\n    \
             return np.where(zero, 0.0, np.log(np.abs(np.where(zero, 1.0, x))))\n",
            "static inline double ln_abs(double x) { return x == 0.0 ? 0.0 : log(fabs(x)); }\n",
        ],
        protection: "ln is of the absolute value, and 0 at 0",
    }
    /// Square root of the absolute value.
    Sqrt: "sqrt", 1, |a, _| a.abs().sqrt(), {
        bound: |a, _| a.sqrt(),
        latex: Latex::Text(r"\sqrt{#a}"),
        sympy: Some("sqrt(Abs(#a))"),
        code: Some("sqrt_abs(#a)"),
        definitions: [
            "def sqrt_abs(x):\n    return math.sqrt(abs(x))\n",
            "def sqrt_abs(x):\n    return np.sqrt(np.abs(x))\n",
            "static inline double sqrt_abs(double x) { return sqrt(fabs(x)); }\n",
        ],
        protection: "sqrt is of the absolute value",
    }
    /// Quotient, 1 if the divisor is below 0.001, negative ones too: the literal reading of Galván et al. (2022, V-A).
    /// Their code protects small magnitudes only, as [`Function::Div`] does.
    DivPositive: "divp", 2, |a, b| if b < SMALLEST_DIVISOR { 1.0 } else { a / b }, {
        bound: |a, _| (a / SMALLEST_DIVISOR).max(1.0),
        laws: Laws {
            neutral: [None, Some(1.0)],
            of_equals: OfEquals::Number(1.0),
            guard: Some(|b| b < SMALLEST_DIVISOR),
            ..Laws::NONE
        },
        latex: Latex::Text(r"\frac{#a}{#b}"),
        sympy: Some(concat!("Piecewise((1, #b < ", smallest_divisor!(), "), (#a / #b, True))")),
        code: Some("positive_div(#a, #b)"),
        definitions: [
            concat!("def positive_div(a, b):\n    return 1.0 if b < ", smallest_divisor!(), " else a / b\n"),
            concat!(
                "def positive_div(a, b):\n    small = b < ", smallest_divisor!(),
                "\n    return np.where(small, 1.0, a / np.where(small, 1.0, b))\n",
            ),
            concat!(
                "static inline double positive_div(double a, double b) { return b < ", smallest_divisor!(),
                " ? 1.0 : a / b; }\n",
            ),
        ],
        protection: concat!("a quotient divp is 1 if its divisor is below ", smallest_divisor!()),
    }
    /// The smaller of two; the first if they do not compare. Not `f64::min`, whose result for zeros of different signs
    /// depends on the machine.
    Min: "min", 2, |a, b| if b < a { b } else { a }, {
        bound: f64::max,
        laws: Laws { of_equals: OfEquals::Argument, ..Laws::NONE },
        latex: Latex::Text(r"\min\left(#a, #b\right)"),
        sympy: Some("Min(#a, #b)"),
        code: Some("smaller(#a, #b)"),
        definitions: [
            "def smaller(a, b):\n    return b if b < a else a\n",
            "def smaller(a, b):\n    return np.where(b < a, b, a)\n",
            "static inline double smaller(double a, double b) { return b < a ? b : a; }\n",
        ],
    }
    /// The larger of two; the first if they do not compare.
    Max: "max", 2, |a, b| if b > a { b } else { a }, {
        bound: f64::max,
        laws: Laws { of_equals: OfEquals::Argument, ..Laws::NONE },
        latex: Latex::Text(r"\max\left(#a, #b\right)"),
        sympy: Some("Max(#a, #b)"),
        code: Some("larger(#a, #b)"),
        definitions: [
            "def larger(a, b):\n    return b if b > a else a\n",
            "def larger(a, b):\n    return np.where(b > a, b, a)\n",
            "static inline double larger(double a, double b) { return b > a ? b : a; }\n",
        ],
    }
}

/// The row of the logarithm where it is protected by the rule `Clamp`.
static LN_CLAMP: Primitive = Primitive {
    bound: |a, _| bound_of_ln(a, LnRule::Clamp),
    latex: Latex::Prefix(r"\ln"),
    // With Max and not a case of its own: SymPy reorders conditions, and some of its printers then ask for the logarithm
    // of what a case before it excludes.
    sympy: Some("Piecewise((log(1.001), Eq(#a, 1)), (log(Max(#a, 0.01)), True))"),
    code: Some("ln_clamp(#a)"),
    definitions: [
        "def ln_clamp(x):\n    return math.log(1.001 if x == 1 else max(x, 0.01))\n",
        "def ln_clamp(x):\n    return np.log(np.where(np.equal(x, 1.0), 1.001, np.maximum(x, 0.01)))\n",
        "static inline double ln_clamp(double x) { return log(x == 1.0 ? 1.001 : x < 0.01 ? 0.01 : x); }\n",
    ],
    protection: "ln takes 0.01 for anything smaller, and 1.001 for 1",
    ..Primitive::new("ln", 1, |a, _| LnRule::Clamp.apply(a))
};

const SMALLEST_DIVISOR: f64 = smallest_divisor!();
/// Another name of the logarithm, which is read but not written.
pub(super) const LOG: &str = "log";

/// Finite for any finite argument but the smallest: ln(5e-324) is -744.4.
fn bound_of_ln(argument: f64, ln: LnRule) -> f64 {
    ln.apply(argument.max(1.0)).abs().max(745.0)
}

impl Function {
    /// The functions of the paper (Galván et al. 2022, section V-A), in the order in which random choices number them.
    pub const PAPER: [Function; 6] =
        [Function::Add, Function::Sub, Function::Mul, Function::Div, Function::Ln, Function::Sqrt];

    /// Makes a function known by its name to the parser, to every notation and to the parameters of players and
    /// evolutions. Add it before formulas and files are read.
    ///
    /// ```
    /// use evouct_gp::{Function, Inputs, LnRule, Primitive, Tree};
    /// static SQUARE: Primitive = Primitive::new("square", 1, |a, _| a * a);
    /// Function::add(&SQUARE)?;
    /// let tree: Tree = "Q + square(n)".parse()?;
    /// let inputs = Inputs { mean: 1.0, visits: 3.0, parent: 9.0, constant: 0.5 };
    /// assert_eq!(tree.evaluate(inputs, LnRule::Abs), 10.0);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// A name that is taken or no name, an arity other than 1 and 2, or a sign: only built-in functions have one.
    pub fn add(row: &'static Primitive) -> Result<Function, String> {
        Function::add_as(row, |known| known.is_none())
    }

    /// The same where an added function may have the name: what was read before keeps that one, and what is read from now
    /// on has this one.
    ///
    /// # Errors
    /// As [`add`](Function::add), but for the name of an added function.
    pub fn replace(row: &'static Primitive) -> Result<Function, String> {
        Function::add_as(row, |known| matches!(known, None | Some(Function::Added(_))))
    }

    fn add_as(row: &'static Primitive, is_free: fn(Option<Function>) -> bool) -> Result<Function, String> {
        let name = row.name;
        let is_name = name.starts_with(char::is_alphabetic) && name.chars().all(|c| c.is_alphanumeric() || c == '_');
        if !is_name {
            return Err(format!("{name:?} is no name of a function: expected a letter, then letters, digits and _"));
        }
        if !(1..=2).contains(&row.arity) || row.sign.is_some() {
            return Err(format!("{name}: expected a function of 1 or 2 arguments that is written by its name"));
        }
        // One at a time, so that no name is taken twice.
        static ADDS: Mutex<()> = Mutex::new(());
        let _one = ADDS.lock().unwrap_or_else(PoisonError::into_inner);
        let is_terminal = Terminal::NAMED.iter().any(|terminal| terminal.name() == Some(name));
        if name == LOG || is_terminal || !is_free(Function::named(name)) {
            return Err(format!("{name:?} is taken: give the function another name"));
        }
        let free = ADDED.iter().find(|place| place.set(row).is_ok());
        free.ok_or_else(|| format!("{name}: {} functions were added, and no more are possible", ADDED.len()))?;
        Ok(Function::named(name).expect("it was added"))
    }

    /// All functions: the built-in ones, then those that were added, in order, the last one of each name.
    pub fn all() -> impl Iterator<Item = Function> {
        Function::BUILT_IN.into_iter().chain(AddedFunction::all().map(Function::Added))
    }

    /// The function of this name.
    pub fn named(name: &str) -> Option<Function> {
        Function::all().find(|function| function.name() == name)
    }

    /// Its row. The logarithm has one for each protection.
    pub fn row(self, ln: LnRule) -> &'static Primitive {
        if self == Function::Ln && ln == LnRule::Clamp { &LN_CLAMP } else { self.of_abs() }
    }

    /// The name in prefix notation.
    pub fn name(self) -> &'static str {
        self.of_abs().name
    }

    /// The sign between two arguments in infix notation, and its precedence; none for functions written by name.
    pub fn sign(self) -> Option<(&'static str, Precedence)> {
        self.of_abs().sign
    }
}

evouct_base::named! {
    /// How the logarithm is protected.
    #[derive(Default)]
    pub enum LnRule {
        /// The logarithm of the absolute value, 0 at 0 (Galván et al. 2022).
        #[default]
        Abs = "abs",
        /// Arguments below 0.01 become 0.01 and 1 becomes 1.001 (the authors' code).
        Clamp = "clamp",
    }
}

impl LnRule {
    /// The protected logarithm. Computed in software, so that it is the same on every machine.
    #[inline]
    pub fn apply(self, x: f64) -> f64 {
        let index = x as usize;
        match LOGARITHMS.get(index) {
            // Most are of numbers of visits. Both rules leave whole numbers above 1 alone.
            Some(logarithm) if index > 1 && index as f64 == x => *logarithm,
            _ => self.computed(x),
        }
    }

    fn computed(self, x: f64) -> f64 {
        match self {
            LnRule::Abs if x == 0.0 => 0.0,
            LnRule::Abs => libm::log(x.abs()),
            LnRule::Clamp if x == 1.0 => libm::log(1.001),
            LnRule::Clamp if x < 0.01 => libm::log(0.01),
            LnRule::Clamp => libm::log(x),
        }
    }
}

/// Logarithms of small whole numbers.
static LOGARITHMS: LazyLock<Vec<f64>> = LazyLock::new(|| (0..4096).map(|n| libm::log(f64::from(n))).collect());

/// A node of a tree.
#[derive(Clone, Copy, PartialEq, Debug)]
pub enum Node {
    /// An inner node, with as many children as the function has arguments.
    Function(Function),
    /// A leaf: a number or a statistic.
    Terminal(Terminal),
}

impl Node {
    pub(super) const fn is_number(&self) -> bool {
        matches!(self, Node::Terminal(Terminal::Number(_)))
    }

    /// The number of children.
    pub const fn arity(self) -> usize {
        match self {
            Node::Function(function) => function.arity(),
            Node::Terminal(_) => 0,
        }
    }

    /// Whether it is an inner node.
    pub const fn is_function(self) -> bool {
        matches!(self, Node::Function(_))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn protections_hold_at_their_edges() {
        assert_eq!(Function::Div.apply(5.0, 0.0009, LnRule::Abs), 1.0);
        assert_eq!(Function::Div.apply(5.0, -0.0009, LnRule::Abs), 1.0);
        assert_eq!(Function::Div.apply(5.0, -0.001, LnRule::Abs), -5000.0);
        let divp = |divisor| Function::DivPositive.apply(5.0, divisor, LnRule::Abs);
        assert_eq!((divp(0.0009), divp(-2.0), divp(0.001), divp(2.0)), (1.0, 1.0, 5000.0, 2.5));
        assert_eq!(Function::Sqrt.apply(-9.0, 0.0, LnRule::Abs), 3.0);
        assert_eq!(LnRule::Abs.apply(0.0), 0.0);
        assert_eq!(LnRule::Abs.apply(-std::f64::consts::E), 1.0);
        assert_eq!(LnRule::Clamp.apply(1.0), libm::log(1.001));
        assert_eq!(LnRule::Clamp.apply(-3.0), libm::log(0.01));
        assert_eq!(LnRule::Clamp.apply(0.5), libm::log(0.5));
    }
}
