//! Charts as PDF, for papers: the same drawing as the SVG file, as vectors, with the font embedded.

mod font;

use super::drawing::{DASH, Drawing, Form, Ink, LETTERS, Shape};
use flate2::Compression;
use flate2::write::ZlibEncoder;
use font::Font;
use pdf_writer::{Content, Filter, Finish, Name, Pdf, Rect, Ref, Str, TextStr};
use std::collections::BTreeMap;
use std::io::Write;

/// Points (1/72 inch) of a unit of the drawing.
const SCALE: f32 = 0.75;
/// The name of the font on the page.
const FONT: Name<'static> = Name(b"F");
/// The colour of text.
const TEXT: [f32; 3] = [0.13, 0.13, 0.13];
/// How far a circle's control points lie from its axes, in radii.
const ARC: f32 = 0.552_285;

/// The chart as a PDF document of one page, as large as the chart.
///
/// # Errors
/// If the font cannot be read.
pub(super) fn pdf(drawing: &Drawing, title: &str) -> Result<Vec<u8>, String> {
    let (width, height) = (drawing.size.0 as f32, drawing.size.1 as f32);
    let font = Font::load()?;
    let mut page = Page { content: Content::new(), font: &font, opacities: BTreeMap::new() };
    page.content.transform([SCALE, 0.0, 0.0, -SCALE, 0.0, height * SCALE]);
    drawing.shapes.iter().for_each(|shape| page.draw(shape));
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
    fn draw(&mut self, shape: &Shape) {
        let content = &mut self.content;
        content.save_state();
        let opacity = (shape.opacity * 1_000.0).round() as u16;
        if opacity < 1_000 {
            let name = self.opacities.entry(opacity).or_insert_with(|| format!("G{opacity}"));
            content.set_parameters(Name(name.as_bytes()));
        }
        let [red, green, blue] = colour(shape.ink);
        content.set_fill_rgb(red, green, blue);
        match &shape.form {
            Form::Line { points, width, dashed } => {
                for (at, (x, y)) in points.iter().enumerate() {
                    let (x, y) = (*x as f32, *y as f32);
                    if at == 0 {
                        content.move_to(x, y)
                    } else {
                        content.line_to(x, y)
                    };
                }
                if *dashed {
                    content.set_dash_pattern(DASH, 0.0);
                }
                content.set_stroke_rgb(red, green, blue).set_line_width(*width as f32).stroke();
            }
            Form::Rectangle { corner, size } => {
                content.rect(corner.0 as f32, corner.1 as f32, size.0 as f32, size.1 as f32).fill_nonzero();
            }
            Form::Circle { centre, radius } => circle(content, (centre.0 as f32, centre.1 as f32), *radius as f32),
            Form::Text { text, at, before, turned } => {
                let (glyphs, width) = self.font.shape(text);
                let across = LETTERS as f32 * width * *before as f32;
                let (x, y) = (at.0 as f32, at.1 as f32);
                // The page is upside down, so the letters are turned back.
                let matrix = match turned {
                    false => [1.0, 0.0, 0.0, -1.0, x - across, y],
                    true => [0.0, -1.0, -1.0, 0.0, x, y + across],
                };
                content.begin_text().set_font(FONT, LETTERS as f32).set_text_matrix(matrix);
                content.show(Str(&glyphs)).end_text();
            }
        }
        content.restore_state();
    }
}

fn colour(ink: Ink) -> [f32; 3] {
    ink.colour().map_or(TEXT, |parts| parts.map(|part| f32::from(part) / 255.0))
}

/// Four Bézier curves around a centre.
fn circle(content: &mut Content, (x, y): (f32, f32), radius: f32) {
    let arm = ARC * radius;
    content.move_to(x + radius, y);
    for quarter in 0..4 {
        let turned = |(across, up): (f32, f32)| match quarter {
            0 => (x + across, y + up),
            1 => (x - up, y + across),
            2 => (x - across, y - up),
            _ => (x + up, y - across),
        };
        let [first, second, end] = [(radius, arm), (arm, radius), (0.0, radius)].map(turned);
        content.cubic_to(first.0, first.1, second.0, second.1, end.0, end.1);
    }
    content.close_path().fill_nonzero();
}

#[cfg(test)]
mod tests {
    use super::pdf;
    use crate::formats::drawing::{Drawing, Ink};
    use flate2::read::ZlibDecoder;
    use std::io::Read;

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
        let mut drawing = Drawing::new((100.0, 40.0));
        drawing.line([(1.0, 2.0), (3.0, 4.0)], Ink::Text, 2.0, 0.15);
        drawing.dashed([(1.0, 2.0), (3.0, 4.0)], Ink::Text, 1.0);
        drawing.rectangle((5.0, 6.0), (7.0, 8.0), Ink::Series(0), 1.0);
        drawing.text("Ä0", (50.0, 20.0), 0.0);
        drawing.turned_text("0", (50.0, 20.0));
        let document = pdf(&drawing, "a title").unwrap();
        assert!(document.starts_with(b"%PDF-1.7"));
        let operators = operators(&document);
        for part in [
            "0.75 0 0 -0.75 0 30 cm",
            "/G150 gs\n0.13 0.13 0.13 rg\n1 2 m\n3 4 l\n0.13 0.13 0.13 RG\n2 w\nS",
            "[6 4] 0 d",
            "0 0.44705883 0.69803923 rg\n5 6 7 8 re\nf",
            // The base line is 0.35 of the size of letters below the middle.
            "1 0 0 -1 50 24.55 Tm",
            // A text that is turned begins below its middle by half its width, 0.636 of the size.
            "0 -1 -1 0 54.55 24.13",
        ] {
            assert!(operators.contains(part), "{part}: {operators}");
        }
        let text = String::from_utf8_lossy(&document);
        assert!(text.contains("/MediaBox [0 0 75 30]") && text.contains("(a title)") && text.contains("/FontFile2"));
    }
}
