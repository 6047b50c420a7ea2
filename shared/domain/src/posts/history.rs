//! What a post was before its edits.

use platform::{
    App, Result,
    page::{Cursor, Page},
    table::{Key, Query, Row},
    time::Time,
};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use super::{Content, Post, Visibility, find_eventual, view::readable};
use crate::ids::{PostId, UserId, VersionId};

/// An earlier version of a post.
#[derive(Clone, Debug, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(as = PostVersion)]
pub struct Version {
    /// Its id, and its place in the list.
    pub id: VersionId,
    /// The post it was of.
    pub post_public_id: PostId,
    /// The text then.
    pub content: Option<Content>,
    /// The visibility then.
    pub visibility: Visibility,
    /// When it was replaced.
    pub replaced_at: Time,
}

impl Version {
    /// The post as it is before an edit.
    pub(super) fn of(app: &App, post: &Post) -> Self {
        let now = app.now();
        Self {
            id: app.ids.next(now),
            post_public_id: post.id,
            content: post.content.clone(),
            visibility: post.visibility,
            replaced_at: now,
        }
    }
}

/// A post's earlier versions, newest first. 2 calls, 0.5 RRU and 0.5 for each 4 KB.
///
/// # Errors
/// [`platform::Error::NotFound`] when the post does not exist.
pub async fn history(
    app: &App,
    viewer: Option<UserId>,
    post: PostId,
    cursor: Cursor<VersionId>,
) -> Result<Page<Version>> {
    let post =
        readable(app, viewer, vec![find_eventual(app, post).await?]).await?.pop().ok_or(super::GONE)?;
    let newest = cursor.after.map_or_else(|| "VERSION#~".to_owned(), |it| format!("VERSION#{it}"));
    let query = Query::partition(super::key(post.id).pk).between("VERSION#", newest).newest_first();
    // BETWEEN includes its ends: the row of the cursor is read too, and left out.
    let mut rows: Vec<Version> = app.table.query(&query.limit(cursor.take.rows() + 2)).await?;
    rows.retain(|it| Some(it.id) != cursor.after);
    Ok(Page::cut(rows, cursor.take, |it| it.id.to_string()))
}

/// `POST#id / VERSION#ulid`
impl Row for Version {
    fn key(&self) -> Key {
        Key::new(super::key(self.post_public_id).pk, format!("VERSION#{}", self.id))
    }
}
