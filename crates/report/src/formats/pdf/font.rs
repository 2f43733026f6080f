//! The font of figures: a part of DejaVu Sans with Latin, Greek and the signs of formulas, embedded so that every
//! reader shows it.

use super::compressed;
use pdf_writer::types::{CidFontType, FontFlags, SystemInfo, UnicodeCmap};
use pdf_writer::{Filter, Finish, Name, Pdf, Rect, Ref, Str};
use ttf_parser::{Face, GlyphId};

const FILE: &[u8] = include_bytes!("figures.ttf");
const NAME: Name<'static> = Name(b"EVOUCT+EvouctFigures");
/// The font as the page names it, and its parts.
pub(super) const TYPE_0: Ref = Ref::new(10);
const CID: Ref = Ref::new(11);
const DESCRIPTOR: Ref = Ref::new(12);
const PROGRAM: Ref = Ref::new(13);
const UNICODE: Ref = Ref::new(14);
/// What stands for a letter that the font does not have.
const MISSING: char = '?';
const SYSTEM: SystemInfo<'static> = SystemInfo { registry: Str(b"Adobe"), ordering: Str(b"Identity"), supplement: 0 };

pub(super) struct Font {
    face: Face<'static>,
}

impl Font {
    pub(super) fn load() -> Result<Font, String> {
        Face::parse(FILE, 0).map(|face| Font { face }).map_err(|error| error.to_string())
    }

    /// The numbers of the glyphs of a text, two bytes each, and its width in font sizes.
    pub(super) fn shape(&self, text: &str) -> (Vec<u8>, f32) {
        let glyph = |letter: char| self.face.glyph_index(letter).or_else(|| self.face.glyph_index(MISSING));
        let glyphs: Vec<GlyphId> = text.chars().filter_map(glyph).collect();
        let width = glyphs.iter().map(|glyph| self.width(glyph.0)).sum::<f32>() / 1_000.0;
        (glyphs.iter().flat_map(|glyph| glyph.0.to_be_bytes()).collect(), width)
    }

    /// The width of a glyph in thousandths of the font size.
    fn width(&self, glyph: u16) -> f32 {
        self.thousandths(self.face.glyph_hor_advance(GlyphId(glyph)).unwrap_or_default().into())
    }

    fn thousandths(&self, units: f32) -> f32 {
        units * 1_000.0 / f32::from(self.face.units_per_em())
    }

    /// Writes the font into a document.
    pub(super) fn embed(&self, pdf: &mut Pdf) {
        pdf.type0_font(TYPE_0)
            .base_font(NAME)
            .encoding_predefined(Name(b"Identity-H"))
            .descendant_font(CID)
            .to_unicode(UNICODE);
        let mut font = pdf.cid_font(CID);
        font.subtype(CidFontType::Type2).base_font(NAME).system_info(SYSTEM).font_descriptor(DESCRIPTOR);
        font.cid_to_gid_map_predefined(Name(b"Identity"));
        font.widths().consecutive(0, (0..self.face.number_of_glyphs()).map(|glyph| self.width(glyph)));
        font.finish();

        let size = |units: i16| self.thousandths(units.into());
        let corners = self.face.global_bounding_box();
        pdf.font_descriptor(DESCRIPTOR)
            .name(NAME)
            .flags(FontFlags::NON_SYMBOLIC)
            .bbox(Rect::new(size(corners.x_min), size(corners.y_min), size(corners.x_max), size(corners.y_max)))
            .italic_angle(0.0)
            .ascent(size(self.face.ascender()))
            .descent(size(self.face.descender()))
            .cap_height(size(self.face.capital_height().unwrap_or_else(|| self.face.ascender())))
            .stem_v(80.0)
            .font_file2(PROGRAM);
        let program = compressed(FILE);
        let mut stream = pdf.stream(PROGRAM, &program);
        stream.filter(Filter::FlateDecode).pair(Name(b"Length1"), FILE.len() as i32);
        stream.finish();

        let mut letters = UnicodeCmap::new(Name(b"EvouctFigures"), SYSTEM);
        let tables = self.face.tables().cmap.into_iter().flat_map(|cmap| cmap.subtables);
        for table in tables.filter(ttf_parser::cmap::Subtable::is_unicode).take(1) {
            table.codepoints(|code| {
                if let (Some(letter), Some(glyph)) = (char::from_u32(code), table.glyph_index(code)) {
                    letters.pair(glyph.0, letter);
                }
            });
        }
        let letters = letters.finish();
        pdf.cmap(UNICODE, letters.as_slice()).name(Name(b"EvouctFigures")).system_info(SYSTEM);
    }
}
