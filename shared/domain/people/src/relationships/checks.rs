//! Checks that no block stands between people, before something is written.

use std::collections::HashSet;

use base::ids::UserId;
use futures::future::try_join_all;
use platform::{
    App,
    error::{Error, Result},
    table::Write,
};

use super::{Relationship, ViewContext, find, hidden_from, key};

const REFUSED: &str = "a block stands between you and this user";
const REFUSED_TOGETHER: &str = "a block stands between two of these people";

/// Returns whether either of two users blocked the other.
pub async fn is_blocked(app: &App, one: UserId, other: UserId) -> Result<bool> {
    find(app, one, other).await.map(|it| it.is_block())
}

/// Checks that neither of two users blocked the other.
///
/// # Errors
/// [`Error::Forbidden`] where a block stands.
pub async fn check_unblocked(app: &App, one: UserId, other: UserId) -> Result<()> {
    check_all_unblocked(app, one, &[other]).await
}

/// Checks that no block stands between one user and any of the others.
///
/// # Errors
/// [`Error::Forbidden`] where a block stands.
pub async fn check_all_unblocked(app: &App, one: UserId, others: &[UserId]) -> Result<()> {
    let keys: Vec<_> = others.iter().map(|it| key(one, *it)).collect();
    let relationships: Vec<Relationship> = app.table.batch_get(&keys).await?;
    match relationships.iter().any(Relationship::is_block) {
        true => Err(Error::Forbidden(REFUSED.into())),
        false => Ok(()),
    }
}

/// Checks that no block stands between any two of these people. The refusal names nobody.
///
/// # Errors
/// [`Error::Forbidden`] where a block stands.
pub async fn check_unblocked_among(app: &App, people: &[UserId]) -> Result<()> {
    let mut people = people.to_vec();
    people.sort_unstable();
    // Both sides of a block have a row: it is enough to ask each about those who come later.
    let later = |place| people.iter().copied().skip(place + 1).collect();
    let blocked = people.iter().enumerate().map(|(place, it)| is_blocked_among(app, *it, later(place)));
    match try_join_all(blocked).await?.contains(&true) {
        true => Err(Error::Forbidden(REFUSED_TOGETHER.into())),
        false => Ok(()),
    }
}

/// Checks that no block stands between one user and any of the others. The refusal names nobody.
///
/// # Errors
/// [`Error::Forbidden`] where a block stands.
pub async fn check_unblocked_with(app: &App, one: UserId, others: Vec<UserId>) -> Result<()> {
    match is_blocked_among(app, one, others.into_iter().collect()).await? {
        true => Err(Error::Forbidden(REFUSED_TOGETHER.into())),
        false => Ok(()),
    }
}

async fn is_blocked_among(app: &App, viewer: UserId, others: HashSet<UserId>) -> Result<bool> {
    let hidden = hidden_from(app, viewer, &others, ViewContext::Thread).await?;
    Ok(!hidden.is_disjoint(&others))
}

/// Returns a transaction's check that neither of two users blocked the other. It is forbidden otherwise.
pub fn check_unblocked_write(one: UserId, other: UserId) -> Write {
    if_unblocked_write(Write::check(key(one, other))).into()
}

/// Adds a condition to a write of a relationship: no block stands. It is forbidden otherwise.
pub(crate) fn if_unblocked_write<K>(write: Write<K>) -> Write<K> {
    let write = write.equals_or_lacks("blocks", false).equals_or_lacks("blockedBy", false);
    write.or(Error::Forbidden(REFUSED.into()))
}
