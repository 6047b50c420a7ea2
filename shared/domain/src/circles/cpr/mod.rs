//! CPR: a dying circle is saved by comments of depth, so many within a day.

mod begin;
mod check;

use begin::Patient;
pub use begin::{CprBegun, CprDraft, TargetComments, begin};
pub use check::{CprJob, check};
use platform::{
    App,
    error::{Error, Result},
    table::{Index, Key, Row, Write},
    time::Time,
};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use super::{Change, Due, Energy, circle, posts::CirclePost};
use crate::ids::{CircleId, CprId, PostId};

const SURVIVAL_EXP: i64 = 50;
const MEANWHILE: Error = Error::Conflict("the CPR changed meanwhile");

/// A circle's last CPR, and how many it had in a week.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Cpr {
    /// Of which circle.
    pub circle: CircleId,
    /// Which one.
    pub id: CprId,
    /// The post whose comments count.
    pub post: PostId,
    /// How many it takes.
    pub target: i64,
    /// How many there are.
    pub comments: i64,
    /// Until when they may be written.
    pub expires_at: Time,
    /// When it was over.
    pub resolved_at: Option<Time>,
    /// Whether it saved the circle.
    pub success: Option<bool>,
    /// The ISO week in which it began.
    pub week: String,
    /// The circle's CPRs in that week.
    pub in_week: i64,
    /// Whether it is over without success, and the members were not published yet.
    #[serde(default, rename = "untold")]
    pub unpublished: bool,
}

/// How a circle's CPR stands.
#[derive(Clone, Debug, Default, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct CprStatus {
    /// Whether one is under way. The other fields are then its own, else those of the last one.
    pub active: bool,
    /// Comments judged 6 or more so far.
    #[schema(example = 3)]
    pub current_comments: i64,
    /// Comments that it takes.
    #[schema(example = 5)]
    pub target_comments: i64,
    /// Seconds that are left; 0 when none is under way.
    #[schema(example = 86400)]
    pub time_left: i64,
    /// When it ends, or ended at the latest; null when there never was one.
    pub expires_at: Option<Time>,
    /// The post whose comments count.
    pub post_id: Option<PostId>,
    /// Whether the last one saved the circle; null while one is under way.
    pub success: Option<bool>,
}

/// How a circle's CPR stands. 1 call, 3 RRU.
///
/// # Errors
/// [`Error::NotFound`] for no such circle, or one that died.
pub async fn status(app: &App, circle: CircleId) -> Result<CprStatus> {
    let Patient { before, .. } = Patient::of(app, circle).await?;
    Ok(before.map(|it| it.status(app.now())).unwrap_or_default())
}

impl Cpr {
    /// Whether comments count now.
    pub fn is_active(&self, now: Time) -> bool {
        self.resolved_at.is_none() && now < self.expires_at
    }

    /// Whether a comment counts: written below its post, before the end.
    pub(super) fn counts(&self, post: &CirclePost) -> bool {
        let below = post.thread.is_some_and(|it| it.post == self.post);
        below && self.resolved_at.is_none() && post.created_at < self.expires_at
    }

    /// With a comment more; the last one that it takes is its success.
    pub(super) fn with_one_more(&self, now: Time) -> Self {
        let comments = self.comments + 1;
        let success = (comments >= self.target).then_some(true);
        Self { comments, success, resolved_at: success.map(|_| now), ..self.clone() }
    }

    /// What its success gives: half of the HP, and EXP.
    pub(super) fn survival(&self, energy: &Energy) -> Change {
        let missing = (energy.max_hp() / 2 - energy.hp).max(0);
        Change::survival(self.id, missing, SURVIVAL_EXP)
    }

    /// The step from what was read to this; refused with a conflict when it is no longer so.
    pub(super) fn step(&self, before: &Self) -> Write {
        let write = Write::reindex(self).set("comments", self.comments);
        let write =
            write.set_or_remove("resolvedAt", self.resolved_at).set_or_remove("success", self.success);
        let write = write.set("untold", self.unpublished);
        let write = write.equals("id", before.id).equals("comments", before.comments);
        write.lacks("resolvedAt").or(MEANWHILE)
    }

    fn status(&self, now: Time) -> CprStatus {
        let active = self.is_active(now);
        CprStatus {
            active,
            current_comments: self.comments,
            target_comments: self.target,
            time_left: if active { self.expires_at.seconds_since(now) } else { 0 },
            expires_at: Some(self.expires_at),
            post_id: Some(self.post),
            success: if active { None } else { Some(self.success.unwrap_or(false)) },
        }
    }
}

/// Where a circle's CPR is.
pub(super) fn key(circle: CircleId) -> Key {
    Key::new(circle::pk(circle), "CPR")
}

/// `CIRCLE#id / CPR`, while it is not over and published gsi3 `DUE#CPR#shard` / its end and circle
impl Row for Cpr {
    fn key(&self) -> Key {
        key(self.circle)
    }

    fn indexes(&self) -> Vec<(Index, Key)> {
        let open = self.resolved_at.is_none() || self.unpublished;
        open.then(|| (Index::Gsi3, Due::Cpr.place(self.circle, self.expires_at))).into_iter().collect()
    }
}
