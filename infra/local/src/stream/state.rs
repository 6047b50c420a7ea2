//! What is shown of a stream.

use serde::Serialize;

use super::{Streams, mapping::Mapping};
use crate::clock;

/// What a mapping of a stream has yet to do, and what it gave up.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct StreamState {
    /// The function and its event.
    pub name: String,
    /// Records that are not done.
    pub waiting: usize,
    /// When the oldest of them was written.
    pub oldest: Option<String>,
    /// Records that were given up since the start.
    pub given_up: usize,
    /// Where the last of those are: a queue, or the path of an object.
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
            waiting: self.backlog.waiting(),
            oldest: self.backlog.oldest().map(clock::show),
            given_up,
            places: places.into(),
        }
    }
}
