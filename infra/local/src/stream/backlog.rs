//! The stream records that an event-source mapping has not processed yet, in write order.

use std::{
    collections::VecDeque,
    sync::{Arc, Mutex, MutexGuard},
};

use anyhow::Result;
use jiff::Timestamp;
use tokio::sync::Notify;

use super::{
    filter::{Filters, Interest},
    record::Record,
};
use crate::{disk::Disk, lock::lock};

/// Prefix of the names of backlogs on disk.
pub(super) const PREFIX: &str = "stream/";
/// Lambda's limit on the size of an event.
const BATCH_MAX_BYTES: usize = 6 * 1024 * 1024;

/// Unprocessed stream records of one event-source mapping.
pub(crate) struct Backlog {
    pub(crate) mapping: String,
    pub(super) filters: Filters,
    pub(super) interest: Interest,
    records: Mutex<VecDeque<Arc<Record>>>,
    arrival: Notify,
    disk: Disk,
}

impl Backlog {
    /// Opens a mapping's backlog with the records on disk.
    pub(super) fn open(mapping: String, filters: Filters, disk: Disk) -> Result<Self> {
        let interest = filters.interest();
        let records = disk.list(&list(&mapping))?.into_iter().map(|(_, record)| Arc::new(record));
        let (records, arrival) = (Mutex::new(records.collect()), Notify::new());
        Ok(Self { mapping, filters, interest, records, arrival, disk })
    }

    pub(super) fn list(&self) -> String {
        list(&self.mapping)
    }

    pub(super) fn push(&self, record: Arc<Record>) {
        self.lock().push_back(record);
        self.arrival.notify_one();
    }

    /// Returns the oldest records that fit into one event, at most `max`.
    pub(crate) fn next(&self, max: usize) -> Vec<Arc<Record>> {
        let mut bytes = 0;
        let fits = |(position, record): &(usize, &Arc<Record>)| {
            bytes += record.bytes();
            *position == 0 || bytes <= BATCH_MAX_BYTES
        };
        self.lock()
            .iter()
            .take(max)
            .enumerate()
            .take_while(fits)
            .map(|(_, record)| Arc::clone(record))
            .collect()
    }

    pub(crate) fn remove(&self, count: usize) {
        let removed: Vec<_> = {
            let mut records = self.lock();
            let count = count.min(records.len());
            records.drain(..count).collect()
        };
        if removed.is_empty() {
            return;
        }
        let list = self.list();
        let saved = self
            .disk
            .write(|changes| removed.iter().try_for_each(|record| changes.remove(&list, record.sequence)));
        if let Err(error) = saved {
            tracing::error!(mapping = self.mapping, %error, "failed to save progress: records are delivered again after a restart");
        }
    }

    pub(crate) async fn wait_for_record(&self) {
        while self.len() == 0 {
            self.arrival.notified().await;
        }
    }

    /// Returns all records in write order.
    pub(crate) fn all(&self) -> Vec<Arc<Record>> {
        self.lock().iter().map(Arc::clone).collect()
    }

    pub(crate) fn len(&self) -> usize {
        self.lock().len()
    }

    pub(crate) fn oldest(&self) -> Option<Timestamp> {
        self.lock().front().map(|record| record.created)
    }

    fn lock(&self) -> MutexGuard<'_, VecDeque<Arc<Record>>> {
        lock(&self.records)
    }
}

fn list(mapping: &str) -> String {
    format!("{PREFIX}{mapping}")
}
