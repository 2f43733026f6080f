//! `evouct gui` as a process, and what a page would ask it.

use super::evouct;
use serde_json::{Value, json};
use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpStream;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

/// How long a test waits for something that must happen.
pub const PATIENCE: Duration = Duration::from_secs(120);

/// A table on a free port.
pub struct Table {
    child: Child,
    /// Host and port.
    pub address: String,
    /// The secret part of the path.
    pub secret: String,
}

/// An answer: its status, its head and its body.
pub struct Answer {
    pub status: u16,
    pub head: String,
    pub body: String,
}

impl Answer {
    pub fn json(&self) -> Value {
        serde_json::from_str(&self.body).unwrap_or_else(|error| panic!("{error}: {} {}", self.status, self.body))
    }
}

impl Table {
    /// `evouct gui` with these arguments, once it listens.
    pub fn open(arguments: &[&str]) -> Table {
        Table::open_by(evouct(&[]), arguments)
    }

    /// The same by this program.
    pub fn open_by(mut program: Command, arguments: &[&str]) -> Table {
        program.args(["gui", "--port", "0"]).args(arguments);
        let table = Table::served(program);
        let digits = if arguments.contains(&"--open") { 0 } else { 32 };
        assert!(table.address.starts_with("127.0.0.1:") && table.secret.len() == digits, "{}", table.url());
        table
    }

    /// What a program serves at the address of its first line, once it listens.
    pub fn served(mut program: Command) -> Table {
        let mut child = program.stdout(Stdio::piped()).stderr(Stdio::null()).spawn().unwrap();
        let mut line = String::new();
        BufReader::new(child.stdout.as_mut().unwrap()).read_line(&mut line).unwrap();
        let url = line.split(' ').next().unwrap();
        let (address, secret) = url.strip_prefix("http://").and_then(|url| url.split_once('/')).unwrap();
        Table { address: address.to_owned(), secret: secret.trim_end().trim_end_matches('/').to_owned(), child }
    }

    /// The address of the page.
    pub fn url(&self) -> String {
        format!("http://{}/{}/", self.address, self.secret)
    }

    pub fn connect(&self) -> TcpStream {
        let stream = TcpStream::connect(&self.address).unwrap();
        stream.set_read_timeout(Some(PATIENCE)).unwrap();
        stream
    }

    /// Sends bytes and returns everything that comes back.
    pub fn send(&self, bytes: &[u8]) -> String {
        let mut stream = self.connect();
        // The server may close the connection before it has read the whole request.
        drop(stream.write_all(bytes));
        let mut answer = Vec::new();
        drop(stream.read_to_end(&mut answer));
        String::from_utf8_lossy(&answer).into_owned()
    }

    /// A request with these lines after the Host.
    pub fn ask(&self, method: &str, path: &str, lines: &str, body: &str) -> Answer {
        let request = format!("{method} {path} HTTP/1.1\r\nHost: {}\r\n{lines}\r\n{body}", self.address);
        let answer = self.send(request.as_bytes());
        let (head, body) = answer.split_once("\r\n\r\n").unwrap_or((&answer, ""));
        let status = head.split(' ').nth(1).and_then(|status| status.parse().ok()).unwrap_or(0);
        Answer { status, head: head.to_lowercase(), body: body.to_owned() }
    }

    pub fn get(&self, name: &str) -> Answer {
        self.ask("GET", &format!("/{}/{name}", self.secret), "", "")
    }

    pub fn state(&self) -> Value {
        self.get("state").json()
    }

    /// A POST as the page makes it.
    pub fn post(&self, body: &str) -> Answer {
        let lines = format!(
            "Origin: http://{}\r\nContent-Type: application/json\r\nContent-Length: {}\r\n",
            self.address,
            body.len()
        );
        self.ask("POST", &format!("/{}/act", self.secret), &lines, body)
    }

    /// A change from the state as it is now; asked again where a player has moved meanwhile.
    pub fn act(&self, mut change: Value) -> Value {
        loop {
            change["version"] = self.state()["version"].clone();
            let answer = self.post(&change.to_string());
            if answer.status != 409 {
                assert_eq!(answer.status, 200, "{change}: {}", answer.body);
                return answer.json();
            }
        }
    }

    /// Waits for a state.
    pub fn wait(&self, is: impl Fn(&Value) -> bool) -> Value {
        let waited = Instant::now();
        loop {
            let state = self.state();
            if is(&state) {
                return state;
            }
            assert!(waited.elapsed() < PATIENCE, "{state:.3000}");
            std::thread::sleep(Duration::from_millis(30));
        }
    }

    /// An open window: the stream of its events.
    pub fn window(&self) -> Window {
        let mut stream = self.connect();
        let request = format!("GET /{}/events HTTP/1.1\r\nHost: {}\r\n\r\n", self.secret, self.address);
        stream.write_all(request.as_bytes()).unwrap();
        Window { lines: BufReader::new(stream) }
    }

    /// A new game between these players, each `name=player`.
    pub fn new_game(&self, game: &str, seed: u64, players: &[(&str, &str)]) -> Value {
        let seats: Vec<Value> = players.iter().map(|(name, player)| json!({"name": name, "player": player})).collect();
        self.act(json!({"do": "new", "game": game, "seed": seed, "rules": {}, "seats": seats}))
    }
}

impl Drop for Table {
    fn drop(&mut self) {
        drop(self.child.kill());
        drop(self.child.wait());
    }
}

/// The events of a window.
pub struct Window {
    lines: BufReader<TcpStream>,
}

impl Window {
    /// The next event: its name and its data.
    pub fn next(&mut self) -> (String, Value) {
        let mut name = String::new();
        loop {
            let mut line = String::new();
            assert!(self.lines.read_line(&mut line).unwrap() > 0, "the stream has ended");
            // Lengths of chunks stand between the lines of events.
            if let Some(event) = line.strip_prefix("event: ") {
                name = event.trim().to_owned();
            } else if let Some(data) = line.strip_prefix("data: ") {
                return (name, serde_json::from_str(data.trim()).unwrap());
            }
        }
    }
}

/// The legal moves that a state offers.
pub fn plays(state: &Value) -> Vec<String> {
    let choices = state["position"]["scene"]["choices"].as_array().unwrap();
    choices.iter().map(|choice| choice["play"].as_str().unwrap().to_owned()).collect()
}
