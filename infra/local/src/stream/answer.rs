//! What a function says of a batch of records.

use std::sync::Arc;

use serde_json::Value as Json;

use super::record::{Record, sequence_number};

/// What of a batch is done.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum Answer {
    /// All of it.
    Done,
    /// What is before this position; the rest comes again.
    Until(usize),
}

/// Reads the lowest record that the answer names: what is before it is done. An answer that names something else has
/// the whole batch come again, as on Lambda.
pub(super) fn read(answer: &Json, batch: &[Arc<Record>]) -> Answer {
    let Some(Json::Array(failures)) = answer.get("batchItemFailures") else { return Answer::Done };
    let position = |failure: &Json| {
        let named = failure.get("itemIdentifier")?.as_str()?;
        batch.iter().position(|record| sequence_number(record.sequence) == named)
    };
    let lowest = failures.iter().map(|failure| position(failure).unwrap_or(0)).min();
    lowest.map_or(Answer::Done, Answer::Until)
}
