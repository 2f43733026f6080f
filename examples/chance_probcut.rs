//! Measures the line by which ChanceProbCut predicts: values of chance nodes at a depth over those of searches that are
//! shallower, in recorded positions of Carcassonne, with the parameters that `star1`, `star2` and `star2.5` take.
//!
//! ```sh
//! cargo run --release --example chance_probcut -- experiments/heyden-2009/states.jsonl 3 1
//! ```

use evouct::carcassonne::{CarcassonneHeuristic, ImportedGame, State};
use evouct::clock::ThreadClock;
use evouct::search::{
    Bounds, Budget, ChanceSearch, Meter, Multiplayer, Prediction, Probing, Star, StarSettings, Unprobed,
};
use std::time::Duration;

/// Chance nodes of each position.
const NODES: usize = 3;
const USAGE: &str =
    "expected a file of recorded positions, a depth, and by how many plies the other search is shallower";

fn positions(file: &str) -> Result<Vec<State>, String> {
    let text = std::fs::read_to_string(file).map_err(|error| format!("{file}: {error}"))?;
    let lines = text.lines().filter(|line| !line.trim().is_empty());
    let read = |line: &str| {
        let recording: ImportedGame = serde_json::from_str(line).map_err(|error| error.to_string())?;
        recording.position().map_err(|error| error.to_string())
    };
    lines.map(|line| read(line).map_err(|error| format!("{file}: {error}"))).collect()
}

/// Pairs of values of a shallower and a deeper search in these positions.
fn pairs(positions: &[State], depth: u32, reduction: u32) -> Vec<(f64, f64)> {
    // The heuristic and the search of the player, Star2.5 as it is by default.
    let heuristic = CarcassonneHeuristic::default();
    let settings = StarSettings {
        chance: ChanceSearch::Star2(Probing { factor: 4, cyclic: false, unprobed: Unprobed::Bound }),
        multiplayer: Multiplayer::Paranoid,
        bounds: Bounds::Fixed { lower: -100.0, upper: 100.0 },
        prob_cut: None,
        depth,
        deepening: false,
    };
    let of = |state: &State| {
        let clock = ThreadClock::start();
        let mut meter = Meter::start(&Budget::default(), &clock, Duration::ZERO, 1);
        Star::new(&heuristic, settings, &mut meter).chance_values(state, reduction, NODES)
    };
    positions.iter().flat_map(of).collect()
}

fn main() -> Result<(), String> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let [file, depth, reduction] = &arguments[..] else { return Err(USAGE.to_owned()) };
    let (Ok(depth), Ok(reduction)) = (depth.parse::<u32>(), reduction.parse::<u32>()) else {
        return Err(USAGE.to_owned());
    };
    if reduction == 0 || reduction + 1 >= depth {
        return Err(format!(
            "a search by {reduction} plies less needs depth = {}, found {depth}",
            reduction.max(1) + 2
        ));
    }
    let pairs = pairs(&positions(file)?, depth, reduction);
    let Some(Prediction { slope, offset, deviation }) = Prediction::fit(&pairs) else {
        return Err(format!("{} chance nodes have no rising line", pairs.len()));
    };
    println!("{} chance nodes", pairs.len());
    println!(
        "probcut_reduction={reduction},probcut_slope={slope:.4},probcut_offset={offset:.4},probcut_sigma={deviation:.4}"
    );
    Ok(())
}
