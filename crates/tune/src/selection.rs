//! The course of the rounds of a tuning: who plays the next one, and which candidate is the best.

use super::method::{Rounds, Start, TuningAlgorithm};
use super::rounds::RoundPlan;
use super::standing::{CandidateStanding, RoundResult};
use evouct_base::parameter::Value;
use evouct_stats::Summary;

/// The course of the rounds. Candidates are numbers; 0 is the default.
pub(super) struct Selection<'a> {
    plan: &'a [RoundPlan],
    /// What is known of each candidate.
    pub standings: Vec<CandidateStanding>,
    /// Those that play the next round; after the last one what the method leaves.
    field: Vec<usize>,
    round: usize,
    pub rounds: Box<dyn Rounds + 'a>,
}

impl<'a> Selection<'a> {
    /// Before the first round.
    pub(super) fn new(method: &dyn TuningAlgorithm, start: Start<'a>) -> Selection<'a> {
        let (plan, standings) = (start.rounds, vec![CandidateStanding::default(); start.rows.len() + 1]);
        let mut rounds = method.begin(start);
        let field = rounds.first(plan.first());
        let mut selection = Selection { plan, standings, field, round: 0, rounds };
        selection.add_drawn();
        selection
    }

    fn add_drawn(&mut self) {
        let candidates = self.standings.len().max(self.drawn().len());
        self.standings.resize(candidates, CandidateStanding::default());
    }

    /// The values of all candidates so far, if they are drawn.
    pub(super) fn drawn(&self) -> &[Vec<Value>] {
        self.rounds.drawn()
    }

    /// The candidates of the next round, in the order of their numbers or as they were drawn; none after the last.
    pub(super) fn field(&self) -> Option<(&RoundPlan, &[usize])> {
        Some((self.plan.get(self.round)?, &self.field))
    }

    /// Takes the results of the field.
    pub(super) fn take(&mut self, results: impl IntoIterator<Item = RoundResult>) {
        let mut means = Vec::new();
        for (candidate, RoundResult { decks, repeats, mean, failed }) in self.field.iter().zip(results) {
            means.push((mean, failed > 0));
            let standing = &mut self.standings[*candidate];
            standing.decks.extend(decks);
            standing.repeats += repeats;
            standing.estimates.extend(Summary::of(&standing.decks).mean());
            standing.failed += failed;
            standing.rounds += 1;
        }
        self.round += 1;
        let field = std::mem::take(&mut self.field);
        self.field = self.rounds.next(self.round, self.plan.get(self.round), field, &means, &mut self.standings);
        self.add_drawn();
    }

    /// The best candidate, and the best of those that are not the default.
    pub(super) fn best(&self) -> [usize; 2] {
        self.rounds.best(&self.field)
    }
}

#[cfg(test)]
mod tests {
    use super::super::drawn::Cma;
    use super::super::over::Choice;
    use super::super::surface::BySurface;
    use super::*;
    use evouct_base::seed::Key;

    fn rounds() -> Vec<RoundPlan> {
        let round = |contestants| RoundPlan { contestants, decks: 2, games: 4 * contestants as u64 };
        [4, 2, 2].map(round).to_vec()
    }

    const RANGE: Choice = Choice::Range { low: 0.0, high: 1.0, whole: false };

    fn start<'a>(rounds: &'a [RoundPlan], at: impl IntoIterator<Item = f64>) -> Start<'a> {
        let rows = at.into_iter().map(|at| vec![Value::Real(at)]).collect();
        let (choices, default, is_legal) = (vec![&RANGE], vec![Value::Unset], Box::new(|_: &[Value]| true));
        Start { choices, rounds, rows, default, has_default: true, key: Key::series("tune", 1), is_legal }
    }

    /// Ten places on a line, and the default.
    fn selection(rounds: &[RoundPlan]) -> Selection<'_> {
        Selection::new(&BySurface, start(rounds, (0..10).map(|at| f64::from(at) / 9.0)))
    }

    #[test]
    fn a_candidate_that_fails_is_not_chosen_again() {
        let rounds = rounds();
        let mut selection = selection(&rounds);
        assert_eq!(selection.field().unwrap().1, [1, 2, 3, 4]);
        // The best one by far has a failed game.
        let decks = |at: u32| vec![f64::from(at * at), f64::from(at * at) + 1.0];
        selection.take((0..4).map(|at| RoundResult::of(decks(at), u64::from(at == 3))));
        while let Some((_, field)) = selection.field() {
            assert!(!field.contains(&4) && !field.contains(&0) && field.len() == 2, "{field:?}");
            selection.take([vec![1.0, 2.0], vec![1.5, 2.5]].map(|decks| RoundResult::of(decks, 0)));
        }
        assert_eq!(selection.rounds.path().len(), 3);
        assert!(selection.rounds.path().iter().all(|step| step.candidate != 4));
    }

    /// Whether all games failed, or an opponent could not play them, so that they are neither results nor failures.
    #[test]
    fn rounds_go_on_without_any_result() {
        for failed in [2, 0] {
            let rounds = rounds();
            let mut selection = selection(&rounds);
            let mut players = Vec::new();
            while let Some((round, field)) = selection.field() {
                assert_eq!(field.len(), round.contestants);
                players.extend_from_slice(field);
                let results = vec![RoundResult::of(Vec::new(), failed); field.len()];
                selection.take(results);
            }
            assert_eq!(players, [1, 2, 3, 4, 5, 6, 7, 8]);
            let [best, challenger] = selection.best();
            assert!(best == challenger && (1..=10).contains(&best));
            assert!(selection.rounds.surface(&selection.standings, &[]).is_none());
        }
    }

    /// An interrupted tuning draws the same candidates again from the records.
    #[test]
    fn candidates_are_drawn_by_the_results_before() {
        let rounds = vec![RoundPlan { contestants: 8, decks: 1, games: 16 }; 8];
        let fields = |towards: f64| {
            let mut selection = Selection::new(&Cma, start(&rounds, []));
            let mut fields = Vec::new();
            while let Some((_, field)) = selection.field() {
                let rows = selection.drawn();
                let row = |candidate: &usize| RANGE.coordinate(&rows[*candidate][0]).unwrap();
                let at: Vec<f64> = field.iter().map(row).collect();
                let result = |x: &f64| RoundResult::of(vec![-(x - towards).abs()], 0);
                selection.take(at.iter().map(result).collect::<Vec<RoundResult>>());
                fields.push(at);
            }
            let [best, _] = selection.best();
            let best = RANGE.coordinate(&selection.drawn()[best][0]).unwrap();
            assert_eq!(selection.standings.len(), selection.drawn().len());
            (fields, best)
        };
        let [(low, at), (high, other)] = [fields(0.2), fields(0.8)];
        assert!((low.clone(), at) == fields(0.2) && low.len() == 8);
        assert!(low[0] == high[0] && low[1] != high[1]);
        assert!((at - 0.2).abs() < 0.1 && (other - 0.8).abs() < 0.1, "{at} {other}");
    }

    /// The games of a plan are those that are played.
    #[test]
    fn a_round_has_its_players_where_most_candidates_fail() {
        let rounds = rounds();
        let mut selection = Selection::new(&BySurface, start(&rounds, [0.0, 0.5, 1.0, 0.25]));
        let results = [(vec![1.0, 2.0], 0), (vec![3.0, 1.0], 1), (vec![], 4), (vec![2.0, 5.0], 1)];
        selection.take(results.map(|(decks, failed)| RoundResult::of(decks, failed)));
        while let Some((round, field)) = selection.field() {
            assert!(field.len() == round.contestants && field.contains(&1), "{field:?}");
            let results = vec![RoundResult::of(vec![1.0, 1.5], 0); field.len()];
            selection.take(results);
        }
        assert!(selection.rounds.path().iter().all(|step| step.candidate == 1));
    }
}
