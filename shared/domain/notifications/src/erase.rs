//! Removes deleted users from the notifications of other users.

use std::collections::HashSet;

use base::UserId;
use futures::future::try_join_all;
use platform::{App, Error, Key, Result, Row, Write, retry_on_conflict};

use super::{Notification, Subject, notification::key};

/// Removes a user from the notifications about `subjects`. Deletes a notification if no other actor is left.
pub async fn erase_actor(app: &App, user: UserId, subjects: &[Subject]) -> Result<()> {
    let mut keys: Vec<_> =
        subjects.iter().map(|subject| key(subject.recipient, subject.notification_id())).collect();
    keys.sort_unstable_by(|one, other| (&one.pk, &one.sk).cmp(&(&other.pk, &other.sk)));
    keys.dedup();
    let found: Vec<Notification> = app.table.batch_get(&keys).await?;
    let named = found.iter().filter(|notification| notification.names(user)).map(Row::key);
    try_join_all(named.map(|key| erase_in(app, user, key))).await.map(drop)
}

async fn erase_in(app: &App, user: UserId, key: Key) -> Result<()> {
    retry_on_conflict(async || {
        let found = app.table.get::<Notification>(&key).await?;
        let Some(before) = found.filter(|notification| notification.names(user)) else { return Ok(()) };
        match before.clone().without(&HashSet::from([user])) {
            Some(after) => {
                app.table.write(after.replace_write(Some(&before))).await?;
                update_mark(app, &after).await
            }
            None if remove(app, &before).await? => Ok(()),
            None => Err(Error::WriteConflict),
        }
    })
    .await
}

/// Updates the actors of a notification's unread mark. Has no effect if the notification was read.
pub(super) async fn update_mark(app: &App, notification: &Notification) -> Result<()> {
    app.table.try_write(Write::put(&notification.unread()).exists()).await.map(drop)
}

/// Deletes a notification and its unread mark. Returns false if the notification changed after it was read.
pub(super) async fn remove(app: &App, before: &Notification) -> Result<bool> {
    let notification = before.if_unchanged(Write::delete(before.key()));
    let writes = vec![notification.into(), Write::delete(before.unread().key()).into()];
    app.table.try_transact(writes).await.map(|refused| refused.is_none())
}

impl Notification {
    fn names(&self, user: UserId) -> bool {
        let has_avatar = || self.avatars.iter().any(|avatar| avatar.user_id == user.public());
        self.actors.ids().contains(&user) || self.last_actor_id == user || has_avatar()
    }
}
