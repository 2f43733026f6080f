//! The page of evolutions of several seeds, and what a command prints of them.

use super::table::table_over;
use super::typeset;
use super::{PagePart, columns, document, headline, in_sections};
use crate::formats::block::{Block, Format, print};
use crate::formats::chart::rows::{Dot, dots};
use crate::formats::chart::{Series, lines};
use crate::formats::figure::PageFigure;
use crate::tables::captions;
use crate::tables::evolved::VALIDATION;
use crate::tables::seeds::{CurveRow, FEW, FinalistRow, SeedsReport};
use crate::tables::typed;
use evouct_base::plural::{core_hours, counted};
use evouct_base::table::{Table, Width};
use evouct_gp::Terminal;
use evouct_league::export::csv_file;
use maud::{Markup, html};

/// The files of the report of evolutions of several seeds: the page, its numbers, the figures with their data, and the
/// finalists.
pub fn seeds_documents(report: &SeedsReport, live: Option<&str>) -> Vec<(String, Vec<u8>)> {
    let figures = figures(report);
    let json = serde_json::to_vec_pretty(report).expect("a report is plain data");
    let mut documents = vec![
        ("report.html".to_owned(), page(report, &figures, live).into_bytes()),
        ("report.json".to_owned(), json),
        ("seeds.csv".to_owned(), csv_file(&typed::seeds(report)).into_bytes()),
        ("finalists.csv".to_owned(), csv_file(&typed::finalists(report)).into_bytes()),
    ];
    documents.extend(figures.into_iter().flat_map(PageFigure::documents));
    documents
}

/// The report as a command prints it.
pub fn seeds_summary(report: &SeedsReport, format: Format) -> String {
    let cost = report.core_seconds.map_or(String::new(), |seconds| format!(", {}", core_hours(seconds)));
    let mut blocks = vec![Block::Paragraph(format!("{}: evolutions of several seeds{cost}", report.name))];
    blocks.push(Block::Line(String::new()));
    blocks.extend(report.headline.iter().cloned().map(Block::Paragraph));
    let tables = [
        typed::seeds(report),
        typed::effort_of_seeds(report),
        typed::orders_of_seeds(report),
        typed::finalists(report),
    ];
    blocks.extend(tables.into_iter().filter(|table| !table.is_empty()).map(|table| Block::Table(table, Width::Brief)));
    blocks.extend(report.digest.iter().map(|digest| Block::Line(format!("\ndigest {digest}"))));
    print(&blocks, format)
}

fn figures(report: &SeedsReport) -> Vec<PageFigure> {
    let mut figures = Vec::new();
    if !report.curve.is_empty() {
        figures.push(curve(report));
    }
    if report.seeds.iter().any(|row| row.best.is_some()) {
        figures.push(gains(report));
    }
    figures
}

fn curve(report: &SeedsReport) -> PageFigure {
    let series = |name: &str, dashed: bool, colour: usize, value: &dyn Fn(&CurveRow) -> f64| Series {
        name: name.to_owned(),
        points: report.curve.iter().map(|row| (f64::from(row.generation), value(row))).collect(),
        dashed,
        colour,
    };
    let mut all = vec![series("median", false, 0, &|row| row.best.median)];
    // Of fewer seeds the ends are those of their gains.
    let last = report.curve.last().filter(|row| row.best.count >= FEW);
    if last.is_some() {
        all.push(series("upper end", true, 0, &|row| row.best.interval.high));
        all.push(series("lower end", true, 0, &|row| row.best.interval.low));
    }
    let rows = report.curve.iter().map(|row| {
        let interval = row.best.interval;
        let numbers = [row.best.median, interval.low, interval.high, row.best.coverage, row.ends[0], row.ends[1]];
        let counts = [row.generation.to_string(), row.best.count.to_string()];
        counts.into_iter().chain(numbers.map(|value| value.to_string())).collect()
    });
    let interval = last.map_or_else(
        || "which are too few for an interval".to_owned(),
        |row| {
            let coverage = 100.0 * row.best.coverage;
            format!("and between the dashed lines its interval of {coverage:.0} %, which assumes no distribution")
        },
    );
    let caption = format!(
        "The best training gain of a generation: the median over seeds, {interval}. The best of many noisy values is too high in every seed."
    );
    let drawing = lines("generation", &format!("training gain, {}", report.unit), &all, false);
    PageFigure::new("gain", caption, drawing, "generation seeds median low high coverage least most", rows)
}

fn gains(report: &SeedsReport) -> PageFigure {
    let best = |(row, best): (u64, &FinalistRow)| Dot {
        name: format!("seed {row}"),
        value: best.gain,
        interval: best.half.map(|half| (best.gain - half, best.gain + half)),
        colour: 0,
    };
    let finalists = || report.seeds.iter().filter_map(|row| Some((row.seed, &report.finalists[row.best?])));
    let drawn: Vec<Dot> = finalists().map(best).collect();
    let rows = finalists().map(|(seed, best)| {
        let half = best.half.map_or(String::new(), |half| half.to_string());
        vec![seed.to_string(), best.gain.to_string(), half, best.formula.to_string()]
    });
    let caption = "The validation gain of the best finalist of each seed, with 95 % intervals. It is the best of the \
                   seed's finalists, so that these values are a little too high.";
    let drawing = dots(&format!("{VALIDATION}, {}", report.unit), &drawn);
    PageFigure::new("seeds", caption, drawing, "seed gain half_width formula", rows)
}

fn page(report: &SeedsReport, figures: &[PageFigure], live: Option<&str>) -> String {
    let drawn =
        |wanted: &str| html! { @for figure in figures.iter().filter(|own| own.name == wanted) { (figure.on_page()) } };
    let terminals: Vec<Terminal> =
        Terminal::NAMED.into_iter().chain(report.names.iter().map(|(name, _)| *name)).collect();
    let table = |table: &Table| table_over(table, &terminals);
    let mut sections: Vec<PagePart> = vec![
        ("headline", "In short", headline(&report.headline)),
        ("gain", "Gain by generation", drawn("gain")),
        ("formula", "The champion", champion(report)),
        ("seeds", "Seeds", html! { (drawn("seeds")) (table(&typed::seeds(report))) (links(report)) }),
        ("effort", "Effort to reach a gain", table(&typed::effort_of_seeds(report))),
        ("orders", "Formulas by the order that they induce", table(&typed::orders_of_seeds(report))),
        ("finalists", "Finalists to choose from", table(&typed::finalists(report))),
    ];
    sections.retain(|(id, ..)| match *id {
        "formula" => report.champion.is_some(),
        "effort" => !report.effort.is_empty(),
        "orders" | "finalists" => !report.finalists.is_empty(),
        _ => true,
    });
    sections.push(columns(&sections));
    let header = html! {
        h1 { (report.name) ": " (counted(report.seeds.len(), "seed")) }
        p.lead {
            "Evolutions of selection formulas for " (report.game) ": " (report.complete) " of " (report.seeds.len())
            " seeds complete"
            @if let Some(seconds) = report.core_seconds { ", " (core_hours(seconds)) " of measuring" }
            ". The reference: " code { (report.reference) }
        }
        @if let Some(version) = live { p.lead #live role="status" data-version=(version) {} }
    };
    let footer = html! {
        "Written by evouct " (report.evouct) " from the records of the evolutions"
        @if let Some(digest) = &report.digest { ", digest " code { (digest) } }
        "."
    };
    document(&format!("{}: evolutions", report.name), &in_sections(&header, &sections, &footer), live.is_some())
}

/// The champion, typeset, and the rule by which it was chosen.
fn champion(report: &SeedsReport) -> Markup {
    html! {
        @if let Some(best) = report.champion.map(|champion| &report.finalists[champion]) {
            (typeset::genome(&best.formula))
            p.said { (captions::TYPESET) }
            p.said {
                (report.rule) " The league of " code { "seed-" (best.seed) "/proof.toml" } " tests it on decks that evolution could \
                 not reach."
            }
            (typeset::names(&report.names))
        }
    }
}

/// The pages of the seeds.
fn links(report: &SeedsReport) -> Markup {
    html! {
        p {
            "The pages of the seeds: "
            @for (place, row) in report.seeds.iter().filter(|row| row.generations.is_some()).enumerate() {
                @if place > 0 { ", " }
                a href={ (row.folder) "/report.html" } { (row.seed) }
            }
            "."
        }
    }
}
