//! The row of a circle's last CPR.

use base::{ChangeId, CircleId, CprId, Due, PostId};
use platform::{HOUR_SECONDS, Index, Key, Row, Time, Write};
use serde::{Deserialize, Serialize};

use crate::{Change, CprResolved, CprStarted, Energy, EnergyReason, Level, circle, posts::CirclePost};

const SURVIVAL_EXP: i64 = 50;
/// After the end of a CPR, its last comments can be judged for at most this time.
const JUDGING_SECONDS: i64 = HOUR_SECONDS;
/// Interval between two checks for expired CPRs.
const CHECK_INTERVAL_SECONDS: i64 = 5 * 60;

/// A circle's last CPR, with the number of CPRs that the circle started in the same week.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Cpr {
    /// The circle that the CPR can save.
    pub circle: CircleId,
    /// A new ID for each CPR of the circle.
    pub id: CprId,
    /// The post whose comments count.
    pub post: PostId,
    /// The number of good comments that the CPR needs.
    pub target: i64,
    /// The number of good comments so far.
    pub comments: i64,
    /// The time until which comments count.
    pub expires_at: Time,
    /// The time at which the CPR succeeded or failed, or `None` while it is undecided.
    pub resolved_at: Option<Time>,
    /// Whether the CPR saved the circle, or `None` while it is undecided.
    pub success: Option<bool>,
    /// The ISO week in which the CPR started.
    pub week: String,
    /// The number of CPRs that the circle has started in `week`.
    pub in_week: i64,
}

impl Cpr {
    /// Returns whether comments that are written now count.
    pub fn is_active(&self, now: Time) -> bool {
        self.resolved_at.is_none() && now < self.expires_at
    }

    /// Returns whether the CPR can still succeed. Comments that were written in time are judged up to an hour after
    /// `expires_at`.
    pub(super) fn is_undecided(&self, now: Time) -> bool {
        self.resolved_at.is_none() && now < self.expires_at.plus_seconds(JUDGING_SECONDS)
    }

    /// Returns whether the CPR can still succeed when the next check for expired CPRs runs.
    pub(super) fn can_wait_for_next_check(&self, now: Time) -> bool {
        self.is_undecided(now.plus_seconds(CHECK_INTERVAL_SECONDS))
    }

    /// Returns whether a comment counts. A comment must be in the thread of the CPR's post, and must have been written
    /// in time.
    pub(crate) fn counts(&self, post: &CirclePost) -> bool {
        let in_thread = post.thread.is_some_and(|thread| thread.post == self.post);
        in_thread && self.resolved_at.is_none() && post.created_at < self.expires_at
    }

    /// Returns the CPR with one more good comment. The CPR succeeds with the last required comment.
    pub(crate) fn with_comment(&self, now: Time) -> Self {
        let comments = self.comments + 1;
        let success = (comments >= self.target).then_some(true);
        Self { comments, success, resolved_at: success.map(|_| now), ..self.clone() }
    }

    /// Returns the CPR with one good comment fewer. The comment was deleted, or its score fell, before the CPR ended.
    pub(crate) fn without_comment(&self) -> Self {
        Self { comments: self.comments - 1, ..self.clone() }
    }

    /// Returns the change for a successful CPR. The change adds EXP, which can raise the level. It also raises HP to at
    /// least half of the new level's maximum.
    pub(crate) fn survival(energy: &Energy, id: ChangeId) -> Change {
        let level = Level::of(energy.exp + SURVIVAL_EXP);
        let missing_hp = (level.max_hp / 2 - energy.hp).max(0);
        Change::without_user(id, EnergyReason::CprSurvived, missing_hp, SURVIVAL_EXP)
    }

    /// Returns the write that replaces the stored CPR `before` with this CPR. The write fails if the stored CPR ended
    /// or changed after it was read. If this CPR has ended, the write publishes its result to the members.
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

    /// Returns the write that replaces the stored CPR `before` with this new CPR. The write fails if a different CPR
    /// started after `before` was read.
    pub(super) fn begin_write(&self, before: Option<&Self>) -> Write {
        let write = Write::put(self);
        match before {
            Some(before) => write.equals("id", before.id),
            None => write.not_exists(),
        }
    }

    pub(super) fn started_event(&self) -> CprStarted {
        CprStarted {
            circle_id: self.circle,
            session_id: self.id,
            post_id: self.post,
            target_comments: self.target,
            expires_at: self.expires_at,
        }
    }
}

/// Returns the key of a circle's last CPR.
pub fn key(circle: CircleId) -> Key {
    Key::new(circle::partition(circle), "CPR")
}

/// `CIRCLE#id / CPR`
///
/// - gsi3 `DUE#CPR#shard / end and circle`, until the CPR ends
impl Row for Cpr {
    fn key(&self) -> Key {
        key(self.circle)
    }

    fn indexes(&self) -> Vec<(Index, Key)> {
        let open = self.resolved_at.is_none();
        open.then(|| (Index::Gsi3, Due::Cpr.index_key(self.circle, self.expires_at))).into_iter().collect()
    }
}
