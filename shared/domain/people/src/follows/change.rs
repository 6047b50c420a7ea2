//! Follows and unfollows.

use base::{Position, TimelineJob, UserId};
use ledger::action_log::{Action, ActionType};
use platform::{App, HOUR_SECONDS, Once, Paged, RateLimit, Result, Time, Write};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use super::{Follow, Followed, find};
use crate::{Relationship, User, UserRef, profiles, relationships, users};

/// Minimum time between two notifications of a user about the same follower.
const RENOTIFY_SECONDS: i64 = 24 * HOUR_SECONDS;
const LIMIT: RateLimit = RateLimit { what: "follow", most: 30, seconds: 60 };

/// A request to follow or unfollow a user or a hashtag.
#[derive(Clone, Copy, Debug, Default, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase", default)]
pub struct FollowRequest {
    /// True to follow, false to unfollow. If omitted, the request toggles the follow.
    #[schema(example = true)]
    pub is_following: Option<bool>,
}

/// Whether the caller follows the user, and the user's number of followers.
#[derive(Clone, Copy, Debug, Serialize, Deserialize, ToSchema)]
#[schema(as = FollowState)]
#[serde(rename_all = "camelCase")]
pub struct Following {
    /// Whether the caller follows the other user.
    pub is_following: bool,
    /// The number of the other user's followers.
    pub followers_count: i64,
}

/// Follows or unfollows a user. Marks the user as popular if the number of followers now exceeds
/// `FANOUT_MAX_FOLLOWERS`. See `feeds::timelines`.
///
/// # Errors
/// Fails with [`platform::Error::NotFound`] if the user does not exist. Fails with [`platform::Error::Invalid`] if that
/// user is the caller. Fails with [`platform::Error::Forbidden`] if a block exists between the two users. Fails with
/// [`platform::Error::LimitReached`] after 30 requests within a minute.
pub async fn set(
    app: &App,
    follower: UserId,
    name: &UserRef,
    request: FollowRequest,
    once: &Once,
) -> Result<Following> {
    let who = follower.to_string();
    once.count(app, LIMIT, &who).await?;
    once.run(app, follower, async || {
        let followed = profiles::find_other_user(app, follower, name).await?;
        let state = FollowState::read(app, follower, followed).await?;
        let is_following = request.is_following.unwrap_or(state.current().is_none());
        let (writes, change) = match (state.current(), is_following) {
            (None, true) => (state.begin_writes(app, follower), 1),
            (Some(follow), false) => (end_writes(app, follow), -1),
            (Some(_), true) | (None, false) => (Vec::new(), 0),
        };
        let count_write = once.count_write(app, LIMIT, &who);
        Ok((writes.into_iter().chain(count_write).collect(), state.following(is_following, change)))
    })
    .await
}

/// The rows that a follow request reads.
struct FollowState {
    follow: Option<Follow>,
    followed: User,
    relationship: Relationship,
}

impl FollowState {
    async fn read(app: &App, follower: UserId, followed: UserId) -> Result<Self> {
        let follow = find(app, follower, followed);
        let relationship = relationships::find(app, follower, followed);
        let (follow, relationship, followed) =
            futures::try_join!(follow, relationship, users::get(app, followed))?;
        Ok(Self { follow, followed, relationship })
    }

    fn current(&self) -> Option<&Follow> {
        self.follow.as_ref().filter(|follow| follow.is_following)
    }

    fn following(&self, is_following: bool, change: i64) -> Following {
        Following { is_following, followers_count: self.followed.followers_count + change }
    }

    fn begin_writes(&self, app: &App, follower: UserId) -> Vec<Write> {
        let (now, followed) = (app.now(), self.followed.id);
        let follow = Follow {
            follower_id: follower,
            following_id: followed,
            is_following: true,
            merges: self.followed.is_popular || self.makes_popular(app),
            position: self.recent_position(now).unwrap_or_else(|| app.ids.next(now)),
            created_at: now,
            ended_at: None,
            notified_at: self.notified_within_a_day(now).unwrap_or(now),
            notified_as: Some(app.ids.next(now)),
        };
        let [following_count, followers_count] = count_writes(&follow, 1);
        vec![
            follow.begin_write(),
            self.relationship_write(&follow),
            following_count,
            self.popularity_write(app, followers_count),
            self.log_write(app, &follow),
            Action::on_user(followed, ActionType::FlowFollowerCreated, follower, now).log_write(),
        ]
    }

    /// Returns the position of the earlier follow if that follow ended within the last hour, or `None`. The new follow
    /// reuses the position, so cursors stay valid.
    fn recent_position(&self, now: Time) -> Option<Position> {
        self.follow.as_ref().filter(|follow| follow.is_position(now)).map(|follow| follow.position)
    }

    /// Returns the time of the last notification about this follower, or `None` if there was none within the last day.
    fn notified_within_a_day(&self, now: Time) -> Option<Time> {
        let notified_at = self.follow.as_ref().map(|follow| follow.notified_at);
        notified_at.filter(|at| now < at.plus_seconds(RENOTIFY_SECONDS))
    }

    /// Returns whether the number of followers exceeds `FANOUT_MAX_FOLLOWERS` for the first time with this follow.
    fn makes_popular(&self, app: &App) -> bool {
        !self.followed.is_popular && self.followed.followers_count >= *app.settings.fanout_max_followers
    }

    /// Extends `write` to mark the followed user as popular if the follow makes the user popular. The write fails with
    /// a conflict if a concurrent follow already marked the user.
    fn popularity_write(&self, app: &App, write: Write) -> Write {
        if self.followed.is_popular {
            return write;
        }
        let write = write.equals("isPopular", false);
        match self.makes_popular(app) {
            true => write.set("isPopular", true),
            false => write.below_or_lacks("followersCount", *app.settings.fanout_max_followers),
        }
    }

    /// Returns the write of the follower's action log, which also sends the follow-up jobs. One job adds the followed
    /// user's newest posts to the follower's feed. If the followed user becomes popular, a second job sets
    /// [`Follow::merges`] of the user's other followers. A repeated follow within a day does not make the notification
    /// unread.
    fn log_write(&self, app: &App, follow: &Follow) -> Write {
        let &Follow { follower_id, following_id, created_at, notified_as, notified_at, .. } = follow;
        let action =
            Action::on_user(follower_id, ActionType::FollowFollowingCreated, following_id, created_at);
        let back_fill = TimelineJob::BackFill { reader: follower_id, author: following_id };
        let mut write = action.log_write().then(&back_fill);
        if self.makes_popular(app) {
            write = write.then(&TimelineJob::MarkFollows { author: following_id, page: Paged::FIRST });
        }
        let is_repeated = notified_at != created_at;
        write.then_publish(&Followed { follower_id, following_id, created_at, notified_as, is_repeated })
    }

    /// Returns the write that checks that no block exists between the two users. If the follower unfollowed this user
    /// earlier, the write also clears [`Relationship::left`], which a concurrent unfollow can set after it was read.
    fn relationship_write(&self, follow: &Follow) -> Write {
        let (follower, followed) = (follow.follower_id, follow.following_id);
        match self.relationship.left || self.follow.is_some() {
            true => {
                let update = relationships::update_write(follower, followed).set("left", false);
                relationships::if_unblocked_write(update)
            }
            false => relationships::check_unblocked_write(follower, followed),
        }
    }
}

fn end_writes(app: &App, follow: &Follow) -> Vec<Write> {
    let [following_count, followers_count] = count_writes(follow, -1);
    let left = relationships::update_write(follow.follower_id, follow.following_id).set("left", true);
    vec![follow.end_write(app.now()), left, following_count, followers_count]
}

fn count_writes(follow: &Follow, by: i64) -> [Write; 2] {
    let count = |user, name| Write::update(users::key(user)).add(name, by).exists();
    [count(follow.follower_id, "followingCount"), count(follow.following_id, "followersCount")]
}
