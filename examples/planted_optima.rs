//! Tunings of planted surfaces, whose best value is known: by how many points per game the values that each method of
//! `evouct tune` finds are worse than the best ones. No game is played: the result of a deck is the value of the surface and
//! normal noise with a standard deviation of 14 points, that of decks of Carcassonne.
//!
//! ```sh
//! cargo run --release --example planted_optima -- 100
//! ```
//!
//! A second argument is the first word of the only surface to tune. The optimum of every repetition stands elsewhere, in the
//! middle 60 % of each range; with a third argument, `anywhere`, also near its ends.

use evouct::parameter::Value;
use evouct::sampling::unit;
use evouct::seed::Key;
use evouct::stats::Summary;
use evouct::tune::{Choice, METHODS, Planted, TuneError, TuningMethod};

const SD: f64 = 14.0;
const GAMES: [u64; 3] = [300, 3_000, 30_000];

/// A surface: its name, the lower and the upper end of its ranges, their number, and its value less that of the optimum, by
/// the places of the numbers in their ranges, a word and the place of the optimum.
struct Surface {
    name: &'static str,
    ends: [f64; 2],
    ranges: usize,
    words: u64,
    value: fn(&[f64], usize, &[f64]) -> f64,
}

/// One range from 0 to 1, and no list.
const ONE: Surface = Surface { name: "", ends: [0.0, 1.0], ranges: 1, words: 1, value: |_, _, _| 0.0 };

const SURFACES: [Surface; 8] = [
    // Two points less at a factor of 1.7, as UCT has at K = 1 with 2,800 iterations, and 20 far away.
    Surface {
        name: "peak (logarithmic)",
        ends: [0.05, 5.0],
        value: |x, _, best| hill(x[0] - best[0], 20.0, 0.36),
        ..ONE
    },
    // Half of the range is equally good.
    Surface { name: "plateau", value: |x, _, best| -20.0 * ((x[0] - best[0]).abs() - 0.25).max(0.0), ..ONE },
    Surface { name: "cliff", value: |x, _, best| if x[0] <= best[0] { 8.0 * (x[0] - best[0]) } else { -10.0 }, ..ONE },
    Surface {
        name: "ridge",
        ranges: 2,
        value: |x, _, best| {
            let [a, b] = [x[0] - best[0], x[1] - best[1]];
            hill(a - b, 30.0, 0.7) - 6.0 * (a + b) * (a + b)
        },
        ..ONE
    },
    // A narrow one of 8 points, and a broad one of 6.
    Surface {
        name: "two optima",
        value: |x, _, best| {
            let at = if best[0] < 0.5 { x[0] } else { 1.0 - x[0] };
            let bump = |from: f64, height: f64, width: f64| height + hill(at - from, height, width);
            bump(0.2, 8.0, 0.1).max(bump(0.7, 6.0, 0.25)) - 8.0
        },
        ..ONE
    },
    Surface {
        name: "four ranges, two idle",
        ranges: 4,
        value: |x, _, best| -25.0 * square(x[0] - best[0]) - 12.0 * square(x[2] - best[2]),
        ..ONE
    },
    Surface {
        name: "four ranges",
        ranges: 4,
        value: |x, _, best| -10.0 * x.iter().zip(best).map(|(x, best)| square(x - best)).sum::<f64>(),
        ..ONE
    },
    // Every word has an optimum of its own.
    Surface {
        name: "list and range",
        words: 3,
        value: |x, word, best| {
            let (height, best) = [(0.0, best[0]), (-2.0, 1.0 - best[0]), (-5.0, best[1])][word];
            height - 15.0 * square(x[0] - best)
        },
        ..ONE
    },
];

fn square(x: f64) -> f64 {
    x * x
}

/// 0 at the top of a hill, and minus its height far away.
fn hill(x: f64, height: f64, width: f64) -> f64 {
    height * ((-square(x / width)).exp() - 1.0)
}

/// How much worse than the best the values are that a tuning finds, with the optimum in this part of each range.
fn regret(
    surface: &Surface,
    [from, width]: [f64; 2],
    method: TuningMethod,
    games: u64,
    seed: u64,
) -> Result<f64, TuneError> {
    let [low, high] = surface.ends;
    let mut choices = vec![Choice::Range { low, high, whole: false }; surface.ranges];
    if surface.words > 1 {
        choices.push(Choice::List((0..surface.words).map(Value::Count).collect()));
    }
    let mut rng = Key::series("planted", seed).stream();
    let best: Vec<f64> = (0..4).map(|_| from + width * unit(&mut rng)).collect();
    let value = |row: &[Value]| {
        let number = |value: &Value| match value {
            Value::Real(x) if low > 0.0 => (x / low).ln() / (high / low).ln(),
            Value::Real(x) => *x,
            Value::Count(word) => *word as f64,
            _ => f64::NAN,
        };
        let numbers: Vec<f64> = row.iter().map(number).collect();
        let word = numbers.get(surface.ranges).map_or(0, |word| *word as usize);
        (surface.value)(&numbers[..surface.ranges], word, &best)
    };
    let planted = Planted { choices: &choices, value: &value, sd: SD };
    planted.tuned(method, games, seed).map(|found| -value(&found))
}

fn main() -> Result<(), String> {
    let mut arguments = std::env::args().skip(1);
    let repetitions = arguments.next().and_then(|number| number.parse::<u64>().ok());
    let repetitions =
        repetitions.ok_or("expected a number of repetitions, and the first word of a surface or nothing")?;
    let only = arguments.next();
    let part = if arguments.next().as_deref() == Some("anywhere") { [0.0, 1.0] } else { [0.2, 0.6] };
    println!("| surface | method | {} |", GAMES.map(|games| format!("{games} games")).join(" | "));
    println!("|---|---|{}", "---|".repeat(GAMES.len()));
    let wanted = |surface: &&Surface| only.as_deref().is_none_or(|only| surface.name.starts_with(only));
    for surface in SURFACES.iter().filter(wanted) {
        for method in METHODS.all() {
            let (name, method) = (method.name(), TuningMethod::of_name(method.name()).expect("it is of the list"));
            let mut cells = Vec::new();
            for games in GAMES {
                let regrets: Option<Summary> =
                    (1..=repetitions).map(|seed| regret(surface, part, method, games, seed).ok()).collect();
                let shown = |regrets: Summary| {
                    let (mean, error) = (regrets.mean().ok()?, regrets.standard_error().ok()?);
                    Some(format!("{mean:.2} ± {error:.2}"))
                };
                cells.push(regrets.and_then(shown).unwrap_or_else(|| "too few".to_owned()));
            }
            println!("| {} | {name} | {} |", surface.name, cells.join(" | "));
        }
    }
    Ok(())
}
