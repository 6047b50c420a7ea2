//! The actors that a notification shows with name and picture.

use base::UserId;
use people::{Person, users};
use platform::{App, Result};

use super::Notification;

const AVATARS_MAX: usize = 3;

/// Sets the avatars of each notification to the current profiles of its newest actors.
pub(super) async fn load_avatars(
    app: &App,
    notifications: impl Iterator<Item = &mut Notification>,
) -> Result<()> {
    let notifications: Vec<_> = notifications.collect();
    let mut people: Vec<_> = notifications.iter().flat_map(|notification| newest(notification)).collect();
    people.sort_unstable();
    people.dedup();
    let cards = users::cards(app, &people).await?;
    for notification in notifications {
        notification.avatars = newest(notification).filter_map(|id| Person::among(&cards, id)).collect();
    }
    Ok(())
}

fn newest(notification: &Notification) -> impl Iterator<Item = UserId> {
    notification.actors.ids().iter().take(AVATARS_MAX).copied()
}
