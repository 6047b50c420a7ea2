//! Reported posts, as moderators read them.

use base::{PostId, UserId};
use circles::posts::by_id::{self, AnyPostView};
use platform::{App, Error, Result};
use posts::GONE;

use crate::reports;

/// Returns a post as a moderator sees it. A moderator can also read a reported post whose audience excludes the
/// moderator.
///
/// # Errors
/// Fails with [`Error::NotFound`] if the post does not exist, or if the moderator cannot read the post and it was never
/// reported.
pub async fn detail(app: &App, moderator: UserId, id: PostId) -> Result<AnyPostView> {
    match by_id::detail(app, Some(moderator), id).await {
        Err(Error::NotFound(_)) => reported(app, moderator, id).await,
        post => post,
    }
}

async fn reported(app: &App, moderator: UserId, id: PostId) -> Result<AnyPostView> {
    let post = posts::find(app, id).await?;
    match reports::is_reported(app, &post).await? {
        true => posts::view(app, Some(moderator), post).await.map(AnyPostView::from),
        false => Err(GONE),
    }
}
