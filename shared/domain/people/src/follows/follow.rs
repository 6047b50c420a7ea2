//! The row of a follow, and the queries for follows.

use base::{Chore, EventId, Position, UserId};
use platform::{App, HOUR_SECONDS, Index, Key, Query, Result, Row, Time, Write};
use serde::{Deserialize, Serialize};

/// Time for which the row of an ended follow is kept.
const ENDED_SECONDS: i64 = 30 * 24 * HOUR_SECONDS;

/// A follow of one user by another user. The row is kept for 30 days after the follow ends, because a client's cursor
/// may still refer to it.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Follow {
    /// The user who follows.
    pub follower_id: UserId,
    /// The user who is followed.
    pub following_id: UserId,
    /// Whether the follow is current. False after the follow ends.
    pub is_following: bool,
    /// Whether the followed user's posts are added when the follower's feed is read, not when a post is published. See
    /// `feeds::timelines`.
    pub merges: bool,
    /// The position in the lists of followers and followed users.
    pub position: Position,
    /// The time at which the follow last began.
    pub created_at: Time,
    /// The time at which the follow ended, or `None` while it is current.
    pub ended_at: Option<Time>,
    /// The time at which the followed user was last notified of this follower.
    pub notified_at: Time,
    /// The ID of the notification event of the last follow. Unfollowing withdraws this event.
    pub notified_as: Option<EventId>,
}

impl Follow {
    /// Returns the write that begins the follow. The write fails with a conflict if the follow is current.
    pub(super) fn begin_write(&self) -> Write {
        let write = Write::reindex(self).set("followerId", self.follower_id);
        let write = write.set("followingId", self.following_id).set("isFollowing", true);
        let write = write.set("position", self.position).set("createdAt", self.created_at);
        let write = write
            .set("merges", self.merges)
            .set("notifiedAt", self.notified_at)
            .set("notifiedAs", self.notified_as)
            .remove("endedAt")
            .remove("ttl")
            .clear_outbox();
        write.equals_or_lacks("isFollowing", false)
    }

    /// Returns the write that sets [`Follow::merges`]. The write fails with a conflict if the follow ended, even if a
    /// new follow began.
    pub fn merge_write(&self) -> Write {
        let merged = Self { merges: true, ..self.clone() };
        let write = Write::reindex(&merged).set("merges", true);
        write.equals("isFollowing", true).equals("position", self.position)
    }

    /// Returns the write that ends the follow, and withdraws its notification. The write fails with a conflict if the
    /// follow has already ended.
    pub fn end_write(&self, at: Time) -> Write {
        let ended = Self { is_following: false, ..self.clone() };
        let write = Write::reindex(&ended).set("isFollowing", false).set("endedAt", at);
        let write = write.set("ttl", at.plus_seconds(ENDED_SECONDS).seconds()).equals("isFollowing", true);
        // No index lists an ended follow, so no index copies the outbox.
        match self.notified_as {
            Some(event) => write.then(&Chore::WithdrawFollow {
                follower: self.follower_id,
                followed: self.following_id,
                event,
                at,
            }),
            None => write,
        }
    }

    /// Returns whether a cursor may refer to the follow. The follow must be current, or must have ended within the last
    /// hour. Otherwise cursors would reveal past follows.
    pub(super) fn is_position(&self, now: Time) -> bool {
        let is_recent = |ended: Time| now < ended.plus_seconds(HOUR_SECONDS);
        self.is_following || self.ended_at.is_some_and(is_recent)
    }
}

/// Returns a transaction check that fails with a conflict if `follower` follows `followed`.
pub fn check_not_following(follower: UserId, followed: UserId) -> Write {
    Write::check(key(follower, followed)).equals_or_lacks("isFollowing", false).into()
}

/// Returns whether `follower` follows `followed`.
pub async fn is_following(app: &App, follower: UserId, followed: UserId) -> Result<bool> {
    Ok(find(app, follower, followed).await?.is_some_and(|follow| follow.is_following))
}

/// Returns the pairs `(follower, followed)` in `pairs` for which `follower` follows `followed`.
pub async fn among(app: &App, pairs: &[(UserId, UserId)]) -> Result<Vec<(UserId, UserId)>> {
    let rows = find_all(app, pairs).await?;
    let current = rows.into_iter().filter(|follow| follow.is_following);
    Ok(current.map(|follow| (follow.follower_id, follow.following_id)).collect())
}

/// Returns the follows of these pairs `(follower, followed)`, including ended follows.
pub async fn find_all(app: &App, pairs: &[(UserId, UserId)]) -> Result<Vec<Follow>> {
    let keys: Vec<_> = pairs.iter().map(|(follower, followed)| key(*follower, *followed)).collect();
    app.table.batch_get(&keys).await
}

/// Returns the follows whose followed user is `followed`, oldest first, after the position `after`.
pub async fn oldest_of(
    app: &App,
    followed: UserId,
    after: Option<Position>,
    limit: usize,
) -> Result<Vec<Follow>> {
    let query = Query::index(Index::Gsi2, followers_partition(followed)).after(after).limit(limit);
    app.table.query(&query).await
}

/// Returns the users that a user followed most recently.
pub async fn newest_followed(app: &App, user: UserId, limit: usize) -> Result<Vec<UserId>> {
    let query = Query::index(Index::Gsi1, following_partition(user)).newest_first().limit(limit);
    let found: Vec<Follow> = app.table.query(&query).await?;
    Ok(found.into_iter().map(|follow| follow.following_id).collect())
}

/// Returns the follow of `followed` by `follower`, even if the follow has ended. Returns `None` if there is no row.
pub async fn find(app: &App, follower: UserId, followed: UserId) -> Result<Option<Follow>> {
    app.table.get(&key(follower, followed)).await
}

pub(crate) fn key(follower: UserId, followed: UserId) -> Key {
    Key::new(follower.partition(), format!("FOLLOW#{followed}"))
}

/// Returns the partition of gsi1 that lists the users that a user follows.
pub(super) fn following_partition(user: UserId) -> String {
    format!("FOLLOWING#{user}")
}

/// Returns the partition of gsi2 that lists a user's followers.
pub(super) fn followers_partition(user: UserId) -> String {
    format!("FOLLOWERS#{user}")
}

/// Returns the partition of gsi3 that lists the authors, posts and hashtags that are merged into a reader's feed.
pub(super) fn merged_partition(reader: UserId) -> String {
    format!("MERGES#{reader}")
}

/// `USER#u / FOLLOW#target`, expires 30 days after the follow ends. While the follow is current: gsi1 `FOLLOWING#u /
/// position` and gsi2 `FOLLOWERS#target / position`. If `merges` is also set: gsi3 `MERGES#u / position`.
impl Row for Follow {
    fn key(&self) -> Key {
        key(self.follower_id, self.following_id)
    }

    fn indexes(&self) -> Vec<(Index, Key)> {
        let Self { follower_id, following_id, is_following, merges, position, .. } = self;
        if !is_following {
            return Vec::new();
        }
        let at = |index, partition: String| (index, Key::new(partition, position.to_string()));
        let merged = merges.then(|| at(Index::Gsi3, merged_partition(*follower_id)));
        let lists = [
            at(Index::Gsi1, following_partition(*follower_id)),
            at(Index::Gsi2, followers_partition(*following_id)),
        ];
        lists.into_iter().chain(merged).collect()
    }
}
