//! Closes a private group while a block exists between its two users. The group's own row records the block, because
//! sending a message reads that row anyway.

use base::UserId;
use platform::{App, Result, Write};

use super::{
    group::{self, Group},
    pair::{self, Pair},
};

/// Returns the write that closes the private group of two users. Add the write to the transaction that begins a block.
pub async fn close_write(app: &App, blocker: UserId, other: UserId) -> Result<Write> {
    let change = |group: Write| group.set(&Group::closed_attribute(blocker), true);
    pair_write(app, blocker, other, change).await
}

/// Returns the write that reopens the private group of two users. Add the write to the transaction that ends a block.
/// The group stays closed if `other` also blocks `blocker`.
pub async fn reopen_write(app: &App, blocker: UserId, other: UserId) -> Result<Write> {
    let change = |group: Write| group.remove(&Group::closed_attribute(blocker));
    pair_write(app, blocker, other, change).await
}

/// Returns the write that applies `change` to the private group of two users. If the users have no private group,
/// returns a check that fails if they create one in the meantime.
async fn pair_write(
    app: &App,
    one: UserId,
    other: UserId,
    change: impl FnOnce(Write) -> Write,
) -> Result<Write> {
    let key = pair::key([one, other]);
    Ok(match app.table.get::<Pair>(&key).await? {
        Some(pair) => change(Write::update(group::key(pair.group))).exists(),
        None => Write::check(key).not_exists().into(),
    })
}
