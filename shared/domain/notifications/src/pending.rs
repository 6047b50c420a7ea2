//! The events that wait for the next flush: one record counts those of one subject.

use std::{cmp::Reverse, collections::HashSet, ops::Not};

use base::ids::{EventId, UserId};
use platform::{
    App, Result,
    table::{Attempt, Index, Key, Query, Row, Unwritten, Write},
    time::Time,
};
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use super::Subject;

/// How many partitions the index of pending records is spread over: each takes a thousand writes a second, and an event
/// is one or two. It may be raised, but not lowered.
pub(super) const SHARDS: u128 = 16;

/// The people whose events a record lists at most: with them it stays below 1 KB.
pub(super) const LISTED_ACTORS_MAX: usize = 5;
/// The most events that it lists, whatever room those saw who listed them at the same time.
pub(super) const LISTED_MAX: usize = 8;

/// An event that lies on the record that counts it.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(super) struct Listed {
    pub(super) id: EventId,
    /// The people who did it, newest first.
    pub(super) actors: Vec<UserId>,
    pub(super) at: Time,
    /// Whether a worker recorded it, which may do so again.
    #[serde(default, skip_serializing_if = "Not::not")]
    pub(super) again: bool,
}

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
    /// The first events since the last flush, as they were committed; others have rows of their own.
    #[serde(default)]
    pub(super) listed: Vec<Listed>,
    /// Which record it is: the same event may begin another.
    pub(super) made: EventId,
    /// Those of its events that an earlier flush has counted, as a flush finds out.
    #[serde(skip)]
    pub(super) repeated: HashSet<EventId>,
}

/// A record as the table has it, complete or not.
#[derive(Serialize, Deserialize)]
pub(super) struct StoredPending {
    pk: String,
    #[serde(flatten)]
    fields: Map<String, Value>,
}

/// Returns how many people's events are listed.
pub(super) fn people_of(listed: &[Listed]) -> usize {
    listed.iter().map(|it| it.actors.len()).sum()
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

    /// Returns its sort key in the index.
    pub(super) fn since(&self) -> Option<String> {
        self.fields.get("gsi1sk")?.as_str().map(str::to_owned)
    }

    /// Removes a record that counts nothing, unless it changed since it was read.
    pub(super) async fn remove(&self, app: &App) -> Result<()> {
        let unchanged = |write: Write<Unwritten>, name: &str| write.is_still(name, self.fields.get(name));
        tracing::warn!("a pending record that counts nothing is deleted");
        let delete = ["count", "since", "updatedAt"].into_iter().fold(Write::delete(self.key()), unchanged);
        app.table.try_write(delete).await.map(drop)
    }
}

impl Pending {
    /// Returns how many events it counts that no earlier flush has.
    pub(super) fn counted(&self) -> i64 {
        let repeated = self.listed.iter().filter(|it| self.repeated.contains(&it.id));
        self.count - repeated.map(|it| it.actors.len() as i64).sum::<i64>()
    }

    /// Returns the events that it lists, and counts for the first time, which a worker may record again.
    pub(super) fn repeatable(&self) -> impl Iterator<Item = &Listed> {
        self.listed.iter().filter(|it| it.again && !self.repeated.contains(&it.id))
    }

    /// Returns the events that it lists, and counts for the first time, newest first.
    pub(super) fn listed_newest_first(&self) -> Vec<&Listed> {
        let mut listed: Vec<_> = self.listed.iter().filter(|it| !self.repeated.contains(&it.id)).collect();
        listed.sort_unstable_by_key(|it| Reverse(it.id));
        listed
    }

    /// Returns whether it lists all that it counts.
    pub(super) fn lists_all(&self) -> bool {
        people_of(&self.listed) as i64 >= self.count
    }

    /// Takes the count that was read off the record: removes it, or subtracts when events were added since. Does
    /// nothing when somebody else has.
    pub(super) async fn take(&self, app: &App) -> Result<()> {
        let delete = self.unflushed_write(Write::delete(key_of(&self.subject))).equals("count", self.count);
        if let Attempt::Refused(Some(_)) = app.table.attempt::<StoredPending>(delete).await? {
            let subtract = Write::update(key_of(&self.subject)).add("count", -self.count).add("flushes", 1);
            let subtract = subtract.remove_first("listed", self.listed.len());
            app.table.try_write(self.unflushed_write(subtract)).await?;
        }
        Ok(())
    }

    fn unflushed_write<K>(&self, write: Write<K>) -> Write<K> {
        let write = write.equals("since", self.since).equals_or_lacks("flushes", self.flushes);
        write.equals("made", self.made)
    }
}

/// Returns the records of a shard that have waited longest, behind those until `after`, as the index has them.
pub(super) async fn oldest(
    app: &App,
    shard: u128,
    after: Option<&str>,
    records: usize,
) -> Result<Vec<StoredPending>> {
    app.table.query(&Query::index(Index::Gsi1, shard_pk(shard)).after(after).limit(records)).await
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
