//! Withdrawing posts whose author leaves the network. What others hang on, a post's id and counts, stays.

use base::ids::{PostId, UserId};
use people::users::UserCard;
use platform::{
    App, Result, retry_on_conflict,
    table::{Index, Query, Write},
    time::Time,
};

use crate::{
    MediaList, Mentions, Post, key, notices,
    reading::{
        partitions::{answers_partition, author_partition, unlisted_partition},
        shares,
    },
    writing::{delete::all_writes, history},
};

/// A list of what a user wrote.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Shelf {
    /// Posts, quotes and reposts that lists show.
    Listed,
    /// All replies.
    Answers,
    /// What no list shows: quotes and reposts, and all that was withdrawn.
    Unlisted,
}

/// Returns the next posts of a list, the oldest first.
pub async fn page_of(
    app: &App,
    author: UserId,
    shelf: Shelf,
    after: Option<String>,
    rows: usize,
) -> Result<Vec<Post>> {
    let partition = match shelf {
        Shelf::Listed => author_partition(author),
        Shelf::Answers => answers_partition(author),
        Shelf::Unlisted => unlisted_partition(author),
    };
    app.table.query(&Query::index(Index::Gsi1, partition).after(after).limit(rows)).await
}

/// Deletes a post whose author leaves, takes its text, files and card away, and takes it out of all counts. A
/// repetition changes nothing.
pub async fn withdraw(app: &App, author: UserId, id: PostId) -> Result<()> {
    retry_on_conflict(async || {
        let found = app.table.get::<Post>(&key(id)).await?;
        let Some(before) = found.filter(|post| post.author == author && !post.is_withdrawn()) else {
            return Ok(());
        };
        let (now, withdraw_write) = (app.now(), withdraw_write(&before, app.now()));
        match before.is_deleted {
            true => app.table.write(withdraw_write).await,
            false => app.table.transact(all_writes(&before, withdraw_write, now)).await,
        }
    })
    .await
}

fn withdraw_write(before: &Post, now: Time) -> Write {
    let deleted_at = before.deleted_at.unwrap_or(now);
    let user = UserCard::deleted();
    let after = Post { is_deleted: true, deleted_at: Some(deleted_at), user, ..before.clone() };
    let write = after.update_write(before).set("isDeleted", true).set("deletedAt", deleted_at);
    write
        .set("user", &after.user)
        .set("media", MediaList::default())
        .remove("content")
        .remove("topic")
        .remove("spoiler")
        .remove("poll")
        .remove("preview")
}

/// Takes the author out of a post that they withdrew: out of the next of its quotes and reposts, and when there are no
/// more out of the notifications that it caused, with its earlier versions and its mentions. Returns whether there were
/// no more.
pub async fn orphan(app: &App, author: UserId, id: PostId) -> Result<bool> {
    withdraw(app, author, id).await?;
    let found = app.table.get::<Post>(&key(id)).await?;
    let Some(post) = found.filter(|post| post.author == author) else { return Ok(true) };
    if !shares::erase_origin_authors(app, &post).await? {
        return Ok(false);
    }
    let thread = thread_of(app, &post).await?;
    let thread = thread.as_ref().map(|(parent, head)| (parent, head.as_ref().unwrap_or(parent)));
    notifications::erase_actor(app, author, &notices::subjects(&post, thread)).await?;
    history::forget(app, id).await?;
    let orphan = Post { author: UserId::NONE, origin_author: None, ..post };
    let write = Write::reindex(&orphan).set("author", orphan.author).set("mentions", Mentions::default());
    let write = write.remove("headAuthor").remove("originAuthor");
    app.table.try_write(write.equals("author", author)).await.map(|_| true)
}

/// Returns what a reply answers, and the first post of its thread where that is another.
async fn thread_of(app: &App, reply: &Post) -> Result<Option<(Post, Option<Post>)>> {
    let Some(parent) = reply.parent else { return Ok(None) };
    let head = reply.head.filter(|head| *head != parent);
    let keys: Vec<_> = [parent].into_iter().chain(head).map(key).collect();
    let mut found: Vec<Post> = app.table.batch_get(&keys).await?;
    let head =
        head.and_then(|id| found.iter().position(|post| post.id == id)).map(|at| found.swap_remove(at));
    Ok(found.into_iter().find(|post| post.id == parent).map(|parent| (parent, head)))
}
