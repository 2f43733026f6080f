//! The page of a tuning: what the held-out decks show, how the candidates did, and how to repeat it.

use super::outcome::{CandidateRow, Comparison, TuningOutcome, decks_of};
use super::rounds::TuningMethod;
use super::surfaced::{Predicted, SurfaceOutcome};
use super::text::{label, p_value};
use super::tuning::Tuning;
use evouct_base::named::Named;
use evouct_base::plural::counted;
use evouct_report::page::{
    PageFigure, PagePart, TableCell, count, headline, holm, interval, name, number, p_value as of_test, page_of,
    shown as shown_number, signed, table,
};
use evouct_store::VERSION;
use maud::{Markup, html};

/// The page; `tuned` is the winner as a table for an experiment file.
pub(super) fn page(
    tuning: &Tuning,
    outcome: &TuningOutcome,
    figures: &[PageFigure],
    [tuned, digest]: [&str; 2],
) -> String {
    let drawn = |is: fn(&str) -> bool| html! { @for figure in figures.iter().filter(|figure| is(&figure.name)) { (figure.on_page()) } };
    let over = html! {
        div.charts {
            (drawn(|name| name.starts_with("surface-") || name == "guess" || name == "spread"))
            (drawn(|name| name.starts_with("strength-") || name.starts_with("plane-")))
        }
        @if let Some(surface) = &outcome.surface { (smoothness(surface)) }
    };
    let sections: Vec<PagePart> = vec![
        ("headline", "In short", headline(&sentences(tuning, outcome))),
        ("held-out", "Held-out decks", held_out(outcome)),
        ("candidates", "Candidates", candidates(tuning, outcome)),
        ("strength", "Strength over the parameters", over),
        ("rounds", "Rounds", html! { (drawn(|name| name == "rounds" || name == "path")) (rounds(tuning, outcome)) }),
        ("shown", "What is shown and what is not", shown(tuning, outcome)),
        ("repeat", "How to repeat this tuning", repeat(tuning, outcome, digest)),
        ("files", "Files", files(tuned)),
    ];
    let header = html! {
        h1 { (outcome.experiment) ": tuning of " bdi { (outcome.player) } }
        p.lead {
            "Over " (outcome.over.join(" and ")) ", against " (outcome.opponents.join(", ")) ": "
            (counted(outcome.others, "candidate")) " beside the default, "
            (counted(tuning.rounds.rounds.len(), "round")) ", " (counted(tuning.rounds.games(), "game")) ", seed "
            (outcome.seed) "."
        }
    };
    let footer =
        html! { "Written by evouct " (VERSION) " from the records of the tuning, digest " code { (digest) } "." };
    page_of(&format!("{}: tuning", outcome.experiment), &header, sections, &footer)
}

/// What the held-out decks show, the most important first.
fn sentences(tuning: &Tuning, outcome: &TuningOutcome) -> Vec<String> {
    let mut finding = outcome.sentence() + ".";
    if let Some(first) = finding.get(..1).map(str::to_uppercase).filter(|_| finding.starts_with("nothing is shown")) {
        finding.replace_range(..1, &first);
    }
    let mut sentences = vec![finding];
    let of = |row: &Comparison| {
        let (mean, ends, p) = (row.mean?, row.interval?, row.holm?);
        let corrected = if outcome.held_out.len() > 1 { " after Holm's correction over both comparisons" } else { "" };
        let what = if row.what == "head to head" { "Head to head" } else { "Against the opponents" };
        Some(format!(
            "{what}: {mean:+.2} points per game ({:+.2} to {:+.2}), p {}{corrected}, by the paired t-test on {}.",
            ends.low,
            ends.high,
            p_value(p),
            decks_of("held-out deck", row.decks, row.repeats)
        ))
    };
    sentences.extend(outcome.held_out.iter().filter_map(of));
    sentences.extend(outcome.detectable());
    sentences.extend(outcome.repeats());
    if let Some(distribution) = &outcome.distribution {
        sentences.push(match distribution.path.last() {
            Some(last) => format!(
                "{} is the best guess of CMA-ES after {}: the mean of its last centres. The players of the last one, which are \
                 spread about it, have {:+.2} points per game over the opponents.",
                last.candidate,
                counted(tuning.rounds.rounds.len(), "round"),
                last.mean
            ),
            None => format!("No round has a result, so nothing says that {} is the best candidate.", outcome.challenger),
        });
        return sentences;
    }
    if outcome.winner == outcome.player {
        sentences.push(format!("The default of {} has the best estimate of all candidates.", outcome.player));
    }
    let (rounds, challenger) = (counted(tuning.rounds.rounds.len(), "round"), &outcome.challenger);
    let best = if outcome.winner == outcome.player { "best of the others" } else { "best" };
    sentences.push(match (outcome.method, &outcome.surface, outcome.predicted()) {
        _ if tuning.rounds.rounds.is_empty() => format!("{challenger} is the only candidate, so no rounds were played."),
        (_, Some(surface), Some(Predicted { mean, interval })) => format!(
            "{challenger} is where the surface over {} is highest after {rounds}: {mean:+.2} points per game over the \
             opponents ({:+.2} to {:+.2}). A deck has a standard deviation of {:.1} points. The highest point of a surface that is \
             known with errors tends to be too high.",
            counted(tuning.candidates.len() - 1, "candidate"),
            interval.low,
            interval.high,
            surface.deck_sd
        ),
        (TuningMethod::Surface, ..) => {
            format!("The {rounds} have no result, so nothing says that {challenger} is the best candidate.")
        }
        _ => format!(
            "{challenger} is the {best} of {} by {rounds}. Estimates from these rounds are too high for the candidates that \
             advanced.",
            counted(outcome.candidates.len(), "candidate")
        ),
    });
    sentences
}

fn held_out(outcome: &TuningOutcome) -> Markup {
    let row = |row: &Comparison| -> Vec<TableCell> {
        let tests = [of_test(row.p), holm(row.holm), of_test(row.permutation)];
        let ends = interval(row.interval, 1.0, 2, row.mean.unwrap_or_default());
        [name(row.what), count(row.decks), signed(row.mean), ends].into_iter().chain(tests).collect()
    };
    let columns = ["comparison", "decks", "difference", "95 %", "paired t p", "Holm p", "permutation p"];
    html! {
        (table("Held-out comparisons", &columns, outcome.held_out.iter().map(row).collect(), "report.json"))
        p.said {
            "Score of " bdi { (outcome.challenger) } " less that of the default of " bdi { (outcome.player) } ", per game, on decks \
             that no round has. Only these intervals and p-values are valid: the candidate was chosen before the first of these \
             games. A p-value above 0.05 is not evidence of equality."
        }
        p.said { bdi { (outcome.challenger) } " as a player: " code { (outcome.challenger_spec) } }
    }
}

fn candidates(tuning: &Tuning, outcome: &TuningOutcome) -> Markup {
    if outcome.method == TuningMethod::Cma {
        return html! {
            p.said {
                code { "candidates.csv" } " has the candidates with their decks. CMA-ES learns from the order of all of them; the \
                 estimate of a single one rests on few decks."
            }
        };
    }
    let has_surface = outcome.method == TuningMethod::Surface;
    // Columns of texts stand before those of numbers.
    let is_number = |parameter: &str| {
        outcome.candidates.iter().all(|row| row.parameters.get(parameter).is_none_or(serde_json::Value::is_number))
    };
    let all = || tuning.overs.iter().map(|over| over.parameter.name);
    let texts: Vec<&str> = all().filter(|parameter| !is_number(parameter)).collect();
    let parameters: Vec<&str> = texts.iter().copied().chain(all().filter(|parameter| is_number(parameter))).collect();
    let row = |row: &CandidateRow| -> Vec<TableCell> {
        let value = |parameter: &&str| match row.parameters.get(*parameter).and_then(serde_json::Value::as_f64) {
            Some(number) => shown_number(significant(number), number),
            None => name(&row.value(parameter)),
        };
        let left = row.left.map(|round| round as f64);
        let mut cells = vec![name(&label(row))];
        cells.extend(parameters.iter().map(value));
        cells.extend([count(row.decks), signed(row.mean)]);
        cells.push(interval(row.interval, 1.0, 2, row.mean.unwrap_or_default()));
        match has_surface {
            false => cells.push(number(left, 0)),
            true => {
                let mean = row.predicted.map(|one| one.mean);
                let ends = row.predicted.map(|one| one.interval);
                cells.extend([signed(mean), interval(ends, 1.0, 2, mean.unwrap_or_default())]);
            }
        }
        cells.push(count(row.failed));
        cells
    };
    // Names of parameters are no columns that a page explains: `depth` is one of a search here.
    let headings: Vec<String> = parameters.iter().map(|parameter| format!("{parameter} =")).collect();
    let headings: Vec<&str> = headings.iter().map(String::as_str).collect();
    let of_method: &[&str] = match has_surface {
        false => &["left"],
        true => &["surface", "surface 95 %"],
    };
    let columns = [&["candidate"], &headings[..], &["decks", "difference", "95 %"], of_method, &["failed"]].concat();
    let said = match has_surface {
        false => {
            "The best first; those that left earlier stand below. Difference: mean score less that of the opponents, over all decks \
             of the rounds that the candidate played. The estimate of a candidate that advanced is too high, because it \
             advanced by this estimate, and its interval does not say so. Intervals of those that left in the first round rest on \
             few decks."
        }
        true => {
            "The best by the surface first; other candidates without games are left out. Difference: mean score less that of the \
             opponents, over the decks of the candidate alone. Surface: the same by all results, where those of near candidates \
             count. The default plays held-out decks alone."
        }
    };
    html! {
        (table("Candidates", &columns, outcome.candidates.iter().map(row).collect(), "candidates.csv"))
        p.said { (said) }
    }
}

/// How fast strength changes over the parameters.
fn smoothness(surface: &SurfaceOutcome) -> Markup {
    html! {
        p.said {
            "Lengths of the surface: "
            @for (place, (parameter, length)) in surface.lengths.iter().enumerate() {
                @if place > 0 { ", " } (parameter) " " (format!("{:.2}", length.as_f64().unwrap_or_default()))
            }
            ". Strength hardly changes over much less than a length, so a parameter with a large one matters little. Lengths of ranges \
             are shares of them; two values of a list are at distance 1. Strength varies about its mean by a standard deviation of " (format!("{:.1}", surface.amplitude)) " points per game."
        }
    }
}

fn rounds(tuning: &Tuning, outcome: &TuningOutcome) -> Markup {
    // The candidate after a round, and its value or that of the round's players.
    let (surface, distribution) = (outcome.surface.as_ref(), outcome.distribution.as_ref());
    let surfaces = surface.iter().flat_map(|one| &one.path).map(|row| (row.round, &row.candidate, row.predicted.mean));
    let centres = distribution.iter().flat_map(|one| &one.path).map(|row| (row.round, &row.candidate, row.mean));
    let path: Option<Vec<(usize, &String, f64)>> = match outcome.method {
        TuningMethod::Halving => None,
        TuningMethod::Surface | TuningMethod::Cma => Some(surfaces.chain(centres).collect()),
    };
    let recommended = |round: u64| {
        let path = path.as_ref()?;
        let row = path.iter().find(|(of, ..)| *of as u64 == round);
        Some([name(row.map_or("–", |(_, candidate, _)| candidate)), signed(row.map(|(.., value)| *value))])
    };
    let mut rows: Vec<Vec<TableCell>> = (1_u64..)
        .zip(&tuning.rounds.rounds)
        .map(|(round, plan)| {
            let mut row = vec![name(&format!("round {round}")), name(&format!("round-{round}"))];
            let [candidate, value] = recommended(round).map_or([None, None], |cells| cells.map(Some));
            row.extend(candidate);
            row.extend([count(plan.contestants as u64), count(plan.decks), count(plan.games)]);
            row.extend(value);
            row
        })
        .collect();
    let plan = tuning.rounds.held_out;
    let mut last = vec![name("held-out decks"), name("held-out")];
    last.extend(path.as_ref().map(|_| name("–")));
    last.extend([count(2_u64), count(plan.decks), count(plan.games)]);
    last.extend(path.as_ref().map(|_| signed(None)));
    rows.push(last);
    let (columns, method): (&[&str], &str) = match outcome.method {
        TuningMethod::Halving => (
            &["stage", "folder", "contestants", "decks", "games"],
            "Successive halving: the better half of the candidates goes on, with twice as many decks, until two or three are left. ",
        ),
        TuningMethod::Surface => (
            &["stage", "folder", "recommended after it", "contestants", "decks", "games", "surface"],
            "After each round a Gaussian process is fitted to all results (Matérn 5/2, a length for each parameter). The next \
             players are those whose decks are expected to raise the value of the best candidate most. ",
        ),
        TuningMethod::Cma => (
            &["stage", "folder", "best guess after it", "contestants", "decks", "games", "difference"],
            "The players of a round are drawn from a distribution, which CMA-ES moves to the better half of them. The best guess is \
             the mean of the centres after the last quarter of the rounds until then. Difference: the mean of all players of the \
             round less that of the opponents. ",
        ),
    };
    html! {
        (table("Rounds", columns, rows, "tune.json"))
        p.said {
            (method)
            "Each folder is a run with a report of its own"
            @if tuning.opponents.len() > 1 { "; with several opponents there is one for each" }
            @if !tuning.opponents.is_empty() { "; " code { "held-out-opponent-1" } " and so on have the games against the opponents" }
            "."
        }
    }
}

fn shown(tuning: &Tuning, outcome: &TuningOutcome) -> Markup {
    html! {
        ul {
            li {
                "Shown, if the finding above says so: a difference between " bdi { (outcome.challenger) } " and the default of "
                bdi { (outcome.player) } ", for these opponents, rules and budgets of the search."
            }
            li {
                "Not shown: that " bdi { (outcome.challenger) } " is the best of the candidates. "
                @if tuning.rounds.rounds.is_empty() {
                    "There was no other."
                } @else if outcome.method == TuningMethod::Surface {
                    "Intervals of the surface hold if strength changes as smoothly as the fit says; a narrow peak or a step between two \
                     candidates can be missed."
                } @else if outcome.method == TuningMethod::Cma {
                    "CMA-ES follows the mean over a region: it may end at a broad optimum where a narrow one is higher, and stays \
                     away from a step."
                } @else {
                    "Candidates that left early may be better; the rounds separate large differences only."
                }
            }
            @if tuning.overs.len() > 1 {
                li { "Not shown: how strong a value is by itself. Estimates over one parameter are of candidates that differ in others, too." }
            }
            li {
                "A second tuning of the same file with the same seed has the same held-out decks. If this result leads to it, choose \
                 another seed."
            }
        }
    }
}

fn repeat(tuning: &Tuning, outcome: &TuningOutcome, digest: &str) -> Markup {
    let mut words = vec!["evouct".to_owned(), "tune".to_owned(), "experiment.toml".to_owned()];
    words.extend(outcome.over.iter().flat_map(|over| ["--over".to_owned(), over.clone()]));
    words.extend(["--games".to_owned(), outcome.budget.to_string()]);
    if !outcome.method.is_default() {
        words.extend(["--method", outcome.method.name()].map(str::to_owned));
    }
    words.extend(tuning.options.player.iter().flat_map(|player| ["--player".to_owned(), player.clone()]));
    words.extend(tuning.experiment.overrides.options());
    let command: Vec<String> = words.iter().map(|word| quoted(word)).collect();
    html! {
        p { "To repeat this tuning, save the experiment below as a file and tune it. The same version of evouct gives the same digest on every machine." }
        pre { (command.join(" ")) "\nevouct digest runs/" (outcome.experiment) "-tune" }
        dl {
            dt { "evouct" } dd { (VERSION) }
            dt { "seed" } dd { (outcome.seed) }
            dt { "digest" } dd { code { (digest) } }
        }
        details { summary { "experiment.toml" } pre tabindex="0" { (tuning.experiment.toml) } }
    }
}

/// A number with three significant digits, and all of those before the point. The names of candidates and
/// `candidates.csv` have the rest.
fn significant(value: f64) -> String {
    if value.fract() == 0.0 || value.abs() >= 100.0 {
        return format!("{value:.0}");
    }
    format!("{value:.2e}").parse().map_or_else(|_| value.to_string(), |short: f64| short.to_string())
}

/// A word of a command for a shell.
fn quoted(word: &str) -> String {
    let is_plain = |letter: char| letter.is_ascii_alphanumeric() || "-_=.,:/+%".contains(letter);
    if !word.is_empty() && word.chars().all(is_plain) {
        word.to_owned()
    } else {
        format!("'{}'", word.replace('\'', r"'\''"))
    }
}

fn files(tuned: &str) -> Markup {
    html! {
        dl {
            dt { code { "tune.json" } } dd { "the plan: file, options, candidates, rounds" }
            dt { code { "round-1" } " …, " code { "held-out" } } dd { "the runs of the stages" }
            dt { code { "report.json" } } dd { "candidates, estimates, held-out comparisons, finding" }
            dt { code { "candidates.csv" } } dd { "a row per candidate" }
            dt { code { "figures/*.svg" } ", " code { ".csv" } } dd { "the figures, each with its data" }
            dt { code { "tuned.toml" } } dd { "the result as a table for an experiment file:" }
        }
        pre tabindex="0" { (tuned) }
    }
}

#[cfg(test)]
mod tests {
    use super::{quoted, significant};

    #[test]
    fn numbers_have_three_significant_digits() {
        let numbers = [std::f64::consts::SQRT_2, 0.031_622_8, 0.5, 2800.0, 123.4, -1.0].map(significant);
        assert_eq!(numbers, ["1.41", "0.0316", "0.5", "2800", "123", "-1"]);
    }

    #[test]
    fn words_of_a_command_are_quoted_for_a_shell() {
        assert_eq!(["k=0.1..3", "final=mean,visits"].map(quoted), ["k=0.1..3", "final=mean,visits"]);
        assert_eq!(["rating=dv*2", "it's", ""].map(quoted), ["'rating=dv*2'", r"'it'\''s'", "''"]);
    }
}
