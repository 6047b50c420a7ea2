//! What was written in a circle, page by page.

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

/// In which order.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub enum CirclePostSort {
    /// The newest first.
    #[default]
    Latest,
    /// The best first, what is not judged yet last.
    Quality,
}

/// Which page.
#[derive(Clone, Copy, Debug, Deserialize, IntoParams)]
#[serde(rename_all = "camelCase")]
#[into_params(parameter_in = Query)]
pub struct CirclePostQuery {
    /// `latest`, unless it is said, or `quality`.
    #[serde(default)]
    #[param(inline, value_type = Option<CirclePostSort>)]
    pub sort: CirclePostSort,
    /// The comments on this post; unless it is said, the posts that begin threads.
    pub parent_id: Option<PostId>,
    /// Rows wanted: 20 unless said, 100 at most; `take` is another name for it.
    #[serde(default, alias = "take")]
    #[param(value_type = Option<u8>, default = 20, minimum = 1, maximum = 100)]
    pub limit: Take,
    /// The `after` of the page before; `after` is another name for it.
    #[serde(alias = "after")]
    pub cursor: Option<PostId>,
}

/// A page of a circle's posts, or of the comments on one. 2 calls: 1 RRU, and 0.5 for each 4 KB; 1 more for
/// comments, and behind a cursor by quality.
///
/// # Errors
/// [`platform::Error::NotFound`] for no such circle, or no such post in it.
pub async fn list(app: &App, circle: CircleId, query: CirclePostQuery) -> Result<Page<CirclePostView>> {
    let alive = circles::find(app, circle);
    let rows = async {
        let place = place(app, circle, query.parent_id).await?;
        app.table.query::<CirclePost>(&query.ask(app, &place).await?).await
    };
    let (_, rows) = futures::try_join!(alive, rows)?;
    Ok(Page::cut(rows, query.limit, |it| it.id.to_string()).map(CirclePost::view))
}

async fn place(app: &App, circle: CircleId, parent: Option<PostId>) -> Result<String> {
    let Some(parent) = parent else { return Ok(circle.to_string()) };
    let found = app.table.get::<CirclePost>(&key(parent)).await?;
    found.filter(|it| it.circle == circle).map(|it| it.id.to_string()).ok_or(NO_POST)
}

impl CirclePostQuery {
    /// A rank is read again with each page: a verdict may have moved the last row.
    async fn ask(&self, app: &App, place: &String) -> Result<Query> {
        let ask = match (self.sort, self.cursor) {
            (CirclePostSort::Latest, after) => Query::index(Index::Gsi2, row::listed(place)).before(after),
            (CirclePostSort::Quality, None) => Query::index(Index::Gsi3, row::ranked(place)),
            (CirclePostSort::Quality, Some(after)) => {
                let last = app.table.get::<CirclePost>(&key(after)).await?;
                Query::index(Index::Gsi3, row::ranked(place)).before(last.map(|it| it.rank()))
            }
        };
        Ok(ask.newest_first().limit(self.limit.rows() + 1))
    }
}

/// A circle's best posts. 1 call, 0.5 RRU for each 4 KB.
pub(in crate::circles) async fn best(app: &App, circle: CircleId, rows: usize) -> Result<Vec<CirclePost>> {
    let ask = Query::index(Index::Gsi3, row::ranked(&circle)).prefix(row::JUDGED);
    app.table.query(&ask.newest_first().limit(rows)).await
}

/// Some of all that was written in a circle. 1 call, 0.5 RRU for each 4 KB.
pub(in crate::circles) async fn page_to_purge(
    app: &App,
    circle: CircleId,
    rows: usize,
) -> Result<Vec<CirclePost>> {
    app.table.query(&Query::index(Index::Gsi1, row::all_of(circle)).limit(rows)).await
}
