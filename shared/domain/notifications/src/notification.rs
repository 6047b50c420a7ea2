//! A notification: all events about one subject.

use std::collections::HashSet;

use base::{EventId, NotificationId, UserId};
use people::Person;
use platform::{Index, Key, Row, Time, Write};
use serde::{Deserialize, Serialize};

use super::{Actors, Pending, Subject, entries::Entries, unread::Unread};

/// Maximum number of actors that an unread mark lists. With more actors, the mark lists none.
const MARK_ACTORS_MAX: usize = 3;

/// A notification's row. While the notification is unread, a separate row marks it as unread.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Notification {
    #[serde(flatten)]
    pub(super) subject: Subject,
    /// The users who caused the events, newest first.
    pub(super) actors: Actors,
    /// Profiles of the three newest actors, as of the notification's last change.
    pub(super) avatars: Vec<Person>,
    /// The newest 100 events, if events of this kind can be withdrawn one by one. Otherwise empty.
    #[serde(default, skip_serializing_if = "Entries::is_empty")]
    pub(super) entries: Entries,
    pub(super) count: i64,
    /// The user who caused the newest event.
    pub(super) last_actor_id: UserId,
    /// The newest event. Lists are sorted by this ID.
    pub(super) last_event: EventId,
    pub(super) last_event_at: Time,
    /// The pending record last added to `count`, and how many of its events were added.
    pub(super) flushed: Option<Flushed>,
}

/// The version of a pending record that was added to a notification. `count` is the number of the record's events minus
/// its withdrawals.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Flushed {
    since: EventId,
    flushes: i64,
    count: i64,
    /// The ID of the pending record.
    made: EventId,
}

impl Flushed {
    pub(super) fn of(pending: &Pending, count: i64) -> Self {
        Self { since: pending.since, flushes: pending.flushes, count, made: pending.made }
    }

    /// Returns how many of the record's events the notification already includes.
    pub(super) fn included(&self, pending: &Pending) -> i64 {
        let of_pending = (pending.since, pending.flushes, pending.made);
        match (self.since, self.flushes, self.made) == of_pending {
            true => self.count,
            false => 0,
        }
    }
}

impl Notification {
    /// Returns the ID that clients see.
    pub(super) fn id(&self) -> NotificationId {
        self.subject.notification_id()
    }

    /// Returns the write that replaces `before`. The write is refused if the stored notification changed.
    pub(super) fn replace_write(&self, before: Option<&Self>) -> Write {
        match before {
            Some(before) => before.if_unchanged(Write::put(self)),
            None => Write::create(self),
        }
    }

    /// Adds the condition that the stored notification is unchanged. Compares `flushed`, too, because a flush that adds
    /// and withdraws the same number of events does not change the count.
    pub(super) fn if_unchanged<K>(&self, write: Write<K>) -> Write<K> {
        write.equals("count", self.count).is_still("flushed", self.flushed)
    }

    /// Returns the notification without these actors, or `None` if no actor is left. Clears the avatars if they include
    /// a removed actor.
    pub(super) fn without(self, people: &HashSet<UserId>) -> Option<Self> {
        let before = [self.actors.ids().len(), self.entries.len()];
        let actors = self.actors.without(people);
        let entries = self.entries.retaining(|(_, actor)| !people.contains(&actor));
        let (left, newest) = (actors.ids().len(), actors.newest()?);
        let is_kept = |avatar: &Person| !people.contains(&UserId::from(avatar.user_id));
        let avatars = if self.avatars.iter().all(is_kept) { self.avatars } else { Vec::new() };
        let last_actor_id = if people.contains(&self.last_actor_id) { newest } else { self.last_actor_id };
        let removed = (before[0] - left).max(before[1] - entries.len());
        let count = (self.count - removed as i64).max(left as i64);
        Some(Self { actors, entries, avatars, count, last_actor_id, ..self })
    }

    pub(super) fn unread(&self) -> Unread {
        let (recipient, event) = (self.subject.recipient, self.last_event);
        let by =
            if self.actors.ids().len() <= MARK_ACTORS_MAX { self.actors.clone() } else { Actors::default() };
        Unread { recipient, event, notification: self.id(), by }
    }
}

pub(super) fn key(recipient: UserId, notification: NotificationId) -> Key {
    Key::new(recipient.partition(), format!("NOTIF#{notification}"))
}

/// Returns the partition of gsi1 that lists a user's notifications.
pub(super) fn by_recipient(recipient: UserId) -> String {
    format!("NOTIFS#{recipient}")
}

/// `USER#r / NOTIF#id` (the id is a hash of the subject), gsi1 `NOTIFS#r / newest event`
impl Row for Notification {
    fn key(&self) -> Key {
        key(self.subject.recipient, self.id())
    }

    fn indexes(&self) -> Vec<(Index, Key)> {
        vec![(Index::Gsi1, Key::new(by_recipient(self.subject.recipient), self.last_event.to_string()))]
    }
}
