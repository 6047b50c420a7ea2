//! The records that a mapping has yet to do, in the order in which they were written.

use std::{
    collections::VecDeque,
    sync::{Arc, Mutex, MutexGuard, PoisonError},
};

use anyhow::Result;
use jiff::Timestamp;
use tokio::sync::Notify;

use super::{
    filter::{Filters, Interest},
    record::Record,
};
use crate::disk::Disk;

/// What the names of the lists on disk begin with.
pub(super) const PREFIX: &str = "stream/";
/// What Lambda hands to a function is at most so large.
const BATCH_MAX_BYTES: usize = 6 * 1024 * 1024;

/// One mapping's part of the journal.
pub(crate) struct Backlog {
    pub(crate) mapping: String,
    pub(super) filters: Filters,
    pub(super) interest: Interest,
    records: Mutex<VecDeque<Arc<Record>>>,
    arrival: Notify,
    disk: Disk,
}

impl Backlog {
    /// Has what was there when the stack stopped.
    pub(super) fn open(mapping: String, filters: Filters, disk: Disk) -> Result<Self> {
        let interest = filters.interest();
        let records = disk.list(&list(&mapping))?.into_iter().map(|(_, record)| Arc::new(record));
        let (records, arrival) = (Mutex::new(records.collect()), Notify::new());
        Ok(Self { mapping, filters, interest, records, arrival, disk })
    }

    /// The name of its list on disk.
    pub(super) fn list(&self) -> String {
        list(&self.mapping)
    }

    pub(super) fn push(&self, record: Arc<Record>) {
        self.lock().push_back(record);
        self.arrival.notify_one();
    }

    /// The first records, as many as fit into a call.
    pub(crate) fn next(&self, most: usize) -> Vec<Arc<Record>> {
        let mut bytes = 0;
        let fits = |(position, record): &(usize, &Arc<Record>)| {
            bytes += record.bytes();
            *position == 0 || bytes <= BATCH_MAX_BYTES
        };
        self.lock().iter().take(most).enumerate().take_while(fits).map(|(_, it)| Arc::clone(it)).collect()
    }

    /// Forgets the first records.
    pub(crate) fn done(&self, count: usize) {
        let done: Vec<_> = {
            let mut records = self.lock();
            let count = count.min(records.len());
            records.drain(..count).collect()
        };
        if done.is_empty() {
            return;
        }
        let list = self.list();
        let kept = self.disk.write(|it| done.iter().try_for_each(|record| it.remove(&list, record.sequence)));
        if let Err(error) = kept {
            tracing::error!(mapping = self.mapping, %error, "records come again after a restart");
        }
    }

    /// Waits until there is a record.
    pub(crate) async fn until_waiting(&self) {
        while self.waiting() == 0 {
            self.arrival.notified().await;
        }
    }

    /// Everything, in the order in which it was written.
    pub(crate) fn all(&self) -> Vec<Arc<Record>> {
        self.lock().iter().map(Arc::clone).collect()
    }

    pub(crate) fn waiting(&self) -> usize {
        self.lock().len()
    }

    pub(crate) fn oldest(&self) -> Option<Timestamp> {
        self.lock().front().map(|record| record.created)
    }

    fn lock(&self) -> MutexGuard<'_, VecDeque<Arc<Record>>> {
        self.records.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

fn list(mapping: &str) -> String {
    format!("{PREFIX}{mapping}")
}
