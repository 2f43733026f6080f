//! The games of a run in the order of their decks and ids, whatever the order of the lines: what is derived from the
//! records depends on the records alone.

use super::journal::{JournalReader, Line, read_line};
use super::problems::Problem;
use super::run::{RecordError, Run};
use super::schema::GameRecord;
use crate::disk;
use flate2::Compression;
use flate2::read::DeflateDecoder;
use flate2::write::DeflateEncoder;
use std::collections::BTreeMap;
use std::collections::btree_map::Entry;
use std::fs::File;
use std::io::{self, Read, Seek, SeekFrom, Write};
use std::path::Path;

/// Files that are open at the same time: a run of many shards has more journals than a process may open.
const OPEN: usize = 64;

/// Where the line of a game is.
enum Place {
    /// In a plain journal, by its number: where the line begins, and its length.
    InFile(usize, u64, usize),
    /// In memory, compressed: a compressed journal cannot be read from an offset.
    InMemory(usize, Vec<u8>),
}

impl Place {
    fn of(journal: usize, path: &Path, reader: &JournalReader) -> io::Result<Place> {
        let is_compressed = path.extension().is_some_and(|ending| ending == "gz" || ending == "zst");
        if !is_compressed {
            return Ok(Place::InFile(journal, reader.offset(), reader.bytes().len()));
        }
        let mut packed = DeflateEncoder::new(Vec::new(), Compression::fast());
        packed.write_all(reader.bytes())?;
        Ok(Place::InMemory(journal, packed.finish()?))
    }
}

impl Run {
    /// Visits every game once, as [`games`](Run::games) does, but in the order of decks and ids. The journals are read
    /// once for this order and once for the games; memory holds a few words per game, and the games of compressed
    /// journals.
    ///
    /// # Errors
    /// If a journal cannot be read, or the visitor's.
    pub fn games_in_order<E: From<RecordError>>(
        &self,
        mut visit: impl FnMut(GameRecord) -> Result<(), E>,
    ) -> Result<Vec<Problem>, E> {
        let path = |journal: usize| self.journals()[journal].path.as_path();
        let failed = |journal: usize| move |error| RecordError::io(path(journal), "cannot read", error);
        let mut places: Vec<(u32, String, Place)> = Vec::new();
        let place = |journal, reader: &JournalReader, game: GameRecord| {
            let place = Place::of(journal, path(journal), reader).map_err(failed(journal))?;
            Ok((game.deck, game.id, place))
        };
        let problems = self.each_once(place, |place| -> Result<(), E> {
            places.push(place);
            Ok(())
        })?;
        places.sort_unstable_by(|a, b| (a.0, &a.1).cmp(&(b.0, &b.1)));
        let mut files: BTreeMap<usize, File> = BTreeMap::new();
        let mut line = Vec::new();
        for (_, _, place) in places {
            line.clear();
            let journal = match place {
                Place::InFile(journal, offset, length) => {
                    line.resize(length, 0);
                    let mut read = |file: &mut File| {
                        file.seek(SeekFrom::Start(offset))?;
                        file.read_exact(&mut line)
                    };
                    if files.len() >= OPEN && !files.contains_key(&journal) {
                        files.clear();
                    }
                    let read = match files.entry(journal) {
                        Entry::Occupied(mut file) => read(file.get_mut()),
                        Entry::Vacant(free) => disk::open(path(journal)).and_then(|file| read(free.insert(file))),
                    };
                    read.map_err(failed(journal))?;
                    journal
                }
                Place::InMemory(journal, packed) => {
                    DeflateDecoder::new(&packed[..]).read_to_end(&mut line).map_err(failed(journal))?;
                    journal
                }
            };
            match read_line(&line) {
                Ok(Line::Game(game, _)) => visit(*game)?,
                _ => {
                    let problem = "the journal has changed while it was read";
                    return Err(RecordError::folder(path(journal), problem).into());
                }
            }
        }
        Ok(problems)
    }
}
