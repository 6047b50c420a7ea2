//! What is waiting to be told: one record for each subject, found by how long it has waited.

use platform::{
    App, Result,
    table::{Index, Key, Query, Row, Write},
    time::Time,
};
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use super::Subject;
use crate::ids::{EventId, UserId};

/// Partitions that the list of pending records is spread over.
const SHARDS: u128 = 4;

/// The record of what waits, made by the first notification_event and deleted by the flush.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Pending {
    /// What it is about.
    #[serde(flatten)]
    pub subject: Subject,
    /// How often it happened since the last flush.
    pub count: i64,
    /// Who did it last.
    pub last_actor_id: UserId,
    /// When.
    pub updated_at: Time,
    /// The first notification_event; also its place in the list.
    pub since: EventId,
    /// How often a part of the count was taken off.
    #[serde(default)]
    pub flushes: i64,
}

/// A record as it is found, whether it is whole or not.
#[derive(Serialize, Deserialize)]
pub(super) struct Found {
    pk: String,
    #[serde(flatten)]
    fields: Map<String, Value>,
}

/// A record's key and its place in the list.
#[derive(Serialize, Deserialize)]
pub(super) struct Due {
    pk: String,
    gsi1sk: String,
}

impl Subject {
    pub(super) fn pending_pk(&self) -> String {
        format!("PENDING#{}#{}", self.recipient, self.name())
    }

    pub(super) fn pending_key(&self) -> Key {
        key(self.pending_pk())
    }

    pub(super) fn pending_place(&self, since: EventId) -> Key {
        Key::new(shard_pk(self.target_id.random() % SHARDS), since.to_string())
    }
}

impl Found {
    /// The record, if it can be told of.
    pub(super) fn whole(&self) -> Option<Pending> {
        serde_json::from_value(Value::Object(self.fields.clone())).ok()
    }

    /// No such record any more, unless it changed meanwhile.
    pub(super) fn removal(&self) -> Write {
        let unchanged = |write: Write, name: &str| match self.fields.get(name) {
            Some(value) => write.equals(name, value),
            None => write.lacks(name),
        };
        let removal = ["count", "since", "updatedAt"].into_iter().fold(Write::delete(self.key()), unchanged);
        removal.or(super::flush::CHANGED)
    }
}

impl Pending {
    /// The whole count off the record, which is then gone; only while nothing was added.
    pub(super) fn taken(&self) -> Write {
        self.unflushed(Write::delete(self.subject.pending_key())).equals("count", self.count)
    }

    /// The count off a record that is being added to.
    pub(super) fn taken_off(&self) -> Write {
        let record = Write::update(self.subject.pending_key()).add("count", -self.count).add("flushes", 1);
        self.unflushed(record)
    }

    fn unflushed(&self, write: Write) -> Write {
        let write = write.equals("since", self.since).equals_or_lacks("flushes", self.flushes);
        write.or(super::flush::CHANGED)
    }
}

/// The keys of the records that have waited longest. 4 calls, 0.5 RRU for each 4 KB.
///
/// # Errors
/// Internal only.
pub(super) async fn oldest(app: &App, records: usize) -> Result<Vec<Key>> {
    let shards: Vec<_> =
        (0..SHARDS).map(|it| Query::index(Index::Gsi1, shard_pk(it)).limit(records)).collect();
    let due = futures::future::try_join_all(shards.iter().map(|it| app.table.query::<Due>(it))).await?;
    let mut due: Vec<_> = due.into_iter().flatten().collect();
    due.sort_unstable_by(|one, other| one.gsi1sk.cmp(&other.gsi1sk));
    Ok(due.into_iter().take(records).map(|it| key(it.pk)).collect())
}

fn shard_pk(shard: u128) -> String {
    format!("PENDING#{shard}")
}

fn key(pk: String) -> Key {
    Key::new(pk, "PENDING")
}

/// `PENDING#author#target#type / PENDING`, gsi1 `PENDING#shard / since`
impl Row for Pending {
    fn key(&self) -> Key {
        self.subject.pending_key()
    }

    fn indexes(&self) -> Vec<(Index, Key)> {
        vec![(Index::Gsi1, self.subject.pending_place(self.since))]
    }
}

impl Row for Found {
    fn key(&self) -> Key {
        key(self.pk.clone())
    }
}

impl Row for Due {
    fn key(&self) -> Key {
        key(self.pk.clone())
    }
}
