//! Salvage: what can be read is kept, what cannot be read is reported, the original does not change, and `run`
//! completes the new folder to the digest of an undamaged run.

use crate::faults::tries_all;
use crate::journals::RANDOM;
use crate::{disturbed, program, sprt, swiss, tune};
use evouct::record::repair;
use evouct::store::{copy_plan, copy_with_headers};
use program::{Scratch, as_format_1, digest, fail, fails, game_line, say, succeed};
use std::collections::BTreeMap;
use std::io::Write;
use std::path::Path;

/// A run in two shards, with its report.
struct League {
    scratch: Scratch,
    experiment: String,
    folder: String,
    whole: String,
}

impl League {
    fn new(toml: &str) -> League {
        let scratch = Scratch::new();
        let experiment = scratch.write("random.toml", toml);
        let folder = scratch.path("run");
        for shard in ["0/2", "1/2"] {
            succeed(&["run", &experiment, "--out", &folder, "--shard", shard]);
        }
        succeed(&["report", &folder]);
        let whole = digest(&folder);
        League { scratch, experiment, folder, whole }
    }

    fn read(&self, name: &str) -> Vec<u8> {
        std::fs::read(format!("{}/{name}", self.folder)).unwrap()
    }

    fn write(&self, name: &str, bytes: impl AsRef<[u8]>) {
        std::fs::write(format!("{}/{name}", self.folder), bytes).unwrap();
    }

    fn remove(&self, name: &str) {
        std::fs::remove_file(format!("{}/{name}", self.folder)).unwrap();
    }

    fn files(&self) -> BTreeMap<String, Vec<u8>> {
        let entries = std::fs::read_dir(&self.folder).unwrap().map(Result::unwrap);
        let files = entries.filter(|entry| entry.file_type().unwrap().is_file());
        files.map(|entry| (entry.file_name().into_string().unwrap(), std::fs::read(entry.path()).unwrap())).collect()
    }

    /// Mends, completes and compares; returns the output.
    fn mended(&self, games: u64) -> String {
        let before = self.files();
        let out = self.scratch.path("mended");
        drop(std::fs::remove_dir_all(&out));
        let said = succeed(&["repair", &self.folder, "--out", &out]);
        assert_eq!(self.files(), before, "the original was changed");
        assert!(said.contains(&format!("\n{games} of 12 games are in ")), "{said}");
        let found = say(&["digest", &out]);
        assert!(
            found.out.ends_with(&format!("  {games} of 12 games\n")) && !found.err.contains("warning: "),
            "{found:?}"
        );
        // With the command that it prints.
        let (what, command) = said.lines().last().unwrap().split_once("evouct ").unwrap();
        assert_eq!(what, if games == 12 { "to report it: " } else { "to play the missing games: " });
        succeed(&command.split(' ').collect::<Vec<_>>());
        assert_eq!(digest(&out), self.whole, "{said}");
        succeed(&["verify", &out, "--games", "0"]);
        said
    }
}

const SHARD: &str = "games-shard-0-of-2.jsonl";
const OTHER: &str = "games-shard-1-of-2.jsonl";

#[test]
fn a_flipped_bit_in_a_header_loses_no_game() {
    let league = League::new(RANDOM);
    let shard = league.read(SHARD);
    // Bits in the sum, in a key, in the hash, in the text of the experiment, in the line's end.
    let header = shard.iter().position(|byte| *byte == b'\n').unwrap();
    let toml = shard.windows(6).position(|window| window == b"toml\":").unwrap();
    let hash = shard.windows(6).position(|window| window == b"hash\":").unwrap();
    let places = [10, 30, hash + 8, toml + 20, toml + 60, header];
    for (at, bits) in places.iter().flat_map(|at| [(*at, 1), (*at, 3)]) {
        let mut damaged = shard.clone();
        damaged[at] ^= bits;
        league.write(SHARD, &damaged);
        let line = fail(&["digest", &league.folder], 2);
        assert!(line.contains("evouct repair"), "{at}: {line}");
        // Where the end of the header's line is lost, the game behind it goes with it.
        let said = league.mended(if at == header { 11 } else { 12 });
        // One bit is found by the checksum; for two, the other journal has the header.
        let from = if bits == 1 || at == header { "its own, in which one bit was wrong" } else { OTHER };
        assert!(said.contains(&format!("header: {}{from}", if from == OTHER { "from " } else { "" })), "{said}");
        assert!(said.contains("was the header"), "{said}");
    }
}

#[test]
fn a_damaged_header_is_restored_from_other_files() {
    let league = League::new(RANDOM);
    let damage = |format_1: bool, at: usize| {
        for name in [SHARD, OTHER] {
            let text = String::from_utf8(league.read(name)).unwrap();
            let text = if format_1 { as_format_1(&text) } else { text };
            let mut bytes = text.into_bytes();
            bytes[at] ^= 3;
            league.write(name, bytes);
        }
    };
    let [shard, other] = [SHARD, OTHER].map(|name| league.read(name));
    // The line is no JSON any more, or its checksum is wrong.
    for (format_1, at) in [(false, 0), (false, 10), (true, 0), (true, 10)] {
        league.write(SHARD, &shard);
        league.write(OTHER, &other);
        damage(format_1, at);
        let said = league.mended(12);
        assert!(said.contains("from experiment.toml"), "{said}");
    }
    // Nothing identifies it.
    league.remove("experiment.toml");
    let out = league.scratch.path("nothing");
    let line = fail(&["repair", &league.folder, "--out", &out], 2);
    assert!(line.contains("no journal has its header") && !league.scratch.exists("nothing"), "{line}");
    // An experiment of another seed is not taken for it, but --seed may have made it so.
    league.write(SHARD, &shard);
    league.write(OTHER, &other);
    damage(false, 0);
    league.write(
        "experiment.toml",
        RANDOM.replace("seed = 3", "seed = 4").replace("kind = \"random\"", "kind=\"random\""),
    );
    let said = league.mended(12);
    assert!(said.contains("experiment.toml --seed 3 --out"), "{said}");
    league.write("experiment.toml", RANDOM.replace("name = \"c\"\nkind = \"random\"", "kind = \"simple1\""));
    assert!(fail(&["repair", &league.folder, "--out", &out], 2).contains("no journal has its header"));
}

#[test]
fn lines_are_kept_or_named() {
    let league = League::new(RANDOM);
    let text = String::from_utf8(league.read(SHARD)).unwrap();
    let lines: Vec<&str> = text.lines().collect();
    let scratch = Scratch::new();
    let seed = scratch.write("seed.toml", &RANDOM.replace("seed = 3", "seed = 4"));
    succeed(&["run", &seed, "--out", &scratch.path("seed")]);
    let foreign = scratch.read("seed/games.jsonl");
    let stranger = foreign.lines().nth(1).unwrap();
    let game: serde_json::Value = serde_json::from_str(lines[2]).unwrap();
    let unbound = game_line("", &game["game"]);
    let damaged = lines[3].replace("\"deck\":", "\"dekc\":");
    // Without the end of its last line, which is whole otherwise.
    let changed =
        [lines[0], lines[1], stranger, lines[1], "", &unbound, &damaged, "\u{0}\u{1b}[31m", lines[0], lines[4]]
            .join("\n");
    league.write(SHARD, changed);
    let said = league.mended(8);
    for (line, words) in [
        (3, "it is of experiment "),
        (4, "is recorded twice; the first record is kept"),
        (5, "not a line of a journal"),
        (6, "it does not name its experiment"),
        (7, "the checksum does not match"),
        (8, "not a line of a journal"),
    ] {
        let place = format!("{SHARD}:{line}: ");
        assert!(said.lines().any(|said| said.contains(&place) && said.contains(words)), "{line} {words}: {said}");
    }
    assert!(said.contains(&format!("{SHARD}: 2 games kept; header: its own")), "{said}");
    // A whole journal of something else in the folder.
    league.write("games-2.jsonl", &foreign);
    assert!(fail(&["digest", &league.folder], 2).contains("of another experiment"));
    let said = league.mended(8);
    assert!(said.contains("games-2.jsonl: left out") && said.contains("the whole file is left out"), "{said}");
}

#[test]
fn truncated_compressed_files_are_salvaged_up_to_the_damage() {
    let league = League::new(RANDOM);
    let text = league.read(SHARD);
    league.remove(SHARD);
    let mut gz = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::default());
    gz.write_all(&text).unwrap();
    let gz = gz.finish().unwrap();
    league.write(&format!("{SHARD}.gz"), &gz[..gz.len() - gz.len() / 4]);
    let out = league.scratch.path("mended");
    let said = succeed(&["repair", &league.folder, "--out", &out]);
    assert!(said.contains("cannot be read from here on"), "{said}");
    let kept = said.lines().find_map(|line| line.split_once(" of 12 games are in")).unwrap().0.parse().unwrap();
    assert!((7..12).contains(&kept), "{said}");
    league.mended(kept);
    // A few bytes are left: not even the header.
    league.write(&format!("{SHARD}.gz"), &gz[..30]);
    league.mended(6);
}

#[test]
fn an_extended_run_stays_extended() {
    let league = League::new(&RANDOM.replace("games_per_match = 2", "games_per_match = 1"));
    let wider = league.scratch.write("wider.toml", RANDOM);
    succeed(&["run", &wider, "--out", &league.folder, "--extend"]);
    let league = League { whole: digest(&league.folder), ..league };
    assert!(league.whole.contains("12 of 12 games"));
    let mut damaged = league.read(SHARD);
    damaged[10] ^= 1;
    league.write(SHARD, damaged);
    // A line of the first experiment in the journal of the extension is left out.
    let lines = String::from_utf8(league.read(OTHER)).unwrap();
    let extension = String::from_utf8(league.read("games.jsonl")).unwrap();
    let lines: Vec<&str> = lines.split_inclusive('\n').collect();
    league.write(OTHER, lines[..lines.len() - 1].concat());
    league.write("games.jsonl", extension + lines[lines.len() - 1]);
    assert!(league.mended(11).contains("it is of experiment "));
}

#[test]
fn the_original_and_other_folders_are_not_changed() {
    let league = League::new(RANDOM);
    let inside = format!("{}/saved", league.folder);
    // Nor by way of links, or of folders that do not exist yet.
    let (link, name) = (league.scratch.path("link"), std::path::Path::new(&league.folder).file_name().unwrap());
    std::os::unix::fs::symlink(&league.folder, &link).unwrap();
    let [linked, around] = [format!("{link}/new"), league.scratch.path(&format!("x/../{}/new", name.display()))];
    for out in [&league.folder, &inside, &linked, &around] {
        fails(&["repair", &league.folder, "--out", out], 2, "own folder, which is not changed");
    }
    league.scratch.write("full", "");
    std::fs::create_dir(league.scratch.path("other")).unwrap();
    league.scratch.write("other/thing", "");
    for (out, words) in [("full", "this is a file; expected a folder"), ("other", "not empty")] {
        assert!(fail(&["repair", &league.folder, "--out", &league.scratch.path(out)], 2).contains(words));
    }
    assert!(
        fail(&["repair", &league.scratch.path("nowhere"), "--out", &league.scratch.path("new")], 2).contains("nowhere")
    );
    // What is not damaged is kept whole.
    league.mended(12);
    assert!(!std::path::Path::new(&league.experiment).starts_with(&league.folder));
}

/// Every table of a run that has no times, and its experiment.
fn tables(folder: &str) -> Vec<String> {
    let names = ["ranking.csv", "matches.csv", "significance.csv", "turns.csv", "experiment.toml"];
    names.map(|name| std::fs::read_to_string(format!("{folder}/{name}")).unwrap()).to_vec()
}

/// A run of one journal, of which nothing else is left: its scratch folder, the bytes of the journal, its digest and
/// its tables.
fn alone(toml: &str) -> (Scratch, Vec<u8>, String, Vec<String>) {
    let scratch = Scratch::new();
    let folder = scratch.path("whole");
    succeed(&["run", &scratch.write("alone.toml", toml), "--out", &folder]);
    let journal = std::fs::read(scratch.path("whole/games.jsonl")).unwrap();
    let (digest, tables) = (digest(&folder), tables(&folder));
    std::fs::create_dir(scratch.path("damaged")).unwrap();
    (scratch, journal, digest, tables)
}

const PAIR: &str = "name = \"pair\"\nabout = \"J* of two\"\nseed = 3\ngames_per_match = 1\n[[player]]\nname = \"alpha\"\n\
                    kind = \"random\"\n[[player]]\nname = \"beta\"\nkind = \"random\"\n";

/// `EVOUCT_FAULTS=all` tries every bit; the command that `repair` prints is then left out for most of those that come
/// to the same journal.
#[test]
fn any_flipped_bit_of_a_header_ends_in_the_same_digest_and_tables() {
    let (scratch, journal, digest_of_whole, tables_of_whole) = alone(PAIR);
    let bits = 8 * (1 + journal.iter().position(|byte| *byte == b'\n').unwrap());
    let all = tries_all();
    // A step that meets each of the eight bits.
    let sample = 241;
    let step = if all { 1 } else { sample };
    let (damaged, mended) = (scratch.path("damaged"), scratch.path("mended"));
    // Letters that become ends of lines, and the end of the line.
    let letters = journal.windows(2).position(|letters| letters == b"J*").unwrap();
    let ends = [8 * letters + 6, 8 * (letters + 1) + 5].into_iter().chain(bits - 8..bits);
    succeed(&["repair", &scratch.path("whole"), "--out", &scratch.path("copy")]);
    let copy = scratch.read("copy/games.jsonl");
    for bit in (0..bits).step_by(step).chain(ends) {
        let mut bytes = journal.clone();
        bytes[bit / 8] ^= 1 << (bit % 8);
        std::fs::write(scratch.path("damaged/games.jsonl"), bytes).unwrap();
        drop(std::fs::remove_dir_all(&mended));
        if all && bit % sample > 0 {
            mended_here(&damaged, &mended, "games.jsonl");
            if scratch.read("mended/games.jsonl") == copy {
                continue;
            }
            drop(std::fs::remove_dir_all(&mended));
        }
        let said = succeed(&["repair", &damaged, "--out", &mended]);
        let (_, command) = said.lines().last().unwrap().split_once("evouct ").unwrap();
        succeed(&command.split(' ').collect::<Vec<_>>());
        assert_eq!(digest(&mended), digest_of_whole, "bit {bit}: {said}");
        assert_eq!(tables(&mended), tables_of_whole, "bit {bit}: {said}");
    }
    println!("every {step}th of {bits} bits of games.jsonl");
}

/// What `evouct repair` does with a file of a folder, without a process for each bit.
fn mended_here(damaged: &str, mended: &str, file: &str) {
    evouct::registry::add_games();
    let [from, to] = [damaged, mended].map(Path::new);
    let (folder, name) = file.rsplit_once('/').unwrap_or(("", file));
    match name.split_once('.').unwrap() {
        (_, "json") => copy_plan(&from.join(file), &to.join(file)).unwrap(),
        ("games", _) => drop(repair(&from.join(folder), &to.join(folder)).unwrap()),
        (stem, _) => drop(copy_with_headers(from, to, stem, false).unwrap()),
    }
}

/// Flips bits of the header of `file` in the folder that a command makes: the damage is named or does no harm, and the
/// copy that `repair` makes has the bytes that it has of the whole folder. The same command goes on there, to `result`.
fn flips_are_mended(command: &str, file: &str, result: impl Fn(&str) -> String) {
    let scratch = Scratch::new();
    let [whole, copy, damaged, mended] = ["whole", "copy", "damaged", "mended"].map(|name| scratch.path(name));
    let of = |folder: &str| [command.split(' ').collect(), vec!["--out", folder]].concat().join(" ");
    let run = |folder: &str| say(&of(folder).split(' ').collect::<Vec<_>>());
    assert_eq!(run(&whole).code, Some(0), "{command}");
    let expected = result(&whole);
    // What is whole is copied only where a copy is more than its journals.
    let is_copied = say(&["repair", &whole, "--out", &copy]).code == Some(0);
    let bytes = |folder: &str| std::fs::read(format!("{folder}/{file}")).unwrap();
    let (text, right) = (bytes(&whole), bytes(if is_copied { &copy } else { &whole }));
    let is_plan = file.ends_with(".json");
    let header = if is_plan { text.len() } else { 1 + text.iter().position(|byte| *byte == b'\n').unwrap() };
    copied(&whole, &damaged);
    let (step, sample) = (if tries_all() { 1 } else { 977 }, 977);
    for bit in (0..8 * header).step_by(step) {
        let mut changed = text.clone();
        changed[bit / 8] ^= 1 << (bit % 8);
        std::fs::write(format!("{damaged}/{file}"), changed).unwrap();
        drop(std::fs::remove_dir_all(&mended));
        if bit % sample > 0 {
            mended_here(&damaged, &mended, file);
        } else {
            succeed(&["repair", &damaged, "--out", &mended]);
        }
        // Without its end the header's line has the first game, too, which is played again.
        let is_whole = bytes(&mended) == right;
        assert!(is_whole || bit / 8 == header - 1, "{file}: bit {bit}");
        if bit % sample == 0 || !is_whole {
            let said = run(&damaged);
            let is_named = said.code == Some(2) && said.err.contains("`evouct repair` saves what can be read");
            assert!(if is_plan { said.code == Some(0) } else { is_named }, "{file}: bit {bit}: {said:?}");
            let said = run(&mended);
            assert_eq!((said.code, result(&mended)), (Some(0), expected.clone()), "{file}: bit {bit}: {said:?}");
        }
    }
    println!("every {step}th of {} bits of {file}", 8 * header);
}

/// Copies a folder and its sub-folders.
pub(crate) fn copied(from: &str, to: &str) {
    std::fs::create_dir(to).unwrap();
    for entry in std::fs::read_dir(from).unwrap().map(Result::unwrap) {
        let name = entry.file_name().into_string().unwrap();
        let [from, to] = [from, to].map(|folder| format!("{folder}/{name}"));
        if entry.path().is_dir() {
            copied(&from, &to);
        } else {
            std::fs::copy(from, to).unwrap();
        }
    }
}

#[test]
fn any_flipped_bit_of_a_header_is_mended_in_other_leagues() {
    let scratch = Scratch::new();
    let swiss = swiss::league("rounds = 2\n").replace("decks = 4", "decks = 1");
    let test = sprt::MATCH.replace("= 400", "= 20");
    for (name, text) in [("swiss", swiss), ("sprt", test)] {
        let file = scratch.write(&format!("{name}.toml"), &text);
        flips_are_mended(&format!("run {file}"), "games.jsonl", digest);
    }
}

#[test]
fn any_flipped_bit_of_a_header_is_mended_in_banks_evolutions_and_scores() {
    let scratch = Scratch::new();
    let file = scratch.write("bank.toml", &disturbed::BANK.replace("games = 12", "games = 2"));
    flips_are_mended(&format!("bank {file}"), "bank.jsonl", digest);
    let file = scratch.write("small.toml", disturbed::EVOLUTION);
    flips_are_mended(&format!("evolve {file}"), "evolution.jsonl", digest);
    let genomes = scratch.write("genomes.txt", "Q + 2 / n\nQ\n");
    let scores = |folder: &str| std::fs::read_to_string(format!("{folder}/scores.csv")).unwrap();
    flips_are_mended(&format!("score {file} --genomes {genomes}"), "scores.jsonl", scores);
}

#[test]
fn any_flipped_bit_of_a_tuning_is_mended() {
    let scratch = Scratch::new();
    let file = scratch.write("cheap.toml", &format!("{}{}", tune::CHEAP, tune::RANDOM));
    for damaged in ["tune.json", "round-1/games.jsonl"] {
        flips_are_mended(&format!("tune {file} {}", tune::OVER.join(" ")), damaged, digest);
    }
}

/// A stage whose header is lost is played again, and so is what is in none.
#[test]
fn a_tuning_of_which_a_stage_is_lost_is_played_again() {
    let scratch = Scratch::new();
    let file = scratch.write("cheap.toml", &format!("{}{}", tune::CHEAP, tune::RANDOM));
    let tune = |folder: &str| succeed(&[&["tune", &file, "--out", folder], &tune::OVER[..]].concat());
    let [folder, mended] = ["tuned", "mended"].map(|name| scratch.path(name));
    tune(&folder);
    let whole = digest(&folder);
    scratch.write("tuned/round-1/games.jsonl", "{\"sum\":\"0123456789abcdef\",\"header\":{\"format\":2}}\n");
    drop(std::fs::remove_file(scratch.path("tuned/round-1/experiment.toml")));
    let said = succeed(&["repair", &folder, "--out", &mended]);
    assert!(said.contains("round-1:\nleft out: ") && said.contains("played again\nto go on: "), "{said}");
    tune(&mended);
    assert_eq!(digest(&mended), whole);
}

#[test]
fn a_header_is_taken_by_what_the_lines_are_of() {
    let (scratch, journal, whole, tables_of_whole) = alone(PAIR);
    let text = String::from_utf8(journal).unwrap();
    let (damaged, mended) = (scratch.path("damaged"), scratch.path("mended"));
    let repair = || {
        drop(std::fs::remove_dir_all(&mended));
        say(&["repair", &damaged, "--out", &mended])
    };
    // A header whose checksum is wrong by more than a bit is none.
    scratch.write("damaged/games.jsonl", &text.replacen("alpha", "bravo", 1));
    let said = repair();
    assert!(said.code == Some(2) && said.err.contains("no journal has its header"), "{said:?}");
    // The header of another experiment stands before the games.
    let other = scratch.write("other.toml", &PAIR.replace("seed = 3", "seed = 4"));
    succeed(&["run", &other, "--out", &scratch.path("other")]);
    let foreign = scratch.read("other/games.jsonl");
    let games = text.split_once('\n').unwrap().1;
    scratch.write("damaged/games.jsonl", &format!("{}\n{games}", foreign.lines().next().unwrap()));
    let said = repair();
    assert!(said.code == Some(2) && said.err.contains("2 lines of experiment "), "{said:?}");
    // The file that `run` writes before the first game has it; the output names what cannot be checked.
    scratch.write("damaged/experiment.toml", &scratch.read("whole/experiment.toml"));
    for journal in [format!("{}\n{games}", foreign.lines().next().unwrap()), format!("x{}", &text[300..])] {
        scratch.write("damaged/games.jsonl", &journal);
        let said = repair();
        assert!(said.out.contains("header: from experiment.toml; not checked: "), "{said:?}");
        let command = said.out.lines().last().unwrap().split_once("evouct ").unwrap().1;
        succeed(&command.split(' ').collect::<Vec<_>>());
        assert_eq!((digest(&mended), tables(&mended)), (whole.clone(), tables_of_whole.clone()));
    }
}

#[test]
fn a_journal_that_was_cut_while_it_was_played_is_mended_alone() {
    let scratch = Scratch::new();
    let experiment = scratch.write("long.toml", &PAIR.replace("games_per_match = 1", "games_per_match = 5000"));
    let (folder, journal) = (scratch.path("run"), scratch.path("run/games.jsonl"));
    let mut run = program::evouct(&["run", &experiment, "--out", &folder]);
    let mut run = run.stdout(std::process::Stdio::null()).stderr(std::process::Stdio::null()).spawn().unwrap();
    while std::fs::read_to_string(&journal).map_or(0, |text| text.lines().count()) < 5 {
        assert!(run.try_wait().unwrap().is_none(), "the run ended before it was cut");
        std::thread::sleep(std::time::Duration::from_millis(5));
    }
    run.kill().unwrap();
    run.wait().unwrap();
    assert!(!scratch.exists("run/report.html"));
    let text = scratch.read("run/games.jsonl");
    scratch.write("run/games.jsonl", &text[200..]);
    let said = succeed(&["repair", &folder, "--out", &scratch.path("mended")]);
    let kept = text.lines().count() - 1;
    assert!(said.contains("header: from experiment.toml") && said.contains(" of 10000 games are in"), "{said}");
    let games: usize = said.split(" kept").next().unwrap().split(' ').nth(1).unwrap().parse().unwrap();
    assert!(games + 1 >= kept && kept >= games, "{kept}: {said}");
}

#[test]
fn a_link_to_a_journal_is_no_other_journal() {
    let scratch = Scratch::new();
    let experiment = scratch.write("pair.toml", PAIR);
    let folder = scratch.path("run");
    succeed(&["run", &experiment, "--out", &folder]);
    let journal = scratch.read("run/games.jsonl");
    let whole = digest(&folder);
    std::os::unix::fs::symlink("games.jsonl", scratch.path("run/games-1.jsonl")).unwrap();
    let lines: Vec<&str> = journal.split_inclusive('\n').collect();
    scratch.write("run/games.jsonl", &lines[..2].concat());
    let said = say(&["run", &experiment, "--out", &folder]);
    assert!(said.code == Some(0) && !said.err.contains("twice"), "{said:?}");
    assert_eq!(digest(&folder), whole);
}
