//! The author and the mentioned users of a new post.

use base::UserId;
use platform::{App, Error, Result};

use crate::values::UNKNOWN;
use people::{User, relationships, users};

pub(crate) const NO_AUTHOR: Error = Error::NotFound("author");

/// Returns the author of a new post, and checks the mentioned users. Fails with [`Error::NotFound`] if the author does
/// not exist. Fails with [`Error::Invalid`] if a mentioned user does not exist. Fails with [`Error::Forbidden`] if a
/// block exists between the author and a mentioned user.
pub(super) async fn find_author(app: &App, author: UserId, mentioned: &[UserId]) -> Result<User> {
    if mentioned.is_empty() {
        return users::find(app, author).await?.ok_or(NO_AUTHOR);
    }
    let mut wanted: Vec<_> = mentioned.iter().copied().chain([author]).collect();
    wanted.sort_unstable();
    wanted.dedup();
    let found = users::find_all(app, &wanted);
    let (found, ()) = futures::try_join!(found, relationships::check_all_unblocked(app, author, mentioned))?;
    check_all_found(mentioned, &found)?;
    found.into_iter().find(|user| user.id == author).ok_or(NO_AUTHOR)
}

/// Checks that all mentioned users exist. Fails with [`Error::Invalid`] if a mentioned user does not exist.
pub(crate) async fn check_mentioned(app: &App, mentioned: &[UserId]) -> Result<()> {
    check_all_found(mentioned, &users::find_all(app, mentioned).await?)
}

fn check_all_found(mentioned: &[UserId], found: &[User]) -> Result<()> {
    let all = mentioned.iter().all(|id| found.iter().any(|user| user.id == *id));
    all.then_some(()).ok_or(Error::invalid("mentions", UNKNOWN))
}
