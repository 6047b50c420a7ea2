//! Lists the quotes of a post and the users who reposted it.

use base::{Position, PostId, UserId};
use futures::future::try_join_all;
use people::{FollowRow, ViewContext, users};
use platform::{App, Cursor, FillingPage, Page, Result, retry_on_conflict};
use ulid::Ulid;

use crate::{
    Post, PostView, Reader,
    counting::user_list::{Entry, EntryBatch, shown_rows, user_page},
    engagements, find_meant, key, meant_for, view_page, visible_to,
};

/// Maximum number of posts in each list that one call of [`erase_origin_authors`] changes.
const ERASED_ROWS: usize = 25;

/// Returns a page of the users who reposted a post, newest repost first.
///
/// # Errors
/// Fails with [`platform::Error::NotFound`] if the post does not exist or its visibility excludes the viewer.
pub async fn reposters(
    app: &App,
    viewer: Option<UserId>,
    post: PostId,
    cursor: Cursor<Position>,
) -> Result<Page<FollowRow>> {
    let post = find_meant(app, viewer, post).await?.id;
    let after = resolve_cursor(app, post, cursor.after).await?;
    let mut page = FillingPage::new(Cursor { after, ..cursor });
    while let Some(cursor) = page.to_read() {
        let EntryBatch { found, last, read } = next_reposters(app, post, cursor).await?;
        page.add(shown_rows(app, viewer, found).await?, last, read);
    }
    Ok(user_page(page))
}

/// Returns the list position for a cursor. If the cursor is a user ID, returns the position of that user's repost, even
/// if the repost was deleted.
async fn resolve_cursor(app: &App, post: PostId, after: Option<Position>) -> Result<Option<Position>> {
    let Some(after) = after else { return Ok(None) };
    let engagement = engagements::find(app, UserId::from(Ulid::from(after)), post).await?;
    let repost = engagement.and_then(|engagement| engagement.repost.or(engagement.deleted_repost));
    Ok(repost.map(|repost| Position::from(Ulid::from(repost))).or(Some(after)))
}

async fn next_reposters(app: &App, post: PostId, cursor: Cursor<Position>) -> Result<EntryBatch> {
    let query = Post::reposts_of(post).newest_first().before(cursor.after).limit(cursor.take.rows() + 1);
    let reposts: Vec<Post> = app.table.query(&query).await?;
    let entry = |repost: &Post| Entry { at: Position::from(Ulid::from(repost.id)), user: repost.author };
    let found: Vec<_> = reposts.iter().map(entry).collect();
    Ok(EntryBatch { last: found.last().map(|entry| entry.at), read: found.len(), found })
}

/// Returns a page of the quotes of a post, newest first.
///
/// Omits quotes whose visibility excludes the viewer, and quotes by banned or locked authors. Also omits quotes by
/// authors that the viewer blocks, or that block the viewer.
///
/// # Errors
/// Fails with [`platform::Error::NotFound`] if the post does not exist or its visibility excludes the viewer.
pub async fn quotes(
    app: &App,
    viewer: Option<UserId>,
    post: PostId,
    cursor: Cursor<PostId>,
) -> Result<Page<PostView>> {
    let (post, reader) = (find_meant(app, viewer, post).await?.id, Reader::new(viewer, ViewContext::Thread));
    let mut page = FillingPage::new(cursor);
    while let Some(Cursor { take, after }) = page.to_read() {
        let query = Post::quotes_of(post).newest_first().before(after).limit(take.rows() + 1);
        let found: Vec<Post> = app.table.query(&query).await?;
        let (last, read) = (found.last().map(|quote| quote.id), found.len());
        page.add(shown_quotes(app, &reader, found).await?, last, read);
    }
    view_page(app, viewer, page.page(|post| post.id.to_string())).await
}

async fn shown_quotes(app: &App, reader: &Reader, quotes: Vec<Post>) -> Result<Vec<Post>> {
    let meant = meant_for(app, reader.viewer, quotes).await?;
    let mut visible = visible_to(app, reader, meant).await?;
    let authors: Vec<_> = visible.iter().map(|quote| quote.author).collect();
    let active = users::active_cards(app, &authors).await?;
    visible.retain(|post| active.contains_key(&post.author));
    Ok(visible)
}

/// Removes the ID of a post's author from the post's next quotes and reposts. Also removes these quotes and reposts
/// from the post's lists. Returns true if no quotes or reposts are left, or false if there may be more.
pub(crate) async fn erase_origin_authors(app: &App, post: &Post) -> Result<bool> {
    let lists = [Post::quotes_of(post.id), Post::reposts_of(post.id), Post::unlisted_shares_of(post.id)];
    let lists = lists.map(async |list| app.table.query::<Post>(&list.limit(ERASED_ROWS)).await);
    let lists = try_join_all(lists).await?;
    let is_any_full = lists.iter().any(|list| list.len() == ERASED_ROWS);
    for share in lists.iter().flatten() {
        erase_origin_author(app, share.id, post.author).await?;
    }
    Ok(!is_any_full)
}

async fn erase_origin_author(app: &App, share: PostId, author: UserId) -> Result<()> {
    retry_on_conflict(async || {
        let found = app.table.get::<Post>(&key(share)).await?;
        let Some(before) = found.filter(|post| post.origin_author == Some(author)) else { return Ok(()) };
        let after = Post { origin_author: Some(UserId::NONE), ..before.clone() };
        app.table.write(after.update_write(&before).set("originAuthor", UserId::NONE)).await
    })
    .await
}
