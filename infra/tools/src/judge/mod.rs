//! Trains the embedded judge, and measures it.

mod lines;
mod measure;
mod train;

pub(crate) use measure::{test, test_comments};
pub(crate) use train::train;

/// What share of comments breaks the rules where the judge is calibrated, as among the public comments of ViHSD.
const PREVALENCE: f64 = 0.17;
