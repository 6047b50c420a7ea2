//! Trains the embedded judge, and measures it.

mod lines;
mod measure;
mod train;

pub(crate) use measure::{test, test_comments};
pub(crate) use train::train;
