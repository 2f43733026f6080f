//! A hash for tables in memory.

use std::collections::HashMap;
use std::hash::{BuildHasherDefault, Hash, Hasher};

/// A map by such hashes.
pub(super) type QuickMap<K, V> = HashMap<K, V, BuildHasherDefault<QuickHasher>>;

/// A hash that is quick for values of a few bytes. Whatever it leads to is compared, so it decides nothing.
#[derive(Default)]
pub(super) struct QuickHasher(u64);

impl Hasher for QuickHasher {
    #[inline]
    fn finish(&self) -> u64 {
        let product = self.0.wrapping_mul(0x9e37_79b9_7f4a_7c15);
        // Maps look at the lowest bits, too.
        product ^ (product >> 32)
    }

    #[inline]
    fn write(&mut self, bytes: &[u8]) {
        for chunk in bytes.chunks(8) {
            let mut word = [0; 8];
            word[..chunk.len()].copy_from_slice(chunk);
            self.write_u64(u64::from_le_bytes(word));
        }
    }

    #[inline]
    fn write_u8(&mut self, number: u8) {
        self.write_u64(u64::from(number));
    }

    #[inline]
    fn write_u16(&mut self, number: u16) {
        self.write_u64(u64::from(number));
    }

    #[inline]
    fn write_u32(&mut self, number: u32) {
        self.write_u64(u64::from(number));
    }

    #[inline]
    fn write_u64(&mut self, number: u64) {
        self.0 = self.0.rotate_left(9) ^ number;
    }

    #[inline]
    fn write_usize(&mut self, number: usize) {
        self.write_u64(number as u64);
    }
}

/// The hash of a value.
#[inline]
pub(super) fn quick_hash(value: impl Hash) -> u64 {
    let mut hasher = QuickHasher::default();
    value.hash(&mut hasher);
    hasher.finish()
}
