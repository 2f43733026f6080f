//! Results that misled readers of earlier reports: the report must state what the tests show and nothing else.

use crate::journal;
use crate::program;
use evouct::record::Run;
use evouct::report::{Format, LoadedRun, Report, Screen, summary};
use journal::{Journal, pairs, toml};
use program::{LEAGUE, Scratch, fail, say, succeed, unwrapped};
use serde_json::Value;

/// Plays `decks` decks of all pairs that `meets` allows: player i scores `strength[i]` plus noise that depends on the
/// deck.
fn league(
    scratch: &Scratch,
    toml: &str,
    decks: u32,
    strength: &[i32],
    meets: impl Fn(usize, usize) -> bool,
) -> Journal {
    let mut journal = Journal::new(scratch.0.path(), toml);
    let noise = |deck: u32, player: usize, seat: usize| (deck as usize * 7 + player * 5 + seat * 3) % 11;
    let mut met = pairs(strength.len());
    met.retain(|[home, away]| meets(*home.min(away), *home.max(away)));
    journal.play(decks, &met, |deck, seats| {
        [0, 1].map(|seat| 50 + strength[seats[seat]] + noise(deck, seats[seat], seat) as i32)
    });
    journal
}

/// The printed report with line breaks removed, its headline, and the whole as JSON.
fn report(scratch: &Scratch) -> (String, String, Value) {
    let said = say(&["report", &scratch.path("")]);
    let text = said.out;
    let json: Value = serde_json::from_str(&scratch.read("report.json")).unwrap();
    let sentences: Vec<&str> =
        json["headline"]["sentences"].as_array().unwrap().iter().map(|line| line.as_str().unwrap()).collect();
    let headline = sentences.join(" ");
    let is_interim = headline.contains("interim") || headline.starts_with("No game is finished");
    assert_eq!(said.code, Some(i32::from(is_interim)), "{headline}: {}", said.err);
    assert!(unwrapped(&text).contains(&unwrapped(&headline)), "the terminal has no headline: {text}");
    let html = scratch.read("report.html");
    let place = |what: &str| html.find(what).unwrap_or_else(|| panic!("{what} is not on the page"));
    assert!(place("id=\"headline\"") < place("id=\"ranking\"") || json["finished"] == 0);
    (unwrapped(&text), headline, json)
}

#[test]
fn a_gauntlet_ranks_contestants_and_not_the_fixed_opponent() {
    let scratch = Scratch::new();
    // The opponent wins most of its many games, but "strong" beats it.
    let names = ["fixed", "weak", "strong", "equal"];
    let toml = toml(&names, 12, "schedule = \"gauntlet\"\n");
    league(&scratch, &toml, 12, &[20, 0, 40, 20], |first, _| first == 0);
    let (text, headline, json) = report(&scratch);
    let ranking: Vec<(&Value, &str)> =
        json["ranking"].as_array().unwrap().iter().map(|row| (&row["rank"], row["player"].as_str().unwrap())).collect();
    assert_eq!(ranking[0], (&Value::from(1), "strong"));
    assert_eq!(ranking[3], (&Value::Null, "fixed"));
    assert!(scratch.read("ranking.csv").lines().last().unwrap().starts_with(",fixed,"));
    let contestants = json["gauntlet"]["contestants"].as_array().unwrap();
    let order: Vec<&str> = contestants.iter().map(|row| row["player"].as_str().unwrap()).collect();
    assert_eq!(order, ["strong", "equal", "weak"]);
    assert!(
        text.contains("fixed (- per decision, deck hidden) against each contestant") && !text.contains("Ranking"),
        "{text}"
    );
    let said = "Of 3 contestants, fixed is significantly stronger than 1 (weak) and significantly weaker than 1 (strong); for 1 \
                (equal) the data are inconclusive.";
    assert!(headline.contains(said), "{headline}");
    // Contestants never meet, but they play the same decks: 40 points apart whatever the deck.
    let pairs = json["gauntlet"]["comparisons"].as_array().unwrap();
    assert_eq!(pairs.len(), 3);
    let pair = pairs.iter().find(|pair| pair["a"] == "strong" && pair["b"] == "weak").unwrap();
    assert_eq!(pair["units"], 12);
    let difference = pair["paired"]["value"]["difference"].as_f64().unwrap();
    // The differences to the fixed opponent, by hand over the same noise.
    let noise = |deck: i32, player: i32, seat: i32| (deck * 7 + player * 5 + seat * 3) % 11;
    let own = |deck: i32, player: i32| f64::from(noise(deck, player, 0) + noise(deck, player, 1)) / 2.0;
    let expected = 40.0 + (1..=12).map(|deck| own(deck, 2) - own(deck, 1)).sum::<f64>() / 12.0;
    assert!((difference - expected).abs() < 1e-9, "{difference}, expected {expected}");
    assert!(pair["holm"].as_f64().unwrap() < 0.001);
}

/// The player that is ahead stands first, whatever the order of the file, in what is printed; files keep that order.
#[test]
fn the_stronger_player_stands_first_in_every_pair() {
    let scratch = Scratch::new();
    league(&scratch, &toml(&["weak", "strong"], 12, ""), 12, &[0, 40], |_, _| true);
    let (text, ..) = report(&scratch);
    assert!(text.contains("strong weak 12 +") && !text.contains("weak strong 12"), "{text}");
    let all = unwrapped(&succeed(&["report", &scratch.path(""), "--all"]));
    assert!(all.contains("strong weak 24-0-0 1.00 "), "{all}");
    assert!(succeed(&["report", &scratch.path(""), "--format", "md"]).contains("| strong | weak | 12 | +"));
    assert!(scratch.read("tables.tex").contains("strong & weak & 12 & $"), "{}", scratch.read("tables.tex"));
    let page = scratch.read("report.html");
    assert!(page.find("24–0–0").is_some() && !page.contains("0–0–24"));
    assert!(scratch.read("significance.csv").lines().nth(1).unwrap().starts_with("weak,strong,"));
    let figure = scratch.read("figures/differences.csv");
    let (header, row) = figure.trim_end().split_once('\n').unwrap();
    assert_eq!(header, "a,b,decks,difference,low,high,holm_p");
    assert!(row.starts_with("strong,weak,12,39.4"), "{row}");
    let svg = scratch.read("figures/differences.svg");
    roxmltree::Document::parse(&svg).unwrap();
    assert!(svg.contains(">strong – weak</text>") && svg.contains(">*</text>"), "{svg}");
    assert!(page.contains("figures/differences.svg") && page.contains("strong – weak: 39.5"));
}

/// The chart of differences, the terminal and the page have the order of the ranking, and no mark where nothing is shown.
#[test]
fn differences_are_shown_in_the_order_of_the_ranking() {
    let scratch = Scratch::new();
    league(&scratch, &toml(&["a", "b", "c"], 12, ""), 12, &[0, 60, 30], |_, _| true);
    let (text, ..) = report(&scratch);
    let figure = scratch.read("figures/differences.csv");
    let pairs: Vec<&str> = figure.lines().skip(1).map(|row| &row[..3]).collect();
    assert_eq!(pairs, ["b,c", "b,a", "c,a"]);
    let page = scratch.read("report.html");
    let places = |text: &str, pair: &dyn Fn(&str, &str) -> String| {
        pairs.iter().map(|row| text.find(&pair(&row[..1], &row[2..]))).collect::<Option<Vec<_>>>().unwrap_or_default()
    };
    let printed = places(&text, &|a, b| format!(" {a} {b} 12 "));
    assert!(printed.len() == 3 && printed.is_sorted(), "{text}");
    let row = |a: &str, b: &str| {
        format!(
            "<bdi>{a}</bdi></td><td class=\"name\" data-label=\"b\"><bdi>{b}</bdi></td><td class=\"n\" data-v=\"12\""
        )
    };
    let shown = places(&page, &row);
    assert!(shown.len() == 3 && shown.is_sorted(), "{page}");
    let marked = |page: &str| page.matches("data-label=\"Holm p\">*\u{a0}").count();
    assert_eq!(marked(&page), 3);
    let scratch = Scratch::new();
    league(&scratch, &toml(&["a", "b"], 2, ""), 2, &[0, 1], |_, _| true);
    report(&scratch);
    let svg = scratch.read("figures/differences.svg");
    assert!(svg.matches("<circle").count() == 1 && !svg.contains(">*</text>"), "{svg}");
    assert_eq!(marked(&scratch.read("report.html")), 0);
}

#[test]
fn a_gauntlet_is_shown_from_the_view_of_its_first_player() {
    let scratch = Scratch::new();
    let toml = toml(&["mine", "uct", "random"], 12, "schedule = \"gauntlet\"\n");
    league(&scratch, &toml, 12, &[60, 30, 0], |first, _| first == 0);
    let (text, headline, json) = report(&scratch);
    assert!(headline.starts_with("mine is significantly stronger than each of 2 contestants: from +"), "{headline}");
    assert!(text.contains("1 uct 24 of 24 +") && text.contains("2 random 24 of 24 +"), "{text}");
    assert!(json["gauntlet"]["contestants"][0]["difference"]["mean"].as_f64().unwrap() < 0.0);
    let figure = scratch.read("figures/differences.csv");
    let rows: Vec<&str> = figure.lines().skip(1).collect();
    assert!(
        rows.len() == 2 && rows[0].starts_with("mine,uct,12,") && rows[1].starts_with("mine,random,12,"),
        "{figure}"
    );
    let page = scratch.read("report.html");
    assert!(page.contains("Score of mine less that of each contestant, the best contestant first"));
    assert!(page.contains("<summary>All games, each player from its own view</summary>"));
    assert!(page.contains("Score of a minus score of b in the games between the two, per deck"));
}

/// A contestant that is stronger than the fixed opponent has a negative difference in the chart.
#[test]
fn the_differences_of_a_gauntlet_are_those_of_its_first_player() {
    let scratch = Scratch::new();
    let toml = toml(&["mine", "weak", "strong"], 12, "schedule = \"gauntlet\"\n");
    league(&scratch, &toml, 12, &[30, 0, 60], |first, _| first == 0);
    report(&scratch);
    let figure = scratch.read("figures/differences.csv");
    let rows: Vec<&str> = figure.lines().skip(1).collect();
    assert!(rows[0].starts_with("mine,strong,12,-") && rows[1].starts_with("mine,weak,12,"), "{figure}");
}

#[test]
fn contestants_of_one_deck_are_not_compared() {
    let scratch = Scratch::new();
    let toml = toml(&["fixed", "a", "b"], 2, "schedule = \"gauntlet\"\n");
    league(&scratch, &toml, 1, &[9, 0, 3], |first, _| first == 0);
    let (text, headline, _) = report(&scratch);
    assert!(headline.contains("The contestants cannot be compared with one another."), "{headline}");
    assert!(!text.contains("Contestants compared"), "{text}");
    let html = scratch.read("report.html");
    assert!(html.contains("one deck is too few for a test") && !html.contains("Contestants compared"));
    assert!(!html.contains("they share no deck"));
}

#[test]
fn the_caption_of_a_large_gauntlet_counts_the_pairs_of_the_correction() {
    let scratch = Scratch::new();
    let names: Vec<String> = (0..103).map(|player| format!("p{player}")).collect();
    let names: Vec<&str> = names.iter().map(String::as_str).collect();
    let toml = toml(&names, 2, "schedule = \"gauntlet\"\n");
    let mut strength = [0; 103];
    strength[1] = 90;
    // The best of 102 contestants has played one deck only.
    let mut journal = league(&scratch, &toml, 1, &strength, |first, _| first == 0);
    for player in 2..103 {
        for seats in [[0, player], [player, 0]] {
            let game = journal.game(2, seats, [50, 50 + (player % 7) as i32]);
            journal.write(&game);
        }
    }
    let (text, ..) = report(&scratch);
    // 99 others of the best 100 are compared with one another; 201 pairs have a player that is not among these 100.
    let family = 99 * 98 / 2 + (102 * 101 / 2 - 100 * 99 / 2);
    assert!(text.contains(&format!("Holm over {family} pairs")), "{text}");
    assert!(scratch.read("report.html").contains(&format!("Holm's correction there is over {family} pairs")));
}

#[test]
fn the_caption_counts_the_pairs_that_were_tested() {
    let scratch = Scratch::new();
    let toml = toml(&["a", "b", "c", "d", "e"], 6, "schedule = \"gauntlet\"\n");
    league(&scratch, &toml, 6, &[9, 0, 3, 6, 12], |first, _| first == 0);
    let (_, headline, json) = report(&scratch);
    // Ten pairs of five players, of which four played.
    assert_eq!((&json["headline"]["tested"], json["significance"].as_array().unwrap().len()), (&Value::from(4), 10));
    assert!(headline.contains("a against each of 4 contestants on 6 decks, corrected over 4, and 6 pairs of contestants on the 6 decks that they share, \
             corrected over 6."), "{headline}");
    let html = scratch.read("report.html");
    assert!(
        html.contains("Holm's correction is over the 4 pairs that were tested") && !html.contains("over the 10 pairs")
    );
    assert!(html.contains("Holm's correction there is over 6 pairs"), "of contestants");
    assert!(scratch.read("tables.tex").contains("over the 4 pairs"));
    assert!(unwrapped(&succeed(&["report", &scratch.path(""), "--all"])).contains("Holm over 4 pairs"));
}

#[test]
fn budgets_and_peeking_are_shown_for_every_player() {
    let scratch = Scratch::new();
    let text = "name = \"unfair\"\ngames_per_match = 4\n[[player]]\nname = \"rich\"\nkind = \"mcts\"\niterations = 2800\n\
                chance = \"peek\"\n[[player]]\nname = \"poor\"\nkind = \"mcts\"\n[[player]]\nname = \"none\"\nkind = \"random\"\n";
    let mut journal = Journal::new(scratch.0.path(), text);
    for deck in 1..=4 {
        for seats in pairs(3) {
            let mut game = journal.game(deck, seats, seats.map(|player| 60 - 10 * player as i32 + deck as i32 % 3));
            // Two decisions per seat.
            game.virtual_scores = vec![vec![0, 0]; 4].into();
            game.playouts = seats.map(|player| [5_600, 800, 0][player]).to_vec();
            game.run.seconds = seats.map(|player| [0.5, 0.02, 0.0][player]).to_vec();
            journal.write(&game);
        }
    }
    let (text, headline, json) = report(&scratch);
    assert!(headline.contains("Budgets differ: from 400 playouts per decision (poor) to 2,800 (rich)."), "{headline}");
    assert!(headline.contains("rich sees the chance outcomes to come."), "{headline}");
    for (player, playouts, sees) in [("rich", Some(2_800.0), true), ("poor", Some(400.0), false), ("none", None, false)]
    {
        let row = json["ranking"].as_array().unwrap().iter().find(|row| row["player"] == player).unwrap();
        assert_eq!((row["cost"]["playouts"].as_f64(), row["cost"]["sees_deck"].as_bool()), (playouts, Some(sees)));
    }
    assert!(text.contains("2,800 250 ms seen") && text.contains("400 10 ms hidden"), "{text}");
    assert!(scratch.read("costs.csv").contains("\nrich,2800,,0.25,true\n"), "{}", scratch.read("costs.csv"));
    assert!(scratch.read("report.html").contains("250 ms"));
}

#[test]
fn the_first_experiment_is_fair() {
    evouct::registry::add_games();
    let read = |path: &str| {
        let path = format!("{}/experiments/{path}", env!("CARGO_MANIFEST_DIR"));
        evouct::config::Experiment::load(path.as_ref(), evouct::config::Overrides::default()).unwrap()
    };
    let quick = read("quick.toml");
    assert!(quick.games_per_match >= 10 && quick.players.iter().all(|player| !player.spec.sees_deck()));
    assert!(quick.players.iter().any(|player| player.spec.kind().name == "siea-mcts"));
    assert!(quick.players.iter().any(|player| player.spec.kind().name == "random"));
    // The champion is that of the proof, with another budget.
    let formulas = |experiment: &evouct::config::Experiment| {
        let champion = experiment.players.iter().find(|player| player.name == "Champion").unwrap();
        let rows = champion.spec.parameters().rows().filter(|(row, _)| row.name != "iterations");
        rows.map(|(row, value)| (row.name, value.to_string())).collect::<Vec<_>>()
    };
    assert_eq!(formulas(&quick), formulas(&read("evolve-2026/proof-400.toml")));
    let value = |player: &evouct::config::Contender, name: &str| {
        player.spec.parameters().rows().find(|(row, _)| row.name == name).map(|(_, value)| value.to_string())
    };
    let budgets: std::collections::BTreeSet<String> =
        quick.players.iter().filter_map(|player| value(player, "iterations")).collect();
    assert_eq!(budgets.len(), 1, "{budgets:?}");
    assert!(quick.players.iter().all(|player| value(player, "count_evolution").is_none_or(|counts| counts == "true")));
    let before = read("siea-2022/quick-reference.toml");
    assert!(before.players.iter().any(|player| player.spec.sees_deck()));
    assert_eq!((before.seed, before.games_per_match, before.players.len()), (2022, 5, 4));
}

#[test]
fn a_headline_for_every_outcome() {
    let of = |decks: u32, strength: &[i32]| {
        let scratch = Scratch::new();
        let names = &["a", "b", "c", "d"][..strength.len()];
        league(&scratch, &toml(names, decks as usize, ""), decks, strength, |_, _| true);
        report(&scratch).1
    };
    let nothing = of(12, &[0, 0, 0, 0]);
    assert!(nothing.starts_with("No difference between players is significant."), "{nothing}");
    assert!(nothing.contains("paired t-tests of 6 pairs on 12 decks, at"), "{nothing}");
    let floor = of(12, &[30, 30, 30, 0]);
    assert!(floor.starts_with("Every other player is significantly stronger than d."), "{floor}");
    let winner = of(12, &[60, 20, 20, 20]);
    assert!(winner.starts_with("a is significantly stronger than every other player."), "{winner}");
    let all = of(12, &[60, 0, 40, 20]);
    assert!(all.starts_with("All differences are significant. From strong to weak: a, c, d, b."), "{all}");
    let two = of(12, &[20, 0]);
    assert!(two.starts_with("a is significantly stronger than b: +"), "{two}");
    // With twelve decks and this noise, and where something is open only.
    assert!(
        nothing.contains("With these data a true difference of ") && nothing.contains(" in 80 % of cases."),
        "{nothing}"
    );
    assert!(winner.contains(" points per game, depending on the pair, would be shown in 80 % of cases."), "{winner}");
    assert!(!all.contains("true difference") && !two.contains("true difference"), "{all} {two}");
    let one_deck = of(1, &[20, 0]);
    assert!(one_deck.starts_with("No difference can be tested"), "{one_deck}");
}

#[test]
fn an_unfinished_run_says_so() {
    let scratch = Scratch::new();
    league(&scratch, &toml(&["a", "b", "c"], 40, ""), 3, &[0, 0, 0], |_, _| true);
    let headline = report(&scratch).1;
    assert!(headline.starts_with("These are interim results: 18 of 240 games are finished."), "{headline}");
}

#[test]
fn a_sequential_test_gives_the_headline() {
    let by = |test: &str, strength: [i32; 2], decks: u32| {
        let scratch = Scratch::new();
        let toml = toml(&["new", "old"], 100, &format!("[sequential]\nelo0 = 0\nelo1 = 100\n{test}"));
        league(&scratch, &toml, decks, &strength, |_, _| true);
        report(&scratch).1
    };
    let of = |strength, decks| by("", strength, decks);
    let better = of([30, 0], 100);
    assert!(better.contains("new is stronger than old by more than 0 Elo (H1, 100 Elo, is accepted)"), "{better}");
    assert!(!better.contains("paired t-tests"), "its p-values are too optimistic: {better}");
    let basis = "Basis: sequential probability ratio test (pentanomial) on the mirrored pairs of ";
    assert!(
        better.contains(basis) && better.contains(" decks, α = 0.05, β = 0.05, H0 0 against H1 100 Elo."),
        "{better}"
    );
    assert!(of([0, 30], 100).contains("new is not stronger than old by 100 Elo"), "H0");
    let normalised = by("elo = \"normalised\"\n", [30, 0], 100);
    assert!(normalised.contains("by more than 0 normalised Elo (H1, 100 normalised Elo, is accepted)"), "{normalised}");
    assert!(of([30, 0], 2).contains("undecided after 2 decks: nothing is shown"), "too few");
}

#[test]
fn strength_over_a_parameter_has_a_plot() {
    let scratch = Scratch::new();
    let text = "name = \"sweep\"\ngames_per_match = 6\nschedule = \"gauntlet\"\n[[player]]\nname = \"fixed\"\nkind = \"random\"\n\
                [[player]]\nkind = \"mcts\"\nk = [0.5, 1, 2]\n[[player]]\nname = \"other\"\nkind = \"mcts\"\niterations = 50\n\
                final = \"visits\"\n";
    league(&scratch, text, 6, &[20, 25, 35, 15, 0], |first, _| first == 0);
    let (text, _, json) = report(&scratch);
    let sweeps = json["sweeps"].as_array().unwrap();
    assert_eq!((sweeps.len(), &sweeps[0]["parameter"], &sweeps[0]["opponent"]), (1, &"k".into(), &"fixed".into()));
    let values: Vec<f64> =
        sweeps[0]["points"].as_array().unwrap().iter().map(|point| point["value"].as_f64().unwrap()).collect();
    assert_eq!(values, [0.5, 1.0, 2.0]);
    assert!(
        text.contains("Strength over k of mcts: mean score of fixed less that of the player with this value"),
        "{text}"
    );
    let svg = scratch.read("figures/sweep-1.svg");
    roxmltree::Document::parse(&svg).unwrap();
    assert_eq!(svg.matches("<circle").count(), 3);
    // From the view of the first player, as all results of a gauntlet: 20 against 25, 35 and 15.
    let figure = scratch.read("figures/sweep-1.csv");
    assert!(figure.starts_with("k,player,difference,low,high\n0.5,"));
    let differences: Vec<f64> =
        figure.lines().skip(1).map(|row| row.split(',').nth(2).unwrap().parse().unwrap()).collect();
    assert!(differences[0] < 0.0 && differences[1] < differences[0] && differences[2] > 0.0, "{figure}");
    let printed = text.find(" -").map(|_| text.contains("mcts:k=1 1 -"));
    assert_eq!(printed, Some(true), "{text}");
    assert!(scratch.read("report.html").contains("figures/sweep-1"));
}

/// Printed 14 games won, 2 drawn and 4 lost: 75 % with the bound 1.645·sqrt(0.75·0.25 / 20) = 15.93 %.
#[test]
fn printed_pairs_have_charts_and_neighbours_no_sweep() {
    let scratch = Scratch::new();
    let text = "name = \"pairs\"\ngames_per_match = 6\nschedule = \"neighbours\"\n[[player]]\nkind = \"mcts\"\nk = [0.5, 1, 2]\n\
                [paper]\nsource = \"A paper\"\ntable = \"V\"\npairs = [{ player = \"mcts:k=1\", opponent = \"mcts:k=0.5\", games = 20, \
                wins = 14, losses = 4, points = 70.5, opponent_points = 60 }]\n";
    league(&scratch, text, 6, &[0, 100, 200], |first, second| second - first == 1);
    let (text, _, json) = report(&scratch);
    assert_eq!(json["sweeps"].as_array().unwrap().len(), 0, "players have different opponents");
    assert!(text.contains("against the neighbours in the file only"), "{text}");
    let rows = |file: &str| -> Vec<Vec<String>> {
        let text = scratch.read(&format!("figures/{file}.csv"));
        let mut reader = csv::Reader::from_reader(text.as_bytes());
        assert_eq!(reader.headers().unwrap(), vec!["pair", "source", "value", "low", "high"]);
        reader.records().map(|row| row.unwrap().iter().map(str::to_owned).collect()).collect()
    };
    let rates = rows("scoring-rates");
    let pair = "mcts:k=1 – mcts:k=0.5";
    assert_eq!(rates[0], [pair, "here", "100", "100", "100"]);
    assert_eq!(rates[1][..3], [pair, "printed", "75"]);
    let bounds: Vec<f64> = rates[1][3..].iter().map(|bound| bound.parse().unwrap()).collect();
    assert!((bounds[0] - 59.0724).abs() < 1e-3 && (bounds[1] - 90.9276).abs() < 1e-3, "{bounds:?}");
    let points = rows("printed-points");
    assert_eq!(points.iter().map(|row| row[1].as_str()).collect::<Vec<_>>(), ["here", "printed", "here", "printed"]);
    assert_eq!(points[1], [pair, "printed", "70.5", "", ""]);
    assert_eq!(points[3], ["mcts:k=0.5 – mcts:k=1", "printed", "60", "", ""]);
    for name in ["scoring-rates", "printed-points"] {
        let svg = scratch.read(&format!("figures/{name}.svg"));
        roxmltree::Document::parse(&svg).unwrap();
        // A name for each pair, and a dot for each number.
        assert_eq!(svg.matches("<circle").count(), rows(name).len());
        assert!(scratch.read("report.html").contains(&format!("figures/{name}.svg")));
    }
}

#[test]
fn tables_fit_eighty_columns() {
    let scratch = Scratch::new();
    let long: Vec<String> = (0..9).map(|number| format!("mcts:iterations=2800,chance=peek,k=0.{number}")).collect();
    let names: Vec<&str> = long.iter().map(String::as_str).collect();
    let paper = "[paper]\nsource = \"A paper with a title that is rather long, and its authors, in a journal\"\ntable = \"IV\"\n\
                 ranking = [{ player = \"mcts:iterations=2800,chance=peek,k=0.1\", points = 4, pd = 20 }]\n\
                 matches = [{ home = \"mcts:iterations=2800,chance=peek,k=0.1\", away = \"mcts:iterations=2800,chance=peek,k=0.2\", home_wins = 2, away_wins = 1 }]\n";
    let strength: Vec<i32> = (0..9).map(|number| number * 4).collect();
    league(&scratch, &toml(&names, 3, paper), 3, &strength, |_, _| true);
    let text = succeed(&["report", &scratch.path("")]);
    assert!(names.iter().all(|name| text.contains(name)), "names are whole in a file: {text}");
    let run = Run::open(scratch.path("").as_ref()).unwrap();
    let experiment = run.experiment().unwrap();
    let loaded = LoadedRun::read(&run, &experiment, |_, _| Ok(())).unwrap();
    let screen = Format::Screen(Screen { width: 80, colour: false });
    for line in summary(&Report::of(&experiment, &loaded.aggregate), false, screen).lines() {
        assert!(line.chars().count() <= 80, "{} columns: {line}", line.chars().count());
    }
    assert!(text.trim_end().lines().last().unwrap().ends_with("report.html"), "{text}");
    for rare in ["Welch", "Wilcoxon", "d_z", "Players by seat"] {
        assert!(!text.contains(rare), "{rare} is not for every reader");
        assert!(succeed(&["report", &scratch.path(""), "--all"]).contains(rare), "{rare} is for --all");
    }
}

#[test]
fn tables_in_other_formats() {
    let scratch = Scratch::new();
    league(&scratch, &toml(&["a|b", "c,d"], 3, ""), 3, &[4, 0], |_, _| true);
    let csv = succeed(&["report", &scratch.path(""), "--format", "csv"]);
    let ranking = csv.split("\n\n").next().unwrap();
    assert!(ranking.starts_with("# Ranking"), "{csv}");
    let mut reader = csv::ReaderBuilder::new().comment(Some(b'#')).from_reader(ranking.as_bytes());
    assert_eq!(&reader.headers().unwrap()[1], "player");
    let players: Vec<String> = reader.records().map(|row| row.unwrap()[1].to_owned()).collect();
    assert_eq!(players, ["a|b", "c,d"]);
    let markdown = succeed(&["report", &scratch.path(""), "--format", "md"]);
    assert!(markdown.contains("\n|  | player | points |") && markdown.contains("a\\|b"), "{markdown}");
    assert!(fail(&["report", &scratch.path(""), "--format", "xml"], 2).contains("--format"));
}

/// A small run whose formulas were evolved by the rules of the reference preset.
fn evolved() -> (Scratch, String) {
    let scratch = Scratch::new();
    let text = LEAGUE
        .replace("seed = 11", "seed = 11\npreset = \"reference\"")
        .replace("games_per_match = 2", "games_per_match = 1");
    let experiment = scratch.write("small.toml", &text);
    let folder = scratch.path("run");
    succeed(&["run", &experiment, "--out", &folder]);
    (scratch, folder)
}

#[test]
fn no_command_takes_a_part_of_a_run_for_the_whole() {
    let scratch = Scratch::new();
    let paper = "[paper]\ntable = \"I\"\nranking = [{ player = \"MCTS\", points = 10 }]\n";
    let experiment = scratch.write("small.toml", &LEAGUE.replacen("[[player]]", &format!("{paper}[[player]]"), 1));
    let [whole, part] = ["whole", "part"].map(|name| scratch.path(name));
    succeed(&["run", &experiment, "--out", &whole]);
    std::fs::create_dir(&part).unwrap();
    let kept: String = scratch.read("whole/games.jsonl").split_inclusive('\n').take(1 + 7).collect();
    scratch.write("part/games.jsonl", &kept);
    for (arguments, runs) in [
        (&["report"][..], 1),
        (&["report", "--json"], 1),
        (&["digest"], 1),
        (&["digest", "--json"], 1),
        (&["export"], 1),
        (&["paper"], 1),
        (&["formulas"], 1),
        (&["branching"], 1),
        (&["branching", "--json"], 1),
        (&["features"], 1),
        (&["features", "--json"], 1),
        (&["compare-printed"], 2),
        (&["compare"], 2),
        (&["compare", "--json"], 2),
    ] {
        let of = |folder: &str| say(&[arguments, &[&whole, folder][2 - runs..]].concat());
        let complete = of(&whole);
        assert!(complete.code == Some(0) && !complete.out.is_empty(), "{arguments:?}: {complete:?}");
        let said = of(&part);
        let line = format!("evouct: {part}: interim results: 5 games are missing; `evouct run` goes on\n");
        assert!(said.code == Some(1) && said.err.ends_with(&line) && !said.out.is_empty(), "{arguments:?}: {said:?}");
    }
    let said = fail(&["compare", &part, &part], 1);
    assert_eq!(said.matches("interim results: 5 games are missing").count(), 2, "{said}");
    // These look at what is there, and ask for no more.
    for command in ["status", "verify", "replay"] {
        succeed(&[command, &part]);
    }
}

#[test]
fn formulas_are_exported_with_their_rules_and_constants() {
    evouct::registry::add_games();
    let (scratch, folder) = evolved();
    let text = succeed(&["formulas", &folder, "--top", "3"]);
    let players: Vec<&str> = text.lines().filter_map(|line| line.strip_prefix("# formula:")).collect();
    assert_eq!(players.len(), 3, "{text}");
    for player in &players {
        // Clamped logarithms and constants drawn at every use, as in the run; and the tree of the run.
        for wanted in ["ln=clamp", "c=per-use", "chance=peek", "iterations=40"] {
            assert!(player.split(',').any(|part| part == wanted), "{wanted} is missing: {player}");
        }
        succeed(&[
            "play",
            "-1",
            &format!("formula:{player},iterations=5").replace("iterations=40,", ""),
            "-2",
            "random",
        ]);
    }
    // The tables of a file are the same players, under either preset.
    let tables: String = text.lines().filter(|line| !line.starts_with('#')).map(|line| format!("{line}\n")).collect();
    let described = ["text", "reference"].map(|preset| {
        let file =
            scratch.write(&format!("{preset}.toml"), &format!("name = \"again\"\npreset = \"{preset}\"\n{tables}"));
        let experiment = evouct::config::Experiment::load(file.as_ref(), evouct::config::Overrides::default()).unwrap();
        experiment.players.iter().map(|player| player.spec.description()).collect::<Vec<_>>()
    });
    assert_eq!(described[0], described[1]);
    assert!(described[0].iter().all(|player| player.contains("ln=clamp")), "{described:?}");
    let latex = succeed(&["formulas", &folder, "--top", "1", "--as", "latex"]);
    assert!(latex.contains("% protections that are not shown: "), "{latex}");
    assert!(succeed(&["formulas", &folder, "--as", "sympy"]).contains("# all protections are kept"));
    assert!(succeed(&["expr", "ln(n)"]).contains("ln          abs"));
    // A run without evolution has none.
    let plain = scratch.path("plain");
    std::fs::create_dir(&plain).unwrap();
    Journal::new(plain.as_ref(), &toml(&["a", "b"], 1, ""));
    assert!(fail(&["formulas", &plain], 2).contains("has no evolved formula"));
}

#[test]
fn formulas_are_grouped_by_the_order_that_they_induce() {
    use evouct::evolve::EvolutionLog;
    use evouct::record::DecisionLog;
    let scratch = Scratch::new();
    let text = "name = \"orders\"\ngames_per_match = 1\n[[player]]\nname = \"e\"\nkind = \"siea-mcts\"\n\
                [[player]]\nname = \"r\"\nkind = \"random\"\n";
    let mut journal = Journal::new(scratch.0.path(), text);
    let mut game = journal.game(1, [0, 1], [10, 20]);
    let formulas = ["Q", "2 * Q", "N + Q", "Q", "3 / n", "1 / n", "N", "Q + 3 / n"];
    game.virtual_scores = vec![vec![0, 0]; 2 * formulas.len()].into();
    let evolution = formulas.iter().enumerate().map(|(turn, formula)| DecisionLog {
        turn: 2 * turn as u32,
        log: EvolutionLog {
            formula: (*formula).to_owned(),
            nodes: 1,
            depth: 0,
            fitness: vec![0.0, 1.0],
            ties: 0,
            in_range: 0,
            by_semantics: 0,
            replaced: 0,
            playouts: 1,
        },
    });
    game.evolution = evolution.collect();
    journal.write(&game);
    let (text, _, json) = report(&scratch);
    let groups: Vec<(&str, &str, u64)> = json["orders"]
        .as_array()
        .unwrap()
        .iter()
        .map(|row| (row["order"].as_str().unwrap(), row["formula"].as_str().unwrap(), row["count"].as_u64().unwrap()))
        .collect();
    assert_eq!(groups[0], ("greedy", "Q", 4));
    assert_eq!(groups[1], ("fewest-visits", "1 / n", 2));
    assert!(groups.contains(&("constant", "N", 1)) && groups.contains(&("exploring", "Q + 3 / n", 1)), "{groups:?}");
    assert!(text.contains("e greedy Q 3 50.00 %"), "{text}");
    assert!(json["formulas"].as_array().unwrap().iter().all(|row| row["ln"] == "abs" && row["order"].is_string()));
}

#[test]
fn the_front_of_size_and_gain_has_no_formula_that_another_beats() {
    let (scratch, _) = evolved();
    let json: Value = serde_json::from_str(&scratch.read("run/report.json")).unwrap();
    let front = json["front"].as_array().unwrap();
    assert!(!front.is_empty());
    for pair in front.windows(2).filter(|pair| pair[0]["player"] == pair[1]["player"]) {
        let of = |row: &Value| (row["nodes"].as_u64().unwrap(), row["gain"].as_f64().unwrap());
        let ([smaller, larger], [less, more]) = ([of(&pair[0]).0, of(&pair[1]).0], [of(&pair[0]).1, of(&pair[1]).1]);
        assert!(smaller < larger && less < more, "{pair:?}");
    }
    assert!(front.iter().all(|row| row["count"].as_u64().unwrap() >= 3));
}

/// With many differences and no clear first the headline counts them, and names those that are not significantly weaker
/// than any other.
#[test]
fn many_differences_without_a_first_are_counted() {
    let scratch = Scratch::new();
    let kept = concat!(env!("CARGO_MANIFEST_DIR"), "/experiments/function/results/versions-f8");
    for file in ["games.jsonl.zst", "significance.csv"] {
        std::fs::copy(format!("{kept}/{file}"), scratch.path(file)).unwrap();
    }
    let mut rows = csv::Reader::from_path(scratch.path("significance.csv")).unwrap();
    let rows: Vec<std::collections::HashMap<String, String>> = rows.deserialize().map(Result::unwrap).collect();
    let (_, headline, _) = report(&scratch);
    let significant = || rows.iter().filter(|row| row["holm_p"].parse::<f64>().unwrap() < 0.05);
    assert!(headline.contains(&format!("{} of {} differences are significant.", significant().count(), rows.len())));
    let loses = |player: &str| {
        significant().any(|row| {
            let is_a_worse = row["paired_difference"].starts_with('-');
            row[if is_a_worse { "a" } else { "b" }] == player
        })
    };
    let all = rows.iter().flat_map(|row| [&row["a"], &row["b"]]);
    let unbeaten: std::collections::BTreeSet<&String> = all.filter(|player| !loses(player)).collect();
    assert!((2..=4).contains(&unbeaten.len()), "{unbeaten:?}");
    let (_, named) = headline.split_once("Only ").unwrap();
    let (named, _) = named.split_once(" are not significantly weaker than another player.").unwrap();
    assert!(unbeaten.iter().all(|player| named.contains(player.as_str())), "{headline}: {unbeaten:?}");
}
