//! Closing a private group while a block stands between its two people. The group's own row says that
//! it is closed, because every message reads that row anyway.

use base::ids::UserId;
use platform::{App, error::Result, table::Write};

use super::{
    group::{self, Group},
    pair::{self, Pair},
};

/// Returns the write that closes two people's private group, for the transaction of a block.
pub async fn close_write(app: &App, blocker: UserId, other: UserId) -> Result<Write> {
    let change = |group: Write| group.set(&Group::closed_attribute(blocker), true);
    pair_write(app, blocker, other, change).await
}

/// Returns the write that reopens two people's private group, for the transaction that ends a block. The group stays
/// closed while the other one blocks too.
pub async fn reopen_write(app: &App, blocker: UserId, other: UserId) -> Result<Write> {
    let change = |group: Write| group.remove(&Group::closed_attribute(blocker));
    pair_write(app, blocker, other, change).await
}

/// Returns the change of their group, or a check that they still have none.
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
