//! What a reader can read off a chart: its points with their values, for the pointer and the keyboard.
//!
//! They travel in an attribute of the chart, which the script of the page reads and files by themselves do not have.

use std::fmt::Write;

const ATTRIBUTE: &str = " data-readings=\"";

/// Points of a chart in pixels, each with what it says.
#[derive(Default)]
pub(super) struct Readings {
    points: Vec<((i32, i32), String)>,
}

impl Readings {
    pub(super) fn add(&mut self, place: (i32, i32), said: String) {
        self.points.push((place, said));
    }

    /// The chart with its points: `x y text` in lines.
    pub(super) fn attach(&self, svg: &str) -> String {
        if self.points.is_empty() {
            return svg.to_owned();
        }
        let mut attribute = ATTRIBUTE.to_owned();
        for ((x, y), said) in &self.points {
            let said =
                said.replace('&', "&amp;").replace('<', "&lt;").replace('"', "&quot;").replace(['\n', '\r'], " ");
            let _ = write!(attribute, "{x} {y} {said}&#10;");
        }
        attribute.push('"');
        svg.replacen("<svg class=\"chart\" role=\"img\"", &format!("<svg class=\"chart\" role=\"img\"{attribute}"), 1)
    }
}

/// The chart without its points.
pub(super) fn detach(svg: &str) -> String {
    let Some((before, rest)) = svg.split_once(ATTRIBUTE) else { return svg.to_owned() };
    let (_, after) = rest.split_once('"').unwrap_or(("", rest));
    format!("{before}{after}")
}

#[cfg(test)]
mod tests {
    use super::{Readings, detach};

    #[test]
    fn points_come_and_go() {
        let bare = "<svg class=\"chart\" role=\"img\" viewBox=\"0 0 1 1\"></svg>";
        let mut readings = Readings::default();
        assert_eq!(readings.attach(bare), bare);
        readings.add((3, 4), "a \"<b>\" & c\nd".to_owned());
        let svg = readings.attach(bare);
        assert!(
            svg.contains("role=\"img\" data-readings=\"3 4 a &quot;&lt;b>&quot; &amp; c d&#10;\" viewBox"),
            "{svg}"
        );
        assert_eq!(detach(&svg), bare);
    }
}
