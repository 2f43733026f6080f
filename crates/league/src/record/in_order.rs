//! The games of a run in the order of their decks and ids, whatever the order of the lines: what is derived from the
//! records depends on the records alone. Sums that do not depend on the order are taken from the first reading.

use super::journal::{GameLine, GameReader, read_line};
use super::run::Run;
use super::schema::GameRecord;
use evouct_store::{Problem, RecordError, disk};
use flate2::Compression;
use flate2::read::DeflateDecoder;
use flate2::write::DeflateEncoder;
use std::fs::File;
use std::io::{self, Read, Seek, SeekFrom, Write};
use std::path::Path;

/// Games are read in blocks of so many bytes: a run of many shards has more journals than a process may open at the same
/// time, and one file to open per game would be slow. Unit tests read more than one block.
const BLOCK: usize = if cfg!(test) { 1 << 13 } else { 16 << 20 };

/// Where the line of a game is.
enum Place {
    /// In a plain journal, by its number: where the line begins, and its length.
    InFile(usize, u64, usize),
    /// In memory, compressed: a compressed journal cannot be read from an offset.
    InMemory(usize, Vec<u8>),
}

/// How many of these games are the next block; one at least.
fn block(games: &[(u32, String, Place)]) -> usize {
    let mut bytes = 0;
    let fits = games.iter().take_while(|(_, _, place)| {
        bytes += place.bytes();
        bytes <= BLOCK
    });
    fits.count().max(1)
}

impl Place {
    fn journal(&self) -> usize {
        match self {
            Place::InFile(journal, ..) | Place::InMemory(journal, _) => *journal,
        }
    }

    /// Journal and offset, by which lines are read.
    fn position(&self) -> (usize, u64) {
        match self {
            Place::InFile(journal, offset, _) => (*journal, *offset),
            Place::InMemory(journal, _) => (*journal, 0),
        }
    }

    /// About how many bytes the line has.
    fn bytes(&self) -> usize {
        match self {
            Place::InFile(_, _, length) => *length,
            Place::InMemory(_, packed) => 8 * packed.len(),
        }
    }

    fn of(journal: usize, path: &Path, reader: &GameReader) -> io::Result<Place> {
        let is_compressed = path.extension().is_some_and(|ending| ending == "gz" || ending == "zst");
        if !is_compressed {
            return Ok(Place::InFile(journal, reader.offset(), reader.bytes().len()));
        }
        let mut packed = DeflateEncoder::new(Vec::new(), Compression::fast());
        packed.write_all(reader.bytes())?;
        Ok(Place::InMemory(journal, packed.finish()?))
    }
}

/// Games of a run that can be read once more, in the order of decks and ids. Memory holds a few words per game, and
/// those of compressed journals.
pub struct GamesInOrder<'run> {
    run: &'run Run,
    places: Vec<(u32, String, Place)>,
}

impl Run {
    /// Visits every game once, as [`games`](Run::games) does, but in the order of decks and ids. The journals are read
    /// twice.
    ///
    /// # Errors
    /// If a journal cannot be read, or the visitor's.
    pub fn games_in_order<E: From<RecordError>>(
        &self,
        visit: impl FnMut(GameRecord) -> Result<(), E>,
    ) -> Result<Vec<Problem>, E> {
        let (games, problems) = self.games_and_order(|_| true, |_| Ok::<(), E>(()))?;
        games.visit(visit)?;
        Ok(problems)
    }

    /// Visits every game once, as [`games`](Run::games) does, and returns those that are to be read again.
    ///
    /// # Errors
    /// If a journal cannot be read, or the visitor's.
    pub fn games_and_order<E: From<RecordError>>(
        &self,
        is_read_again: impl Fn(&GameRecord) -> bool,
        mut visit: impl FnMut(&GameRecord) -> Result<(), E>,
    ) -> Result<(GamesInOrder<'_>, Vec<Problem>), E> {
        let mut places: Vec<(u32, String, Place)> = Vec::new();
        let keep = |journal, reader: &GameReader, game: GameRecord| {
            let place = is_read_again(&game).then(|| Place::of(journal, self.path(journal), reader));
            Ok((game, place.transpose().map_err(|error| self.unreadable(journal, error))?))
        };
        let problems = self.each_once(keep, |(game, place)| -> Result<(), E> {
            visit(&game)?;
            places.extend(place.map(|place| (game.deck, game.id, place)));
            Ok(())
        })?;
        places.sort_unstable_by(|a, b| (a.0, &a.1).cmp(&(b.0, &b.1)));
        Ok((GamesInOrder { run: self, places }, problems))
    }

    fn path(&self, journal: usize) -> &Path {
        &self.journals()[journal].path
    }

    fn unreadable(&self, journal: usize, error: io::Error) -> RecordError {
        RecordError::io(self.path(journal), "cannot read", error)
    }

    /// Reads the lines of some games, journal by journal, so that one file is open at a time and each is opened once.
    fn read_lines(&self, games: &[(u32, String, Place)], lines: &mut Vec<Vec<u8>>) -> Result<(), RecordError> {
        lines.resize_with(games.len(), Vec::new);
        let mut by_journal: Vec<(&Place, &mut Vec<u8>)> = games.iter().map(|(_, _, place)| place).zip(lines).collect();
        by_journal.sort_unstable_by_key(|(place, _)| place.position());
        let mut open: Option<(usize, File)> = None;
        for (place, line) in by_journal {
            let journal = place.journal();
            let failed = |error| self.unreadable(journal, error);
            line.clear();
            match place {
                Place::InFile(_, offset, length) => {
                    let file = match &mut open {
                        Some((of, file)) if *of == journal => file,
                        _ => {
                            let file = disk::open(self.path(journal)).map_err(failed)?;
                            &mut open.insert((journal, file)).1
                        }
                    };
                    line.resize(*length, 0);
                    file.seek(SeekFrom::Start(*offset)).and_then(|_| file.read_exact(line)).map_err(failed)?;
                }
                Place::InMemory(_, packed) => {
                    DeflateDecoder::new(&packed[..]).read_to_end(line).map_err(failed)?;
                }
            }
        }
        Ok(())
    }
}

impl GamesInOrder<'_> {
    /// Visits each game.
    ///
    /// # Errors
    /// If a journal cannot be read, or the visitor's.
    pub fn visit<E: From<RecordError>>(self, mut visit: impl FnMut(GameRecord) -> Result<(), E>) -> Result<(), E> {
        let (mut rest, mut lines) = (&self.places[..], Vec::new());
        while !rest.is_empty() {
            let (block, others) = rest.split_at(block(rest));
            self.run.read_lines(block, &mut lines)?;
            for ((_, _, place), line) in block.iter().zip(&lines) {
                let Ok(GameLine::Record(game, _)) = read_line(line) else {
                    let problem = "the journal has changed while it was read";
                    return Err(RecordError::folder(self.run.path(place.journal()), problem).into());
                };
                visit(*game)?;
            }
            rest = others;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::config::{Experiment, Overrides};
    use crate::league::{ResumeOptions, Session};
    use std::sync::Arc;
    use std::sync::atomic::AtomicBool;

    #[test]
    fn games_of_many_journals_come_in_order_block_by_block() {
        evouct_carcassonne::add();
        let toml = "name = \"pair\"\ngames_per_match = 6\n[[player]]\nname = \"alpha\"\nkind = \"random\"\n\
                    [[player]]\nname = \"beta\"\nkind = \"random\"\n";
        let folder = tempfile::tempdir().unwrap();
        for shard in ["2/3", "0/3", "1/3"] {
            let experiment = Experiment::parse(toml, "pair.toml", Overrides::default()).unwrap();
            let shard = Some(shard.parse().unwrap());
            let session = Session::plan(experiment, folder.path(), shard, ResumeOptions::default()).unwrap();
            session.play(1, &Arc::new(AtomicBool::new(false)), &mut (), |_| {}).unwrap();
        }
        let run = Run::open(folder.path()).unwrap();
        let (mut all, mut in_order, mut bytes) = (Vec::new(), Vec::new(), 0);
        let problems = run.games(|game| -> Result<(), RecordError> {
            bytes += serde_json::to_string(&game).unwrap().len();
            all.push(game);
            Ok(())
        });
        assert!(problems.unwrap().is_empty() && bytes > 2 * BLOCK, "{bytes}");
        all.sort_by(|a, b| (a.deck, &a.id).cmp(&(b.deck, &b.id)));
        let problems = run.games_in_order(|game| -> Result<(), RecordError> {
            in_order.push(game);
            Ok(())
        });
        assert!(problems.unwrap().is_empty());
        assert_eq!(in_order, all);
    }
}
