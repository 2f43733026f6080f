//! What the tree keeps of the moves of a node: parts of formulas that only the move knows, and numbers of the game.
//!
//! Such a part, as `dv + 3*dm` in `Q + (dv + 3*dm) / n`, is the same at every selection: the tree has its value for each
//! move of a node, and the tree policy and the formula for untried children read it there. Values are the same to the
//! bit, as they are computed by the same steps. Numbers that are read in such parts alone are not kept: a column of a
//! number is as long as there are moves, and most nodes are selected from once.

use crate::game::Game;
use crate::search::guidance::{Guidance, push_over_numbers};
use crate::search::policy::{FormulaPolicy, TreePolicy};
use crate::search::search_column::SearchColumn;
use evouct_gp::{Column, Needs, Program, Scope, Scratch, Statistic, Terminal, Tree};

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

/// Whether the tree keeps all columns by child that a formula needs, and they are few: then it may be evaluated for some
/// children alone.
pub(in crate::search::mcts) fn keeps(needs: &Needs) -> bool {
    let is_kept = |column: &Column| match column {
        Column::MoveNumber(_) => true,
        other => {
            part_of(*other).is_some() || {
                use SearchColumn::{Best, Lets, Prior, Wins};
                matches!(SearchColumn::of(*other), Some(Best | Prior | Wins | Lets))
            }
        }
    };
    needs.by_child.len() <= MOST_COLUMNS && needs.by_child.iter().all(is_kept)
}

/// What the search itself tells of a move.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(in crate::search::mcts) enum OwnColumn {
    /// Its number in the table of moves.
    Number,
    /// Whether it wins at once.
    Wins,
    /// Whether it lets the next seat win at once.
    Lets,
}

/// The columns by move of a search's tree: first numbers of the game, then what formulas know as `P`, then what the search
/// itself tells of moves, then the parts of formulas.
#[derive(Default)]
pub(in crate::search::mcts) struct MoveColumns {
    /// The numbers that formulas read beside the parts, by their places among those of the guidance.
    numbers: Vec<usize>,
    has_priors: bool,
    /// What the search itself tells of moves.
    own: Vec<OwnColumn>,
    /// By column: what it has. The first, if there is one, orders untried children.
    programs: Vec<Program>,
    /// Until the search takes other guidance.
    pub(in crate::search::mcts) over_columns: OverColumns,
}

/// Formulas over the columns of their parts.
#[derive(Default)]
pub(in crate::search::mcts) struct OverColumns {
    /// The formula for untried children, if the first part orders them.
    untried: Option<Program>,
    /// The tree policy, and the formula that it was made of.
    policy: Option<(Program, TreePolicy)>,
}

impl MoveColumns {
    /// The parts of the guidance's formula for untried children, if one orders them, and then of the tree policy: where
    /// none does, all children are valued together. If the search takes other guidance or policies later, which is so
    /// without a policy, it keeps all numbers and the part that orders.
    pub(in crate::search::mcts) fn of<G: Game>(guidance: &Guidance<G>, policy: Option<&TreePolicy>) -> MoveColumns {
        let mut moves = MoveColumns { has_priors: guidance.policy.is_some(), ..MoveColumns::default() };
        let ordered = guidance.order_of_untried();
        if let Some((formula, part)) = &ordered {
            moves.programs.push(part.clone());
            let untried = Some(moves.read_columns(formula));
            moves.over_columns.untried = untried.filter(|formula| keeps(formula.needs()));
        }
        if let (Some(TreePolicy::Formula(formula @ FormulaPolicy { program, constant: Some(_), .. })), Some(_)) =
            (policy, &moves.over_columns.untried)
        {
            // A constant that is drawn at every use is a matter of the policy itself.
            let over_columns = FormulaPolicy { program: moves.read_columns(program), ..formula.clone() };
            moves.over_columns.policy = Some((program.clone(), TreePolicy::Formula(over_columns)));
        }
        let names = guidance.number_names();
        moves.numbers = (0..names.len()).collect();
        if let Some(policy) = policy {
            let mut read = moves.policy(policy).needs();
            for program in guidance.programs_at_nodes() {
                let is_ordered = ordered.as_ref().is_some_and(|(formula, _)| std::ptr::eq(*formula, program));
                let program = if is_ordered { moves.untried(program) } else { program };
                program.needs().columns().for_each(|column| read.add(column));
            }
            moves.numbers.retain(|place| read.by_child.contains(&Column::MoveNumber(names[*place])));
        }
        moves
    }

    /// A formula over the columns of its parts; as it is, if it would need too many.
    fn read_columns(&mut self, formula: &Program) -> Program {
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

    /// Keeps what the search itself tells of moves, as formulas need it. Must come before the first column is used.
    pub(in crate::search::mcts) fn keep_own(&mut self, needs: &Needs, has_numbers: bool) {
        let is_needed = |column: SearchColumn| needs.by_child.contains(&column.column());
        let all = [
            (OwnColumn::Number, has_numbers),
            (OwnColumn::Wins, is_needed(SearchColumn::Wins)),
            (OwnColumn::Lets, is_needed(SearchColumn::Lets)),
        ];
        self.own = all.into_iter().filter_map(|(column, is_kept)| is_kept.then_some(column)).collect();
    }

    /// What the search itself tells of moves.
    pub(in crate::search::mcts) fn own(&self) -> &[OwnColumn] {
        &self.own
    }

    /// The column of what the search itself tells of moves, if it is kept.
    pub(in crate::search::mcts) fn column_of_own(&self, own: OwnColumn) -> Option<usize> {
        let place = self.own.iter().position(|kept| *kept == own)?;
        Some(self.numbers.len() + usize::from(self.has_priors) + place)
    }

    /// The number of columns.
    pub(in crate::search::mcts) fn count(&self) -> usize {
        self.column_of_part(self.programs.len())
    }

    /// The columns as they follow one another: numbers, priors if there are any, those of the search itself, parts.
    pub(in crate::search::mcts) fn split<'c, T>(
        &self,
        columns: &'c mut [T],
    ) -> (&'c mut [T], Option<&'c mut T>, &'c mut [T], &'c mut [T]) {
        let (numbers, further) = columns.split_at_mut(self.column_of_priors());
        let (priors, further) = further.split_at_mut(usize::from(self.has_priors));
        let (own, parts) = further.split_at_mut(self.own.len());
        (numbers, priors.first_mut(), own, parts)
    }

    /// The numbers that are kept, by their places among those of the guidance.
    pub(in crate::search::mcts) fn numbers(&self) -> &[usize] {
        &self.numbers
    }

    /// The column of the number at this place among those of the guidance, if it is kept.
    pub(in crate::search::mcts) fn column_of_number(&self, place: usize) -> Option<usize> {
        self.numbers.iter().position(|kept| *kept == place)
    }

    /// The column of what formulas know as `P`.
    pub(in crate::search::mcts) fn column_of_priors(&self) -> usize {
        self.numbers.len()
    }

    /// The column of a part. The first orders untried children.
    pub(in crate::search::mcts) fn column_of_part(&self, part: usize) -> usize {
        self.numbers.len() + usize::from(self.has_priors) + self.own.len() + part
    }

    /// Whether the first part orders untried children.
    pub(in crate::search::mcts) fn orders(&self) -> bool {
        self.over_columns.untried.is_some()
    }

    /// The formula for untried children, over the columns if one of them orders these.
    pub(in crate::search::mcts) fn untried<'p>(&'p self, formula: &'p Program) -> &'p Program {
        self.over_columns.untried.as_ref().unwrap_or(formula)
    }

    /// A policy, over the columns if it is the one whose parts have them.
    #[inline]
    pub(in crate::search::mcts) fn policy<'p>(&'p self, policy: &'p TreePolicy) -> &'p TreePolicy {
        match (policy, &self.over_columns.policy) {
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
    use crate::game::MoveNumbers;
    use crate::game::slots::{FILL, NUMBERS, Slots};
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
        let moves = MoveColumns::of(&guidance, Some(&tried));
        let of_columns: Vec<String> = moves.programs.iter().map(|program| program.tree().to_string()).collect();
        assert_eq!(of_columns, ["6 * (dv + 2 * dm)", "fl + 1"]);
        assert_eq!(moves.untried(&program("Q")).tree().to_string(), "Qbar + sqrt(ln(N)) + part0");
        assert_eq!(text(moves.policy(&tried)), "Q + part0 / (n + 1) - part1 * N + dv");
        // A copy is the same policy; the same text compiled once more is another, as is one with another constant.
        assert_eq!(text(moves.policy(&tried.clone())), text(moves.policy(&tried)));
        let TreePolicy::Formula(formula) = &tried else { panic!("a formula") };
        let with = |constant| TreePolicy::Formula(FormulaPolicy { constant, ..formula.clone() });
        for other in [policy(&text(&tried), Some(0.5)), with(Some(0.25)), with(None)] {
            assert_eq!(text(moves.policy(&other)), text(&tried));
        }
        let uct = TreePolicy::Uct(Uct::default());
        assert!(matches!(moves.policy(&uct), TreePolicy::Uct(_)));
        assert_eq!(MoveColumns::of(&guidance, Some(&uct)).count(), 1);
        // What is drawn at every use stays with the policy.
        assert_eq!(MoveColumns::of(&guidance, Some(&with(None))).count(), 1);
    }

    #[test]
    fn numbers_that_are_read_in_parts_alone_are_not_kept() {
        let of = |tried: Option<&str>, bias: Option<&str>, final_move: Option<&str>| {
            let guidance = Guidance::<Slots> {
                untried: Untried::Formula(program("Qbar + 6 * (dv + 2 * dm)")),
                bias: bias.map(program),
                final_move: final_move.map(program),
                numbers: Some(MoveNumbers::of(NUMBERS, FILL, &["dv", "dm"]).unwrap()),
                ..Guidance::default()
            };
            let policy = tried.map(|text| policy(text, Some(0.5)));
            let moves = MoveColumns::of(&guidance, policy.as_ref());
            assert_eq!(moves.count(), moves.numbers().len() + moves.programs.len());
            let places = [0, 1].map(|place| moves.column_of_number(place));
            let kept = |place: usize| moves.numbers().iter().position(|kept| *kept == place);
            assert_eq!((places, moves.column_of_part(0)), ([0, 1].map(kept), moves.numbers().len()));
            moves.numbers().to_vec()
        };
        let part = "Q + 6 * (dv + 2 * dm) / n";
        assert_eq!(of(Some(part), None, None), [0; 0]);
        assert_eq!(of(Some("Q + dm / n"), None, None), [1]);
        assert_eq!(of(Some(part), Some("dv"), None), [0]);
        assert_eq!(of(Some(part), None, Some("n + dm")), [1]);
        // Policies that come later may read any.
        assert_eq!(of(None, None, None), [0, 1]);
    }

    #[test]
    fn parts_beyond_the_last_column_stay() {
        let sums: Vec<String> = (0..MOST_PARTS + 3).map(|number| format!("(dv + {number}) * Q")).collect();
        let policy = policy(&sums.join(" + "), Some(1.0));
        let untried = Untried::Formula(program("dv"));
        let moves = MoveColumns::of(&Guidance::<Slots> { untried, ..Guidance::default() }, Some(&policy));
        assert_eq!(moves.count(), MOST_PARTS);
        let over_columns = text(moves.policy(&policy));
        // The last ones come first, behind the one that orders.
        assert!(over_columns.contains("(dv + 3) * Q + part7 * Q + "), "{over_columns}");
        assert_eq!(MoveColumns::of(&Guidance::<Slots>::default(), Some(&policy)).count(), 0);
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
            let moves = MoveColumns::of(&Guidance::<Slots> { untried, ..Guidance::default() }, Some(&policy));
            assert_eq!(moves.count(), columns);
            assert_eq!(text(moves.policy(&policy)) == text(&policy), columns == 1);
        }
    }
}
