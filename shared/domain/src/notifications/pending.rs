//! The events that wait for the next flush: one record counts those of one subject.

use platform::{
    App, Result,
    table::{Index, Key, Query, Row, Unwritten, Write},
    time::Time,
};
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use super::Subject;
use crate::ids::{EventId, UserId};

/// How many partitions the index of pending records is spread over.
const SHARDS: u128 = 4;

/// The record of a subject. Its first event creates it, and the flush deletes it.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Pending {
    /// What the events are about.
    #[serde(flatten)]
    pub subject: Subject,
    /// The number of events since the last flush.
    pub count: i64,
    /// The user behind the newest event.
    pub last_actor_id: UserId,
    /// The time of the newest event.
    pub updated_at: Time,
    /// The first event; the index is sorted by it.
    pub since: EventId,
    /// How often a flush has subtracted from the count.
    #[serde(default)]
    pub flushes: i64,
}

/// A record as the table has it, complete or not.
#[derive(Serialize, Deserialize)]
pub(super) struct StoredPending {
    pk: String,
    #[serde(flatten)]
    fields: Map<String, Value>,
}

/// A record's partition and its sort key in the index.
#[derive(Serialize, Deserialize)]
pub(super) struct PendingIndexKey {
    pk: String,
    gsi1sk: String,
}

/// Returns the partition of a subject's pending record and of its events.
pub(super) fn partition(subject: &Subject) -> String {
    format!("PENDING#{}#{}", subject.recipient, subject.name())
}

/// Returns the key of a subject's pending record.
pub(super) fn key_of(subject: &Subject) -> Key {
    key(partition(subject))
}

/// Returns the key in gsi1 of a record whose first event is `since`.
pub(super) fn waiting_since(subject: &Subject, since: EventId) -> Key {
    Key::new(shard_pk(subject.target_id.random() % SHARDS), since.to_string())
}

impl StoredPending {
    /// Returns the record, or none when it is incomplete.
    pub(super) fn parse(&self) -> Option<Pending> {
        serde_json::from_value(Value::Object(self.fields.clone())).ok()
    }

    /// Deletes the record. Stale when it changed since it was read.
    pub(super) fn delete_write(&self) -> Write {
        let unchanged = |write: Write<Unwritten>, name: &str| match self.fields.get(name) {
            Some(value) => write.equals(name, value),
            None => write.lacks(name),
        };
        ["count", "since", "updatedAt"].into_iter().fold(Write::delete(self.key()), unchanged).into()
    }
}

impl Pending {
    /// Deletes the record. Stale when an event was added since it was read.
    pub(super) fn delete_write(&self) -> Write {
        self.unflushed_write(Write::delete(key_of(&self.subject))).equals("count", self.count).into()
    }

    /// Subtracts the count that was read. Stale only when another flush was faster.
    pub(super) fn subtract_write(&self) -> Write {
        let record = Write::update(key_of(&self.subject)).add("count", -self.count).add("flushes", 1);
        self.unflushed_write(record)
    }

    fn unflushed_write<K>(&self, write: Write<K>) -> Write<K> {
        write.equals("since", self.since).equals_or_lacks("flushes", self.flushes)
    }
}

/// Returns the keys of the records that have waited longest. Costs 4 calls and 0.5 RRU for each 4 KB.
pub(super) async fn oldest(app: &App, records: usize) -> Result<Vec<Key>> {
    let shards: Vec<_> =
        (0..SHARDS).map(|it| Query::index(Index::Gsi1, shard_pk(it)).limit(records)).collect();
    let pages = shards.iter().map(|it| app.table.query::<PendingIndexKey>(it));
    let mut found: Vec<_> = futures::future::try_join_all(pages).await?.into_iter().flatten().collect();
    found.sort_unstable_by(|one, other| one.gsi1sk.cmp(&other.gsi1sk));
    Ok(found.into_iter().take(records).map(|it| key(it.pk)).collect())
}

fn shard_pk(shard: u128) -> String {
    format!("PENDING#{shard}")
}

fn key(pk: String) -> Key {
    Key::new(pk, "PENDING")
}

/// `PENDING#recipient#target#type / PENDING`, gsi1 `PENDING#shard / since`
impl Row for Pending {
    fn key(&self) -> Key {
        key_of(&self.subject)
    }

    fn indexes(&self) -> Vec<(Index, Key)> {
        vec![(Index::Gsi1, waiting_since(&self.subject, self.since))]
    }
}

impl Row for StoredPending {
    fn key(&self) -> Key {
        key(self.pk.clone())
    }
}

impl Row for PendingIndexKey {
    fn key(&self) -> Key {
        key(self.pk.clone())
    }
}
