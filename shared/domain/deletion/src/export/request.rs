//! Requests an export, and finds its files.

use accounts::{
    Device, Proof, Proven, SessionOwner, check_confirmed, check_proof,
    notices::{Notice, NoticeKind},
};
use base::ids::UserId;
use ledger::security::{self, SecurityEvent};
use platform::{
    App, Result,
    idempotency::Once,
    paged::Paged,
    rate_limit::RateLimit,
    table::Write,
    time::{HOUR_SECONDS, Time},
};
use serde::{Deserialize, Serialize};
use tokio::sync::OnceCell;
use utoipa::ToSchema;

use super::{
    link::{self, File},
    row::{self, Export},
};
use crate::DeletionJob;

const EXPORTS: RateLimit = RateLimit { what: "export", most: 2, seconds: 24 * HOUR_SECONDS };

/// Status of an export.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "SCREAMING_SNAKE_CASE")]
pub enum ExportStatus {
    /// No export was requested, or the last export has expired.
    None,
    /// The files are being made.
    Pending,
    /// The files are available.
    Ready,
}

/// An export as its owner sees it.
#[derive(Clone, Debug, Serialize, Deserialize, ToSchema)]
#[schema(as = DataExport)]
#[serde(rename_all = "camelCase")]
pub struct ExportView {
    /// Status of the export.
    pub status: ExportStatus,
    /// Link to the gzipped JSON lines. The link is valid until `expiresAt`, and does not require signing in. Present
    /// only if the status is READY.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub url: Option<String>,
    /// Links to tar archives of the uploaded files, each at most 220 MiB. Empty if there are none. Present only if the
    /// status is READY.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(max_items = 200, nullable = false)]
    pub files: Option<Vec<String>>,
    /// RFC 3339 time until which the files are available: 7 days after the export was made. Present only if the status
    /// is READY.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub expires_at: Option<Time>,
}

/// Requests an export, unless one is pending.
///
/// # Errors
/// Fails with [`platform::Error::Invalid`] if the password or the code is wrong. Fails with
/// [`platform::Error::Forbidden`] if the email address is not confirmed. Fails with [`platform::Error::LimitReached`] for
/// the third export within a day.
pub async fn request_export(
    app: &App,
    owner: SessionOwner,
    proof: Proof,
    device: &Device,
    once: &Once,
) -> Result<ExportView> {
    let (user, checked) = (owner.id, OnceCell::new());
    let who = user.to_string();
    let (answer, is_new) = once
        .run_with(app, user, async || {
            let Proven { user: owner, mut writes } =
                check_proof(app, owner, proof.clone(), device, &checked).await?;
            check_confirmed(&owner)?;
            let previous = app.table.get::<Export>(&row::key(user)).await?;
            let answer = ExportView::without_files(ExportStatus::Pending);
            if previous.as_ref().is_some_and(|export| export.is_pending(app.now())) {
                return Ok((writes, answer, false));
            }
            once.count(app, EXPORTS, &who).await?;
            let export_write = export_write(app, user, previous.as_ref()).marked();
            let count_write = once.count_write(app, EXPORTS, &who);
            let notice_write = Notice::new(app, NoticeKind::ExportRequested, user).create_write();
            writes.extend([export_write, notice_write].into_iter().chain(count_write));
            Ok((writes, answer, true))
        })
        .await?;
    if is_new == Some(true) {
        security::log(SecurityEvent::ExportRequested, user, "by its owner");
    }
    Ok(answer)
}

/// Returns the write that starts an export. The write fails with a conflict if a concurrent request has started an
/// export.
fn export_write(app: &App, user: UserId, previous: Option<&Export>) -> Write {
    let export = Export::new(app, user);
    let job = DeletionJob::Export { user, export: export.id, page: Paged::FIRST };
    Write::put(&export).then(&job).is_still("id", previous.map(|export| export.id))
}

/// Returns the status of the latest export and links to its files. `site` is the URL of the API.
pub async fn find_export(app: &App, user: UserId, site: &str) -> Result<ExportView> {
    let now = app.now();
    let found = row::current(app, user).await?.filter(|export| now < export.ends());
    match found {
        None => Ok(ExportView::without_files(ExportStatus::None)),
        Some(export) if export.made_at.is_none() => Ok(ExportView::without_files(ExportStatus::Pending)),
        Some(export) => ready(app, &export, site).await,
    }
}

async fn ready(app: &App, export: &Export, site: &str) -> Result<ExportView> {
    let url = format!("{site}/{}", link::path(app, export, File::Lines).await?);
    let mut files = Vec::new();
    for number in 0..export.archives {
        files.push(format!("{site}/{}", link::path(app, export, File::Archive(number)).await?));
    }
    let (url, files, expires_at) = (Some(url), Some(files), Some(export.ends()));
    Ok(ExportView { status: ExportStatus::Ready, url, files, expires_at })
}

impl ExportView {
    fn without_files(status: ExportStatus) -> Self {
        Self { status, url: None, files: None, expires_at: None }
    }
}
