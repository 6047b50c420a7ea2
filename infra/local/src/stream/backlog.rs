//! The records that a mapping has yet to do, in lanes: what has the same partition key is in the same lane, in order.

use std::{
    collections::VecDeque,
    hash::{DefaultHasher, Hash, Hasher},
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
    lanes: Vec<Lane>,
    disk: Disk,
}

#[derive(Default)]
struct Lane {
    records: Mutex<VecDeque<Arc<Record>>>,
    arrival: Notify,
}

impl Backlog {
    /// Has what was there when the stack stopped.
    pub(super) fn open(mapping: String, filters: Filters, lanes: usize, disk: Disk) -> Result<Self> {
        let lanes = (0..lanes.max(1)).map(|_| Lane::default()).collect();
        let backlog = Self { mapping, interest: filters.interest(), filters, lanes, disk };
        let records = backlog.disk.list(&backlog.list())?;
        records.into_iter().for_each(|(_, record)| backlog.push(Arc::new(record)));
        Ok(backlog)
    }

    /// The name of its list on disk.
    pub(super) fn list(&self) -> String {
        format!("{PREFIX}{}", self.mapping)
    }

    pub(crate) fn lanes(&self) -> usize {
        self.lanes.len()
    }

    pub(super) fn push(&self, record: Arc<Record>) {
        let mut hasher = DefaultHasher::new();
        record.partition.hash(&mut hasher);
        let lane = &self.lanes[hasher.finish() as usize % self.lanes.len()];
        lane.lock().push_back(record);
        lane.arrival.notify_one();
    }

    /// The first records of a lane, as many as fit into a call.
    pub(crate) fn next(&self, lane: usize, most: usize) -> Vec<Arc<Record>> {
        let mut bytes = 0;
        let fits = |(position, record): &(usize, &Arc<Record>)| {
            bytes += record.bytes();
            *position == 0 || bytes <= BATCH_MAX_BYTES
        };
        let records = self.lanes[lane].lock();
        records.iter().take(most).enumerate().take_while(fits).map(|(_, it)| Arc::clone(it)).collect()
    }

    /// Forgets the first records of a lane.
    pub(crate) fn done(&self, lane: usize, count: usize) {
        if count == 0 {
            return;
        }
        let done: Vec<_> = {
            let mut records = self.lanes[lane].lock();
            let count = count.min(records.len());
            records.drain(..count).collect()
        };
        let list = self.list();
        let kept = self.disk.write(|it| done.iter().try_for_each(|record| it.remove(&list, record.sequence)));
        if let Err(error) = kept {
            tracing::error!(mapping = self.mapping, %error, "records come again after a restart");
        }
    }

    /// Waits until a lane has a record.
    pub(crate) async fn until_waiting(&self, lane: usize) {
        let lane = &self.lanes[lane];
        while lane.lock().is_empty() {
            lane.arrival.notified().await;
        }
    }

    /// Everything, in the order in which it was written.
    pub(crate) fn all(&self) -> Vec<Arc<Record>> {
        let mut all: Vec<_> = self
            .lanes
            .iter()
            .flat_map(|lane| lane.lock().iter().map(Arc::clone).collect::<Vec<_>>())
            .collect();
        all.sort_by_key(|record| record.sequence);
        all
    }

    pub(crate) fn waiting(&self, lane: usize) -> usize {
        self.lanes[lane].lock().len()
    }

    pub(crate) fn oldest(&self) -> Option<Timestamp> {
        self.lanes.iter().filter_map(|lane| lane.lock().front().map(|record| record.created)).min()
    }
}

impl Lane {
    fn lock(&self) -> MutexGuard<'_, VecDeque<Arc<Record>>> {
        self.records.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
