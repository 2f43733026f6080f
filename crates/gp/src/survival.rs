//! Survival: which individuals are the next parents. Semantics decides only here, in play and
//! before play.

use super::individual::Sampled;
use super::semantics::Semantics;
use evouct_base::sampling::below;
use rand::Rng;

evouct_base::named! {
    /// Whether the parent competes with its offspring.
    #[derive(Default)]
    pub enum Strategy {
        /// (1 + λ): it does (title, text and Table I of Galván et al. 2022).
        #[default]
        Plus = "plus",
        /// (1, λ): it does not (Algorithms 1 and 2 as printed).
        Comma = "comma",
    }

    /// When semantics decides.
    #[derive(Default)]
    pub enum SemanticCriterion {
        /// Among the equals at the best fitness the one with α < SSD < β nearest α is taken; if there is none, a random
        /// one of the equals. A unique best is taken (the authors' code).
        #[default]
        Ties = "ties",
        /// Algorithm 2 as printed: if several *offspring* share the best fitness and more than one of them is in range,
        /// the one nearest α; otherwise, and also for a unique best, any offspring.
        Literal = "literal",
    }
}

/// How semantics decides between formulas.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SemanticSelection {
    /// When semantics decides.
    pub rule: SemanticCriterion,
    /// How distances are computed.
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
            rule: SemanticCriterion::Ties,
            semantics: Semantics::Sorted,
            alpha: 5.0,
            beta: 10.0,
            tie_epsilon: 0.0,
        }
    }
}

impl Strategy {
    /// Whether a parent, or an offspring, may survive.
    pub fn admits(self, is_parent: bool) -> bool {
        self == Strategy::Plus || !is_parent
    }
}

impl SemanticSelection {
    /// Whether a fitness counts as equal to the best one.
    pub fn is_equal(&self, fitness: f64, best: f64) -> bool {
        fitness >= best - self.tie_epsilon
    }

    /// Those whose distance to the parent is in range, the nearest to α first. Equal distances keep their order.
    pub fn in_range<T>(&self, distances: impl Iterator<Item = (T, f64)>) -> Vec<T> {
        let mut found: Vec<(T, f64)> =
            distances.filter(|(_, distance)| self.alpha < *distance && *distance < self.beta).collect();
        found.sort_by(|(_, a), (_, b)| a.total_cmp(b));
        found.into_iter().map(|(candidate, _)| candidate).collect()
    }
}

/// Selection of the next parents.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Selection {
    /// Plus or comma.
    pub strategy: Strategy,
    /// How semantics decides; without it the first of the best is taken.
    pub semantic: Option<SemanticSelection>,
}

/// A candidate for survival of a generation.
#[derive(Clone, Copy, Debug)]
pub struct SurvivalCandidate<'a> {
    /// The number of the individual.
    pub id: usize,
    /// Whether it is a parent of this generation.
    pub is_parent: bool,
    /// Mean reward and semantics that were measured for it.
    pub fitness: &'a Sampled,
    /// The fitness of the parent of an offspring, if it was measured; none for a parent.
    pub of_parent: Option<&'a Sampled>,
}

/// A survivor, and how it was chosen.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Survivor {
    /// The number of the individual.
    pub id: usize,
    /// Whether several shared the best fitness.
    pub tie: bool,
    /// Number of equals in range.
    pub in_range: usize,
    /// Whether semantics made the choice.
    pub by_semantics: bool,
}

impl Selection {
    /// Chooses the next `mu` parents one after another, each the best of the remaining candidates. Parents precede
    /// offspring among the candidates. With fewer candidates than `mu` all survive.
    pub fn survivors(&self, candidates: &[SurvivalCandidate], mu: usize, rng: &mut impl Rng) -> Vec<Survivor> {
        // The literal rule speaks of offspring only.
        let literal = self.semantic.is_some_and(|semantic| semantic.rule == SemanticCriterion::Literal);
        let strategy = if literal { Strategy::Comma } else { self.strategy };
        let mut left: Vec<SurvivalCandidate> =
            candidates.iter().filter(|candidate| strategy.admits(candidate.is_parent)).copied().collect();
        let mut survivors = Vec::with_capacity(mu);
        while survivors.len() < mu && !left.is_empty() {
            let survivor = self.survivor(&left, rng);
            left.retain(|candidate| candidate.id != survivor.id);
            survivors.push(survivor);
        }
        survivors
    }

    /// Chooses one of the candidates, of which there is at least one.
    fn survivor(&self, candidates: &[SurvivalCandidate], rng: &mut impl Rng) -> Survivor {
        let best = candidates.iter().map(|candidate| candidate.fitness.mean).fold(f64::NEG_INFINITY, f64::max);
        let is_equal = |candidate: &&SurvivalCandidate| match self.semantic {
            Some(semantic) => semantic.is_equal(candidate.fitness.mean, best),
            None => candidate.fitness.mean >= best,
        };
        let equals: Vec<&SurvivalCandidate> = candidates.iter().filter(is_equal).collect();
        let tie = equals.len() > 1;
        // Equals keep their order. If no fitness is a number, the first candidate is taken.
        let first = equals.first().map_or(candidates[0].id, |candidate| candidate.id);
        let mut survivor = Survivor { id: first, tie, in_range: 0, by_semantics: false };
        let Some(semantic) = self.semantic else { return survivor };

        // A parent is at distance 0 of itself, and out of any range.
        let distance = |candidate: &SurvivalCandidate| {
            let between =
                |parent: &Sampled| semantic.semantics.distance(&candidate.fitness.semantics, &parent.semantics);
            candidate.of_parent.map_or(0.0, between)
        };
        let in_range = semantic.in_range(equals.iter().map(|candidate| (candidate.id, distance(candidate))));
        if tie {
            survivor.in_range = in_range.len();
        }
        let enough = match semantic.rule {
            SemanticCriterion::Ties => 1,
            SemanticCriterion::Literal => 2,
        };
        if tie && in_range.len() >= enough {
            survivor.id = in_range[0];
            survivor.by_semantics = true;
        } else if semantic.rule == SemanticCriterion::Literal {
            survivor.id = candidates[below(rng, candidates.len())].id;
        } else if tie {
            survivor.id = equals[below(rng, equals.len())].id;
        }
        survivor
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use evouct_base::seed::Key;

    /// The number of the parent.
    const PARENT: usize = 99;

    fn individual(mean: f64, semantics: f64) -> Sampled {
        Sampled { mean, semantics: vec![semantics; 3] }
    }

    fn siea() -> Selection {
        Selection { strategy: Strategy::Plus, semantic: Some(SemanticSelection::default()) }
    }

    fn candidates<'a>(parent: Option<&'a Sampled>, offspring: &'a [Sampled]) -> Vec<SurvivalCandidate<'a>> {
        let own = parent.map(|fitness| SurvivalCandidate { id: PARENT, is_parent: true, fitness, of_parent: None });
        let bred = offspring.iter().enumerate();
        let bred = bred.map(|(id, fitness)| SurvivalCandidate { id, is_parent: false, fitness, of_parent: parent });
        own.into_iter().chain(bred).collect()
    }

    /// The one survivor, as the number of an offspring; none if the parent stays.
    struct Selected {
        offspring: Option<usize>,
        survivor: Survivor,
    }

    fn choose(selection: &Selection, parent: Option<&Sampled>, offspring: &[Sampled], rng: &mut impl Rng) -> Selected {
        let survivor = selection.survivors(&candidates(parent, offspring), 1, rng)[0];
        let offspring = Some(survivor.id).filter(|id| *id != PARENT);
        Selected { offspring, survivor }
    }

    fn select(selection: &Selection, parent: &Sampled, offspring: &[Sampled]) -> Selected {
        choose(selection, Some(parent), offspring, &mut Key::experiment(1).stream())
    }

    #[test]
    fn the_best_of_all_survive_and_earlier_ones_among_equals() {
        let ea = Selection { semantic: None, ..siea() };
        let (parents, offspring) = ([individual(2.0, 0.0), individual(5.0, 0.0)], [4.0, 5.0, 6.0, 1.0]);
        let offspring = offspring.map(|fitness| individual(fitness, 0.0));
        let own = parents.iter().enumerate();
        let own = own.map(|(id, fitness)| SurvivalCandidate { id, is_parent: true, fitness, of_parent: None });
        let bred = offspring.iter().enumerate().map(|(index, fitness)| SurvivalCandidate {
            id: 2 + index,
            is_parent: false,
            fitness,
            of_parent: Some(&parents[index % 2]),
        });
        let all: Vec<SurvivalCandidate> = own.chain(bred).collect();
        let survive = |selection: &Selection, mu| -> Vec<usize> {
            let survivors = selection.survivors(&all, mu, &mut Key::experiment(1).stream());
            survivors.iter().map(|survivor| survivor.id).collect()
        };
        assert_eq!(survive(&ea, 3), [4, 1, 3]);
        let comma = Selection { strategy: Strategy::Comma, ..ea };
        assert_eq!(survive(&comma, 2), [4, 3]);
        assert_eq!(survive(&comma, 9).len(), 4, "as many as there are");
    }

    /// How often each candidate is chosen; the parent is last.
    fn shares(selection: &Selection, parent: &Sampled, offspring: &[Sampled]) -> Vec<u32> {
        let mut rng = Key::experiment(2).stream();
        let mut counts = vec![0; offspring.len() + 1];
        for _ in 0..3_000 {
            let chosen = choose(selection, Some(parent), offspring, &mut rng).offspring;
            counts[chosen.unwrap_or(offspring.len())] += 1;
        }
        counts
    }

    #[test]
    fn a_unique_best_wins_whatever_its_semantics() {
        let offspring = [individual(1.0, 7.0), individual(3.0, 0.0), individual(2.0, 6.0)];
        let selected = select(&siea(), &individual(2.0, 0.0), &offspring);
        let expected = Survivor { id: 1, tie: false, in_range: 0, by_semantics: false };
        assert_eq!(selected.survivor, expected);
        assert_eq!(select(&siea(), &individual(4.0, 0.0), &offspring).offspring, None);
    }

    #[test]
    fn among_equals_the_one_nearest_alpha_within_the_range_wins() {
        // Distances to the parent: 12, 9, 6, 5 and for the parent itself 0. The bounds are exclusive.
        let offspring = [individual(3.0, 12.0), individual(3.0, 9.0), individual(3.0, 6.0), individual(3.0, 5.0)];
        let selected = select(&siea(), &individual(3.0, 0.0), &offspring);
        let expected = Survivor { id: 2, tie: true, in_range: 2, by_semantics: true };
        assert_eq!(selected.survivor, expected);
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
        let comma = Selection { strategy: Strategy::Comma, ..ea };
        assert_eq!(select(&comma, &individual(9.0, 0.0), &offspring).offspring, Some(1));
    }

    #[test]
    fn the_literal_rule_takes_any_offspring_but_in_one_case() {
        let literal = SemanticSelection { rule: SemanticCriterion::Literal, ..SemanticSelection::default() };
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
        let comma = Selection { strategy: Strategy::Comma, ..siea() };
        let offspring = [individual(3.0, 7.0), individual(3.0, 7.0)];
        let selected = choose(&comma, None, &offspring, &mut Key::experiment(3).stream()).survivor;
        assert!(selected.tie && !selected.by_semantics && selected.in_range == 0);
    }
}
