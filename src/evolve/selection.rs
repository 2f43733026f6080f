//! Who is the next parent: the only place that knows plus from comma, and where semantics decides.

use super::individual::Individual;
use super::semantics::Semantics;
use crate::sampling::below;
use rand::Rng;

/// Whether the parent competes with its offspring.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Hash)]
pub enum Form {
    /// (1 + λ): it does (title, text and Table I of Galván et al. 2022).
    #[default]
    Plus,
    /// (1, λ): it does not (Algorithms 1 and 2 as printed).
    Comma,
}

impl Form {
    /// The names used in experiments.
    pub const NAMES: [(&'static str, Form); 2] = [("plus", Form::Plus), ("comma", Form::Comma)];
}

/// When semantics is asked.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Hash)]
pub enum SemanticRule {
    /// Among equals at the best fitness: the one with α < SSD < β nearest α, without one any of the equals. A unique best
    /// is taken (the authors' code).
    #[default]
    Ties,
    /// Algorithm 2 as printed: where several *offspring* share the best fitness and more than one of them is in range, the
    /// one nearest α; otherwise, and also for a unique best, any offspring.
    Literal,
}

impl SemanticRule {
    /// The names used in experiments.
    pub const NAMES: [(&'static str, SemanticRule); 2] =
        [("ties", SemanticRule::Ties), ("literal", SemanticRule::Literal)];
}

/// How semantics decides between formulas.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SemanticSelection {
    /// When semantics is asked.
    pub rule: SemanticRule,
    /// How distances are taken.
    pub semantics: Semantics,
    /// Lower bound of the range of semantic similarity, exclusive.
    pub alpha: f64,
    /// Upper bound, exclusive.
    pub beta: f64,
    /// Fitnesses this close to the best count as equal to it.
    pub tie_epsilon: f64,
}

impl Default for SemanticSelection {
    /// The values of Galván et al. 2022: ties are decided by sorted rewards with 5 < SSD < 10.
    fn default() -> SemanticSelection {
        SemanticSelection {
            rule: SemanticRule::Ties,
            semantics: Semantics::Sorted,
            alpha: 5.0,
            beta: 10.0,
            tie_epsilon: 0.0,
        }
    }
}

/// Selection of the next parent.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Selection {
    /// Plus or comma.
    pub form: Form,
    /// How semantics decides; none for EA and EA-p, which take the first of the best.
    pub semantic: Option<SemanticSelection>,
}

/// What a selection came to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Selected {
    /// The chosen offspring; none where the parent stays.
    pub offspring: Option<usize>,
    /// Whether several shared the best fitness.
    pub tie: bool,
    /// How many of the equals were in range.
    pub in_range: usize,
    /// Whether semantics made the choice.
    pub by_semantics: bool,
}

impl Selection {
    /// Chooses the next parent. `parent` has a fitness only where it was evaluated. There must be offspring.
    pub fn select(&self, parent: Option<&Individual>, offspring: &[Individual], rng: &mut impl Rng) -> Selected {
        let literal = self.semantic.is_some_and(|semantic| semantic.rule == SemanticRule::Literal);
        let epsilon = self.semantic.map_or(0.0, |semantic| semantic.tie_epsilon);
        let competing = parent.filter(|_| self.form == Form::Plus && !literal);
        // The parent first, then offspring in their order: that is how equals are ranked.
        let candidates: Vec<(Option<usize>, &Individual)> = competing
            .into_iter()
            .map(|parent| (None, parent))
            .chain(offspring.iter().enumerate().map(|(index, individual)| (Some(index), individual)))
            .collect();
        let best = candidates.iter().map(|(_, individual)| individual.fitness).fold(f64::NEG_INFINITY, f64::max);
        let equals: Vec<(Option<usize>, &Individual)> =
            candidates.iter().filter(|(_, individual)| individual.fitness >= best - epsilon).copied().collect();
        let tie = equals.len() > 1;
        let first = equals.first().map_or(candidates[0].0, |(index, _)| *index);
        let mut selected = Selected { offspring: first, tie, in_range: 0, by_semantics: false };
        let Some(semantic) = self.semantic else { return selected };

        // The parent is at distance 0 of itself, and out of any range.
        let distance = |individual: &Individual| {
            parent.map_or(0.0, |parent| semantic.semantics.distance(&individual.semantics, &parent.semantics))
        };
        let mut in_range: Vec<(Option<usize>, f64)> = equals
            .iter()
            .map(|(index, individual)| (*index, if index.is_some() { distance(individual) } else { 0.0 }))
            .filter(|(_, distance)| semantic.alpha < *distance && *distance < semantic.beta)
            .collect();
        in_range.sort_by(|(_, a), (_, b)| a.total_cmp(b));
        if tie {
            selected.in_range = in_range.len();
        }
        let enough = match semantic.rule {
            SemanticRule::Ties => 1,
            SemanticRule::Literal => 2,
        };
        if tie && in_range.len() >= enough {
            selected.offspring = in_range[0].0;
            selected.by_semantics = true;
        } else if literal {
            selected.offspring = Some(below(rng, offspring.len()));
        } else if tie {
            selected.offspring = equals[below(rng, equals.len())].0;
        }
        selected
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::gp::Tree;
    use crate::seed::Key;

    fn individual(fitness: f64, semantics: f64) -> Individual {
        Individual { tree: Tree::uct(), fitness, semantics: vec![semantics; 3] }
    }

    fn siea() -> Selection {
        Selection { form: Form::Plus, semantic: Some(SemanticSelection::default()) }
    }

    fn select(selection: &Selection, parent: &Individual, offspring: &[Individual]) -> Selected {
        selection.select(Some(parent), offspring, &mut Key::experiment(1).stream())
    }

    /// How often each candidate is chosen; the parent is last.
    fn shares(selection: &Selection, parent: &Individual, offspring: &[Individual]) -> Vec<u32> {
        let mut rng = Key::experiment(2).stream();
        let mut counts = vec![0; offspring.len() + 1];
        for _ in 0..3_000 {
            let chosen = selection.select(Some(parent), offspring, &mut rng).offspring;
            counts[chosen.unwrap_or(offspring.len())] += 1;
        }
        counts
    }

    #[test]
    fn a_unique_best_wins_whatever_its_semantics() {
        let offspring = [individual(1.0, 7.0), individual(3.0, 0.0), individual(2.0, 6.0)];
        let selected = select(&siea(), &individual(2.0, 0.0), &offspring);
        assert_eq!(selected, Selected { offspring: Some(1), tie: false, in_range: 0, by_semantics: false });
        assert_eq!(select(&siea(), &individual(4.0, 0.0), &offspring).offspring, None);
    }

    #[test]
    fn among_equals_the_one_nearest_alpha_within_the_range_wins() {
        // Distances to the parent: 12, 9, 6, 5 and for the parent itself 0. The bounds are exclusive.
        let offspring = [individual(3.0, 12.0), individual(3.0, 9.0), individual(3.0, 6.0), individual(3.0, 5.0)];
        let selected = select(&siea(), &individual(3.0, 0.0), &offspring);
        assert_eq!(selected, Selected { offspring: Some(2), tie: true, in_range: 2, by_semantics: true });
    }

    #[test]
    fn without_one_in_range_any_of_the_equals_is_taken() {
        let offspring = [individual(3.0, 1.0), individual(2.0, 7.0), individual(3.0, 20.0)];
        let counts = shares(&siea(), &individual(3.0, 0.0), &offspring);
        assert_eq!(counts[1], 0);
        assert!([counts[0], counts[2], counts[3]].iter().all(|count| (900..1_100).contains(count)), "{counts:?}");
    }

    #[test]
    fn without_semantics_the_parent_comes_first_and_then_the_earlier_offspring() {
        let ea = Selection { semantic: None, ..siea() };
        let offspring = [individual(2.0, 0.0), individual(3.0, 7.0), individual(3.0, 7.0)];
        assert_eq!(select(&ea, &individual(3.0, 0.0), &offspring).offspring, None);
        assert_eq!(select(&ea, &individual(2.5, 0.0), &offspring).offspring, Some(1));
        let comma = Selection { form: Form::Comma, ..ea };
        assert_eq!(select(&comma, &individual(9.0, 0.0), &offspring).offspring, Some(1));
    }

    #[test]
    fn the_literal_rule_takes_any_offspring_but_in_one_case() {
        let literal = SemanticSelection { rule: SemanticRule::Literal, ..SemanticSelection::default() };
        let literal = Selection { semantic: Some(literal), ..siea() };
        let unique = [individual(1.0, 7.0), individual(3.0, 7.0), individual(2.0, 7.0)];
        let counts = shares(&literal, &individual(9.0, 0.0), &unique);
        assert_eq!(counts[3], 0, "the parent never stays");
        assert!(counts[..3].iter().all(|count| (900..1_100).contains(count)), "{counts:?}");
        let one_in_range = [individual(3.0, 7.0), individual(3.0, 1.0), individual(2.0, 7.0)];
        assert!(shares(&literal, &individual(0.0, 0.0), &one_in_range)[2] > 900);
        let two_in_range = [individual(3.0, 9.0), individual(3.0, 8.0), individual(2.0, 6.0)];
        assert_eq!(select(&literal, &individual(0.0, 0.0), &two_in_range).offspring, Some(1));
    }

    #[test]
    fn tie_epsilon_widens_what_is_equal() {
        let offspring = [individual(3.0, 0.0), individual(2.8, 7.0)];
        let wide = SemanticSelection { tie_epsilon: 0.25, ..SemanticSelection::default() };
        let wide = Selection { semantic: Some(wide), ..siea() };
        assert_eq!(select(&siea(), &individual(0.0, 0.0), &offspring).offspring, Some(0));
        assert_eq!(select(&wide, &individual(0.0, 0.0), &offspring).offspring, Some(1));
    }

    #[test]
    fn a_parent_that_was_not_evaluated_has_no_distance() {
        let comma = Selection { form: Form::Comma, ..siea() };
        let offspring = [individual(3.0, 7.0), individual(3.0, 7.0)];
        let selected = comma.select(None, &offspring, &mut Key::experiment(3).stream());
        assert!(selected.tie && !selected.by_semantics && selected.in_range == 0);
    }
}
