//! Leagues whose pairs are tested at looks (`[sequential]` with `looks`), by simulation: how often a difference is shown that
//! is none, how often one is shown that is there, and how many decks that takes, beside a league with a fixed number of
//! decks and the same power. No game is played: the result of a deck is the difference of two strengths and normal noise
//! with a standard deviation of 14 points, that of decks of Carcassonne.
//!
//! ```sh
//! cargo run --release --example tests_at_looks -- 2000
//! ```

use evouct::sampling::normal;
use evouct::seed::Key;
use evouct::stats::distinct::Evidence;
use evouct::stats::pairs_at_looks::PairsAtLooks;
use evouct::stats::proportion::wilson;
use evouct::stats::{SIGNIFICANCE_LEVEL, normal_quantile};

const SD: f64 = 14.0;
/// Planned decks.
const DECKS: u32 = 400;
const LOOKS: [usize; 3] = [5, 10, 20];
/// Leagues by the strengths of their players, in points per game.
const LEAGUES: [(&str, &[f64]); 4] = [
    ("8 equal players", &[0.0; 8]),
    ("8 players, each 2 points better than the next", &[0.0, 2.0, 4.0, 6.0, 8.0, 10.0, 12.0, 14.0]),
    ("4 players, each 2 points better than the next", &[0.0, 2.0, 4.0, 6.0]),
    ("4 players, one 2.5 points better than the others", &[2.5, 0.0, 0.0, 0.0]),
];

/// What leagues showed.
#[derive(Default)]
struct Shown {
    /// Leagues that show a difference where there is none.
    wrong: u64,
    /// True differences shown.
    found: u64,
    /// Decks, over all pairs.
    decks: u64,
}

/// Plays a league at looks.
fn play(mut pairs: PairsAtLooks, differences: &[f64], seed: u64, shown: &mut Shown) {
    let mut rng = Key::series("looks", seed).stream();
    for look in 1..=pairs.count() {
        for deck in pairs.decks_at(look - 1) + 1..=pairs.decks_at(look) {
            for (pair, difference) in differences.iter().enumerate() {
                if pairs.wants(pair, deck) {
                    // No two games are the same.
                    let difference = difference + SD * normal(&mut rng);
                    pairs.add(pair, deck, Some(Evidence { game: deck.into(), difference }));
                    shown.decks += 1;
                }
            }
        }
        pairs.look();
    }
    let decided = |pair: &usize| pairs.pair(*pair).is_decided();
    let (same, apart): (Vec<usize>, Vec<usize>) = (0..differences.len()).partition(|pair| differences[*pair] == 0.0);
    shown.wrong += u64::from(same.iter().any(decided));
    shown.found += apart.iter().filter(|pair| decided(pair)).count() as u64;
}

/// The true differences that leagues with so many decks show, by tests with Holm's correction whose errors these are.
fn found(differences: &[f64], decks: u32, errors: &[Vec<f64>]) -> usize {
    let scale = f64::from(decks).sqrt() / SD;
    let of_league = |errors: &Vec<f64>| {
        let z = |(difference, error): (&f64, &f64)| ((difference * scale + error).abs(), *difference != 0.0);
        let mut tests: Vec<(f64, bool)> = differences.iter().zip(errors).map(z).collect();
        tests.sort_by(|a, b| b.0.total_cmp(&a.0));
        let least = |rank: usize| normal_quantile(1.0 - SIGNIFICANCE_LEVEL / 2.0 / (tests.len() - rank) as f64);
        let shown = tests.iter().enumerate().take_while(|(rank, test)| test.0 >= least(*rank));
        shown.filter(|(_, test)| test.1).count()
    };
    errors.iter().map(of_league).sum()
}

/// The fewest decks with which a fixed league shows as many true differences.
fn fixed(differences: &[f64], leagues: u64, wanted: u64) -> u32 {
    let errors = |seed| {
        let mut rng = Key::series("fixed", seed).stream();
        differences.iter().map(|_| normal(&mut rng)).collect()
    };
    let errors: Vec<Vec<f64>> = (0..leagues).map(errors).collect();
    let (mut low, mut high) = (1, 8 * DECKS);
    while high - low > 1 {
        let middle = u32::midpoint(low, high);
        if found(differences, middle, &errors) as u64 >= wanted { high = middle } else { low = middle }
    }
    high
}

fn main() -> Result<(), String> {
    let leagues = std::env::args().nth(1).and_then(|number| number.parse::<u64>().ok());
    let leagues = leagues.filter(|leagues| *leagues > 0).ok_or("expected a number of leagues to simulate")?;
    println!("| league | looks | wrong leagues, 95 % interval | power | decks per pair | fixed decks | saved |");
    println!("|---|---|---|---|---|---|---|");
    for (name, strengths) in LEAGUES {
        let others = |a: usize| strengths[a + 1..].iter().map(move |other| strengths[a] - other);
        let differences: Vec<f64> = (0..strengths.len()).flat_map(others).collect();
        for looks in LOOKS {
            let none = PairsAtLooks::new(looks, DECKS, differences.len(), 1).map_err(|error| error.to_string())?;
            let mut shown = Shown::default();
            (0..leagues).for_each(|seed| play(none.clone(), &differences, seed, &mut shown));
            let wrong = wilson(shown.wrong, leagues).map_err(|error| error.to_string())?;
            let [low, high] = [wrong.interval.low, wrong.interval.high].map(|end| 100.0 * end);
            let decks = shown.decks as f64 / (leagues * differences.len() as u64) as f64;
            let apart = differences.iter().filter(|difference| **difference != 0.0).count() as u64;
            let compared = if apart == 0 {
                "– | – | –".to_owned()
            } else {
                let power = 100.0 * shown.found as f64 / (apart * leagues) as f64;
                let fixed = fixed(&differences, leagues, shown.found);
                format!("{power:.1} % | {fixed} | {:.0} %", 100.0 * (1.0 - decks / f64::from(fixed)))
            };
            let (power, rest) = compared.split_once(" | ").unwrap_or_default();
            let share = 100.0 * wrong.estimate;
            println!("| {name} | {looks} | {share:.1} % ({low:.1} to {high:.1}) | {power} | {decks:.0} | {rest} |");
        }
    }
    Ok(())
}
