//! What this instance has delivered, to where it belongs or to the dead letters.

use aws_lambda_events::dynamodb::EventRecord;
use moka::sync::Cache;

/// A few batches of each parallel invocation that the instance may have had.
const RECORDS_MAX: u64 = 10_000;

/// The records whose outboxes are delivered, or are dead letters. When something of a batch is refused, Lambda brings
/// all that is behind it again, for as long as it is refused: an instance that has delivered the rest does not do it
/// again and again.
pub(crate) struct Delivered(Cache<String, ()>);

impl Default for Delivered {
    fn default() -> Self {
        Self(Cache::new(RECORDS_MAX))
    }
}

impl Delivered {
    pub(crate) fn contains(&self, record: &EventRecord) -> bool {
        self.0.contains_key(&record.event_id)
    }

    pub(crate) fn insert(&self, record: &EventRecord) {
        self.0.insert(record.event_id.clone(), ());
    }
}
