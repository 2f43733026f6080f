//! `report.html`: a report as one self-contained file.
//!
//! The template escapes every name and text. The exceptions (style, script, drawings, data) consist of numbers and
//! notation, or are escaped where they are generated.

pub(crate) mod compared;
pub(crate) mod evolved;
mod explained;
mod formulas;
mod objectives;
mod play;
mod sections;
pub(crate) mod seeds;
pub(crate) mod table;
mod typeset;

use super::board::{Show, definitions};
use super::figure::PageFigure;
use super::picture::Section;
use crate::tables::captions;
use crate::tables::report::Report;
use crate::tables::typed;
use evouct_base::grouped::grouped;
use evouct_base::plural::{core_hours, counted};
use evouct_league::config::Experiment;
use maud::{DOCTYPE, Markup, PreEscaped, html};
use play::stage;

const STYLE: &str = include_str!("style.css");
/// Makes the text of boards readable: the function `fitBoard`, which all pages with boards share.
pub const FIT: &str = include_str!("fit.js");
const SCRIPT: &str = include_str!("script.js");
const LIVE: &str = include_str!("live.js");
/// The page loads nothing and runs its own scripts only, whatever its text contains; a live page may query its own
/// server. Drawings bring styles of their own.
const POLICY: &str = "default-src 'none'; img-src data:; style-src 'unsafe-inline'; base-uri 'none'";
/// Of a page without forms.
const STILL: &str = "; form-action 'none'";

/// The largest number of pairs whose differences stand beside the first sentences; of more pairs the ratings stand there.
const GLANCE: usize = 15;

/// The contents of a page.
pub(super) struct Page<'a> {
    pub experiment: &'a Experiment,
    pub report: &'a Report,
    pub pictures: &'a [PageFigure],
    pub shows: &'a [Show],
    /// The version of the data that a live page shows; none for a file.
    pub live: Option<&'a str>,
}

impl Page<'_> {
    /// The whole document.
    pub(super) fn html(&self) -> String {
        let report = self.report;
        let sections = self.sections();
        let header = html! {
            h1 { (report.name) }
            @if let Some(about) = &report.about { p.lead { (about) } }
            p.lead { (self.summary()) }
            @if let Some(version) = self.live { p.lead #live role="status" data-version=(version) {} }
        };
        let footer = html! {
            "Written by evouct " (report.evouct) " from the records of the run, digest " code { (report.digest.digest) } "."
        };
        let body = in_sections(&header, &sections, &footer);
        document(&format!("{}: report", report.name), &body, self.live.is_some())
    }

    fn summary(&self) -> String {
        let report = self.report;
        let failed = match report.failures.len() {
            0 => String::new(),
            count => format!(", {count} failed"),
        };
        format!(
            "{}: {} of {} finished{failed}; {}, {}{}; {} playouts, {} of thinking time.",
            self.experiment.rules.with_options(self.experiment.rules.domain().name()),
            grouped(report.finished),
            counted(report.scheduled, "game"),
            counted(self.experiment.players.len(), "player"),
            counted(report.games_per_match, "deck"),
            if report.mirror { ", mirrored" } else { " per match" },
            grouped(report.playouts),
            core_hours(report.seconds)
        )
    }

    /// The sections with content.
    fn sections(&self) -> Vec<PagePart> {
        let report = self.report;
        let mut sections = Vec::new();
        sections.push(("headline", "In short", headline(&report.headline().sentences)));
        let has_differences = self.pictures.iter().any(|picture| picture.section == Section::Significance);
        let first = match has_differences && report.shown_pairs().len() <= GLANCE {
            true => Section::Significance,
            false => Section::Ratings,
        };
        let pictures = |section| html! { @if section != first { (self.pictures(section)) } };
        if report.finished > 0 {
            sections.push(("glance", "At a glance", self.pictures(first)));
            let ranking = html! { (sections::ranking(report)) div.charts { (self.pictures(Section::Ranking)) } };
            sections.push(("ranking", "Ranking", ranking));
            if report.game_seats == 2 {
                sections.push(("matches", "Matches", sections::matches(report)));
            }
            let differences = pictures(Section::Significance);
            sections.push(("significance", "Significance", sections::significance(report, &differences)));
            sections.push(("ratings", "Ratings", sections::ratings(report, &pictures(Section::Ratings))));
            sections.push(("metrics", "Metrics", sections::metrics(report)));
        }
        let charts = self.pictures(Section::Formulas);
        sections.extend(
            formulas::section(self.experiment, report, &charts).map(|content| ("formulas", "Formulas", content)),
        );
        if !report.histograms.is_empty() {
            sections.push(("searches", "Searches", html! { div.charts { (self.pictures(Section::Searches)) } }));
        }
        if report.finished > 0 {
            sections.push(("games", "Games", html! { div.charts { (self.pictures(Section::Games)) } (self.games()) }));
        }
        if let Some(paper) = &report.paper {
            let content = html! { (sections::paper(paper)) div.charts { (self.pictures(Section::Paper)) } };
            sections.push(("paper", "Comparison with the paper", content));
        }
        if !report.faults.is_empty() {
            sections.push(("faults", "Faults", table::table(&typed::faults(report))));
        }
        if !report.failures.is_empty() {
            sections.push(("failures", "Failures", table::table(&typed::failures(report))));
        }
        sections.push(("repeat", "How to repeat this run", sections::repeat(self.experiment, report)));
        sections.push(columns(&sections));
        sections.retain(|(_, _, content)| !content.0.is_empty());
        sections
    }

    fn pictures(&self, section: Section) -> Markup {
        html! {
            @for picture in self.pictures.iter().filter(|picture| picture.section == section) {
                (picture.on_page())
            }
        }
    }

    fn games(&self) -> Markup {
        html! {
            @if !self.shows.is_empty() {
                h3 { "Games move by move" }
                p.said { (captions::GAMES) " " code { "evouct replay RUN --id ID" } }
                (PreEscaped(definitions(&self.experiment.rules)))
                @for (number, show) in self.shows.iter().enumerate() { (stage(show, number == 0)) }
            }
        }
    }
}

/// A section of a page: id, title and content.
pub type PagePart = (&'static str, &'static str, Markup);

/// A page in sections, with links to them and a last section about the columns of their tables.
pub fn page_of(title: &str, header: &Markup, mut sections: Vec<PagePart>, footer: &Markup) -> String {
    sections.push(columns(&sections));
    document(title, &in_sections(header, &sections, footer), false)
}

/// A page in sections, with links to them.
fn in_sections(header: &Markup, sections: &[PagePart], footer: &Markup) -> Markup {
    html! {
        header { (header) }
        nav aria-label="Sections" { ul { @for (id, title, _) in sections { li { a href={ "#" (id) } { (title) } } } } }
        main {
            @for (id, title, content) in sections {
                section aria-labelledby=(id) { h2 id=(id) { (title) } (content) }
            }
        }
        footer { (footer) }
    }
}

/// What the tests show, sentence by sentence.
pub fn headline(sentences: &[String]) -> Markup {
    html! { ul.headline { @for sentence in sentences { li { (unbroken(sentence)) } } } }
}

/// A sentence in which each number stays on one line with its interval: `a ± b` and `(a to b)`.
fn unbroken(sentence: &str) -> Markup {
    let words: Vec<&str> = sentence.split(' ').collect();
    let is_number = |word: Option<&&str>| {
        word.is_some_and(|word| word.trim_matches(|sign| "()[],;:.%".contains(sign)).parse::<f64>().is_ok())
    };
    let joins = |at: usize| ["±", "to", "…"].contains(&words[at]);
    // Whether a word and the next one stay together.
    let stays = |at: usize| {
        let middle = if joins(at) { at } else { at + 1 };
        middle > 0
            && middle < words.len()
            && joins(middle)
            && is_number(words.get(middle - 1))
            && is_number(words.get(middle + 1))
    };
    let parts = words.iter().enumerate().collect::<Vec<_>>();
    html! {
        @for (place, run) in parts.chunk_by(|(at, _), _| stays(*at)).enumerate() {
            @if place > 0 { " " }
            @let text = run.iter().map(|(_, word)| **word).collect::<Vec<_>>().join(" ");
            @if run.len() > 1 { span.whole { (text) } } @else { (text) }
        }
    }
}

/// The section with the meaning of the columns that the tables of these sections have.
fn columns(sections: &[PagePart]) -> PagePart {
    let tables: String = sections.iter().map(|(_, _, content)| content.0.as_str()).collect();
    ("columns", "What the columns mean", explained::list(&tables))
}

/// A self-contained page that shows one game move by move.
pub fn game_page(show: &Show) -> String {
    let body = html! {
        header { h1 { "Game " (show.id) } }
        main { (PreEscaped(definitions(&show.rules))) (stage(show, true)) }
        footer { "Step with the buttons or, with the board in focus, with ← →, Home and End." }
    };
    document(&format!("game {}", show.id), &body, false)
}

fn document(title: &str, body: &Markup, live: bool) -> String {
    let (scripts, allowed) = if live { (&[LIVE][..], "; connect-src 'self'") } else { (&[][..], "") };
    document_with(title, body, &html! {}, scripts, &format!("{STILL}{allowed}"))
}

/// A document with further scripts, and what its head has beside. It is allowed nothing but its own scripts and what the
/// policy says.
pub(crate) fn document_with(title: &str, body: &Markup, head: &Markup, scripts: &[&str], policy: &str) -> String {
    // A text of the page cannot name the number by which scripts run, because that is a hash of all its texts. A page is
    // the same each time it is made.
    let nonce = &blake3::hash(format!("{title}\n{}", body.0).as_bytes()).to_hex()[..32];
    let policy = format!("{POLICY}{policy}; script-src 'nonce-{nonce}'");
    let page = html! {
        (DOCTYPE)
        html lang="en" {
            head {
                meta charset="utf-8";
                meta http-equiv="Content-Security-Policy" content=(policy);
                meta name="viewport" content="width=device-width, initial-scale=1";
                meta name="generator" content={ "evouct " (evouct_store::VERSION) };
                title { (title) }
                // Without an icon a browser requests one from the server.
                link rel="icon" href="data:,";
                (head)
                style { (PreEscaped(STYLE)) }
            }
            body {
                (body)
                script nonce=(nonce) { (PreEscaped(FIT)) (PreEscaped(SCRIPT)) }
                @for script in scripts { script nonce=(nonce) { (PreEscaped(*script)) } }
            }
        }
    };
    page.into_string()
}

#[cfg(test)]
mod tests {
    use super::unbroken;

    #[test]
    fn a_number_and_its_interval_stay_on_one_line() {
        let said = |sentence| unbroken(sentence).into_string();
        let both = "It gains +1.63 ± 0.99 points (+0.64 to +2.63), from 3 to 5.";
        let marked = "It gains <span class=\"whole\">+1.63 ± 0.99</span> points <span class=\"whole\">(+0.64 to +2.63),</span> from \
                      <span class=\"whole\">3 to 5.</span>";
        assert_eq!(said(both), marked);
        for plain in ["to", "± 3 to", "from A to B", "", "one  two"] {
            assert_eq!(said(plain), plain);
        }
        assert_eq!(said("<b> 1 ± 2 to 3"), "&lt;b&gt; <span class=\"whole\">1 ± 2 to 3</span>");
    }
}
