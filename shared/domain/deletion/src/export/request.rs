//! Asking for an export, and for its address.

use base::ids::UserId;
use ledger::security::{self, SecurityEvent};
use platform::{
    App, Result,
    paged::Paged,
    rate_limit::RateLimit,
    table::Write,
    time::{HOUR_SECONDS, Time},
};
use serde::Serialize;
use utoipa::ToSchema;

use super::{
    link::{self, File},
    row::{self, Export},
};
use crate::DeletionJob;

/// The exports of one user.
const EXPORTS: RateLimit = RateLimit { what: "export", most: 2, seconds: 24 * HOUR_SECONDS };

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
    /// The link to the file of JSON lines: good until `expiresAt`, for whoever has it. Only while it is READY.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub url: Option<String>,
    /// The links to archives (tar) of the files that were uploaded, 220 MiB each at most: empty without any. Only while it is
    /// READY.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(max_items = 200)]
    pub files: Option<Vec<String>>,
    /// RFC 3339 time until which the files can be had: 7 days after it was made. Only while it is READY.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub expires_at: Option<Time>,
}

/// Has an export made, unless one is under way.
///
/// # Errors
/// [`platform::Error::LimitReached`] for the third within a day.
pub async fn request(app: &App, user: UserId) -> Result<ExportView> {
    let now = app.now();
    let before = app.table.get::<Export>(&row::key(user)).await?;
    if !before.is_some_and(|it| it.is_pending(now)) {
        EXPORTS.count(app, &user.to_string()).await?.enforce()?;
        let export = Export::new(app, user);
        let job = DeletionJob::Export { user, export: export.id, page: Paged::FIRST };
        let write = Write::put(&export).then(&job).is_still("id", before.map(|it| it.id));
        // A refusal means that another request had one made.
        app.table.try_write(write).await?;
        security::log(SecurityEvent::ExportRequested, user, "by its owner");
    }
    Ok(ExportView::without_files(ExportStatus::Pending))
}

/// Returns how far the last export is, and where it can be had: below `site`, the address of the API.
pub async fn find(app: &App, user: UserId, site: &str) -> Result<ExportView> {
    let now = app.now();
    let found = app.table.get::<Export>(&row::key(user)).await?.filter(|it| now < it.ends());
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
