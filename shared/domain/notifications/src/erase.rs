//! Removes deleted users from the notifications of other users.

use std::collections::HashSet;

use base::ids::UserId;
use futures::future::try_join_all;
use platform::{
    App, Result, retry_on_conflict,
    table::{Key, Row, Write},
};

use super::{Notification, Subject, notification::key};

/// Removes a user from the notifications about `subjects`. Deletes a notification if no other actor is left.
pub async fn erase_actor(app: &App, user: UserId, subjects: &[Subject]) -> Result<()> {
    let mut keys: Vec<_> =
        subjects.iter().map(|subject| key(subject.recipient, subject.notification_id())).collect();
    keys.sort_unstable_by(|one, other| (&one.pk, &one.sk).cmp(&(&other.pk, &other.sk)));
    keys.dedup();
    let found: Vec<Notification> = app.table.batch_get(&keys).await?;
    let named = found.iter().filter(|it| it.names(user)).map(Row::key);
    try_join_all(named.map(|key| erase_in(app, user, key))).await.map(drop)
}

async fn erase_in(app: &App, user: UserId, key: Key) -> Result<()> {
    retry_on_conflict(async || {
        let found = app.table.get::<Notification>(&key).await?;
        let Some(before) = found.filter(|it| it.names(user)) else { return Ok(()) };
        match before.clone().without(&HashSet::from([user])) {
            Some(after) => rewrite(app, &before, &after).await,
            None => remove(app, &before).await,
        }
    })
    .await
}

async fn rewrite(app: &App, before: &Notification, after: &Notification) -> Result<()> {
    app.table.write(after.replace_write(Some(before))).await?;
    // The write is refused if the notification has no unread mark because it was read.
    app.table.try_write(Write::put(&after.unread()).exists()).await.map(drop)
}

async fn remove(app: &App, before: &Notification) -> Result<()> {
    let notification = Write::delete(before.key()).equals("count", before.count);
    app.table.transact(vec![notification.into(), Write::delete(before.unread().key()).into()]).await
}

impl Notification {
    fn names(&self, user: UserId) -> bool {
        let has_avatar = || self.avatars.iter().any(|avatar| avatar.user_id == user.public());
        self.actors.ids().contains(&user) || self.last_actor_id == user || has_avatar()
    }
}
