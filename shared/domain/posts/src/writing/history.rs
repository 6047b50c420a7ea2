//! Earlier versions of posts.

use base::{PostId, UserId, VersionId};
use platform::{App, Cursor, FillingPage, Key, Page, Query, Result, Row, Time};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use crate::{Content, Post, Spoiler, Visibility, find_meant, meant_for, partition};

const SK_PREFIX: &str = "VERSION#";

/// An earlier version of a post.
#[derive(Clone, Debug, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(as = PostVersion)]
pub struct Version {
    /// The version's ID, which is also its cursor in the list.
    pub id: VersionId,
    /// The post's ID.
    pub post_public_id: PostId,
    /// The text of this version.
    pub content: Option<Content>,
    /// Whether clients showed a warning before the text and files of this version.
    pub sensitive: bool,
    /// Text of the warning that hid this version until the reader opened the post.
    pub spoiler: Option<Spoiler>,
    /// The visibility of this version.
    pub visibility: Visibility,
    /// The time of the edit that replaced this version.
    pub replaced_at: Time,
}

impl Version {
    /// Returns a version with the content of `post`, which an edit is about to replace.
    pub(crate) fn of(app: &App, post: &Post) -> Self {
        let now = app.now();
        Self {
            id: app.ids.next(now),
            post_public_id: post.id,
            content: post.content.clone(),
            sensitive: post.sensitive,
            spoiler: post.spoiler.clone(),
            visibility: post.visibility,
            replaced_at: now,
        }
    }
}

/// Returns a page of a post's earlier versions, newest first. Omits versions whose visibility excludes the viewer.
///
/// # Errors
/// Fails with [`platform::Error::NotFound`] if the post does not exist or its visibility excludes the viewer.
pub async fn history(
    app: &App,
    viewer: Option<UserId>,
    post: PostId,
    cursor: Cursor<VersionId>,
) -> Result<Page<Version>> {
    let post = find_meant(app, viewer, post).await?;
    let mut page = FillingPage::new(cursor);
    while let Some(cursor) = page.to_read() {
        let versions = older(app, post.id, &cursor).await?;
        let (last, read) = (versions.last().map(|version| version.id), versions.len());
        let audiences = versions.iter().map(|version| (post.author, version.visibility)).collect();
        let meant = meant_for(app, viewer, audiences).await?;
        page.add(
            versions.into_iter().filter(|version| meant.contains(&(post.author, version.visibility))),
            last,
            read,
        );
    }
    Ok(page.page(|version| version.id.to_string()))
}

async fn older(app: &App, post: PostId, cursor: &Cursor<VersionId>) -> Result<Vec<Version>> {
    let query = Query::partition(partition(post)).prefix_before(SK_PREFIX, cursor.after);
    app.table.query(&query.newest_first().limit(cursor.take.rows() + 1)).await
}

pub(crate) async fn delete_versions(app: &App, post: PostId) -> Result<()> {
    let versions: Vec<Version> =
        app.table.query(&Query::partition(partition(post)).prefix(SK_PREFIX)).await?;
    app.table.delete_rows(versions.iter().map(Row::key).collect()).await
}

/// `POST#id / VERSION#ulid`
impl Row for Version {
    fn key(&self) -> Key {
        Key::new(partition(self.post_public_id), format!("{SK_PREFIX}{}", self.id))
    }
}
