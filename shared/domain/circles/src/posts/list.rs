//! Lists a circle's posts and comments.

use std::{borrow::Cow, collections::HashSet};

use base::{CircleId, PostId, UserId};
use platform::{App, Cursor, Error, FillingPage, Index, Page, Query, Result, Take};
use serde::Deserialize;
use utoipa::{IntoParams, ToSchema};

use super::{CirclePost, CirclePostView, NO_POST, find, find_any, row};
use people::{ViewContext, mutes, relationships};

const NO_POSITION: Error = Error::Invalid(Cow::Borrowed(
    "cursor: must be a post that exists if the order is `quality`. Begin again with the first page.",
));

/// The order of a list of posts.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub enum CirclePostSort {
    /// Newest first.
    #[default]
    Latest,
    /// Highest score first, posts without a verdict last.
    Quality,
}

/// The requested page of posts.
#[derive(Clone, Copy, Debug, Deserialize, IntoParams)]
#[serde(rename_all = "camelCase")]
#[into_params(parameter_in = Query)]
pub struct CirclePostQuery {
    /// `latest` (the default) or `quality`.
    #[serde(default)]
    #[param(inline, value_type = Option<CirclePostSort>)]
    pub sort: CirclePostSort,
    /// The post whose comments are listed. By default, lists the posts that begin threads.
    pub parent_id: Option<PostId>,
    /// Number of rows to return. Alias: `take`.
    #[serde(default, alias = "take")]
    #[param(value_type = Option<u8>, default = 20, minimum = 1)]
    pub limit: Take,
    /// Position of the last row before the page. Alias: `after`.
    #[serde(alias = "after")]
    pub cursor: Option<PostId>,
}

/// Returns a page of a circle's posts, or of the comments on a post.
///
/// Omits posts with words that the viewer mutes. Also omits a post if a block exists between its author and the viewer.
///
/// # Errors
/// Fails with [`Error::NotFound`] if the circle does not exist, or does not contain the parent post. Fails with
/// [`Error::Invalid`] if the order is by score and the cursor's post no longer exists.
pub async fn list(
    app: &App,
    viewer: Option<UserId>,
    circle: CircleId,
    query: CirclePostQuery,
) -> Result<Page<CirclePostView>> {
    let alive = crate::find(app, circle);
    let page = async {
        let list_id = list_id(app, circle, query.parent_id).await?;
        let mut page = FillingPage::new(Cursor { take: query.limit, after: query.cursor });
        while let Some(Cursor { after: cursor, .. }) = page.to_read() {
            let query = CirclePostQuery { cursor, ..query };
            let rows: Vec<CirclePost> = app.table.query(&query.page_query(app, &list_id).await?).await?;
            let (last, read) = (rows.last().map(|post| post.id), rows.len());
            page.add(without_hidden(app, viewer, rows).await?, last, read);
        }
        Ok(page.page(|post| post.id.to_string()))
    };
    let (_, page) = futures::try_join!(alive, page)?;
    Ok(page.map(CirclePostView::from))
}

/// Removes posts with words that the viewer mutes. Also removes a post if a block exists between its author and the
/// viewer.
async fn without_hidden(
    app: &App,
    viewer: Option<UserId>,
    mut posts: Vec<CirclePost>,
) -> Result<Vec<CirclePost>> {
    let Some(viewer) = viewer else { return Ok(posts) };
    let authors: HashSet<_> =
        posts.iter().map(|post| post.author).filter(|author| *author != viewer).collect();
    let mutes = async { if authors.is_empty() { Ok(None) } else { mutes::of(app, viewer).await } };
    let hidden = relationships::hidden_from(app, viewer, &authors, ViewContext::Thread);
    let (hidden, mutes) = futures::try_join!(hidden, mutes)?;
    let words = mutes.and_then(|mutes| mutes.word_filter(app.now()));
    let is_muted = |post: &CirclePost| {
        post.author != viewer && words.as_ref().is_some_and(|words| words.hides(&post.text()))
    };
    posts.retain(|post| !hidden.contains(&post.author) && !is_muted(post));
    Ok(posts)
}

/// Returns the ID of the list: the circle's ID for posts, and the parent's ID for comments. Fails with [`NO_POST`] if
/// the parent is not in the circle.
async fn list_id(app: &App, circle: CircleId, parent: Option<PostId>) -> Result<String> {
    let Some(parent) = parent else { return Ok(circle.to_string()) };
    let found = find(app, parent).await?;
    if found.circle == circle { Ok(parent.to_string()) } else { Err(NO_POST) }
}

impl CirclePostQuery {
    /// Returns the query for the page. Reads the current rank of the cursor's post, because a verdict may have changed
    /// the rank.
    async fn page_query(&self, app: &App, list_id: &String) -> Result<Query> {
        let page = match (self.sort, self.cursor) {
            (CirclePostSort::Latest, after) => {
                Query::index(Index::Gsi2, row::latest_partition(list_id)).before(after)
            }
            (CirclePostSort::Quality, None) => Query::index(Index::Gsi3, row::best_partition(list_id)),
            (CirclePostSort::Quality, Some(after)) => {
                let last = find_any(app, after).await?.ok_or(NO_POSITION)?;
                Query::index(Index::Gsi3, row::best_partition(list_id)).before(Some(last.rank()))
            }
        };
        Ok(page.newest_first().limit(self.limit.rows() + 1))
    }
}

/// Returns the `rows` posts of a circle with the highest scores.
pub(crate) async fn best(app: &App, circle: CircleId, rows: usize) -> Result<Vec<CirclePost>> {
    let judged = Query::index(Index::Gsi3, row::best_partition(&circle)).prefix(row::JUDGED);
    app.table.query(&judged.newest_first().limit(rows)).await
}

/// Returns up to `rows` posts and comments of a circle, including deleted ones.
pub(crate) async fn page_to_purge(app: &App, circle: CircleId, rows: usize) -> Result<Vec<CirclePost>> {
    app.table.query(&Query::index(Index::Gsi1, row::all_partition(circle)).limit(rows)).await
}
