//! Drawings of charts: lines, rectangles, circles and texts, written as SVG here and as PDF in `pdf`.
//!
//! [`Ink::Text`] becomes `currentColor` on a page, so that a chart takes the colour of its text, light or dark. A chart
//! in a file of its own sets its colours.

use maud::{Markup, html};

/// Colours of series: those of Okabe and Ito (distinguishable with colour blindness) that contrast with white and with
/// black.
const SERIES: [[u8; 3]; 6] =
    [[0, 114, 178], [213, 94, 0], [0, 148, 108], [190, 100, 155], [180, 140, 0], [70, 160, 215]];
const XMLNS: &str = "http://www.w3.org/2000/svg";
/// Lengths of a dash and of the gap after it.
pub(super) const DASH: [f32; 2] = [6.0, 4.0];

/// A place in units of the drawing, from the upper left corner.
pub(super) type Place = (f64, f64);

#[derive(Clone, Copy)]
pub(super) enum Ink {
    /// The colour of text.
    Text,
    /// The colour of the series of this number.
    Series(usize),
}

impl Ink {
    /// Red, green and blue; none for the colour of text.
    pub(super) fn colour(self) -> Option<[u8; 3]> {
        match self {
            Ink::Text => None,
            Ink::Series(number) => Some(SERIES[number % SERIES.len()]),
        }
    }

    fn svg(self) -> String {
        self.colour().map_or("currentColor".to_owned(), |[red, green, blue]| format!("#{red:02x}{green:02x}{blue:02x}"))
    }
}

/// A line is stroked; rectangles, circles and texts are filled.
pub(super) enum Form {
    Line {
        points: Vec<Place>,
        width: f64,
        dashed: bool,
    },
    Rectangle {
        corner: Place,
        size: Place,
    },
    Circle {
        centre: Place,
        radius: f64,
    },
    /// `before` is the share of the text that stands before its place, which is on the base line. A turned text runs
    /// upwards.
    Text {
        text: String,
        at: Place,
        before: f64,
        turned: bool,
    },
}

pub(super) struct Shape {
    pub form: Form,
    pub ink: Ink,
    pub opacity: f64,
}

/// The size of the letters of texts.
pub(super) const LETTERS: f64 = 13.0;

/// A drawing, and what a reader can read off it.
pub(super) struct Drawing {
    pub size: Place,
    pub shapes: Vec<Shape>,
    /// Points with what they say, for the pointer and the keyboard. The script of the page reads them.
    readings: Vec<(Place, String)>,
    /// The same drawing for a narrow page; none where it is only drawn as a file.
    narrow: Option<Box<Drawing>>,
}

impl Drawing {
    /// An empty drawing, so wide and so high.
    pub(super) fn new(size: Place) -> Drawing {
        Drawing { size, shapes: Vec::new(), readings: Vec::new(), narrow: None }
    }

    /// The same with a drawing for a narrow page, which has the same readings at its own places.
    pub(super) fn with_narrow(self, narrow: Drawing) -> Drawing {
        Drawing { narrow: Some(Box::new(narrow)), ..self }
    }

    fn add(&mut self, form: Form, ink: Ink, opacity: f64) {
        self.shapes.push(Shape { form, ink, opacity });
    }

    pub(super) fn line(&mut self, points: impl IntoIterator<Item = Place>, ink: Ink, width: f64, opacity: f64) {
        self.add(Form::Line { points: points.into_iter().collect(), width, dashed: false }, ink, opacity);
    }

    pub(super) fn dashed(&mut self, points: impl IntoIterator<Item = Place>, ink: Ink, width: f64) {
        self.add(Form::Line { points: points.into_iter().collect(), width, dashed: true }, ink, 1.0);
    }

    pub(super) fn rectangle(&mut self, corner: Place, size: Place, ink: Ink, opacity: f64) {
        self.add(Form::Rectangle { corner, size }, ink, opacity);
    }

    pub(super) fn circle(&mut self, centre: Place, ink: Ink) {
        self.disc(centre, 4.0, ink, 1.0);
    }

    pub(super) fn disc(&mut self, centre: Place, radius: f64, ink: Ink, opacity: f64) {
        self.add(Form::Circle { centre, radius }, ink, opacity);
    }

    /// A text in the middle of its height at this place; `before` is the share of it that stands before the place.
    pub(super) fn text(&mut self, text: impl Into<String>, (x, y): Place, before: f64) {
        let form = Form::Text { text: text.into(), at: (x, y + 0.35 * LETTERS), before, turned: false };
        self.add(form, Ink::Text, 1.0);
    }

    /// A text that runs upwards, with its middle at this place.
    pub(super) fn turned_text(&mut self, text: impl Into<String>, (x, y): Place) {
        let form = Form::Text { text: text.into(), at: (x + 0.35 * LETTERS, y), before: 0.5, turned: true };
        self.add(form, Ink::Text, 1.0);
    }

    pub(super) fn read(&mut self, place: Place, said: String) {
        self.readings.push((place, said.replace(['\n', '\r'], " ")));
    }

    /// The drawing in a page, with a text alternative for screen readers. The page shows the one that suits its width.
    pub(super) fn on_page(&self, label: &str) -> Markup {
        html! {
            @if let Some(narrow) = &self.narrow { (self.as_svg(label, "chart wide")) (narrow.as_svg(label, "chart narrow")) }
            @else { (self.as_svg(label, "chart")) }
        }
    }

    fn as_svg(&self, label: &str, class: &str) -> Markup {
        let line = |((x, y), said): &(Place, String)| format!("{x:.0} {y:.0} {said}\n");
        let readings = (!self.readings.is_empty()).then(|| self.readings.iter().map(line).collect::<String>());
        html! {
            svg class=(class) role="img" aria-label=(label) data-readings=[readings] viewBox=(self.view_box()) xmlns=(XMLNS) {
                @for shape in &self.shapes { (shape.svg()) }
            }
        }
    }

    /// The drawing as a file by itself.
    pub(super) fn file(&self) -> String {
        let svg = html! {
            svg style="color:#222;background:#fff" viewBox=(self.view_box()) xmlns=(XMLNS) {
                @for shape in &self.shapes { "\n" (shape.svg()) }
                "\n"
            }
        };
        svg.into_string() + "\n"
    }

    fn view_box(&self) -> String {
        format!("0 0 {} {}", self.size.0, self.size.1)
    }
}

impl Shape {
    fn svg(&self) -> Markup {
        let (ink, opacity) = (self.ink.svg(), (self.opacity < 1.0).then(|| short(self.opacity)));
        match &self.form {
            Form::Line { points, width, dashed } => {
                let points: Vec<String> = points.iter().map(|(x, y)| format!("{},{}", short(*x), short(*y))).collect();
                let dash = dashed.then(|| DASH.map(|length| length.to_string()).join(" "));
                html! {
                    polyline fill="none" stroke=(ink) stroke-width=(width) stroke-dasharray=[dash] opacity=[opacity]
                        points=(points.join(" ")) {}
                }
            }
            Form::Rectangle { corner, size } => html! {
                rect x=(short(corner.0)) y=(short(corner.1)) width=(short(size.0)) height=(short(size.1)) fill=(ink)
                    opacity=[opacity] {}
            },
            Form::Circle { centre, radius } => html! {
                circle cx=(short(centre.0)) cy=(short(centre.1)) r=(radius) fill=(ink) opacity=[opacity] {}
            },
            Form::Text { text, at, before, turned } => {
                let (x, y) = (short(at.0), short(at.1));
                let anchor = ["start", "middle", "end"][(2.0 * before) as usize];
                let turn = turned.then(|| format!("rotate(270 {x} {y})"));
                html! {
                    text x=(x) y=(y) text-anchor=(anchor) font-family="sans-serif" font-size=(LETTERS) fill=(ink)
                        transform=[turn] { (text) }
                }
            }
        }
    }
}

/// A number with two decimals at most.
fn short(value: f64) -> f64 {
    (value * 100.0).round() / 100.0
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_page_has_readings_and_a_file_has_none() {
        let mut drawing = Drawing::new((10.0, 5.0));
        drawing.circle((3.0, 4.126), Ink::Series(1));
        drawing.text("a < b", (1.0, 2.0), 0.5);
        let bare = drawing.on_page("one \"dot\"").into_string();
        assert!(
            bare.starts_with(
                "<svg class=\"chart\" role=\"img\" aria-label=\"one &quot;dot&quot;\" viewBox=\"0 0 10 5\""
            )
        );
        drawing.read((3.2, 4.0), "a \"<b>\" & c\nd".to_owned());
        let page = drawing.on_page("").into_string();
        assert!(page.contains(" data-readings=\"3 4 a &quot;&lt;b&gt;&quot; &amp; c d\n\" viewBox"), "{page}");
        let file = drawing.file();
        assert!(!file.contains("readings") && file.starts_with("<svg style="), "{file}");
        assert!(file.contains("cy=\"4.13\" r=\"4\" fill=\"#d55e00\"") && file.contains(">a &lt; b</text>"), "{file}");
    }
}
