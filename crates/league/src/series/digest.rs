//! The digest of a series: one hash over the digests of its stages.

use super::stage::Stage;
use crate::record::{Digest, Digester};
use evouct_store::RecordError;
use std::path::Path;

/// The digest of all stages in this order. Stages of which nothing is recorded are left out.
///
/// # Errors
/// If a run cannot be read.
pub fn digest<'a>(series: &Path, stages: impl IntoIterator<Item = &'a Stage>) -> Result<Digest, RecordError> {
    let mut hasher = blake3::Hasher::new();
    let (mut games, mut not_reproducible) = (0, 0);
    for stage in stages {
        let mut digester = Digester::default();
        if stage.games(series, |game| digester.add(game))?.recorded > 0 {
            let digest = digester.finish();
            hasher.update(format!("{} {}\n", stage.name, digest.digest).as_bytes());
            games += digest.games;
            not_reproducible += digest.not_reproducible;
        }
    }
    Ok(Digest { digest: hasher.finalize().to_hex().to_string(), games, not_reproducible })
}
