//! Pictures of pages, compared with those in `tests/screenshots`.
//!
//! `SCREENSHOTS=write` writes them again. Fonts differ between machines, and with them every line of text: where the
//! page has another font than the kept pictures, nothing is compared.

use super::Browser;
use serde_json::json;
use std::fs::File;
use std::io::BufReader;
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
        let font = self.value(
            "(() => { const pen = document.createElement('canvas').getContext('2d'); \
             pen.font = '40px ' + getComputedStyle(document.body).fontFamily; \
             return Math.round(pen.measureText('Evouct 0123456789 ± −').width).toString(); })()",
        );
        let font = font.as_str().unwrap();
        self.value("scrollTo(0, 0)");
        let height = self.value("document.documentElement.scrollHeight").as_u64().unwrap().min(HEIGHT);
        let clip = json!({"x": 0, "y": 0, "width": width, "height": height, "scale": SCALE});
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
        std::fs::write(&now, found).unwrap();
        let share = difference(&cells(&kept), &cells(&now));
        assert!(share <= MOST, "{:.1} % of {} differ from {}", 100.0 * share, now.display(), kept.display());
    }
}

/// The mean brightness of each cell of a picture, by row.
fn cells(path: &Path) -> Vec<Vec<f64>> {
    let mut reader = png::Decoder::new(BufReader::new(File::open(path).unwrap())).read_info().unwrap();
    let mut pixels = vec![0; reader.output_buffer_size().unwrap()];
    let info = reader.next_frame(&mut pixels).unwrap();
    let (width, channels) = (info.width as usize, info.color_type.samples());
    let rows: Vec<&[u8]> = pixels[..info.buffer_size()].chunks(width * channels).collect();
    let cell = |rows: &[&[u8]], from: usize| {
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
