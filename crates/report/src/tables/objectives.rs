//! What finalists are worth in two objectives, and what is shown of it.

use super::evolved::as_text;
use evouct_base::plural::{counted, is_or_are};
use evouct_gp::Genome;
use evouct_offline::{EvolutionPlan, Finals, GainEstimate, SecondGain};
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
    fn of(pooled: &GainEstimate) -> ObjectiveMean {
        ObjectiveMean { mean: pooled.mean(), half: pooled.half() }
    }

    /// Its text with so many decimals.
    pub(crate) fn text(&self, decimals: usize) -> String {
        let half = self.half.map_or(String::new(), |half| format!(" ± {half:.decimals$}"));
        format!("{:.decimals$}{half}", self.mean)
    }
}

impl ObjectivesRow {
    fn of(genome: &Genome, gain: &GainEstimate, second: &SecondGain) -> ObjectivesRow {
        let SecondGain { value, gain: difference } = second;
        let p = gain.p_not_above().zip(difference.p_not_above()).map(|(points, metric)| points.max(metric));
        let [gain, value, difference] = [gain, value, difference].map(ObjectiveMean::of);
        ObjectivesRow { formula: genome.clone(), gain, value, difference, p, holm_p: None }
    }
}

impl Objectives {
    /// Those of finals; none of an evolution with one objective, and without finalists.
    pub(super) fn of(plan: &EvolutionPlan, finals: &Finals) -> Option<Objectives> {
        let (second, reference) = (plan.second?, ObjectiveMean::of(finals.second_of_reference.as_ref()?));
        let row =
            |(genome, gain): &(Genome, GainEstimate)| Some(ObjectivesRow::of(genome, gain, &finals.second_of(genome)?));
        let finalists: Vec<ObjectivesRow> = finals.ranking.iter().filter_map(row).collect();
        let all = Objectives { metric: second.name, about: second.about, reference, finalists };
        (!all.finalists.is_empty()).then(|| all.corrected(finals.entered))
    }

    /// The same with p-values corrected for all that entered the last stage.
    fn corrected(mut self, entered: usize) -> Objectives {
        let p_values: Vec<Option<f64>> = self.finalists.iter().map(|row| row.p).collect();
        let others = entered.saturating_sub(self.finalists.len());
        let corrected = holm_within(&p_values, others).expect("p-values are from 0 to 1");
        self.finalists.iter_mut().zip(corrected).for_each(|(row, p)| row.holm_p = p);
        self
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
                "{} of {finalists} {} shown to have more points and a higher mean of {metric} than the reference ({}). The highest \
                 mean is {}, at a gain of {} points per game",
                shown.len(),
                is_or_are(shown.len()),
                self.reference.text(3),
                most.value.text(3),
                most.gain.text(2)
            ),
            None => format!(
                "None of {finalists} is shown to have more points and a higher mean of {metric} than the reference ({})",
                self.reference.text(3)
            ),
        };
        vec![
            format!("Two objectives: points and {metric}. {found} ({basis})."),
            format!(
                "Not shown: anything of finalists that fail one of the two tests, that the front is complete, since another seed \
                 finds other formulas, or that a higher mean of {metric} wins points."
            ),
        ]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A gain that is this in half of the blocks and nothing in the others: the higher, the smaller its p-value.
    fn pooled(gain: f64) -> GainEstimate {
        let mut pooled = GainEstimate::default();
        let own: Vec<f64> = (0..40).map(|block| gain * f64::from(block % 2)).collect();
        pooled.add(&own, &[0.0; 40], [1; 40].into_iter());
        pooled
    }

    fn row(formula: &str, points: f64, metric: f64) -> ObjectivesRow {
        let second = SecondGain { value: pooled(2.0 * metric), gain: pooled(metric) };
        ObjectivesRow::of(&Genome::of(formula.parse().unwrap()), &pooled(points), &second)
    }

    #[test]
    fn both_objectives_must_be_above_the_reference() {
        let finalists = vec![row("Q", 3.0, 0.25), row("n", 3.0, -0.25), row("N", -3.0, 0.25), row("Q + n", 1.0, 0.5)];
        let reference = ObjectiveMean { mean: 0.5, half: Some(0.01) };
        let of = |entered: usize| {
            Objectives { metric: "twm", about: "", reference, finalists: finalists.clone() }.corrected(entered)
        };
        let four = of(4);
        // The mean is √39 standard errors above 0: t = 6.245 with 39 degrees of freedom, by SciPy: stats.t.sf.
        let small = four.finalists[0].p.unwrap();
        assert!((small - 1.182_997_332e-7).abs() < 1e-13, "{small}");
        for (row, expected) in four.finalists.iter().zip([small, 1.0 - small, 1.0 - small, small]) {
            assert!((row.p.unwrap() - expected).abs() < 1e-12, "{row:?}");
        }
        let holm = |all: &Objectives| all.finalists.iter().map(|row| row.holm_p.unwrap()).collect::<Vec<_>>();
        assert!((holm(&four)[0] - 4.0 * small).abs() < 1e-12);
        // Those that left before the last round count.
        assert!((holm(&of(30))[0] - 30.0 * small).abs() < 1e-12);
        let said = four.sentences().join(" ");
        assert!(said.contains("2 of 4 finalists are shown to have more points and a higher mean of twm"), "{said}");
        assert!(said.contains("The highest mean is 0.500 ± ") && said.contains("a gain of 0.50 ± "), "{said}");
        let none = Objectives { finalists: finalists[1..3].to_vec(), ..of(4) }.corrected(2);
        assert!(none.sentences()[0].contains("None of 2 finalists is shown"), "{:?}", none.sentences());
    }
}
