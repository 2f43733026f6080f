//! The page of a tuning: what the held-out decks show, how the candidates did, and how to repeat it.

use super::method::Model;
use super::outcome::{Comparison, TuningOutcome, decks_of};
use super::surfaced::{Predicted, SurfaceOutcome};
use super::tables;
use super::text::p_value;
use super::tuning::{Tuning, game_name};
use evouct_base::is_default;
use evouct_base::plural::{core_hours, counted};
use evouct_report::page::{PageFigure, PagePart, headline, page_of, table};
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
        @if let Some(surface) = &outcome.surface { (smoothness(surface, outcome.unit)) }
    };
    let rounds = drawn(|name| name == "rounds" || name == "path");
    let mut sections: Vec<PagePart> = vec![
        ("headline", "In short", headline(&sentences(tuning, outcome))),
        ("rounds", "Rounds", rounds),
        ("held-out", "Held-out decks", held_out(outcome)),
        ("candidates", "Candidates", candidates(tuning, outcome)),
        ("strength", "Strength over the parameters", over),
        ("stages", "Stages", table(&tables::rounds(tuning, outcome))),
        ("shown", "What is shown and what is not", shown(tuning, outcome)),
        ("repeat", "How to repeat this tuning", repeat(tuning, outcome, digest)),
        ("files", "Files", files(tuned)),
    ];
    sections.retain(|(_, _, content)| !content.0.is_empty());
    let header = html! {
        h1 { (outcome.experiment) ": tuning of " bdi { (outcome.player) } }
        p.lead {
            "Over " (outcome.over.join(" and ")) ", against " (outcome.opponents.join(", "))
            @if !tuning.further.is_empty() {
                ", in " (tuning.games().into_iter().map(game_name).collect::<Vec<_>>().join(", "))
            }
            ": "
            (counted(outcome.others, "candidate")) " beside the default, "
            (counted(tuning.rounds.rounds.len(), "round")) ", " (counted(tuning.rounds.games(), "game")) ", seed "
            (outcome.seed) "; " span.cost { (core_hours(outcome.seconds)) } " of thinking time."
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
            "{what}: {mean:+.2} {} ({:+.2} to {:+.2}), p {}{corrected}, by the paired t-test on {}.",
            outcome.unit,
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
                 spread about it, have {:+.2} {} over the opponents.",
                last.candidate,
                counted(tuning.rounds.rounds.len(), "round"),
                last.mean,
                outcome.unit
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
    sentences.push(match (outcome.method.model(), &outcome.surface, outcome.predicted()) {
        _ if tuning.rounds.rounds.is_empty() => format!("{challenger} is the only candidate, so no rounds were played."),
        (_, Some(surface), Some(Predicted { mean, interval })) => format!(
            "{challenger} is where the surface over {} is highest after {rounds}: {mean:+.2} {} over the \
             opponents ({:+.2} to {:+.2}). A deck has a standard deviation of {:.1} {}. The highest point of a surface that is \
             known with errors tends to be too high.",
            counted(tuning.candidates.len() - 1, "candidate"),
            outcome.unit,
            interval.low,
            interval.high,
            surface.deck_sd,
            if outcome.by_game.is_empty() { "points" } else { outcome.unit }
        ),
        (Model::Surface, ..) => {
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
    html! {
        (table(&tables::held_out(outcome)))
        @if let Some(by_game) = tables::by_game(outcome) { (table(&by_game)) }
        p.said { bdi { (outcome.challenger) } " as a player: " code { (outcome.challenger_spec) } }
    }
}

fn candidates(tuning: &Tuning, outcome: &TuningOutcome) -> Markup {
    if outcome.method.model() == Model::Distribution {
        return html! {
            p.said {
                code { "candidates.csv" } " has the candidates with their decks. CMA-ES learns from the order of all of them; the \
                 estimate of a single one rests on few decks."
            }
        };
    }
    table(&tables::candidates(tuning.parameters(), outcome))
}

/// How fast strength changes over the parameters.
fn smoothness(surface: &SurfaceOutcome, unit: &str) -> Markup {
    html! {
        p.said {
            "Lengths of the surface: "
            @for (place, (parameter, length)) in surface.lengths.iter().enumerate() {
                @if place > 0 { ", " } (parameter) " " (format!("{:.2}", length.as_f64().unwrap_or_default()))
            }
            ". Strength hardly changes over much less than a length, so a parameter with a large one matters little. Lengths of ranges \
             are shares of them; two values of a list are at distance 1. Strength varies about its mean by a standard deviation of " (format!("{:.1} {unit}", surface.amplitude)) "."
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
                } @else if outcome.method.model() == Model::Surface {
                    "Intervals of the surface hold if strength changes as smoothly as the fit says; a narrow peak or a step between two \
                     candidates can be missed."
                } @else if outcome.method.model() == Model::Distribution {
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
    let file =
        |name: &str| if tuning.further.is_empty() { "experiment.toml".to_owned() } else { format!("{name}.toml") };
    let games: Vec<(&Tuning, bool)> =
        [(tuning, false)].into_iter().chain(tuning.further.iter().map(|game| (&game.tuning, game.held_out))).collect();
    let mut words = vec!["evouct".to_owned(), "tune".to_owned()];
    words.extend(games.iter().filter(|game| !game.1).map(|(game, _)| file(game.name())));
    words.extend(games.iter().filter(|game| game.1).flat_map(|(game, _)| ["--held-out".to_owned(), file(game.name())]));
    words.extend(outcome.over.iter().flat_map(|over| ["--over".to_owned(), over.clone()]));
    words.extend(["--games".to_owned(), outcome.budget.to_string()]);
    if !is_default(&outcome.method) {
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
        @for (game, _) in &games {
            details open { summary { (file(game.name())) } pre tabindex="0" { (game.experiment.toml) } }
        }
    }
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
    use super::quoted;

    #[test]
    fn words_of_a_command_are_quoted_for_a_shell() {
        assert_eq!(["k=0.1..3", "final=mean,visits"].map(quoted), ["k=0.1..3", "final=mean,visits"]);
        assert_eq!(["rating=dv*2", "it's", ""].map(quoted), ["'rating=dv*2'", r"'it'\''s'", "''"]);
    }
}
