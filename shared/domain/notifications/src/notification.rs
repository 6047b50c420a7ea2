//! A notification: all events about one subject.

use std::collections::HashSet;

use base::ids::{EventId, NotificationId, UserId};
use people::users::Person;
use platform::{
    table::{Index, Key, Row, Write},
    time::Time,
};
use serde::{Deserialize, Serialize};

use super::{Actors, Pending, Subject, recent_events::RecentEvents, unread::Unread};

/// How many people the mark that a notification is unread names at most.
const FEW: usize = 3;

/// A notification's row. Another row says whether it is unread.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Notification {
    /// What it is about.
    #[serde(flatten)]
    pub subject: Subject,
    /// The people behind the events, newest first.
    pub actors: Actors,
    /// The three newest actors, as their profiles were at the last flush.
    pub faces: Vec<Person>,
    /// The number of events.
    pub count: i64,
    /// The user behind the newest event.
    pub last_actor_id: UserId,
    /// The newest event; lists are sorted by it.
    pub last_event: EventId,
    /// The time of the newest event.
    pub last_event_at: Time,
    /// What the count includes of the last record that was flushed.
    pub(super) flushed: Option<Flushed>,
}

/// The part of a pending record that a notification includes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Flushed {
    since: EventId,
    flushes: i64,
    count: i64,
    /// The record.
    made: EventId,
}

impl Flushed {
    fn of(pending: &Pending, count: i64) -> Self {
        Self { since: pending.since, flushes: pending.flushes, count, made: pending.made }
    }

    /// Returns the count of this very record that is included already.
    fn included(&self, pending: &Pending) -> i64 {
        let of_pending = (pending.since, pending.flushes, pending.made);
        match (self.since, self.flushes, self.made) == of_pending {
            true => self.count,
            false => 0,
        }
    }
}

impl Notification {
    /// Returns the notification with what it does not include yet of the pending count, and the recent events; of both
    /// what the recipient does not hide. Who did something later than all before stands before them. The faces are left
    /// empty.
    pub(super) fn merged(before: Option<&Self>, pending: &Pending, recent_events: RecentEvents) -> Self {
        let shown = recent_events.shown_of(pending);
        let (event, at) = recent_events.newest.unwrap_or((pending.since, pending.updated_at));
        let actor = recent_events.actors().next().unwrap_or(pending.last_actor_id);
        let (newer, late) = recent_events.actors_after(before.map(|it| it.last_event));
        let earlier = before.map_or(&[][..], |it| it.actors.ids());
        let later = before.filter(|it| it.last_event > event);
        let included = before.and_then(|it| it.flushed).map_or(0, |it| it.included(pending));
        Self {
            subject: pending.subject,
            actors: Actors::default()
                .with_older(&newer)
                .with_older(earlier)
                .with_older(&late)
                .with_older(&[actor]),
            faces: Vec::new(),
            count: before.map_or(0, |it| it.count) + shown - included,
            last_actor_id: later.map_or(actor, |it| it.last_actor_id),
            last_event: later.map_or(event, |it| it.last_event),
            last_event_at: later.map_or(at, |it| it.last_event_at),
            flushed: Some(Flushed::of(pending, shown)),
        }
    }

    /// Returns the id that clients see.
    pub fn id(&self) -> NotificationId {
        self.subject.notification_id()
    }

    /// Returns the write of the notification over the one that was read. It is refused when that changed since.
    pub(super) fn replace_write(&self, before: Option<&Self>) -> Write {
        match before {
            Some(before) => Write::put(self).equals("count", before.count),
            None => Write::create(self),
        }
    }

    /// Returns the notification without some people: without its faces where it showed them, and none when nobody
    /// else is behind it.
    pub(super) fn without(self, people: &HashSet<UserId>) -> Option<Self> {
        let before = self.actors.ids().len();
        let actors = self.actors.without(people);
        let (left, newest) = (actors.ids().len(), actors.newest()?);
        let is_shown = |it: &Person| !people.contains(&it.user_id);
        let faces = if self.faces.iter().all(is_shown) { self.faces } else { Vec::new() };
        let last_actor_id = if people.contains(&self.last_actor_id) { newest } else { self.last_actor_id };
        let count = (self.count - (before - left) as i64).max(left as i64);
        Some(Self { actors, faces, count, last_actor_id, ..self })
    }

    /// Returns the mark that it is unread.
    pub fn unread(&self) -> Unread {
        let (recipient, event) = (self.subject.recipient, self.last_event);
        let by = if self.actors.ids().len() <= FEW { self.actors.clone() } else { Actors::default() };
        Unread { recipient, event, notification: self.id(), by }
    }
}

/// Returns the key of a notification's row.
pub(super) fn key(recipient: UserId, notification: NotificationId) -> Key {
    Key::new(recipient.partition(), format!("NOTIF#{notification}"))
}

/// Returns the partition of gsi1 that lists a user's notifications.
pub(super) fn by_recipient(recipient: UserId) -> String {
    format!("NOTIFS#{recipient}")
}

/// `USER#r / NOTIF#id`, the id is a hash of the subject; gsi1 `NOTIFS#r / newest event`
impl Row for Notification {
    fn key(&self) -> Key {
        key(self.subject.recipient, self.id())
    }

    fn indexes(&self) -> Vec<(Index, Key)> {
        vec![(Index::Gsi1, Key::new(by_recipient(self.subject.recipient), self.last_event.to_string()))]
    }
}
