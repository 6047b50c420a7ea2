//! Trains and measures the embedded judge.

mod lines;
mod measure;
mod train;

pub(crate) use measure::{test, test_comments};
pub(crate) use train::train;
