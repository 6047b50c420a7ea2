//! Remembers the stream records that this instance has handled.

use aws_lambda_events::dynamodb::EventRecord;
use moka::sync::Cache;

/// Maximum number of remembered records, enough for several batches.
const RECORDS_MAX: u64 = 10_000;

/// IDs of the stream records that this instance has handled. After a failure, Lambda sends the failed record and all
/// later records again. The instance then skips the handled records.
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
