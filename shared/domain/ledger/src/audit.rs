//! The audit log of administrators. Each entry is written in the transaction of its action.

use base::ids::{AuditId, PublicUserId, UserId, public_text};
use platform::{
    App, Result,
    page::{Cursor, Page},
    table::{Key, Query, Row, Write},
    time::Time,
};
use serde::{Deserialize, Serialize};
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
    /// Dismissed a report.
    DismissReport,
    /// Hid the reported post.
    HideReported,
    /// Deleted the reported post.
    DeleteReported,
    /// Rejected an appeal.
    DenyAppeal,
    /// Granted an appeal and reverted the decision.
    GrantAppeal,
    /// Defined a daily quest.
    CreateQuest,
    /// Disabled a daily quest.
    DisableQuest,
    /// Created a webhook.
    CreateWebhook,
    /// Deleted a webhook.
    DeleteWebhook,
    /// Tested a webhook.
    TestWebhook,
    /// The service disabled a webhook that failed for a day or responded with 410 (Gone). The note contains the reason.
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
    created_at: Time,
}

/// An entry of the audit log.
#[derive(Clone, Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(as = AuditEntry)]
pub struct AuditEntryView {
    /// The id, which is also the cursor of the list.
    pub id: AuditId,
    /// The administrator who acted. Null for an operator's command and for an automatic action.
    pub admin_id: Option<PublicUserId>,
    /// The kind of action.
    pub action: AuditAction,
    /// The ID of the user, report, appeal or webhook that the action was about, or the code of the quest. A user's ID
    /// is the public ID.
    #[schema(example = "01KGB5T9G0A1B2C3D4E5F6G7H8")]
    pub target_id: String,
    /// The administrator's note or reason.
    pub note: Option<String>,
    /// The time of the action.
    pub created_at: Time,
}

impl AuditAction {
    fn is_about_user(self) -> bool {
        matches!(
            self,
            Self::BanUser | Self::LockUser | Self::UnlockUser | Self::ChangeRoles | Self::AppointAdmin
        )
    }
}

impl From<AuditEntry> for AuditEntryView {
    fn from(entry: AuditEntry) -> Self {
        let AuditEntry { id, admin_id, action, target_id, note, created_at } = entry;
        let target_id = if action.is_about_user() { public_text(target_id) } else { target_id };
        Self { id, admin_id: admin_id.map(UserId::public), action, target_id, note, created_at }
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
    let now = app.now();
    let (admin_id, target_id) = (admin_id.into(), target.to_string());
    Write::create(&AuditEntry { id: app.ids.next(now), admin_id, action, target_id, note, created_at: now })
}

/// Returns a page of the audit log, newest first.
pub async fn list(app: &App, cursor: Cursor<AuditId>) -> Result<Page<AuditEntryView>> {
    let query = Query::partition(PARTITION).newest_first().before(cursor.after);
    let rows = app.table.query(&query.limit(cursor.take.rows() + 1)).await?;
    Ok(Page::cut(rows, cursor.take, |it: &AuditEntry| it.id.to_string()).map(AuditEntryView::from))
}

const PARTITION: &str = "AUDIT";

/// `AUDIT / id`. One partition is enough, because administrators write few entries.
impl Row for AuditEntry {
    fn key(&self) -> Key {
        Key::new(PARTITION, self.id.to_string())
    }
}
