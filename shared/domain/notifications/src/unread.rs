//! Unread marks of notifications.

use std::{collections::HashSet, fmt::Display};

use base::{EventId, NotificationId, Position, UserId};
use platform::{App, Key, Query, Result, Row};
use serde::{Deserialize, Serialize};

use super::Actors;

/// Maximum number of unread marks that one query reads.
pub(super) const UNREAD_MAX: usize = 1000;

/// Marks a notification as unread. The marks have the same order as the list of notifications, so one query finds the
/// marks of a page.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(super) struct Unread {
    pub(super) recipient: UserId,
    /// The notification's newest event.
    pub(super) event: EventId,
    pub(super) notification: NotificationId,
    /// The notification's actors if there are at most 3, otherwise empty.
    pub(super) by: Actors,
}

impl Unread {
    /// Returns whether `people` contains all of the notification's actors. Returns false if the mark lists no actors.
    pub(super) fn is_of(&self, people: &HashSet<UserId>) -> bool {
        let by = self.by.ids();
        !by.is_empty() && by.iter().all(|actor| people.contains(actor))
    }

    /// Returns the newest 1,000 unread marks of a user.
    pub(super) async fn newest(app: &App, recipient: UserId) -> Result<Vec<Self>> {
        let query = Query::partition(recipient.partition()).prefix(sk("")).newest_first();
        app.table.query(&query.consistent().limit(UNREAD_MAX)).await
    }

    /// Returns the unread marks for a page of notifications. The page begins after the position `after`, and ends with
    /// the event `last`.
    pub(super) async fn between(
        app: &App,
        recipient: UserId,
        last: EventId,
        after: Option<Position>,
    ) -> Result<Vec<Self>> {
        // The first page has no upper bound, because the index may not contain the newest notification yet.
        let high = after.map_or_else(|| sk("~"), sk);
        app.table.query(&Query::partition(recipient.partition()).between(sk(last), high).consistent()).await
    }
}

fn sk(event: impl Display) -> String {
    format!("UNREAD#{event}")
}

/// `USER#r / UNREAD#newest event`
impl Row for Unread {
    fn key(&self) -> Key {
        Key::new(self.recipient.partition(), sk(self.event))
    }
}
