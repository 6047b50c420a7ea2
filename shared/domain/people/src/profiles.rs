//! A user's public profile, with the viewer's relation to the user.

use base::ids::UserId;
use platform::{
    App,
    error::{Error, Result},
    time::Time,
};
use serde::Serialize;
use utoipa::ToSchema;

use crate::{
    follows, relationships, unique,
    users::{self, Bio, User, UserCard, Username},
};

/// A user's profile as the viewer sees it.
#[derive(Clone, Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct Profile {
    /// The user's card.
    #[serde(flatten)]
    pub user: UserCard,
    /// The user's description of themselves.
    pub bio: Option<Bio>,
    /// The number of the user's followers.
    pub followers_count: i64,
    /// The number of users that the user follows.
    pub following_count: i64,
    /// The time at which the user registered.
    pub created_at: Time,
    /// The viewer's relation to the user. Without a token, all fields are false.
    #[serde(flatten)]
    pub viewer: ViewerState,
}

/// The viewer's follow, block and mute of a user, and the user's follow of the viewer.
#[derive(Clone, Copy, Debug, Default, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct ViewerState {
    /// Whether the viewer follows the user.
    pub is_following: bool,
    /// Whether the user follows the viewer.
    pub is_followed_by: bool,
    /// Whether the viewer blocks the user.
    pub is_blocked: bool,
    /// Whether the viewer mutes the user.
    pub is_muted: bool,
}

/// Returns the user with this username, who must not be the caller.
///
/// # Errors
/// Fails with [`Error::NotFound`] if the user does not exist. Fails with [`Error::Invalid`] if the username is the
/// caller's own.
pub async fn find_other_user(app: &App, caller: UserId, name: &Username) -> Result<UserId> {
    let user = unique::user_named(app, name).await?;
    (user != caller).then_some(user).ok_or(Error::invalid("username", "must not be your own"))
}

/// Returns a user's profile.
///
/// # Errors
/// Fails with [`Error::NotFound`] if the user does not exist.
pub async fn profile(app: &App, viewer: Option<UserId>, name: &Username) -> Result<Profile> {
    let id = unique::user_named(app, name).await?;
    let (user, viewer) = futures::try_join!(users::find(app, id), viewer_state(app, viewer, id))?;
    let user = user.ok_or(Error::NotFound("user"))?;
    Ok(Profile::new(user, viewer))
}

async fn viewer_state(app: &App, viewer: Option<UserId>, other: UserId) -> Result<ViewerState> {
    let Some(viewer) = viewer.filter(|viewer| *viewer != other) else { return Ok(ViewerState::default()) };
    let pairs = [(viewer, other), (other, viewer)];
    let (follows, relationship) =
        futures::try_join!(follows::among(app, &pairs), relationships::find(app, viewer, other))?;
    Ok(ViewerState {
        is_following: follows.contains(&pairs[0]),
        is_followed_by: follows.contains(&pairs[1]),
        is_blocked: relationship.blocks,
        is_muted: relationship.mutes,
    })
}

impl Profile {
    fn new(user: User, viewer: ViewerState) -> Self {
        Self {
            user: user.card(),
            bio: user.bio,
            followers_count: user.followers_count,
            following_count: user.following_count,
            created_at: user.created_at,
            viewer,
        }
    }
}
