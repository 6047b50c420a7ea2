//! Creates appeals against bans and against decisions that hid a post.

use std::borrow::Cow;

use base::{AppealId, PostId, ReasonText, UserId};
use ledger::made::{Made, MadeKind};
use platform::{App, Error, Once, Result, Time, Write};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use super::{Appeal, AppealStatus};
use crate::{AnyPost, AuthorDecision, ShownAction, author_decision, ban};

const NO_DECISION: Error = Error::NotFound("decision");
const CHANGED: Error = Error::Invalid(Cow::Borrowed(
    "this decision has changed, or you have already appealed it. Reload the decision to see its status.",
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
    /// The appeal's ID.
    pub id: AppealId,
    /// The status of the appeal.
    pub status: AppealStatus,
}

/// Creates an appeal against a decision that hid the user's post. If `post` is the user's public ID, the appeal is
/// against the user's ban.
///
/// # Errors
/// - Fails with [`Error::NotFound`] if the user has no such post, or if there is no decision to appeal.
/// - Fails with [`Error::Invalid`] if the decision neither hid a post nor banned the user, or if the user has already
///   appealed. Also fails if the post is shown again or was deleted, or if the ban was lifted.
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
        let post = AnyPost::find(app, post).await?.filter(|post| !post.is_deleted());
        check_appealable(&decision, post.is_some(), app.now())?;
        let appeal = appeal_of(app, &decision, draft.text.clone());
        let Appeal { id, status, .. } = appeal;
        let writes = vec![
            decision.appeal_write(id, status).or(CHANGED),
            Write::create(&appeal),
            Made::new(user, MadeKind::Appeal, id).made_write(),
        ];
        Ok((writes, Appealed { id, status }))
    })
    .await
}

/// Checks that a decision can be appealed at `now`. `has_post` says whether the post of the decision exists.
fn check_appealable(decision: &AuthorDecision, has_post: bool, now: Time) -> Result<()> {
    let (is_ban, is_reversed) = (decision.action == ShownAction::Banned, decision.restored_at.is_some());
    let refusals = [
        (decision.appeal.is_some(), "you can only appeal once, and you have already appealed this decision"),
        (
            !is_ban && decision.action != ShownAction::Hidden,
            "you can only appeal a decision that hid a post or banned you",
        ),
        (is_ban && is_reversed, "the ban was already lifted"),
        (is_ban && decision.banned_until.is_some_and(|end| end <= now), "the ban has already ended"),
        (is_reversed, "the post is already shown again"),
        (!is_ban && !has_post, "the post was deleted, so it cannot be shown again"),
    ];
    match refusals.into_iter().find(|(is_refused, _)| *is_refused) {
        Some((_, why)) => Err(Error::Invalid(why.into())),
        None => Ok(()),
    }
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
