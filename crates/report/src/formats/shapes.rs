//! The shapes of evolved formulas: values over the visits of a child, beside those of UCT.

use super::chart::{Series, lines};
use super::figure::PageFigure;
use super::picture::{Section, points};
use crate::tables::formulas::{FormulaRow, shown_means};
use crate::tables::report::Report;
use evouct_base::plural::counted;
use evouct_gp::{InducedOrder, Inputs, LnRule, Tree};
use std::collections::BTreeSet;

/// The largest number of formulas with a chart.
const SHAPES: usize = 6;
/// Visits of the parent in charts of formulas.
const PARENT: f64 = 400.0;
/// Points of a curve.
const POINTS: u32 = 60;

/// The most frequent formulas that depend on visits and order children in another way than UCT, each order once: those
/// with a chart.
pub(super) fn worth_a_look(formulas: &[FormulaRow]) -> Vec<&FormulaRow> {
    let mut formulas: Vec<&FormulaRow> = formulas.iter().collect();
    formulas.sort_by_key(|formula| std::cmp::Reverse(formula.count));
    let mut seen = BTreeSet::from([InducedOrder::of(&Tree::uct(), LnRule::Abs)]);
    let is_new = |formula: &&FormulaRow| {
        let Ok(tree) = formula.formula.parse::<Tree>() else { return false };
        depends_on_visits(&tree, formula.ln) && seen.insert(InducedOrder::of(&tree, formula.ln))
    };
    formulas.into_iter().filter(is_new).take(SHAPES).collect()
}

fn depends_on_visits(tree: &Tree, ln: LnRule) -> bool {
    let at = |visits: f64| tree.evaluate(Inputs { mean: 5.0, visits, parent: PARENT, constant: 1.0 }, ln);
    (at(3.0) - at(200.0)).abs() > 1e-9
}

/// The charts of the formulas that are worth a look.
pub(super) fn shapes(report: &Report) -> impl Iterator<Item = PageFigure> {
    (1..).zip(worth_a_look(&report.formulas)).filter_map(|(number, formula)| shape(number, formula, report.point))
}

fn shape(number: usize, formula: &FormulaRow, point: &str) -> Option<PageFigure> {
    let Ok(tree) = formula.formula.parse::<Tree>() else { return None };
    let mut series = Vec::new();
    for (name, tree, ln, dashed) in [("formula", &tree, formula.ln, false), ("UCT", &Tree::uct(), LnRule::Abs, true)] {
        for (colour, mean) in shown_means(point).into_iter().enumerate() {
            let value = |visits: f64| {
                let inputs = Inputs { mean, visits, parent: PARENT, constant: 1.0 };
                (visits, tree.evaluate(inputs, ln))
            };
            let steps = (0..POINTS).map(|step| (PARENT.ln() * f64::from(step) / f64::from(POINTS - 1)).exp());
            let points = steps.map(value).filter(|(_, value)| value.is_finite() && value.abs() < 1e6).collect();
            series.push(Series { name: format!("{name}, Q = {mean}"), points, dashed, colour });
        }
    }
    let caption = format!(
        "{}: {} ({} of {}) against UCT, for N = {PARENT} and c = 1. A curve that falls faster with visits \
         explores more; a constant offset has no effect. Formulas that order children alike have one chart.",
        formula.player,
        formula.formula,
        formula.count,
        counted(formula.of, "decision")
    );
    let drawing = lines("visits n of the child", "value", &series, true);
    let figure = PageFigure::new(format!("shape-{number}"), caption, drawing, "curve visits value", points(&series));
    Some(figure.of(Section::Formulas))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn formulas_that_order_children_alike_have_one_chart() {
        let row = |(count, formula): (u64, &&str)| FormulaRow {
            player: "a".to_owned(),
            formula: (*formula).to_owned(),
            ln: LnRule::Abs,
            order: "",
            nodes: 1,
            count,
            lost: 0,
            of: 100,
        };
        let all = ["1/n - Q", "3*(Q - 1/n) + N", "sqrt(n)", "Q - 1/n", "2*c*sqrt(2*ln(N)/n) + Q + 7", "ln(n)", "Q + N"];
        let rows: Vec<FormulaRow> = (1..).zip(&all).map(row).collect();
        let shown: Vec<&str> = worth_a_look(&rows).into_iter().map(|row| row.formula.as_str()).collect();
        // UCT with an offset and a formula without visits are left out, and of each order all but the most frequent.
        assert_eq!(shown, ["ln(n)", "Q - 1/n", "1/n - Q"]);
    }
}
