//! Following somebody, and ceasing to.

use platform::{
    App,
    error::{Error, Result},
    rate_limit::{self, RateLimitStatus},
    table::Write,
};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use super::{CHANGED, Follow, find};
use crate::{
    ids::UserId,
    jobs::TimelineJob,
    ledger::action_log::{Action, ActionType},
    people::{
        follows::Followed,
        profiles,
        relationships::{self, Relationship},
        users::{self, User, Username},
    },
};

const TRIES: usize = 8;
const LIMIT: i64 = 30;
const WINDOW_SECONDS: i64 = 60;

/// What a person asks for; nothing said is the other way round than it is.
#[derive(Clone, Copy, Debug, Default, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase", default)]
pub struct FollowRequest {
    /// True to follow, false to cease to; repeating changes nothing.
    #[schema(example = true)]
    pub is_following: Option<bool>,
}

/// How it is now.
#[derive(Clone, Copy, Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct Following {
    /// Whether the caller follows that person.
    pub is_following: bool,
    /// How many follow that person.
    pub followers_count: i64,
}

/// Counts a try against 30 a minute. 1 call, 1 WRU.
///
/// # Errors
/// Internal only.
pub async fn tries(app: &App, follower: UserId) -> Result<RateLimitStatus> {
    rate_limit::count(app, "follow", &follower.to_string(), LIMIT, WINDOW_SECONDS).await
}

/// Follows somebody, or ceases to. 5 calls, a message and an event: 4 RRU, 16 WRU; 12 WRU to cease.
///
/// # Errors
/// [`Error::NotFound`] for nobody, [`Error::Invalid`] for oneself, [`Error::Forbidden`] where a
/// block stands; internal when message or event could not be sent: then asking to follow again sends them.
pub async fn set(app: &App, follower: UserId, name: &Username, wish: FollowRequest) -> Result<Following> {
    let followed = profiles::someone_else(app, follower, name).await?;
    for _ in 0..TRIES {
        let before = Before::read(app, follower, followed).await?;
        let wanted = wish.is_following.unwrap_or(before.current().is_none());
        let change = match (before.current(), wanted) {
            (None, true) => before.begin(app, follower).await,
            (Some(follow), false) => before.end(app, follow).await,
            (Some(follow), true) => Ok((follow.clone(), 0)),
            (None, false) => return Ok(before.following(false, 0)),
        };
        let (follow, change) = match change {
            Err(Error::Conflict(_)) => continue,
            done => done?,
        };
        if wanted {
            tell(app, &follow).await?;
        }
        return Ok(before.following(wanted, change));
    }
    Err(Error::internal(anyhow::anyhow!("a follow kept changing while it was set")))
}

/// Also for one that stands: telling may have failed the first time.
async fn tell(app: &App, follow: &Follow) -> Result<()> {
    let &Follow { follower_id, following_id, created_at, .. } = follow;
    let followed = Followed { follower_id, following_id, created_at };
    let back_fill = TimelineJob::BackFill { reader: follower_id, author: following_id };
    let sent = app.queues.send(&back_fill);
    futures::try_join!(sent, app.events.publish(&followed)).map(drop)
}

/// How two people stand before one of them follows the other.
struct Before {
    follow: Option<Follow>,
    followed: User,
    relationship: Relationship,
}

impl Before {
    async fn read(app: &App, follower: UserId, followed: UserId) -> Result<Self> {
        let follow = find(app, follower, followed);
        let relationship = relationships::find(app, follower, followed);
        let (follow, relationship, user) =
            futures::try_join!(follow, relationship, users::find(app, followed))?;
        Ok(Self { follow, relationship, followed: user.ok_or(Error::NotFound("user"))? })
    }

    fn current(&self) -> Option<&Follow> {
        self.follow.as_ref().filter(|it| it.is_following)
    }

    fn following(&self, is_following: bool, change: i64) -> Following {
        Following { is_following, followers_count: self.followed.followers_count + change }
    }

    async fn begin(&self, app: &App, follower: UserId) -> Result<(Follow, i64)> {
        let (now, followed) = (app.now(), self.followed.id);
        let follow = Follow {
            follower_id: follower,
            following_id: followed,
            is_following: true,
            merges: self.followed.is_popular,
            position: app.ids.next(now),
            created_at: now,
        };
        let [one, other] = counts(&follow, 1);
        let writes = vec![
            follow.begun(),
            self.reached(&follow),
            one,
            self.still_as_popular(other),
            Action::on_user(follower, ActionType::FollowFollowingCreated, followed, now).log(),
            Action::on_user(followed, ActionType::FlowFollowerCreated, follower, now).log(),
        ];
        app.table.transact(writes).await.map(|()| (follow, 1))
    }

    /// Every follow after somebody became popular has its mark.
    fn still_as_popular(&self, count: Write) -> Write {
        match self.followed.is_popular {
            true => count,
            false => count.equals_or_lacks("isPopular", false).or(CHANGED),
        }
    }

    async fn end(&self, app: &App, follow: &Follow) -> Result<(Follow, i64)> {
        let [one, other] = counts(follow, -1);
        let left = relationships::update(follow.follower_id, follow.following_id).set("left", true);
        let writes = vec![follow.ended(), left, one, other];
        app.table.transact(writes).await.map(|()| (follow.clone(), -1))
    }

    /// Only past no block; whoever left before is back.
    fn reached(&self, follow: &Follow) -> Write {
        let (follower, followed) = (follow.follower_id, follow.following_id);
        match self.relationship.left {
            true => relationships::unblocked(relationships::update(follower, followed).set("left", false)),
            false => relationships::none_between(follower, followed),
        }
    }
}

fn counts(follow: &Follow, by: i64) -> [Write; 2] {
    let count = |user, name| Write::update(users::key(user)).add(name, by).exists();
    [count(follow.follower_id, "followingCount"), count(follow.following_id, "followersCount")]
}
