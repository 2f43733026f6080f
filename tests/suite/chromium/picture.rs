//! Pictures of pages, compared with those in `tests/screenshots`.
//!
//! `SCREENSHOTS=write` writes them again. Fonts differ between machines, and with them every line of text: where the
//! page has another font than the kept pictures, nothing is compared.

use super::Browser;
use flate2::read::ZlibDecoder;
use serde_json::json;
use std::io::Read;
use std::path::{Path, PathBuf};

/// The height of a picture in pixels of the page.
const HEIGHT: u64 = 1_400;
/// Pixels of the picture for one of the page.
const SCALE: f64 = 0.5;
/// The sides of the cells that are compared, in pixels of the picture.
const CELL: usize = 8;
/// The largest difference of a cell's mean brightness, of 255, that does not count.
const NEAR: f64 = 20.0;
/// The largest share of cells that may differ: times of decisions and intervals drawn at other places.
const MOST: f64 = 0.03;
/// The width of a sample text in the font of the kept pictures.
const FONT: &str = "font.txt";

fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/screenshots")
}

impl Browser {
    /// Compares the top of the page with the kept picture of this name.
    pub fn compare_picture(&mut self, name: &str, width: u32) {
        self.compare_picture_from(name, width, "html");
    }

    /// The same for the page from the first element of this selector on.
    pub fn compare_picture_from(&mut self, name: &str, width: u32, selector: &str) {
        let font = self.value(
            "(() => { const pen = document.createElement('canvas').getContext('2d'); \
             pen.font = '40px ' + getComputedStyle(document.body).fontFamily; \
             return Math.round(pen.measureText('Evouct 0123456789 ± −').width).toString(); })()",
        );
        let font = font.as_str().unwrap();
        self.value("scrollTo(0, 0)");
        let top = format!("Math.round(document.querySelector('{selector}').getBoundingClientRect().top)");
        let top = self.value(&top).as_u64().unwrap();
        let height = self.value("document.documentElement.scrollHeight").as_u64().unwrap() - top;
        let height = height.min(HEIGHT);
        let clip = json!({"x": 0, "y": top, "width": width, "height": height, "scale": SCALE});
        let parameters = json!({"captureBeyondViewport": true, "clip": clip});
        let found = super::decode(self.call("Page.captureScreenshot", parameters)["data"].as_str().unwrap());
        let kept = folder().join(format!("{name}.png"));
        if std::env::var_os("SCREENSHOTS").is_some_and(|what| what == "write") {
            std::fs::create_dir_all(folder()).unwrap();
            std::fs::write(folder().join(FONT), format!("{font}\n")).unwrap();
            std::fs::write(kept, found).unwrap();
            return;
        }
        if std::fs::read_to_string(folder().join(FONT)).unwrap().trim() != font {
            eprintln!("left out: {name} is not compared, because the page has another font here");
            return;
        }
        let now = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("{name}.png"));
        std::fs::write(&now, &found).unwrap();
        let share = difference(&cells(&std::fs::read(&kept).unwrap()), &cells(&found));
        assert!(share <= MOST, "{:.1} % of {} differ from {}", 100.0 * share, now.display(), kept.display());
    }
}

/// The channels of a picture, and its rows: the PNG of a browser has 8 bits per channel and is not interlaced.
fn rows(png: &[u8]) -> (usize, Vec<Vec<u8>>) {
    let (mut header, mut packed, mut rest) = (&[][..], Vec::new(), &png[8..]);
    while let Some((length, chunk)) = rest.split_first_chunk() {
        let length = u32::from_be_bytes(*length) as usize;
        let data = &chunk[4..4 + length];
        match &chunk[..4] {
            b"IHDR" => header = data,
            b"IDAT" => packed.extend_from_slice(data),
            _ => {}
        }
        rest = &chunk[4 + length + 4..];
    }
    let width = u32::from_be_bytes(header[..4].try_into().unwrap()) as usize;
    let channels = match header[8..] {
        [8, 2, 0, 0, 0] => 3,
        [8, 6, 0, 0, 0] => 4,
        _ => panic!("no picture of a browser: {header:?}"),
    };
    let mut filtered = Vec::new();
    ZlibDecoder::new(&packed[..]).read_to_end(&mut filtered).unwrap();
    let mut rows = vec![vec![0; width * channels]];
    for line in filtered.chunks(1 + width * channels) {
        let (above, mut row) = (&rows[rows.len() - 1], line[1..].to_vec());
        for place in 0..row.len() {
            let before = |row: &[u8]| if place < channels { 0 } else { row[place - channels] };
            let [left, up, corner] = [before(&row), above[place], before(above)].map(i16::from);
            let nearest = |value: &i16| (left + up - corner - value).abs();
            let predicted = match line[0] {
                0 => 0,
                1 => left,
                2 => up,
                3 => (left + up) / 2,
                _ => [left, up, corner].into_iter().min_by_key(nearest).unwrap(),
            };
            row[place] = row[place].wrapping_add(predicted as u8);
        }
        rows.push(row);
    }
    rows.remove(0);
    (channels, rows)
}

/// The mean brightness of each cell of a picture, by row.
fn cells(png: &[u8]) -> Vec<Vec<f64>> {
    let (channels, rows) = rows(png);
    let width = rows[0].len() / channels;
    let cell = |rows: &[Vec<u8>], from: usize| {
        let to = (from + CELL).min(width);
        let values = rows.iter().flat_map(|row| &row[from * channels..to * channels]);
        values.clone().map(|value| f64::from(*value)).sum::<f64>() / values.count() as f64
    };
    rows.chunks(CELL).map(|rows| (0..width).step_by(CELL).map(|from| cell(rows, from)).collect()).collect()
}

/// The share of cells that differ; cells that one picture alone has differ.
fn difference(kept: &[Vec<f64>], now: &[Vec<f64>]) -> f64 {
    let of = |cells: &[Vec<f64>], row: usize, column: usize| cells.get(row).and_then(|row| row.get(column)).copied();
    let (rows, columns) = (kept.len().max(now.len()), kept[0].len().max(now[0].len()));
    let differs = |row: usize, column: usize| match (of(kept, row, column), of(now, row, column)) {
        (Some(before), Some(after)) => (before - after).abs() > NEAR,
        _ => true,
    };
    let count = (0..rows).flat_map(|row| (0..columns).map(move |column| (row, column)));
    count.filter(|(row, column)| differs(*row, *column)).count() as f64 / (rows * columns) as f64
}

#[test]
fn a_picture_is_read_with_each_filter_of_rows() {
    // Python's zlib wrote the rows, one with each filter.
    const PNG: &str = "89504e470d0a1a0a0000000d49484452000000030000000508020000000f13c1f50000000949444154789c6360304a61b7cc05053f2e\
                       0000001e49444154e6732862940f6c66070326791860b60b2f10060316200f220b00b98f063e903b82900000000049454e44ae426082";
    let png: Vec<u8> = (0..PNG.len()).step_by(2).map(|at| u8::from_str_radix(&PNG[at..at + 2], 16).unwrap()).collect();
    let row = |row: usize| (0..9).map(|place| (7 * (place / 3) + 31 * row + place % 3 * 50) as u8).collect();
    assert_eq!(rows(&png), (3, (0..5).map(row).collect()));
}

#[test]
fn pictures_that_differ_are_told_apart() {
    let white = vec![vec![255.0; 10]; 10];
    let mut other = white.clone();
    other[3][4] = 230.0;
    assert!((difference(&white, &other) - 0.01).abs() < 1e-12);
    other[3][4] = 240.0;
    assert_eq!(difference(&white, &other), 0.0);
    other.push(vec![255.0; 10]);
    assert!(difference(&white, &other) > MOST);
}
