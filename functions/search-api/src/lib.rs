//! `/search`: finds users, posts and hashtags.

use axum::extract::State;
use domain::search::{self, Found, SearchType, Terms};
use platform::{App, Take};
use runtime::{Caller, List, ListEnvelope, Query, RespondList, Routes, routes};
use serde::Deserialize;
use utoipa::IntoParams;

/// Returns this Lambda function's HTTP routes.
pub fn routes() -> Routes {
    routes![search_network]
}

#[derive(Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
pub(crate) struct SearchQuery {
    /// Search text. Case and diacritics are ignored.
    #[param(value_type = String, min_length = 1, max_length = 100)]
    q: Terms,
    /// `post` (default), `user` or `hashtag`.
    #[serde(default, rename = "type")]
    #[param(inline, value_type = Option<SearchType>)]
    kind: SearchType,
    #[serde(default)]
    #[param(value_type = Option<u8>, default = 20, minimum = 1)]
    take: Take,
    after: Option<String>,
}

/// Search users, posts or hashtags
///
/// A post matches if it contains all words of the search text. Posts are returned newest first. A user matches if the
/// username, or a word in the name, begins with the search text. A hashtag matches if it begins with the search text.
/// Users and hashtags are returned in alphabetical order. Hidden, deleted and private posts are not found. A user can
/// search 30 times a minute.
#[utoipa::path(get, path = "/search", tag = "search",
    extensions(("x-status" = json!("proposed"))), security(("bearer" = []), ("token" = ["read"])), params(SearchQuery),
    responses((status = 200, body = ListEnvelope<Found>)))]
pub(crate) async fn search_network(
    State(app): State<App>,
    caller: Caller,
    Query(SearchQuery { q, kind, take, after }): Query<SearchQuery>,
) -> RespondList<Found> {
    search::count_search(&app, caller.id).await?;
    Ok(List(search::find(&app, caller.id, kind, &q, take, after).await?))
}
