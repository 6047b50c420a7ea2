//! What a function says of a batch of records.

use std::sync::Arc;

use anyhow::{Context, Result};
use serde_json::Value as Json;

use super::record::{Record, sequence_number};
use crate::recorder::Ended;

/// What of a batch is done.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum Answer {
    /// All of it.
    Done,
    /// What is before this position; the rest comes again.
    Until(usize),
}

impl Answer {
    /// How a call with so many records ended that is answered this way.
    pub(super) fn ended(&self, records: usize) -> Ended {
        match self {
            Self::Done => Ended::Done(0),
            Self::Until(position) => Ended::Done(records - position),
        }
    }
}

/// Reads the lowest record that the answer names: what is before it is done.
///
/// # Errors
/// The answer names something else. As on Lambda, nothing is done then.
pub(super) fn read(answer: &Json, batch: &[Arc<Record>]) -> Result<Answer> {
    let Some(Json::Array(failures)) = answer.get("batchItemFailures") else { return Ok(Answer::Done) };
    let position = |failure: &Json| {
        let named = failure.get("itemIdentifier").and_then(Json::as_str);
        let position = batch.iter().position(|it| Some(sequence_number(it.sequence).as_str()) == named);
        position.with_context(|| format!("the function names {failure}, which is not in the batch"))
    };
    let positions = failures.iter().map(position).collect::<Result<Vec<_>>>()?;
    Ok(positions.into_iter().min().map_or(Answer::Done, Answer::Until))
}
