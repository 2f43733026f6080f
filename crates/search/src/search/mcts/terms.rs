//! What a formula sees in the moves that a search has considered, summand by summand.

use super::super::guidance::Guidance;
use super::super::policy::TreePolicy;
use super::super::reward_rule::RewardSource;
use super::Search;
use super::view::{Columns, Learned, View};
use super::workspace::Workspace;
use crate::game::{Game, Playout};
use evouct_gp::{Column, Needs, Summands, Terminal};

/// The summands of the formula that selects in the tree, for the actions at the root after a search.
#[derive(Clone, PartialEq, Debug)]
pub struct FormulaTerms {
    /// The summands.
    pub summands: Summands,
    /// By action its values, one for each summand; empty for an action without visits.
    pub values: Vec<Vec<f64>>,
}

/// Values of further columns at the root.
#[derive(Default)]
struct Further {
    by_child: Vec<(Column, Vec<f64>)>,
    by_node: Vec<(Column, f64)>,
}

impl<G: Game, P: Playout<G>> Search<'_, G, P> {
    /// What the formula of this policy sees in the actions at the root now. None without a formula, if its `c` is drawn at
    /// each use, and after several trees.
    pub fn formula_terms(&mut self, policy: &TreePolicy) -> Option<FormulaTerms> {
        let TreePolicy::Formula(formula) = policy else { return None };
        let (tree, ln) = (formula.program.tree(), formula.program.ln());
        if self.trees > 1 || self.minimises(0) || tree.has_constant() && formula.constant.is_none() {
            return None;
        }
        let further = match self.guidance {
            Some(guidance) => self.columns_of_root(guidance, formula.program.needs()),
            None => Further::default(),
        };
        self.reset();
        let parent = self.parent_visits(0);
        let (means, visits) = self.work.tree.statistics(0);
        let value = |child: usize, terminal| match terminal {
            Terminal::Mean => means[child],
            Terminal::ChildVisits => visits[child],
            Terminal::ParentVisits => parent,
            Terminal::Constant => formula.constant.unwrap_or_default(),
            Terminal::Number(number) => number,
            Terminal::Column(column) => {
                let of_child = further.by_child.iter().find(|(known, _)| *known == column);
                let of_node = further.by_node.iter().find(|(known, _)| *known == column);
                of_child.map(|(_, values)| values[child]).or(of_node.map(|(_, value)| *value)).unwrap_or_default()
            }
        };
        let summands = Summands::of(tree);
        let row = |child: usize| match visits[child] {
            0.0 => Vec::new(),
            _ => summands.values(|terminal| value(child, terminal), ln).collect(),
        };
        let values = (0..means.len()).map(row).collect();
        Some(FormulaTerms { summands, values })
    }

    /// The columns at the root that a formula needs. Numbers of moves are computed again, as the tree keeps those alone that
    /// no [part](super::guided::move_columns) has.
    fn columns_of_root(&mut self, guidance: &Guidance<G>, needs: &Needs) -> Further {
        self.reset();
        self.complete_numbers(guidance, 0);
        let parent = self.parent_visits(0);
        let mut others = Needs::default();
        needs.columns().filter(|column| !matches!(column, Column::MoveNumber(_))).for_each(|column| others.add(column));
        let Workspace { tree, state, scratch, guided, path, log, table, .. } = &mut *self.work;
        let state = state.as_ref().expect("the workspace has a position");
        let source = RewardSource { rule: self.rewards, reward: self.settings.reward, bound: self.bound };
        let learned = Some(Learned { table, log, path, enough: self.settings.learned.grave_visits });
        let (depth, left, moves, statistics) = (path.len(), self.left, &self.moves, tree.statistics(0));
        let view = View { tree, guidance, moves, learned, node: 0, statistics, state, depth, left, source, parent };
        let columns: &mut Columns = &mut guided.columns;
        let mut further = view.with_columns(&others, columns, |values| {
            let by_child = others.by_child.iter().zip(values.by_child).map(|(column, row)| (*column, row.to_vec()));
            let by_node = others.by_node.iter().zip(values.by_node).map(|(column, value)| (*column, *value));
            Further { by_child: by_child.collect(), by_node: by_node.collect() }
        });
        if let Some(numbers) = &guidance.numbers {
            let mut filled = vec![Vec::new(); numbers.names().len()];
            numbers.fill(state, tree.actions(0), scratch.get_or_insert_with(|| state.clone()), &mut filled);
            further.by_child.extend(numbers.names().iter().map(|name| Column::MoveNumber(name)).zip(filled));
        }
        further
    }
}
