//! Quotes a post.

use base::ids::{PostId, UserId};
use people::relationships;
use platform::{App, Result, idempotency::Once, table::Write};

use super::{
    author::find_author,
    counted::{count_writes, retry_contended},
    draft::{Draft, QuoteDraft, drafted_post},
    effects::timelines_write,
    limited::limited,
    notification_events::share_events,
    permission::check_permitted,
};
use crate::{
    Counter, Post, PostType,
    counting::engagements,
    find, notices, polls,
    reading::visible::check_shareable,
    writing::{attachments, mentioned},
};
use ledger::{
    action_log::{Action, ActionType},
    post_limits,
    statistics::{self, Count},
};

const NO_QUOTES: &str = "the author does not allow you to quote this post";

/// Creates a quote. A quote of a repost refers to the original.
///
/// # Errors
/// Fails with [`platform::Error::NotFound`] if the quoted post does not exist. Fails with
/// [`platform::Error::Forbidden`] if its author does not permit the quote. Also fails as [`super::create()`] does.
pub async fn quote(
    app: &App,
    author: UserId,
    quoted: PostId,
    draft: QuoteDraft,
    once: &Once,
) -> Result<Post> {
    let draft = draft.resolve(app).await?;
    let mentioned = draft.mentions.clone().unwrap_or_default();
    let still_unblocked =
        async |post| relationships::check_all_unblocked(app, author, mentioned.users()).await.map(|()| post);
    post_limits::count(app, once, author).await?;
    let work = async || limited(app, once, author, quote_writes(app, author, quoted, draft.clone()).await?);
    retry_contended(async || once.run_while(app, author, &still_unblocked, &work).await).await
}

pub(super) async fn quote_writes(
    app: &App,
    author: UserId,
    quoted: PostId,
    draft: Draft,
) -> Result<(Vec<Write>, Post)> {
    let files = attachments::find(app, author, draft.media.as_ref());
    let author = find_author(app, author, draft.mentions.as_ref());
    let (author, quoted, files) = futures::try_join!(author, find(app, quoted), files)?;
    check_shareable(app, author.id, &quoted).await?;
    check_may_quote(app, author.id, &quoted).await?;
    let origin = quoted.root();
    let post = Post {
        origin: Some(origin),
        origin_author: Some(quoted.root_author()),
        ..drafted_post(app, &author, PostType::Quote, (draft, files.media(app)?))
    };
    let writes = [
        Write::create(&post),
        engagements::update_write(author.id, origin).add("quotes", 1),
        Action::on_post(author.id, ActionType::QuoteCreated, origin, post.created_at).log_write(),
        timelines_write(app, &post),
        statistics::count_write(post.id.random(), Count::Posts, 1),
    ];
    let notified = share_events(app, &post, &quoted, notices::mentions(&post)).await?;
    let counted = count_writes(app, origin, Counter::Quotes, &notified);
    let more = counted.into_iter().chain(mentioned::post_writes(&post));
    let more = more.chain(files.use_writes(post.id)?).chain(polls::open_write(&post));
    Ok((writes.into_iter().chain(more).collect(), post))
}

/// Checks the quote permission. If the quoted post is a repost, checks the permission of its original.
async fn check_may_quote(app: &App, author: UserId, quoted: &Post) -> Result<()> {
    let root = match quoted.kind {
        PostType::Repost => &find(app, quoted.root()).await?,
        _ => quoted,
    };
    check_permitted(app, author, root, root.quote_permission, NO_QUOTES).await
}
