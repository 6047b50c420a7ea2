//! A private group is closed while a block stands between its two people. The group itself says so,
//! because it is read with every message anyway: sending asks nothing more.

use platform::{
    App,
    error::{Error, Result},
    table::Write,
};

use super::{Group, key, rows::Pair};
use crate::ids::UserId;

const MADE: Error = Error::Conflict("their group was made meanwhile");
const CLOSED: &str = "a block stands between you and this user";

/// For the transaction of a block: the private group of these two closes. 1 call, 1 RRU; 2 WRU.
///
/// # Errors
/// Internal only.
pub async fn closing(app: &App, blocker: UserId, other: UserId) -> Result<Write> {
    step(app, blocker, other, |group| group.set(&Group::closed_name(blocker), true)).await
}

/// For the transaction that ends a block: the private group of these two opens, unless the other one
/// blocks too. 1 call, 1 RRU; 2 WRU.
///
/// # Errors
/// Internal only.
pub async fn opening(app: &App, blocker: UserId, other: UserId) -> Result<Write> {
    step(app, blocker, other, |group| group.remove(&Group::closed_name(blocker))).await
}

/// Where they have no group, none must come meanwhile.
async fn step(app: &App, one: UserId, other: UserId, change: impl FnOnce(Write) -> Write) -> Result<Write> {
    let pair = Pair::key_of([one, other]);
    Ok(match app.table.get::<Pair>(&pair).await? {
        Some(pair) => change(Write::update(key(pair.group))).exists(),
        None => Write::check(pair).not_exists().or(MADE),
    })
}

impl Group {
    /// Refuses while a block stands between the two people of a private group.
    pub(super) fn must_be_open(&self) -> Result<()> {
        match self.closed() {
            true => Err(Error::Forbidden(CLOSED.into())),
            false => Ok(()),
        }
    }
}
