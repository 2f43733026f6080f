//! The kit for a paper: one file per table that fits a column, the figures, a paragraph of methods, and a BibTeX entry.

use super::methods::{bibliography, methods};
use super::{NEEDS, environment, escape, mark, origin, tables};
use crate::formats::figure::PageFigure;
use crate::formats::files::Document;
use crate::formats::pdf::pdf;
use crate::formats::pictures::pictures;
use crate::tables::report::Report;
use evouct_base::suggest::nearest;
use evouct_base::table::{Table, TypedColumn, Width};
use evouct_league::config::Experiment;

/// What the kit holds.
#[derive(Clone, Debug, Default)]
pub struct KitOptions {
    /// The beginning of all labels: `tab:PREFIX-ranking`. The name of the run if it is absent.
    pub prefix: Option<String>,
    /// Tables with the columns that they have, by name.
    pub columns: Vec<(String, Vec<String>)>,
}

/// Why a kit was not made.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum KitError {
    /// No game is finished.
    #[error("no game is finished yet")]
    Empty,
    /// The run has no table of this name.
    #[error("there is no table \"{0}\"; this run has {1}")]
    Table(String, String),
    /// The table has no column of this name.
    #[error("table {0} has no column \"{1}\"{2}; it has {3}")]
    Column(String, String, String, String),
    /// A figure could not be drawn.
    #[error("figure {0} cannot be drawn: {1}")]
    Figure(String, String),
    /// A prefix that a label cannot have.
    #[error("a prefix is made of letters, digits and - : ., found \"{0}\"")]
    Prefix(String),
}

/// The files of the kit: `ranking.tex`, `significance.tex` …, `figure-ratings.pdf` and `figure-ratings.tex` …,
/// `methods.tex`, `evouct.bib`.
///
/// # Errors
/// If no game is finished, if a table, a column or a prefix is not one, or if a figure cannot be drawn.
pub fn paper_kit(experiment: &Experiment, report: &Report, options: &KitOptions) -> Result<Vec<Document>, KitError> {
    let tables = tables(report);
    if tables.is_empty() {
        return Err(KitError::Empty);
    }
    let prefix = match &options.prefix {
        Some(prefix) => prefix.clone(),
        None => report.name.replace('_', "-"),
    };
    if prefix.is_empty() || !prefix.chars().all(|letter| letter.is_ascii_alphanumeric() || "-:.".contains(letter)) {
        return Err(KitError::Prefix(prefix));
    }
    if let Some((name, _)) = options.columns.iter().find(|(name, _)| tables.iter().all(|table| table.name != name)) {
        let names: Vec<&str> = tables.iter().map(|table| table.name).collect();
        return Err(KitError::Table(name.clone(), names.join(", ")));
    }
    let mut documents = Vec::new();
    for table in &tables {
        let chosen = options.columns.iter().rfind(|(name, _)| name == table.name);
        let columns = match chosen {
            Some((_, keys)) => keys.iter().map(|key| column(table, key)).collect::<Result<Vec<_>, _>>()?,
            None => table.shown(Width::Narrow).collect(),
        };
        let text = format!(
            "% From {}.\n{NEEDS}{}",
            origin(report),
            environment(report, table, &format!("{prefix}-{}", table.name), &columns, true)
        );
        documents.push((format!("{}.tex", table.name), text.into_bytes()));
    }
    for picture in &pictures(report) {
        let title = format!("{}: {}", report.name, picture.name);
        let page = pdf(&picture.drawing, &title).map_err(|problem| KitError::Figure(picture.name.clone(), problem))?;
        documents.push((format!("figure-{}.pdf", picture.name), page));
        documents.push((format!("figure-{}.tex", picture.name), figure(report, picture, &prefix).into_bytes()));
    }
    documents.push(("methods.tex".to_owned(), methods(experiment, report).into_bytes()));
    documents.push(("evouct.bib".to_owned(), bibliography(report).into_bytes()));
    Ok(documents)
}

/// The `figure` environment of a picture.
fn figure(report: &Report, picture: &PageFigure, prefix: &str) -> String {
    let PageFigure { name, caption, .. } = picture;
    format!(
        "% From {}.\n% Needs \\usepackage{{graphicx}}, and \\graphicspath{{{{FOLDER/}}}} where the document is in another folder.\n\
         \\begin{{figure}}\n\\centering\n\\includegraphics[width=\\columnwidth]{{figure-{name}.pdf}}\n\\caption{{{}{}}}\n\
         \\label{{fig:{prefix}-{name}}}\n\\end{{figure}}\n",
        origin(report),
        mark(report),
        escape(caption)
    )
}

/// Earlier names of columns, by table.
const EARLIER: [(&str, &str, &str); 11] = [
    ("ranking", "won", "wins"),
    ("ranking", "lost", "losses"),
    ("ranking", "drawn", "draws"),
    ("contestants", "n", "units"),
    ("contestants", "p-holm", "holm-p"),
    ("significance", "n", "units"),
    ("significance", "interval", "difference"),
    ("significance", "p-holm", "holm-p"),
    ("significance", "p-permutation", "permutation-p"),
    ("significance", "p-wilcoxon", "wilcoxon-p"),
    ("ratings", "interval", "elo-low"),
];

/// The column of this name.
fn column<'a>(table: &'a Table, key: &str) -> Result<&'a TypedColumn, KitError> {
    let key_of = |column: &TypedColumn| column.key.replace('_', "-");
    let earlier = EARLIER.iter().find(|(name, was, _)| *name == table.name && *was == key);
    let wanted = earlier.map_or(key, |(.., now)| now).replace('_', "-");
    table.shown(Width::Full).find(|column| key_of(column) == wanted).ok_or_else(|| {
        let keys: Vec<String> = table.shown(Width::Full).map(key_of).collect();
        let like = nearest(key, keys.iter().map(String::as_str))
            .map_or(String::new(), |like| format!(" (did you mean \"{like}\"?)"));
        KitError::Column(table.name.to_owned(), key.to_owned(), like, keys.join(", "))
    })
}
