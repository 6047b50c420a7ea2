//! Replies to a post.

use base::{PostId, UserId};
use ledger::statistics::{self, Count};
use people::relationships;
use platform::{App, Once, Result, Write};

use super::{
    Draft, ReplyDraft, Target, author::find_author, counted::count_writes, draft::drafted_post,
    drafted::drafted_writes, notification_events::notified_events, permission::check_permitted, publish,
};
use crate::{
    Counter, Post, PostType, attachments, find, key, notices, previews::preview_job_write,
    reading::visible::check_readable,
};

const NO_REPLIES: &str = "the author does not allow you to reply to this post";
const LOCKED: &str = "moderators locked the replies to this post";

/// Creates a reply.
///
/// # Errors
/// Fails with [`platform::Error::NotFound`] if the parent does not exist. Fails with [`platform::Error::Forbidden`] if
/// the parent's author does not permit the reply, if moderators locked the replies, or if a block exists between the
/// authors. Also fails for the same reasons as [`super::create()`].
pub async fn reply(
    app: &App,
    author: UserId,
    parent: PostId,
    draft: ReplyDraft,
    once: &Once,
) -> Result<Post> {
    publish(app, author, Target::Reply(parent), draft, once).await
}

pub(super) async fn reply_writes(
    app: &App,
    author: UserId,
    parent: PostId,
    draft: Draft,
) -> Result<(Vec<Write>, Post)> {
    let files = attachments::find(app, author, draft.media.as_ref());
    let author = find_author(app, author, draft.mentioned());
    let (author, parent, files) = futures::try_join!(author, find(app, parent), files)?;
    let ((), head) = futures::try_join!(check_readable(app, author.id, &parent), find_head(app, &parent))?;
    let refusal = if parent.is_locked { LOCKED } else { NO_REPLIES };
    check_permitted(app, author.id, &parent, parent.reply_permission, refusal).await?;
    let post = Post {
        parent: Some(parent.id),
        head: parent.head.or(Some(parent.id)),
        ..drafted_post(app, &author, PostType::Reply, (draft, files.media(app)?))
    };
    let total = statistics::count_write(post.id.random(), Count::Replies, 1);
    let unblocked = relationships::check_unblocked_write(author.id, parent.author);
    let unblocked = (parent.author != author.id).then_some(unblocked);
    let commented = head.and_then(|head| notices::comment(&post, &parent, &head));
    let replied = [notices::reply(&post, &parent)].into_iter().chain(commented);
    let notified = notified_events(app, &post, replied.chain(notices::mentions(&post)).collect()).await?;
    let counted = count_writes(app, parent.id, Counter::Replies, &notified);
    let writes = [total].into_iter().chain(unblocked).chain(counted).chain(drafted_writes(&post, &files)?);
    Ok((writes.chain(preview_job_write(app, &post)).collect(), post))
}

/// Returns the first post of the thread, or `None` if `parent` is the first post.
async fn find_head(app: &App, parent: &Post) -> Result<Option<Post>> {
    match parent.head {
        Some(head) => app.table.get_eventual(&key(head)).await,
        None => Ok(None),
    }
}
