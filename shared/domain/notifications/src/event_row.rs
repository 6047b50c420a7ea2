//! Rows of events. A pending record lists only its first events, so each later event has a row.

use std::fmt::Display;

use base::EventId;
use platform::{HOUR_SECONDS, Key, Row, Time};
use serde::{Deserialize, Serialize};

use super::{
    Actors, NotificationType, Pending, Subject,
    entries::Entries,
    pending::{self, Listed},
};

const KEPT_SECONDS: i64 = 7 * 24 * HOUR_SECONDS;

/// An event that is not, or no longer, in the list of a pending record.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct NotificationEventRow {
    pk: String,
    pub(super) id: EventId,
    pub(super) actors: Actors,
    pub(super) at: Time,
    /// The actors who act again after a withdrawal.
    #[serde(default, skip_serializing_if = "Actors::is_empty")]
    pub(super) returning: Actors,
    #[serde(default, skip_serializing_if = "Entries::is_empty")]
    pub(super) withdrawn: Entries,
    /// The ID of the record that listed the event, and how often this record was flushed before the event was counted.
    /// `None` if no record ever listed the event.
    #[serde(skip_serializing_if = "Option::is_none")]
    listed_by: Option<(EventId, i64)>,
}

impl NotificationEventRow {
    pub(super) fn new(subject: &Subject, event: &Listed) -> Self {
        let [actors, returning] =
            [&event.actors, &event.returning].map(|people| Actors::default().with_older(people));
        let withdrawn = Entries::newest_of(event.withdrawn.iter().copied());
        let (pk, id, at) = (pending::partition(subject), event.id, event.at);
        Self { pk, id, actors, at, returning, withdrawn, listed_by: None }
    }

    /// Returns the row of a listed event that a flush has counted. Later flushes find this row and skip the event.
    pub(super) fn counted(record: &Pending, listed: &Listed) -> Self {
        Self { listed_by: Some((record.made, record.flushes)), ..Self::new(&record.subject, listed) }
    }

    /// Returns rows that exclude the events that `listed` withdraws, because a worker may record these events later.
    /// Returns no rows unless workers record events of this kind.
    pub(super) fn excluded(record: &Pending, listed: &Listed) -> impl Iterator<Item = Self> {
        let by_worker = record.subject.notification_type == NotificationType::Follow;
        let withdrawn = listed.withdrawn.iter().filter(move |_| by_worker);
        withdrawn.map(|&(id, _)| Self::counted(record, &Listed::empty(id, listed.at)))
    }

    /// Returns whether the row is about an event of `record`'s subject that an earlier flush counted. Returns false if
    /// the record's current flush wrote the row.
    pub(super) fn is_of_another_flush(&self, record: &Pending) -> bool {
        let next = Some((record.made, record.flushes));
        self.pk == pending::partition(&record.subject) && self.listed_by != next
    }
}

impl Pending {
    /// Returns the key of the row of an event.
    pub(super) fn event_key(&self, id: EventId) -> Key {
        Key::new(pending::partition(&self.subject), sk(id))
    }
}

/// `PENDING#recipient#target#type / EVENT#id`, expires after a week
impl Row for NotificationEventRow {
    fn key(&self) -> Key {
        Key::new(&self.pk, sk(self.id))
    }

    fn expires(&self) -> Option<Time> {
        Some(self.at.plus_seconds(KEPT_SECONDS))
    }
}

/// Returns the sort key of an event's row.
pub(super) fn sk(id: impl Display) -> String {
    format!("EVENT#{id}")
}
