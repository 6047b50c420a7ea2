//! The rows of decisions.

use base::{AppealId, CaseId, Position, PostId, UserId};
use platform::{App, Index, Key, Result, Row, Time, Write};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use crate::{
    appeals::{self, AppealStatus},
    decider::Decider,
    reports::Category,
};

/// The action that moderation took against a post or a user.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[schema(as = ModerationMeasure)]
#[serde(rename_all = "SCREAMING_SNAKE_CASE")]
pub enum ShownAction {
    /// The post was hidden from lists.
    Hidden,
    /// The post was deleted.
    Deleted,
    /// Clients show a warning before the post.
    Labeled,
    /// Only the author can reply to the post.
    RepliesLocked,
    /// The user got a warning.
    Warned,
    /// The user was banned.
    Banned,
}

/// The user and the post that a decision is about. For a decision about the user, the ID is the user's public ID.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Subject {
    pub(crate) user: UserId,
    pub(crate) id: PostId,
}

/// The latest moderation decision about a post or a user. The row is in the partition of the affected user.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct AuthorDecision {
    pub(crate) user: UserId,
    pub(crate) post: PostId,
    #[serde(rename = "measure")]
    pub(crate) action: ShownAction,
    /// The actions of the decision other than `action`.
    #[serde(rename = "moreMeasures", default, skip_serializing_if = "Vec::is_empty")]
    pub(crate) more: Vec<ShownAction>,
    pub(crate) decider: Decider,
    /// The administrator or user who decided. `None` for the judge.
    pub(crate) decided_by: Option<UserId>,
    pub(crate) reason: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) warning: Option<String>,
    pub(crate) category: Category,
    pub(crate) position: Position,
    pub(crate) created_at: Time,
    pub(crate) restored_at: Option<Time>,
    pub(crate) appeal: Option<AppealNote>,
    /// The time of the ban. `None` for other decisions.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) ban_at: Option<Time>,
    /// The end of a temporary ban. `None` for other decisions.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) banned_until: Option<Time>,
    /// The case whose decision imposed the ban. `None` for a ban without a case, and for other decisions.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) case: Option<CaseId>,
    /// Whether the decision is about a ban and is not stored yet. The user's appeal stores the decision.
    #[serde(skip)]
    pub(crate) is_new: bool,
}

/// An appeal in a user's list of decisions.
#[derive(Clone, Debug, Serialize, Deserialize, ToSchema)]
#[schema(as = AppealSummary)]
#[serde(rename_all = "camelCase")]
pub struct AppealNote {
    /// The appeal's ID.
    pub id: AppealId,
    /// The result of the appeal, or `PENDING`.
    pub status: AppealStatus,
}

/// The decider, reason and category of a moderation decision.
#[derive(Clone, Debug)]
pub(crate) struct Grounds {
    pub(crate) decided_by: Option<UserId>,
    pub(crate) reason: Option<String>,
    pub(crate) category: Category,
}

impl AuthorDecision {
    /// Returns a new decision about `subject`, made at the current time.
    pub(crate) fn new(app: &App, subject: Subject, action: ShownAction, grounds: Grounds) -> Self {
        let Grounds { decided_by, reason, category } = grounds;
        let now = app.now();
        Self {
            user: subject.user,
            post: subject.id,
            action,
            more: Vec::new(),
            decider: decided_by.map_or(Decider::Judge, |_| Decider::Administrator),
            decided_by,
            reason,
            warning: None,
            category,
            position: app.ids.next(now),
            created_at: now,
            restored_at: None,
            appeal: None,
            ban_at: None,
            banned_until: None,
            case: None,
            is_new: false,
        }
    }

    /// Returns the writes that end the decision at `now`, and close a pending appeal against it. The writes fail with a
    /// conflict if the decision or the appeal changed after the read.
    pub(crate) fn end_writes(&self, now: Time) -> Vec<Write> {
        let mut writes = self.close_appeal_writes(now).into_iter();
        let write = writes.next().unwrap_or_else(|| self.unchanged_write());
        [write.set("restoredAt", now)].into_iter().chain(writes).collect()
    }

    /// Returns the writes that close a pending appeal at `now`. The first write changes the decision. Returns no writes
    /// if no appeal is pending. The writes fail with a conflict if the decision or the appeal changed after the read.
    pub(crate) fn close_appeal_writes(&self, now: Time) -> Vec<Write> {
        let Some(id) = self.pending_appeal() else { return Vec::new() };
        let closed = AppealNote { id, status: AppealStatus::Closed };
        vec![self.unchanged_write().set("appeal", closed), appeals::close_write(id, now)]
    }

    /// Returns the appeal against the decision if the appeal is not decided.
    fn pending_appeal(&self) -> Option<AppealId> {
        let appeal = self.appeal.as_ref().filter(|appeal| appeal.status == AppealStatus::Pending);
        appeal.map(|appeal| appeal.id)
    }

    /// Returns the writes that store the decision in place of `earlier`. The writes close a pending appeal against
    /// `earlier`, unless this decision keeps the appeal. The writes fail with a conflict if `earlier` changed after the
    /// read.
    pub(crate) fn replacing_writes(&self, app: &App, earlier: Option<&Self>) -> Vec<Write> {
        let Some(earlier) = earlier else { return vec![Write::create(self)] };
        let write = Write::put(self).equals("position", earlier.position);
        let write = write.is_still("restoredAt", earlier.restored_at);
        let write = write.is_still("appeal", earlier.appeal.as_ref());
        let closed = earlier.pending_appeal().filter(|_| self.appeal.is_none());
        [write].into_iter().chain(closed.map(|id| appeals::close_write(id, app.now()))).collect()
    }

    /// Returns the write that stores an appeal or its outcome. The write fails with a conflict if the row changed after
    /// the read.
    pub(crate) fn appeal_write(&self, id: AppealId, status: AppealStatus) -> Write {
        let note = AppealNote { id, status };
        match self.ban_at.filter(|_| self.is_new) {
            Some(at) => Write::put(&Self { appeal: Some(note), ..self.clone() }).below_or_lacks("banAt", at),
            None => self.unchanged_write().set("appeal", note),
        }
    }

    /// Returns whether this is a current decision by moderators or the judge.
    pub(super) fn is_in_force(&self) -> bool {
        self.restored_at.is_none() && self.decider != Decider::User
    }

    fn unchanged_write(&self) -> Write {
        let write = Write::update(self.key()).equals("position", self.position);
        let write = write.is_still("restoredAt", self.restored_at);
        write.is_still("appeal", self.appeal.as_ref())
    }
}

/// Returns the latest decision about a user or the user's post.
pub(crate) async fn find(app: &App, user: UserId, post: PostId) -> Result<Option<AuthorDecision>> {
    app.table.get(&key(user, post)).await
}

/// Returns the partition of gsi1 that lists the decisions about a user.
pub(super) fn partition(user: UserId) -> String {
    format!("ENFORCED#{user}")
}

fn key(user: UserId, post: PostId) -> Key {
    Key::new(user.partition(), format!("ENFORCED#{post}"))
}

/// `USER#u / ENFORCED#post`, gsi1 `ENFORCED#u / position`
impl Row for AuthorDecision {
    fn key(&self) -> Key {
        key(self.user, self.post)
    }

    fn indexes(&self) -> Vec<(Index, Key)> {
        vec![(Index::Gsi1, Key::new(partition(self.user), self.position.to_string()))]
    }
}
