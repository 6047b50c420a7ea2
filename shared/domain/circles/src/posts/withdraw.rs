//! Deleting what somebody wrote in a circle, when they leave the network.

use std::collections::BTreeSet;

use base::ids::{CircleId, PostId, UserId};
use people::users::UserCard;
use platform::{
    App, Result,
    error::Error,
    table::{Index, Query, Row, Write},
};

use super::{
    CirclePost, CirclePostKind, Thread, key,
    row::{self, all_partition},
};
use crate::notices;

/// Posts of a page.
const PAGE_ROWS: usize = 200;

/// Returns a circle's post, also a deleted one.
pub(crate) async fn find_any(app: &App, id: PostId) -> Result<Option<CirclePost>> {
    app.table.get(&row::key(id)).await
}

/// Deletes the user's posts and comments among the next 200 of a circle, and takes their name off those that stay: the
/// post of a CPR, and comments in their threads. What they did to the circle's energy stays. Returns the last post when
/// there are more.
pub(crate) async fn erase_author_page(
    app: &App,
    user: UserId,
    circle: CircleId,
    after: Option<String>,
) -> Result<Option<PostId>> {
    let query = Query::index(Index::Gsi1, all_partition(circle)).after(after).limit(PAGE_ROWS);
    let posts: Vec<CirclePost> = app.table.query(&query).await?;
    let last = posts.last().map(|it| it.id).filter(|_| posts.len() == PAGE_ROWS);
    erase_comments(app, user, &posts).await?;
    for write in posts.iter().filter_map(|it| erase_write(user, it)) {
        match app.table.write(write).await {
            // It is gone already.
            Ok(()) | Err(Error::WriteConflict) => {}
            Err(error) => return Err(error),
        }
    }
    Ok(last)
}

/// Takes the user out of the notifications of those on whose posts they commented.
async fn erase_comments(app: &App, user: UserId, posts: &[CirclePost]) -> Result<()> {
    let parents: BTreeSet<_> =
        posts.iter().filter(|it| it.author == user).filter_map(|it| it.parent).collect();
    let parents: Vec<_> = parents.into_iter().map(key).collect();
    let parents: Vec<CirclePost> = app.table.batch_get_eventual(&parents).await?;
    let subjects: Vec<_> = parents.iter().map(|it| notices::comment_subject(it.author, it.id)).collect();
    notifications::erase_actor(app, user, &subjects).await
}

/// Returns the write that takes a user's name off a post; none where it has none.
fn erase_write(user: UserId, post: &CirclePost) -> Option<Write> {
    let is_of_thread = |it: Thread| it.author == user;
    match post.kind {
        _ if post.author == user && post.kind != CirclePostKind::Cpr => {
            Some(Write::delete(post.key()).into())
        }
        _ if post.author == user => {
            let write = Write::update(key(post.id)).set("author", UserId::NONE);
            Some(write.set("user", UserCard::deleted()).exists())
        }
        _ => post.thread.filter(|it| is_of_thread(*it)).map(|it| {
            let thread = Thread { author: UserId::NONE, ..it };
            Write::update(key(post.id)).set("thread", thread).exists()
        }),
    }
}
