//! Charts as PDF, for papers: the same drawing as the SVG file, as vectors, with the font embedded.
//!
//! A chart consists of lines, rectangles, circles, polygons and texts only; any other element is an error, so that no
//! part of a chart is lost in silence.

mod font;

use flate2::Compression;
use flate2::write::ZlibEncoder;
use font::Font;
use pdf_writer::{Content, Filter, Finish, Name, Pdf, Rect, Ref, Str, TextStr};
use roxmltree::{Document, Node};
use std::collections::BTreeMap;
use std::io::Write;

/// Points (1/72 inch) of a unit of the drawing.
const SCALE: f32 = 0.75;
/// The name of the font on the page.
const FONT: Name<'static> = Name(b"F");
/// The colour that stands for the colour of text.
const INK: [f32; 3] = [0.13, 0.13, 0.13];
/// How far a circle's control points lie from its axes, in radii.
const ARC: f32 = 0.552_285;

/// The chart as a PDF document of one page, as large as the chart.
///
/// # Errors
/// If the chart has an element, a colour or a length that charts do not have.
pub(super) fn pdf(svg: &str, title: &str) -> Result<Vec<u8>, String> {
    let drawing = Document::parse(svg).map_err(|error| error.to_string())?;
    let root = drawing.root_element();
    let [left, top, width, height] = list(root, "viewBox")?[..] else { return Err("viewBox".to_owned()) };
    let font = Font::load()?;
    let mut page = Page { content: Content::new(), font: &font, opacities: BTreeMap::new() };
    page.content.transform([SCALE, 0.0, 0.0, -SCALE, -left * SCALE, (top + height) * SCALE]);
    for element in root.children().filter(Node::is_element) {
        page.draw(element)?;
    }
    let Page { content, opacities, .. } = page;

    let [catalog, pages, sheet, drawn, info] = [1, 2, 3, 4, 5].map(Ref::new);
    let mut pdf = Pdf::new();
    pdf.catalog(catalog).pages(pages);
    pdf.pages(pages).kids([sheet]).count(1);
    pdf.document_info(info).title(TextStr(title)).creator(TextStr("evouct"));
    let mut written = pdf.page(sheet);
    written.media_box(Rect::new(0.0, 0.0, width * SCALE, height * SCALE)).parent(pages).contents(drawn);
    let mut resources = written.resources();
    resources.fonts().pair(FONT, font::TYPE_0);
    let mut states = resources.ext_g_states();
    for (opacity, name) in &opacities {
        let share = *opacity as f32 / 1_000.0;
        let mut state = states.insert(Name(name.as_bytes())).dict();
        state.pair(Name(b"ca"), share).pair(Name(b"CA"), share);
    }
    states.finish();
    resources.finish();
    written.finish();
    let content = compressed(&content.finish());
    pdf.stream(drawn, &content).filter(Filter::FlateDecode);
    font.embed(&mut pdf);
    Ok(pdf.finish())
}

/// Bytes as a stream of zlib.
fn compressed(bytes: &[u8]) -> Vec<u8> {
    let mut encoder = ZlibEncoder::new(Vec::new(), Compression::best());
    encoder.write_all(bytes).and_then(|()| encoder.finish()).expect("memory takes everything")
}

/// The page while it is drawn.
struct Page<'a> {
    content: Content,
    font: &'a Font,
    /// The opacities in use, in thousandths, and the names of their graphics states.
    opacities: BTreeMap<u16, String>,
}

impl Page<'_> {
    fn draw(&mut self, element: Node) -> Result<(), String> {
        self.content.save_state();
        let opacity = (number_or(element, "opacity", 1.0)? * 1_000.0).round() as u16;
        if opacity < 1_000 {
            let name = self.opacities.entry(opacity).or_insert_with(|| format!("G{opacity}"));
            self.content.set_parameters(Name(name.as_bytes()));
        }
        match element.tag_name().name() {
            "line" => {
                let [x1, y1, x2, y2] = ["x1", "y1", "x2", "y2"].map(|name| number(element, name));
                self.content.move_to(x1?, y1?).line_to(x2?, y2?);
                self.paint(element)?;
            }
            "rect" => {
                let [x, y, width, height] = ["x", "y", "width", "height"].map(|name| number(element, name));
                self.content.rect(x?, y?, width?, height?);
                self.paint(element)?;
            }
            "circle" => {
                let [x, y, radius] = ["cx", "cy", "r"].map(|name| number(element, name));
                self.circle(x?, y?, radius?);
                self.paint(element)?;
            }
            shape @ ("polyline" | "polygon") => {
                for (at, point) in list(element, "points")?.chunks_exact(2).enumerate() {
                    match at {
                        0 => self.content.move_to(point[0], point[1]),
                        _ => self.content.line_to(point[0], point[1]),
                    };
                }
                if shape == "polygon" {
                    self.content.close_path();
                }
                self.paint(element)?;
            }
            "text" => self.text(element)?,
            other => return Err(format!("a chart has no element {other}")),
        }
        self.content.restore_state();
        Ok(())
    }

    /// Four Bézier curves around a centre.
    fn circle(&mut self, x: f32, y: f32, radius: f32) {
        let arm = ARC * radius;
        self.content.move_to(x + radius, y);
        for quarter in 0..4 {
            let turned = |(across, up): (f32, f32)| match quarter {
                0 => (x + across, y + up),
                1 => (x - up, y + across),
                2 => (x - across, y - up),
                _ => (x + up, y - across),
            };
            let [first, second, end] = [(radius, arm), (arm, radius), (0.0, radius)].map(turned);
            self.content.cubic_to(first.0, first.1, second.0, second.1, end.0, end.1);
        }
        self.content.close_path();
    }

    /// Fills and strokes the path; a line has no inside to fill.
    fn paint(&mut self, element: Node) -> Result<(), String> {
        let fill = match element.tag_name().name() {
            "line" => None,
            _ => colour(element.attribute("fill").unwrap_or("#000000"))?,
        };
        let stroke = colour(element.attribute("stroke").unwrap_or("none"))?;
        if let Some([red, green, blue]) = fill {
            self.content.set_fill_rgb(red, green, blue);
        }
        if let Some([red, green, blue]) = stroke {
            self.content.set_stroke_rgb(red, green, blue);
            self.content.set_line_width(number_or(element, "stroke-width", 1.0)?);
        }
        match (fill.is_some(), stroke.is_some()) {
            (true, true) => self.content.fill_nonzero_and_stroke(),
            (true, false) => self.content.fill_nonzero(),
            (false, true) => self.content.stroke(),
            (false, false) => self.content.end_path(),
        };
        Ok(())
    }

    fn text(&mut self, element: Node) -> Result<(), String> {
        let text = element.text().unwrap_or_default().trim();
        let size = number(element, "font-size")?;
        let (glyphs, width) = self.font.shape(text);
        let across = size * width * share(element.attribute("text-anchor"));
        let down = size * shift(element.attribute("dy"), self.font.x_height)?;
        let (sine, cosine) = sine_cosine(turn(element.attribute("transform"))?);
        let [x, y] = ["x", "y"].map(|name| number(element, name));
        let (x, y) = (x? - cosine * across - sine * down, y? - sine * across + cosine * down);
        let [red, green, blue] = colour(element.attribute("fill").unwrap_or("#000000"))?.unwrap_or(INK);
        // The page is upside down, so the letters are turned back.
        self.content
            .set_fill_rgb(red, green, blue)
            .begin_text()
            .set_font(FONT, size)
            .set_text_matrix([cosine, sine, sine, -cosine, x, y])
            .show(Str(&glyphs))
            .end_text();
        Ok(())
    }
}

/// The share of a text that stands before its place.
fn share(anchor: Option<&str>) -> f32 {
    match anchor {
        Some("middle") => 0.5,
        Some("end") => 1.0,
        _ => 0.0,
    }
}

/// How far a text stands below its place, in font sizes.
fn shift(dy: Option<&str>, x_height: f32) -> Result<f32, String> {
    let Some(dy) = dy else { return Ok(0.0) };
    let parsed = |text: &str| text.parse::<f32>().map_err(|_| format!("dy = {dy}"));
    match (dy.strip_suffix("em"), dy.strip_suffix("ex")) {
        (Some(sizes), _) => parsed(sizes),
        (None, Some(heights)) => Ok(parsed(heights)? * x_height),
        (None, None) => Err(format!("dy = {dy}")),
    }
}

/// The degrees by which a text is turned around its place.
fn turn(transform: Option<&str>) -> Result<f32, String> {
    let Some(transform) = transform else { return Ok(0.0) };
    let degrees = transform.strip_prefix("rotate(").and_then(|rest| rest.split(',').next());
    degrees.and_then(|degrees| degrees.trim().parse().ok()).ok_or_else(|| format!("transform = {transform}"))
}

/// Sine and cosine of an angle in degrees; those of quarter turns, which charts use, are exact.
fn sine_cosine(degrees: f32) -> (f32, f32) {
    match degrees.rem_euclid(360.0) {
        0.0 => (0.0, 1.0),
        90.0 => (1.0, 0.0),
        180.0 => (0.0, -1.0),
        270.0 => (-1.0, 0.0),
        _ => degrees.to_radians().sin_cos(),
    }
}

/// `#rrggbb`, the colour of text, or none.
fn colour(text: &str) -> Result<Option<[f32; 3]>, String> {
    if text == "none" {
        return Ok(None);
    }
    if text == "currentColor" {
        return Ok(Some(INK));
    }
    let digits = text.strip_prefix('#').filter(|digits| digits.len() == 6 && digits.is_ascii());
    let part = |digits: &str, at: usize| u8::from_str_radix(&digits[at..at + 2], 16).ok();
    let parts = digits.and_then(|digits| Some([part(digits, 0)?, part(digits, 2)?, part(digits, 4)?]));
    parts.map(|parts| Some(parts.map(|part| f32::from(part) / 255.0))).ok_or_else(|| format!("colour {text}"))
}

fn number(element: Node, name: &str) -> Result<f32, String> {
    let text = element.attribute(name).ok_or_else(|| format!("{} without {name}", element.tag_name().name()))?;
    text.parse().map_err(|_| format!("{name} = {text}"))
}

fn number_or(element: Node, name: &str, otherwise: f32) -> Result<f32, String> {
    if element.has_attribute(name) { number(element, name) } else { Ok(otherwise) }
}

/// Numbers separated by spaces or commas.
fn list(element: Node, name: &str) -> Result<Vec<f32>, String> {
    let text = element.attribute(name).ok_or_else(|| format!("{} without {name}", element.tag_name().name()))?;
    let words = text.split([' ', ',', '\n']).filter(|word| !word.is_empty());
    words.map(|word| word.parse().map_err(|_| format!("{name} has {word}"))).collect()
}

#[cfg(test)]
mod tests {
    use super::pdf;
    use flate2::read::ZlibDecoder;
    use std::io::Read;

    const SVG: &str = "<svg class=\"chart\" role=\"img\" viewBox=\"0 0 100 40\" xmlns=\"http://www.w3.org/2000/svg\">\
        <line opacity=\"0.15\" stroke=\"currentColor\" stroke-width=\"2\" x1=\"1\" y1=\"2\" x2=\"3\" y2=\"4\"/>\
        <rect x=\"5\" y=\"6\" width=\"7\" height=\"8\" opacity=\"1\" fill=\"#ff0000\" stroke=\"none\"/>\
        <text x=\"50\" y=\"20\" dy=\"0.5em\" text-anchor=\"start\" font-size=\"10\" opacity=\"1\" fill=\"#0000ff\">\nÄ0\n</text>\
        <text x=\"50\" y=\"20\" text-anchor=\"end\" font-size=\"10\" transform=\"rotate(270, 50, 20)\" fill=\"#0000ff\">0</text></svg>";

    /// The operators of the page.
    fn operators(pdf: &[u8]) -> String {
        let at = |needle: &[u8], from: usize| {
            from + pdf[from..].windows(needle.len()).position(|window| window == needle).unwrap()
        };
        let start = at(b"stream\n", at(b"4 0 obj", 0)) + 7;
        let mut bytes = Vec::new();
        ZlibDecoder::new(&pdf[start..at(b"\nendstream", start)]).read_to_end(&mut bytes).unwrap();
        String::from_utf8_lossy(&bytes).into_owned()
    }

    #[test]
    fn shapes_and_texts_are_where_the_drawing_has_them() {
        let document = pdf(SVG, "a title").unwrap();
        assert!(document.starts_with(b"%PDF-1.7"));
        let operators = operators(&document);
        for part in [
            "0.75 0 0 -0.75 0 30 cm",
            "/G150 gs\n1 2 m\n3 4 l\n0.13 0.13 0.13 RG\n2 w",
            "5 6 7 8 re\n1 0 0 rg\nf",
            // Half a font size below the place; two letters of two bytes each.
            "1 0 0 -1 50 25 Tm",
        ] {
            assert!(operators.contains(part), "{part}: {operators}");
        }
        // A text that is turned by 270° and ends at its place begins below it by its width, 0.636 of the size.
        assert!(operators.contains("0 -1 -1 0 50 26.3"), "{operators}");
        let text = String::from_utf8_lossy(&document);
        assert!(text.contains("/MediaBox [0 0 75 30]") && text.contains("(a title)") && text.contains("/FontFile2"));
    }

    #[test]
    fn what_charts_do_not_have_is_an_error() {
        assert_eq!(pdf(&SVG.replace("rect", "image"), ""), Err("a chart has no element image".to_owned()));
        assert_eq!(pdf(&SVG.replace("#ff0000", "red"), ""), Err("colour red".to_owned()));
        assert_eq!(pdf(&SVG.replace("0.5em", "3px"), ""), Err("dy = 3px".to_owned()));
    }
}
