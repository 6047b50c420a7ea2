//! Pending records. Each record counts the new events of a subject until the next flush.

use std::{cmp::Reverse, collections::HashSet, ops::Not};

use base::{EventId, UserId};
use platform::{
    App, Index, Key, Query, Result, Row, Time, Write,
    table::{Attempt, Unwritten},
};
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use super::Subject;

/// Number of index partitions for pending records. Each partition accepts 1,000 writes per second, and an event causes
/// 1 or 2 writes. The number can be increased, but never decreased.
pub(super) const SHARDS: u128 = 16;

/// Maximum number of actors in a record's listed events. The limit keeps a record below 1 KB.
pub(super) const LISTED_ACTORS_MAX: usize = 5;
/// Maximum number of events that a record lists, even with concurrent writers.
pub(super) const LISTED_MAX: usize = 8;

/// An event in the list of a pending record. An event adds actors, withdraws earlier events, or both.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(super) struct Listed {
    pub(super) id: EventId,
    /// The users who acted, newest first.
    pub(super) actors: Vec<UserId>,
    pub(super) at: Time,
    /// Whether a worker recorded the event. A worker may record an event again.
    #[serde(default, skip_serializing_if = "Not::not")]
    pub(super) again: bool,
    /// The actors who repeat an action after a withdrawal. The recipient was already notified of the earlier action.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub(super) returning: Vec<UserId>,
    /// Withdrawn events with their actors.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub(super) withdrawn: Vec<(EventId, UserId)>,
}

/// The pending record of a subject. The first event creates the record, and the flush deletes the record.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Pending {
    #[serde(flatten)]
    pub(super) subject: Subject,
    /// The number of events since the last flush, including withdrawals.
    pub(super) count: i64,
    /// The number of withdrawals in `count`.
    #[serde(default)]
    pub(super) withdrawals: i64,
    /// The user who caused the newest event.
    pub(super) last_actor_id: UserId,
    /// The time of the newest event.
    pub(super) updated_at: Time,
    /// The ID of the newest request that caused an event, for the log lines of pushes. `None` if no request caused an
    /// event.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) request_id: Option<String>,
    /// The ID of the first event. The index of pending records is sorted by this ID.
    pub(super) since: EventId,
    /// The number of flushes that removed events from this record without deleting it.
    #[serde(default)]
    pub(super) flushes: i64,
    /// The first events since the last flush, in commit order. Later events have their own rows.
    #[serde(default)]
    pub(super) listed: Vec<Listed>,
    /// The ID of this record. Two records can have the same `since`, because a repeated event may create a second
    /// record.
    pub(super) made: EventId,
    /// The listed events that an earlier flush counted. Not stored: each flush determines these events again.
    #[serde(skip)]
    pub(super) repeated: HashSet<EventId>,
}

/// A pending record as stored, which may be incomplete.
#[derive(Serialize, Deserialize)]
pub(super) struct StoredPending {
    pk: String,
    #[serde(flatten)]
    fields: Map<String, Value>,
}

/// Returns the total number of actors and withdrawn events in the listed events.
pub(super) fn actor_count(listed: &[Listed]) -> usize {
    listed.iter().map(Listed::len).sum()
}

/// Returns the partition that contains a subject's pending record and its events.
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
    /// Returns the record, or `None` if the record is incomplete.
    pub(super) fn parse(&self) -> Option<Pending> {
        serde_json::from_value(Value::Object(self.fields.clone())).ok()
    }

    /// Returns the record's sort key in gsi1.
    pub(super) fn since(&self) -> Option<String> {
        self.fields.get("gsi1sk")?.as_str().map(str::to_owned)
    }

    /// Deletes this empty record, unless the record changed after the read.
    pub(super) async fn remove(&self, app: &App) -> Result<()> {
        let unchanged = |write: Write<Unwritten>, name: &str| write.is_still(name, self.fields.get(name));
        tracing::warn!("deleting a pending record without events");
        let delete = ["count", "since", "updatedAt"].into_iter().fold(Write::delete(self.key()), unchanged);
        app.table.try_write(delete).await.map(drop)
    }
}

impl Listed {
    /// Returns an event without actors.
    pub(super) fn empty(id: EventId, at: Time) -> Self {
        let (actors, returning, withdrawn) = (Vec::new(), Vec::new(), Vec::new());
        Self { id, actors, at, again: false, returning, withdrawn }
    }

    fn len(&self) -> usize {
        self.actors.len() + self.withdrawn.len()
    }
}

impl Pending {
    /// Returns the number of events that no earlier flush counted, without withdrawals.
    pub(super) fn new_count(&self) -> i64 {
        let repeated = self.repeated_events().map(|event| event.actors.len() as i64).sum::<i64>();
        self.count - self.withdrawals - repeated
    }

    /// Returns the number of withdrawals that no earlier flush counted.
    pub(super) fn new_withdrawals(&self) -> i64 {
        self.withdrawals - self.repeated_events().map(|event| event.withdrawn.len() as i64).sum::<i64>()
    }

    fn repeated_events(&self) -> impl Iterator<Item = &Listed> {
        self.listed.iter().filter(|event| self.repeated.contains(&event.id))
    }

    /// Returns the new listed events that later flushes must skip: events that a worker may record again, and
    /// withdrawals.
    pub(super) fn kept_events(&self) -> impl Iterator<Item = &Listed> {
        self.new_events().filter(|event| event.again || !event.withdrawn.is_empty())
    }

    fn new_events(&self) -> impl Iterator<Item = &Listed> {
        self.listed.iter().filter(|event| !self.repeated.contains(&event.id))
    }

    /// Returns the listed events that no earlier flush counted, newest first.
    pub(super) fn new_listed(&self) -> Vec<&Listed> {
        let mut listed: Vec<_> = self.new_events().collect();
        listed.sort_unstable_by_key(|event| Reverse(event.id));
        listed
    }

    /// Returns whether the list contains all events in `count`.
    pub(super) fn lists_all(&self) -> bool {
        actor_count(&self.listed) as i64 >= self.count
    }

    /// Deletes the record. If events were added after the read, removes only the flushed events. Has no effect if a
    /// concurrent flush already removed the flushed events.
    pub(super) async fn remove_flushed(&self, app: &App) -> Result<()> {
        let delete = self.unflushed_write(Write::delete(key_of(&self.subject))).equals("count", self.count);
        if let Attempt::Refused(Some(_)) = app.table.attempt::<StoredPending>(delete).await? {
            let subtract = Write::update(key_of(&self.subject)).add("count", -self.count).add("flushes", 1);
            let subtract = match self.withdrawals {
                0 => subtract,
                flushed => subtract.add("withdrawals", -flushed),
            };
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

/// Returns the oldest records of a shard after the sort key `after`. The index that lists the records may be outdated.
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
