//! The interval under the curve, as text and as SVG.

use super::state::State;
use evouct_base::named::Named;
use evouct_base::plural::counted;
use std::fmt::Write;

/// Points of the curve.
const POINTS: u32 = 400;
/// User units: width and height of the plot.
const SIZE: [f64; 2] = [400.0, 200.0];

/// The interval, its centre and the value there.
pub(super) fn text(state: &State) -> String {
    let [taken, depth] = state.depths();
    let mut text = format!("{} after {taken} of {}\n", state.function().name(), counted(depth, "action"));
    for (dimension, name) in ["x", "y"].into_iter().enumerate().take(state.function().dimensions()) {
        let [low, high] = state.interval(dimension);
        writeln!(text, "{name}  {low:.7} … {high:.7}").expect("a string takes everything");
    }
    text + &format!("f at the centre  {:.6}\n", state.value())
}

/// The curve of a function of one dimension with the interval; of two dimensions, the rectangle.
pub(super) fn svg(state: &State) -> String {
    let [width, height] = SIZE;
    let [low, high] = state.interval(0);
    let two = state.function().dimensions() == 2;
    let [top, bottom] = if two { state.interval(1).map(|y| height * (1.0 - y)) } else { [height, 0.0] };
    let mut svg = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{width}\" height=\"{height}\" viewBox=\"-2 -2 {} {}\">\
         <title>{} on an interval</title>\
         <rect width=\"{width}\" height=\"{height}\" fill=\"none\" stroke=\"currentColor\"/>\
         <rect x=\"{}\" y=\"{}\" width=\"{}\" height=\"{}\" fill=\"#e69f00\" fill-opacity=\"0.5\"/>",
        width + 4.0,
        height + 4.0,
        state.function().name(),
        low * width,
        bottom.min(top),
        ((high - low) * width).max(1.0),
        (top - bottom).abs().max(1.0)
    );
    if !two {
        let at = |step: u32| {
            let x = f64::from(step) / f64::from(POINTS);
            format!("{:.1},{:.1}", x * width, height * (1.0 - state.function().at(&[x])))
        };
        let points: Vec<String> = (0..=POINTS).map(at).collect();
        svg += &format!("<polyline points=\"{}\" fill=\"none\" stroke=\"currentColor\"/>", points.join(" "));
    }
    svg + "</svg>"
}
