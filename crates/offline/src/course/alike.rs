//! Which genomes are one individual: those with one key, and those that decide alike.

use evouct_gp::Decisions;
use std::collections::{BTreeSet, HashMap};

/// The individuals of an evolution by their keys, and by what they decide.
#[derive(Debug, Default)]
pub(crate) struct Alike {
    by_key: HashMap<String, usize>,
    by_decisions: HashMap<Decisions, BTreeSet<usize>>,
}

/// What a genome is beside those that came before.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Kin {
    /// Another one.
    New,
    /// This individual again.
    Again(usize),
    /// It decides as this individual does.
    Alike(usize),
}

impl Alike {
    /// Takes a genome, which becomes the individual `id` if it is new. Without decisions its key alone counts.
    pub(crate) fn take(&mut self, key: String, decisions: impl FnOnce() -> Option<Decisions>, id: usize) -> Kin {
        if let Some(known) = self.by_key.get(&key) {
            return Kin::Again(*known);
        }
        let decisions = decisions();
        let first = decisions.as_ref().and_then(|own| self.by_decisions.get(own)?.first().copied());
        self.by_key.insert(key, first.unwrap_or(id));
        if let Some(into) = first {
            return Kin::Alike(into);
        }
        if let Some(decisions) = decisions {
            self.by_decisions.entry(decisions).or_default().insert(id);
        }
        Kin::New
    }

    /// Notes that an individual decides otherwise by now.
    pub(crate) fn change(&mut self, id: usize, before: &Decisions, after: Decisions) {
        if let Some(ids) = self.by_decisions.get_mut(before) {
            ids.remove(&id);
            if ids.is_empty() {
                self.by_decisions.remove(before);
            }
        }
        self.by_decisions.entry(after).or_default().insert(id);
    }
}
