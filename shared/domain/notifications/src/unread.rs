//! The row that says that a notification is unread.

use std::{collections::HashSet, fmt::Display};

use base::ids::{EventId, NotificationId, Position, UserId};
use platform::{
    App, Result,
    table::{Key, Query, Row},
};
use serde::{Deserialize, Serialize};

use super::Actors;

/// How many unread notifications are read at once.
pub(super) const UNREAD_MAX: usize = 1000;

/// Marks a notification as unread. Its sort key is the notification's newest event, as in the list,
/// so one query finds the marks of a page. It is small, so counting all of them is cheap.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Unread {
    /// The user whose notification it is.
    pub(super) recipient: UserId,
    /// The notification's newest event.
    pub(super) event: EventId,
    /// The notification.
    pub(super) notification: NotificationId,
    /// All who are behind it while they are few. Nobody when they are many.
    pub(super) by: Actors,
}

impl Unread {
    /// Returns whether all who are behind it are among these people.
    pub(super) fn is_of(&self, people: &HashSet<UserId>) -> bool {
        let by = self.by.ids();
        !by.is_empty() && by.iter().all(|it| people.contains(it))
    }

    /// Returns the newest marks of a user, at most 1000.
    pub(super) async fn newest(app: &App, recipient: UserId) -> Result<Vec<Self>> {
        let query = Query::partition(pk(recipient)).prefix(sk("")).newest_first();
        app.table.query(&query.consistent().limit(UNREAD_MAX)).await
    }

    /// Returns the marks of a page that ends with the event `last`. The page begins below the cursor
    /// `after`.
    pub(super) async fn between(
        app: &App,
        recipient: UserId,
        last: EventId,
        after: Option<Position>,
    ) -> Result<Vec<Self>> {
        // The first page has no upper end: a mark may be newer than what the index says.
        let high = after.map_or_else(|| sk("~"), sk);
        app.table.query(&Query::partition(pk(recipient)).between(sk(last), high).consistent()).await
    }
}

fn pk(recipient: UserId) -> String {
    recipient.partition()
}

fn sk(event: impl Display) -> String {
    format!("UNREAD#{event}")
}

/// `USER#r / UNREAD#newest event`
impl Row for Unread {
    fn key(&self) -> Key {
        Key::new(pk(self.recipient), sk(self.event))
    }
}
