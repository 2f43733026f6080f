//! A bank made in shards: each has a file of its own, and the last one gathers the games of all in the file of the bank.

use super::bank::{BankGame, BankHeader};
use super::build::{BankBuild, BankError, bank_header};
use evouct_league::schedule::Shard;
use evouct_search::search::Clock;
use evouct_store::{BANK_FILE, BANK_SHARD_STEM, BANK_STEM, Entries, JournalWriter, RecordError, journals};
use std::collections::HashSet;
use std::path::PathBuf;

impl BankBuild {
    /// Takes away the games that shards have made, and with a shard those of the others.
    ///
    /// # Errors
    /// If a shard is of another bank, or cannot be read.
    pub fn in_shards(mut self, shard: Option<Shard>) -> Result<BankBuild, RecordError> {
        self.shard = shard;
        let (ours, own) = (bank_header(&self.recipe), self.file());
        let files = if self.folder.is_dir() { journals(&self.folder, BANK_SHARD_STEM)? } else { Vec::new() };
        let missing: HashSet<u32> = self.missing.iter().copied().collect();
        for file in files {
            let read = Entries::<BankHeader, BankGame>::read_under(&file, &ours)?;
            // Another shard may be writing: its own process reports what it cannot read.
            if shard.is_none() || file == own {
                self.problems.extend(read.problems);
            }
            let made = read.entries.into_iter().filter(|game| missing.contains(&game.game));
            self.of_shards.extend(made.map(|game| (game.game, game)));
        }
        let ours: HashSet<u32> = self.numbers().collect();
        self.missing.retain(|game| ours.contains(game) && !self.of_shards.contains_key(game));
        Ok(self)
    }

    /// The games of the bank, or of the shard.
    pub(super) fn numbers(&self) -> impl Iterator<Item = u32> {
        let all = self.recipe.numbers().zip(0_u64..);
        all.filter(|(_, place)| self.shard.is_none_or(|shard| shard.has(*place))).map(|(game, _)| game)
    }

    /// The file that this process writes.
    pub(super) fn file(&self) -> PathBuf {
        self.folder.join(Shard::stem(BANK_STEM, self.shard) + ".jsonl")
    }

    /// Writes the games of shards to the file of the bank. Call it when no game is missing.
    ///
    /// # Errors
    /// If the file cannot be written, or another process writes it.
    pub fn gather(&self, clock: &dyn Clock) -> Result<(), BankError> {
        if self.of_shards.is_empty() {
            return Ok(());
        }
        let file = self.folder.join(BANK_FILE);
        let mut writer = JournalWriter::open(&file, &bank_header(&self.recipe)).map_err(BankError::Folder)?;
        // Another shard may have gathered since this one looked.
        let there = Entries::<BankHeader, BankGame>::read(&file)?.entries;
        let there: HashSet<u32> = there.into_iter().map(|game| game.game).collect();
        for game in self.of_shards.values().filter(|game| !there.contains(&game.game)) {
            writer.append(game, clock.now())?;
        }
        Ok(writer.sync(clock.now())?)
    }
}
