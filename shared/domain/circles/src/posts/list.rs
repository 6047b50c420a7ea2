//! Lists of a circle's posts and comments.

use std::collections::HashSet;

use base::ids::{CircleId, PostId, UserId};
use platform::{
    App, Result,
    page::{Cursor, FillingPage, Page, Take},
    table::{Index, Query},
};
use serde::Deserialize;
use utoipa::{IntoParams, ToSchema};

use super::{CirclePost, CirclePostView, NO_POST, key, row};
use people::{
    mutes,
    relationships::{self, ViewContext},
};

/// The order of a list.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub enum CirclePostSort {
    /// Newest first.
    #[default]
    Latest,
    /// Best first; posts that are not judged yet last.
    Quality,
}

/// The page of posts that is requested.
#[derive(Clone, Copy, Debug, Deserialize, IntoParams)]
#[serde(rename_all = "camelCase")]
#[into_params(parameter_in = Query)]
pub struct CirclePostQuery {
    /// `latest`, the default, or `quality`.
    #[serde(default)]
    #[param(inline, value_type = Option<CirclePostSort>)]
    pub sort: CirclePostSort,
    /// The post whose comments are listed; by default the posts that begin threads are.
    pub parent_id: Option<PostId>,
    /// The number of posts, at most 100; 20 by default. `take` is another name for it.
    #[serde(default, alias = "take")]
    #[param(value_type = Option<u8>, default = 20, minimum = 1)]
    pub limit: Take,
    /// The `after` of the page before. `after` is another name for it.
    #[serde(alias = "after")]
    pub cursor: Option<PostId>,
}

/// Returns a page of a circle's posts, or of the comments on one, without authors whom a block separates from the
/// viewer, and without words that the viewer mutes.
///
/// # Errors
/// [`platform::Error::NotFound`] when there is no such circle, or no such post in it.
pub async fn list(
    app: &App,
    viewer: Option<UserId>,
    circle: CircleId,
    query: CirclePostQuery,
) -> Result<Page<CirclePostView>> {
    let alive = crate::find(app, circle);
    let page = async {
        let listed_under = listed_under(app, circle, query.parent_id).await?;
        let mut page = FillingPage::new(Cursor { take: query.limit, after: query.cursor });
        while let Some(Cursor { after: cursor, .. }) = page.to_read() {
            let query = CirclePostQuery { cursor, ..query };
            let rows: Vec<CirclePost> = app.table.query(&query.page_query(app, &listed_under).await?).await?;
            let (last, read) = (rows.last().map(|it| it.id), rows.len());
            page.add(unhidden(app, viewer, rows).await?, last, read);
        }
        Ok(page.page(|it| it.id.to_string()))
    };
    let (_, page) = futures::try_join!(alive, page)?;
    Ok(page.map(CirclePostView::from))
}

/// Returns those posts whose author no block separates from the viewer, and that have no word which the viewer mutes.
async fn unhidden(app: &App, viewer: Option<UserId>, mut posts: Vec<CirclePost>) -> Result<Vec<CirclePost>> {
    let Some(viewer) = viewer else { return Ok(posts) };
    let authors: HashSet<_> = posts.iter().map(|it| it.author).filter(|it| *it != viewer).collect();
    let mutes = async { if authors.is_empty() { Ok(None) } else { mutes::of(app, viewer).await } };
    let hidden = relationships::hidden_from(app, viewer, &authors, ViewContext::Thread);
    let (hidden, mutes) = futures::try_join!(hidden, mutes)?;
    let words = mutes.and_then(|it| it.word_filter());
    let is_muted =
        |it: &CirclePost| it.author != viewer && words.as_ref().is_some_and(|words| words.hides(&it.words()));
    posts.retain(|it| !hidden.contains(&it.author) && !is_muted(it));
    Ok(posts)
}

async fn listed_under(app: &App, circle: CircleId, parent: Option<PostId>) -> Result<String> {
    let Some(parent) = parent else { return Ok(circle.to_string()) };
    let found = app.table.get::<CirclePost>(&key(parent)).await?;
    found.filter(|it| it.circle == circle && !it.is_deleted()).map(|it| it.id.to_string()).ok_or(NO_POST)
}

impl CirclePostQuery {
    /// Reads the rank of the last post again for each page, because a verdict may have changed it.
    async fn page_query(&self, app: &App, listed_under: &String) -> Result<Query> {
        let page = match (self.sort, self.cursor) {
            (CirclePostSort::Latest, after) => {
                Query::index(Index::Gsi2, row::latest_partition(listed_under)).before(after)
            }
            (CirclePostSort::Quality, None) => Query::index(Index::Gsi3, row::best_partition(listed_under)),
            (CirclePostSort::Quality, Some(after)) => {
                let last = app.table.get::<CirclePost>(&key(after)).await?;
                Query::index(Index::Gsi3, row::best_partition(listed_under)).before(last.map(|it| it.rank()))
            }
        };
        Ok(page.newest_first().limit(self.limit.rows() + 1))
    }
}

/// Returns the best judged posts of a circle.
pub(crate) async fn best(app: &App, circle: CircleId, rows: usize) -> Result<Vec<CirclePost>> {
    let judged = Query::index(Index::Gsi3, row::best_partition(&circle)).prefix(row::JUDGED);
    app.table.query(&judged.newest_first().limit(rows)).await
}

/// Returns some of all posts and comments of a circle.
pub(crate) async fn page_to_purge(app: &App, circle: CircleId, rows: usize) -> Result<Vec<CirclePost>> {
    app.table.query(&Query::index(Index::Gsi1, row::all_partition(circle)).limit(rows)).await
}
