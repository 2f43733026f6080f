//! The report in a browser: headless Chromium opens it from the disk, and is driven by its DevTools protocol.
//!
//! Without Chromium the test prints a line and passes; `scripts/test` installs it where it can. `SCREENSHOTS=DIR` keeps
//! pictures of the page at three widths, light and dark.

mod program;

use program::{LEAGUE, Scratch, succeed};
use serde_json::{Value, json};
use std::io::{BufRead, BufReader};
use std::net::TcpStream;
use std::process::{Child, Command, Stdio};
use tungstenite::stream::MaybeTlsStream;
use tungstenite::{Message, WebSocket};

/// A browser with one page.
struct Browser {
    child: Child,
    socket: WebSocket<MaybeTlsStream<TcpStream>>,
    session: Option<String>,
    calls: u64,
    /// Errors on the console, exceptions, and network requests.
    errors: Vec<String>,
    requests: Vec<String>,
    _profile: tempfile::TempDir,
}

impl Browser {
    /// None where there is no Chromium.
    fn start() -> Option<Browser> {
        let names = ["chromium", "chromium-browser", "google-chrome"];
        let name = names.into_iter().find(|name| {
            Command::new(name).arg("--version").stdout(Stdio::null()).stderr(Stdio::null()).status().is_ok()
        })?;
        let profile = tempfile::tempdir().unwrap();
        let mut child = Command::new(name)
            .args(["--headless=new", "--no-sandbox", "--disable-gpu", "--remote-debugging-port=0", "--no-first-run"])
            .args(["--disable-background-networking", "--disable-dev-shm-usage", "--hide-scrollbars"])
            .arg(format!("--user-data-dir={}", profile.path().display()))
            .arg("about:blank")
            .stdout(Stdio::null())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        let mut said = BufReader::new(child.stderr.take().unwrap()).lines().map_while(Result::ok);
        let address = said.find_map(|line| line.strip_prefix("DevTools listening on ").map(str::to_owned)).unwrap();
        // The pipe is kept empty, or the browser would wait for a reader.
        std::thread::spawn(move || said.for_each(drop));
        let (socket, _) = tungstenite::connect(&address).unwrap();
        let (errors, requests) = (Vec::new(), Vec::new());
        let mut browser = Browser { child, socket, session: None, calls: 0, errors, requests, _profile: profile };
        let target = browser.call("Target.createTarget", json!({"url": "about:blank"}))["targetId"].clone();
        let attached = browser.call("Target.attachToTarget", json!({"targetId": target, "flatten": true}));
        browser.session = attached["sessionId"].as_str().map(str::to_owned);
        for domain in ["Page", "Runtime", "Network", "Log"] {
            browser.call(&format!("{domain}.enable"), json!({}));
        }
        Some(browser)
    }

    fn call(&mut self, method: &str, parameters: Value) -> Value {
        self.calls += 1;
        let mut message = json!({"id": self.calls, "method": method, "params": parameters});
        if let Some(session) = &self.session {
            message["sessionId"] = session.clone().into();
        }
        self.socket.send(Message::text(message.to_string())).unwrap();
        loop {
            let answer = self.next();
            if answer["id"] == self.calls {
                assert!(answer.get("error").is_none(), "{method}: {answer}");
                return answer["result"].clone();
            }
        }
    }

    fn next(&mut self) -> Value {
        let message: Value = serde_json::from_str(self.socket.read().unwrap().to_text().unwrap()).unwrap();
        let parameters = &message["params"];
        match message["method"].as_str() {
            Some("Runtime.exceptionThrown") => self.errors.push(parameters.to_string()),
            Some("Runtime.consoleAPICalled") if parameters["type"] == "error" => {
                self.errors.push(parameters.to_string())
            }
            Some("Log.entryAdded") if parameters["entry"]["level"] == "error" => {
                self.errors.push(parameters.to_string())
            }
            Some("Network.requestWillBeSent") => {
                self.requests.push(parameters["request"]["url"].as_str().unwrap_or_default().to_owned());
            }
            _ => {}
        }
        message
    }

    fn open(&mut self, url: &str) {
        self.call("Page.navigate", json!({"url": url}));
        while self.next()["method"] != "Page.loadEventFired" {}
    }

    /// The value of an expression in the page.
    fn value(&mut self, expression: &str) -> Value {
        let found = self.call("Runtime.evaluate", json!({"expression": expression, "returnByValue": true}));
        assert!(found.get("exceptionDetails").is_none(), "{expression}: {found}");
        found["result"]["value"].clone()
    }

    fn press(&mut self, key: &str) {
        for kind in ["rawKeyDown", "keyUp"] {
            let code = match key {
                "ArrowLeft" => 37,
                "ArrowRight" => 39,
                "Home" => 36,
                "End" => 35,
                _ => 13,
            };
            self.call(
                "Input.dispatchKeyEvent",
                json!({"type": kind, "key": key, "code": key, "windowsVirtualKeyCode": code}),
            );
        }
    }

    fn device(&mut self, width: u32, scheme: &str) {
        let metrics = json!({"width": width, "height": 900, "deviceScaleFactor": 1, "mobile": width < 500});
        self.call("Emulation.setDeviceMetricsOverride", metrics);
        let features = json!([{"name": "prefers-color-scheme", "value": scheme}]);
        self.call("Emulation.setEmulatedMedia", json!({"features": features}));
    }
}

impl Drop for Browser {
    fn drop(&mut self) {
        drop(self.child.kill());
        drop(self.child.wait());
    }
}

#[test]
fn the_report_works_in_a_browser() {
    let Some(mut browser) = Browser::start() else {
        eprintln!("left out: there is no chromium here");
        return;
    };
    let scratch = Scratch::new();
    let league = LEAGUE.replace("seed = 11", "seed = 11\nlog = \"full\"").replace("\"MCTS\"", "\"</script><b>M&'\"");
    let experiment = scratch.write("full.toml", &league);
    succeed(&["run", &experiment, "--out", &scratch.path("run")]);
    let url = format!("file://{}", scratch.path("run/report.html"));
    browser.open(&url);
    sorts(&mut browser);
    steps(&mut browser);
    fits(&mut browser);
    assert_eq!(browser.errors, Vec::<String>::new());
    let elsewhere: Vec<&String> =
        browser.requests.iter().filter(|asked| **asked != url && !asked.starts_with("data:")).collect();
    assert!(elsewhere.is_empty(), "{elsewhere:?}");
    assert!(browser.requests.contains(&url));
}

/// Small leagues of one, two and four seats: the game, its rules, a kind of player, and a section that its page has.
const OTHERS: [(&str, &str, &str, usize, &str); 3] = [
    ("function", "function = \"f5\"", "mcts", 1, "#searches"),
    ("einstein", "rows = 5", "mcts", 2, "#matches"),
    ("carcassonne", "seats = 4", "flat-mc", 4, "#significance"),
];

#[test]
fn reports_of_other_games_and_seats_open_in_a_browser() {
    let Some(mut browser) = Browser::start() else {
        eprintln!("left out: there is no chromium here");
        return;
    };
    let scratch = Scratch::new();
    for (game, rules, kind, seats, section) in OTHERS {
        let text = format!(
            "name = \"{game}\"\ngame = \"{game}\"\nseed = 4\ngames_per_match = 2\n[rules]\n{rules}\n[[player]]\nkind = \
             \"{kind}\"\niterations = [3, 4, 5]\n[[player]]\nkind = \"random\"\n"
        );
        let run = scratch.path(game);
        succeed(&["run", &scratch.write("other.toml", &text), "--out", &run]);
        browser.open(&format!("file://{run}/report.html"));
        let rows = browser.value("document.querySelector('#ranking ~ .scroll tbody').rows.length");
        assert_eq!(rows, 4, "{game}");
        assert_eq!(browser.value(&format!("document.querySelectorAll('{section}').length")), 1, "{game}");
        let matches = browser.value("document.querySelectorAll('#matches').length");
        assert_eq!(matches, usize::from(seats == 2), "{game}");
        assert!(browser.value("document.querySelectorAll('.game svg').length").as_u64().unwrap() > 0, "{game}");
        let facts = browser.value("document.querySelector('.game .seats').innerText");
        assert!(!facts.as_str().unwrap().is_empty(), "{game}");
    }
    assert_eq!(browser.errors, Vec::<String>::new());
}

/// The points column, by a click and by the keyboard.
fn sorts(browser: &mut Browser) {
    let points =
        "Array.from(document.querySelector('#ranking ~ .scroll tbody').rows, row => Number(row.cells[2].textContent))";
    let heading = "document.querySelector('#ranking ~ .scroll thead').rows[0].cells[2]";
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
    let names = browser.value("document.querySelector('#ranking ~ .scroll tbody').innerText");
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

/// No width makes the page itself scroll sideways; pictures of it are kept where they are wanted.
fn fits(browser: &mut Browser) {
    for width in [360, 800, 1400] {
        for scheme in ["light", "dark"] {
            browser.device(width, scheme);
            let wide = browser.value("document.documentElement.scrollWidth");
            let outside = browser.value(
                "[...document.querySelectorAll('main *')].filter(part => part.getBoundingClientRect().right > innerWidth + 1 \
                 && !part.closest('.scroll, svg')).slice(0, 5).map(part => part.outerHTML.slice(0, 100)).join()",
            );
            assert_eq!(wide, width, "the page is wider than the screen: {outside}");
            let paper = browser.value("getComputedStyle(document.body).backgroundColor");
            assert_eq!(paper == "rgb(255, 255, 255)", scheme == "light", "{paper}");
            if let Some(folder) = std::env::var_os("SCREENSHOTS") {
                let height = browser.value("document.documentElement.scrollHeight");
                let clip = json!({"x": 0, "y": 0, "width": width, "height": height, "scale": 1});
                let parameters = json!({"captureBeyondViewport": true, "clip": clip});
                let picture = browser.call("Page.captureScreenshot", parameters)["data"].as_str().unwrap().to_owned();
                let path = std::path::Path::new(&folder).join(format!("{width}-{scheme}.png"));
                std::fs::write(path, decode(&picture)).unwrap();
            }
        }
    }
}

/// Base64, as the protocol has it.
fn decode(text: &str) -> Vec<u8> {
    const LETTERS: &[u8] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    let (mut bytes, mut bits, mut held) = (Vec::new(), 0_u32, 0);
    for letter in text.bytes() {
        let Some(value) = LETTERS.iter().position(|known| *known == letter) else { break };
        bits = bits << 6 | value as u32;
        held += 6;
        if held >= 8 {
            held -= 8;
            bytes.push((bits >> held) as u8);
        }
    }
    bytes
}
