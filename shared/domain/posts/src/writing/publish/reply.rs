//! Replies to a post.

use base::ids::{PostId, UserId};
use ledger::{
    post_limits,
    statistics::{self, Count},
};
use people::relationships;
use platform::{App, Result, idempotency::Once, table::Write};

use super::{
    author::find_author,
    counted::{count_writes, retry_contended},
    draft::{Draft, ReplyDraft, drafted_post},
    limited::limited,
    notification_events::notified_events,
    permission::check_permitted,
};
use crate::{
    Counter, Post, PostType, find, find_eventual, key, notices, polls,
    previews::preview_job_write,
    reading::visible::check_readable,
    writing::{attachments, mentioned},
};

const NO_REPLIES: &str = "the author does not allow you to reply to this post";

/// Creates a reply.
///
/// # Errors
/// Fails with [`platform::Error::NotFound`] if the parent does not exist. Fails with [`platform::Error::Forbidden`] if
/// the parent's author does not permit the reply, or if a block exists between the authors. Also fails as
/// [`super::create()`] does.
pub async fn reply(
    app: &App,
    author: UserId,
    parent: PostId,
    draft: ReplyDraft,
    once: &Once,
) -> Result<Post> {
    let draft = draft.resolve(app).await?;
    let mentioned = draft.mentions.clone().unwrap_or_default();
    let still_unblocked = async |reply| {
        let parent = find_eventual(app, parent).await.map(|it| it.author);
        // A repeated request returns the earlier response, even if the parent has been deleted since.
        let others = mentioned.users().iter().copied().chain(parent.ok()).filter(|user| *user != author);
        let others: Vec<_> = others.collect();
        relationships::check_all_unblocked(app, author, &others).await.map(|()| reply)
    };
    post_limits::count(app, once, author).await?;
    let work = async || limited(app, once, author, reply_writes(app, author, parent, draft.clone()).await?);
    retry_contended(async || once.run_while(app, author, &still_unblocked, &work).await).await
}

pub(super) async fn reply_writes(
    app: &App,
    author: UserId,
    parent: PostId,
    draft: Draft,
) -> Result<(Vec<Write>, Post)> {
    let files = attachments::find(app, author, draft.media.as_ref());
    let author = find_author(app, author, draft.mentions.as_ref());
    let (author, parent, files) = futures::try_join!(author, find(app, parent), files)?;
    let ((), head) = futures::try_join!(check_readable(app, author.id, &parent), find_head(app, &parent))?;
    check_permitted(app, author.id, &parent, parent.reply_permission, NO_REPLIES).await?;
    let post = Post {
        parent: Some(parent.id),
        head: parent.head.or(Some(parent.id)),
        ..drafted_post(app, &author, PostType::Reply, (draft, files.media(app)?))
    };
    let writes = [Write::create(&post), statistics::count_write(post.id.random(), Count::Replies, 1)];
    let unblocked = relationships::check_unblocked_write(author.id, parent.author);
    let unblocked = (parent.author != author.id).then_some(unblocked);
    let commented = head.and_then(|head| notices::comment(&post, &parent, &head));
    let replied = [notices::reply(&post, &parent)].into_iter().chain(commented);
    let notified = notified_events(app, &post, replied.chain(notices::mentions(&post)).collect()).await?;
    let counted = count_writes(app, parent.id, Counter::Replies, &notified);
    let more = unblocked.into_iter().chain(counted).chain(mentioned::post_writes(&post));
    let more = more.chain(files.use_writes(post.id)?).chain(polls::open_write(&post));
    let preview = preview_job_write(app, &post);
    Ok((writes.into_iter().chain(more).chain(preview).collect(), post))
}

/// Returns the first post of the thread, or `None` if that is `parent` itself.
async fn find_head(app: &App, parent: &Post) -> Result<Option<Post>> {
    match parent.head {
        Some(head) => app.table.get_eventual(&key(head)).await,
        None => Ok(None),
    }
}
