//! An appeal as administrators see it.

use base::{AppealId, PostId, PublicUserId, ReasonText, UserId};
use platform::Time;
use serde::Serialize;
use utoipa::ToSchema;

use super::{Appeal, AppealStatus};
use crate::{decider::Decider, reports::Category};

/// An appeal as administrators see it.
#[derive(Clone, Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(as = Appeal)]
pub struct AppealView {
    /// The appeal's ID.
    pub id: AppealId,
    /// The author of the post, or the banned user.
    pub user_id: PublicUserId,
    /// The hidden post. For an appeal against a ban, the user's public ID.
    pub post_id: PostId,
    /// The user's reason for the appeal.
    pub text: ReasonText,
    /// The result of the appeal, or `PENDING`.
    pub status: AppealStatus,
    /// Whether the judge, an administrator or a user made the appealed decision.
    pub decider: Decider,
    /// The administrator or user who made the appealed decision. Null for the judge, and for a ban without a case.
    pub hidden_by: Option<PublicUserId>,
    /// The reason for the appealed decision, as shown to the user.
    pub reason: Option<String>,
    /// The category of the report.
    pub category: Category,
    /// The reason for the decision on the appeal, for administrators.
    pub admin_note: Option<ReasonText>,
    /// The administrator who decided on the appeal.
    pub decided_by: Option<PublicUserId>,
    /// RFC 3339 time at which the appeal was decided or closed.
    pub decided_at: Option<Time>,
    /// RFC 3339 time of the appeal.
    pub created_at: Time,
}

impl From<Appeal> for AppealView {
    fn from(appeal: Appeal) -> Self {
        Self {
            id: appeal.id,
            user_id: appeal.user_id.public(),
            post_id: appeal.post_id,
            text: appeal.text,
            status: appeal.status,
            decider: appeal.decider,
            hidden_by: appeal.hidden_by.map(UserId::public),
            reason: appeal.reason,
            category: appeal.category,
            admin_note: appeal.admin_note,
            decided_by: appeal.decided_by.map(UserId::public),
            decided_at: appeal.decided_at,
            created_at: appeal.created_at,
        }
    }
}
