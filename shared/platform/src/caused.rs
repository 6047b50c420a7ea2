//! Jobs and events of work that a request caused, but that a schedule continues.

use serde::Serialize;

use crate::{Job, QueueName, bus::Event};

/// A job or an event, with the ID of the request that caused it. The log lines of the worker have this ID.
#[derive(Clone, Debug, Serialize)]
pub struct CausedBy<T> {
    #[serde(flatten)]
    work: T,
    /// Has the name [`crate::request_id::FIELD`].
    #[serde(rename = "requestId", skip_serializing_if = "Option::is_none")]
    request: Option<String>,
}

impl<T> CausedBy<T> {
    /// Adds the ID of a request. `None` adds no ID.
    pub fn new(request: Option<String>, work: T) -> Self {
        Self { work, request }
    }
}

impl<J: Job> Job for CausedBy<J> {
    fn queue(&self) -> QueueName {
        self.work.queue()
    }
}

impl<E: Event> Event for CausedBy<E> {
    const NAME: &'static str = E::NAME;
}
