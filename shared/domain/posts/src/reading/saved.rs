//! Saved posts.

use std::collections::HashMap;

use base::{Position, PostId, UserId};
use platform::{App, Cursor, FillingPage, Index, Once, Page, Result, Write};
use serde::{Deserialize, Serialize};
use ulid::Ulid;
use utoipa::ToSchema;

use crate::{
    Engagement, Post, PostView, engagements, find_engageable, find_readable, key, readable, view_page,
};

/// A request to save or unsave a post.
#[derive(Clone, Copy, Debug, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase", default)]
pub struct SaveRequest {
    /// True to save the post, false to unsave it.
    #[schema(default = true)]
    pub is_saved: bool,
}

impl Default for SaveRequest {
    fn default() -> Self {
        Self { is_saved: true }
    }
}

/// Whether the post is now saved.
#[derive(Clone, Copy, Debug, Serialize, Deserialize, ToSchema)]
#[schema(as = SaveState)]
pub struct Saved {
    /// Whether the post is saved.
    pub saved: bool,
}

/// Saves or unsaves a post. Repeating a request has no effect. If proposed features are off, returns `saved: true` and
/// stores nothing.
///
/// # Errors
/// Fails with [`platform::Error::NotFound`] if the post does not exist or the user may not read it. Fails with
/// [`platform::Error::Forbidden`] if a block exists between the user and an author. A block does not prevent unsaving.
pub async fn set(app: &App, user: UserId, post: PostId, request: SaveRequest, once: &Once) -> Result<Saved> {
    if !app.has_proposed_features() {
        return Ok(Saved { saved: true });
    }
    once.run(app, user, async || {
        let write = match request.is_saved {
            true => {
                find_engageable(app, user, post).await?;
                save_write(user, post, app.ids.next(app.now()))
            }
            false => {
                find_readable(app, Some(user), post).await?;
                unsave_write(user, post)
            }
        };
        let saved = Saved { saved: request.is_saved };
        if !once.is_keyed() {
            // The write is refused if the post is already in the requested state, so no read is needed.
            return app.table.try_write(write).await.map(|_| (Vec::new(), saved));
        }
        let is_saved = engagements::find(app, user, post).await?.is_some_and(|engagement| engagement.saved);
        Ok(((is_saved != request.is_saved).then_some(write).into_iter().collect(), saved))
    })
    .await
}

fn save_write(user: UserId, post: PostId, at: Position) -> Write {
    let write = engagements::update_write(user, post).set("saved", true).set("savedAt", at);
    let index_key = engagements::saved_key(user, at);
    write.index_key(Index::Gsi1, Some(index_key)).equals_or_lacks("saved", false)
}

/// Returns the write that unsaves a post. `savedAt` is kept, because clients may use the post as a cursor.
fn unsave_write(user: UserId, post: PostId) -> Write {
    let write = engagements::update_write(user, post).set("saved", false);
    write.index_key(Index::Gsi1, None).equals("saved", true)
}

/// Returns a page of the caller's saved posts, latest save first. The page has fewer posts if many saved posts were
/// deleted.
///
/// A cursor is the position of a saved post. The cursor stays valid if the post is saved again.
pub async fn list(app: &App, user: UserId, cursor: Cursor<Position>) -> Result<Page<PostView>> {
    let mut page =
        FillingPage::new(Cursor { after: resolve_cursor(app, user, cursor.after).await?, ..cursor });
    while let Some(Cursor { take, after }) = page.to_read() {
        let query = engagements::saved_by(user).newest_first().before(after).limit(take.rows() + 1);
        let engagements: Vec<Engagement> = app.table.query(&query).await?;
        let last = engagements.last().and_then(|engagement| engagement.saved_at);
        page.add(readable_posts(app, user, &engagements).await?, last, engagements.len());
    }
    let page = page.page(|(at, _)| at.to_string()).map(|(_, post)| post);
    view_page(app, Some(user), page).await
}

/// Returns the list position for a cursor. If the cursor is a post ID, returns the post's position in the caller's
/// list.
async fn resolve_cursor(app: &App, user: UserId, after: Option<Position>) -> Result<Option<Position>> {
    let Some(after) = after else { return Ok(None) };
    let engagement = engagements::find(app, user, PostId::from(Ulid::from(after))).await?;
    Ok(Some(engagement.and_then(|engagement| engagement.saved_at).unwrap_or(after)))
}

/// Returns the posts of `engagements` with their saved positions, in the same order. Omits deleted posts and posts that
/// the user may not read.
async fn readable_posts(
    app: &App,
    user: UserId,
    engagements: &[Engagement],
) -> Result<Vec<(Position, Post)>> {
    let keys: Vec<_> = engagements.iter().map(|engagement| key(engagement.post)).collect();
    let found: Vec<Post> = app.table.batch_get_eventual(&keys).await?;
    let existing = found.into_iter().filter(|post| !post.is_deleted).collect();
    let readable = readable(app, Some(user), existing).await?;
    let mut found: HashMap<_, _> = readable.into_iter().map(|post| (post.id, post)).collect();
    Ok(engagements
        .iter()
        .filter_map(|engagement| Some((engagement.saved_at?, found.remove(&engagement.post)?)))
        .collect())
}
