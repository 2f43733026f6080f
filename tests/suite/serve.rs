//! The live page: it serves the report and nothing else.

use crate::journal;
use crate::{program, seeds, tune};
use journal::{BOTH, Journal, toml};
use program::table::Table;
use program::{Scratch, evouct, fail, fails, json, say, succeed};
use std::io::{Read, Write};
use std::net::TcpStream;
use std::time::{Duration, Instant};

pub(crate) struct Server {
    served: Table,
    /// What the paths begin with: the secret between slashes.
    secret: String,
}

impl std::ops::Deref for Server {
    type Target = Table;

    fn deref(&self) -> &Table {
        &self.served
    }
}

impl Server {
    pub(crate) fn of(folder: &str) -> Server {
        Server::with(&["serve", folder, "--port", "0"])
    }

    fn with(arguments: &[&str]) -> Server {
        let served = Table::served(evouct(arguments));
        Server {
            secret: if served.secret.is_empty() { "/".to_owned() } else { format!("/{}/", served.secret) },
            served,
        }
    }

    /// The answer to a request for a path as it stands.
    fn ask(&self, method: &str, path: &str, host: &str) -> String {
        self.send(format!("{method} {path} HTTP/1.1\r\nHost: {host}\r\n\r\n").as_bytes())
    }

    /// A file of the report.
    pub(crate) fn get(&self, name: &str) -> String {
        self.ask("GET", &format!("{}{name}", self.secret), &self.address)
    }

    /// A page that is made in the background, once it has these words.
    fn made(&self, name: &str, wanted: &str) -> String {
        let waited = Instant::now();
        loop {
            let page = self.get(name);
            if page.contains(wanted) {
                return page;
            }
            assert!(waited.elapsed() < Duration::from_secs(60), "{name}: {page}");
            std::thread::sleep(Duration::from_millis(50));
        }
    }
}

fn status(answer: &str) -> &str {
    answer.split(' ').nth(1).unwrap_or("none")
}

fn run(scratch: &Scratch) -> Journal {
    let mut journal = Journal::new(scratch.0.path(), &toml(&["a", "b"], 4, ""));
    journal.play(2, &BOTH, |deck, _| [50, 40 + deck as i32]);
    journal
}

#[test]
fn the_report_is_served_and_grows() {
    let scratch = Scratch::new();
    let mut journal = run(&scratch);
    let server = Server::of(&scratch.path(""));
    assert!(server.address.starts_with("127.0.0.1:"));
    let page = server.get("");
    assert_eq!(status(&page), "200");
    assert!(page.contains("4 of 8 games finished") && page.contains("connect-src 'self'"));
    let head = page.split("\r\n\r\n").next().unwrap().to_lowercase();
    assert!(head.contains("content-security-policy: object-src 'none'") && head.contains("frame-ancestors 'none'"));
    assert!(head.contains("referrer-policy: no-referrer"), "{head}");
    assert!(server.get("figures/ratings.svg").to_lowercase().contains("content-security-policy: default-src 'none'"));
    for part in ["ranking.csv", "report.json", "tables.tex", "figures/ratings.svg", "state"] {
        assert_eq!(status(&server.get(part)), "200", "{part}");
    }
    // Nothing was written into the folder.
    assert_eq!(std::fs::read_dir(scratch.0.path()).unwrap().count(), 1);
    let head = server.ask("HEAD", &server.secret, &server.address);
    assert!(status(&head) == "200" && head.ends_with("\r\n\r\n"));
    let game = journal.game(3, [0, 1], [9, 8]);
    journal.write(&game);
    let waited = Instant::now();
    while !server.get("state").contains("\"finished\":5") {
        assert!(waited.elapsed() < Duration::from_secs(60), "{}", server.get("state"));
        std::thread::sleep(Duration::from_millis(200));
    }
}

/// Two evolutions, two sets of seeds and two tunings in the folder `runs`.
pub(crate) fn two_of_each(scratch: &Scratch) -> [[String; 2]; 3] {
    let tiny = scratch.write("tiny.toml", &seeds::file(2, ""));
    let cheap = scratch.write("cheap.toml", &format!("{}{}", tune::CHEAP, tune::RANDOM));
    let folders = ["evolution", "seeds", "tuning"]
        .map(|kind| [1, 2].map(|number| scratch.path(&format!("runs/{kind}-{number}"))));
    for (number, seeds) in ["1..2", "3..4"].into_iter().enumerate() {
        let [evolution, set, tuning] = [0, 1, 2].map(|kind: usize| folders[kind][number].as_str());
        let seed = (number + 1).to_string();
        succeed(&["evolve", &tiny, "--seed", &seed, "--out", evolution]);
        succeed(&["evolve", &tiny, "--seeds", seeds, "--out", set]);
        succeed(&[&["tune", &cheap, "--seed", &seed, "--out", tuning], &tune::OVER[..]].concat());
    }
    folders
}

#[test]
fn a_list_of_runs_compares_those_of_a_kind_as_the_command_does() {
    let scratch = Scratch::new();
    let folders = two_of_each(&scratch);
    let server = Server::of(&scratch.path("runs"));
    let page = server.get("");
    let id = |folder: &str| {
        let name = folder.rsplit('/').next().unwrap();
        let before = page.split(&format!("/\"><bdi>{name}</bdi>")).next().unwrap();
        before.rsplit('/').next().unwrap().to_owned()
    };
    // The page of a seed is waited for, too, and what leads to no page leads back.
    let seed = format!("run/{}/seed-1/report.html", id(&folders[1][0]));
    assert!(server.get(&seed).contains("href=\"../../../\">All runs</a>"));
    server.made(&seed, "Fitness by generation");
    assert!(server.get("compare").contains("href=\"./\">All runs</a>"));
    for ([first, other], words) in folders.iter().zip(["gains", "rank-sum test", "held-out decks"]) {
        let command = succeed(&["compare", first, other, "--format", "html"]);
        let compared = format!("compare?run={}&run={}", id(first), id(other));
        let page = server.made(&compared, "beside others");
        assert_eq!(page.split_once("\r\n\r\n").unwrap().1, command.trim_end(), "{compared}");
        let said = succeed(&["compare", first, other]);
        assert!(said.contains(words) && said.contains("core-hours"), "{said}");
        assert!(json(&["compare", first, other, "--format", "json"]).is_array());
    }
    let [[evolution, _], _, [tuning, _]] = &folders;
    let line = fail(&["compare", evolution, tuning], 2);
    assert!(line.ends_with(&format!(
        "this folder holds a tuning, and {evolution} holds an evolution: choose folders of one kind"
    )));
    server.made(&format!("compare?run={}&run={}", id(evolution), id(tuning)), &line);
    // Gains of something else are not compared, and what is not complete is named.
    let other = scratch.write("other.toml", &seeds::file(2, "").replace("iterations = 6", "iterations = 7"));
    let further = scratch.path("other");
    succeed(&["evolve", &other, "--out", &further]);
    fails(&["compare", evolution, &further], 2, "it cannot be compared with");
    let journal = scratch.read("runs/evolution-2/evolution.jsonl");
    let lines: Vec<&str> = journal.split_inclusive('\n').collect();
    scratch.write("runs/evolution-2/evolution.jsonl", &lines[..lines.len() - 1].concat());
    let said = say(&["compare", evolution, &folders[0][1]]);
    assert!(said.code == Some(1) && said.err.contains("interim results: 2 of 2 generations complete"), "{said:?}");
    assert!(said.out.contains("evolution-2: 2 of 2 generations complete."), "{said:?}");
}

#[test]
fn a_folder_of_runs_is_a_list_with_a_page_of_each() {
    let scratch = Scratch::new();
    let mut journals: Vec<Journal> = ["one", "set/<b>&'two"]
        .iter()
        .map(|name| {
            let mut journal = Journal::new(&scratch.0.path().join(name), &toml(&["a", "b"], 4, ""));
            journal.play(2, &BOTH, |deck, _| [50, 40 + deck as i32]);
            journal
        })
        .collect();
    // What cannot be read is a line each; what is no run is none.
    for (name, text) in [("broken/games.jsonl", "no journal\n"), ("plan/tune.json", "{"), ("other/notes.txt", "")] {
        std::fs::create_dir_all(scratch.0.path().join(name).parent().unwrap()).unwrap();
        scratch.write(name, text);
    }
    let server = Server::of(&scratch.path(""));
    let page = server.get("");
    assert_eq!(status(&page), "200");
    assert!(page.contains("set/&lt;b&gt;&amp;'two") && !page.contains("<b>") && !page.contains(">other<"), "{page}");
    assert_eq!((page.matches("4 of 8 games").count(), page.matches("cannot be read: ").count()), (2, 2), "{page}");
    // In the order of the list, each with a link and a box.
    let ids = |mark: &str| -> Vec<String> { page.split(mark).skip(1).map(|rest| rest[..16].to_owned()).collect() };
    let (links, boxes) = (ids("href=\"run/"), ids("name=\"run\" value=\""));
    assert!(links.len() == 2 && links == boxes, "{links:?} {boxes:?}");
    let made = |name: &str, wanted: &str| server.made(name, wanted);
    let report = made(&format!("run/{}/", links[0]), "4 of 8 games finished");
    assert!(report.contains("connect-src 'self'"));
    assert!(server.get(&format!("run/{}/state", links[0])).contains("\"finished\":4"));
    assert_eq!(status(&server.get(&format!("run/{}/secret.txt", links[0]))), "404");
    made(&format!("compare?run={}&run={}", links[0], links[1]), "beside other runs");
    assert!(server.get(&format!("compare?run={}", links[0])).contains("choose two to eight runs of one kind"));
    for name in ["run/0123456789abcdef/", "run/../", "compare?run=a&run=b", "one/games.jsonl"] {
        assert_eq!(status(&server.get(name)), "404", "{name}");
    }
    let game = journals[0].game(3, [0, 1], [9, 8]);
    journals[0].write(&game);
    made("", "5 of 8 games");
    // Nothing was written.
    assert_eq!(std::fs::read_dir(scratch.0.path().join("one")).unwrap().count(), 1);
    // A folder without runs is an error, as before.
    let line = fail(&["serve", &scratch.path("other"), "--port", "0"], 2);
    assert!(line.contains("no journal (games.jsonl) here"), "{line}");
}

#[test]
fn nothing_else_is_served() {
    let scratch = Scratch::new();
    run(&scratch);
    std::fs::write(scratch.0.path().join("secret.txt"), "do not show this").unwrap();
    std::fs::write(scratch.0.path().parent().unwrap().join("evouct-outside.txt"), "nor this").unwrap();
    let server = Server::of(&scratch.path(""));
    for path in [
        "/secret.txt",
        "/games.jsonl",
        "/../evouct-outside.txt",
        "/..%2fevouct-outside.txt",
        "/%2e%2e/evouct-outside.txt",
        "/figures/../../evouct-outside.txt",
        "/....//evouct-outside.txt",
        "//etc/passwd",
        "/etc/passwd",
        "/..\\..\\etc\\passwd",
        "/figures",
        "/figures/",
        "/report.html/",
        "/report.html%00.svg",
        "http://example.org/etc/passwd",
    ] {
        let below = format!("{}{}", server.secret, path.strip_prefix('/').unwrap_or(path));
        for path in [path, &below] {
            let answer = server.ask("GET", path, &server.address);
            assert!(["404", "400", "403"].contains(&status(&answer)), "{path}: {answer}");
            let shows = |text| answer.contains(text);
            assert!(!shows("do not show") && !shows("nor this") && !shows("root:"), "{path}");
        }
    }
    std::fs::remove_file(scratch.0.path().parent().unwrap().join("evouct-outside.txt")).unwrap();
    for method in ["POST", "PUT", "DELETE", "PATCH", "OPTIONS", "TRACE", "CONNECT", "BREW"] {
        let answer = server.ask(method, &server.secret, &server.address);
        assert!(["405", "400"].contains(&status(&answer)), "{method}: {answer}");
    }
    let (secret, address) = (&server.secret, &server.address);
    let body = format!("GET {secret} HTTP/1.1\r\nHost: {address}\r\nContent-Length: 1000000000\r\n\r\nxxxx");
    assert_eq!(status(&server.send(body.as_bytes())), "413");
    // Another name for the loopback, as a page of another site would use.
    assert_eq!(status(&server.ask("GET", secret, "evil.example")), "403");
    assert_eq!(status(&server.send(format!("GET {secret} HTTP/1.0\r\n\r\n").as_bytes())), "403");
    assert_eq!(status(&server.get("")), "200");
}

#[test]
fn only_those_who_know_the_address_see_the_report() {
    let scratch = Scratch::new();
    run(&scratch);
    let server = Server::of(&scratch.path(""));
    let secret = server.secret.trim_matches('/');
    assert!(secret.len() == 32 && secret.bytes().all(|digit| digit.is_ascii_hexdigit()), "{secret}");
    let other = Server::of(&scratch.path(""));
    assert_ne!(secret, other.secret.trim_matches('/'));
    for path in ["/", "/report.html", "/state", &other.secret, &format!("/{}/", &secret[1..]), "//"] {
        let answer = server.ask("GET", path, &server.address);
        let (head, body) = answer.split_once("\r\n\r\n").unwrap();
        assert_eq!(status(head), "403", "{path}");
        assert_eq!(body, "open the whole address that evouct has printed: it has a secret\n");
        assert!(head.to_lowercase().contains("content-type: text/plain"), "{head}");
    }
    assert_eq!(status(&server.ask("POST", "/", &server.address)), "403");
    // Without its last slash the address is one that a browser corrects.
    let moved = server.ask("GET", &format!("/{secret}"), &server.address);
    assert!(status(&moved) == "308" && moved.contains(&format!("location: {}\r\n", server.secret)), "{moved}");
    // The other end of a tunnel has another port, and perhaps another name of the loopback.
    for host in ["localhost:9000", "localhost", "127.0.0.1:1", "[::1]:9000"] {
        assert_eq!(status(&server.ask("GET", &server.secret, host)), "200", "{host}");
    }

    let open = Server::with(&["serve", &scratch.path(""), "--port", "0", "--open"]);
    assert_eq!(open.secret, "/");
    assert!(open.get("").contains("4 of 8 games finished"));
    assert_eq!(status(&open.get("state")), "200");
    assert_eq!(status(&open.ask("GET", "/", "evil.example")), "403");
}

#[test]
fn idle_connections_hold_up_nobody() {
    let scratch = Scratch::new();
    run(&scratch);
    let server = Server::of(&scratch.path(""));
    // The head of a request may take five seconds. On a machine that is slower than that a round shows nothing.
    let is_held_up = |_| {
        let idle: Vec<TcpStream> = (0..100).map(|_| server.connect()).collect();
        assert_eq!(status(&server.get("state")), "200");
        // The oldest have made room; if the request had waited, all of the first places would have been given up.
        let mut late = &idle[60];
        late.set_nonblocking(true).unwrap();
        !late.read(&mut [0]).is_err_and(|error| error.kind() == std::io::ErrorKind::WouldBlock)
    };
    assert!(!(0..5).all(is_held_up));
}

#[test]
fn any_bytes_are_answered_or_the_connection_is_closed() {
    use proptest::prelude::*;
    use proptest::test_runner::{RngSeed, TestRunner};
    let scratch = Scratch::new();
    run(&scratch);
    let server = Server::of(&scratch.path(""));
    let (secret, address) = (&server.secret, &server.address);
    let request = format!("GET {secret}report.json HTTP/1.1\r\nHost: {address}\r\nAccept: */*\r\n\r\n").into_bytes();
    let config = ProptestConfig {
        cases: std::env::var("PROPTEST_CASES").ok().and_then(|cases| cases.parse().ok()).unwrap_or(100),
        rng_seed: RngSeed::Fixed(2026),
        failure_persistence: None,
        ..Default::default()
    };
    let piece = (any::<prop::sample::Index>(), 0..20_usize, prop::collection::vec(any::<u8>(), 0..8));
    let answered = TestRunner::new(config).run(&prop::collection::vec(piece, 1..4), |pieces| {
        let mut bytes = request.clone();
        for (at, length, put) in pieces {
            let start = at.index(bytes.len().max(1)).min(bytes.len());
            let end = (start + length).min(bytes.len());
            bytes.splice(start..end, put);
        }
        // An end, so that the server does not wait for the rest.
        bytes.extend_from_slice(b"\r\n\r\n");
        let answer = server.send(&bytes);
        let known = ["none", "200", "400", "403", "404", "405", "413", "414", "431", "501", "505"];
        prop_assert!(known.contains(&status(&answer)), "{}", answer);
        Ok(())
    });
    answered.unwrap();
    assert_eq!(status(&server.get("")), "200");
}

#[test]
fn huge_requests_and_slow_clients_do_no_harm() {
    let scratch = Scratch::new();
    run(&scratch);
    let server = Server::of(&scratch.path(""));
    let long = format!("GET /{} HTTP/1.1\r\nHost: x\r\n\r\n", "a".repeat(1 << 20));
    let answer = server.send(long.as_bytes());
    assert!(["414", "431", "400", "none"].contains(&status(&answer)), "{}", &answer[..answer.len().min(80)]);
    let many = format!("GET / HTTP/1.1\r\n{}\r\n", "X-Header: y\r\n".repeat(5_000));
    assert!(["431", "400", "none"].contains(&status(&server.send(many.as_bytes()))));
    let noise: Vec<u8> = (0..100_000_u32).map(|number| (number.wrapping_mul(2_654_435_761) >> 13) as u8).collect();
    server.send(&noise);
    // Clients that send part of a request and wait, more than the server has places for.
    let slow: Vec<TcpStream> = (0..80)
        .map(|_| {
            let mut stream = server.connect();
            stream.write_all(b"GET / HT").unwrap();
            stream
        })
        .collect();
    // Their connections are closed, and clients that ask are served.
    assert_eq!(status(&server.get("state")), "200");
    for mut stream in slow {
        let mut answer = Vec::new();
        drop(stream.read_to_end(&mut answer));
        assert!(!String::from_utf8_lossy(&answer).contains(" 200 "));
    }
    assert_eq!(status(&server.get("")), "200");
}

#[test]
fn what_cannot_be_served_is_an_error() {
    let scratch = Scratch::new();
    assert!(fail(&["serve", &scratch.path("nowhere")], 2).contains("nowhere"));
    assert!(fail(&["serve", &scratch.path("")], 2).contains("no journal"));
    run(&scratch);
    let server = Server::of(&scratch.path(""));
    let port = server.address.rsplit(':').next().unwrap();
    assert!(fail(&["serve", &scratch.path(""), "--port", port], 2).contains("cannot listen there"));
}
