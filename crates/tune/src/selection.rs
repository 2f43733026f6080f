//! Which candidates play a round, and which of them is the best: a function of the results so far.

use super::drawn::Drawn;
use super::fitted::{self, Recommended};
use super::over::Choice;
use super::rounds::RoundPlan;
use evouct_base::parameter::Value;
use evouct_stats::Summary;
use evouct_stats::surface::{Places, Surface};

/// What is known of a candidate.
#[derive(Clone, Debug, Default)]
pub(super) struct Standing {
    /// Its mean score difference over the opponents, by distinct deck of all its rounds.
    pub decks: Vec<f64>,
    /// Further decks, which repeat earlier ones.
    pub repeats: u64,
    /// Its games that failed.
    pub failed: u64,
    /// Rounds that it played.
    rounds: usize,
    /// The round of halving after which it left, from 1.
    pub left: Option<usize>,
    /// Its mean after each of its rounds.
    pub estimates: Vec<f64>,
}

impl Standing {
    /// The mean over its decks; below all numbers where it has none.
    fn mean(&self) -> f64 {
        Summary::of(&self.decks).mean().unwrap_or(f64::NEG_INFINITY)
    }
}

/// The results of a player in a round.
#[derive(Clone, Debug, Default)]
pub(super) struct RoundResult {
    /// Its mean score difference, by deck that repeats none of this and earlier rounds.
    pub decks: Vec<f64>,
    /// Decks that do.
    pub repeats: u64,
    /// The mean over all its decks; none without one.
    pub mean: Option<f64>,
    /// Its games that failed.
    pub failed: u64,
}

impl RoundResult {
    /// The results of decks that are all distinct.
    pub(super) fn of(decks: Vec<f64>, failed: u64) -> RoundResult {
        RoundResult { mean: Summary::of(&decks).mean().ok(), decks, repeats: 0, failed }
    }
}

/// By what the players of a round are chosen.
pub(super) enum Way<'a> {
    /// By their own results alone.
    Halving,
    /// By a surface over these places: candidate 1 is place 0.
    Surface(Places),
    /// By a distribution that they are drawn from.
    Drawn(Box<Drawn<'a>>),
}

/// The course of the rounds. Candidates are numbers; 0 is the default.
pub(super) struct Selection<'a> {
    rounds: &'a [RoundPlan],
    /// What is known of each candidate.
    pub standings: Vec<Standing>,
    /// Those that play the next round; after the last round of halving all of it, the best first.
    field: Vec<usize>,
    round: usize,
    way: Way<'a>,
    /// What the surface recommended after each round.
    pub path: Vec<Recommended>,
}

impl<'a> Selection<'a> {
    /// Before the first round. `has_default` says whether the default plays in the rounds of halving.
    pub(super) fn new(rounds: &'a [RoundPlan], candidates: usize, way: Way<'a>, has_default: bool) -> Selection<'a> {
        let (standings, path) = (vec![Standing::default(); candidates], Vec::new());
        let mut selection = Selection { rounds, standings, field: Vec::new(), round: 0, way, path };
        match selection.way {
            Way::Halving => selection.field = (usize::from(!has_default)..candidates).collect(),
            Way::Surface(_) => {
                let first = rounds.first().map_or(candidates, |round| round.contestants);
                selection.field = (1..candidates).take(first).collect();
            }
            Way::Drawn(_) => selection.draw(),
        }
        selection
    }

    /// The candidates that are drawn from a distribution, if they are.
    pub(super) fn drawn(&self) -> Option<&Drawn<'a>> {
        if let Way::Drawn(drawn) = &self.way { Some(drawn) } else { None }
    }

    /// Draws the next round, if there is one. The best guess is a candidate, too.
    fn draw(&mut self) {
        let Way::Drawn(drawn) = &mut self.way else { return };
        if let Some(next) = self.rounds.get(self.round) {
            self.field = drawn.draw(self.round, next.contestants);
        }
        self.standings.resize(drawn.rows().len(), Standing::default());
    }

    /// The candidates of the next round, in the order of their numbers or as they were drawn; none after the last.
    pub(super) fn field(&self) -> Option<(&RoundPlan, &[usize])> {
        Some((self.rounds.get(self.round)?, &self.field))
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
        match &mut self.way {
            Way::Halving => self.halve(),
            Way::Surface(_) => self.recommend(),
            Way::Drawn(drawn) => {
                let has_failed = |candidate: usize| {
                    let standing = self.standings.get(candidate).filter(|standing| standing.rounds > 0)?;
                    Some(standing.failed > 0)
                };
                drawn.learn(self.round, &means, has_failed);
                self.draw();
            }
        }
    }

    fn halve(&mut self) {
        // A player that fails is not chosen; equal ones stay in their order.
        let standings = &self.standings;
        self.field.sort_by(|a, b| {
            let (a, b) = (&standings[*a], &standings[*b]);
            (a.failed > 0).cmp(&(b.failed > 0)).then(b.mean().total_cmp(&a.mean()))
        });
        let next = self.rounds.get(self.round);
        for candidate in self.field.iter().skip(next.map_or(1, |next| next.contestants)) {
            self.standings[*candidate].left = Some(self.round);
        }
        // The last round only ranks.
        if let Some(next) = next {
            self.field.truncate(next.contestants);
            self.field.sort_unstable();
        }
    }

    fn recommend(&mut self) {
        let next = self.rounds.get(self.round);
        let known = self.surface(&[]);
        let Some((surface, variance)) = known else {
            // No game has a result: those that have not played yet, in their order.
            let is_new = |candidate: &usize| {
                let Standing { failed, rounds, .. } = self.standings[*candidate];
                failed == 0 && rounds == 0
            };
            let unplayed = (1..self.standings.len()).filter(is_new);
            let contestants = next.map_or(1, |next| next.contestants);
            self.field = self.filled(unplayed.take(contestants).collect(), contestants);
            return;
        };
        let fails = |place: usize| self.standings[place + 1].failed > 0;
        let eligible: Vec<usize> = (0..self.standings.len() - 1).filter(|place| !fails(*place)).collect();
        let eligible = if eligible.is_empty() { (0..self.standings.len() - 1).collect() } else { eligible };
        let best = fitted::best(&surface, &eligible);
        let (mean, sd) = (surface.mean(best), surface.sd(best));
        self.path.push(Recommended { round: self.round, candidate: best + 1, mean, sd });
        if let Some(next) = next {
            let chosen = fitted::next(surface, &eligible, next.contestants, variance / next.decks as f64);
            self.field = self.filled(chosen.into_iter().map(|place| place + 1).collect(), next.contestants);
        }
    }

    /// A field of as many as the plan has, in the order of their numbers: where too few candidates are left that do not
    /// fail, others fill it.
    fn filled(&self, mut field: Vec<usize>, contestants: usize) -> Vec<usize> {
        let others = (1..self.standings.len()).filter(|candidate| !field.contains(candidate));
        let others: Vec<usize> = others.take(contestants.saturating_sub(field.len())).collect();
        field.extend(others);
        field.sort_unstable();
        field
    }

    /// The best candidate, and the best of those that are not the default.
    pub(super) fn best(&self) -> [usize; 2] {
        if let Some(best) = self.drawn().and_then(|drawn| drawn.best()) {
            return best;
        }
        if let Some(last) = self.path.last() {
            return [last.candidate; 2];
        }
        let best = self.field[0];
        [best, self.field.iter().copied().find(|candidate| *candidate != 0).unwrap_or(best)]
    }

    /// The surface over the places of the candidates and over others, and the variance of a deck; none without results
    /// or for the other methods.
    pub(super) fn surface(&self, others: &[Vec<f64>]) -> Option<(Surface, f64)> {
        let Way::Surface(places) = &self.way else { return None };
        let mut places = places.clone();
        places.coordinates.extend_from_slice(others);
        fitted::fit(&places, &self.standings[1..])
    }
}

impl Way<'_> {
    /// A surface over the places at which these rows of values stand.
    pub(super) fn surface<'v>(choices: &[&Choice], rows: impl IntoIterator<Item = Vec<&'v Value>>) -> Way<'static> {
        let of = |row: Vec<&Value>| {
            // Every value of a candidate is one of its range or list.
            choices.iter().zip(row).map(|(choice, value)| choice.coordinate(value).unwrap_or_default()).collect()
        };
        Way::Surface(Places {
            coordinates: rows.into_iter().map(of).collect(),
            unordered: choices.iter().map(|choice| matches!(choice, Choice::List(_))).collect(),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::super::distribution::Distribution;
    use super::*;
    use evouct_base::seed::Key;

    fn rounds() -> Vec<RoundPlan> {
        let round = |contestants| RoundPlan { contestants, decks: 2, games: 4 * contestants as u64 };
        [4, 2, 2].map(round).to_vec()
    }

    /// Ten places on a line, and the default.
    fn selection(rounds: &[RoundPlan]) -> Selection<'_> {
        let coordinates = (0..10).map(|at| vec![f64::from(at) / 9.0]).collect();
        Selection::new(rounds, 11, Way::Surface(Places { coordinates, unordered: vec![false] }), true)
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
        assert_eq!(selection.path.len(), 3);
        assert!(selection.path.iter().all(|step| step.candidate != 4));
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
            assert!(selection.surface(&[]).is_none());
        }
    }

    /// An interrupted tuning draws the same candidates again from the records.
    #[test]
    fn candidates_are_drawn_by_the_results_before() {
        let range = Choice::Range { low: 0.0, high: 1.0, whole: false };
        let rounds = vec![RoundPlan { contestants: 8, decks: 1, games: 16 }; 8];
        let fields = |towards: f64| {
            let distribution = Distribution::new(vec![&range], &rounds);
            let drawn = Drawn::new(distribution, Key::series("tune", 1), vec![Value::Unset], |_| true);
            let mut selection = Selection::new(&rounds, 1, Way::Drawn(Box::new(drawn)), true);
            let mut fields = Vec::new();
            while let Some((_, field)) = selection.field() {
                let rows = selection.drawn().unwrap().rows();
                let row = |candidate: &usize| range.coordinate(&rows[*candidate][0]).unwrap();
                let at: Vec<f64> = field.iter().map(row).collect();
                let result = |x: &f64| RoundResult::of(vec![-(x - towards).abs()], 0);
                selection.take(at.iter().map(result).collect::<Vec<RoundResult>>());
                fields.push(at);
            }
            let [best, _] = selection.best();
            let best = range.coordinate(&selection.drawn().unwrap().rows()[best][0]).unwrap();
            assert_eq!(selection.standings.len(), selection.drawn().unwrap().rows().len());
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
        let coordinates = [0.0, 0.5, 1.0, 0.25].map(|at| vec![at]).into();
        let mut selection =
            Selection::new(&rounds, 5, Way::Surface(Places { coordinates, unordered: vec![false] }), true);
        let results = [(vec![1.0, 2.0], 0), (vec![3.0, 1.0], 1), (vec![], 4), (vec![2.0, 5.0], 1)];
        selection.take(results.map(|(decks, failed)| RoundResult::of(decks, failed)));
        while let Some((round, field)) = selection.field() {
            assert!(field.len() == round.contestants && field.contains(&1), "{field:?}");
            let results = vec![RoundResult::of(vec![1.0, 1.5], 0); field.len()];
            selection.take(results);
        }
        assert!(selection.path.iter().all(|step| step.candidate == 1));
    }
}
