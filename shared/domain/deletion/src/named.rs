//! Erases rows in other partitions that refer to a deleted user, or that the user made.

use base::{ReportId, UploadId, UserId};
use ledger::made::{self, Made, MadeKind};
use media::sweep;
use moderation::{appeals, cases, reports};
use platform::{App, Index, Key, Query, Result, Row};
use ulid::Ulid;

use super::circles;

const PAGE_ROWS: usize = 25;

/// Erases the next 25 rows that refer to the user. Deletes other users' mutes of the user, and the user's uploads with
/// their files. Keeps reports about the user, but removes the user from them.
pub(super) async fn page(app: &App, user: UserId, cursor: Option<String>) -> Result<Option<String>> {
    let query = Query::index(Index::Gsi3, user.named()).after(cursor).limit(PAGE_ROWS);
    let named: Vec<Named> = app.table.query(&query).await?;
    for row in &named {
        erase_row(app, user, row).await?;
    }
    Ok(named.last().map(|row| row.gsi3sk.clone()).filter(|_| named.len() == PAGE_ROWS))
}

/// Erases the user from the next 25 rows that the user made. Keeps reports and appeals, but removes the author and the
/// text. Deletes requests to join circles.
pub(super) async fn made(app: &App, user: UserId, cursor: Option<String>) -> Result<Option<String>> {
    let (made, last) = made::page(app, user, cursor, PAGE_ROWS).await?;
    for entry in &made {
        erase_made(app, user, entry).await?;
    }
    Ok(last)
}

async fn erase_made(app: &App, user: UserId, entry: &Made) -> Result<()> {
    match (entry.kind, entry.id.parse::<Ulid>()) {
        (MadeKind::Report, Ok(report)) => reports::erase_reporter(app, user, report.into()).await,
        (MadeKind::JoinRequest, Ok(circle)) => circles::remove_user(app, user, circle.into()).await,
        (MadeKind::Appeal, Ok(appeal)) => appeals::erase_appellant(app, user, appeal.into()).await,
        (_, Err(_)) => Ok(()),
    }
}

async fn erase_row(app: &App, user: UserId, row: &Named) -> Result<()> {
    match row.pk.split_once('#') {
        Some(("UPLOAD", id)) => match id.parse() {
            Ok(upload) => erase_upload(app, user, upload).await,
            Err(_) => Ok(()),
        },
        Some(("REPORT", id)) => match id.parse() {
            Ok(report) => erase_reported(app, user, report).await,
            Err(_) => Ok(()),
        },
        Some(("CASE", id)) => match id.parse() {
            Ok(case) => cases::erase_author(app, user, case).await,
            Err(_) => Ok(()),
        },
        _ => app.table.delete_rows(vec![row.key()]).await,
    }
}

/// Deletes an upload with its files. Evidence keeps private copies of the files.
async fn erase_upload(app: &App, user: UserId, id: UploadId) -> Result<()> {
    if let Some(upload) = uploads::find(app, id).await? {
        cases::keep_file(app, &upload, &upload.posts).await?;
    }
    sweep::erase(app, user, id).await
}

/// Removes the user from a report. If the case was decided after the user was removed from the case, also gives the report
/// the status of the case.
async fn erase_reported(app: &App, user: UserId, report: ReportId) -> Result<()> {
    match reports::erase_reported(app, user, report).await? {
        Some(case) => cases::settle_report(app, case, report).await,
        None => Ok(()),
    }
}

/// The keys of a row that refers to the user.
#[derive(serde::Serialize, serde::Deserialize)]
struct Named {
    pk: String,
    sk: String,
    gsi3sk: String,
}

impl Row for Named {
    fn key(&self) -> Key {
        Key::new(&self.pk, &self.sk)
    }
}
