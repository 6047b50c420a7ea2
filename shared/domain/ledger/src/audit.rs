//! The audit log of administrators. Each entry is written in the transaction of its action.

use base::{AuditId, PublicUserId, UserId, ids::public_text};
use platform::{App, Cursor, FillingPage, Key, Page, Query, Result, Row, Time, Write};
use serde::{Deserialize, Serialize};
use ulid::Ulid;
use utoipa::ToSchema;

/// An action of an administrator.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "SCREAMING_SNAKE_CASE")]
pub enum AuditAction {
    /// Banned an account, temporarily or permanently.
    BanUser,
    /// Locked an account.
    LockUser,
    /// Unlocked or unbanned an account.
    UnlockUser,
    /// Changed the roles of an account.
    ChangeRoles,
    /// An operator appointed an administrator with a command.
    AppointAdmin,
    /// An operator removed the second factor of an account with a command.
    RemoveSecondFactor,
    /// Dismissed a report.
    DismissReport,
    /// Hid the reported post.
    HideReported,
    /// Deleted the reported post.
    DeleteReported,
    /// Decided a case without dismissing it, and without hiding or deleting the post.
    ResolveCase,
    /// Undid the decision about a case.
    UndoDecision,
    /// Escalated a case, so that only administrators can decide it.
    EscalateCase,
    /// Assigned a case to a moderator, or removed the assignment.
    AssignCase,
    /// Wrote a note about a case.
    NoteCase,
    /// Read a case. Recorded only if the post of the case was deleted by moderation.
    ViewEvidence,
    /// Rejected an appeal.
    DenyAppeal,
    /// Granted an appeal and reverted the decision.
    GrantAppeal,
    /// Defined a daily quest.
    CreateQuest,
    /// Changed or enabled a daily quest.
    EditQuest,
    /// Disabled a daily quest.
    DisableQuest,
    /// Created a webhook.
    CreateWebhook,
    /// Deleted a webhook.
    DeleteWebhook,
    /// Tested a webhook.
    TestWebhook,
    /// Enabled a webhook.
    EnableWebhook,
    /// Disabled a webhook. If the service disabled it after failed deliveries, the note contains the reason.
    DisableWebhook,
}

/// The row of an entry of the audit log.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct AuditEntry {
    id: AuditId,
    admin_id: Option<UserId>,
    action: AuditAction,
    target_id: String,
    note: Option<String>,
    before: Option<SanctionNote>,
    created_at: Time,
}

/// An entry of the audit log.
#[derive(Clone, Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(as = AuditEntry)]
pub struct AuditEntryView {
    /// The ID, which is also the cursor of the list.
    pub id: AuditId,
    /// The administrator who acted. Null for an operator's command and for an automatic action.
    pub admin_id: Option<PublicUserId>,
    /// The kind of action.
    pub action: AuditAction,
    /// The target of the action: the ID of a user, report, case, appeal or webhook, or the code of a quest. A user's ID
    /// is the public ID.
    #[schema(example = "01KGB5T9G0A1B2C3D4E5F6G7H8")]
    pub target_id: String,
    /// The administrator's note or reason.
    pub note: Option<String>,
    /// The sanction of the account before a ban, a lock or an unlock. Null for other actions.
    pub before: Option<SanctionNote>,
    /// The time of the action.
    pub created_at: Time,
}

/// The sanction of an account before an action.
#[derive(Clone, Debug, Serialize, Deserialize, ToSchema)]
#[schema(as = PreviousSanction)]
#[serde(rename_all = "camelCase")]
pub struct SanctionNote {
    /// The status of the account: `ACTIVE`, `BANNED` or `LOCKED`.
    #[schema(example = "BANNED")]
    pub status: String,
    /// The end of the ban. Null for a permanent ban and for other statuses.
    pub banned_until: Option<Time>,
    /// The reason for the ban or the lock.
    pub reason: Option<String>,
}

impl AuditAction {
    fn is_about_user(self) -> bool {
        matches!(
            self,
            Self::BanUser
                | Self::LockUser
                | Self::UnlockUser
                | Self::ChangeRoles
                | Self::AppointAdmin
                | Self::RemoveSecondFactor
        )
    }
}

impl From<AuditEntry> for AuditEntryView {
    fn from(entry: AuditEntry) -> Self {
        let AuditEntry { id, admin_id, action, target_id, note, before, created_at } = entry;
        let target_id = if action.is_about_user() { public_text(target_id) } else { target_id };
        Self { id, admin_id: admin_id.map(UserId::public), action, target_id, note, before, created_at }
    }
}

/// Returns the write of an audit log entry. Run it in the transaction of the action.
pub fn record_write(
    app: &App,
    admin_id: impl Into<Option<UserId>>,
    action: AuditAction,
    target: impl ToString,
    note: Option<String>,
) -> Write {
    Write::create(&entry(app, admin_id.into(), action, target.to_string(), note))
}

/// Works as [`record_write`] does, for a change of an account's sanction. `before` is the sanction before the change.
pub fn sanction_record_write(
    app: &App,
    admin: UserId,
    action: AuditAction,
    target: UserId,
    note: Option<String>,
    before: SanctionNote,
) -> Write {
    let entry = entry(app, Some(admin), action, target.to_string(), note);
    Write::create(&AuditEntry { before: Some(before), ..entry })
}

fn entry(
    app: &App,
    admin_id: Option<UserId>,
    action: AuditAction,
    target_id: String,
    note: Option<String>,
) -> AuditEntry {
    let now = app.now();
    AuditEntry { id: app.ids.next(now), admin_id, action, target_id, note, before: None, created_at: now }
}

/// Filters of the audit log.
#[derive(Clone, Debug, Default)]
pub struct AuditFilter {
    /// Lists only actions of this administrator.
    pub actor: Option<UserId>,
    /// Lists only actions of this kind.
    pub action: Option<AuditAction>,
    /// Lists only actions about this target.
    pub target: Option<String>,
    /// Lists only actions at or after this time.
    pub from: Option<Time>,
    /// Lists only actions at or before this time.
    pub to: Option<Time>,
}

impl AuditFilter {
    /// Returns the lowest and the highest ID that the page after `after` can contain.
    fn bounds(&self, after: Option<AuditId>) -> [String; 2] {
        let millis = |at: Time| at.millis().max(0).cast_unsigned();
        let low = self.from.map_or(0, |from| Ulid::from_parts(millis(from), 0).0);
        let high = self.to.map_or(u128::MAX, |to| Ulid::from_parts(millis(to), u128::MAX).0);
        let below = after.map_or(u128::MAX, |after| Ulid::from(after).0.saturating_sub(1));
        [low, high.min(below)].map(|id| Ulid(id).to_string())
    }

    fn accepts(&self, entry: &AuditEntry) -> bool {
        let is_target = |target: &String| {
            let ids = [entry.target_id.clone(), public_text(entry.target_id.clone())];
            ids.iter().any(|id| id.eq_ignore_ascii_case(target))
        };
        self.actor.is_none_or(|actor| entry.admin_id == Some(actor))
            && self.action.is_none_or(|action| entry.action == action)
            && self.target.as_ref().is_none_or(is_target)
    }
}

/// Returns a page of the audit log, newest first. Reads at most 10 pages, so a page can be short although the list
/// continues.
pub async fn list(app: &App, filter: AuditFilter, cursor: Cursor<AuditId>) -> Result<Page<AuditEntryView>> {
    let mut page = FillingPage::new(cursor);
    while let Some(Cursor { take, after }) = page.to_read() {
        let [low, high] = filter.bounds(after);
        let query = Query::partition(PARTITION).between(low, high).newest_first();
        let rows: Vec<AuditEntry> = app.table.query(&query.limit(take.rows() + 1)).await?;
        let (last, read) = (rows.last().map(|entry| entry.id), rows.len());
        page.add(rows.into_iter().filter(|entry| filter.accepts(entry)), last, read);
    }
    Ok(page.page(|entry| entry.id.to_string()).map(AuditEntryView::from))
}

const PARTITION: &str = "AUDIT";

/// `AUDIT / id`. One partition is enough, because administrators write few entries.
impl Row for AuditEntry {
    fn key(&self) -> Key {
        Key::new(PARTITION, self.id.to_string())
    }
}
