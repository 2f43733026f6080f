//! Asking for memory ahead of its use.

/// Asks for the memory of a value without waiting for it, so that it is in the cache when it is read.
#[inline]
pub fn prefetch<T>(value: &T) {
    #[cfg(target_feature = "sse")]
    safe_arch::prefetch_t0(value);
    #[cfg(not(target_feature = "sse"))]
    std::hint::black_box(std::ptr::from_ref(value));
}
