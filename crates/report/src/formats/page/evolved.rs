//! The page of an offline evolution.

mod figures;

use super::table::table_over;
use super::typeset;
use super::{PagePart, columns, document, headline, in_sections};
use crate::formats::block::{Format, all_printed};
use crate::formats::figure::PageFigure;
use crate::tables::captions;
use crate::tables::evolved::{EvolvedReport, VALIDATION};
use crate::tables::typed;
use evouct_base::plural::{core_hours, counted};
use evouct_base::table::Table;
use evouct_gp::Terminal;
use figures::figures;
use maud::{Markup, html};

/// The files of the report of an evolution: the page, its numbers, and the figures with their data.
pub fn evolved_documents(report: &EvolvedReport, live: Option<&str>) -> Vec<(String, Vec<u8>)> {
    let figures = figures(report);
    let json = serde_json::to_vec_pretty(report).expect("a report is plain data");
    let mut documents =
        vec![("report.html".to_owned(), page(report, &figures, live).into_bytes()), ("report.json".to_owned(), json)];
    documents.extend(figures.into_iter().flat_map(PageFigure::documents));
    documents
}

/// The front and the finalists.
fn gains(report: &EvolvedReport) -> [Table; 2] {
    let (of_front, what) = if report.is_climb { ("Steps", OF_CLIMB) } else { ("Front", OF_FIRST_STAGE) };
    let stopped = match report.entered.saturating_sub(report.finalists.len()) {
        0 => String::new(),
        count => format!(" The other {} stopped after an earlier stage: see finals.csv.", counted(count, "candidate")),
    };
    [
        typed::gains(of_front, &report.front, [report.gain_in_training(), &in_unit(what, report)]),
        typed::gains("Finalists", &report.finalists, [VALIDATION, &(in_unit(OF_LAST_STAGE, report) + &stopped)]),
    ]
}

/// The tables of the page, as a command prints them.
pub fn evolved_tables(report: &EvolvedReport, format: Format) -> String {
    let [front, finalists] = gains(report);
    let objectives = report.second.as_ref().map(typed::objectives);
    let others = [typed::games(report), typed::opponents(report), typed::lineage(report)];
    let all = [finalists, front].into_iter().chain(objectives).chain(others);
    all_printed(all.filter(|table| !table.is_empty()), format)
}

fn page(report: &EvolvedReport, figures: &[PageFigure], live: Option<&str>) -> String {
    let drawn = |wanted: &str| -> Markup {
        html! {
            @for figure in figures.iter().filter(|figure| figure.name == wanted) {
                (figure.on_page())
            }
        }
    };
    let terminals: Vec<Terminal> =
        Terminal::NAMED.into_iter().chain(report.names.iter().map(|(name, _)| *name)).collect();
    let table = |table: &Table| table_over(table, &terminals);
    let [of_front, of_finalists] = gains(report);
    let titled = |shown: &Table| html! { @if !shown.is_empty() { h3 { (shown.title) } (table(shown)) } };
    let mut sections: Vec<PagePart> = vec![
        ("headline", "In short", headline(&report.headline)),
        ("fitness", "Fitness by generation", drawn("fitness")),
        ("formula", if report.has_champion { "The champion" } else { "The best formula" }, formula(report)),
        (
            "front",
            "Size against gain",
            html! {
                div.beside {
                    (drawn("front"))
                    div { (titled(&of_front)) (titled(&of_finalists)) }
                }
            },
        ),
        (
            "objectives",
            "Two objectives",
            html! { @if let Some(second) = &report.second { (drawn("objectives")) (table(&typed::objectives(second))) } },
        ),
        ("games", "Games", table(&typed::games(report))),
        ("opponents", "Opponents", table(&typed::opponents(report))),
        ("lineage", "Lineage", html! { (drawn("lineage")) (table(&typed::lineage(report))) (operators(report)) }),
        ("terminals", "Terminals in use", drawn("terminals")),
        ("shape", "Shape of the formula", drawn("shape")),
        ("shown", "What is shown and what is not", claims(report)),
        ("repeat", "How to repeat this evolution", repeat(report)),
        ("files", "Files", files(report)),
    ];
    sections.retain(|(id, ..)| match *id {
        "front" => !report.front.is_empty() || !report.finalists.is_empty(),
        "objectives" => report.second.is_some(),
        "games" => !report.games.is_empty(),
        "opponents" => !report.opponents.is_empty(),
        "shape" => !report.shape.is_empty(),
        _ => true,
    });
    sections.push(columns(&sections));
    let (all, complete) = report.generations;
    let header = html! {
        h1 { (report.name) }
        p.lead {
            "Evolution of formulas for " (report.setting) ": " (complete) " of " (all) " generations, "
            (report.measurements) " measurements, seed " (report.seed)
            @if let Some(seconds) = report.core_seconds { span.cost { "; " (core_hours(seconds)) " of measuring" } }
            "."
        }
        @if let Some(version) = live { p.lead #live role="status" data-version=(version) {} }
    };
    let footer = html! {
        "Written by evouct " (report.evouct) " from the records of the evolution"
        @if let Some(digest) = &report.digest { ", digest " code { (digest) } }
        @if !report.bank.is_empty() { ", bank " code { (report.bank) } }
        "."
    };
    let body = in_sections(&header, &sections, &footer);
    document(&format!("{}: evolution", report.name), &body, live.is_some())
}

/// What the operators of the lineage do.
fn operators(report: &EvolvedReport) -> Markup {
    html! {
        @if !report.operators.is_empty() {
            dl { @for (name, about) in &report.operators { dt { (name) } dd { (about) } } }
        }
    }
}

/// The best formula, typeset, and what the names in all formulas of the page mean.
fn formula(report: &EvolvedReport) -> Markup {
    html! {
        @if let Some(best) = &report.best {
            p { (meaning(report)) }
            div.beside {
                div {
                    (typeset::genome(best))
                    p.said {
                        (captions::TYPESET) " " code { "evouct formulas" } " writes the formula for other programs."
                    }
                }
                div { (typeset::names(&report.names)) }
            }
        }
    }
}

/// What the formula that stands first is, and what it is not.
fn meaning(report: &EvolvedReport) -> &'static str {
    if report.has_champion {
        "The champion is the finalist that beat the reference on validation decks, with these opponents, rules and budgets. It need \
         not be the best formula that there is, and only its proof shows whether it is stronger on decks that the evolution could \
         not reach."
    } else if report.digest.is_some() {
        "The best finalist. It is no champion: the games on validation decks do not show that it is better than the reference."
    } else {
        "The best individual so far. It is no champion yet: the finals decide that by games on validation decks."
    }
}

/// What a gain is.
const OF_FIRST_STAGE: &str = "Training gain: mean value less that of the reference on the same decks or positions of the first stage, in \
                              points per game, ± 95 %. Evolution selects by it.";
const OF_LAST_STAGE: &str = "Validation gain: mean value less that of the reference on the same decks or positions of the last stage, in \
                             points per game, ± 95 %.";
const OF_CLIMB: &str = "The steps of the climb. Sum of steps: what the steps up to this one won in games against the formula before \
                        them, in points per game, ± 95 % of this step. It is not the gain over the start, and can be larger than any \
                        gain that is possible: the one is measured step by step, the other is the validation gain.";

/// What a gain is, in the unit of the evolution.
fn in_unit(text: &str, report: &EvolvedReport) -> String {
    text.replace("points per game", report.unit)
}

/// What the evolution shows and does not show, with the command that proves it.
fn claims(report: &EvolvedReport) -> Markup {
    html! {
        ul {
            @if report.has_champion {
                li {
                    "Shown on validation decks, after correction for the number of candidates: the champion is better than the \
                     reference, for these opponents, rules and budgets of the search."
                }
                li {
                    "Not shown yet: that it is better on decks which the evolution could not reach. "
                    code { "evouct run " (report.proofs.join(" and evouct run ")) }
                    " in this folder plays them against the reference and each opponent, and its report has the tests."
                }
            } @else {
                li { "Not shown: that any formula is better than the reference. A league that tests it is written once there is a champion." }
            }
            li { "Not shown: the gains of the first stage. The best of many noisy values is too high." }
            li { "Not shown: that the best formula is the only good one. Another seed finds another formula." }
        }
    }
}

fn repeat(report: &EvolvedReport) -> Markup {
    let folder = format!("runs/{}", report.name);
    html! {
        @if let Some(by) = &report.measured_by {
            p { "All values were measured by " bdi { (by) } ", so evouct cannot repeat this evolution." }
        } @else {
            p {
                "To repeat this evolution, save the file below and evolve it. The same version of evouct gives the same digest on every \
                 machine."
                @if !report.bank.is_empty() { " The bank that the file names must have the digest " code { (report.bank) } "." }
            }
            pre {
                "evouct evolve evolution.toml"
                @if let Some(seed) = report.seed_override { " --seed " (seed) }
                "\nevouct digest " (folder)
                @if report.has_champion {
                    @for proof in &report.proofs { "\nevouct run " (folder) "/" (proof) }
                }
            }
        }
        dl {
            dt { "evouct" } dd { (report.evouct) }
            dt { "seed" } dd { (report.seed) }
            @if let Some(digest) = &report.digest { dt { "digest" } dd { code { (digest) } } }
            dt { "reference" } dd { code { (report.reference) } }
        }
        details open { summary { "evolution.toml" } pre tabindex="0" { (report.toml) } }
    }
}

fn files(report: &EvolvedReport) -> Markup {
    html! {
        dl {
            dt { code { "evolution.jsonl" } } dd { "the measurements, a genome in each line" }
            dt { code { "report.json" } } dd { "the numbers of this page" }
            dt { code { "figures/*.svg" } ", " code { ".csv" } } dd { "the figures, each with its data" }
            @if report.digest.is_some() {
                dt { code { "generations.csv" } ", " code { "front.csv" } ", " code { "lineage.csv" } }
                dd { "fitness by generation, the front, all individuals" }
                dt { code { "finals.csv" } ", " code { "opponents.csv" } } dd { "the finalists, and their difference from each opponent" }
            }
            @if report.has_champion {
                dt { code { "champions.toml" } ", " code { (report.proofs.join(", ")) } } dd { "the champion as a player, and the league that tests it" }
            }
        }
    }
}

/// The lines that a terminal shows first.
pub fn evolved_headline(report: &EvolvedReport) -> String {
    report.headline.iter().map(|sentence| evouct_base::wrap::wrapped(sentence)).collect()
}
