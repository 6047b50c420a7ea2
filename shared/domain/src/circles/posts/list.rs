//! Lists of a circle's posts and comments.

use platform::{
    App, Result,
    page::{Page, Take},
    table::{Index, Query},
};
use serde::Deserialize;
use utoipa::{IntoParams, ToSchema};

use super::{CirclePost, CirclePostView, NO_POST, key, row};
use crate::{
    circles,
    ids::{CircleId, PostId},
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
    #[param(value_type = Option<u8>, default = 20, minimum = 1, maximum = 100)]
    pub limit: Take,
    /// The `after` of the page before. `after` is another name for it.
    #[serde(alias = "after")]
    pub cursor: Option<PostId>,
}

/// Returns a page of a circle's posts, or of the comments on one. Costs 2 calls, 1 RRU, and 0.5 RRU for each
/// 4 KB; 1 call and 1 RRU more for comments, and behind a cursor by quality.
///
/// # Errors
/// [`platform::Error::NotFound`] when there is no such circle, or no such post in it.
pub async fn list(app: &App, circle: CircleId, query: CirclePostQuery) -> Result<Page<CirclePostView>> {
    let alive = circles::find(app, circle);
    let rows = async {
        let listed_under = listed_under(app, circle, query.parent_id).await?;
        app.table.query::<CirclePost>(&query.page_query(app, &listed_under).await?).await
    };
    let (_, rows) = futures::try_join!(alive, rows)?;
    Ok(Page::cut(rows, query.limit, |it| it.id.to_string()).map(CirclePostView::from))
}

async fn listed_under(app: &App, circle: CircleId, parent: Option<PostId>) -> Result<String> {
    let Some(parent) = parent else { return Ok(circle.to_string()) };
    let found = app.table.get::<CirclePost>(&key(parent)).await?;
    found.filter(|it| it.circle == circle).map(|it| it.id.to_string()).ok_or(NO_POST)
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

/// Returns the best judged posts of a circle. Costs 1 call, and 0.5 RRU for each 4 KB.
pub(in crate::circles) async fn best(app: &App, circle: CircleId, rows: usize) -> Result<Vec<CirclePost>> {
    let judged = Query::index(Index::Gsi3, row::best_partition(&circle)).prefix(row::JUDGED);
    app.table.query(&judged.newest_first().limit(rows)).await
}

/// Returns some of all posts and comments of a circle. Costs 1 call, and 0.5 RRU for each 4 KB.
pub(in crate::circles) async fn page_to_purge(
    app: &App,
    circle: CircleId,
    rows: usize,
) -> Result<Vec<CirclePost>> {
    app.table.query(&Query::index(Index::Gsi1, row::all_partition(circle)).limit(rows)).await
}
