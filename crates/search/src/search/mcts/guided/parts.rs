//! Parts of formulas that only the move knows, as columns of the tree.
//!
//! Such a part, as `dv + 3*dm` in `Q + (dv + 3*dm) / n`, is the same at every selection: the tree has its value for each
//! move of a node, and the tree policy and the formula for untried children read it there. Values are the same to the
//! bit, as they are computed by the same steps.

use crate::game::Game;
use crate::search::guidance::{Guidance, push_over_numbers};
use crate::search::policy::{FormulaPolicy, TreePolicy};
use evouct_gp::{Column, Program, Scope, Scratch, Statistic, Terminal, Tree};

/// The most parts that have a column.
const MOST_PARTS: usize = 8;

/// The most columns by child that formulas read for some children alone.
pub(in crate::search::mcts) const MOST_COLUMNS: usize = 16;

/// What formulas over the columns call them. No formula can be read that has one.
static COLUMNS: [Statistic; MOST_PARTS] = [
    Statistic::new("part0", Scope::Child, 0),
    Statistic::new("part1", Scope::Child, 1),
    Statistic::new("part2", Scope::Child, 2),
    Statistic::new("part3", Scope::Child, 3),
    Statistic::new("part4", Scope::Child, 4),
    Statistic::new("part5", Scope::Child, 5),
    Statistic::new("part6", Scope::Child, 6),
    Statistic::new("part7", Scope::Child, 7),
];

/// The place of a part's column among those of the parts; none if the column is another.
#[inline]
pub(in crate::search::mcts) fn part_of(column: Column) -> Option<usize> {
    let Column::Declared(row) = column else { return None };
    COLUMNS.get(row.number).filter(|known| **known == *row).map(|known| known.number)
}

/// The parts of a search's formulas.
#[derive(Default)]
pub(in crate::search::mcts) struct MoveParts {
    /// By column: what it has. The first, if there is one, orders untried children.
    programs: Vec<Program>,
    /// The formula for untried children over the columns.
    untried: Option<Program>,
    /// The tree policy over the columns, and the formula that it was made of.
    policy: Option<(Program, TreePolicy)>,
}

impl MoveParts {
    /// The parts of the guidance's formula for untried children, if one orders them, and then of the tree policy: where
    /// none does, all children are valued together.
    pub(in crate::search::mcts) fn of<G: Game>(guidance: &Guidance<G>, policy: Option<&TreePolicy>) -> MoveParts {
        let mut parts = MoveParts::default();
        let Some((formula, part)) = guidance.order_of_untried() else { return parts };
        parts.programs.push(part);
        parts.untried = Some(parts.over_columns(formula));
        // A constant that is drawn at every use is a matter of the policy itself.
        if let Some(TreePolicy::Formula(formula @ FormulaPolicy { program, constant: Some(_), .. })) = policy {
            let over_columns = FormulaPolicy { program: parts.over_columns(program), ..formula.clone() };
            parts.policy = Some((program.clone(), TreePolicy::Formula(over_columns)));
        }
        parts
    }

    /// A formula over the columns of its parts; as it is, if it would need too many.
    fn over_columns(&mut self, formula: &Program) -> Program {
        let (ln, before) = (formula.ln(), self.programs.len());
        let tree = formula.tree().with_parts_as(|part: &Tree| {
            let known = self.programs.iter().position(|program| program.tree() == part && program.ln() == ln);
            let place = known.or_else(|| {
                self.programs.push(Program::new(part.clone(), ln));
                Some(self.programs.len() - 1)
            })?;
            COLUMNS.get(place).map(|column| Terminal::Column(Column::Declared(column)))
        });
        self.programs.truncate(MOST_PARTS);
        let over_columns = Program::new(tree, ln);
        if over_columns.needs().by_child.len() <= MOST_COLUMNS {
            return over_columns;
        }
        self.programs.truncate(before);
        formula.clone()
    }

    /// The number of columns.
    pub(in crate::search::mcts) fn count(&self) -> usize {
        self.programs.len()
    }

    /// The formula for untried children over the columns.
    pub(in crate::search::mcts) fn untried(&self) -> Option<&Program> {
        self.untried.as_ref()
    }

    /// A policy, over the columns if it is the one whose parts have them.
    #[inline]
    pub(in crate::search::mcts) fn policy<'p>(&'p self, policy: &'p TreePolicy) -> &'p TreePolicy {
        match (policy, &self.policy) {
            (TreePolicy::Formula(formula), Some((of, over_columns @ TreePolicy::Formula(own))))
                if formula.program.is_copy_of(of) && formula.constant == own.constant =>
            {
                over_columns
            }
            _ => policy,
        }
    }

    /// Pushes the values of the parts for each of `count` moves: see [`push_over_numbers`].
    pub(in crate::search::mcts) fn push(
        &self,
        count: usize,
        numbers: (&[&'static str], &[Vec<f64>]),
        (scratch, nothing): (&mut Scratch, &mut Vec<f64>),
        columns: &mut [Vec<f64>],
    ) {
        for (program, column) in self.programs.iter().zip(columns) {
            push_over_numbers(program, count, numbers, (scratch, nothing), column);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::slots::Slots;
    use crate::search::guidance::Untried;
    use crate::search::{SearchColumn, Uct};
    use evouct_gp::{ConstantSet, LnRule};

    fn program(text: &str) -> Program {
        let terminals = SearchColumn::terminals(&["dv", "dm", "fl"]);
        Program::new(Tree::parse_over(text, &terminals).unwrap(), LnRule::Abs)
    }

    fn policy(text: &str, constant: Option<f64>) -> TreePolicy {
        TreePolicy::Formula(FormulaPolicy { program: program(text), constant, constants: ConstantSet::default() })
    }

    /// The formula of a policy.
    fn text(policy: &TreePolicy) -> String {
        let TreePolicy::Formula(formula) = policy else { panic!("a formula") };
        formula.program.tree().to_string()
    }

    #[test]
    fn formulas_share_the_columns_of_their_parts() {
        let untried = Untried::Formula(program("Qbar + sqrt(ln(N)) + 6 * (dv + 2 * dm)"));
        let guidance = Guidance::<Slots> { untried, ..Guidance::default() };
        let tried = policy("Q + 6 * (dv + 2 * dm) / (n + 1) - (fl + 1) * N + dv", Some(0.5));
        let parts = MoveParts::of(&guidance, Some(&tried));
        let of_columns: Vec<String> = parts.programs.iter().map(|program| program.tree().to_string()).collect();
        assert_eq!(of_columns, ["6 * (dv + 2 * dm)", "fl + 1"]);
        assert_eq!(parts.untried().unwrap().tree().to_string(), "Qbar + sqrt(ln(N)) + part0");
        assert_eq!(text(parts.policy(&tried)), "Q + part0 / (n + 1) - part1 * N + dv");
        // A copy is the same policy; the same text compiled once more is another, as is one with another constant.
        assert_eq!(text(parts.policy(&tried.clone())), text(parts.policy(&tried)));
        let TreePolicy::Formula(formula) = &tried else { panic!("a formula") };
        let with = |constant| TreePolicy::Formula(FormulaPolicy { constant, ..formula.clone() });
        for other in [policy(&text(&tried), Some(0.5)), with(Some(0.25)), with(None)] {
            assert_eq!(text(parts.policy(&other)), text(&tried));
        }
        let uct = TreePolicy::Uct(Uct::default());
        assert!(matches!(parts.policy(&uct), TreePolicy::Uct(_)));
        assert_eq!(MoveParts::of(&guidance, Some(&uct)).count(), 1);
        // What is drawn at every use stays with the policy.
        assert_eq!(MoveParts::of(&guidance, Some(&with(None))).count(), 1);
    }

    #[test]
    fn parts_beyond_the_last_column_stay() {
        let sums: Vec<String> = (0..MOST_PARTS + 3).map(|number| format!("(dv + {number}) * Q")).collect();
        let policy = policy(&sums.join(" + "), Some(1.0));
        let untried = Untried::Formula(program("dv"));
        let parts = MoveParts::of(&Guidance::<Slots> { untried, ..Guidance::default() }, Some(&policy));
        assert_eq!(parts.count(), MOST_PARTS);
        let over_columns = text(parts.policy(&policy));
        // The last ones come first, behind the one that orders.
        assert!(over_columns.contains("(dv + 3) * Q + part7 * Q + "), "{over_columns}");
        assert_eq!(MoveParts::of(&Guidance::<Slots>::default(), Some(&policy)).count(), 0);
    }

    #[test]
    fn a_formula_that_would_need_too_many_columns_stays_as_it_is() {
        const NAMES: [&str; 10] = ["m0", "m1", "m2", "m3", "m4", "m5", "m6", "m7", "m8", "m9"];
        let terminals = SearchColumn::terminals(&NAMES);
        let read = |text: &str| Program::new(Tree::parse_over(text, &terminals).unwrap(), LnRule::Abs);
        let alone = NAMES.iter().map(|name| format!("{name} * Q"));
        // With the part that orders, seven parts and ten numbers would be read.
        for (parts_of_two, columns) in [(6, 7), (7, 1)] {
            let sums = NAMES.windows(2).take(parts_of_two).map(|pair| format!("({} + {}) * Q", pair[0], pair[1]));
            let formula = read(&alone.clone().chain(sums).collect::<Vec<_>>().join(" + "));
            let formula = FormulaPolicy { program: formula, constant: Some(1.0), constants: ConstantSet::default() };
            let policy = TreePolicy::Formula(formula);
            let untried = Untried::Formula(read("m0 + 1"));
            let parts = MoveParts::of(&Guidance::<Slots> { untried, ..Guidance::default() }, Some(&policy));
            assert_eq!(parts.count(), columns);
            assert_eq!(text(parts.policy(&policy)) == text(&policy), columns == 1);
        }
    }
}
