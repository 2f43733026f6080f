//! A headless Chromium, driven by its DevTools protocol.
#![allow(dead_code, reason = "each test file uses some of it")]

mod axe;
mod picture;

use serde_json::{Value, json};
use std::io::{BufRead, BufReader, Write};
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};
use std::time::{Duration, Instant};

/// How long a test waits for something that must happen in a page.
pub const PATIENCE: Duration = Duration::from_secs(120);

/// A browser with one page.
pub struct Browser {
    child: Child,
    commands: ChildStdin,
    answers: BufReader<ChildStdout>,
    session: Option<String>,
    calls: u64,
    /// Errors on the console, exceptions, and network requests.
    pub errors: Vec<String>,
    pub requests: Vec<String>,
    _profile: tempfile::TempDir,
}

impl Browser {
    /// None where there is no Chromium; a line says so.
    pub fn start() -> Option<Browser> {
        let names = ["chromium", "chromium-browser", "google-chrome"];
        let found = names.into_iter().find(|name| {
            Command::new(name).arg("--version").stdout(Stdio::null()).stderr(Stdio::null()).status().is_ok()
        });
        let Some(name) = found else {
            eprintln!("left out: there is no chromium here");
            return None;
        };
        let profile = tempfile::tempdir().unwrap();
        // The protocol's pipes are the descriptors 3 and 4.
        let mut child = Command::new("sh")
            .args(["-c", "exec \"$0\" \"$@\" 3<&0 4>&1 </dev/null >/dev/null", name])
            .args(["--headless=new", "--no-sandbox", "--disable-gpu", "--remote-debugging-pipe", "--no-first-run"])
            .args(["--disable-background-networking", "--disable-dev-shm-usage", "--hide-scrollbars"])
            .arg(format!("--user-data-dir={}", profile.path().display()))
            .arg("about:blank")
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .unwrap();
        let (commands, answers) = (child.stdin.take().unwrap(), BufReader::new(child.stdout.take().unwrap()));
        let (errors, requests) = (Vec::new(), Vec::new());
        let mut browser =
            Browser { child, commands, answers, session: None, calls: 0, errors, requests, _profile: profile };
        let target = browser.call("Target.createTarget", json!({"url": "about:blank"}))["targetId"].clone();
        let attached = browser.call("Target.attachToTarget", json!({"targetId": target, "flatten": true}));
        browser.session = attached["sessionId"].as_str().map(str::to_owned);
        for domain in ["Page", "Runtime", "Network", "Log"] {
            browser.call(&format!("{domain}.enable"), json!({}));
        }
        Some(browser)
    }

    pub fn call(&mut self, method: &str, parameters: Value) -> Value {
        self.calls += 1;
        let mut message = json!({"id": self.calls, "method": method, "params": parameters});
        if let Some(session) = &self.session {
            message["sessionId"] = session.clone().into();
        }
        write!(self.commands, "{message}\0").unwrap();
        loop {
            let answer = self.next();
            if answer["id"] == self.calls {
                assert!(answer.get("error").is_none(), "{method}: {answer}");
                return answer["result"].clone();
            }
        }
    }

    fn next(&mut self) -> Value {
        let mut message = Vec::new();
        self.answers.read_until(0, &mut message).unwrap();
        let message: Value = serde_json::from_slice(message.strip_suffix(b"\0").unwrap()).unwrap();
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

    pub fn open(&mut self, url: &str) {
        self.call("Page.navigate", json!({"url": url}));
        while self.next()["method"] != "Page.loadEventFired" {}
    }

    /// The value of an expression in the page.
    pub fn value(&mut self, expression: &str) -> Value {
        let found = self.call("Runtime.evaluate", json!({"expression": expression, "returnByValue": true}));
        assert!(found.get("exceptionDetails").is_none(), "{expression}: {found}");
        found["result"]["value"].clone()
    }

    pub fn press(&mut self, key: &str) {
        for kind in ["rawKeyDown", "keyUp"] {
            let code = match key {
                "ArrowLeft" => 37,
                "ArrowUp" => 38,
                "ArrowRight" => 39,
                "ArrowDown" => 40,
                "Home" => 36,
                "End" => 35,
                "Escape" => 27,
                "Tab" => 9,
                "Enter" => 13,
                letter => u32::from(letter.to_ascii_uppercase().as_bytes()[0]),
            };
            self.call(
                "Input.dispatchKeyEvent",
                json!({"type": kind, "key": key, "code": key, "windowsVirtualKeyCode": code}),
            );
        }
    }

    /// A click of the mouse on the middle of an element.
    pub fn click(&mut self, selector: &str) {
        let middle = format!(
            "(() => {{ const part = document.querySelector({selector:?}); part.scrollIntoView({{block: 'nearest'}}); \
             const box = part.getBoundingClientRect(); return [box.x + box.width / 2, box.y + box.height / 2]; }})()"
        );
        let middle = self.value(&middle);
        for kind in ["mousePressed", "mouseReleased"] {
            self.call(
                "Input.dispatchMouseEvent",
                json!({"type": kind, "x": middle[0], "y": middle[1], "button": "left", "clickCount": 1}),
            );
        }
    }

    /// Moves the mouse there.
    pub fn hover(&mut self, x: f64, y: f64) {
        self.call("Input.dispatchMouseEvent", json!({"type": "mouseMoved", "x": x, "y": y}));
    }

    /// Waits until an expression is true in the page.
    pub fn wait(&mut self, expression: &str) {
        let waited = Instant::now();
        while self.value(&format!("Boolean({expression})")) != true {
            assert!(waited.elapsed() < PATIENCE, "never true: {expression}");
            std::thread::sleep(Duration::from_millis(20));
        }
    }

    /// What the page is wider than, in words; empty if it does not scroll sideways.
    pub fn overflow(&mut self, width: u32) -> String {
        let outside = self.value(
            "[...document.querySelectorAll('body *')].filter(part => part.getBoundingClientRect().right > innerWidth + 1 \
             && !part.closest('.scroll, svg, .off, #definitions')).slice(0, 5).map(part => part.outerHTML.slice(0, 100)).join()",
        );
        let wide = self.value("document.documentElement.scrollWidth");
        if wide.as_u64() <= Some(width.into()) { String::new() } else { format!("{wide}: {outside}") }
    }

    /// The tables and charts that do not show their whole width: those that scroll sideways.
    pub fn cut(&mut self) -> Value {
        self.value(
            "[...document.querySelectorAll('.scroll')].filter((part) => part.scrollWidth > part.clientWidth + 1 && \
             part.querySelector('table, svg')).map((part) => `${part.scrollWidth} of ${part.clientWidth}: ${part.textContent.slice(0, 80)}`)",
        )
    }

    /// The texts of the page that are smaller than 11 pixels, with their sizes; drawings are measured as they are
    /// scaled.
    pub fn small_texts(&mut self) -> Value {
        self.value(
            "[...document.querySelectorAll('body *')].flatMap((part) => { \
             const own = [...part.childNodes].some((node) => node.nodeType === 3 && node.data.trim()), style = getComputedStyle(part); \
             if (!own || (part.closest('details:not([open])') && !part.closest('summary')) || style.visibility === 'hidden' || !part.getClientRects().length) return []; \
             const turned = part.ownerSVGElement && part.getScreenCTM(), scale = turned ? Math.hypot(turned.a, turned.b) : 1, size = scale * parseFloat(style.fontSize); \
             return size < 11 ? [`${part.localName} ${part.textContent.slice(0, 30)}: ${size.toFixed(1)}`] : []; })",
        )
    }

    pub fn device(&mut self, width: u32, scheme: &str) {
        let metrics = json!({"width": width, "height": 900, "deviceScaleFactor": 1, "mobile": width < 500});
        self.call("Emulation.setDeviceMetricsOverride", metrics);
        let features = json!([{"name": "prefers-color-scheme", "value": scheme}]);
        self.call("Emulation.setEmulatedMedia", json!({"media": "", "features": features}));
    }

    /// As on paper of this width.
    pub fn paper(&mut self, width: u32) {
        self.device(width, "light");
        self.call("Emulation.setEmulatedMedia", json!({"media": "print"}));
    }
}

impl Drop for Browser {
    fn drop(&mut self) {
        drop(self.child.kill());
        drop(self.child.wait());
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
