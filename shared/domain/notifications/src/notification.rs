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

/// Maximum number of actors that an unread mark lists. With more actors, the mark lists none.
const MARK_ACTORS_MAX: usize = 3;

/// A notification's row. A separate row exists while the notification is unread.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Notification {
    /// The recipient, kind of event and target.
    #[serde(flatten)]
    pub subject: Subject,
    /// The users behind the events, newest first.
    pub actors: Actors,
    /// Profiles of the three newest actors at the last flush.
    pub avatars: Vec<Person>,
    /// The number of events.
    pub count: i64,
    /// The user behind the newest event.
    pub last_actor_id: UserId,
    /// The newest event. Lists are sorted by this ID.
    pub last_event: EventId,
    /// The time of the newest event.
    pub last_event_at: Time,
    /// The last record that was added to `count`, and how many of its events were added.
    pub(super) flushed: Option<Flushed>,
}

/// The version of a pending record that a flush read, and how many of the record's events the notification includes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Flushed {
    since: EventId,
    flushes: i64,
    count: i64,
    /// The id of the record.
    made: EventId,
}

impl Flushed {
    fn of(pending: &Pending, count: i64) -> Self {
        Self { since: pending.since, flushes: pending.flushes, count, made: pending.made }
    }

    /// Returns the number of events of this record that are already included.
    fn included(&self, pending: &Pending) -> i64 {
        let of_pending = (pending.since, pending.flushes, pending.made);
        match (self.since, self.flushes, self.made) == of_pending {
            true => self.count,
            false => 0,
        }
    }
}

impl Notification {
    /// Returns the notification `before` with the events that it does not include yet. `recent_events` omits hidden
    /// users. Actors with an event newer than `before` come first. The avatars stay empty.
    pub(super) fn merged(before: Option<&Self>, pending: &Pending, recent_events: RecentEvents) -> Self {
        let visible = recent_events.visible_count(pending);
        let (event, at) = recent_events.newest.unwrap_or((pending.since, pending.updated_at));
        let actor = recent_events.actors().next().unwrap_or(pending.last_actor_id);
        let (newer, late) = recent_events.actors_after(before.map(|it| it.last_event));
        let earlier = before.map_or(&[][..], |notification| notification.actors.ids());
        let later = before.filter(|notification| notification.last_event > event);
        let included = before.and_then(|it| it.flushed).map_or(0, |it| it.included(pending));
        Self {
            subject: pending.subject,
            actors: Actors::default()
                .with_older(&newer)
                .with_older(earlier)
                .with_older(&late)
                .with_older(&[actor]),
            avatars: Vec::new(),
            count: before.map_or(0, |it| it.count) + visible - included,
            last_actor_id: later.map_or(actor, |it| it.last_actor_id),
            last_event: later.map_or(event, |it| it.last_event),
            last_event_at: later.map_or(at, |it| it.last_event_at),
            flushed: Some(Flushed::of(pending, visible)),
        }
    }

    /// Returns the id that clients see.
    pub fn id(&self) -> NotificationId {
        self.subject.notification_id()
    }

    /// Returns the write that replaces `before`. The write is refused if the stored notification changed.
    pub(super) fn replace_write(&self, before: Option<&Self>) -> Write {
        match before {
            Some(before) => Write::put(self).equals("count", before.count),
            None => Write::create(self),
        }
    }

    /// Returns the notification without these actors, or `None` if no actor is left. Clears the avatars if they include
    /// a removed actor.
    pub(super) fn without(self, people: &HashSet<UserId>) -> Option<Self> {
        let before = self.actors.ids().len();
        let actors = self.actors.without(people);
        let (left, newest) = (actors.ids().len(), actors.newest()?);
        let is_kept = |avatar: &Person| !people.contains(&UserId::from(avatar.user_id));
        let avatars = if self.avatars.iter().all(is_kept) { self.avatars } else { Vec::new() };
        let last_actor_id = if people.contains(&self.last_actor_id) { newest } else { self.last_actor_id };
        let count = (self.count - (before - left) as i64).max(left as i64);
        Some(Self { actors, avatars, count, last_actor_id, ..self })
    }

    /// Returns the notification's unread mark.
    pub fn unread(&self) -> Unread {
        let (recipient, event) = (self.subject.recipient, self.last_event);
        let by =
            if self.actors.ids().len() <= MARK_ACTORS_MAX { self.actors.clone() } else { Actors::default() };
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

/// `USER#r / NOTIF#id` (the id is a hash of the subject), gsi1 `NOTIFS#r / newest event`
impl Row for Notification {
    fn key(&self) -> Key {
        key(self.subject.recipient, self.id())
    }

    fn indexes(&self) -> Vec<(Index, Key)> {
        vec![(Index::Gsi1, Key::new(by_recipient(self.subject.recipient), self.last_event.to_string()))]
    }
}
