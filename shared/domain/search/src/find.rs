//! Searches for users, posts or hashtags.

use base::UserId;
use people::UserCard;
use platform::{App, Cursor, Page, RateLimit, Result, Take, decode::decode};
use posts::PostView;
use serde::{Deserialize, Serialize, de::DeserializeOwned};
use serde_json::json;
use utoipa::ToSchema;

use super::{Hashtag, Terms, find_hashtags, find_people, find_posts};

const SEARCHES: RateLimit = RateLimit { what: "search", most: 30, seconds: 60 };

/// The kind of results to search for.
#[derive(Clone, Copy, Default, Deserialize, ToSchema)]
#[serde(rename_all = "lowercase")]
pub enum SearchType {
    /// Users whose username, or a word in their name, starts with the terms.
    User,
    /// Posts that contain all words, newest first.
    #[default]
    Post,
    /// Hashtags that start with the terms.
    Hashtag,
}

/// A result of a search. All results of a search are of the same kind.
#[derive(Serialize, ToSchema)]
#[schema(as = SearchResult, discriminator(property_name = "kind", mapping(
    ("USER" = "#/components/schemas/UserResult"),
    ("POST" = "#/components/schemas/Post"),
    ("HASHTAG" = "#/components/schemas/HashtagResult"),
)))]
#[serde(untagged)]
pub enum Found {
    /// A user.
    User(FoundUser),
    /// A post.
    Post(Box<PostView>),
    /// A hashtag.
    Hashtag(FoundHashtag),
}

/// A user that a search found.
#[derive(Serialize, ToSchema)]
#[schema(as = UserResult)]
#[serde(tag = "kind", rename = "USER")]
pub struct FoundUser {
    #[serde(flatten)]
    user: UserCard,
}

/// A hashtag that a search found.
#[derive(Serialize, ToSchema)]
#[schema(as = HashtagResult)]
#[serde(tag = "kind", rename = "HASHTAG")]
pub struct FoundHashtag {
    #[serde(flatten)]
    hashtag: Hashtag,
}

/// Counts a search against the viewer's limit of 30 searches per minute.
///
/// # Errors
/// Fails with [`platform::Error::LimitReached`] if the viewer exceeds the limit.
pub async fn count_search(app: &App, viewer: UserId) -> Result<()> {
    SEARCHES.count(app, &viewer.to_string()).await?.enforce()
}

/// Returns the page of results after `after`.
///
/// # Errors
/// Fails with [`platform::Error::Invalid`] if `after` is not a cursor of this kind of result.
pub async fn find(
    app: &App,
    viewer: UserId,
    kind: SearchType,
    terms: &Terms,
    take: Take,
    after: Option<String>,
) -> Result<Page<Found>> {
    Ok(match kind {
        SearchType::User => find_people(app, viewer, terms, cursor(take, after)?)
            .await?
            .map(|user| Found::User(FoundUser { user })),
        SearchType::Post => find_posts(app, viewer, terms, cursor(take, after)?)
            .await?
            .map(|post| Found::Post(Box::new(post))),
        SearchType::Hashtag => find_hashtags(app, terms, cursor(take, after)?)
            .await?
            .map(|hashtag| Found::Hashtag(FoundHashtag { hashtag })),
    })
}

/// A cursor, whose type depends on the kind of result.
#[derive(Deserialize)]
struct After<P> {
    after: P,
}

fn cursor<P: DeserializeOwned>(take: Take, after: Option<String>) -> Result<Cursor<P>> {
    let parse = |after| decode(json!({ "after": after })).map(|After { after }| after);
    Ok(Cursor { take, after: after.map(parse).transpose()? })
}
