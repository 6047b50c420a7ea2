//! Reads notifications to push to their recipients.

use std::collections::{HashMap, HashSet};

use base::{NotificationId, UserId};
use futures::try_join;
use notifications::{NotificationNew, NotificationView};
use people::{User, users};
use platform::{App, BusEvent, Result, bus::Event};

/// Unread notifications, by recipient and ID. All recipients have active accounts.
pub(super) struct Unread(HashMap<(UserId, NotificationId), NotificationView>);

impl Unread {
    /// Returns the unread notifications that [`NotificationNew`] events refer to.
    pub(super) async fn of(app: &App, events: &[BusEvent]) -> Result<Self> {
        let is_pushed = app.has_proposed_features();
        let events = events.iter().filter(|event| is_pushed && event.name() == NotificationNew::NAME);
        // Skips events with invalid data. Such an event fails later, when it is pushed, and does not affect other
        // events.
        let events = events.filter_map(|event| event.detail().ok());
        let ids = events.map(|new: NotificationNew| (new.recipient_id, new.notification_id)).collect();
        Self::read(app, &ids).await
    }

    /// Returns the unread notifications in `ids`, without recipients whose accounts are not active.
    pub(super) async fn read(app: &App, ids: &HashSet<(UserId, NotificationId)>) -> Result<Self> {
        let recipients: HashSet<_> = ids.iter().map(|(recipient, _)| *recipient).collect();
        let keys: Vec<_> = recipients.into_iter().map(users::key).collect();
        let users = app.table.batch_get_eventual::<User>(&keys);
        let (users, views) = try_join!(users, notifications::find_unread(app, ids))?;
        let active: HashSet<_> = users.into_iter().filter(User::is_active).map(|user| user.id).collect();
        let views = views.into_iter().filter(|view| active.contains(&UserId::from(view.recipient_id)));
        Ok(Self(views.map(|view| ((view.recipient_id.into(), view.public_id), view)).collect()))
    }

    /// Returns the notification of an event, or `None` if the notification must not be pushed.
    pub(super) fn find(&self, event: &NotificationNew) -> Option<&NotificationView> {
        self.0.get(&(event.recipient_id, event.notification_id))
    }

    /// Returns the only notification, or `None` if there is none.
    pub(super) fn only(self) -> Option<NotificationView> {
        self.0.into_values().next()
    }
}
