//! Checks for blocks between users before a write.

use std::collections::HashSet;

use base::ids::UserId;
use futures::future::try_join_all;
use platform::{
    App,
    error::{Error, Result},
    table::Write,
};

use super::{Relationship, ViewContext, find, hidden_from, key};

const BLOCKED: &str = "there is a block between you and this user";
const BLOCKED_AMONG: &str = "there is a block between two of these users";

/// Returns whether either of two users blocks the other.
pub async fn is_blocked(app: &App, one: UserId, other: UserId) -> Result<bool> {
    find(app, one, other).await.map(|it| it.is_block())
}

/// Checks that neither of two users blocks the other.
///
/// # Errors
/// Fails with [`Error::Forbidden`] if there is a block.
pub async fn check_unblocked(app: &App, one: UserId, other: UserId) -> Result<()> {
    check_all_unblocked(app, one, &[other]).await
}

/// Checks that there is no block between one user and any of the others.
///
/// # Errors
/// Fails with [`Error::Forbidden`] if there is a block.
pub async fn check_all_unblocked(app: &App, one: UserId, others: &[UserId]) -> Result<()> {
    let keys: Vec<_> = others.iter().map(|other| key(one, *other)).collect();
    let relationships: Vec<Relationship> = app.table.batch_get(&keys).await?;
    match relationships.iter().any(Relationship::is_block) {
        true => Err(Error::Forbidden(BLOCKED.into())),
        false => Ok(()),
    }
}

/// Checks that there is no block between any two of these users. The error does not name them.
///
/// # Errors
/// Fails with [`Error::Forbidden`] if there is a block.
pub async fn check_unblocked_among(app: &App, people: &[UserId]) -> Result<()> {
    let mut people = people.to_vec();
    people.sort_unstable();
    // Both sides of a block have a row, so checking each user against the later ones is enough.
    let later = |index| people.iter().copied().skip(index + 1).collect();
    let blocked = people.iter().enumerate().map(|(index, user)| is_blocked_among(app, *user, later(index)));
    match try_join_all(blocked).await?.contains(&true) {
        true => Err(Error::Forbidden(BLOCKED_AMONG.into())),
        false => Ok(()),
    }
}

/// Checks that there is no block between one user and any of the others. The error does not name them.
///
/// # Errors
/// Fails with [`Error::Forbidden`] if there is a block.
pub async fn check_unblocked_with(app: &App, one: UserId, others: Vec<UserId>) -> Result<()> {
    match is_blocked_among(app, one, others.into_iter().collect()).await? {
        true => Err(Error::Forbidden(BLOCKED_AMONG.into())),
        false => Ok(()),
    }
}

async fn is_blocked_among(app: &App, viewer: UserId, others: HashSet<UserId>) -> Result<bool> {
    let hidden = hidden_from(app, viewer, &others, ViewContext::Thread).await?;
    Ok(!hidden.is_disjoint(&others))
}

/// Returns a transaction check that neither of two users blocks the other. It fails with [`Error::Forbidden`]
/// otherwise.
pub fn check_unblocked_write(one: UserId, other: UserId) -> Write {
    if_unblocked_write(Write::check(key(one, other))).into()
}

/// Adds the condition that there is no block to a write of a relationship. It fails with [`Error::Forbidden`]
/// otherwise.
pub(crate) fn if_unblocked_write<K>(write: Write<K>) -> Write<K> {
    let write = write.equals_or_lacks("blocks", false).equals_or_lacks("blockedBy", false);
    write.or(Error::Forbidden(BLOCKED.into()))
}
