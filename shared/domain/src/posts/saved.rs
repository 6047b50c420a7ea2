//! What a person keeps for later.

use std::collections::HashMap;

use platform::{
    App, Result,
    error::Error,
    page::{Cursor, Page},
    table::{Attempt, Index, Query, Row},
};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use crate::{
    ids::{Position, PostId, UserId},
    posts::{
        self, Post, PostView,
        engagements::{self, Engagement},
        readable, views,
    },
};

/// What a person asks for.
#[derive(Clone, Copy, Debug, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase", default)]
pub struct SaveRequest {
    /// False takes it out of the saved posts.
    #[schema(default = true)]
    pub is_saved: bool,
}

impl Default for SaveRequest {
    fn default() -> Self {
        Self { is_saved: true }
    }
}

/// Whether the post is among the saved ones now.
#[derive(Clone, Copy, Debug, Serialize, ToSchema)]
pub struct Saved {
    /// True after saving.
    pub saved: bool,
}

/// Saves a post, or forgets it; repeating changes nothing. 3 calls, 0.5 RRU, 3 WRU. While proposed
/// features are off it answers `saved` and keeps nothing.
///
/// # Errors
/// [`Error::NotFound`] when there is no such post.
pub async fn set(app: &App, user: UserId, post: PostId, wish: SaveRequest) -> Result<Saved> {
    if !*app.settings.proposed_features {
        return Ok(Saved { saved: true });
    }
    let post = posts::find_eventual(app, post).await?.id;
    let update = engagements::update(user, post).set("saved", wish.is_saved);
    let update = match wish.is_saved {
        true => {
            let at: Position = app.ids.next(app.now());
            let place = engagements::saved_place(user, at);
            update.set("savedAt", at).index_key(Index::Gsi1, Some(place)).equals_or_lacks("saved", false)
        }
        // Where it stood is kept: it may be some client's cursor.
        false => update.index_key(Index::Gsi1, None).equals("saved", true),
    };
    match app.table.attempt::<Engagement>(update).await? {
        Attempt::Done(_) | Attempt::Refused(_) => Ok(Saved { saved: wish.is_saved }),
    }
}

/// The caller's saved posts, newest save first. 3 calls for a page of 20: 0.5 RRU for each 4 KB of
/// saves, 0.5 for each post; 2 RRU more behind a cursor.
///
/// # Errors
/// [`Error::Invalid`] for a cursor that was never saved.
pub async fn list(app: &App, user: UserId, cursor: Cursor<PostId>) -> Result<Page<PostView>> {
    let wanted = cursor.take.rows() + 1;
    let mut last = match cursor.after {
        Some(post) => Some(position(app, user, post).await?),
        None => None,
    };
    let mut posts = Vec::with_capacity(wanted);
    loop {
        let rows = wanted - posts.len();
        let query = Query::index(Index::Gsi1, format!("SAVED#{user}")).newest_first();
        let saves: Vec<Engagement> = app.table.query(&query.before(last).limit(rows)).await?;
        posts.extend(still_there(app, user, &saves).await?);
        last = saves.last().and_then(|it| it.saved_at).or(last);
        if saves.len() < rows || posts.len() >= wanted {
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

/// The posts of these saves that were not deleted, in the order of the saves.
async fn still_there(app: &App, user: UserId, saves: &[Engagement]) -> Result<Vec<Post>> {
    let keys: Vec<_> = saves.iter().map(|it| posts::key(it.post)).collect();
    let found: Vec<Post> = app.table.batch_get_eventual(&keys).await?;
    let alive = found.into_iter().filter(|it| !it.is_deleted);
    let mut found: HashMap<_, _> = alive.map(|it| (it.key(), it)).collect();
    let posts = keys.iter().filter_map(|key| found.remove(key)).collect();
    readable(app, Some(user), posts).await
}
