//! Taking somebody who left out of the notifications of others.

use std::collections::HashSet;

use base::ids::UserId;
use futures::future::try_join_all;
use platform::{
    App, Result, retry_on_conflict,
    table::{Key, Row, Write},
};

use super::{Notification, Subject, notification::key};

/// Takes a person out of the notifications about these subjects, and deletes those behind which nobody else is.
pub async fn erase_actor(app: &App, person: UserId, subjects: &[Subject]) -> Result<()> {
    let mut keys: Vec<_> = subjects.iter().map(|it| key(it.recipient, it.notification_id())).collect();
    keys.sort_unstable_by(|one, other| (&one.pk, &one.sk).cmp(&(&other.pk, &other.sk)));
    keys.dedup();
    let found: Vec<Notification> = app.table.batch_get(&keys).await?;
    let named = found.iter().filter(|it| it.names(person)).map(Row::key);
    try_join_all(named.map(|it| erase_in(app, person, it))).await.map(drop)
}

async fn erase_in(app: &App, person: UserId, key: Key) -> Result<()> {
    retry_on_conflict(async || {
        let found = app.table.get::<Notification>(&key).await?;
        let Some(before) = found.filter(|it| it.names(person)) else { return Ok(()) };
        match before.clone().without(&HashSet::from([person])) {
            Some(after) => rewrite(app, &before, &after).await,
            None => remove(app, &before).await,
        }
    })
    .await
}

async fn rewrite(app: &App, before: &Notification, after: &Notification) -> Result<()> {
    app.table.write(after.replace_write(Some(before))).await?;
    // A refusal means that it was read.
    app.table.try_write(Write::put(&after.unread()).exists()).await.map(drop)
}

async fn remove(app: &App, before: &Notification) -> Result<()> {
    let notification = Write::delete(before.key()).equals("count", before.count);
    app.table.transact(vec![notification.into(), Write::delete(before.unread().key()).into()]).await
}

impl Notification {
    fn names(&self, person: UserId) -> bool {
        let faces = || self.faces.iter().any(|it| it.user_id == person);
        self.actors.ids().contains(&person) || self.last_actor_id == person || faces()
    }
}
