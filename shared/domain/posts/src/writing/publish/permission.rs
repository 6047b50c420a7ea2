//! Checks whether an author permits replies or quotes.

use base::UserId;
use people::follows;
use platform::{App, Error, Result};

use crate::{Post, ReplyPermission};

/// Checks that the `permission` of a post allows `user` to reply or quote. Fails with [`Error::Forbidden`] and
/// `message` if the user is not permitted.
pub(super) async fn check_permitted(
    app: &App,
    user: UserId,
    post: &Post,
    permission: ReplyPermission,
    message: &'static str,
) -> Result<()> {
    let is_permitted = match permission {
        _ if post.author == user => true,
        ReplyPermission::Everyone => true,
        ReplyPermission::Followers => follows::is_following(app, user, post.author).await?,
        ReplyPermission::Nobody => false,
    };
    is_permitted.then_some(()).ok_or(Error::Forbidden(message.into()))
}
