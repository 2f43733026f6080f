//! The page of an offline evolution.

use super::table::{TableCell, count, name, shown, signed, table};
use super::typeset;
use super::{PagePart, columns, document, headline, in_sections};
use crate::formats::chart::family::{Kin, family};
use crate::formats::chart::{Mark, Series, joined_marks, lines};
use crate::formats::figure::PageFigure;
use crate::tables::evolved::{AncestorRow, EvolvedReport, GainRow};
use maud::{Markup, html};

/// Terminals and islands in a chart; more cannot be distinguished.
const CURVES: usize = 6;

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

/// The best formula, typeset.
fn formula(report: &EvolvedReport) -> Markup {
    html! {
        @if let Some(best) = &report.best {
            (typeset::genome(best))
            p.said {
                "The best finalist, or the best individual so far; protections of divisions and logarithms are not shown. "
                code { "evouct formulas" } " writes it for other programs."
            }
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
        vec![name(&row.formula), count(row.nodes as u64), shown(gain, row.gain)]
    };
    html! {
        @if !rows.is_empty() {
            h3 { (caption) }
            (table(caption, &["formula", "nodes", "gain"], 1, rows.iter().map(cells).collect(), "report.json"))
            p.said { (what) }
        }
    }
}

fn lineage(report: &EvolvedReport) -> Markup {
    let rows = report.lineage.iter().map(|row| {
        let parents: Vec<String> = row.parents.iter().map(usize::to_string).collect();
        vec![
            name(&row.formula),
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
        (table("Lineage", &columns, 1, rows.collect(), "lineage.csv"))
        p.said {
            "The best individual and its ancestors, the youngest first. The tuning of constants after the last generation is not \
             part of it. " code { "lineage.csv" } " has all individuals."
        }
    }
}

fn opponents(report: &EvolvedReport) -> Markup {
    let rows = report.opponents.iter().map(|row| vec![name(&row.opponent), signed(Some(row.difference))]);
    html! {
        (table("Best finalist against each opponent", &["opponent", "difference"], 1, rows.collect(), "opponents.csv"))
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

fn figures(report: &EvolvedReport) -> Vec<PageFigure> {
    let mut figures = Vec::new();
    if !report.fitness.is_empty() {
        figures.push(fitness(report));
    }
    if !report.front.is_empty() {
        figures.push(front(report));
    }
    if report.lineage.len() > 1 {
        figures.push(descent(report));
    }
    if !report.terminals.is_empty() {
        figures.push(terminals(report));
    }
    if !report.shape.is_empty() {
        figures.push(shape(report));
    }
    figures
}

fn fitness(report: &EvolvedReport) -> PageFigure {
    let islands = report.fitness.iter().map(|row| row.island).max().unwrap_or(0);
    let of = |island: usize| report.fitness.iter().filter(move |row| row.island == island);
    let mut series = Vec::new();
    for island in 1..=islands.min(CURVES / 2) {
        let at = |value: fn(&crate::tables::evolved::FitnessRow) -> f64| -> Vec<(f64, f64)> {
            of(island).map(|row| (f64::from(row.generation), value(row))).collect()
        };
        let colour = island - 1;
        series.push(Series {
            name: format!("best, island {island}"),
            points: at(|row| row.best),
            dashed: false,
            colour,
        });
        series.push(Series {
            name: format!("median, island {island}"),
            points: at(|row| row.median),
            dashed: true,
            colour,
        });
    }
    let rows = report.fitness.iter().map(|row| {
        let numbers = [row.best, row.median, row.nodes].map(|value| value.to_string());
        [row.generation.to_string(), row.island.to_string()].into_iter().chain(numbers).collect()
    });
    let left_out = if islands > CURVES / 2 { " The data file has the other islands." } else { "" };
    let caption = if report.is_climb {
        "Gain over the start by generation: the formula as it stands (solid) and the median of its neighbours (dashed). It is the sum \
             of what the steps won in their tests."
                .to_owned()
    } else {
        format!(
            "Gain over the reference in the first stage by generation: the best individual (solid) and the median (dashed). The best of \
                 many noisy values is too high; elites are measured again in each generation.{left_out}"
        )
    };
    let drawing = lines("generation", "gain, points per game", &series, false);
    PageFigure::new("fitness", caption, drawing, "generation island best median mean_nodes", rows)
}

fn front(report: &EvolvedReport) -> PageFigure {
    let mark = |row: &GainRow| Mark {
        at: row.nodes as f64,
        value: row.gain,
        interval: row.half.map(|half| (row.gain - half, row.gain + half)),
        highlighted: false,
    };
    let marks: Vec<Mark> = report.front.iter().map(mark).collect();
    let rows = report.front.iter().map(|row| {
        let half = row.half.map_or(String::new(), |half| half.to_string());
        vec![row.nodes.to_string(), row.gain.to_string(), half, row.formula.clone()]
    });
    let caption = if report.is_climb {
            "The steps of the climb: size against the sum of what the steps won. Bars: 95 % of the last step."
        } else {
            "The front of size against gain in the first stage: no individual of the same size or smaller gains more. Bars: 95 % \
             of the estimate, not corrected for the choice of the best."
        }
        .to_owned();
    let drawing = joined_marks("nodes", "gain, points per game", &marks);
    PageFigure::new("front", caption, drawing, "nodes gain half_width formula", rows)
}

fn descent(report: &EvolvedReport) -> PageFigure {
    let place = |individual: &usize| report.lineage.iter().position(|row| row.individual == *individual);
    let kin = |row: &AncestorRow| Kin {
        at: (f64::from(row.born), row.gain),
        parents: row.parents.iter().filter_map(place).collect(),
        made: row.operator,
        said: format!(
            "individual {}, generation {}, {}: gain {:+.2}, {}",
            row.individual, row.born, row.operator, row.gain, row.formula
        ),
    };
    let kin: Vec<Kin> = report.lineage.iter().map(kin).collect();
    let rows = report.lineage.iter().map(|row| {
        let parents: Vec<String> = row.parents.iter().map(usize::to_string).collect();
        let numbers = [row.individual.to_string(), row.born.to_string(), row.island.to_string()];
        numbers
            .into_iter()
            .chain([row.operator.to_owned(), parents.join(" "), row.gain.to_string(), row.formula.clone()])
            .collect()
    });
    let caption = "The best individual (large) and its ancestors, each joined with its parents: the generation of birth and the \
                   gain in the first stage. The colour says how an individual was made. Gains of a line rise by selection alone, too.";
    let drawing = family(["generation", "gain, points per game"], &kin);
    PageFigure::new("lineage", caption, drawing, "individual generation island operator parents gain formula", rows)
}

fn terminals(report: &EvolvedReport) -> PageFigure {
    let points = |shares: &[f64]| -> Vec<(f64, f64)> {
        shares.iter().enumerate().map(|(place, share)| (place as f64 + 1.0, *share)).collect()
    };
    let series: Vec<Series> = report
        .terminals
        .iter()
        .take(CURVES)
        .enumerate()
        .map(|(colour, row)| Series { name: row.terminal.clone(), points: points(&row.shares), dashed: false, colour })
        .collect();
    let rows = report.terminals.iter().flat_map(|row| {
        let rows = row.shares.iter().enumerate();
        rows.map(|(place, share)| vec![row.terminal.clone(), (place + 1).to_string(), share.to_string()])
    });
    let left_out = match report.terminals.len() {
        count if count > CURVES => format!(" The {CURVES} most used of {count}; the data file has all."),
        _ => String::new(),
    };
    let caption = format!("Share of the individuals born in a generation that use a terminal.{left_out}");
    let drawing = lines("generation", "share", &series, false);
    PageFigure::new("terminals", caption, drawing, "terminal generation share", rows)
}

fn shape(report: &EvolvedReport) -> PageFigure {
    let half = report.shape.len() / 2;
    let series: Vec<Series> = report
        .shape
        .iter()
        .enumerate()
        .map(|(place, curve)| Series {
            name: curve.name.clone(),
            points: curve.points.clone(),
            dashed: curve.is_reference,
            colour: place % half.max(1),
        })
        .collect();
    let rows = report.shape.iter().flat_map(|curve| {
        let rows = curve.points.iter();
        rows.map(|(visits, value)| vec![curve.name.clone(), visits.to_string(), value.to_string()])
    });
    let caption = "Value of a child over its visits by the best formula and by the reference, for N = 400; what the game tells of a move \
                  is 0, half of the game and of the budget are over, sd = 10. A curve that falls faster with visits explores more."
            .to_owned();
    let drawing = lines("visits n of the child", "value", &series, true);
    PageFigure::new("shape", caption, drawing, "curve visits value", rows)
}

/// The lines that a terminal shows first.
pub fn evolved_headline(report: &EvolvedReport) -> String {
    report.headline.iter().map(|sentence| evouct_base::wrap::wrapped(sentence)).collect()
}
