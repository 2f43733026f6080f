//! A formula of any text: what is read comes back from infix, has every export, and keeps its values when it is shortened.
#![no_main]

use evouct::gp::{ColumnValues, Inputs, LnRule, Program, Scratch, Terminal, Tree, simplify};
use evouct::search::SearchColumn;
use libfuzzer_sys::fuzz_target;
use std::sync::LazyLock;

static TERMINALS: LazyLock<Vec<Terminal>> = LazyLock::new(|| SearchColumn::terminals(&[]));

fuzz_target!(|text: &str| {
    let Ok(tree) = Tree::parse_over(text, &TERMINALS) else { return };
    assert_eq!(Tree::parse_over(&tree.infix(), &TERMINALS).as_ref(), Ok(&tree));
    let inputs = Inputs { mean: -3.25, visits: 17.0, parent: 400.0, constant: 0.5 };
    let same = |a: f64, b: f64| a == b || (a.is_nan() && b.is_nan());
    for ln in [LnRule::Abs, LnRule::Clamp] {
        let value = tree.evaluate(inputs, ln);
        assert!(same(simplify(&tree, ln).evaluate(inputs, ln), value));
        let mut values = [0.0];
        let program = Program::new(tree.clone(), ln);
        // Inputs hold 0 for further columns.
        let by_child = vec![&[0.0][..]; program.needs().by_child.len()];
        let by_node = vec![0.0; program.needs().by_node.len()];
        let columns = ColumnValues { by_child: &by_child, by_node: &by_node };
        program.evaluate_over((&[-3.25], &[17.0]), (400.0, 0.5), columns, &mut Scratch::default(), &mut values);
        assert!(same(values[0], value));
        let longest = 1_000 * (tree.size() + 10);
        assert!([tree.sympy(ln), tree.python(ln), tree.latex(), tree.dot()].iter().all(|text| text.len() < longest));
    }
});
