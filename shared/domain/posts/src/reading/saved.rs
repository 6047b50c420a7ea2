//! Posts that a user saves for later.

use std::collections::HashMap;

use base::ids::{Position, PostId, UserId};
use platform::{
    App, Result,
    page::{Cursor, FillingPage, Page},
    table::{Attempt, Index, Write},
};
use serde::{Deserialize, Serialize};
use ulid::Ulid;
use utoipa::ToSchema;

use crate::{
    Post, PostView,
    counting::engagements::{self, Engagement},
    find_readable, key, readable, views,
};

/// A request to save a post, or to take it out of the saved posts.
#[derive(Clone, Copy, Debug, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase", default)]
pub struct SaveRequest {
    /// False takes the post out of the saved posts.
    #[schema(default = true)]
    pub is_saved: bool,
}

impl Default for SaveRequest {
    fn default() -> Self {
        Self { is_saved: true }
    }
}

/// Whether the post is saved now.
#[derive(Clone, Copy, Debug, Serialize, ToSchema)]
pub struct Saved {
    /// True after saving.
    pub saved: bool,
}

/// Saves a post, or takes it out of the saved posts; repeating changes nothing. While proposed features are off it
/// answers `saved` and stores nothing.
///
/// # Errors
/// [`platform::Error::NotFound`] when there is no such post or the user may not read it.
pub async fn set(app: &App, user: UserId, post: PostId, request: SaveRequest) -> Result<Saved> {
    if !app.has_proposed_features() {
        return Ok(Saved { saved: true });
    }
    let post = find_readable(app, Some(user), post).await?.id;
    let write = match request.is_saved {
        true => save_write(user, post, app.ids.next(app.now())),
        false => unsave_write(user, post),
    };
    // A refusal means that it is saved, or not saved, already.
    match app.table.attempt::<Engagement>(write).await? {
        Attempt::Done(_) | Attempt::Refused(_) => Ok(Saved { saved: request.is_saved }),
    }
}

fn save_write(user: UserId, post: PostId, at: Position) -> Write {
    let write = engagements::update_write(user, post).set("saved", true).set("savedAt", at);
    let index_key = engagements::saved_key(user, at);
    write.index_key(Index::Gsi1, Some(index_key)).equals_or_lacks("saved", false)
}

/// `savedAt` stays: a client may use the post as its cursor.
fn unsave_write(user: UserId, post: PostId) -> Write {
    let write = engagements::update_write(user, post).set("saved", false);
    write.index_key(Index::Gsi1, None).equals("saved", true)
}

/// Returns the caller's saved posts, last saved first. After 200 posts that are gone, the page stays short.
///
/// A cursor is the position at which a post was saved, so it stays where it is when the post is saved again.
pub async fn list(app: &App, user: UserId, cursor: Cursor<Position>) -> Result<Page<PostView>> {
    let mut page = FillingPage::new(Cursor { after: begin_behind(app, user, cursor.after).await?, ..cursor });
    while let Some(Cursor { take, after }) = page.to_read() {
        let query = engagements::saved_by(user).newest_first().before(after).limit(take.rows() + 1);
        let engagements: Vec<Engagement> = app.table.query(&query).await?;
        let last = engagements.last().and_then(|it| it.saved_at);
        page.add(readable_posts(app, user, &engagements).await?, last, engagements.len());
    }
    let page = page.page(|(at, _)| at.to_string());
    let rows = page.rows.into_iter().map(|(_, post)| post).collect();
    Ok(Page { rows: views(app, Some(user), rows).await?, after: page.after })
}

/// Returns the position that a cursor names: itself, or where the caller saved the post that it names.
async fn begin_behind(app: &App, user: UserId, after: Option<Position>) -> Result<Option<Position>> {
    let Some(after) = after else { return Ok(None) };
    let engagement = engagements::find(app, user, PostId::from(Ulid::from(after))).await?;
    Ok(Some(engagement.and_then(|it| it.saved_at).unwrap_or(after)))
}

/// Returns the posts of these engagements that were not deleted and that the user may read, in the same
/// order, each with the position at which it was saved.
async fn readable_posts(
    app: &App,
    user: UserId,
    engagements: &[Engagement],
) -> Result<Vec<(Position, Post)>> {
    let keys: Vec<_> = engagements.iter().map(|engagement| key(engagement.post)).collect();
    let found: Vec<Post> = app.table.batch_get_eventual(&keys).await?;
    let alive = found.into_iter().filter(|post| !post.is_deleted).collect();
    let readable = readable(app, Some(user), alive).await?;
    let mut found: HashMap<_, _> = readable.into_iter().map(|post| (post.id, post)).collect();
    Ok(engagements
        .iter()
        .filter_map(|engagement| Some((engagement.saved_at?, found.remove(&engagement.post)?)))
        .collect())
}
