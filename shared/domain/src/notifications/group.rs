//! A group of notifications: all that happened to one subject.

use platform::{
    table::{Index, Key, Row, Write},
    time::Time,
};
use serde::{Deserialize, Serialize};

use super::{Actors, Pending, Subject, notification_event::RecentEvents};
use crate::{
    ids::{EventId, NotificationId, UserId},
    people::users::Person,
};

/// A group's row. Whether it is read is not on it: see [`Unread`].
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Notification {
    /// What it is about.
    #[serde(flatten)]
    pub subject: Subject,
    /// Who did it, newest first.
    pub actors: Actors,
    /// The newest three, as they were when it was last flushed.
    pub faces: Vec<Person>,
    /// How often it happened.
    pub count: i64,
    /// Who did it last.
    pub last_actor_id: UserId,
    /// The newest notification_event; the group's place in the recipient's list.
    pub last_event: EventId,
    /// When it happened.
    pub last_event_at: Time,
}

/// That a group is unread. It stands where the group stands in the list, so that a page finds its
/// own; and it is small, so that counting all of them is cheap.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(super) struct Unread {
    /// Whose.
    pub(super) recipient: UserId,
    /// Where the group stands.
    pub(super) event: EventId,
    /// Which group.
    pub(super) notification: NotificationId,
}

impl Notification {
    /// The group with what was pending: counted, merged, and at the head if it is the newest.
    pub(super) fn with(before: Option<&Self>, pending: &Pending, recent_events: RecentEvents) -> Self {
        let (event, at) = recent_events.newest.unwrap_or((pending.since, pending.updated_at));
        let actor = recent_events.actors.ids().first().copied().unwrap_or(pending.last_actor_id);
        let earlier = before.map_or(&[][..], |it| it.actors.ids());
        let later = before.filter(|it| it.last_event > event);
        Self {
            subject: pending.subject,
            actors: recent_events.actors.and_before(&[actor]).and_before(earlier),
            faces: Vec::new(),
            count: before.map_or(0, |it| it.count) + pending.count,
            last_actor_id: later.map_or(actor, |it| it.last_actor_id),
            last_event: later.map_or(event, |it| it.last_event),
            last_event_at: later.map_or(at, |it| it.last_event_at),
        }
    }

    /// Its id, for clients.
    pub fn id(&self) -> NotificationId {
        self.subject.notification()
    }

    /// It and its unread mark instead of what was there before; only while that is unchanged.
    pub(super) fn instead_of(&self, before: Option<&Self>) -> Vec<Write> {
        let group = match before {
            Some(before) => Write::put(self).equals("count", before.count),
            None => Write::create(self),
        };
        let unread = Write::put(&self.unread());
        let moved = before.filter(|it| it.last_event != self.last_event);
        let moved = moved.map(|it| Write::delete(it.unread().key()));
        [group.or(super::flush::CHANGED), unread].into_iter().chain(moved).collect()
    }

    pub(super) fn unread(&self) -> Unread {
        let (recipient, event) = (self.subject.recipient, self.last_event);
        Unread { recipient, event, notification: self.id() }
    }
}

/// Where a group is.
pub(super) fn key(recipient: UserId, notification: NotificationId) -> Key {
    Key::new(format!("USER#{recipient}"), format!("NOTIF#{notification}"))
}

pub(super) fn list_pk(recipient: UserId) -> String {
    format!("NOTIFS#{recipient}")
}

/// `USER#r / NOTIF#id`, where the id is made of type and target; gsi1 `NOTIFS#r / newest notification_event`
impl Row for Notification {
    fn key(&self) -> Key {
        key(self.subject.recipient, self.id())
    }

    fn indexes(&self) -> Vec<(Index, Key)> {
        vec![(Index::Gsi1, Key::new(list_pk(self.subject.recipient), self.last_event.to_string()))]
    }
}

/// `USER#r / UNREAD#newest notification_event`
impl Row for Unread {
    fn key(&self) -> Key {
        Key::new(format!("USER#{}", self.recipient), format!("UNREAD#{}", self.event))
    }
}
