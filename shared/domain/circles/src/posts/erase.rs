//! Deletes the posts of a deleted user in a circle.

use std::collections::BTreeSet;

use base::{CircleId, PostId, UserId};
use people::UserCard;
use platform::{App, Index, Query, Result, Row, Write, retry_on_conflict};

use super::{CirclePost, CirclePostKind, Thread, find_any, key, row::all_partition, uncount::uncount_write};
use crate::notices;

const PAGE_ROWS: usize = 200;

/// Deletes the user's posts and comments among the circle's next 200 posts and comments. Removes the user's ID from the
/// posts of CPRs, and from other users' comments in the user's threads. Effects on the circle's energy stay. Returns
/// the last post of the page if there are more posts.
pub(crate) async fn erase_author_page(
    app: &App,
    user: UserId,
    circle: CircleId,
    after: Option<String>,
) -> Result<Option<PostId>> {
    let query = Query::index(Index::Gsi1, all_partition(circle)).after(after).limit(PAGE_ROWS);
    let posts: Vec<CirclePost> = app.table.query(&query).await?;
    let last = posts.last().map(|post| post.id).filter(|_| posts.len() == PAGE_ROWS);
    erase_comments(app, user, &posts).await?;
    for post in &posts {
        erase(app, user, post).await?;
    }
    Ok(last)
}

async fn erase(app: &App, user: UserId, post: &CirclePost) -> Result<()> {
    if post.author == user && post.judged.as_ref().is_some_and(|judged| judged.counted_for.is_some()) {
        return erase_counted(app, post.id).await;
    }
    match erase_write(user, post) {
        // The write is refused if the post was already purged.
        Some(write) => app.table.try_write(write).await.map(drop),
        None => Ok(()),
    }
}

/// Deletes a comment that counts for a CPR. If the CPR is active, also removes the comment from the CPR's count.
async fn erase_counted(app: &App, id: PostId) -> Result<()> {
    retry_on_conflict(async || {
        let Some(comment) = find_any(app, id).await? else { return Ok(()) };
        let delete = Write::delete(comment.key()).equals("revision", comment.revision);
        let uncount = uncount_write(app, &comment).await?;
        app.table.transact([delete.into()].into_iter().chain(uncount).collect()).await
    })
    .await
}

/// Removes the user from other users' notifications about the user's comments.
async fn erase_comments(app: &App, user: UserId, posts: &[CirclePost]) -> Result<()> {
    let parents: BTreeSet<_> =
        posts.iter().filter(|post| post.author == user).filter_map(|post| post.parent).collect();
    let parents: Vec<_> = parents.into_iter().map(key).collect();
    let parents: Vec<CirclePost> = app.table.batch_get_eventual(&parents).await?;
    let subjects: Vec<_> =
        parents.iter().map(|parent| notices::comment_subject(parent.author, parent.id)).collect();
    notifications::erase_actor(app, user, &subjects).await
}

/// Returns the write that deletes a user's post, or removes the user's ID from a post. Returns `None` if the post does
/// not contain the user's ID.
fn erase_write(user: UserId, post: &CirclePost) -> Option<Write> {
    match post.kind {
        _ if post.author == user && post.kind != CirclePostKind::Cpr => {
            Some(Write::delete(post.key()).into())
        }
        _ if post.author == user => {
            let write = Write::update(key(post.id)).set("author", UserId::NONE);
            Some(write.set("user", UserCard::deleted()).exists())
        }
        _ => post.thread.filter(|thread| thread.author == user).map(|thread| {
            let thread = Thread { author: UserId::NONE, ..thread };
            Write::update(key(post.id)).set("thread", thread).exists()
        }),
    }
}
