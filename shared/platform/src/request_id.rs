//! The ID of the request that caused the current work. Log lines of the request and of its follow-up work have this ID.
//!
//! The ID is in the outbox of each write. The relay adds it to messages and events, and the workers pass it on. Rows with
//! work for a schedule store the ID: see [`crate::caused::CausedBy`].

use std::collections::BTreeSet;

use serde_json::Value;
use tracing::{Span, field::Empty};

/// Name of the field with the ID in the body of a message, and in the detail of an event.
pub const FIELD: &str = "requestId";

tokio::task_local! {
    static CURRENT: Option<String>;
}

/// Runs work that a request caused. `id` is `None` for work without a request, such as a scheduled job.
pub async fn within<T>(id: Option<String>, work: impl Future<Output = T>) -> T {
    CURRENT.scope(id, work).await
}

/// Returns the ID of the request that caused the current work, or `None` if there is none.
pub fn current() -> Option<String> {
    CURRENT.try_with(Clone::clone).ok().flatten()
}

/// Adds the ID to the body of a message or to the detail of an event. Does nothing if the value is not an object.
pub(crate) fn add(id: Option<&str>, to: &mut Value) {
    if let (Some(id), Some(fields)) = (id, to.as_object_mut()) {
        fields.insert(FIELD.to_owned(), id.into());
    }
}

/// Returns the span of a batch. [`log_all`] adds IDs to its log lines.
pub fn batch_span() -> Span {
    tracing::info_span!("batch", requests = Empty)
}

/// Adds the IDs of the requests that caused a batch to the log lines of the batch. Call this function once per batch.
pub fn log_all<'a>(ids: impl IntoIterator<Item = &'a str>) {
    let ids: BTreeSet<_> = ids.into_iter().collect();
    if !ids.is_empty() {
        Span::current().record("requests", Vec::from_iter(ids).join(", "));
    }
}

#[cfg(test)]
mod tests {
    use futures::executor::block_on;
    use serde_json::json;

    use super::*;

    #[test]
    fn work_without_a_request_has_no_id() {
        assert_eq!(current(), None);
        let outer =
            within(Some("1".to_owned()), async { (within(None, async { current() }).await, current()) });
        assert_eq!(block_on(outer), (None, Some("1".to_owned())));
    }

    #[test]
    fn the_id_is_added_to_objects_only() {
        let (mut body, mut text) = (json!({ "job": "a" }), json!("a"));
        add(None, &mut body);
        assert_eq!(body, json!({ "job": "a" }));
        add(Some("1"), &mut body);
        add(Some("1"), &mut text);
        assert_eq!((body, text), (json!({ "job": "a", "requestId": "1" }), json!("a")));
    }
}
