//! Reports from any records: correct numbers, complete files, and no damage by names.

use crate::journal;
use crate::program;
use evouct::record::Ended;
use journal::{BOTH, Journal, pairs, toml};
use program::{LEAGUE, Scratch, fail, fails, say, succeed, unwrapped};
use serde_json::Value;
use std::collections::{BTreeMap, BTreeSet};

/// Names that break careless output.
const HOSTILE: [&str; 8] = [
    "<script>alert(1)</script>",
    "\"quoted\" 'twice' </td>",
    r"50% & $x_1^2$ #1 ~ \input{/etc/passwd}",
    "]]> --> </script><img src=x onerror=alert(2)>",
    "\u{202e}שלום עולם\u{2066}",
    "=cmd|' /C calc'!A0, with a comma",
    "- [x](http://evil.example) **b** `c` www.evil.example",
    "@SUM(A1) */ int evil; /* \"\"\" import evil",
];

fn rows(scratch: &Scratch, name: &str) -> Vec<BTreeMap<String, String>> {
    let mut reader = csv::Reader::from_path(scratch.path(name)).unwrap();
    reader.deserialize().map(|row| row.unwrap()).collect()
}

/// Reports the run in a folder; the numbers of the report.
fn reported(scratch: &Scratch) -> Value {
    succeed(&["report", &scratch.path("")]);
    scratch.json("report.json")
}

/// A page without a tag, attribute or text that its template did not mean: parsed as XML where HTML allows it.
fn check_page(html: &str) {
    assert!(html.starts_with("<!DOCTYPE html>") && html.ends_with("</html>"));
    assert_eq!(html.matches("<script").count(), html.matches("</script>").count());
    for forbidden in ["<img", "onerror=alert", "<script>alert", "http-equiv=\"refresh\"", "src=", "@import", "url("] {
        // A pattern of the page itself is no address.
        let is_own = |at: usize| html[at..].starts_with("url(#");
        let found = html
            .match_indices(forbidden)
            .find(|(at, _)| !html[..*at].ends_with("&lt;") && !escaped(html, *at) && !is_own(*at));
        assert!(
            found.is_none(),
            "{forbidden} at {found:?}: {}",
            html[html.floor_char_boundary(found.unwrap().0.saturating_sub(80))..].chars().take(160).collect::<String>()
        );
    }
    let addresses: Vec<&str> =
        html.match_indices("http").map(|(at, _)| &html[at..html.floor_char_boundary(at + 40)]).collect();
    for address in addresses {
        // Names hold addresses, whole or shortened in a chart.
        let known = ["http://www.w3.org/2000/svg", "http-equiv", "http:/", "http:…"];
        let fine = known.iter().any(|known| address.starts_with(known));
        assert!(fine, "{address}");
    }
}

/// Whether a place is inside an escaped tag: after `&lt;` or `\u003c` with no real tag between.
fn escaped(html: &str, at: usize) -> bool {
    let before = &html[html.floor_char_boundary(at.saturating_sub(200))..at];
    let last = |what: &str| before.rfind(what);
    last("&lt;").max(last("\\u003c")) > last("<")
}

#[test]
fn results_of_the_paper_give_its_tables() {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/crates/stats/tests/league-tables.json");
    let all: Value = serde_json::from_str(&std::fs::read_to_string(path).unwrap()).unwrap();
    for (name, table) in all["tables"].as_object().unwrap() {
        let scratch = Scratch::new();
        let players: Vec<&str> =
            table["players"].as_array().unwrap().iter().map(|player| player.as_str().unwrap()).collect();
        let decks = table["games_per_match"].as_u64().unwrap();
        let mut journal = Journal::new(scratch.0.path(), &toml(&players, decks as usize, ""));
        for (home, row) in table["wins"].as_array().unwrap().iter().enumerate() {
            for (away, cell) in row.as_array().unwrap().iter().enumerate().filter(|(_, cell)| !cell.is_null()) {
                let (won, lost) = (cell[0].as_u64().unwrap(), cell[1].as_u64().unwrap());
                journal.play(decks as u32, &[[home, away]], |deck, _| match u64::from(deck) {
                    deck if deck <= won => [60, 50],
                    deck if deck <= won + lost => [50, 60],
                    _ => [55, 55],
                });
            }
        }
        succeed(&["report", &scratch.path("")]);
        let found = rows(&scratch, "ranking.csv");
        for expected in table["computed"].as_array().unwrap() {
            let row = found.iter().find(|row| expected["player"] == row["player"]).unwrap();
            for column in ["points", "bwp", "blp", "wins", "losses", "draws"] {
                assert_eq!(row[column], expected[column].to_string(), "table {name}, {}: {column}", row["player"]);
            }
        }
        let matches = rows(&scratch, "matches.csv");
        assert_eq!(matches.len(), players.len() * (players.len() - 1));
        assert!(matches.iter().all(|row| row["games"] == decks.to_string()));
    }
}

#[test]
fn every_number_of_a_pair_follows_from_its_games() {
    let scratch = Scratch::new();
    let mut journal = Journal::new(scratch.0.path(), &toml(&["a", "b"], 6, "[sequential]\nelo1 = 400\n"));
    // Differences of a less b by deck: 10, 5, -1, 4, 0, 9 (means of the two games).
    let differences = [[12, 8], [10, 0], [3, -5], [2, 6], [1, -1], [9, 9]];
    journal.play(6, &BOTH, |deck, [first, _]| {
        let difference = differences[deck as usize - 1][first];
        [50 + if first == 0 { difference } else { -difference }, 50]
    });
    let out = succeed(&["report", &scratch.path("")]);
    let row = &rows(&scratch, "significance.csv")[0];
    let number = |column: &str| row[column].parse::<f64>().unwrap();
    let close = |column: &str, expected: f64| {
        assert!((number(column) - expected).abs() < 1e-9, "{column}: {}, expected {expected}", number(column));
    };
    // scipy.stats: ttest_1samp, wilcoxon (exact), permutation by hand over 2^5 signs; sums of +-10 +-5 +-1 +-4 +-9.
    close("paired_difference", 4.5);
    close("paired_t", 2.446_471_269_988_031);
    close("paired_p", 0.058_188_428_365_344_8);
    assert_eq!((row["permutation_exact"].as_str(), number("permutation_p")), ("true", 0.125));
    assert_eq!((row["wilcoxon_exact"].as_str(), number("wilcoxon_p")), ("true", 0.125));
    assert_eq!((row["a_wins"].as_str(), row["b_wins"].as_str(), row["draws"].as_str()), ("9", "2", "1"));
    close("win_rate", 9.5 / 12.0);
    assert!(number("bootstrap_low") > 0.5 && number("bootstrap_high") < 8.0 && row["win_rate_method"] == "bootstrap");
    assert!(out.contains("Sequential test (SPRT, pentanomial"), "{out}");
    let report = scratch.json("report.json");
    assert_eq!(report["sequential"]["pairs"], serde_json::json!([0, 0, 2, 1, 3]));
    // The order of the records does not matter, for resampled numbers neither.
    let text = scratch.read("games.jsonl");
    let before = scratch.read("significance.csv");
    let mut lines: Vec<&str> = text.lines().collect();
    lines[1..].reverse();
    std::fs::write(scratch.path("games.jsonl"), lines.join("\n") + "\n").unwrap();
    succeed(&["report", &scratch.path("")]);
    assert_eq!(scratch.read("significance.csv"), before);
}

#[test]
fn a_player_who_won_everything_has_intervals_with_a_width_or_none() {
    for (decks, low) in [(2, 0.342_380), (6, 0.609_666)] {
        let scratch = Scratch::new();
        let mut journal = Journal::new(scratch.0.path(), &toml(&["a", "b"], decks, ""));
        journal.play(decks as u32, &BOTH, |_, seats| if seats == [0, 1] { [70, 40] } else { [40, 70] });
        let report = reported(&scratch);
        let row = &rows(&scratch, "significance.csv")[0];
        assert_eq!((row["win_rate"].as_str(), row["win_rate_method"].as_str()), ("1", "wilson-decks"));
        // Wilson 1927: n / (n + 1.96²), each deck a trial.
        assert!((row["win_rate_low"].parse::<f64>().unwrap() - low).abs() < 1e-6, "{}", row["win_rate_low"]);
        assert_eq!(row["win_rate_high"], "1");
        for row in report["ratings"]["rows"].as_array().unwrap() {
            assert!(row["interval"].is_null(), "{row}");
        }
    }
}

/// A league of games that are won or lost: a wins all against b and all but one against c, and b and c share theirs.
fn won_or_lost(scratch: &Scratch, decks: u32) {
    let mut journal = Journal::new(scratch.0.path(), &toml(&["a", "b", "c"], decks as usize, ""));
    journal.play(decks, &pairs(3), |deck, seats| match seats {
        [2, 0] if deck == decks => [1, 0],
        [first, second] if first.min(second) == 0 => [i32::from(first == 0), i32::from(second == 0)],
        _ => [1, 0],
    });
}

#[test]
fn a_better_record_is_not_less_significant_and_has_an_interval() {
    let scratch = Scratch::new();
    won_or_lost(&scratch, 6);
    let out = succeed(&["report", &scratch.path(""), "--all"]);
    let found = rows(&scratch, "significance.csv");
    let of = |row: usize, column: &str| found[row][column].parse::<f64>().unwrap();
    // By hand: 2 and 4 of 2^6 assignments; from 2 * 0.025^(1/6) - 1; means of subsets; and 1 - 0.025^(1/6).
    for (row, p, low, high) in
        [(0, 0.031_25, 0.081_483_7, 1.0), (1, 0.0625, 0.0, 1.0), (2, 1.0, -0.459_258_1, 0.459_258_1)]
    {
        for column in ["paired_p", "permutation_p", "wilcoxon_p"] {
            assert_eq!(of(row, column), p, "{column} of row {row}");
        }
        let ends = [of(row, "paired_low") - low, of(row, "paired_high") - high];
        assert!(ends.iter().all(|off| off.abs() < 1e-6) && found[row]["paired_t"].is_empty(), "{row}: {ends:?}");
        assert_eq!(found[row]["wilcoxon_exact"], "true");
    }
    let json = scratch.json("report.json");
    assert_eq!(json["significance"][0]["paired"]["value"]["exact"], true);
    let text = unwrapped(&out);
    for said in [
        "With these data no possible difference would be shown in 80 % of cases.",
        "Basis: exact sign-flip tests of 3 pairs on 6 decks, at 5 % after Holm's correction.",
        "The exact sign-flip test has the place of the t-test where differences do not vary",
        "+0.08 … +1.00",
    ] {
        assert!(text.contains(said), "{said}: {text}");
    }
    assert!(!text.contains('≈') && !text.contains("± 0.00"), "{text}");
    let short = succeed(&["report", &scratch.path(""), "--format", "md"]);
    assert!(short.contains("+1.00 (+0.08 … +1.00)"), "{short}");
    let page = scratch.read("report.html");
    assert!(page.contains("+1.00 (+0.08 … +1.00)") && page.contains("The exact sign-flip test has"));
    let tex = scratch.read("tables.tex");
    assert!(tex.contains("$+1.00$ ($[+0.08, +1.00]$)") && tex.contains("The exact sign-flip test has"), "{tex}");
    succeed(&["paper", &scratch.path("")]);
    assert!(scratch.read("paper/methods.tex").contains("The exact sign-flip test has"));
}

#[test]
fn approximate_p_values_are_marked_in_all_formats() {
    let scratch = Scratch::new();
    let mut journal = Journal::new(scratch.0.path(), &toml(&["a", "b"], 60, ""));
    journal.play(60, &BOTH, |deck, seats| seats.map(|player| (50 + deck % 7 * (player as u32 + 1) + deck % 3) as i32));
    let printed = |format| succeed(&["report", &scratch.path(""), "--all", "--format", format]);
    let mark =
        "≈: approximate, of Wilcoxon's test by the normal distribution, for more than 50 differences other than 0";
    for text in [printed("text"), printed("md")] {
        assert!(text.contains("≈<0.0001") || text.contains("≈\\<0.0001"), "{text}");
        assert!(unwrapped(&text).contains(mark), "{text}");
    }
    let csv = printed("csv");
    assert!(csv.contains("Wilcoxon p,Wilcoxon p exact,Welch p\n") && csv.contains(",<0.0001,false,"), "{csv}");
    assert!(!csv.contains('≈'), "{csv}");
    let page = scratch.read("report.html");
    assert!(page.contains("≈&lt;0.0001") && page.contains("≈: approximate, of Wilcoxon"));
    let tex = scratch.read("tables.tex");
    assert!(tex.contains("$\\approx <0.0001$") && tex.contains("\\ensuremath{\\approx}: approximate"), "{tex}");
    let row = &rows(&scratch, "significance.csv")[0];
    assert_eq!([&*row["wilcoxon_exact"], &*row["permutation_exact"]], ["false", "false"]);
}

#[test]
fn one_lost_game_of_forty_does_not_narrow_an_interval() {
    let low = |lost: u32| {
        let scratch = Scratch::new();
        let mut journal = Journal::new(scratch.0.path(), &toml(&["a", "b"], 20, ""));
        journal.play(20, &BOTH, |deck, seats| if seats == [0, 1] || deck <= lost { [70, 40] } else { [40, 70] });
        succeed(&["report", &scratch.path("")]);
        let row = &rows(&scratch, "significance.csv")[0];
        (row["win_rate_low"].parse::<f64>().unwrap(), row["win_rate_method"].clone())
    };
    let [none, one, ten] = [0, 1, 10].map(low);
    assert!(one.0 < none.0, "{one:?} {none:?}");
    assert_eq!([&*none.1, &*one.1, &*ten.1], ["wilson-decks", "wilson-decks", "bootstrap"]);
    // Where every deck ends alike, nothing is known of ratings either.
    let scratch = Scratch::new();
    let mut journal = Journal::new(scratch.0.path(), &toml(&["a", "b"], 8, ""));
    journal.play(8, &BOTH, |_, _| [70, 40]);
    let report = reported(&scratch);
    assert!(report["ratings"]["rows"].as_array().unwrap().iter().all(|row| row["interval"].is_null()));
}

#[test]
fn tiles_that_fit_nowhere_are_in_every_report() {
    let scratch = Scratch::new();
    let mut journal = Journal::new(scratch.0.path(), &toml(&["a", "b"], 2, ""));
    for (deck, moves) in [(1, "V@0,1r3 -C -B K@0,2r0"), (2, "V@0,1r3 K@0,2r0 -C")] {
        for seats in BOTH {
            let mut game = journal.game(deck, seats, [70, 40]);
            game.moves = if seats[0] == 0 { moves.to_owned() } else { String::new() };
            journal.write(&game);
        }
    }
    let said = succeed(&["report", &scratch.path(""), "--all"]);
    let sentence = "There were 3 tiles that fit nowhere, in 2 of 4 games (50.0 %).";
    assert!(said.contains(sentence) && scratch.read("report.html").contains(sentence), "{said}");
    let report = scratch.json("report.json");
    assert_eq!(report["unused"], serde_json::json!({ "what": "tiles that fit nowhere", "draws": 3, "games": 2 }));
    assert!(!succeed(&["report", &scratch.path("")]).contains("fit nowhere"));
}

#[test]
fn a_cyclic_league_is_reported() {
    let scratch = Scratch::new();
    let mut journal = Journal::new(scratch.0.path(), &toml(&["stone", "scissors", "paper"], 8, ""));
    journal.play(8, &pairs(3), |deck, [first, second]| {
        // Each beats the next.
        if (first + 1) % 3 == second { [60 + deck as i32, 40] } else { [41, 60] }
    });
    let out = succeed(&["report", &scratch.path("")]);
    let warning = "This league is cyclic: stone › scissors › paper › stone (each beat the next; each of these differences is \
                   significant";
    assert!(unwrapped(&out).contains(warning), "{out}");
    assert!(scratch.read("report.html").contains("This league is cyclic"));
    assert!(scratch.read("tables.tex").contains("This league is cyclic"));
}

#[test]
fn hostile_names_are_escaped() {
    let scratch = Scratch::new();
    let long = "x".repeat(199) + "&";
    let names: Vec<&str> = HOSTILE.iter().copied().chain([long.as_str()]).collect();
    let mut journal =
        Journal::new(scratch.0.path(), &toml(&names, 2, "about = '''</title><script>alert(3)</script>'''\n"));
    for deck in 1..=2 {
        for seats in pairs(names.len()) {
            let mut game = journal.game(deck, seats, [40 + seats[0] as i32, 50]);
            if (seats, deck) == ([0, 1], 1) {
                game.ended = Ended::Panicked;
                game.run.message = Some("</script><script>alert(4)</script> & \"more\"".to_owned());
                game.run.repeat = Some("evouct play -1 '<b>'".to_owned());
            }
            journal.write(&game);
        }
    }
    succeed(&["report", &scratch.path("")]);
    let html = scratch.read("report.html");
    check_page(&html);
    assert!(html.contains("&lt;script&gt;alert(1)&lt;/script&gt;") && html.contains("&lt;script&gt;alert(4)"));
    // Every picture is well-formed XML, whatever the names in it.
    let mut pictures = 0;
    for entry in std::fs::read_dir(scratch.path("figures")).unwrap() {
        let path = entry.unwrap().path();
        if path.extension().is_some_and(|ending| ending == "svg") {
            let text = std::fs::read_to_string(&path).unwrap();
            let document =
                roxmltree::Document::parse(&text).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
            assert!(!document.descendants().any(|node| node.has_tag_name("script") || node.has_tag_name("img")));
            assert!(path.with_extension("csv").exists());
            pictures += 1;
        }
    }
    assert!(pictures >= 4, "{pictures}");
    // Columns are explained on hover, and those of this page in its last section.
    let page = scratch.read("report.html");
    let (tables, columns) = page.split_once("id=\"columns\"").unwrap();
    assert!(tables.contains("title=\"sum of the mean score differences of all matches\">PD</button>"));
    assert!(
        columns.contains("<dt>PD</dt><dd>sum of the mean") && !columns.contains("<dt>contestant</dt>"),
        "{columns}"
    );
    let tex = scratch.read("tables.tex");
    assert!(!tex.contains(r"\input") && tex.contains(r"50\% \& \$x\_1\textasciicircum{}2\$"), "{tex}");
    // In the body braces balance and no special letter is left bare.
    for line in tex.lines().filter(|line| !line.starts_with('%')) {
        let bare = line.replace(r"\{", "").replace(r"\}", "");
        assert_eq!(bare.matches('{').count(), bare.matches('}').count(), "{line}");
    }
    let ranking = rows(&scratch, "ranking.csv");
    let cell = |name: &str| evouct::escape::cell(name).into_owned();
    assert!(names.iter().all(|name| ranking.iter().any(|row| row["player"] == cell(name))));
    // No cell of any CSV file is a formula, those for data frames among them.
    succeed(&["export", &scratch.path("")]);
    let mut tables = 0;
    for folder in ["", "figures", "export"] {
        for entry in std::fs::read_dir(scratch.path(folder)).unwrap() {
            let path = entry.unwrap().path();
            if path.extension().is_none_or(|ending| ending != "csv") {
                continue;
            }
            tables += 1;
            for row in csv::Reader::from_path(&path).unwrap().records() {
                for cell in row.unwrap().iter() {
                    let is_formula = cell.starts_with(['=', '+', '-', '@', '\t']) && cell.parse::<f64>().is_err();
                    assert!(!is_formula, "{}: {cell}", path.display());
                }
            }
        }
    }
    assert!(tables > 12, "{tables}");
    let markdown = succeed(&["report", &scratch.path(""), "--format", "md", "--all"]);
    // Indented lines are code.
    let markdown: String =
        markdown.lines().filter(|line| !line.starts_with("    ")).map(|line| format!("{line}\n")).collect();
    let shown = r"- \[x\](http\://evil.example) \*\*b\*\* \`c\` www\.evil.example";
    assert!(markdown.contains(shown), "{markdown}");
    for mark in ["[x]", "://", "www.", "**b", "<img", "<script", "</td>"] {
        let at = markdown.match_indices(mark).find(|(at, _)| !markdown[..*at].ends_with('\\'));
        assert!(at.is_none(), "{mark}: {markdown}");
    }
    succeed(&["paper", &scratch.path("")]);
    let figure = scratch.read("paper/figure-matches.tex");
    assert!(figure.contains(r"\caption{"), "{figure}");
}

/// The report of a run of which games are missing.
fn interim(folder: &str) -> String {
    let said = say(&["report", folder]);
    assert!(said.code == Some(1) && said.err.contains("interim results: "), "{said:?}");
    said.out
}

#[test]
fn nearly_empty_runs_have_reports() {
    let scratch = Scratch::new();
    let mut journal = Journal::new(scratch.0.path(), &toml(&["a", "b"], 1, ""));
    let folder = scratch.path("");
    let out = interim(&folder);
    assert!(out.contains("No game is finished."));
    check_page(&scratch.read("report.html"));
    // A game that failed and nothing else.
    let mut failed = journal.game(1, [0, 1], [3, 4]);
    failed.ended = Ended::IllegalMove;
    failed.run.message = Some("no".to_owned());
    journal.write(&failed);
    let out = interim(&folder);
    assert!(out.contains("1 game failed") && scratch.read("report.html").contains("illegal-move"));
    // One game: there is no interval.
    journal.play(1, &[[1, 0]], |_, _| [30, 20]);
    succeed(&["report", &folder]);
    check_page(&scratch.read("report.html"));
    let row = &rows(&scratch, "significance.csv")[0];
    assert_eq!((row["paired_p"].as_str(), row["holm_p"].as_str(), row["bootstrap_low"].as_str()), ("", "", ""));
    // Files of an earlier, larger report are removed, and a page is complete or absent.
    assert!(!scratch.exists("report.partial"));
}

#[test]
fn forty_players_fit() {
    let scratch = Scratch::new();
    let names: Vec<String> = (0..40).map(|number| format!("player {number}")).collect();
    let names: Vec<&str> = names.iter().map(String::as_str).collect();
    let mut journal = Journal::new(scratch.0.path(), &toml(&names, 2, ""));
    journal.play(2, &pairs(40), |deck, [home, away]| {
        let noise = (home * 7 + away * 13 + deck as usize * 5) % 17;
        [(30 + home + noise) as i32, (30 + away) as i32]
    });
    succeed(&["report", &scratch.path("")]);
    let html = scratch.read("report.html");
    check_page(&html);
    assert!(html.len() < 5_000_000, "{} bytes", html.len());
    assert_eq!(rows(&scratch, "significance.csv").len(), 780);
}

#[test]
fn a_league_with_traces_is_shown_completely() {
    let scratch = Scratch::new();
    let experiment = scratch.write("full.toml", &LEAGUE.replace("seed = 11", "seed = 11\nlog = \"full\""));
    let folder = scratch.path("run");
    succeed(&["run", &experiment, "--out", &folder]);
    let html = scratch.read("run/report.html");
    check_page(&html);
    for wanted in [
        "Ranking",
        "Matches",
        "Significance",
        "Ratings",
        "Metrics",
        "Formulas",
        "Games",
        "How to repeat this run",
        "\"formula\"",
        "\"best\"",
    ] {
        assert!(html.contains(wanted), "{wanted} is missing");
    }
    // The same records, the same page.
    std::fs::remove_file(scratch.path("run/report.html")).unwrap();
    std::fs::remove_dir_all(scratch.path("run/figures")).unwrap();
    succeed(&["report", &folder]);
    assert!(scratch.read("run/report.html") == html, "the page did not come back as it was");
    assert!(scratch.exists("run/figures/virtual-difference.svg") && scratch.exists("run/figures/nodes-1.csv"));
    // Curves by seat are the rows of turns.csv.
    let by_seat = rows(&scratch, "run/figures/virtual-difference-by-seat.csv");
    let drawn = by_seat.iter().map(|row| [&*row["player"], &*row["turn"], &*row["virtual-difference"]].join(";"));
    let drawn: BTreeSet<String> = drawn.collect();
    let turns = rows(&scratch, "run/turns.csv");
    let of_turn = |row: &BTreeMap<String, String>| {
        format!("{}, player {};{};{}", row["player"], row["seat"], row["turn"], row["difference"])
    };
    assert_eq!(drawn, turns.iter().map(of_turn).collect());
    // Every recorded game replays, in every form, to the recorded scores.
    for line in scratch.read("run/games.jsonl").lines().skip(1) {
        let game: Value = serde_json::from_str::<Value>(line).unwrap()["game"].take();
        let id = game["id"].as_str().unwrap();
        let text = succeed(&["replay", &folder, "--game", id, "--color", "never"]);
        let scores: Vec<String> = game["scores"].as_array().unwrap().iter().map(Value::to_string).collect();
        assert!(text.contains(&format!("score {0}, virtual {0},", scores.join("-"))), "{id}");
    }
    let svg = scratch.path("frames");
    let html = scratch.path("game.html");
    succeed(&["replay", &folder, "--svg", &svg, "--html", &html]);
    let frames = std::fs::read_dir(&svg).unwrap().map(|entry| entry.unwrap().file_name().into_string().unwrap());
    assert_eq!(frames.filter(|name| name.ends_with(".svg")).count(), 72);
    roxmltree::Document::parse(&std::fs::read_to_string(format!("{svg}/turn-040.svg")).unwrap()).unwrap();
    let sealed = std::fs::read_to_string(&html).unwrap();
    let (page, seal) = sealed.trim_end().rsplit_once('\n').unwrap();
    assert!(seal.starts_with("<!-- evouct wrote the text above: ") && seal.ends_with(" -->"), "{seal}");
    check_page(page);
    let file = scratch.write("game.txt", "[base seats=2 two-tile-city=4 unplaceable=discard] V@0,1r3");
    assert!(succeed(&["replay", &file, "--show"]).contains(" 1  player 1  V@0,1r3"));
    // A tile that fits nowhere is put back: a decision of chance that the position does not list.
    let put_back = "[base seats=2 two-tile-city=4 unplaceable=return] O@0,-1r2:cE P@1,0r1:cN B@0,1r0:m U@0,-2r0:rN E@0,2r1:cE \
                    V@1,1r2:rN I@1,-1r1 V@1,-2r2:fNNW B@2,-1r0:m V@-1,2r0:rS O@2,1r1:cN E@-1,-2r3:cW S@-2,-2r0:rS F@-3,-2r0 \
                    W@-2,-1r2:rW H@-2,-3r1:cN M@1,2r3 K@-4,-2r1 D@1,3r0:rE L@-2,-4r2:fESE E@3,1r3 -C N@1,4r3:cS";
    let file = scratch.write("put-back.txt", put_back);
    assert!(succeed(&["replay", &file, "--show"]).contains("22  player 2  N@1,4r3:cS"));
    assert!(fail(&["replay", &scratch.write("possible.txt", &put_back.replace("-C", "-U"))], 2).contains("step"));
    let file = scratch.write("game.txt", "[base seats=2 two-tile-city=4 unplaceable=discard] V@0,1r3");
    assert!(fail(&["replay", &folder, "--game", "9-x-y"], 2).contains("no game 9-x-y is recorded"));
    assert!(fail(&["replay", &file, "--turn", "7"], 2).contains("the game has 1 turn,"));
    assert!(fail(&["replay", &scratch.path("none.txt")], 2).contains("none.txt"));
    let broken = scratch.write("broken.txt", "[base] V@5,5r0");
    fail(&["replay", &broken], 2);
}

#[test]
fn two_runs_are_compared() {
    let scratch = Scratch::new();
    let experiment = scratch.write("small.toml", LEAGUE);
    let other = scratch.write("other.toml", &LEAGUE.replace("seed = 11", "seed = 12").replace("\"MCTS\"", "\"plain\""));
    let [one, two] = [("one", &experiment), ("two", &other)].map(|(name, experiment)| {
        let folder = scratch.path(name);
        succeed(&["run", experiment, "--out", &folder]);
        folder
    });
    let out = succeed(&["compare", &one, &two]);
    assert!(out.contains("seed was 11 and is 12"), "{out}");
    assert!(out.contains("MCTS"), "matched by identity, not by name: {out}");
    let basis = "Basis: 3 changes, with different decks (Welch's t-test), at 5 % after Holm's correction.";
    assert!(program::unwrapped(&out).contains(basis), "{out}");
    let same = succeed(&["compare", &one, &one]);
    assert!(same.contains("the records of both runs are identical"), "{same}");
    assert!(same.starts_with("No change of a player can be tested: the runs have the same games."), "{same}");
    let json: Value = serde_json::from_str(&succeed(&["compare", &one, &two, "--json"])).unwrap();
    assert_eq!(json["runs"][0]["players"].as_array().unwrap().len(), 3);
    // In another game a difference is something else, whatever is tested.
    let [hex, pig] = ["hex", "pig"].map(|game| {
        let players = "[[player]]\nkind = \"mcts\"\niterations = 9\n[[player]]\nkind = \"random\"\n";
        let file = format!("name = \"{game}\"\ngame = \"{game}\"\nseed = 1\ndecks = 6\n{players}");
        let folder = scratch.path(game);
        succeed(&["run", &scratch.write("game.toml", &file), "--out", &folder]);
        folder
    });
    let [page, of_carcassonne] = ["hex", "one"].map(|run| scratch.read(&format!("{run}/report.html")));
    assert!(page.contains("hex: 12 of 12 games finished") && page.contains(" playouts, "), "{page}");
    // A score by turn is there where a game has points before its end.
    assert_eq!([page, of_carcassonne].map(|page| page.contains("figures/virtual-score.svg")), [false, true]);
    let other = program::json(&["compare", &hex, &pig, "--json"]);
    let none = |rows: &str, key: &str| {
        let rows = other["runs"][0][rows].as_array().unwrap();
        !rows.is_empty() && rows.iter().all(|row| row[key].is_null())
    };
    assert!(none("players", "change") && none("matches", "p"), "{other}");
    let out = succeed(&["compare", &hex, &pig]);
    assert!(out.starts_with("No change of a player can be tested: the runs are of different games."), "{out}");
    // Of one name and other parameters.
    let changed = scratch.write("changed.toml", &program::LEAGUE.replace("iterations = 30", "iterations = 40"));
    succeed(&["run", &changed, "--out", &scratch.path("changed")]);
    let out = succeed(&["compare", &one, &scratch.path("changed")]);
    assert!(out.contains("player MCTS was mcts:iterations=30 and is mcts:iterations=40"), "{out}");
    // Runs of one name have those of their folders.
    let named = |out: &str, name: &str| unwrapped(out).contains(&format!("1: {name}, preset"));
    let renamed = scratch.write("renamed.toml", &LEAGUE.replace("name = \"small\"", "name = \"renamed\""));
    succeed(&["run", &renamed, "--out", &scratch.path("renamed")]);
    let distinct = succeed(&["compare", &one, &scratch.path("renamed")]);
    assert!(named(&out, &one) && named(&distinct, "small"), "{out}{distinct}");
    assert_eq!(out.lines().filter(|line| line.trim_start().starts_with("MCTS ")).count(), 2 + 2, "{out}");
    assert!(!out.contains("is gone") && !out.contains("is new"), "{out}");
    assert!(fail(&["compare", &one, &scratch.path("nowhere")], 2).contains("nowhere"));
    // Many runs beside the first: each change as in the comparison of two, corrected for all.
    let many = succeed(&["compare", &one, &two, &scratch.path("changed"), &one]);
    assert!(many.contains("the records of runs 1 and 4 are identical"), "{many}");
    assert!(many.contains("changed from 1 to 3: player MCTS was mcts:iterations=30"), "{many}");
    assert!(many.lines().all(|line| line.chars().count() <= 80 || line.starts_with("changed")), "{many}");
    let json: Value =
        serde_json::from_str(&succeed(&["compare", &one, &two, &scratch.path("changed"), "--json"])).unwrap();
    let runs = json["runs"].as_array().unwrap();
    let p_of = |run: usize, player: usize| runs[run]["players"][player]["change"]["p"].as_f64();
    let mut tested = 0;
    for (run, p_values) in json["p_holm"].as_array().unwrap().iter().enumerate() {
        for (player, corrected) in p_values.as_array().unwrap().iter().enumerate() {
            assert_eq!(corrected.is_null(), p_of(run, player).is_none());
            tested += usize::from(!corrected.is_null());
            assert!(corrected.is_null() || corrected.as_f64() >= p_of(run, player), "{json}");
        }
    }
    assert!(tested >= 3 && many.contains("for all"), "{json}");
    // The page has the same headline, table and explanation.
    let arguments = ["compare", &one, &two, &scratch.path("changed"), "--html", &scratch.path("compared.html")];
    let said = succeed(&arguments);
    assert!(said.ends_with(&format!("page {}\n", scratch.path("compared.html"))), "{said}");
    let page = scratch.read("compared.html");
    let in_page = |text: &str| page.contains(&text.replace('&', "&amp;").replace('<', "&lt;"));
    let said = unwrapped(&said);
    let (headline, rest) = said.split_once(" 1: ").unwrap();
    let (finding, basis) = headline.split_once(" Basis: ").unwrap();
    assert!(finding.contains("significant") && in_page(finding) && in_page(&format!("Basis: {basis}")), "{headline}");
    let (_, explained) = rest.split_once("change: ").unwrap();
    assert!(in_page(&format!("change: {}", explained.split(" page ").next().unwrap())), "{explained}");
    for (run, beside) in runs.iter().enumerate() {
        assert_eq!(page.matches(&format!("Changed from run 1 to run {}<", run + 2)).count(), 1);
        for (player, row) in beside["players"].as_array().unwrap().iter().enumerate() {
            assert!(in_page(row["player"].as_str().unwrap()));
            let numbers =
                [row["change"]["difference"].as_f64(), p_of(run, player), json["p_holm"][run][player].as_f64()];
            for number in numbers.into_iter().flatten() {
                assert!(page.contains(&format!("data-v=\"{number}\"")), "{number}: {row}");
            }
        }
    }
    assert!(page.contains("default-src 'none'"));
    let nowhere = scratch.path("nowhere/compared.html");
    let error = fail(&["compare", &one, &two, "--html", &nowhere], 1);
    assert!(error.contains(&format!("{nowhere}: cannot write")) && error.trim_end().lines().count() == 1, "{error}");
}

#[test]
fn changes_between_runs_are_tested() {
    let scratch = Scratch::new();
    // Differences of a less b by deck in each of three runs; the third has another seed and so other decks.
    let league = toml(&["a", "b"], 5, "");
    let runs = [
        ("one", league.clone(), [10, 5, -1, 4, 0]),
        ("two", league.clone(), [12, 9, 1, 3, 2]),
        ("three", league.replace("seed = 5", "seed = 6"), [12, 9, 1, 3, 2]),
    ];
    for (name, toml, differences) in runs {
        std::fs::create_dir(scratch.path(name)).unwrap();
        let mut journal = Journal::new(scratch.0.path().join(name).as_path(), &toml);
        journal.play(5, &BOTH, |deck, seats| seats.map(|player| [50 + differences[deck as usize - 1], 50][player]));
    }
    let compare = |first: &str, second: &str| -> Value {
        let json = succeed(&["compare", &scratch.path(first), &scratch.path(second), "--json"]);
        serde_json::from_str::<Value>(&json).unwrap()["runs"][0].clone()
    };
    // scipy.stats: ttest_1samp of the differences by deck; ttest_ind(equal_var=False).
    for (second, decks, p) in [("two", "same", 0.087_645_176_503_394_6), ("three", "other", 0.554_738_752_660_641_2)] {
        let compared = compare("one", second);
        assert_eq!(compared["decks"], decks);
        let change = |player: &str| {
            let players = compared["players"].as_array().unwrap();
            players.iter().find(|row| row["player"] == player).unwrap()["change"].clone()
        };
        assert!((change("a")["difference"].as_f64().unwrap() - 1.8).abs() < 1e-12, "{}", change("a"));
        assert!((change("b")["difference"].as_f64().unwrap() + 1.8).abs() < 1e-12, "{}", change("b"));
        assert!((change("a")["p"].as_f64().unwrap() - p).abs() < 1e-9, "{}", change("a"));
    }
    let text = succeed(&["compare", &scratch.path("one"), &scratch.path("three")]);
    assert!(text.contains("three, preset as-printed, seed 6, 10 games"), "{text}");
    assert!(text.contains("+1.80 ± ") && unwrapped(&text).contains("with different decks (Welch's t-test)"), "{text}");
    assert!(compare("one", "one")["players"][0]["change"].is_null());
}

#[test]
fn other_opponents_and_missing_games_are_no_change() {
    let scratch = Scratch::new();
    let names = ["a", "b", "c"];
    let league = toml(&names, 4, "");
    let with = |line: &str| league.replace("games_per_match = 4\n", &format!("games_per_match = 4\n{line}\n"));
    // Scores that depend on who plays and on the deck, in nothing else.
    let play = |name: &str, toml: &str, played: &dyn Fn(u32, [usize; 2]) -> bool| {
        let folder = scratch.path(name);
        std::fs::create_dir(&folder).unwrap();
        let mut journal = Journal::new(std::path::Path::new(&folder), toml);
        for deck in 1..=4 {
            for seats in pairs(3).into_iter().filter(|seats| played(deck, *seats)) {
                let scores = [50 + 7 * deck as i32 * seats[0] as i32, 60 - 9 * seats[1] as i32];
                let game = journal.game(deck, seats, scores);
                journal.write(&game);
            }
        }
        folder
    };
    let gauntlet = with("schedule = \"gauntlet\"");
    let whole = play("whole", &league, &|_, _| true);
    let hero = play("hero", &gauntlet, &|_, seats| seats.contains(&0));
    let cut = play("cut", &league, &|deck, seats| deck < 3 || !seats.contains(&2));
    let other_seed = play("other-seed", &gauntlet.replace("seed = 5", "seed = 6"), &|_, seats| seats.contains(&0));
    let own_decks = play("own-decks", &with("mirror = false"), &|_, _| true);
    let compare = |first: &str, second: &str| -> Value {
        // Games of one are missing.
        let said = say(&["compare", first, second, "--json"]);
        serde_json::from_str::<Value>(&said.out).unwrap()["runs"][0].clone()
    };
    for (second, decks) in [(&hero, "same"), (&cut, "same"), (&own_decks, "mixed")] {
        let compared = compare(&whole, second);
        assert_eq!((compared["decks"].as_str(), compared["players"].as_array().unwrap().len()), (Some(decks), 3));
        for player in compared["players"].as_array().unwrap() {
            assert!(player["change"].is_null(), "{decks}: {player}");
        }
    }
    // As two samples they have the same mean, each over its own decks.
    for player in compare(&whole, &other_seed)["players"].as_array().unwrap() {
        assert_eq!(player["change"]["difference"], 0.0, "{player}");
        assert_eq!(player["change"]["p"], 1.0, "{player}");
    }
    // Without a common player there is no comparison.
    let others = toml(&["x", "y", "z"], 4, "").replace("\"random\"", "\"flat-mc\"");
    let strangers = play("strangers", &others, &|_, _| true);
    assert!(compare(&whole, &strangers)["players"].as_array().unwrap().is_empty());
}

#[test]
fn a_sequential_test_is_for_a_match_of_two() {
    let scratch = Scratch::new();
    let three = scratch.write("three.toml", &toml(&["a", "b", "c"], 2, "[sequential]\nelo1 = 20\n"));
    assert!(
        fail(&["run", &three], 2).contains("two players with mirrored decks, found 3 players; looks are for leagues")
    );
    let wrong = scratch.write("wrong.toml", &toml(&["a", "b"], 2, "[sequential]\nelo0 = 30\nelo1 = 20\n"));
    assert!(fail(&["run", &wrong], 2).contains("elo0 = 30 and elo1 = 20"));
    let far = scratch.write("far.toml", &toml(&["a", "b"], 2, "[sequential]\nelo = \"normalised\"\nelo1 = 300\n"));
    let within = "elo0 = 0 and elo1 = 300 are not -200 <= elo0 < elo1 <= 200 (normalised Elo)";
    assert!(unwrapped(&fail(&["run", &far], 2)).contains(within));
    assert_eq!(say(&["run", &wrong]).code, Some(2));
}

#[test]
fn printed_numbers_are_compared_with_p_values() {
    let scratch = Scratch::new();
    let paper = "[paper]\ntable = \"I\"\n\
                 ranking = [{ player = \"a\", points = 10, pd = 20 }, { player = \"b\", points = 0, pd = 500 }]\n\
                 matches = [{ home = \"a\", away = \"b\", home_wins = 8, away_wins = 2 },\n\
                 { home = \"b\", away = \"a\", home_wins = 10, away_wins = 0 }]\n\
                 seats = [{ player = \"a\", seat = 1, score = 62, difference = 6, mpg = 99 },\n\
                 { player = \"b\", seat = 2, games = 100, score = 40 },\n\
                 { player = \"a\", seat = 2, lowest = 10, highest = 30 }]\n";
    let mut journal = Journal::new(scratch.0.path(), &toml(&["a", "b"], 10, paper));
    journal.play(10, &BOTH, |deck, seats| if seats == [0, 1] && deck <= 8 { [60, 50] } else { [50, 60] });
    let report = reported(&scratch);
    let p = |place: &str, row: usize, what: &str| report["paper"][place][row][what].as_f64().unwrap();
    assert_eq!(p("matches", 0, "p"), 1.0, "8-2 and 8-2");
    // Fisher: 10-0 against 0-10 is 2 of C(20, 10) tables.
    assert!((p("matches", 1, "p") - 2.0 / 184_756.0).abs() < 1e-12);
    assert!(p("ranking", 0, "points_p") > 0.05 && p("ranking", 1, "pd_p") < 0.01);
    let verdicts = &report["paper"]["match_verdicts"];
    assert_eq!(
        (&report["paper"]["matches"][0]["verdict"], &report["paper"]["matches"][1]["verdict"]),
        (&serde_json::json!("agrees"), &serde_json::json!("differs"))
    );
    assert_eq!(*verdicts, serde_json::json!({ "agree": 1, "differ": 1, "differ_by_holm": 1, "not_compared": 0 }));
    // Eight scores of 60 and two of 50: mean 58, variance 160/9; ten printed games, 9 degrees of freedom.
    let expected = p_of_t(4.0 / (160.0_f64 / 9.0 * 0.2).sqrt());
    assert!((p("seats", 1, "p") - expected).abs() < 1e-6, "{}", report["paper"]["seats"]);
    assert_eq!(report["paper"]["seats"][0]["measure"], "difference");
    assert_eq!(p("seats", 0, "p"), 1.0, "6 printed, 6 here");
    assert!(p("seats", 3, "p") < 0.001, "52 here, 40 printed of 100 games");
    // Ten scores of 60. A lowest one of 10 among ten others is no evidence; all of ours are above a highest one of 30.
    assert_eq!((&report["paper"]["seats"][4]["measure"], p("seats", 4, "p")), (&"lowest".into(), 1.0));
    assert!((p("seats", 5, "p") - 2.0 / 184_756.0).abs() < 1e-12);
    assert_eq!(report["paper"]["seats"][5]["here"]["mean"], 60.0);
    let markdown = succeed(&["compare-printed", &scratch.path("")]);
    let total = markdown.lines().find(|line| line.starts_with("| **all** |")).unwrap();
    let counts = |what: &str| -> u64 {
        let parts = ["ranking_verdicts", "pd_verdicts", "match_verdicts", "seat_verdicts"];
        parts.iter().map(|part| report["paper"][part][what].as_u64().unwrap()).sum()
    };
    let expected = ["agree", "differ", "differ_by_holm", "not_compared"].map(|what| counts(what).to_string());
    assert!(total.ends_with(&format!("| 20 | {} |", expected.join(" | "))), "{total}");
    assert!(markdown.contains("| a | b | 8–2 | 10 | 8–2 | 10 | 0.49 … 0.94 | 1.0000 | agrees |"), "{markdown}");
    assert!(fail(&["compare-printed", &scratch.path("nothing")], 2).contains("nothing"));
    readings(&scratch, &expected);
    assert!(succeed(&["report", &scratch.path("")]).contains("Of 2 matches compared, 1 agree and 1 differ at 5 %"));
    assert!(
        scratch.read("report.html").contains("Comparison with the paper")
            && scratch.read("tables.tex").contains("tab:paper-matches")
    );
}

/// With declared readings each printed number counts once, and other runs of the same table stand below.
fn readings(scratch: &Scratch, expected: &[String; 4]) {
    let run = scratch.path("");
    let again = scratch.path("again");
    std::fs::create_dir_all(&again).unwrap();
    std::fs::copy(scratch.path("games.jsonl"), format!("{again}/games.jsonl")).unwrap();
    let printed = succeed(&["compare-printed", &run]);
    let printed = printed.lines().nth(2).unwrap().split(" | ").nth(1).unwrap();
    let file = |run: &str, printed: &str| {
        let text = format!("[[table]]\nprinted = {printed:?}\nrun = {run:?}\nreading = \"the first\"\n");
        scratch.write("readings.toml", &text)
    };
    let declared = file(&run, printed);
    let markdown = succeed(&["compare-printed", &run, &again, "--readings", &declared]);
    let (headline, others) = markdown.split_once("Other runs of the same tables").unwrap();
    let total = headline.lines().find(|line| line.starts_with("| **all** |")).unwrap();
    assert!(total.ends_with(&format!("| 20 | {} |", expected.join(" | "))), "{total}");
    assert!(headline.contains("| the first |") && others.contains(&again), "{markdown}");
    assert!(!markdown.contains("Claims"), "{markdown}");
    let claim = "[[claim]]\nprinted = \"A, 2\"\nsays = \"half | all\"\nhere = \"0.2\"\nverdict = \"differs\"\ncommand = \"evouct x\"\n";
    let with_claim = scratch.write("claims.toml", &(std::fs::read_to_string(&declared).unwrap() + claim));
    let markdown = succeed(&["compare-printed", &run, &again, "--readings", &with_claim]);
    let (_, claims) =
        markdown.split_once("Claims outside the tables (agrees: 0, differs: 1, cannot be compared: 0)").unwrap();
    assert!(claims.contains("| half \\| all | A, 2 | 0.2 | `evouct x` | **differs** |"), "{claims}");
    fails(&["compare-printed", &again, "--readings", &declared], 2, "which is not given or prints nothing");
    fails(&["compare-printed", &run, "--readings", &file(&run, "Another, table 1")], 2, "which prints");
    let none = scratch.write("none.toml", "");
    assert!(fail(&["compare-printed", &run, "--readings", &none], 2).contains("no reading is declared"));
    std::fs::remove_dir_all(&again).unwrap();
}

/// Scores of a made-up league in which player 0 beats 1 and 1 beats 2 more often than not; `decks` decks, all from
/// `seed`.
fn made_up(journal: &mut Journal, decks: u32, seed: u64) {
    let mut state = seed.wrapping_mul(0x9E37_79B9_7F4A_7C15) | 1;
    let mut next = || {
        // Xorshift: any generator serves.
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        u16::try_from(state % 41).unwrap()
    };
    journal.play(decks, &pairs(3), |_, seats| seats.map(|player| 60 - 6 * player as i32 + i32::from(next())));
}

#[test]
fn printed_leagues_from_one_source_agree() {
    // Printed and ours come from one source: few verdicts may be that they differ, whatever the sizes.
    for ours in [6, 15, 60] {
        let (mut differ, mut agree) = (0, 0);
        for seed in 1..=12 {
            let scratch = Scratch::new();
            let names = ["a", "b", "c"];
            let (print, play) = (scratch.path("print"), scratch.path("play"));
            made_up(&mut Journal::new(std::path::Path::new(&print), &toml(&names, 15, "")), 15, seed);
            succeed(&["report", &print]);
            let report = scratch.json("print/report.json");
            let rows = report["ranking"].as_array().unwrap().iter();
            let rows: Vec<String> = rows
                .map(|row| format!("{{ player = {}, points = {}, pd = {} }}", row["player"], row["points"], row["pd"]))
                .collect();
            let paper = format!("paper = {{ games_per_match = 15, mirror = true, ranking = [{}] }}\n", rows.join(", "));
            let mut journal = Journal::new(std::path::Path::new(&play), &toml(&names, ours, &paper));
            made_up(&mut journal, u32::try_from(ours).unwrap(), seed + 1_000);
            succeed(&["report", &play]);
            let report = scratch.json("play/report.json");
            for what in ["ranking_verdicts", "pd_verdicts"] {
                let count = |verdict: &str| report["paper"][what][verdict].as_u64().unwrap();
                differ += count("differ");
                agree += count("agree");
            }
        }
        assert_eq!(agree + differ, 72);
        assert!(differ <= 14, "{differ} of 72 differ where ours has {ours} decks");
    }
}

#[test]
fn printed_numbers_correlate_with_ours() {
    let scratch = Scratch::new();
    // Wins of player 1 among four games, each by ten points; print has the shares turned round, and PD of another size.
    let names = ["a", "b", "c", "d", "e"];
    let wins = |[home, away]: [usize; 2]| (home * home + 3 * away) % 5;
    let cells = pairs(5).into_iter().map(|seats| {
        let ([home, away], printed) = (seats.map(|seat| names[seat]), 8 - 2 * wins(seats));
        format!("{{ home = {home:?}, away = {away:?}, home_wins = {printed}, away_wins = {} }}", 8 - printed)
    });
    let margin = |seats| 20 * wins(seats) as i64 - 40;
    let pd = |player: usize| -> i64 {
        let of = |seat: usize| pairs(5).into_iter().filter(move |seats| seats[seat] == player).map(margin).sum::<i64>();
        of(0) - of(1)
    };
    let rows = (0..5).map(|player| format!("{{ player = {:?}, pd = {} }}", names[player], 3 * pd(player) + 1));
    let (rows, cells): (Vec<String>, Vec<String>) = (rows.collect(), cells.collect());
    let paper = format!(
        "paper = {{ games_per_match = 8, ranking = [{}], matches = [{}] }}\n",
        rows.join(", "),
        cells.join(", ")
    );
    let mut journal = Journal::new(scratch.0.path(), &toml(&names, 4, &paper));
    journal.play(4, &pairs(5), |deck, seats| if deck as usize <= wins(seats) { [60, 50] } else { [50, 60] });
    let out = succeed(&["report", &scratch.path("")]);
    let said = "Correlation of printed numbers and ours: -1.000 of shares of games won over 20 matches, 1.000 of PD over 5 \
                players.";
    assert!(unwrapped(&out).contains(said), "{out}");
    assert!(scratch.read("report.html").contains(said));
    assert!(succeed(&["compare-printed", &scratch.path("")]).contains(said));
    // All games of a at home against d are lost, as in print: another verdict.
    let other = scratch.path("other");
    std::fs::create_dir(&other).unwrap();
    let mut journal = Journal::new(std::path::Path::new(&other), &toml(&names, 4, &paper));
    journal.play(
        4,
        &pairs(5),
        |deck, seats| {
            if deck as usize <= wins(seats) && seats != [0, 3] { [60, 50] } else { [50, 60] }
        },
    );
    let out = succeed(&["compare", &scratch.path(""), &other]);
    assert!(out.contains("printed numbers that both runs compare"), "{out}");
    assert!(out.contains("\na - d: differs and agrees\n"), "{out}");
}

#[test]
fn decks_that_matches_do_not_share_add_variance() {
    // Two players who play alike: on shared decks nothing sets them apart, on decks of their own luck does.
    let interval = |mirror: bool| {
        let scratch = Scratch::new();
        let paper = format!("paper = {{ mirror = {mirror}, ranking = [{{ player = \"a\", points = 0, pd = 7 }}] }}\n");
        let mut journal = Journal::new(scratch.0.path(), &toml(&["a", "b"], 20, &paper));
        // The deck decides whether the first player wins, not which player it is.
        journal.play(20, &BOTH, |deck, _| if deck % 2 == 0 { [70, 50] } else { [50, 70] });
        let report = reported(&scratch);
        let row = &report["paper"]["ranking"][0];
        let ends = ["low", "high"].map(|end| row["points_interval"][end].as_f64().unwrap());
        (ends[1] - ends[0], row["pd_verdict"].clone())
    };
    let (shared, own) = (interval(true), interval(false));
    assert_eq!((shared.1, own.1), ("differs".into(), "agrees".into()));
    assert!(own.0 > shared.0, "{} and {}", own.0, shared.0);
}

#[test]
fn a_printed_league_too_large_to_resample_is_not_compared() {
    let scratch = Scratch::new();
    let paper = "paper = { games_per_match = 1000000, ranking = [{ player = \"a\", points = 10 }] }\n";
    let mut journal = Journal::new(scratch.0.path(), &toml(&["a", "b", "c"], 4, paper));
    made_up(&mut journal, 4, 1);
    let said = succeed(&["report", &scratch.path("")]);
    assert!(said.contains("cannot be compared"), "{said}");
}

#[test]
fn printed_means_against_several_opponents_are_as_many_units_as_decks() {
    // Against two opponents on ten decks: 20 games printed are ten units.
    for games in ["", "games = 20, "] {
        let scratch = Scratch::new();
        let paper = format!("paper = {{ seats = [{{ player = \"a\", seat = 1, {games}score = 80 }}] }}\n");
        let mut journal = Journal::new(scratch.0.path(), &toml(&["a", "b", "c"], 10, &paper));
        journal.play(10, &[[0, 1], [0, 2]], |deck, _| [if deck <= 5 { 70 } else { 80 }, 60]);
        interim(&scratch.path(""));
        let report = scratch.json("report.json");
        let row = &report["paper"]["seats"][0];
        assert_eq!((&row["printed_games"], &row["games"]), (&serde_json::json!(20), &serde_json::json!(20)));
        // Mean 75, variance 250 / 9 of ten units, 9 degrees of freedom.
        let expected = p_of_t(5.0 / (250.0_f64 / 9.0 * 0.2).sqrt());
        assert!((row["p"].as_f64().unwrap() - expected).abs() < 1e-6, "{row}");
    }
}

/// Two-sided p-value of t with 9 degrees of freedom, by Simpson's rule over its density.
fn p_of_t(t: f64) -> f64 {
    // Γ(5) / (√(9π) Γ(4.5)), where Γ(4.5) = 11.631728396567448.
    let scale = 24.0 / ((9.0 * std::f64::consts::PI).sqrt() * 11.631_728_396_567_448);
    let density = |x: f64| scale * (1.0 + x * x / 9.0).powi(-5);
    let steps = 2_000;
    let width = t / f64::from(steps);
    let weighted = |step: i32| density(f64::from(step) * width) * if step % 2 == 1 { 4.0 } else { 2.0 };
    let inside: f64 = (1..steps).map(weighted).sum::<f64>() + density(0.0) + density(t);
    1.0 - 2.0 * inside * width / 3.0
}
