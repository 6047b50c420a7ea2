//! Removes posts of a deleted account. The ID and the counts of a post are kept, because other users' posts refer to
//! the post.

use base::{PostId, UserId};
use people::UserCard;
use platform::{App, Index, Query, Result, Row, Time, Write, retry_on_conflict};

use crate::{
    MediaList, Mentions, Post, key, notices,
    reading::{
        partitions::{answers_partition, author_partition, hidden_partition, unlisted_partition},
        shares,
    },
    writing::{delete::all_writes, history, withdraw_events::thread_of},
};

/// The lists of a user's posts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PostList {
    /// Posts, quotes and reposts that are not deleted or hidden.
    Listed,
    /// All replies.
    Answers,
    /// Hidden posts, quotes and reposts.
    Hidden,
    /// Deleted quotes and reposts, and posts that [`withdraw`] deleted.
    Unlisted,
}

/// Returns the next `rows` posts of a list, oldest first. `R` is [`Post`], or a type with some of its attributes.
pub async fn next_posts<R: Row>(
    app: &App,
    author: UserId,
    list: PostList,
    after: Option<String>,
    rows: usize,
) -> Result<Vec<R>> {
    let partition = match list {
        PostList::Listed => author_partition(author),
        PostList::Answers => answers_partition(author),
        PostList::Hidden => hidden_partition(author),
        PostList::Unlisted => unlisted_partition(author),
    };
    app.table.query(&Query::index(Index::Gsi1, partition).after(after).limit(rows)).await
}

/// Deletes a post of a deleted account. Also removes the post's text, files and author card, and removes the post from
/// all counts. Repeating has no effect.
pub async fn withdraw(app: &App, author: UserId, id: PostId) -> Result<()> {
    retry_on_conflict(async || {
        let found = app.table.get::<Post>(&key(id)).await?;
        let Some(before) = found.filter(|post| post.author == author && !post.is_withdrawn()) else {
            return Ok(());
        };
        let now = app.now();
        match before.is_deleted {
            true => app.table.write(withdraw_write(&before, now)).await,
            false => app.table.transact(all_writes(&before, withdraw_write(&before, now), now)).await,
        }
    })
    .await
}

fn withdraw_write(before: &Post, now: Time) -> Write {
    let deleted_at = before.deleted_at.unwrap_or(now);
    let user = UserCard::deleted();
    let after = Post { is_deleted: true, deleted_at: Some(deleted_at), user, ..before.clone() };
    after
        .update_write(before)
        .set("isDeleted", true)
        .set("deletedAt", deleted_at)
        .set("user", &after.user)
        .set("media", MediaList::default())
        .remove("content")
        .remove("topic")
        .remove("spoiler")
        .remove("poll")
        .remove("preview")
}

/// Removes a deleted author's ID from a post and from the post's quotes and reposts. Each call handles some quotes and
/// reposts. Returns true if nothing is left to do.
///
/// First withdraws the post if necessary. The last call also removes the author from the post's notifications, and
/// deletes the post's versions and mentions.
pub async fn erase_author(app: &App, author: UserId, id: PostId) -> Result<bool> {
    withdraw(app, author, id).await?;
    let found = app.table.get::<Post>(&key(id)).await?;
    let Some(post) = found.filter(|post| post.author == author) else { return Ok(true) };
    if !shares::erase_origin_authors(app, &post).await? {
        return Ok(false);
    }
    let subjects = notices::subjects(&post, thread_of(app, &post).await?.as_ref());
    notifications::erase_actor(app, author, &subjects).await?;
    history::delete_versions(app, id).await?;
    let erased = Post { author: UserId::NONE, origin_author: None, ..post };
    let write = Write::reindex(&erased).set("author", erased.author).set("mentions", Mentions::default());
    app.table.try_write(write.remove("originAuthor").equals("author", author)).await.map(|_| true)
}
