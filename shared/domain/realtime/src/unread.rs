//! Notifications as they are pushed: those of a batch are read together.

use std::collections::{HashMap, HashSet};

use base::ids::{NotificationId, UserId};
use futures::try_join;
use notifications::{NotificationNew, NotificationView};
use people::users::{self, User};
use platform::{
    App, Result,
    bus::{BusEvent, Event},
};

/// Notifications that have just got an event, of recipients whose accounts work.
pub(super) struct Unread(HashMap<(UserId, NotificationId), NotificationView>);

impl Unread {
    /// Reads those of which events tell that are pushed.
    pub(super) async fn of(app: &App, events: &[BusEvent]) -> Result<Self> {
        let is_pushed = app.has_proposed_features();
        let events = events.iter().filter(|it| is_pushed && it.name() == NotificationNew::NAME);
        // What is no such event fails when it is to be pushed, and keeps none of the others back.
        let events = events.filter_map(|it| it.detail().ok());
        Self::read(app, &events.map(|it: NotificationNew| (it.recipient_id, it.notification_id)).collect())
            .await
    }

    /// Reads those of these recipients with these ids.
    pub(super) async fn read(app: &App, ids: &HashSet<(UserId, NotificationId)>) -> Result<Self> {
        let recipients: HashSet<_> = ids.iter().map(|it| it.0).collect();
        let keys: Vec<_> = recipients.into_iter().map(users::key).collect();
        let users = app.table.batch_get_eventual::<User>(&keys);
        let (users, views) = try_join!(users, notifications::find_unread(app, ids))?;
        let active: HashSet<_> = users.into_iter().filter(User::is_active).map(|it| it.id).collect();
        let views = views.into_iter().filter(|it| active.contains(&it.recipient_id));
        Ok(Self(views.map(|it| ((it.recipient_id, it.public_id), it)).collect()))
    }

    /// Returns the one of which an event tells.
    pub(super) fn find(&self, event: &NotificationNew) -> Option<&NotificationView> {
        self.0.get(&(event.recipient_id, event.notification_id))
    }

    /// Returns the only one.
    pub(super) fn only(self) -> Option<NotificationView> {
        self.0.into_values().next()
    }
}
