//! Named numbers of a seat in a finished game.

/// A column that a report makes of the metrics of a seat.
#[derive(Debug)]
pub struct MetricColumn<Metrics> {
    /// Its name in files.
    pub name: &'static str,
    /// The key of printed means in `[paper]`, if papers use another name.
    pub printed: Option<&'static str>,
    /// Its heading in the table of seats, if it is shown there.
    pub heading: Option<&'static str>,
    /// What it is, with its unit.
    pub about: &'static str,
    /// The number, from the metrics and the seat, from 0.
    pub value: fn(&Metrics, usize) -> f64,
}

/// A column without its types.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ColumnInfo {
    /// Its name in files.
    pub name: &'static str,
    /// The key of printed means in `[paper]`, if papers use another name.
    pub printed: Option<&'static str>,
    /// Its heading in the table of seats, if it is shown there.
    pub heading: Option<&'static str>,
    /// What it is, with its unit.
    pub about: &'static str,
}

/// A histogram that a domain makes of searches.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct HistogramInfo {
    /// Its name in files.
    pub name: &'static str,
    /// What is counted, by what.
    pub about: &'static str,
    /// The lower end of the first bin.
    pub low: f64,
    /// The upper end of the last bin.
    pub high: f64,
    /// Bins, all of one width.
    pub bins: usize,
}

impl<Metrics> MetricColumn<Metrics> {
    /// A column of files, without a heading in the table of seats.
    pub const fn new(
        name: &'static str,
        about: &'static str,
        value: fn(&Metrics, usize) -> f64,
    ) -> MetricColumn<Metrics> {
        MetricColumn { name, printed: None, heading: None, about, value }
    }

    /// A column that also stands in the table of seats, with this heading.
    pub const fn headed(
        name: &'static str,
        heading: &'static str,
        about: &'static str,
        value: fn(&Metrics, usize) -> f64,
    ) -> MetricColumn<Metrics> {
        MetricColumn { heading: Some(heading), ..MetricColumn::new(name, about, value) }
    }

    /// The column without its types.
    pub fn info(&self) -> ColumnInfo {
        ColumnInfo { name: self.name, printed: self.printed, heading: self.heading, about: self.about }
    }
}
