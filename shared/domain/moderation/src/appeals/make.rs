//! Creates appeals against bans and against decisions that hid a post.

use std::borrow::Cow;

use base::{
    ids::{AppealId, PostId, UserId},
    reasons::ReasonText,
};
use ledger::made::{Made, MadeKind};
use platform::{App, Result, error::Error, idempotency::Once, table::Write};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use super::{Appeal, AppealStatus};
use crate::{
    any_post::AnyPost,
    author_decision::{self, AuthorDecision, ShownAction},
    ban,
};

const NO_DECISION: Error = Error::NotFound("decision");
const CLOSED: Error = Error::Invalid(Cow::Borrowed(
    "you can only appeal once, and only while the post is hidden or the ban is in force. Reload the decision to see its status.",
));

/// A new appeal.
#[derive(Clone, Debug, Deserialize, ToSchema)]
pub struct AppealDraft {
    /// The reason why the post should be shown again, or why the ban should be lifted.
    pub text: ReasonText,
}

/// The created appeal.
#[derive(Clone, Debug, Serialize, Deserialize, ToSchema)]
#[schema(as = CreatedAppeal)]
pub struct Appealed {
    /// The appeal's id.
    pub id: AppealId,
    /// The status of the appeal.
    pub status: AppealStatus,
}

/// Creates an appeal against a decision that hid the user's post. If `post` is the user's public ID, the appeal is
/// against the user's ban.
///
/// # Errors
/// - Fails with [`Error::NotFound`] if the user has no such post, or if there is no decision to appeal.
/// - Fails with [`Error::Invalid`] if the post was deleted or is shown again, or if the user already appealed.
pub async fn appeal(
    app: &App,
    user: UserId,
    post: PostId,
    draft: AppealDraft,
    once: &Once,
) -> Result<Appealed> {
    once.run(app, user, async || {
        let ban = if ban::is_about(user, post) { ban::in_force(app, user).await? } else { None };
        let decision = match ban {
            Some(ban) => ban,
            None => author_decision::find(app, user, post).await?.ok_or(NO_DECISION)?,
        };
        let is_ban = decision.action == ShownAction::Banned;
        let post = AnyPost::find(app, post).await?.filter(|post| !post.is_deleted());
        if !decision.is_appealable() || (post.is_none() && !is_ban) {
            return Err(CLOSED);
        }
        let appeal = appeal_of(app, &decision, draft.text.clone());
        let Appeal { id, status, .. } = appeal;
        let writes = vec![
            decision.appeal_write(id, status).or(CLOSED),
            Write::create(&appeal),
            Made::new(user, MadeKind::Appeal, id).made_write(),
        ];
        Ok((writes, Appealed { id, status }))
    })
    .await
}

fn appeal_of(app: &App, decision: &AuthorDecision, text: ReasonText) -> Appeal {
    let now = app.now();
    Appeal {
        id: app.ids.next(now),
        user_id: decision.user,
        post_id: decision.post,
        text,
        status: AppealStatus::Pending,
        decider: decision.decider,
        hidden_by: decision.decided_by,
        reason: decision.reason.clone(),
        category: decision.category,
        admin_note: None,
        decided_by: None,
        decided_at: None,
        created_at: now,
    }
}
