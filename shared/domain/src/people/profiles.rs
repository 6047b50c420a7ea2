//! People as others meet them: who they are, how the viewer stands with them, what they wrote.

use platform::{
    App,
    error::{Error, Result},
    time::Time,
};
use serde::Serialize;
use utoipa::ToSchema;

use crate::{
    ids::UserId,
    people::{
        follows, relationships, unique,
        users::{self, Bio, User, UserCard, Username},
    },
};

/// A person, as the viewer sees them.
#[derive(Clone, Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct Profile {
    /// Who it is.
    #[serde(flatten)]
    pub user: UserCard,
    /// In their own words.
    pub bio: Option<Bio>,
    /// How many follow them.
    pub followers_count: i64,
    /// How many they follow.
    pub following_count: i64,
    /// When they came.
    pub created_at: Time,
    /// How the viewer stands with them; all false without a token.
    #[serde(flatten)]
    pub ties: Ties,
}

/// What ties the viewer to a person.
#[derive(Clone, Copy, Debug, Default, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct Ties {
    /// Whether the viewer follows them.
    pub is_following: bool,
    /// Whether they follow the viewer.
    pub is_followed_by: bool,
    /// Whether the viewer blocks them.
    pub is_blocked: bool,
    /// Whether the viewer mutes them.
    pub is_muted: bool,
}

/// The user of this name, who must not be the caller. 1 call, 1 RRU.
///
/// # Errors
/// [`Error::NotFound`] when there is none, [`Error::Invalid`] for the caller's own name.
pub async fn someone_else(app: &App, caller: UserId, name: &Username) -> Result<UserId> {
    let user = unique::user_named(app, name).await?;
    (user != caller).then_some(user).ok_or(Error::invalid("username", "must not be your own"))
}

/// A person's profile. 2 calls and 2 RRU; signed in 4 calls and 5 RRU beside the session's.
///
/// # Errors
/// [`Error::NotFound`] for nobody.
pub async fn profile(app: &App, viewer: Option<UserId>, name: &Username) -> Result<Profile> {
    let id = unique::user_named(app, name).await?;
    let (user, ties) = futures::try_join!(users::find(app, id), ties(app, viewer, id))?;
    let user = user.ok_or(Error::NotFound("user"))?;
    Ok(Profile::of(user, ties))
}

async fn ties(app: &App, viewer: Option<UserId>, other: UserId) -> Result<Ties> {
    let Some(viewer) = viewer.filter(|it| *it != other) else { return Ok(Ties::default()) };
    let ways = [(viewer, other), (other, viewer)];
    let (follows, relationship) =
        futures::try_join!(follows::among(app, &ways), relationships::find(app, viewer, other))?;
    Ok(Ties {
        is_following: follows.contains(&ways[0]),
        is_followed_by: follows.contains(&ways[1]),
        is_blocked: relationship.blocks,
        is_muted: relationship.mutes,
    })
}

impl Profile {
    fn of(user: User, ties: Ties) -> Self {
        Self {
            user: user.card(),
            bio: user.bio,
            followers_count: user.followers_count,
            following_count: user.following_count,
            created_at: user.created_at,
            ties,
        }
    }
}
