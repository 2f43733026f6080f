//! The report in a browser: headless Chromium opens it from the disk, and is driven by its DevTools protocol.
//!
//! Without Chromium the test prints a line and passes; `scripts/test` installs it where it can. The page is compared
//! with pictures of it at three widths, light and dark, and axe-core looks for what hinders people.

use crate::chromium;
use crate::evolve::{EVOLUTION, made_bank};
use crate::program;
use crate::serve::two_of_each;
use chromium::Browser;
use program::{LEAGUE, Scratch, evouct, pictured, succeed};
use serde_json::{Value, json};
use std::io::{BufRead, BufReader};
use std::process::{Child, Stdio};

#[test]
fn the_report_works_in_a_browser() {
    let Some(mut browser) = Browser::start() else { return };
    let scratch = Scratch::new();
    let league =
        pictured().replace("seed = 11", "seed = 11\nlog = \"full\"").replace("\"MCTS\"", "\"</script><b>M&'\"");
    let experiment = scratch.write("full.toml", &league);
    succeed(&["run", &experiment, "--out", &scratch.path("run")]);
    let url = format!("file://{}", scratch.path("run/report.html"));
    browser.open(&url);
    sorts(&mut browser);
    reads(&mut browser);
    steps(&mut browser);
    follows_links_and_the_game(&mut browser);
    fits(&mut browser);
    assert_eq!(browser.errors, Vec::<String>::new());
    let elsewhere: Vec<&String> =
        browser.requests.iter().filter(|asked| **asked != url && !asked.starts_with("data:")).collect();
    assert!(elsewhere.is_empty(), "{elsewhere:?}");
    assert!(browser.requests.contains(&url));
}

/// A server that ends with its test.
struct Served(Child);

impl Drop for Served {
    fn drop(&mut self) {
        drop(self.0.kill());
        drop(self.0.wait());
    }
}

#[test]
fn a_live_page_runs_its_own_scripts_only() {
    let Some(mut browser) = Browser::start() else { return };
    let scratch = Scratch::new();
    let run = scratch.path("run");
    succeed(&["run", &scratch.write("small.toml", LEAGUE), "--out", &run]);
    let mut server = Served(evouct(&["serve", &run, "--port", "0"]).stdout(Stdio::piped()).spawn().unwrap());
    let mut line = String::new();
    BufReader::new(server.0.stdout.as_mut().unwrap()).read_line(&mut line).unwrap();
    let url = line.split(' ').next().unwrap().to_owned();
    browser.open(&url);
    browser.click("th button");
    browser.wait("document.querySelector('th[aria-sort]')");
    // It asks whether there are new games.
    browser.wait("performance.getEntriesByType('resource').some((one) => one.name.endsWith('/state'))");
    assert!(browser.requests.iter().all(|asked| asked.starts_with(&url) || asked.starts_with("data:")));
    assert_eq!(browser.errors, Vec::<String>::new());
    // A script that is not the page's own, here and in the report as a file.
    for page in [url, format!("file://{run}/report.html")] {
        browser.open(&page);
        let foreign = "(() => { const script = document.createElement('script'); script.textContent = 'window.hit = 1'; \
                       document.body.append(script); return window.hit === undefined; })()";
        assert_eq!(browser.value(foreign), true, "{page}");
        browser.wait("true");
        assert!(browser.errors.drain(..).any(|error| error.contains("Content Security Policy")), "{page}");
    }
}

/// Small leagues of one, two and four seats: the game, its rules, a kind of player, and a section that its page has.
const OTHERS: [(&str, &str, &str, usize, &str); 3] = [
    ("function", "function = \"f5\"", "mcts", 1, "#searches"),
    ("einstein", "rows = 5", "mcts", 2, "#matches"),
    ("carcassonne", "seats = 4", "flat-mc", 4, "#significance"),
];

#[test]
fn reports_of_other_games_and_seats_open_in_a_browser() {
    let Some(mut browser) = Browser::start() else { return };
    let scratch = Scratch::new();
    for (game, rules, kind, seats, section) in OTHERS {
        let text = format!(
            "name = \"{game}\"\ngame = \"{game}\"\nseed = 4\ngames_per_match = 2\n[rules]\n{rules}\n[[player]]\nkind = \
             \"{kind}\"\niterations = [3, 4, 5]\n[[player]]\nkind = \"random\"\n"
        );
        let run = scratch.path(game);
        succeed(&["run", &scratch.write("other.toml", &text), "--out", &run]);
        browser.open(&format!("file://{run}/report.html"));
        let rows = browser.value("document.querySelector('#ranking ~ .captioned tbody').rows.length");
        assert_eq!(rows, 4, "{game}");
        assert_eq!(browser.value(&format!("document.querySelectorAll('{section}').length")), 1, "{game}");
        let matches = browser.value("document.querySelectorAll('#matches').length");
        assert_eq!(matches, usize::from(seats == 2), "{game}");
        assert!(browser.value("document.querySelectorAll('.game svg').length").as_u64().unwrap() > 0, "{game}");
        // The frame of a board holds every picture of it.
        let cut = "[...document.querySelectorAll('.stage svg.board')].filter((board) => { \
                   const frame = board.viewBox.baseVal, pictures = [...board.querySelectorAll(':scope > g > svg')]; \
                   return !frame || pictures.some((own) => own.viewBox.baseVal.height > frame.height || own.viewBox.baseVal.width > frame.width); })";
        assert_eq!(browser.value(&format!("{cut}.length")), 0, "{game}");
        let facts = browser.value("document.querySelector('.game .seats').innerText");
        assert!(!facts.as_str().unwrap().is_empty(), "{game}");
    }
    assert_eq!(browser.errors, Vec::<String>::new());
}

#[test]
fn a_comparison_of_runs_opens_in_a_browser() {
    let Some(mut browser) = Browser::start() else { return };
    let scratch = Scratch::new();
    let runs = ["11", "12", "13"].map(|seed| {
        let league =
            pictured().replace("seed = 11", &format!("seed = {seed}")).replace("\"MCTS\"", "\"</script><b>M&'\"");
        let run = scratch.path(seed);
        succeed(&["run", &scratch.write("league.toml", &league), "--out", &run]);
        run
    });
    let page = scratch.path("compared.html");
    succeed(&["compare", &runs[0], &runs[1], &runs[2], "--html", &page]);
    let url = format!("file://{page}");
    browser.open(&url);
    let cells = "Array.from(document.querySelector('#players ~ .captioned tbody').rows, row => row.cells[4].dataset.v)";
    let changes = browser.value(cells);
    assert_eq!(changes.as_array().map(Vec::len), Some(9), "{changes}");
    assert_eq!(browser.value("document.querySelectorAll('b').length"), 0);
    browser.value(
        "document.querySelector('#players ~ .captioned thead').rows[0].cells[4].querySelector('button').click()",
    );
    let sorted = browser.value(cells);
    let numbers: Vec<f64> = sorted.as_array().unwrap().iter().filter_map(|cell| cell.as_str()?.parse().ok()).collect();
    assert!(numbers.len() == 6 && numbers.is_sorted_by(|a, b| a >= b) && sorted != changes, "{sorted}");
    // Every change in the chart is read off by the keyboard.
    let chart = "document.querySelector('#changes ~ figure svg.chart')";
    browser.value(&format!("{chart}.focus()"));
    browser.press("End");
    let said = browser.value(&format!("{chart}.parentElement.nextElementSibling.textContent"));
    assert!(said.as_str().is_some_and(|said| said.contains("run 3")), "{said}");
    browser.value("document.querySelectorAll('details').forEach((part) => { part.open = true; })");
    for (width, scheme) in [(390, "light"), (1440, "dark")] {
        browser.device(width, scheme);
        assert_eq!((browser.overflow(width), browser.cut()), (String::new(), json!([])), "at {width}");
        if let Some(findings) = browser.findings() {
            assert_eq!(findings, Vec::<String>::new(), "{width} {scheme}");
        }
    }
    assert_eq!(browser.errors, Vec::<String>::new());
    assert!(browser.requests.iter().all(|asked| *asked == url || asked.starts_with("data:")), "{:?}", browser.requests);
}

#[test]
fn comparisons_of_evolutions_and_tunings_open_in_a_browser() {
    let Some(mut browser) = Browser::start() else { return };
    let scratch = Scratch::new();
    for [first, other] in two_of_each(&scratch) {
        let page = scratch.path("compared.html");
        succeed(&["compare", &first, &other, "--html", &page]);
        browser.open(&format!("file://{page}"));
        let reading = last_reading(&mut browser, "#glance ~ .charts figure svg.chart");
        assert!(reading.contains(other.rsplit('/').next().unwrap()), "{reading}");
        looks_well(&mut browser);
    }
}

#[test]
fn the_list_of_runs_opens_in_a_browser() {
    let Some(mut browser) = Browser::start() else { return };
    let scratch = Scratch::new();
    let experiment = scratch.write("small.toml", LEAGUE);
    for name in ["runs/plain", "runs/<b>M&'"] {
        succeed(&["run", &experiment, "--out", &scratch.path(name)]);
    }
    let mut server =
        Served(evouct(&["serve", &scratch.path("runs"), "--port", "0"]).stdout(Stdio::piped()).spawn().unwrap());
    let mut line = String::new();
    BufReader::new(server.0.stdout.as_mut().unwrap()).read_line(&mut line).unwrap();
    let url = line.split(' ').next().unwrap().to_owned();
    browser.open(&url);
    assert_eq!(browser.value("document.querySelectorAll('b').length"), 0);
    let shown = "[...document.querySelectorAll('.runs tbody tr')].filter((row) => row.getClientRects().length).length";
    assert_eq!(browser.value(shown), 2);
    let search = |words: &str| {
        format!(
            "{{ const field = document.getElementById('search'); field.value = {words:?}; field.dispatchEvent(new Event('input')); }}"
        )
    };
    browser.value(&search("PLAIN league"));
    assert_eq!(browser.value(shown), 1);
    assert_eq!(browser.value("document.getElementById('live').textContent"), "1 of 2 found.");
    browser.value(&search(""));
    // A player and a game are found, too.
    for (words, found) in [("carcassonne random", 2), ("hex", 0)] {
        browser.value(&search(words));
        assert_eq!(browser.value(shown), found, "{words}");
    }
    browser.value(&search(""));
    // Two clicks choose two leagues, and the form asks for a comparison with the one that was chosen first.
    browser.click(".runs tbody tr:nth-child(2) input");
    browser.click(".runs tbody tr:nth-child(1) input");
    let places = browser
        .value("[...document.querySelectorAll('.runs tbody td:first-child bdi')].map((name) => name.textContent)");
    assert_eq!(
        browser.value("document.querySelector('.runs button[type=submit]').textContent"),
        format!("Compare with {}", places[1].as_str().unwrap())
    );
    let asked = browser.value("'compare?' + new URLSearchParams(new FormData(document.querySelector('form.runs')))");
    let ids = browser.value("[...document.querySelectorAll('.runs tbody input')].map((box) => box.value)");
    assert_eq!(asked, format!("compare?run={}&run={}", ids[1].as_str().unwrap(), ids[0].as_str().unwrap()));
    browser.value("window.seen = ''");
    let look = format!("fetch({asked}).then((answer) => answer.text()).then((text) => {{ window.seen = text; }})");
    browser.wait(&format!("({look}, window.seen.includes('beside other runs'))"));
    for (width, scheme) in [(390, "light"), (1440, "dark")] {
        browser.device(width, scheme);
        assert_eq!((browser.overflow(width), browser.cut()), (String::new(), json!([])), "at {width}");
        if let Some(findings) = browser.findings() {
            assert_eq!(findings, Vec::<String>::new(), "{width} {scheme}");
        }
    }
    // The page of a run, once it is made, leads back.
    let run = browser.value("document.querySelector('.runs tbody a').href").as_str().unwrap().to_owned();
    browser.value("window.seen = ''");
    browser.wait(&format!(
        "(fetch({run:?}).then((answer) => answer.text()).then((text) => {{ window.seen = text; }}), window.seen.includes('games finished'))"
    ));
    browser.open(&run);
    assert_eq!(browser.value("document.querySelector('header a').href"), url);
    assert_eq!(browser.errors, Vec::<String>::new());
    assert!(browser.requests.iter().all(|asked| asked.starts_with(&url) || asked.starts_with("data:")));
}

/// Looks at a page on a phone and on a desk, with all of it unfolded.
fn looks_well(browser: &mut Browser) {
    browser.value("document.querySelectorAll('details').forEach((part) => { part.open = true; })");
    for (width, scheme) in [(390, "light"), (900, "dark"), (1440, "light")] {
        browser.device(width, scheme);
        assert_eq!((browser.overflow(width), browser.cut()), (String::new(), json!([])), "at {width}");
        if let Some(findings) = (width != 900).then(|| browser.findings()).flatten() {
            assert_eq!(findings, Vec::<String>::new(), "{width} {scheme}");
        }
    }
    assert_eq!(browser.errors, Vec::<String>::new());
}

/// Reads the last point of a chart by the keyboard.
fn last_reading(browser: &mut Browser, chart: &str) -> String {
    browser.value(&format!("document.querySelector({chart:?}).focus()"));
    browser.press("End");
    let said =
        browser.value(&format!("document.querySelector({chart:?}).parentElement.nextElementSibling.textContent"));
    said.as_str().unwrap().to_owned()
}

#[test]
fn formulas_of_players_are_typeset_within_the_page() {
    let Some(mut browser) = Browser::start() else { return };
    let scratch = Scratch::new();
    // Wider than a phone and than a desk.
    let sum: Vec<String> = (1..40).map(|number| format!("{number}.5 * dv * cl / (n + {number})")).collect();
    let text = format!(
        "name = \"formulas\"\nseed = 4\ngames_per_match = 2\n[[player]]\nname = \"<b>one\"\nkind = \"formula\"\niterations = 3\n\
         formula = \"Q + {sum}\"\n[[player]]\nname = \"two\"\nkind = \"formula\"\niterations = 4\nformula = \"Q + {sum}\"\n\
         untried = \"Qbar + dv\"\n[[player]]\nkind = \"random\"\n",
        sum = sum.join(" + ")
    );
    let run = scratch.path("run");
    succeed(&["run", &scratch.write("formulas.toml", &text), "--out", &run]);
    browser.open(&format!("file://{run}/report.html"));
    let said = browser.value("Array.from(document.querySelectorAll('#formulas ~ h4'), (part) => part.textContent)");
    assert_eq!(said, json!(["<b>one, two: formula", "two: untried"]), "one formula of two players is typeset once");
    let typeset =
        browser.value("Array.from(document.querySelectorAll('.math math'), (part) => part.textContent.length > 3)");
    assert_eq!(typeset, json!([true, true]));
    let word = browser.value("document.querySelector('.math mtext').textContent");
    assert_eq!(word, "dv", "a name of two letters is one word");
    assert!(browser.value("document.querySelectorAll('.math ~ details .tree li').length").as_u64() > Some(200));
    looks_well(&mut browser);
    let scrolls =
        "(() => { const box = document.querySelector('.math'); return box.scrollWidth > box.clientWidth; })()";
    assert_eq!(browser.value(scrolls), true, "a long formula scrolls in its box");
    let said = last_reading(&mut browser, "#glance ~ figure svg.chart");
    assert!(said.contains(" – ") && said.contains("Holm p"), "{said}");
    // A league without formulas has no such section.
    let plain = scratch.path("plain");
    let text = "name = \"plain\"\ngames_per_match = 1\n[[player]]\nkind = \"random\"\n[[player]]\nkind = \"simple1\"\n";
    succeed(&["run", &scratch.write("plain.toml", text), "--out", &plain]);
    assert!(!scratch.read("plain/report.html").contains("id=\"formulas\""));
}

#[test]
fn a_tuning_opens_in_a_browser() {
    let Some(mut browser) = Browser::start() else { return };
    let scratch = Scratch::new();
    let text = "name = \"pair\"\nseed = 5\n[[player]]\nname = \"</script><b>M&'\"\nkind = \"mcts\"\niterations = 2\n\
                [[player]]\nkind = \"random\"\n";
    let folder = scratch.path("tuning");
    let over = ["--over", "k=0.1..3", "--over", "final=mean,visits", "--games", "1040"];
    succeed(&[&["tune", &scratch.write("pair.toml", text), "--out", &folder], &over[..]].concat());
    let url = format!("file://{folder}/report.html");
    browser.open(&url);
    assert_eq!(browser.value("document.querySelectorAll('b').length"), 0);
    let headings = browser.value("Array.from(document.querySelectorAll('h2'), (part) => part.id)");
    let sections =
        ["headline", "rounds", "held-out", "candidates", "strength", "stages", "shown", "repeat", "files", "columns"];
    assert_eq!(headings, json!(sections));
    let rows = "document.querySelector('#candidates ~ .captioned tbody').rows.length";
    let candidates = scratch.read("tuning/candidates.csv").lines().count() - 1;
    assert_eq!(browser.value(rows), candidates);
    // Two parameters: strength over k, the plane of both, and the rounds.
    let charts = browser.value("document.querySelectorAll('svg.chart.wide').length");
    assert_eq!(charts, 3);
    let (strength, rounds) = ("#strength ~ .charts figure svg.chart", "#rounds ~ figure svg.chart");
    assert!(last_reading(&mut browser, strength).contains("points per game over the opponents"));
    assert!(last_reading(&mut browser, rounds).contains("after round"));
    browser.value("document.activeElement.blur()");
    for width in [390, 900, 1440] {
        browser.device(width, "light");
        browser.compare_picture(&format!("tuning-{width}"), width);
    }
    prints_well(&mut browser, PAPER, "tuning-paper", "html");
    looks_well(&mut browser);
    assert!(browser.requests.iter().all(|asked| *asked == url || asked.starts_with("data:")), "{:?}", browser.requests);
}

/// What is on the clipboard after a part of the page was copied.
fn copied(browser: &mut Browser, from: &str, to: &str) -> String {
    let copied = browser.value(&format!(
        "(() => {{ getSelection().setBaseAndExtent(document.querySelector({from:?}), 0, ...(() => {{ const end = \
         document.querySelector({to:?}); return [end, end.childNodes.length]; }})()); const data = new DataTransfer(); \
         document.dispatchEvent(new ClipboardEvent('copy', {{ clipboardData: data, cancelable: true }})); \
         getSelection().empty(); return data.getData('text/plain'); }})()"
    ));
    copied.as_str().unwrap().to_owned()
}

#[test]
fn an_evolution_opens_in_a_browser() {
    let Some(mut browser) = Browser::start() else { return };
    let scratch = Scratch::new();
    made_bank(&scratch);
    let folder = scratch.path("evolution");
    succeed(&["evolve", &scratch.write("small.toml", EVOLUTION), "--out", &folder]);
    let url = format!("file://{folder}/report.html");
    browser.open(&url);
    let headings = browser.value("Array.from(document.querySelectorAll('h2'), (part) => part.id)");
    assert!(
        ["formula", "fitness", "front", "lineage"].iter().all(|id| headings.to_string().contains(id)),
        "{headings}"
    );
    // The formulas of tables are typeset, and copied as the text of the data.
    let csv = scratch.read("evolution/front.csv");
    let formulas =
        browser.value("Array.from(document.querySelectorAll('#front ~ .beside h3:first-of-type + .captioned .typeset'), (part) => part.title)");
    let formulas: Vec<&str> = formulas.as_array().unwrap().iter().map(|text| text.as_str().unwrap()).collect();
    assert!(formulas.len() > 1 && formulas.iter().all(|formula| csv.contains(formula)), "{formulas:?}: {csv}");
    let typeset = browser
        .value("document.querySelectorAll('#front ~ .beside h3:first-of-type + .captioned td:first-child').length");
    assert_eq!(typeset, formulas.len());
    assert_eq!(browser.value("document.querySelectorAll('.typeset:not(:has(math))').length"), 0);
    let first = "#front ~ .beside h3:first-of-type + .captioned tbody tr:first-child";
    let cells = browser
        .value(&format!("Array.from(document.querySelector({first:?}).cells).slice(1).map((cell) => cell.innerText)"));
    let numbers: Vec<&str> = cells.as_array().unwrap().iter().map(|cell| cell.as_str().unwrap()).collect();
    let row = format!("{}\t{}", formulas[0], numbers.join("\t"));
    assert_eq!(copied(&mut browser, first, first), row);
    let inside = format!("{first} math");
    assert_eq!(copied(&mut browser, &inside, &inside), formulas[0], "a part of a formula is copied as the whole");
    let names = browser.value("document.querySelector('#formula ~ .beside dl').innerText");
    assert!(names.as_str().unwrap().contains("virtual score"), "{names}");
    // Texts behind numbers are sorted as texts.
    browser.value("document.querySelector('#lineage ~ .captioned').querySelectorAll('th button')[4].click()");
    let operators = browser.value(
        "Array.from(document.querySelector('#lineage ~ .captioned tbody').rows, (row) => row.cells[4].innerText)",
    );
    let operators: Vec<&str> = operators.as_array().unwrap().iter().map(|text| text.as_str().unwrap()).collect();
    assert!(operators.len() > 1 && operators.is_sorted(), "{operators:?}");
    for (width, from) in [(1440, "html"), (900, "html"), (390, "#front")] {
        browser.device(width, "light");
        browser.compare_picture_from(&format!("evolution-{width}"), width, from);
    }
    prints_well(&mut browser, PAPER, "evolution-paper", "#front");
    looks_well(&mut browser);
    assert_eq!(browser.small_texts(), json!([]));
    assert!(browser.requests.iter().all(|asked| *asked == url || asked.starts_with("data:")), "{:?}", browser.requests);
}

/// The values of charts, by the keyboard and by the pointer.
fn reads(browser: &mut Browser) {
    let charts = browser.value("document.querySelectorAll('svg.chart[data-readings]').length");
    assert!(charts.as_u64().unwrap() >= 4, "{charts}");
    let chart = "document.querySelector('#ratings ~ .beside svg.chart')";
    let said = format!("{chart}.parentElement.nextElementSibling.textContent");
    let lines = browser.value(&format!("{chart}.dataset.readings"));
    let lines: Vec<String> = lines.as_str().unwrap().trim_end().lines().map(str::to_owned).collect();
    assert!(lines.len() == 3 && lines.iter().any(|line| line.contains("</script><b>M&'")), "{lines:?}");
    let text = |line: &str| line.splitn(3, ' ').nth(2).unwrap().to_owned();
    browser.value(&format!("{chart}.focus()"));
    assert_eq!(browser.value(&said), "");
    for (key, line) in
        [("ArrowRight", 0), ("ArrowRight", 1), ("End", 2), ("ArrowRight", 2), ("ArrowLeft", 1), ("Home", 0)]
    {
        browser.press(key);
        assert_eq!(browser.value(&said), text(&lines[line]), "{key}");
    }
    browser.value(&format!("{chart}.blur()"));
    assert_eq!(browser.value(&said), "");
    // The pointer at the last point, then far from all of them.
    let place: Vec<f64> = lines[2].split(' ').take(2).map(|number| number.parse().unwrap()).collect();
    let moved = |x: f64, y: f64| {
        format!(
            "{{ const chart = {chart}, at = new DOMPoint({x}, {y}).matrixTransform(chart.getScreenCTM()); \
             chart.dispatchEvent(new PointerEvent('pointermove', {{ clientX: at.x, clientY: at.y }})) }}"
        )
    };
    browser.value(&moved(place[0] + 2.0, place[1] - 2.0));
    assert_eq!(browser.value(&said), text(&lines[2]));
    browser.value(&moved(-200.0, -200.0));
    assert_eq!(browser.value(&said), "");
}

/// The points column, by a click and by the keyboard.
fn sorts(browser: &mut Browser) {
    let points = "Array.from(document.querySelector('#ranking ~ .captioned tbody').rows, row => Number(row.cells[2].textContent))";
    let heading = "document.querySelector('#ranking ~ .captioned thead').rows[0].cells[2]";
    let numbers = |value: Value| -> Vec<f64> { value.as_array().unwrap().iter().filter_map(Value::as_f64).collect() };
    let before = numbers(browser.value(points));
    browser.value(&format!("{heading}.querySelector('button').click()"));
    let falling = numbers(browser.value(points));
    assert!(falling.is_sorted_by(|a, b| a >= b) && falling.len() == 3, "{falling:?}");
    assert_eq!(browser.value(&format!("{heading}.getAttribute('aria-sort')")), "descending");
    browser.value(&format!("{heading}.querySelector('button').focus()"));
    browser.press("Enter");
    browser.value(&format!("{heading}.querySelector('button').click()"));
    let rising = numbers(browser.value(points));
    assert!(rising != falling || before.iter().all(|value| *value == before[0]), "{rising:?}");
    // The hostile name is text.
    let names = browser.value("document.querySelector('#ranking ~ .captioned tbody').innerText");
    assert!(names.as_str().unwrap().contains("</script><b>M&'"), "{names}");
    assert_eq!(browser.value("document.querySelectorAll('b').length"), 0);
}

/// A game to its end and back, by buttons, keys and the slider.
fn steps(browser: &mut Browser) {
    let turns =
        browser.value("JSON.parse(document.querySelector('.game script').textContent).turns.length").as_u64().unwrap();
    let seen = "[...document.querySelectorAll('.game')[0].querySelectorAll('g[data-from]')]\
                .filter(part => part.getAttribute('visibility') !== 'hidden').length";
    let said = "document.querySelector('.game .turn').textContent";
    let click = |step: &str| format!("document.querySelector('.game [data-step={step}]').click()");
    assert_eq!(browser.value(seen), turns, "the page opens at the end of the game");
    let at_end = browser.value("document.querySelector('.game .seats').innerText");
    browser.value(&click("first"));
    assert_eq!(browser.value(seen), 0);
    assert!(browser.value(said).as_str().unwrap().starts_with("Start"));
    let mut meeples = 0;
    for turn in 1..=turns {
        browser.value(&click("on"));
        assert_eq!(browser.value(seen), turn);
        let standing = browser.value(
            "[...document.querySelector('.game').querySelectorAll('use[data-from]')]\
             .filter(part => part.getAttribute('visibility') !== 'hidden').length",
        );
        meeples = meeples.max(standing.as_u64().unwrap());
        assert!(standing.as_u64().unwrap() <= 14);
    }
    assert!(meeples > 2, "never more than {meeples} meeples were seen");
    assert_eq!(browser.value("document.querySelector('.game .seats').innerText"), at_end);
    // The trace of the search and the formula are shown where they were recorded.
    assert!(browser.value("document.querySelectorAll('.game .moves tr').length").as_u64().is_some());
    let with_thoughts = "[...document.querySelectorAll('.game script')].some(data => JSON.parse(data.textContent).turns.some(turn => turn.best && turn.formula))";
    assert_eq!(browser.value(with_thoughts), true);
    for turn in (0..turns).rev() {
        browser.value(&click("back"));
        assert_eq!(browser.value(seen), turn);
    }
    browser.value("document.querySelector('.game .stage').focus()");
    browser.press("ArrowRight");
    browser.press("ArrowRight");
    assert_eq!(browser.value(seen), 2);
    browser.press("ArrowLeft");
    assert_eq!(browser.value(seen), 1);
    browser.press("End");
    assert_eq!(browser.value(seen), turns);
    browser.press("Home");
    assert_eq!(browser.value(seen), 0);
    let slide = "{ const slider = document.querySelector('.game input'); slider.value = 30; slider.dispatchEvent(new Event('input')); }";
    browser.value(slide);
    assert_eq!(browser.value(seen), 30);
}

/// A link leads to a turn of a game, also of one that is folded away, and the frame is as large as the board at that
/// turn.
fn follows_links_and_the_game(browser: &mut Browser) {
    let games = browser.value("document.querySelectorAll('.game').length").as_u64().unwrap();
    assert!(games > 1, "{games}");
    browser.value(
        "{ const game = document.querySelectorAll('.game')[1]; location.hash = `game-${game.dataset.game}@3`; }",
    );
    let game = "document.querySelectorAll('.game')[1]";
    browser.wait(&format!("{game}.open && {game}.dataset.turn === '3'"));
    let across = format!("Number({game}.querySelector('.stage svg').getAttribute('viewBox').split(' ')[2])");
    let seen = format!(
        "[...{game}.querySelectorAll('.columns text')].filter((text) => text.getAttribute('visibility') !== 'hidden').length"
    );
    browser.wait(&format!("{across} > 0"));
    let (start, labels) = (browser.value(&across), browser.value(&seen));
    browser.value(&format!("{game}.querySelector('.link').click()"));
    let tall = format!("{game}.querySelector('.stage svg').getBoundingClientRect().height");
    let height = browser.value(&tall);
    browser.value(&format!("{game}.querySelector('[data-step=end]').click()"));
    let (end, all) = (browser.value(&across), browser.value(&seen));
    assert!(start.as_f64() < end.as_f64() && labels.as_u64() < all.as_u64(), "{start} {labels}, {end} {all}");
    assert_eq!(browser.value(&tall), height, "what stands below moves");
    // All tiles are inside.
    let outside = browser.value(&format!(
        "(() => {{ const box = {game}.querySelector('.stage svg').getBoundingClientRect(); \
         return [...{game}.querySelectorAll('[data-at]')].filter((part) => {{ const own = part.getBoundingClientRect(); \
         return own.left < box.left || own.right > box.right + 1 || own.top < box.top || own.bottom > box.bottom + 1; }}).length; }})()"
    ));
    assert_eq!(outside, 0);
    browser.value(&format!("{game}.querySelector('[data-step=first]').click(); history.back()"));
    browser.value("location.hash = 'game-%E0@1'");
    browser.value(&format!("{game}.open = false; location.hash = ''"));
}

/// How many coordinates the first board shows.
const SEEN_COORDINATES: &str = "[...document.querySelectorAll('.game[open] :is(.columns, .rows) text')]\
                                .filter((text) => text.getAttribute('visibility') !== 'hidden').length";

/// The intervals of the page that stand on more than one line.
const BROKEN: &str = "[...document.querySelectorAll('.whole')].filter((part) => { const range = document.createRange(); \
                      range.selectNodeContents(part); return new Set(Array.from(range.getClientRects(), (box) => Math.round(box.bottom))).size > 1; })\
                      .map((part) => part.textContent)";

/// The width between the margins of an upright page of A4, which is narrower than US Letter.
const PAPER: u32 = 703;

/// No width makes the page itself scroll sideways; it looks as it did, and nothing hinders people who read it
/// otherwise.
fn fits(browser: &mut Browser) {
    for width in [360, 390, 900, 1440] {
        for scheme in ["light", "dark"] {
            browser.device(width, scheme);
            let wide = browser.value("document.documentElement.scrollWidth");
            let outside = browser.value(
                "[...document.querySelectorAll('main *')].filter(part => part.getBoundingClientRect().right > innerWidth + 1 \
                 && !part.closest('.scroll, svg')).slice(0, 5).map(part => part.outerHTML.slice(0, 100)).join()",
            );
            assert_eq!(wide, width, "the page is wider than the screen: {outside}");
            assert_eq!(browser.cut(), json!([]), "at {width}");
            // Charts keep their text readable, and have another layout on a phone; the coordinates of boards grow.
            assert_eq!(browser.small_texts(), json!([]), "at {width}");
            let seen = browser.value(SEEN_COORDINATES);
            assert!(seen.as_u64() > Some(8), "{seen} coordinates at {width}");
            let paper = browser.value("getComputedStyle(document.body).backgroundColor");
            assert_eq!(paper == "rgb(255, 255, 255)", scheme == "light", "{paper}");
            // The first picture stands before the first table, and no interval breaks.
            let is_first = "Boolean(document.querySelector('figure').compareDocumentPosition(document.querySelector('table')) & 4)";
            assert_eq!(browser.value(is_first), true);
            assert_eq!(browser.value(BROKEN), json!([]), "at {width}");
            if width > 360 {
                browser.compare_picture(&format!("report-{width}-{scheme}"), width);
            }
            if (width, scheme) == (390, "light") {
                browser.compare_picture_from("report-390-tests", width, "#significance");
            }
            // Both schemes, and the layout of a phone beside that of a desk; a look takes seconds.
            let is_looked_at = matches!((width, scheme), (390, "light") | (1440, "dark"));
            if let Some(findings) = is_looked_at.then(|| browser.findings()).flatten() {
                assert_eq!(findings, Vec::<String>::new(), "{width} {scheme}");
            }
        }
    }
    prints_well(browser, PAPER, "report-paper", "#ranking");
    browser.device(900, "light");
}

/// The page on paper of this width, from the first element of this selector on.
fn prints_well(browser: &mut Browser, width: u32, name: &str, from: &str) {
    browser.paper(width);
    browser.compare_picture_from(name, width, from);
    assert_eq!(browser.cut(), json!([]), "{name}");
}
