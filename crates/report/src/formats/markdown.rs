//! Printed numbers of several runs beside ours, in Markdown.

use super::printed::Cells;
use crate::tables::captions;
use crate::tables::paper::PrintedComparison;
use crate::tables::report::Report;
use crate::tables::verdicts::Verdicts;
use evouct_base::escape::plain_markdown;
use evouct_base::named::Named;
use evouct_base::plural::noun_of;
use evouct_league::config::{Claim, Reading, Readings, Verdict};

const CELLS: Cells = Cells::Markdown;

/// Every printed number of the reports beside ours, with the interval, the p-value of the difference and a verdict,
/// under tables that count verdicts by run. `runs` are names and reports; those that print nothing are left out. With
/// `readings` the headline counts each printed number once, by the run declared for its table, the other runs stand
/// below, and then the claims outside the tables.
///
/// # Errors
/// A reading of a run that is not given or that prints another table, or a printed table without a reading.
pub fn verdicts(runs: &[(String, Report)], readings: Option<&Readings>) -> Result<String, String> {
    let printed: Vec<(&String, &Report, &PrintedComparison)> =
        runs.iter().filter_map(|(name, report)| Some((name, report, report.paper.as_ref()?))).collect();
    let mut text = match readings {
        None => all_runs(&printed),
        Some(readings) => headline(&printed, &readings.tables)? + &claims(&readings.claims),
    };
    for (name, report, paper) in &printed {
        text.push_str(&format!(
            "\n## {}\n\n{}: {} {}, preset `{}`, seed {}, digest `{}`.\n",
            plain_markdown(name),
            plain_markdown(&place(paper)),
            games(report),
            noun_of(report.scheduled, "game"),
            report.preset,
            report.seed,
            report.digest.digest
        ));
        if let Some(correlations) = captions::correlations(paper) {
            text.push_str(&format!("{correlations}\n"));
        }
        text.push_str(&comparison(paper));
    }
    Ok(text)
}

/// The verdicts on all printed numbers of a run.
fn of_run(paper: &PrintedComparison) -> Verdicts {
    let mut all = Verdicts::default();
    let parts = [
        paper.ranking_verdicts,
        paper.pd_verdicts,
        paper.match_verdicts,
        paper.seat_verdicts,
        paper.pair_verdicts,
        paper.pair_point_verdicts,
    ];
    parts.into_iter().for_each(|part| all += part);
    all
}

/// Verdicts by run and in all.
fn all_runs(printed: &[(&String, &Report, &PrintedComparison)]) -> String {
    let mut table = MarkdownTable::new(&RUN_COLUMNS, 3);
    let mut all = Verdicts::default();
    for run in printed {
        all += of_run(run.2);
        table.row(run_row(run));
    }
    let played: u64 = printed.iter().map(|(_, report, _)| report.finished).sum();
    let cells = ["**all**".to_owned(), String::new(), String::new(), played.to_string()];
    table.row(cells.into_iter().chain(counts(&all)));
    table.text
}

/// The columns of a table of runs.
const RUN_COLUMNS: [&str; 8] =
    ["run", "printed as", "preset", "games", "agree", "differ", "by Holm, table by table", "cannot be compared"];

fn run_row((name, report, paper): &(&String, &Report, &PrintedComparison)) -> impl Iterator<Item = String> {
    let cells = [plain_markdown(name), plain_markdown(&place(paper)), report.preset.clone(), games(report)];
    cells.into_iter().chain(counts(&of_run(paper)))
}

/// Each printed number once, by the declared readings; then the other runs, which are not added up.
fn headline(printed: &[(&String, &Report, &PrintedComparison)], readings: &[Reading]) -> Result<String, String> {
    let columns = [
        "printed as",
        "reading",
        "run",
        "preset",
        "games",
        "agree",
        "differ",
        "by Holm, table by table",
        "cannot be compared",
    ];
    let (mut table, mut all, mut played) = (MarkdownTable::new(&columns, 4), Verdicts::default(), 0);
    for Reading { printed: wanted, run, reading } in readings {
        let Some((name, report, paper)) = printed.iter().find(|(name, ..)| *name == run) else {
            return Err(format!("the reading of {wanted:?} is the run {run:?}, which is not given or prints nothing"));
        };
        if place(paper) != *wanted {
            return Err(format!("the reading of {wanted:?} is the run {run:?}, which prints {:?}", place(paper)));
        }
        all += of_run(paper);
        played += report.finished;
        let texts = [wanted, reading, *name].map(|text| plain_markdown(text));
        let cells = texts.into_iter().chain([report.preset.clone(), games(report)]);
        table.row(cells.chain(counts(&of_run(paper))));
    }
    let cells = ["**all**".to_owned(), String::new(), String::new(), String::new(), played.to_string()];
    table.row(cells.into_iter().chain(counts(&all)));
    let mut others = MarkdownTable::new(&RUN_COLUMNS, 3);
    let mut is_alone = true;
    for run @ (name, _, paper) in printed {
        if !readings.iter().any(|reading| reading.printed == place(paper)) {
            return Err(format!("{name} prints {:?}, for which no reading is declared", place(paper)));
        }
        if !readings.iter().any(|reading| reading.run == **name) {
            others.row(run_row(run));
            is_alone = false;
        }
    }
    let others = if is_alone { String::new() } else { format!("\nOther runs of the same tables:\n\n{}", others.text) };
    Ok(table.text + &others)
}

/// Claims outside the tables with what was found here.
fn claims(claims: &[Claim]) -> String {
    if claims.is_empty() {
        return String::new();
    }
    let mut table = MarkdownTable::new(&["claim", "printed in", "here", "command", "verdict"], 5);
    for Claim { printed, says, here, verdict, command, .. } in claims {
        let texts = [says, printed, here].map(|text| plain_markdown(text));
        let command = command.as_ref().map_or_else(String::new, |command| format!("`{command}`"));
        let mark = if *verdict == Verdict::Differs { "**" } else { "" };
        let verdict = format!("{mark}{}{mark}", verdict.name());
        table.row(texts.into_iter().chain([command, verdict]));
    }
    let count = |(name, verdict): &(&str, Verdict)| {
        format!("{name}: {}", claims.iter().filter(|claim| claim.verdict == *verdict).count())
    };
    let counts: Vec<String> = Verdict::NAMES.iter().map(count).collect();
    format!("\nClaims outside the tables ({}):\n\n{}", counts.join(", "), table.text)
}

fn comparison(paper: &PrintedComparison) -> String {
    let mut text = String::new();
    if !paper.ranking.is_empty() {
        let columns =
            ["player", "rank", "here", "points", "here", "95 %", "p", "verdict", "PD", "here", "p", "verdict"];
        let mut table = MarkdownTable::new(&columns, 1);
        for row in &paper.ranking {
            table.row(CELLS.points(row).into_iter().chain(CELLS.differences(row)));
        }
        text.push_str(&format!("\n{}", table.text));
    }
    if !paper.matches.is_empty() {
        let columns =
            ["player 1", "player 2", "printed", "of", "here", "of", "share of player 1, 95 %", "p", "verdict"];
        let mut table = MarkdownTable::new(&columns, 2);
        paper.matches.iter().for_each(|row| table.row(CELLS.game_counts(row)));
        text.push_str(&format!("\n{}", table.text));
    }
    if !paper.seats.is_empty() {
        let mut table =
            MarkdownTable::new(&["player", "seat", "what", "printed", "of", "here", "of", "p", "verdict"], 3);
        paper.seats.iter().for_each(|row| table.row(CELLS.seat_mean(row)));
        text.push_str(&format!("\n{}", table.text));
    }
    text.push_str(&printed_pairs(paper));
    text
}

/// Printed pairs of players, and their means.
fn printed_pairs(paper: &PrintedComparison) -> String {
    if paper.pairs.is_empty() {
        return String::new();
    }
    let columns = ["player", "against", "printed", "rate, 90 %", "here", "rate, 90 %", "p", "verdict"];
    let mut table = MarkdownTable::new(&columns, 2);
    let mut means = MarkdownTable::new(&["player", "against", "what", "printed", "here", "p", "verdict"], 3);
    for row in &paper.pairs {
        table.row(CELLS.pair(row));
        row.means.iter().for_each(|mean| means.row(CELLS.pair_mean(mean)));
    }
    let has_means = paper.pairs.iter().any(|row| !row.means.is_empty());
    let means = if has_means { format!("\n{}", means.text) } else { String::new() };
    format!("\n{}{means}", table.text)
}

/// A table under construction.
pub(super) struct MarkdownTable {
    text: String,
}

impl MarkdownTable {
    /// Columns from `numbers` on are set to the right. Cells are Markdown: text of users is escaped before.
    pub(super) fn new(columns: &[&str], numbers: usize) -> MarkdownTable {
        let mut table = MarkdownTable { text: String::new() };
        table.row(columns.iter().map(|column| (*column).to_owned()));
        let rules: Vec<&str> = (0..columns.len()).map(|index| if index < numbers { "---" } else { "---:" }).collect();
        table.text.push_str(&format!("|{}|\n", rules.join("|")));
        table
    }

    pub(super) fn row(&mut self, cells: impl IntoIterator<Item = String>) {
        let cells: Vec<String> = cells.into_iter().collect();
        self.text.push_str(&format!("| {} |\n", cells.join(" | ")));
    }

    pub(super) fn text(self) -> String {
        self.text
    }
}

/// Games, and of how many where some are still to be played.
fn games(report: &Report) -> String {
    match report.scheduled {
        scheduled if scheduled > report.finished => format!("{} of {scheduled}", report.finished),
        _ => report.finished.to_string(),
    }
}

fn place(paper: &PrintedComparison) -> String {
    let table = paper.table.as_ref().map(|table| format!("table {table}"));
    [paper.source.clone(), table].into_iter().flatten().collect::<Vec<_>>().join(", ")
}

fn counts(verdicts: &Verdicts) -> [String; 4] {
    let Verdicts { agree, differ, differ_by_holm, not_compared } = verdicts;
    [agree, differ, differ_by_holm, not_compared].map(usize::to_string)
}
