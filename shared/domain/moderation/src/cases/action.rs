//! The actions of a decision about a case.

use ledger::audit::AuditAction;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use crate::{author_decision::ShownAction, reports::ReportStatus};

/// An action of a decision about a case.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "kebab-case")]
pub enum CaseAction {
    /// Keep the post. If it is hidden or was deleted by moderation, show it again.
    Dismiss,
    /// Hide the post from lists.
    Hide,
    /// Delete the post. Another decision can restore it within 30 days.
    Delete,
    /// Send the author a warning.
    Warn,
    /// Show a warning before the text and files of the post.
    Sensitive,
    /// Allow replies only by the author.
    LockReplies,
    /// Ban the user for 7 days, or until `bannedUntil`.
    TempBan,
    /// Ban the user permanently.
    Ban,
}

/// The actions of a decision. At most one of `hide` and `delete`, and at most one ban. `dismiss` cannot be combined
/// with other actions.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(try_from = "Vec<CaseAction>")]
#[schema(value_type = Vec<CaseAction>, min_items = 1, max_items = 8)]
pub struct CaseActions(Vec<CaseAction>);

impl TryFrom<Vec<CaseAction>> for CaseActions {
    type Error = &'static str;

    fn try_from(actions: Vec<CaseAction>) -> Result<Self, Self::Error> {
        let count = |of: fn(&CaseAction) -> bool| actions.iter().filter(|action| of(action)).count();
        let is_duplicate = |(position, action): (usize, &CaseAction)| actions[..position].contains(action);
        match () {
            () if actions.is_empty() => Err("must have at least 1 item"),
            () if actions.iter().enumerate().any(is_duplicate) => Err("must not contain an action twice"),
            () if actions.contains(&CaseAction::Dismiss) && actions.len() > 1 => {
                Err("must not combine dismiss with other actions")
            }
            () if count(|action| action.removal().is_some()) > 1 => Err("must not combine hide and delete"),
            () if count(|action| action.is_ban()) > 1 => Err("must not combine temp-ban and ban"),
            () => Ok(Self(actions)),
        }
    }
}

impl From<CaseAction> for CaseActions {
    fn from(action: CaseAction) -> Self {
        Self(vec![action])
    }
}

impl CaseActions {
    /// Returns whether the decision has this action.
    pub(super) fn has(&self, action: CaseAction) -> bool {
        self.0.contains(&action)
    }

    /// Returns the actions in the order of the request.
    pub(crate) fn all(&self) -> &[CaseAction] {
        &self.0
    }

    /// Returns the status that the decision gives to a case.
    pub(super) fn status(&self) -> ReportStatus {
        self.0.iter().find_map(|action| action.removal()).unwrap_or(match self.has(CaseAction::Dismiss) {
            true => ReportStatus::Dismissed,
            false => ReportStatus::Resolved,
        })
    }

    /// Returns the action that the audit log records for the decision.
    pub(super) fn audit_action(&self) -> AuditAction {
        match self.status() {
            ReportStatus::Dismissed => AuditAction::DismissReport,
            ReportStatus::Hidden => AuditAction::HideReported,
            ReportStatus::Deleted => AuditAction::DeleteReported,
            ReportStatus::Pending | ReportStatus::Resolved => AuditAction::ResolveCase,
        }
    }

    /// Returns the actions that the author sees, the strongest first: the removal of the post, then the lock, the label
    /// and the warning. Omits dismissals and bans.
    pub(super) fn shown_of(actions: &[CaseAction]) -> Vec<ShownAction> {
        let shown = [
            (CaseAction::Delete, ShownAction::Deleted),
            (CaseAction::Hide, ShownAction::Hidden),
            (CaseAction::LockReplies, ShownAction::RepliesLocked),
            (CaseAction::Sensitive, ShownAction::Labeled),
            (CaseAction::Warn, ShownAction::Warned),
        ];
        shown.into_iter().filter(|(action, _)| actions.contains(action)).map(|(_, action)| action).collect()
    }
}

impl CaseAction {
    /// Returns whether the action is a ban. Only administrators can ban.
    pub(super) fn is_ban(self) -> bool {
        matches!(self, Self::TempBan | Self::Ban)
    }

    /// Returns whether the action changes the reported post.
    pub(super) fn changes_post(self) -> bool {
        matches!(self, Self::Hide | Self::Delete | Self::Sensitive | Self::LockReplies)
    }

    /// Returns the status after an action that removes the post from lists, or `None` for other actions.
    fn removal(self) -> Option<ReportStatus> {
        match self {
            Self::Hide => Some(ReportStatus::Hidden),
            Self::Delete => Some(ReportStatus::Deleted),
            _ => None,
        }
    }
}
