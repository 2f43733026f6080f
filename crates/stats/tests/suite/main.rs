//! Statistics beside independent sources, printed tables and their own laws.

mod oracles;
mod points;
mod properties;
mod small_samples;
