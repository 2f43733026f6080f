//! The part of a formula that orders children without visits.

use super::primitive::{Function, Node};
use super::terminal::Terminal;
use super::tree::Tree;

/// Kinds of subtree, by their values at the children without visits of one node.
#[derive(Clone)]
enum Kind {
    /// The same at any time.
    Fixed,
    /// The same for all of them, as their `Q` and `n` are 0.
    Same,
    /// A function of numbers of the move alone.
    OfMove,
    /// Does not fall where this function of numbers of the move rises, and is otherwise the same for all.
    Rising(Tree),
    /// Anything else.
    Other,
}

struct Subtree {
    tree: Tree,
    kind: Kind,
    is_never_negative: bool,
}

impl Tree {
    /// The part by which the formula orders the children of a node that have no visits, if it is a function of numbers of
    /// the move alone: where the part is higher, the formula is not lower, whatever the statistics of the node are. So the
    /// order is known before they are. Rounding does not change this. Infinite values, of the part or inside the
    /// formula, are no part of this promise.
    ///
    /// ```
    /// use evouct_gp::{Terminal, Tree};
    /// let terminals = Terminal::with_columns(&[], &["dv", "dm"]);
    /// let part = |text| Tree::parse_over(text, &terminals).unwrap().move_part().map(|part| part.to_string());
    /// assert_eq!(part("Q + sqrt(ln(N)) + 2 * (dv + 3 * dm)").as_deref(), Some("2 * (dv + 3 * dm)"));
    /// // The weight of dm depends on the node.
    /// assert_eq!(part("dv + sqrt(N) * dm"), None);
    /// ```
    pub fn move_part(&self) -> Option<Tree> {
        let whole = self.fold(|node, a: Option<Subtree>, b| match node {
            Node::Terminal(terminal) => leaf(terminal),
            Node::Function(function) => applied(function, a.expect("a function has arguments"), b),
        });
        match whole.kind {
            Kind::OfMove => Some(whole.tree),
            Kind::Rising(part) => Some(part),
            Kind::Fixed | Kind::Same | Kind::Other => None,
        }
    }
}

fn leaf(terminal: Terminal) -> Subtree {
    let kind = match terminal {
        Terminal::Number(_) => Kind::Fixed,
        Terminal::Mean | Terminal::ChildVisits => Kind::Same,
        terminal if terminal.is_move_number() => Kind::OfMove,
        terminal if terminal.is_by_lane() => Kind::Other,
        _ => Kind::Same,
    };
    let is_never_negative = match terminal {
        Terminal::Number(number) => number >= 0.0,
        other => matches!(other, Terminal::ChildVisits | Terminal::ParentVisits),
    };
    Subtree { tree: Tree::leaf(terminal), kind, is_never_negative }
}

fn applied(function: Function, a: Subtree, b: Option<Subtree>) -> Subtree {
    use Kind::{Fixed, OfMove, Other, Rising, Same};
    let Some(b) = b else {
        let kind = if matches!(a.kind, Rising(_)) { Other } else { a.kind };
        return Subtree { tree: Tree::apply(function, &[a.tree]), kind, is_never_negative: function == Function::Sqrt };
    };
    let part_of = |side: &Subtree| match &side.kind {
        Rising(part) => part.clone(),
        _ => side.tree.clone(),
    };
    let kind = match (&a.kind, &b.kind) {
        (Fixed, Fixed) => Fixed,
        (Fixed | Same, Fixed | Same) => Same,
        (Fixed | OfMove, Fixed | OfMove) => OfMove,
        (OfMove | Rising(_), Fixed | Same) if rises_with_first(function, b.is_never_negative) => Rising(part_of(&a)),
        (Fixed | Same, OfMove | Rising(_)) if rises_with_second(function, a.is_never_negative) => Rising(part_of(&b)),
        _ => Other,
    };
    let keeps_sign =
        matches!(function, Function::Add | Function::Mul | Function::Div | Function::Min | Function::DivPositive);
    let is_never_negative = match function {
        Function::Max => a.is_never_negative || b.is_never_negative,
        _ => keeps_sign && a.is_never_negative && b.is_never_negative,
    };
    Subtree { tree: Tree::apply(function, &[a.tree, b.tree]), kind, is_never_negative }
}

/// Whether a function does not fall where its first argument rises and the second stays.
fn rises_with_first(function: Function, second_is_never_negative: bool) -> bool {
    match function {
        Function::Add | Function::Sub | Function::Min | Function::Max | Function::DivPositive => true,
        Function::Mul | Function::Div => second_is_never_negative,
        _ => false,
    }
}

/// The same for the second.
fn rises_with_second(function: Function, first_is_never_negative: bool) -> bool {
    match function {
        Function::Add | Function::Min | Function::Max => true,
        Function::Mul => first_is_never_negative,
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{ColumnValues, LnRule, Program, Scope, Scratch, Statistic};
    use evouct_base::sampling::below;
    use evouct_base::seed::Key;

    static KEPT: [Statistic; 3] = [
        Statistic::new("sd", Scope::Child, 0),
        Statistic::new("phase", Scope::Node, 1),
        Statistic::new("Qbar", Scope::Node, 2),
    ];

    fn parse(text: &str) -> Tree {
        Tree::parse_over(text, &Terminal::with_columns(&KEPT, &["dv", "dm", "fl"])).unwrap()
    }

    #[test]
    fn parts_by_hand() {
        for (text, expected) in [
            ("dv", Some("dv")),
            ("3 - dv / (1 + fl)", Some("3 - dv / (1 + fl)")),
            ("Qbar + 2 * (dv + 3 * dm) + ln(N)", Some("2 * (dv + 3 * dm)")),
            (
                "Qbar + 1.07 * sqrt(1.62 * ln(N)) + 6.24 * (dv + 1.35 * dm - 1.07 * fl)",
                Some("6.24 * (dv + 1.35 * dm - 1.07 * fl)"),
            ),
            ("sqrt(Q) * (dv + phase) - n", Some("dv")),
            ("min(dv, Qbar) / (0.5 + n)", Some("dv")),
            ("max(phase, ln(dv)) * max(phase, N)", Some("ln(dv)")),
            ("divp(dm - phase, Qbar)", Some("dm")),
            // Nothing of the move.
            ("Q + sqrt(ln(N))", None),
            // The factor or divisor may be negative.
            ("phase * dv", None),
            ("dv / Qbar", None),
            ("-2 * phase + ln(N) * dv", None),
            // The formula falls where the part rises.
            ("Qbar - dv", None),
            ("phase / dv", None),
            ("ln(dv + Qbar)", None),
            // Two parts, and statistics of the child.
            ("dv + Qbar * dm + fl", None),
            ("dv + Qbar + dm", None),
            ("dv + sd", None),
        ] {
            assert_eq!(parse(text).move_part().map(|part| part.to_string()).as_deref(), expected, "{text}");
        }
    }

    /// Whatever formula has a part: children in the order of the part are in the order of the formula.
    #[test]
    fn the_formula_does_not_fall_where_the_part_rises() {
        let mut rng = Key::experiment(11).stream();
        let pieces = ["Qbar", "phase", "N", "n", "Q", "2.5", "-0.75", "dv", "dm", "(dv - 2 * fl)", "sqrt(N)", "ln(N)"];
        let mut with_part = 0;
        for _ in 0..4_000 {
            let mut text = pieces[below(&mut rng, pieces.len())].to_owned();
            for _ in 0..1 + below(&mut rng, 4) {
                let other = pieces[below(&mut rng, pieces.len())];
                text = match below(&mut rng, 8) {
                    0 => format!("({text} + {other})"),
                    1 => format!("({other} + {text})"),
                    2 => format!("({text} - {other})"),
                    3 => format!("({text} * {other})"),
                    4 => format!("({other} * {text})"),
                    5 => format!("({text} / {other})"),
                    6 => format!("min({text}, {other})"),
                    _ => format!("max({other}, {text})"),
                };
            }
            let tree = parse(&text);
            let Some(part) = tree.move_part() else { continue };
            with_part += 1;
            let mut column = |range: usize| -> Vec<f64> {
                (0..40).map(|_| (below(&mut rng, 2 * range) as f64 - range as f64) / 8.0).collect()
            };
            let numbers: Vec<(&str, Vec<f64>)> = ["dv", "dm", "fl"].map(|name| (name, column(40))).into();
            let nodes = [("Qbar", column(200)[0]), ("phase", column(8)[0])];
            let parent = 1.0 + column(40)[0].abs();
            let values = |tree: &Tree| {
                let program = Program::new(tree.clone(), LnRule::Abs);
                let needs = program.needs();
                let of = |name: &str| numbers.iter().find(|(known, _)| *known == name).unwrap().1.as_slice();
                let by_child: Vec<&[f64]> = needs.by_child.iter().map(|column| of(column.name())).collect();
                let of = |name: &str| nodes.iter().find(|(known, _)| *known == name).unwrap().1;
                let by_node: Vec<f64> = needs.by_node.iter().map(|column| of(column.name())).collect();
                let (zero, mut values) = (vec![0.0; 40], vec![0.0; 40]);
                let columns = ColumnValues { by_child: &by_child, by_node: &by_node };
                program.evaluate_over((&zero, &zero), (parent, 1.0), columns, &mut Scratch::default(), &mut values);
                values
            };
            let (parts, wholes) = (values(&part), values(&tree));
            for (left, right) in (0..40).flat_map(|left| (0..40).map(move |right| (left, right))) {
                if parts[left] >= parts[right] {
                    assert!(wholes[left] >= wholes[right], "{tree}: {part}");
                }
            }
        }
        assert!(with_part > 800, "{with_part}");
    }
}
