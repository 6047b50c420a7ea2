//! A user's public profile, with the viewer's relation to the user.

use base::UserId;
use platform::{App, Error, Key, Result, Time, table::Together};
use serde::Serialize;
use utoipa::ToSchema;

use crate::{
    Bio, Follow, FriendRequest, Relationship, User, UserCard, UserRef, follows,
    friendships::{self, RequestStatus},
    relationships, unique, users,
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
    /// The viewer's relation to the user. Without a token, all fields are false or `NONE`.
    #[serde(flatten)]
    pub viewer: ViewerState,
}

/// The friendship or the pending friend request between the viewer and a user.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, ToSchema)]
#[serde(rename_all = "SCREAMING_SNAKE_CASE")]
pub enum FriendStatus {
    /// The two users are not friends, and no request is pending.
    #[default]
    None,
    /// The viewer's request is pending.
    Sent,
    /// The user's request is pending.
    Received,
    /// The two users are friends.
    Friends,
}

/// The viewer's relation to a user: friendship, follows, block and mute.
#[derive(Clone, Copy, Debug, Default, Serialize, ToSchema)]
#[schema(as = ViewerRelation)]
#[serde(rename_all = "camelCase")]
pub struct ViewerState {
    /// The friendship or the pending friend request.
    pub friend_status: FriendStatus,
    /// Whether the viewer follows the user.
    pub is_following: bool,
    /// Whether the user follows the viewer.
    pub is_followed_by: bool,
    /// Whether the viewer blocks the user.
    pub is_blocked: bool,
    /// Whether the viewer mutes the user.
    pub is_muted: bool,
}

/// Returns the user that a request refers to. The user must not be the caller.
///
/// # Errors
/// Fails with [`Error::NotFound`] if the user does not exist. Fails with [`Error::Invalid`] if the user is the caller.
pub async fn find_other_user(app: &App, caller: UserId, name: &UserRef) -> Result<UserId> {
    let user = unique::user_named(app, name).await?;
    (user != caller).then_some(user).ok_or(Error::invalid("username", "must not be your own"))
}

/// Returns a user's profile. Reads the user and the viewer's relation to the user in one call.
///
/// # Errors
/// Fails with [`Error::NotFound`] if the user does not exist.
pub async fn profile(app: &App, viewer: Option<UserId>, name: &UserRef) -> Result<Profile> {
    let id = unique::user_named(app, name).await?;
    let related = viewer.filter(|viewer| *viewer != id).map(|viewer| RelatedKeys::of(viewer, id));
    let user_key = users::key(id);
    let keys: Vec<_> =
        [user_key.clone()].into_iter().chain(related.iter().flat_map(RelatedKeys::all)).collect();
    let mut rows = app.table.get_together(&keys).await?;
    let user: User = rows.take(&user_key)?.ok_or(Error::NotFound("user"))?;
    let viewer = related.map(|keys| keys.state(&mut rows)).transpose()?.unwrap_or_default();
    Ok(Profile::new(user, viewer))
}

/// The keys of the rows about a viewer and another user. In each pair, the first row is about the viewer's action, and
/// the second row about the other user's action.
struct RelatedKeys {
    follows: [Key; 2],
    requests: [Key; 2],
    relationship: Key,
}

impl RelatedKeys {
    fn of(viewer: UserId, other: UserId) -> Self {
        Self {
            follows: [follows::key(viewer, other), follows::key(other, viewer)],
            requests: [friendships::key(viewer, other), friendships::key(other, viewer)],
            relationship: relationships::key(viewer, other),
        }
    }

    fn all(&self) -> impl Iterator<Item = Key> {
        self.follows.iter().chain(&self.requests).chain([&self.relationship]).cloned()
    }

    fn state(&self, rows: &mut Together) -> Result<ViewerState> {
        let [out, back] = &self.follows;
        let [out, back] = [rows.take::<Follow>(out)?, rows.take::<Follow>(back)?];
        let [sent, received] = &self.requests;
        let requests = [rows.take::<FriendRequest>(sent)?, rows.take::<FriendRequest>(received)?];
        let relationship = rows.take::<Relationship>(&self.relationship)?;
        Ok(ViewerState {
            friend_status: FriendStatus::of(requests),
            is_following: out.is_some_and(|follow| follow.is_following),
            is_followed_by: back.is_some_and(|follow| follow.is_following),
            is_blocked: relationship.is_some_and(|relationship| relationship.blocks),
            is_muted: relationship.is_some_and(|relationship| relationship.mutes),
        })
    }
}

impl FriendStatus {
    /// Returns the status that results from the viewer's request and the other user's request.
    fn of([sent, received]: [Option<FriendRequest>; 2]) -> Self {
        match [sent, received].map(|request| request.map(|request| request.status)) {
            [Some(RequestStatus::Accepted), _] | [_, Some(RequestStatus::Accepted)] => Self::Friends,
            [Some(RequestStatus::Pending), _] => Self::Sent,
            [_, Some(RequestStatus::Pending)] => Self::Received,
            _ => Self::None,
        }
    }
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
