//! `/search`: finding people, posts and hashtags.

use axum::{extract::State, http::Extensions};
use domain::{
    people::users::UserCard,
    posts::PostView,
    search::{self, Hashtag, Terms},
};
use platform::decode::decode;
use platform::{
    App, Result,
    page::{Cursor, Take},
    rate_limit,
};
use runtime::rate_limit_headers::enforce;
use runtime::{
    caller::Caller,
    http::{List, ListEnvelope, Query, RespondList},
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

/// What to look for.
#[derive(Clone, Copy, Default, Deserialize, ToSchema)]
#[serde(rename_all = "lowercase")]
pub(crate) enum Kind {
    /// People, by how their username or a word of their name begins.
    User,
    /// Posts, by their words, newest first.
    #[default]
    Post,
    /// Hashtags, by how they begin.
    Hashtag,
}

#[derive(Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
pub(crate) struct SearchQuery {
    /// What was typed. Case and diacritics make no difference.
    #[param(value_type = String, min_length = 1, max_length = 100)]
    q: Terms,
    /// `post` unless said, `user` or `hashtag`.
    #[serde(default, rename = "type")]
    #[param(inline, value_type = Option<Kind>)]
    kind: Kind,
    /// Rows wanted: 20 unless said, 100 at most.
    #[serde(default)]
    #[param(value_type = Option<u8>, default = 20, minimum = 1, maximum = 100)]
    take: Take,
    /// The `after` of the page before.
    after: Option<String>,
}

/// What was found, all of one kind.
#[derive(Serialize, ToSchema)]
#[serde(untagged)]
pub(crate) enum Found {
    /// Somebody.
    User(UserCard),
    /// A post.
    Post(Box<PostView>),
    /// A hashtag.
    Hashtag(Hashtag),
}

/// Search people, posts or hashtags
///
/// Posts that have all the words, newest first; people and hashtags that begin so, in alphabetical
/// order. Hidden, deleted and private posts are not found. At most 30 searches a minute.
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
        Kind::User => {
            let cursor = Cursor { take, after: position(after)? };
            search::find_people(&app, caller.id, &q, cursor).await?.map(Found::User)
        }
        Kind::Post => {
            let cursor = Cursor { take, after: position(after)? };
            let posts = search::find_posts(&app, caller.id, &q, cursor).await?;
            posts.map(|it| Found::Post(Box::new(it)))
        }
        Kind::Hashtag => {
            let cursor = Cursor { take, after: position(after)? };
            search::find_hashtags(&app, &q, cursor).await?.map(Found::Hashtag)
        }
    };
    Ok(List(found))
}

/// A cursor is what the rows are named by, which is something else for each kind.
#[derive(Deserialize)]
struct Position<P> {
    after: P,
}

fn position<P: DeserializeOwned>(after: Option<String>) -> Result<Option<P>> {
    let position = |it| decode(json!({ "after": it })).map(|Position { after }| after);
    after.map(position).transpose()
}
