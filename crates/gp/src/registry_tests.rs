//! Contract of every function and terminal, built in or added: it has every notation, is read back, has one value
//! by every evaluator, and keeps it when it is simplified.

use super::*;

static CUBE: Primitive = Primitive {
    bound: |a, _| a * a * a,
    code: Some("cubed(#a)"),
    definitions: [
        "def cubed(x):\n    return x * x * x\n",
        "def cubed(x):\n    return x * x * x\n",
        "static inline double cubed(double x) { return x * x * x; }\n",
    ],
    ..Primitive::new("cube", 1, |a, _| a * a * a)
};
static AVERAGE: Primitive = Primitive {
    bound: f64::max,
    laws: Laws { commutes: true, of_equals: OfEquals::Argument, ..Laws::NONE },
    latex: Latex::Text(r"\overline{#a, #b}"),
    ..Primitive::new("average", 2, |a, b| 0.5 * a + 0.5 * b)
};
static ADDED: [&Primitive; 2] = [&CUBE, &AVERAGE];
static KEPT: [Statistic; 2] =
    [Statistic { latex: r"\sigma", ..Statistic::new("sd", Scope::Child, 0) }, Statistic::new("lead", Scope::Node, 1)];
/// Values at and beside every protection. The number of children is no multiple of the length of a block.
const VALUES: [f64; 11] = [0.0, 1.0, -1.0, 0.0005, -0.001, 0.001, 0.01, 2.0, 17.0, -3.25, 5_000.0];

fn functions() -> Vec<Function> {
    for row in ADDED {
        // Another test of the process may have added it.
        assert!(Function::add(row).is_ok() || Function::named(row.name).is_some());
    }
    Function::all().collect()
}

fn terminals() -> Vec<Terminal> {
    Terminal::with_columns(&KEPT, &["dv"])
}

/// Every terminal, and every function over terminals, numbers and functions.
fn trees() -> Vec<Tree> {
    let applied = |function: Function, a: &Tree, b: &Tree| match function.arity() {
        1 => Tree::apply(function, std::slice::from_ref(a)),
        _ => Tree::apply(function, &[a.clone(), b.clone()]),
    };
    let mut arguments: Vec<Tree> = terminals().into_iter().map(Tree::leaf).collect();
    arguments.extend([0.0, 1.0, -2.5, 0.0005].map(|number| Tree::leaf(Terminal::Number(number))));
    let [mean, visits, parent, constant] = Terminal::NAMED.map(Tree::leaf);
    for function in functions() {
        arguments.extend([applied(function, &mean, &visits), applied(function, &parent, &constant)]);
    }
    let mut trees = arguments.clone();
    for function in functions() {
        for a in &arguments {
            let seconds = if function.arity() == 1 { &arguments[..1] } else { &arguments[..] };
            trees.extend(seconds.iter().map(|b| applied(function, a, b)));
        }
    }
    trees
}

fn value(terminal: Terminal, child: usize) -> f64 {
    let of_child = |shift: usize| VALUES[(child + shift) % VALUES.len()];
    match terminal {
        Terminal::Mean => of_child(3),
        Terminal::ChildVisits => of_child(0).abs().floor(),
        Terminal::ParentVisits => 400.0,
        Terminal::Constant => 0.5,
        Terminal::Number(number) => number,
        Terminal::Column(Column::Declared(statistic)) if *statistic == KEPT[1] => -7.0,
        Terminal::Column(column) => of_child(5 + column.name().len()),
    }
}

#[test]
fn every_function_and_terminal_has_every_notation_and_is_read_back() {
    let terminals = terminals();
    for tree in trees() {
        for text in [tree.infix(), tree.prefix()] {
            assert_eq!(Tree::parse_over(&text, &terminals).as_ref(), Ok(&tree), "{text}");
        }
        assert_eq!(Tree::from_json(&tree.json(), &terminals).as_ref(), Ok(&tree), "{tree}");
    }
    let leaves = terminals.iter().map(|terminal| (terminal.name().unwrap(), Tree::leaf(*terminal)));
    let calls = functions().into_iter().map(|function| {
        let arguments = [Tree::leaf(Terminal::Mean), Tree::leaf(Terminal::ChildVisits)];
        ("Q", Tree::apply(function, &arguments[..function.arity()]))
    });
    for (name, tree) in leaves.chain(calls) {
        assert!(!tree.latex().is_empty() && !tree.latex().contains('#'), "{}", tree.latex());
        for ln in [LnRule::Abs, LnRule::Clamp] {
            let named = [NamedFormula { name: "value".into(), about: String::new(), tree: &tree, ln }];
            for text in [tree.sympy(ln), tree.python(ln), numpy(&named), c_source(&named)] {
                // The last expression; imports, arguments and definitions before it have names, too.
                let last = text.rsplit(['=', ':']).find(|part| part.contains(char::is_alphanumeric)).unwrap_or(&text);
                let last = last.rsplit("return").next().unwrap_or(last);
                assert!(last.contains(name), "{tree}: {last} of {text}");
                assert!(!["#a", "#b"].iter().any(|left| text.contains(left)), "{tree}: {text}");
            }
        }
    }
}

/// Code that calls a function by name must define it, in every language or (as calls of functions without a template)
/// in none.
#[test]
fn code_defines_what_it_calls() {
    for function in functions() {
        for row in [LnRule::Abs, LnRule::Clamp].map(|ln| function.row(ln)) {
            let template = row.code.unwrap_or_default();
            let is_call = template.starts_with(char::is_alphabetic);
            let name = template.split('(').next().unwrap_or_default();
            for definition in row.definitions {
                assert_eq!(is_call, !definition.is_empty() && definition.contains(&format!("{name}(")), "{}", row.name);
            }
        }
    }
}

#[test]
fn every_evaluator_gives_the_same_value_and_simplification_keeps_it() {
    let mut scratch = Scratch::default();
    let children = || 0..VALUES.len();
    let of_children = |terminal: Terminal| -> Vec<f64> { children().map(|child| value(terminal, child)).collect() };
    let (means, visits) = (of_children(Terminal::Mean), of_children(Terminal::ChildVisits));
    let trees = trees();
    let mut shortened = 0;
    for (tree, ln) in trees.iter().flat_map(|tree| [(tree, LnRule::Abs), (tree, LnRule::Clamp)]) {
        let program = Program::new(tree.clone(), ln);
        let needs = program.needs();
        let rows: Vec<Vec<f64>> = needs.by_child.iter().map(|column| of_children(Terminal::Column(*column))).collect();
        let by_child: Vec<&[f64]> = rows.iter().map(Vec::as_slice).collect();
        let by_node: Vec<f64> = needs.by_node.iter().map(|column| value(Terminal::Column(*column), 0)).collect();
        let columns = ColumnValues { by_child: &by_child, by_node: &by_node };
        let mut values = [0.0; VALUES.len()];
        program.evaluate_over((&means, &visits), (400.0, 0.5), columns, &mut scratch, &mut values);
        let short = simplify(tree, ln);
        shortened += usize::from(short.size() < tree.size());
        for (child, by_program) in values.into_iter().enumerate() {
            let [own, after] = [tree, &short].map(|tree| tree.evaluate_by(|terminal| value(terminal, child), ln));
            assert_eq!(by_program.to_bits(), own.to_bits(), "{tree} for child {child}");
            assert!(own == after || own.is_nan() && after.is_nan(), "{tree} is {own}, {short} {after}");
        }
    }
    assert!(shortened > 100, "{shortened}");
}

#[test]
fn no_value_exceeds_its_bound() {
    for function in functions() {
        for ln in [LnRule::Abs, LnRule::Clamp] {
            for (a, b) in VALUES.iter().flat_map(|a| VALUES.map(|b| (*a, b))) {
                let (value, bound) = (function.apply(a, b, ln).abs(), (function.row(ln).bound)(a.abs(), b.abs()));
                assert!(value <= bound, "{} of {a} and {b} is {value}, over {bound}", function.name());
            }
        }
    }
}

#[test]
fn names_that_are_taken_or_none_are_refused() {
    functions();
    let error = |name, arity| {
        let row: &'static Primitive = Box::leak(Box::new(Primitive::new(name, arity, |a, _| a)));
        Function::add(row).unwrap_err()
    };
    for taken in ["ln", "log", "cube", "N"] {
        assert_eq!(error(taken, 1), format!("{taken:?} is taken: give the function another name"));
    }
    assert!(error("2x", 1).starts_with("\"2x\" is no name of a function"));
    assert!(error("third", 3).starts_with("third: expected a function of 1 or 2 arguments"));
}
