//! The state of streams' event-source mappings.

use serde::Serialize;

use super::{Streams, mapping::Mapping};
use crate::clock;

/// Unprocessed and given-up records of a stream's event-source mapping.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct StreamState {
    /// Name of the function and event, for example `Relay/Stream`.
    pub name: String,
    /// Number of unprocessed records.
    pub waiting: usize,
    /// Time at which the oldest unprocessed record was written.
    pub oldest: Option<String>,
    /// Number of records that were given up since the stack started.
    pub given_up: usize,
    /// Queue names or object paths of the last reports about given-up records.
    pub places: Vec<String>,
}

impl Streams {
    pub(crate) fn states(&self) -> Vec<StreamState> {
        self.0.iter().map(Mapping::state).collect()
    }
}

impl Mapping {
    fn state(&self) -> StreamState {
        let (given_up, places) = self.places().clone();
        StreamState {
            name: self.name.clone(),
            waiting: self.backlog.len(),
            oldest: self.backlog.oldest().map(clock::show),
            given_up,
            places: places.into(),
        }
    }
}
