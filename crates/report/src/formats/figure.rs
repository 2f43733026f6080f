//! A figure of a page, with the files that it has in the folder of the report.

use super::chart::rows::{Dot, dots};
use super::chart::tuned::{Scale, Spot, Track, plane, tracks};
use super::chart::{Mark, Series, lines_of_sizes, marks};
use super::drawing::Drawing;
use super::picture::{Section, ends_of, points, table};
use maud::{Markup, html};

/// A chart with its data: `figures/NAME.svg` and `figures/NAME.csv`.
pub struct PageFigure {
    /// The name of its files.
    pub name: String,
    /// What it shows and does not show.
    pub caption: String,
    pub(super) section: Section,
    pub(super) drawing: Drawing,
    pub(super) csv: Vec<u8>,
}

impl PageFigure {
    /// A figure with its data: the names of the columns in one line, and rows with a cell for each.
    pub(super) fn new(
        name: impl Into<String>,
        caption: impl Into<String>,
        drawing: Drawing,
        columns: &str,
        rows: impl IntoIterator<Item = Vec<String>>,
    ) -> PageFigure {
        let (section, csv) = (Section::Named, table(columns, rows));
        PageFigure { name: name.into(), caption: caption.into(), section, drawing, csv }
    }

    /// The figure in a section of a report.
    #[must_use]
    pub(super) fn of(self, section: Section) -> PageFigure {
        PageFigure { section, ..self }
    }

    /// Values with intervals over a number, and their data as the text of a CSV file. All places must be positive if the
    /// axis is logarithmic.
    pub fn of_marks(
        names: [&str; 2],
        titles: [&str; 2],
        values: &[Mark],
        is_logarithmic: bool,
        csv: String,
    ) -> PageFigure {
        PageFigure::marked(names, titles, values, [is_logarithmic, false], csv)
    }

    /// The same of counts over a number, on a logarithmic axis where they span two decades.
    pub fn of_counts(names: [&str; 2], titles: [&str; 2], counts: &[Mark], csv: String) -> PageFigure {
        PageFigure::marked(names, titles, counts, [false, true], csv)
    }

    fn marked(
        [name, caption]: [&str; 2],
        [x, y]: [&str; 2],
        values: &[Mark],
        are: [bool; 2],
        csv: String,
    ) -> PageFigure {
        let drawing = marks(x, y, values, are);
        let section = Section::Named;
        PageFigure { name: name.to_owned(), caption: caption.to_owned(), section, drawing, csv: csv.into_bytes() }
    }

    /// Named lines of counts or times over a number, on a logarithmic axis where they span two decades, and their points
    /// as data.
    pub fn of_lines([name, caption]: [&str; 2], [x, y]: [&str; 2], all: &[(String, Vec<(f64, f64)>)]) -> PageFigure {
        let series = (0..).zip(all).map(|(colour, (name, points))| Series {
            name: name.clone(),
            points: points.clone(),
            dashed: false,
            colour,
        });
        let series: Vec<Series> = series.collect();
        PageFigure::new(name, caption, lines_of_sizes(x, y, &series), "name x y", points(&series))
    }

    /// Estimates by round, a line for each candidate.
    pub fn of_tracks([name, caption]: [&str; 2], y: &str, all: &[Track]) -> PageFigure {
        let rows = all.iter().flat_map(|track| {
            let estimates = (1..).zip(&track.estimates);
            estimates.map(|(round, value): (u32, _)| vec![track.name.clone(), round.to_string(), value.to_string()])
        });
        PageFigure::new(name, caption, tracks(y, all), "candidate round estimate", rows)
    }

    /// Estimates over two parameters.
    pub fn of_plane([name, caption]: [&str; 2], [x, y]: [&Scale; 2], spots: &[Spot]) -> PageFigure {
        let cell = |scale: &Scale, at: f64| scale.names.get(at as usize).cloned().unwrap_or_else(|| at.to_string());
        let rows = spots
            .iter()
            .map(|spot| vec![spot.name.clone(), cell(x, spot.at[0]), cell(y, spot.at[1]), spot.value.to_string()]);
        let columns = format!("candidate {} {} estimate", x.title, y.title);
        PageFigure::new(name, caption, plane([x, y], spots), &columns, rows)
    }

    /// Values with intervals, one under another, and their data.
    pub fn of_dots([name, caption]: [&str; 2], x: &str, all: &[Dot]) -> PageFigure {
        let row = |dot: &Dot| {
            let [low, high] = ends_of(dot.interval);
            vec![dot.name.clone(), dot.value.to_string(), low, high]
        };
        PageFigure::new(name, caption, dots(x, all), "name value low high", all.iter().map(row))
    }

    /// The figure with its caption in a page that has no files.
    pub(super) fn alone(&self) -> Markup {
        shown(&self.drawing, &self.caption, None)
    }

    /// The figure in a page, with its caption and the name of its files.
    pub fn on_page(&self) -> Markup {
        shown(&self.drawing, &self.caption, Some(&self.name))
    }

    /// Its files.
    pub fn documents(self) -> [(String, Vec<u8>); 2] {
        [
            (format!("figures/{}.svg", self.name), self.drawing.file().into_bytes()),
            (format!("figures/{}.csv", self.name), self.csv),
        ]
    }
}

/// A chart with its caption, and the name of its files if it has some.
pub(super) fn shown(drawing: &Drawing, caption: &str, name: Option<&str>) -> Markup {
    html! {
        figure {
            div.scroll { (drawing.on_page(caption)) }
            figcaption {
                (caption)
                @if let Some(name) = name { " " code { "figures/" (name) ".svg" } ", " code { ".csv" } }
            }
        }
    }
}
