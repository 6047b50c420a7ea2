//! Whom an author allows to reply, or to quote.

use base::ids::UserId;
use people::follows;
use platform::{App, Result, error::Error};

use crate::{Post, ReplyPermission};

/// Checks that the author of a post allows somebody what this permission is about.
///
/// # Errors
/// [`Error::Forbidden`] with this text when the author does not.
pub(super) async fn check_permitted(
    app: &App,
    who: UserId,
    post: &Post,
    permission: ReplyPermission,
    refusal: &'static str,
) -> Result<()> {
    let is_permitted = match permission {
        _ if post.author == who => true,
        ReplyPermission::Everyone => true,
        ReplyPermission::Followers => follows::is_following(app, who, post.author).await?,
        ReplyPermission::Nobody => false,
    };
    is_permitted.then_some(()).ok_or(Error::Forbidden(refusal.into()))
}
