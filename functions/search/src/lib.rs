//! `/search`: finding people, posts and hashtags.

use axum::{extract::State, http::Extensions};
use domain::{
    people::users::UserCard,
    posts::PostView,
    search::{self, Hashtag, Terms},
};
use platform::{
    App, Result,
    decode::decode,
    page::{Cursor, Take},
    rate_limit,
};
use runtime::{
    caller::Caller,
    http::{List, ListEnvelope, Query, RespondList},
    rate_limit_headers::enforce,
};
use serde::{Deserialize, Serialize, de::DeserializeOwned};
use serde_json::json;
use utoipa::{IntoParams, ToSchema};
use utoipa_axum::{router::OpenApiRouter, routes};

const A_MINUTE: i64 = 60;
const SEARCHES_A_MINUTE: i64 = 30;

/// The routes of this function.
pub fn routes() -> OpenApiRouter<App> {
    OpenApiRouter::new().routes(routes!(search_network))
}

/// The kind of results.
#[derive(Clone, Copy, Default, Deserialize, ToSchema)]
#[serde(rename_all = "lowercase")]
pub(crate) enum SearchType {
    /// People, by the beginning of their username or of a word of their name.
    User,
    /// Posts, by their words, newest first.
    #[default]
    Post,
    /// Hashtags, by their beginning.
    Hashtag,
}

#[derive(Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
pub(crate) struct SearchQuery {
    /// The text to search for. Case and diacritics make no difference.
    #[param(value_type = String, min_length = 1, max_length = 100)]
    q: Terms,
    /// `post` (the default), `user` or `hashtag`.
    #[serde(default, rename = "type")]
    #[param(inline, value_type = Option<SearchType>)]
    kind: SearchType,
    /// The number of rows: by default 20, at most 100.
    #[serde(default)]
    #[param(value_type = Option<u8>, default = 20, minimum = 1, maximum = 100)]
    take: Take,
    /// The `after` of the previous page.
    after: Option<String>,
}

/// A result; all results of a search are of one kind.
#[derive(Serialize, ToSchema)]
#[serde(untagged)]
pub(crate) enum Found {
    /// A user.
    User(UserCard),
    /// A post.
    Post(Box<PostView>),
    /// A hashtag.
    Hashtag(Hashtag),
}

/// Search people, posts or hashtags
///
/// Returns posts that have all the words, newest first; or people and hashtags that begin with the text, in
/// alphabetical order. Hidden, deleted and private posts are not found. At most 30 searches a minute.
#[utoipa::path(get, path = "/search", tag = "search",
    extensions(("x-status" = json!("proposed"))), security(("bearer" = [])), params(SearchQuery),
    responses((status = 200, body = ListEnvelope<Found>)))]
pub(crate) async fn search_network(
    State(app): State<App>,
    caller: Caller,
    request: Extensions,
    Query(SearchQuery { q, kind, take, after }): Query<SearchQuery>,
) -> RespondList<Found> {
    let who = caller.id.to_string();
    enforce(rate_limit::count(&app, "search", &who, SEARCHES_A_MINUTE, A_MINUTE).await?, &request)?;
    let found = match kind {
        SearchType::User => {
            let cursor = Cursor { take, after: parse_after(after)? };
            search::find_people(&app, caller.id, &q, cursor).await?.map(Found::User)
        }
        SearchType::Post => {
            let cursor = Cursor { take, after: parse_after(after)? };
            let posts = search::find_posts(&app, caller.id, &q, cursor).await?;
            posts.map(|it| Found::Post(Box::new(it)))
        }
        SearchType::Hashtag => {
            let cursor = Cursor { take, after: parse_after(after)? };
            search::find_hashtags(&app, &q, cursor).await?.map(Found::Hashtag)
        }
    };
    Ok(List(found))
}

/// A cursor. Its type depends on the kind of results.
#[derive(Deserialize)]
struct After<C> {
    after: C,
}

fn parse_after<C: DeserializeOwned>(after: Option<String>) -> Result<Option<C>> {
    let parse = |it| decode(json!({ "after": it })).map(|After { after }| after);
    after.map(parse).transpose()
}
