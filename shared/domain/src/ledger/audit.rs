//! The administrators' log: who did what to whom, written together with the deed.

use platform::{
    App, Result,
    page::{Cursor, Page},
    table::{Key, Query, Row, Write},
    time::Time,
};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use crate::ids::{AuditId, UserId};

/// What an administrator did.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "SCREAMING_SNAKE_CASE")]
pub enum Deed {
    /// Banned an account, for a time or for good.
    BanUser,
    /// Locked an account.
    LockUser,
    /// Let somebody use their account again.
    UnlockUser,
    /// Changed what somebody may do.
    ChangeRoles,
    /// Let what was reported stand.
    DismissReport,
    /// Hid what was reported.
    HideReported,
    /// Deleted what was reported.
    DeleteReported,
    /// Defined a daily quest.
    CreateQuest,
    /// Took a daily quest out of use.
    DisableQuest,
}

/// An entry of the log.
#[derive(Clone, Debug, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct AuditEntry {
    /// Its id, and its place in the list.
    pub id: AuditId,
    /// Who did it.
    pub admin_id: UserId,
    /// What they did.
    pub action: Deed,
    /// The user, the report or the quest that they did it to.
    #[schema(example = "01KGB5T9G0A1B2C3D4E5F6G7H8")]
    pub target_id: String,
    /// What they wrote about it.
    pub note: Option<String>,
    /// When.
    pub created_at: Time,
}

/// A step that records a deed, for the transaction that does it: 2 WRU.
pub fn record(
    app: &App,
    admin_id: UserId,
    action: Deed,
    target: impl ToString,
    note: Option<String>,
) -> Write {
    let now = app.now();
    let target_id = target.to_string();
    Write::create(&AuditEntry { id: app.ids.next(now), admin_id, action, target_id, note, created_at: now })
}

/// The log, newest first. 1 call, 0.5 RRU for each 4 KB.
///
/// # Errors
/// Internal only.
pub async fn list(app: &App, cursor: Cursor<AuditId>) -> Result<Page<AuditEntry>> {
    let query = Query::partition(PARTITION).newest_first().before(cursor.after);
    let rows = app.table.query(&query.limit(cursor.take.rows() + 1)).await?;
    Ok(Page::cut(rows, cursor.take, |it: &AuditEntry| it.id.to_string()))
}

const PARTITION: &str = "AUDIT";

/// `AUDIT / id`: administrators are few, and so are their deeds
impl Row for AuditEntry {
    fn key(&self) -> Key {
        Key::new(PARTITION, self.id.to_string())
    }
}
