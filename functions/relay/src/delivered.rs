//! The stream records that this instance has finished.

use aws_lambda_events::dynamodb::EventRecord;
use moka::sync::Cache;

/// A few batches of each parallel invocation of the instance.
const RECORDS_MAX: u64 = 10_000;

/// The records with outboxes that were delivered or moved to the dead letters. If a record of a batch is refused,
/// Lambda repeats all records after it until it is accepted. An instance skips those that it has already delivered.
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
