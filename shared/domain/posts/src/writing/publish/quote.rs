//! Quotes a post.

use base::{PostId, UserId};
use platform::{App, Once, Result, Write};

use super::{
    Draft, QuoteDraft, Target, author::find_author, counted::share_writes, draft::drafted_post,
    drafted::drafted_writes, notification_events::share_events, permission::check_permitted, publish,
};
use crate::{Post, PostType, attachments, engagements, find, notices, reading::visible::check_shareable};

const NO_QUOTES: &str = "the author does not allow you to quote this post";

/// Creates a quote. A quote of a repost refers to the original.
///
/// # Errors
/// Fails with [`platform::Error::NotFound`] if the quoted post does not exist. Fails with
/// [`platform::Error::Forbidden`] if the quoted post's author does not permit the quote. Also fails for the same
/// reasons as [`super::create()`].
pub async fn quote(
    app: &App,
    author: UserId,
    quoted: PostId,
    draft: QuoteDraft,
    once: &Once,
) -> Result<Post> {
    publish(app, author, Target::Quote(quoted), draft, once).await
}

pub(super) async fn quote_writes(
    app: &App,
    author: UserId,
    quoted: PostId,
    draft: Draft,
) -> Result<(Vec<Write>, Post)> {
    let files = attachments::find(app, author, draft.media.as_ref());
    let author = find_author(app, author, draft.mentioned());
    let (author, quoted, files) = futures::try_join!(author, find(app, quoted), files)?;
    check_shareable(app, author.id, &quoted).await?;
    check_may_quote(app, author.id, &quoted).await?;
    let origin = quoted.root();
    let post = Post {
        origin: Some(origin),
        origin_author: Some(quoted.root_author()),
        ..drafted_post(app, &author, PostType::Quote, (draft, files.media(app)?))
    };
    let engagement = engagements::update_write(author.id, origin).add("quotes", 1);
    let notified = share_events(app, &post, &quoted, notices::mentions(&post)).await?;
    let mut writes = share_writes(app, &post, &quoted, engagement, &notified);
    writes.extend(drafted_writes(&post, &files)?);
    Ok((writes, post))
}

/// Checks the quote permission. If the quoted post is a repost, checks the permission of the original.
async fn check_may_quote(app: &App, author: UserId, quoted: &Post) -> Result<()> {
    let root = match quoted.kind {
        PostType::Repost => &find(app, quoted.root()).await?,
        _ => quoted,
    };
    check_permitted(app, author, root, root.quote_permission, NO_QUOTES).await
}
