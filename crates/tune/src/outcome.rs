//! The result of a tuning.

use super::candidates::Candidate;
use super::centres::{DistributionOutcome, distribution};
use super::course::{Differences, Group};
use super::method::Model;
use super::methods::TuningMethod;
use super::scores::{DeckScore, distinct_means};
use super::selection::Selection;
use super::standing::CandidateStanding;
use super::surfaced::{Predicted, SurfaceOutcome, surface};
use super::tuning::Tuning;
use evouct_base::plural::{counted, is_or_are};
use evouct_base::seed::Key;
use evouct_league::series::Stage;
use evouct_stats::bootstrap::DEFAULT_RESAMPLES;
use evouct_stats::distinct::Distinct;
use evouct_stats::holm::holm;
use evouct_stats::permutation::sign_flip;
use evouct_stats::t_test::TTest;
use evouct_stats::{Interval, SIGNIFICANCE_LEVEL, Summary, t_test};
use serde::Serialize;
use serde_json::{Map, Value as Json};

/// The result of a tuning, as `report.json` has it. Differences are in points per game; in several games in standard
/// deviations of a deck.
#[derive(Clone, Debug, Serialize)]
pub struct TuningOutcome {
    /// The name of the experiment.
    pub experiment: String,
    /// The tuned player.
    pub player: String,
    /// What was tuned.
    pub over: Vec<String>,
    /// Players that the candidates played against.
    pub opponents: Vec<String>,
    /// The seed of the experiment.
    pub seed: u64,
    /// Games given.
    pub budget: u64,
    /// How the best candidate was found.
    #[serde(skip_serializing_if = "evouct_base::is_default")]
    pub method: TuningMethod,
    /// The players that were compared, best first; those that left earlier stand below. By a surface or CMA-ES the best, the
    /// default and those with games.
    pub candidates: Vec<CandidateRow>,
    /// The candidate with the best estimate, which may be the default.
    pub winner: String,
    /// The best candidate other than the default: the held-out stage compares it with the default.
    pub challenger: String,
    /// Its spec.
    pub challenger_spec: String,
    /// The challenger less the default on the held-out decks: head to head and, if the file has opponents, against
    /// these.
    pub held_out: Vec<Comparison>,
    /// Of several games, what the held-out decks of each show, in points per game; none of one game.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub by_game: Vec<GameComparison>,
    /// What the held-out stage shows.
    pub finding: Finding,
    /// The surface, if the method has one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub surface: Option<SurfaceOutcome>,
    /// The distribution, if the method has one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub distribution: Option<DistributionOutcome>,
    /// The unit of differences.
    #[serde(skip)]
    pub(super) unit: &'static str,
    /// The number of players beside the default that could play.
    #[serde(skip)]
    pub(super) others: usize,
    /// The time that players thought in all games, in seconds.
    #[serde(skip)]
    pub(super) seconds: f64,
    /// The challenger as a player.
    #[serde(skip)]
    pub(super) challenger_player: Candidate,
    /// Its stages, for the digest.
    #[serde(skip)]
    pub(super) stages: Vec<Stage>,
}

/// A candidate with its estimate, which is too high for those that went on, because they were selected by it.
#[derive(Clone, Debug, Serialize)]
pub struct CandidateRow {
    /// Its name.
    pub name: String,
    /// The tuned parameters with their values.
    pub parameters: Map<String, Json>,
    /// Whether this is the player as the file has it.
    pub is_default: bool,
    /// Distinct decks that it played against every opponent.
    pub decks: u64,
    /// Further decks, which repeat earlier ones and are no evidence; absent where there are none.
    #[serde(skip_serializing_if = "evouct_base::is_default")]
    pub repeats: u64,
    /// The mean score difference over the opponents; none without decks.
    pub mean: Option<f64>,
    /// Its 95 % t-interval over decks.
    pub interval: Option<Interval>,
    /// What the surface has for it, if the method has one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub predicted: Option<Predicted>,
    /// Games that failed.
    pub failed: u64,
    /// The round after which it left, from 1; none for the winner and for a default that did not take part.
    pub left: Option<usize>,
    /// The estimate after each round that it played, over all its decks until then.
    #[serde(skip)]
    pub estimates: Vec<f64>,
}

/// The challenger less the default on the held-out decks of a game.
#[derive(Clone, Debug, Serialize)]
pub struct GameComparison {
    /// The name of its experiment.
    pub game: String,
    /// Whether no round played it.
    pub held_out: bool,
    /// What is compared; p-values are not corrected.
    #[serde(flatten)]
    pub comparison: Comparison,
}

/// The challenger less the default on the held-out decks.
#[derive(Clone, Debug, Serialize)]
pub struct Comparison {
    /// `head to head`, or `against the opponents`.
    pub what: &'static str,
    /// Distinct decks.
    pub decks: u64,
    /// Further decks, which repeat earlier ones and are no evidence; absent where there are none.
    #[serde(skip_serializing_if = "evouct_base::is_default")]
    pub repeats: u64,
    /// The mean difference; none without decks.
    pub mean: Option<f64>,
    /// Its 95 % t-interval over decks.
    pub interval: Option<Interval>,
    /// The two-sided p-value of the paired t-test over decks.
    pub p: Option<f64>,
    /// The same after Holm's correction over the comparisons.
    pub holm: Option<f64>,
    /// The two-sided p-value of the sign-flip permutation test on the same decks.
    pub permutation: Option<f64>,
    /// The paired t-test.
    #[serde(skip)]
    pub(super) test: Option<TTest>,
}

/// What the held-out stage shows after Holm's correction.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Finding {
    /// The challenger is better than the default.
    Better,
    /// It is worse.
    Worse,
    /// Significantly better in one comparison and worse in the other.
    Mixed,
    /// No difference is significant.
    Nothing,
}

/// So many decks, and how many of them are distinct where not all are: `6 decks, 1 distinct`.
pub(super) fn decks_of(noun: &str, decks: u64, repeats: u64) -> String {
    match repeats {
        0 => counted(decks, noun),
        repeats => format!("{}, {decks} distinct", counted(decks + repeats, noun)),
    }
}

impl TuningOutcome {
    /// What decks that repeat earlier ones mean, in a sentence; none where all are distinct.
    pub(super) fn repeats(&self) -> Option<String> {
        let held_out = self.held_out.iter().map(|row| row.repeats);
        let repeats: u64 = self.candidates.iter().map(|row| row.repeats).chain(held_out).sum();
        (repeats > 0).then(|| {
            format!(
                "{} {} earlier games of the same players, move by move, and {} no evidence. In a game without chance, openings = \
                 {{ plies = 4 }} in the file makes decks differ.",
                counted(repeats, "deck"),
                if repeats == 1 { "repeats" } else { "repeat" },
                is_or_are(repeats)
            )
        })
    }

    /// The outcome of a tuning, by differences on held-out decks, over all games and by game.
    pub(super) fn of(
        tuning: &Tuning,
        candidates: Vec<Candidate>,
        selection: &Selection,
        differences: &Differences,
        by_game: Vec<Differences>,
        groups: &[Group],
    ) -> TuningOutcome {
        let [winner, challenger] = selection.best();
        let (surface, predicted) = surface(tuning, selection, winner).unzip();
        let of_surface = |place: usize| predicted.as_ref()?.get(place.checked_sub(1)?).copied();
        let row = |(place, standing): (usize, &CandidateStanding)| {
            (place, CandidateRow::of(&candidates[place], place == 0, standing, of_surface(place)))
        };
        let mut rows: Vec<(usize, CandidateRow)> = selection.standings.iter().enumerate().map(row).collect();
        if tuning.options.method.model() != Model::None {
            rows.retain(|(place, row)| *place == 0 || *place == winner || row.decks + row.failed > 0);
        }
        // The winner, then those that left last; within a round the better first.
        rows.sort_by(|(a, row), (b, other)| {
            let out = |place: usize, row: &CandidateRow| match row.left {
                _ if place == winner => usize::MAX,
                Some(left) => left,
                None => 0,
            };
            let mean = |row: &CandidateRow| {
                row.predicted.map(|predicted| predicted.mean).or(row.mean).unwrap_or(f64::NEG_INFINITY)
            };
            out(*b, other).cmp(&out(*a, row)).then(mean(other).total_cmp(&mean(row)))
        });
        let mut held_out = Comparison::all(differences, tuning.experiment.seed);
        let by_game = tuning.games().into_iter().zip(by_game).flat_map(|((game, held_out), differences)| {
            let of = move |comparison| GameComparison { game: game.to_owned(), held_out, comparison };
            Comparison::all(&differences, tuning.experiment.seed).into_iter().map(of)
        });
        let by_game = by_game.collect();
        let p: Vec<Option<f64>> = held_out.iter().map(|comparison| comparison.p).collect();
        for (comparison, corrected) in held_out.iter_mut().zip(holm(&p).unwrap_or_default()) {
            comparison.holm = corrected;
        }
        let shows = |sign: f64| {
            let significant = |comparison: &&Comparison| comparison.holm.is_some_and(|p| p < SIGNIFICANCE_LEVEL);
            held_out.iter().filter(significant).any(|comparison| comparison.mean.is_some_and(|mean| mean * sign > 0.0))
        };
        let finding = match (shows(1.0), shows(-1.0)) {
            (true, false) => Finding::Better,
            (false, true) => Finding::Worse,
            (true, true) => Finding::Mixed,
            (false, false) => Finding::Nothing,
        };
        let opponents: Vec<String> = tuning.opponents.iter().map(|opponent| opponent.name.clone()).collect();
        TuningOutcome {
            experiment: tuning.experiment.name.clone(),
            player: tuning.player().to_owned(),
            over: tuning.options.over.clone(),
            opponents: if opponents.is_empty() { vec![tuning.player().to_owned()] } else { opponents },
            seed: tuning.experiment.seed,
            budget: tuning.options.budget,
            method: tuning.options.method,
            candidates: rows.into_iter().map(|(_, row)| row).collect(),
            winner: candidates[winner].name.clone(),
            challenger: candidates[challenger].name.clone(),
            challenger_spec: candidates[challenger].spec.description(),
            held_out,
            by_game,
            finding,
            surface,
            distribution: distribution(tuning, &candidates, selection),
            unit: tuning.unit(),
            others: candidates.len() - 1,
            seconds: groups.iter().map(|group| group.seconds).sum(),
            challenger_player: candidates[challenger].clone(),
            stages: groups.iter().flat_map(|group| group.stages.clone()).collect(),
        }
    }

    /// The difference that the held-out decks could have shown where they show none, in a sentence.
    pub(super) fn detectable(&self) -> Option<String> {
        let open = self.held_out.iter().filter(|row| row.holm.is_some_and(|p| p >= SIGNIFICANCE_LEVEL));
        let found = evouct_report::detectable("", open.filter_map(|row| row.test.as_ref()), 0, None);
        // The sentence of leagues, whose unit is points.
        found.map(|sentence| sentence.replace("points per game", self.unit))
    }

    /// What the surface has for the best candidate; none for the other methods.
    pub(super) fn predicted(&self) -> Option<Predicted> {
        self.candidates.iter().find(|row| row.name == self.challenger)?.predicted
    }

    /// The finding in one sentence.
    pub fn sentence(&self) -> String {
        let (challenger, player) = (&self.challenger, &self.player);
        match self.finding {
            Finding::Better => format!("{challenger} is better than the default of {player}"),
            Finding::Worse => format!("{challenger}, the best other candidate, is worse than the default of {player}"),
            Finding::Mixed => {
                format!("{challenger} is better than the default of {player} in one comparison, worse in the other")
            }
            Finding::Nothing => format!(
                "nothing is shown: {challenger} does not differ significantly from the default of {player}, which is not \
                 evidence of equality"
            ),
        }
    }
}

impl CandidateRow {
    fn of(
        candidate: &Candidate,
        is_default: bool,
        standing: &CandidateStanding,
        predicted: Option<Predicted>,
    ) -> CandidateRow {
        let decks = Summary::of(&standing.decks);
        CandidateRow {
            name: candidate.name.clone(),
            parameters: candidate.tuned.iter().map(|(row, value)| (row.name.to_owned(), value.to_json())).collect(),
            is_default,
            decks: decks.count(),
            repeats: standing.repeats,
            mean: decks.mean().ok(),
            interval: decks.interval().ok(),
            predicted,
            failed: standing.failed,
            left: standing.left,
            estimates: standing.estimates.clone(),
        }
    }

    /// Its name in tables.
    pub(super) fn label(&self) -> String {
        if self.is_default { format!("{} (default)", self.name) } else { self.name.clone() }
    }

    /// The value of a tuned parameter as text; empty where it has none.
    pub(super) fn value(&self, parameter: &str) -> String {
        let text = |json: &Json| json.as_str().map_or_else(|| json.to_string(), str::to_owned);
        self.parameters.get(parameter).map_or(String::new(), text)
    }
}

impl Comparison {
    /// Head to head, and against the opponents if there are some.
    fn all((head_to_head, against): &Differences, seed: u64) -> Vec<Comparison> {
        let head_to_head = Comparison::of("head to head", head_to_head, seed);
        let against = against.as_ref().map(|decks| Comparison::of("against the opponents", decks, seed));
        [head_to_head].into_iter().chain(against).collect()
    }

    /// The tests on differences by deck. The permutation test is seeded by the experiment's seed.
    fn of(what: &'static str, decks: &[DeckScore], seed: u64) -> Comparison {
        let mut distinct = Distinct::default();
        let decks = distinct_means(&mut distinct, decks.iter());
        let summary = Summary::of(&decks);
        let test = t_test::paired(&summary).ok();
        let mut rng = Key::series("tune", seed).nth(1).boxed_stream();
        Comparison {
            what,
            decks: summary.count(),
            repeats: distinct.repeats(),
            mean: summary.mean().ok(),
            interval: summary.interval().ok(),
            p: test.map(|test| test.p),
            holm: None,
            // However often it is played, one game is no test.
            permutation: sign_flip(&decks, DEFAULT_RESAMPLES, &mut *rng)
                .ok()
                .filter(|_| decks.len() > 1 || distinct.repeats() == 0)
                .map(|test| test.p),
            test,
        }
    }
}
