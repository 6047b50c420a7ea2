//! Checks for blocks between users before a write.

use std::collections::HashSet;

use base::UserId;
use futures::future::try_join_all;
use platform::{App, Error, Result, Write};

use super::{Relationship, ViewContext, find, hidden_from, key};

const BLOCKED: &str = "there is a block between you and this user";
const BLOCKED_AMONG: &str = "there is a block between two of these users";

/// Returns whether a block exists between two users.
pub async fn is_blocked(app: &App, one: UserId, other: UserId) -> Result<bool> {
    find(app, one, other).await.map(|relationship| relationship.is_block())
}

/// Checks that no block exists between two users.
///
/// # Errors
/// Fails with [`Error::Forbidden`] if a block exists.
pub async fn check_unblocked(app: &App, one: UserId, other: UserId) -> Result<()> {
    check_all_unblocked(app, one, &[other]).await
}

/// Checks that no block exists between the user `one` and any of the users `others`.
///
/// # Errors
/// Fails with [`Error::Forbidden`] if a block exists.
pub async fn check_all_unblocked(app: &App, one: UserId, others: &[UserId]) -> Result<()> {
    let keys: Vec<_> = others.iter().map(|other| key(one, *other)).collect();
    let relationships: Vec<Relationship> = app.table.batch_get(&keys).await?;
    match relationships.iter().any(Relationship::is_block) {
        true => Err(Error::Forbidden(BLOCKED.into())),
        false => Ok(()),
    }
}

/// Checks that no block exists between any two of these users. The error does not name the users.
///
/// # Errors
/// Fails with [`Error::Forbidden`] if a block exists.
pub async fn check_unblocked_among(app: &App, people: &[UserId]) -> Result<()> {
    let mut people = people.to_vec();
    people.sort_unstable();
    // Both users of a block have a row. So each user needs to be checked only against the users after them in the list.
    let later = |index| people[index + 1..].to_vec();
    let checks =
        people.iter().enumerate().map(|(index, user)| check_unblocked_with(app, *user, later(index)));
    try_join_all(checks).await.map(drop)
}

/// Checks that no block exists between the user `one` and any of the users `others`. The error does not name the users.
///
/// # Errors
/// Fails with [`Error::Forbidden`] if a block exists.
pub async fn check_unblocked_with(app: &App, one: UserId, others: Vec<UserId>) -> Result<()> {
    let others: HashSet<_> = others.into_iter().collect();
    let hidden = hidden_from(app, one, &others, ViewContext::Thread).await?;
    let refusal = || Error::Forbidden(BLOCKED_AMONG.into());
    hidden.is_disjoint(&others).then_some(()).ok_or_else(refusal)
}

/// Returns a transaction check that fails with [`Error::Forbidden`] if a block exists between the two users.
pub fn check_unblocked_write(one: UserId, other: UserId) -> Write {
    if_unblocked_write(Write::check(key(one, other))).into()
}

/// Adds a condition to the write of a relationship row. The write fails with [`Error::Forbidden`] if a block exists
/// between the two users.
pub(crate) fn if_unblocked_write<K>(write: Write<K>) -> Write<K> {
    let write = write.equals_or_lacks("blocks", false).equals_or_lacks("blockedBy", false);
    write.or(Error::Forbidden(BLOCKED.into()))
}
