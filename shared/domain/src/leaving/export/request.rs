//! Asking for an export, and for its address.

use std::time::Duration;

use http::Method;
use platform::{
    App, Result,
    objects::Bucket,
    rate_limit::RateLimit,
    rounds::Rounds,
    table::Write,
    time::{HOUR_SECONDS, Time},
};
use serde::Serialize;
use utoipa::ToSchema;

use super::row::{self, Export};
use crate::{
    ids::UserId,
    leaving::LeavingJob,
    ledger::security::{self, SecurityEvent},
};

/// The exports of one user.
const EXPORTS: RateLimit = RateLimit { what: "export", most: 2, seconds: 24 * HOUR_SECONDS };
/// How long an address is good. The credentials that sign it last no longer than some hours: each request gets a new one.
const ADDRESS_LIVES: Duration = Duration::from_secs(15 * 60);

/// How far an export is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, ToSchema)]
#[serde(rename_all = "SCREAMING_SNAKE_CASE")]
pub enum ExportStatus {
    /// Nobody asked for one, or it is gone.
    None,
    /// It is being made.
    Pending,
    /// It can be had.
    Ready,
}

/// An export, as its owner sees it.
#[derive(Clone, Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct ExportView {
    /// How far it is.
    pub status: ExportStatus,
    /// The address of the file, good for 15 minutes: ask again for another. Only while it is READY.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub url: Option<String>,
    /// RFC 3339 time until which the file can be had: 7 days after it was made. Only while it is READY.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub expires_at: Option<Time>,
}

/// Has an export made, unless one is under way. Costs 3 calls, 1 RRU and 2 WRU.
///
/// # Errors
/// [`platform::Error::LimitReached`] for the third within a day.
pub async fn request(app: &App, user: UserId) -> Result<ExportView> {
    let now = app.now();
    let before = app.table.get::<Export>(&row::key(user)).await?;
    if !before.is_some_and(|it| it.is_pending(now)) {
        EXPORTS.count(app, &user.to_string()).await?.enforce()?;
        let export = Export::new(app, user);
        let job = LeavingJob::Export { user, export: export.id, after: None, rounds: Rounds::default() };
        let write = Write::put(&export).then(&job).is_still("id", before.map(|it| it.id));
        // A refusal means that another request had one made.
        app.table.try_write(write).await?;
        security::log(SecurityEvent::ExportRequested, user, "by its owner");
    }
    Ok(ExportView { status: ExportStatus::Pending, url: None, expires_at: None })
}

/// Returns how far the last export is, and where it can be had. Costs 1 call and 1 RRU.
pub async fn find(app: &App, user: UserId) -> Result<ExportView> {
    let now = app.now();
    let found = app.table.get::<Export>(&row::key(user)).await?.filter(|it| now < it.ends());
    let Some(export) = found else {
        return Ok(ExportView { status: ExportStatus::None, url: None, expires_at: None });
    };
    if export.made_at.is_none() {
        return Ok(ExportView { status: ExportStatus::Pending, url: None, expires_at: None });
    }
    let address = Bucket::of_uploads(app)?.presign(Method::GET, &export.file(), &[], ADDRESS_LIVES).await?;
    Ok(ExportView { status: ExportStatus::Ready, url: Some(address), expires_at: Some(export.ends()) })
}
