//! What finalists are worth in two objectives, and what is shown of it.

use super::evolved::as_text;
use evouct_base::plural::{counted, is_or_are};
use evouct_gp::Genome;
use evouct_offline::{EvolutionPlan, Finals, Pooled, SecondGain};
use evouct_stats::{SIGNIFICANCE_LEVEL, holm::holm_within};
use serde::Serialize;

/// The two objectives of an evolution: points, and a metric of the game.
#[derive(Clone, Debug, Serialize)]
pub struct Objectives {
    /// The name of the metric.
    pub metric: &'static str,
    /// What it is, with its unit.
    pub about: &'static str,
    /// The metric of the reference in the last stage.
    pub reference: ObjectiveMean,
    /// Finalists of the last stage, the best in points first.
    pub finalists: Vec<ObjectivesRow>,
}

/// A mean with half the width of its 95 % interval; none with fewer than two blocks.
#[derive(Clone, Copy, Debug, Serialize)]
pub struct ObjectiveMean {
    /// The mean.
    pub mean: f64,
    /// Half the width.
    pub half: Option<f64>,
}

/// A finalist in both objectives.
#[derive(Clone, Debug, Serialize)]
pub struct ObjectivesRow {
    /// Its formulas; in JSON as text.
    #[serde(serialize_with = "as_text")]
    pub formula: Genome,
    /// Its gain over the reference, in points per game.
    pub gain: ObjectiveMean,
    /// Its metric.
    pub value: ObjectiveMean,
    /// Its metric less that of the reference on the same decks.
    pub difference: ObjectiveMean,
    /// The p-value of the test that it has more of both than the reference: the larger one of the two one-sided tests
    /// (intersection and union: R. L. Berger, "Multiparameter hypothesis testing and acceptance sampling", Technometrics
    /// 24 (1982)).
    pub p: Option<f64>,
    /// The same by Holm's correction for all candidates that entered the last stage.
    pub holm_p: Option<f64>,
}

impl ObjectiveMean {
    fn of(pooled: &Pooled) -> ObjectiveMean {
        let error = pooled.error();
        ObjectiveMean { mean: pooled.mean(), half: error.is_finite().then_some(1.96 * error) }
    }

    /// Its text with so many decimals.
    pub(crate) fn text(&self, decimals: usize) -> String {
        let half = self.half.map_or(String::new(), |half| format!(" ± {half:.decimals$}"));
        format!("{:.decimals$}{half}", self.mean)
    }
}

impl Objectives {
    /// Those of finals; none of an evolution with one objective.
    pub(super) fn of(plan: &EvolutionPlan, finals: &Finals) -> Option<Objectives> {
        let (second, reference) = (plan.second?, finals.second_of_reference?);
        let row = |(genome, gain): &(Genome, Pooled)| {
            let SecondGain { value, gain: difference } = finals.second_of(genome)?;
            let p = gain.p_not_above().zip(difference.p_not_above()).map(|(points, metric)| points.max(metric));
            let [gain, value, difference] = [gain, &value, &difference].map(ObjectiveMean::of);
            Some(ObjectivesRow { formula: genome.clone(), gain, value, difference, p, holm_p: None })
        };
        let mut finalists: Vec<ObjectivesRow> = finals.ranking.iter().filter_map(row).collect();
        let p_values: Vec<Option<f64>> = finalists.iter().map(|row| row.p).collect();
        let others = finals.entered.saturating_sub(finalists.len());
        let corrected = holm_within(&p_values, others).expect("p-values are from 0 to 1");
        finalists.iter_mut().zip(corrected).for_each(|(row, p)| row.holm_p = p);
        let (metric, about, reference) = (second.name, second.about, ObjectiveMean::of(&reference));
        Some(Objectives { metric, about, reference, finalists })
    }

    /// The finalists that are shown to have more of both objectives than the reference.
    fn shown(&self) -> Vec<&ObjectivesRow> {
        let is_shown = |row: &&ObjectivesRow| row.holm_p.is_some_and(|p| p < SIGNIFICANCE_LEVEL);
        self.finalists.iter().filter(is_shown).collect()
    }

    /// What is shown and what is not, in sentences.
    pub(crate) fn sentences(&self) -> Vec<String> {
        let (metric, shown) = (self.metric, self.shown());
        let finalists = counted(self.finalists.len(), "finalist");
        let basis = format!(
            "one-sided t-tests of both by block, of which the larger p-value counts, level {SIGNIFICANCE_LEVEL}, Holm's \
             correction"
        );
        let most = shown.iter().max_by(|a, b| a.value.mean.total_cmp(&b.value.mean));
        let found = match most {
            Some(most) => format!(
                "{} of {finalists} {} shown to have a higher {metric} than the reference ({}) at no fewer points. The highest is \
                 {}, at a gain of {} points per game",
                shown.len(),
                is_or_are(shown.len()),
                self.reference.text(3),
                most.value.text(3),
                most.gain.text(2)
            ),
            None => format!(
                "None of {finalists} is shown to have a higher {metric} than the reference ({}) at no fewer points",
                self.reference.text(3)
            ),
        };
        vec![
            format!("Two objectives: points and {metric}. {found} ({basis})."),
            format!(
                "Not shown: anything of finalists that fail one of the two tests, that the front is complete, since another seed \
                 finds other formulas, or that a higher {metric} wins points."
            ),
        ]
    }
}
