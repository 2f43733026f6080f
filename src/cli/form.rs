//! `--format`: the form in which a command prints, one list of names for all commands.

use super::Outcome;
use crate::error::Failure;
use crate::report::{Format, Screen};
use clap::Args;
use clap::builder::{PossibleValuesParser, TypedValueParser};
use serde::Serialize;
use std::io::{IsTerminal, Write, stdout};
use std::path::Path;

/// The form in which a command prints.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Form {
    /// For a person: fitted to the terminal if there is one.
    Text,
    Markdown,
    Csv,
    Json,
    Latex,
    Html,
}

impl Form {
    fn name(self) -> &'static str {
        match self {
            Form::Text => "text",
            Form::Markdown => "md",
            Form::Csv => "csv",
            Form::Json => "json",
            Form::Latex => "latex",
            Form::Html => "html",
        }
    }

    /// What the printers of tables take; none for the forms that are no lists of tables.
    pub(super) fn of_tables(self) -> Option<Format> {
        match self {
            Form::Text => Some(text()),
            Form::Markdown => Some(Format::Markdown),
            Form::Csv => Some(Format::Csv),
            Form::Latex => Some(Format::Latex),
            Form::Json | Form::Html => None,
        }
    }
}

impl Form {
    /// Prints tables in this form, or the value as JSON, or nothing: a page is printed when it is written.
    pub(super) fn print(
        self,
        out: &mut dyn Write,
        json: &impl Serialize,
        tables: impl Fn(Format) -> String,
    ) -> Outcome {
        match self.of_tables() {
            Some(format) => write!(out, "{}", tables(format))?,
            None if self == Form::Json => {
                writeln!(out, "{}", serde_json::to_string_pretty(json).map_err(Failure::failed)?)?;
            }
            None => {}
        }
        Ok(())
    }

    /// Prints the page of a folder, or below text its path.
    pub(super) fn print_page(self, out: &mut dyn Write, folder: &Path) -> Outcome {
        let page = folder.join("report.html");
        match self {
            Form::Html => print_file(out, &page),
            Form::Text => Ok(writeln!(out, "report {}", page.display())?),
            Form::Markdown | Form::Csv | Form::Json | Form::Latex => Ok(()),
        }
    }
}

/// Prints a file of a report that was written.
pub(super) fn print_file(out: &mut dyn Write, path: &Path) -> Outcome {
    let text =
        std::fs::read_to_string(path).map_err(|error| Failure::Failed(format!("{}: {error}", path.display())))?;
    Ok(write!(out, "{text}")?)
}

/// Text as stdout takes it: for a terminal of its width, or of any width.
fn text() -> Format {
    if !stdout().is_terminal() {
        return Format::Text;
    }
    let width = terminal_size::terminal_size().map_or(crate::wrap::WIDTH, |(width, _)| width.0.into());
    Format::Screen(Screen { width, colour: colour("auto") })
}

/// Whether to write with terminal colours: `auto`, `always` or `never`.
pub(super) fn colour(wanted: &str) -> bool {
    match wanted {
        "always" => true,
        "never" => false,
        _ => stdout().is_terminal() && std::env::var_os("NO_COLOR").is_none(),
    }
}

/// Takes the names of these forms.
pub(super) fn one_of(forms: &'static [Form]) -> impl TypedValueParser<Value = Form> {
    let named = |name: String| *forms.iter().find(|form| form.name() == name).expect("clap knows the names");
    PossibleValuesParser::new(forms.iter().map(|form| form.name())).map(named)
}

/// The form of a command that prints tables.
#[derive(Clone, Copy, Args)]
pub(super) struct TableArgs {
    /// Form of what is printed
    #[arg(long, value_name = "FORMAT", default_value = "text",
          value_parser = one_of(&[Form::Text, Form::Markdown, Form::Csv, Form::Json, Form::Latex]))]
    format: Form,
    /// An earlier spelling of --format json.
    #[arg(long, hide = true, conflicts_with = "format")]
    json: bool,
}

impl TableArgs {
    /// What the printers of tables take; none for JSON.
    pub(super) fn of_tables(self) -> Option<Format> {
        self.format.of_tables().filter(|_| !self.json)
    }

    /// Whether sentences stand beside the tables.
    pub(super) fn is_text(self) -> bool {
        self.format == Form::Text && !self.json
    }
}

/// The form of a command that prints text or JSON.
#[derive(Clone, Copy, Args)]
pub(super) struct JsonArgs {
    /// Form of what is printed
    #[arg(long, value_name = "FORMAT", default_value = "text", value_parser = one_of(&[Form::Text, Form::Json]))]
    format: Form,
    /// An earlier spelling of --format json.
    #[arg(long, hide = true, conflicts_with = "format")]
    json: bool,
}

impl JsonArgs {
    pub(super) fn is_json(self) -> bool {
        self.json || self.format == Form::Json
    }
}
