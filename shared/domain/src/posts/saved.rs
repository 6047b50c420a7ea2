//! Posts that a user saves for later.

use std::collections::HashMap;

use platform::{
    App, Result,
    error::Error,
    page::{Cursor, Page},
    table::{Attempt, Index, Row, Write},
};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use super::{
    Post, PostView,
    engagements::{self, Engagement},
    find_eventual, key, readable, views,
};
use crate::ids::{Position, PostId, UserId};

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

/// Saves a post, or takes it out of the saved posts; repeating changes nothing. Costs 2 calls, 0.5 RRU and
/// 2 WRU. While proposed features are off it answers `saved` and stores nothing.
///
/// # Errors
/// [`Error::NotFound`] when there is no such post.
pub async fn set(app: &App, user: UserId, post: PostId, request: SaveRequest) -> Result<Saved> {
    if !*app.settings.proposed_features {
        return Ok(Saved { saved: true });
    }
    let post = find_eventual(app, post).await?.id;
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

/// Returns the caller's saved posts, last saved first. Costs 3 calls for a page of 20: 0.5 RRU for each 4
/// KB of engagements, 0.5 for each post; 2 RRU more behind a cursor.
///
/// # Errors
/// [`Error::Invalid`] for a cursor that the caller never saved.
pub async fn list(app: &App, user: UserId, cursor: Cursor<PostId>) -> Result<Page<PostView>> {
    let wanted = cursor.take.rows() + 1;
    let mut last = match cursor.after {
        Some(post) => Some(position(app, user, post).await?),
        None => None,
    };
    let mut posts = Vec::with_capacity(wanted);
    loop {
        let rows = wanted - posts.len();
        let query = engagements::saved_by(user).newest_first().before(last).limit(rows);
        let engagements: Vec<Engagement> = app.table.query(&query).await?;
        posts.extend(readable_posts(app, user, &engagements).await?);
        last = engagements.last().and_then(|it| it.saved_at).or(last);
        if engagements.len() < rows || posts.len() >= wanted {
            break;
        }
    }
    let Page { rows, after } = Page::cut(posts, cursor.take, |it| it.id.to_string());
    Ok(Page { rows: views(app, Some(user), rows).await?, after })
}

async fn position(app: &App, user: UserId, post: PostId) -> Result<Position> {
    let engagement = engagements::find(app, user, post).await?;
    engagement.and_then(|it| it.saved_at).ok_or(Error::invalid("after", "must be a post you saved"))
}

/// Returns the posts of these engagements that were not deleted and that the user may read, in the same
/// order.
async fn readable_posts(app: &App, user: UserId, engagements: &[Engagement]) -> Result<Vec<Post>> {
    let keys: Vec<_> = engagements.iter().map(|it| key(it.post)).collect();
    let found: Vec<Post> = app.table.batch_get_eventual(&keys).await?;
    let alive = found.into_iter().filter(|it| !it.is_deleted);
    let mut found: HashMap<_, _> = alive.map(|it| (it.key(), it)).collect();
    let posts = keys.iter().filter_map(|key| found.remove(key)).collect();
    readable(app, Some(user), posts).await
}
