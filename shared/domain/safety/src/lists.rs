//! Lists of blocked and muted users.

use base::UserId;
use platform::{App, Cursor, Page, Result};

use people::{FollowRow, Listed, follows::rows_of, relationships};

/// Returns a page of users that `user` blocks, newest first.
///
/// # Errors
/// Fails with [`platform::Error::Invalid`] if the user in the cursor was never in the list.
pub async fn blocked(app: &App, user: UserId, cursor: Cursor<UserId>) -> Result<Page<FollowRow>> {
    page(app, user, Listed::Blocked, cursor).await
}

/// Returns a page of users that `user` mutes, newest first.
///
/// # Errors
/// Fails with [`platform::Error::Invalid`] if the user in the cursor was never in the list.
pub async fn muted(app: &App, user: UserId, cursor: Cursor<UserId>) -> Result<Page<FollowRow>> {
    page(app, user, Listed::Muted, cursor).await
}

async fn page(app: &App, user: UserId, list: Listed, cursor: Cursor<UserId>) -> Result<Page<FollowRow>> {
    let last = match cursor.after {
        Some(other) => Some(relationships::position(app, user, list, other).await?),
        None => None,
    };
    let people = relationships::listed(app, user, list, last, cursor.take.rows() + 1).await?;
    let Page { rows: people, after } =
        Page::cut(people, cursor.take, |user: &UserId| user.public().to_string());
    Ok(Page { rows: rows_of(app, Some(user), &people).await?, after })
}
