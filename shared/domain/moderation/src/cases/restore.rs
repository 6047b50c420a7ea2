//! Finds the post of a case, and the state that an undo or a dismissal restores.

use base::UserId;
use people::users;
use platform::{App, Result};
use posts::Moderated;

use super::{action::CaseAction, row::Case};
use crate::any_post::AnyPost;

/// Returns the reported post, even if it was deleted. Returns `None` if a user was reported.
pub(super) async fn find_post(app: &App, case: &Case) -> Result<Option<AnyPost>> {
    match case.post() {
        Some(post) => AnyPost::find(app, post).await,
        None => Ok(None),
    }
}

/// Returns whether a post was deleted by its author, or by the deletion of the author's account. Moderation cannot
/// restore such a post.
pub(super) async fn is_gone(app: &App, case: &Case, post: Option<&AnyPost>) -> Result<bool> {
    match post.filter(|post| post.is_deleted()) {
        None => Ok(false),
        Some(post) if !case.has_deleted(post) || post.author() == UserId::NONE => Ok(true),
        Some(post) => Ok(users::find(app, post.author()).await?.is_none()),
    }
}

/// Returns the state of a post without the actions of the case. Keeps later changes by the author.
pub(super) fn original(case: &Case, present: Moderated) -> Moderated {
    let Some(outcome) = case.decision() else { return present };
    let Some(before) = outcome.before else { return present };
    let changed = |actions: &[CaseAction]| outcome.all_actions.iter().any(|action| actions.contains(action));
    let is_visible_changed = changed(&[CaseAction::Dismiss, CaseAction::Hide, CaseAction::Delete]);
    Moderated {
        is_hidden: if is_visible_changed { before.is_hidden } else { present.is_hidden },
        deleted_at: None,
        sensitive: if changed(&[CaseAction::Sensitive]) { before.sensitive } else { present.sensitive },
        is_labeled: present.is_labeled && !changed(&[CaseAction::Sensitive]),
        reply_permission: match changed(&[CaseAction::LockReplies]) {
            true => before.reply_permission,
            false => present.reply_permission,
        },
        is_locked: present.is_locked && !changed(&[CaseAction::LockReplies]),
    }
}
