//! The row of an export, and the keys of its files.

use base::ids::{ExportId, UserId};
use people::users::{self, User};
use platform::{
    App, Result,
    objects::Bucket,
    table::{Key, Row, Together},
    time::{HOUR_SECONDS, Time},
};
use serde::{Deserialize, Serialize};
use ulid::Ulid;

const LIFETIME_SECONDS: i64 = 7 * 24 * HOUR_SECONDS;
/// Seconds after which an unfinished export has failed, and a new export can start.
const TIMEOUT_SECONDS: i64 = HOUR_SECONDS;

/// The latest export of a user.
#[derive(Clone, Copy, Debug, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Export {
    pub(super) user: UserId,
    /// Export ID. The ID is part of the keys of the export's files.
    pub(super) id: ExportId,
    pub(super) requested_at: Time,
    /// Time of completion, or `None` while the export is pending.
    pub(super) made_at: Option<Time>,
    pub(super) parts: u32,
    pub(super) archives: u32,
}

impl Export {
    pub(super) fn new(app: &App, user: UserId) -> Self {
        let now = app.now();
        Self { user, id: app.ids.next(now), requested_at: now, made_at: None, parts: 0, archives: 0 }
    }

    pub(super) fn is_pending(&self, now: Time) -> bool {
        self.made_at.is_none() && now < self.requested_at.plus_seconds(TIMEOUT_SECONDS)
    }

    pub(super) fn is_ready(&self, now: Time) -> bool {
        self.made_at.is_some() && now < self.ends()
    }

    /// Returns the time at which the files are deleted.
    pub(super) fn ends(&self) -> Time {
        self.made_at.unwrap_or(self.requested_at).plus_seconds(LIFETIME_SECONDS)
    }

    /// Returns the object key of the complete file of JSON lines.
    pub(super) fn file(&self) -> String {
        format!("exports/{}.jsonl.gz", self.id)
    }

    pub(super) fn archive(&self, number: u32) -> String {
        format!("exports/{}/{number:05}.tar", self.id)
    }

    /// Returns the object key of a part of the JSON lines.
    pub(super) fn part(&self, number: u32) -> String {
        format!("exports/{}/{number:05}.jsonl.gz", self.id)
    }

    pub(super) async fn delete_parts(&self, bucket: &Bucket<'_>) -> Result<()> {
        for part in 0..self.parts {
            bucket.delete(&self.part(part)).await?;
        }
        Ok(())
    }
}

/// Returns the latest export of a user, or `None` if the account was deleted. Also returns `None` if the password was
/// set after the request, because another person may have requested the export.
pub(super) async fn current(app: &App, user: UserId) -> Result<Option<Export>> {
    usable(app.table.get_together(&[key(user), users::key(user)]).await?, user)
}

/// Works like [`current`], with eventual consistency, at half the cost. For about a second, it can miss a new password.
pub(super) async fn current_eventual(app: &App, user: UserId) -> Result<Option<Export>> {
    usable(app.table.get_together_eventual(&[key(user), users::key(user)]).await?, user)
}

/// Returns the export in `rows`, unless the account is missing or its password was set after the request.
fn usable(mut rows: Together, user: UserId) -> Result<Option<Export>> {
    let export: Option<Export> = rows.take(&key(user))?;
    let Some(account) = rows.take::<User>(&users::key(user))? else { return Ok(None) };
    Ok(export.filter(|export| account.password_set_at.is_none_or(|set_at| set_at <= export.requested_at)))
}

/// Deletes the files of a user's export, including the parts.
pub(crate) async fn delete_files(app: &App, user: UserId) -> Result<()> {
    let Some(export) = app.table.get::<Export>(&key(user)).await? else { return Ok(()) };
    let bucket = Bucket::of_uploads(app)?;
    export.delete_parts(&bucket).await?;
    for number in 0..export.archives {
        bucket.delete(&export.archive(number)).await?;
    }
    bucket.delete(&export.file()).await
}

/// Returns the time at which an export was requested, in milliseconds since 1970.
pub(crate) fn began_at(export: ExportId) -> i64 {
    Ulid::from(export).timestamp_ms().cast_signed()
}

pub(crate) fn key(user: UserId) -> Key {
    Key::new(user.partition(), "EXPORT")
}

/// `USER#id / EXPORT`. The row expires 7 days after the export was made.
impl Row for Export {
    fn key(&self) -> Key {
        key(self.user)
    }

    fn expires(&self) -> Option<Time> {
        Some(self.ends())
    }
}
