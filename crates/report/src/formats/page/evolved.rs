//! The page of an offline evolution.

mod figures;

use super::objectives::objectives;
use super::table::{TableCell, count, name, shown, signed, table};
use super::typeset;
use super::{PagePart, columns, document, headline, in_sections};
use crate::formats::figure::PageFigure;
use crate::tables::evolved::{EvolvedReport, GainRow};
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

fn page(report: &EvolvedReport, figures: &[PageFigure], live: Option<&str>) -> String {
    let drawn = |wanted: &str| -> Markup {
        html! {
            @for figure in figures.iter().filter(|figure| figure.name == wanted) {
                (figure.on_page())
            }
        }
    };
    let mut sections: Vec<PagePart> = vec![
        ("headline", "In short", headline(&report.headline)),
        ("formula", "The best formula", formula(report)),
        ("fitness", "Fitness by generation", drawn("fitness")),
        (
            "front",
            "Size against gain",
            html! {
                div.beside {
                    (drawn("front"))
                    div { (gains("Front", &report.front, if report.is_climb { OF_CLIMB } else { OF_FIRST_STAGE })) }
                }
                (gains("Finalists", &report.finalists, OF_LAST_STAGE))
            },
        ),
        (
            "objectives",
            "Two objectives",
            html! { @if let Some(second) = &report.second { (objectives(second, &drawn("objectives"))) } },
        ),
        ("opponents", "Opponents", opponents(report)),
        ("lineage", "Lineage", html! { (drawn("lineage")) (lineage(report)) }),
        ("terminals", "Terminals in use", drawn("terminals")),
        ("shape", "Shape of the formula", drawn("shape")),
        ("shown", "What is shown and what is not", claims(report)),
        ("repeat", "How to repeat this evolution", repeat(report)),
        ("files", "Files", files(report)),
    ];
    sections.retain(|(id, ..)| match *id {
        "front" => !report.front.is_empty() || !report.finalists.is_empty(),
        "objectives" => report.second.is_some(),
        "opponents" => !report.opponents.is_empty(),
        _ => true,
    });
    sections.push(columns(&sections));
    let (all, complete) = report.generations;
    let header = html! {
        h1 { (report.name) }
        p.lead {
            "Evolution of selection formulas for " (report.game) ": " (complete) " of " (all) " generations, "
            (report.measurements) " measurements, seed " (report.seed) "."
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

/// The best formula, typeset, and what the names in all formulas of the page mean.
fn formula(report: &EvolvedReport) -> Markup {
    html! {
        @if let Some(best) = &report.best {
            (typeset::genome(best))
            p.said {
                "The best finalist, or the best individual so far; protections of divisions and logarithms are not shown. "
                code { "evouct formulas" } " writes it for other programs."
            }
            (typeset::names(&report.names))
        }
    }
}

/// What a gain is.
const OF_FIRST_STAGE: &str =
    "Gain: mean value less that of the reference on the same units of the first stage, in points per game, ± 95 %.";
const OF_LAST_STAGE: &str =
    "Gain: mean value less that of the reference on the same units of the last stage, in points per game, ± 95 %.";
const OF_CLIMB: &str = "The steps of the climb. Gain: the sum of what the steps up to this one won in games against the formula \
                        before them, in points per game, ± 95 % of this step.";

fn gains(caption: &str, rows: &[GainRow], what: &str) -> Markup {
    let cells = |row: &GainRow| -> Vec<TableCell> {
        let gain = row.half.map_or(format!("{:+.2}", row.gain), |half| format!("{:+.2} ± {half:.2}", row.gain));
        vec![typeset::genome_cell(&row.formula), count(row.nodes as u64), shown(gain, row.gain)]
    };
    html! {
        @if !rows.is_empty() {
            h3 { (caption) }
            (table(caption, &["formula", "nodes", "gain"], rows.iter().map(cells).collect(), "report.json"))
            p.said { (what) }
        }
    }
}

fn lineage(report: &EvolvedReport) -> Markup {
    let rows = report.lineage.iter().map(|row| {
        let parents: Vec<String> = row.parents.iter().map(usize::to_string).collect();
        vec![
            typeset::genome_cell(&row.formula),
            count(row.individual as u64),
            count(row.born),
            count(row.island as u64),
            name(row.operator),
            name(&parents.join(", ")),
            signed(Some(row.gain)),
        ]
    });
    let columns = ["formula", "individual", "generation", "island", "operator", "parents", "gain"];
    html! {
        (table("Lineage", &columns, rows.collect(), "lineage.csv"))
        p.said {
            "The best individual and its ancestors, the youngest first. The tuning of constants after the last generation is not \
             part of it. " code { "lineage.csv" } " has all individuals."
        }
    }
}

fn opponents(report: &EvolvedReport) -> Markup {
    let rows = report.opponents.iter().map(|row| vec![name(&row.opponent), signed(Some(row.difference))]);
    html! {
        (table("Best finalist against each opponent", &["opponent", "difference"], rows.collect(), "opponents.csv"))
        p.said {
            "Mean score of the best finalist less that of the opponent, per game, in the last stage of games. Fitness is the mean over \
             the opponents. The finalist was chosen by these games, so its differences are too high. "
            code { "opponents.csv" } " has all finalists."
        }
    }
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
                    code { "evouct run proof.toml" }
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
                @if report.has_champion { "\nevouct run " (folder) "/proof.toml" }
            }
        }
        dl {
            dt { "evouct" } dd { (report.evouct) }
            dt { "seed" } dd { (report.seed) }
            @if let Some(digest) = &report.digest { dt { "digest" } dd { code { (digest) } } }
            dt { "reference" } dd { code { (report.reference) } }
        }
        details { summary { "evolution.toml" } pre tabindex="0" { (report.toml) } }
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
                dt { code { "champions.toml" } ", " code { "proof.toml" } } dd { "the champion as a player, and the league that tests it" }
            }
        }
    }
}

/// The lines that a terminal shows first.
pub fn evolved_headline(report: &EvolvedReport) -> String {
    report.headline.iter().map(|sentence| evouct_base::wrap::wrapped(sentence)).collect()
}
