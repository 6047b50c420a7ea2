//! The row of a circle's last CPR.

use base::{
    due::Due,
    ids::{ChangeId, CircleId, CprId, PostId},
};
use platform::{
    table::{Index, Key, Row, Write},
    time::{HOUR_SECONDS, Time},
};
use serde::{Deserialize, Serialize};

use super::super::{Change, CprResolved, CprStarted, Energy, circle, posts::CirclePost};

const SURVIVAL_EXP: i64 = 50;
/// How long comments that came in time may still be judged after the end.
const JUDGING_SECONDS: i64 = HOUR_SECONDS;
/// The schedule of the check.
const CHECKED_EVERY_SECONDS: i64 = 5 * 60;

/// A circle's last CPR, and how many it had in that week.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Cpr {
    /// The circle.
    pub circle: CircleId,
    /// The id of the CPR.
    pub id: CprId,
    /// The post whose comments count.
    pub post: PostId,
    /// The number of comments that it takes.
    pub target: i64,
    /// The number of comments that count so far.
    pub comments: i64,
    /// The time until which comments count.
    pub expires_at: Time,
    /// The time of its end; none while it is active.
    pub resolved_at: Option<Time>,
    /// Whether it saved the circle; none while it is active.
    pub success: Option<bool>,
    /// The ISO week in which it began.
    pub week: String,
    /// The number of the circle's CPRs in that week.
    pub in_week: i64,
}

impl Cpr {
    /// Whether comments count now.
    pub fn is_active(&self, now: Time) -> bool {
        self.resolved_at.is_none() && now < self.expires_at
    }

    /// Whether it has not succeeded and may yet: comments that came in time are judged for an hour after the end.
    pub(super) fn is_undecided(&self, now: Time) -> bool {
        self.resolved_at.is_none() && now < self.expires_at.plus_seconds(JUDGING_SECONDS)
    }

    /// Whether the next check is soon enough to end it.
    pub(super) fn can_wait(&self, now: Time) -> bool {
        self.is_undecided(now.plus_seconds(CHECKED_EVERY_SECONDS))
    }

    /// Whether a comment counts: it is in the thread of the CPR's post, and was written before the end.
    pub(crate) fn counts(&self, post: &CirclePost) -> bool {
        let in_thread = post.thread.is_some_and(|it| it.post == self.post);
        in_thread && self.resolved_at.is_none() && post.created_at < self.expires_at
    }

    /// The CPR with one comment more. The last comment that it takes makes it succeed.
    pub(crate) fn with_comment(&self, now: Time) -> Self {
        let comments = self.comments + 1;
        let success = (comments >= self.target).then_some(true);
        Self { comments, success, resolved_at: success.map(|_| now), ..self.clone() }
    }

    /// The change by which a success saves the circle: HP up to half of the maximum, and EXP.
    pub(crate) fn survival(energy: &Energy, id: ChangeId) -> Change {
        let missing_hp = (energy.max_hp() / 2 - energy.hp).max(0);
        Change::survival(id, missing_hp, SURVIVAL_EXP)
    }

    /// Replaces the CPR that was read. Fails when that ended, counted a comment, or gave way to another. When it ends,
    /// and so is in no index any more, the circle's members hear of it.
    pub(crate) fn progress_write(&self, before: &Self) -> Write {
        let write = Write::reindex(self).set("comments", self.comments);
        let write =
            write.set_or_remove("resolvedAt", self.resolved_at).set_or_remove("success", self.success);
        let write = write.equals("id", before.id).equals("comments", before.comments).lacks("resolvedAt");
        let (circle_id, session_id) = (self.circle, self.id);
        match self.success.zip(self.resolved_at) {
            Some((success, created_at)) => {
                write.then_publish(&CprResolved { circle_id, session_id, success, created_at })
            }
            None => write,
        }
    }

    /// Starts this CPR in place of the one that was read. Fails when another began since.
    pub(super) fn begin_write(&self, before: Option<&Self>) -> Write {
        let write = Write::put(self);
        match before {
            Some(before) => write.equals("id", before.id),
            None => write.not_exists(),
        }
    }

    /// The event that it began.
    pub(super) fn started(&self) -> CprStarted {
        CprStarted {
            circle_id: self.circle,
            session_id: self.id,
            post_id: self.post,
            target_comments: self.target,
            expires_at: self.expires_at,
        }
    }
}

/// The key of a circle's last CPR.
pub fn key(circle: CircleId) -> Key {
    Key::new(circle::partition(circle), "CPR")
}

/// `CIRCLE#id / CPR`, until its end gsi3 `DUE#CPR#shard` / its end and circle
impl Row for Cpr {
    fn key(&self) -> Key {
        key(self.circle)
    }

    fn indexes(&self) -> Vec<(Index, Key)> {
        let open = self.resolved_at.is_none();
        open.then(|| (Index::Gsi3, Due::Cpr.index_key(self.circle, self.expires_at))).into_iter().collect()
    }
}
