//! Rows elsewhere that name somebody who leaves, and that no other list of theirs has.

use base::ids::UserId;
use ledger::made::{self, Made, MadeKind};
use media::sweep;
use moderation::{appeals, reports};
use platform::{
    App, Result,
    table::{Index, Key, KeyOnly, Query, Row},
};

use ulid::Ulid;

use super::circles;

/// Rows of a page.
const PAGE_ROWS: usize = 25;

/// Deletes the next 25 rows that name the person: mutes by others. With an upload its files are deleted; a report about
/// the person stays without them.
pub(super) async fn page(app: &App, user: UserId, behind: Option<String>) -> Result<Option<String>> {
    let query = Query::index(Index::Gsi3, user.named()).after(behind).limit(PAGE_ROWS);
    let named: Vec<Named> = app.table.query(&query).await?;
    for row in &named {
        forget(app, user, row).await?;
    }
    Ok(named.last().map(|it| it.gsi3sk.clone()).filter(|_| named.len() == PAGE_ROWS))
}

/// Looks at the next 25 entries of what the person made: a report and an appeal stay without who made them and their
/// words; a circle that they asked to join forgets them.
pub(super) async fn made(app: &App, user: UserId, behind: Option<String>) -> Result<Option<String>> {
    let (made, last) = made::page(app, user, behind, PAGE_ROWS).await?;
    for entry in &made {
        erase_made(app, user, entry).await?;
    }
    Ok(last)
}

async fn erase_made(app: &App, user: UserId, entry: &Made) -> Result<()> {
    match (entry.kind, entry.id.parse::<Ulid>()) {
        (MadeKind::Report, Ok(report)) => reports::erase_reporter(app, user, report.into()).await,
        (MadeKind::JoinRequest, Ok(circle)) => circles::forget(app, user, circle.into()).await,
        (MadeKind::Appeal, Ok(appeal)) => appeals::erase_appellant(app, user, appeal.into()).await,
        (_, Err(_)) => Ok(()),
    }
}

async fn forget(app: &App, user: UserId, row: &Named) -> Result<()> {
    match row.pk.split_once('#') {
        Some(("UPLOAD", id)) => match id.parse() {
            Ok(upload) => sweep::erase(app, user, upload).await,
            Err(_) => Ok(()),
        },
        Some(("REPORT", id)) => match id.parse() {
            Ok(report) => reports::erase_reported(app, user, report).await,
            Err(_) => Ok(()),
        },
        _ => app.table.batch_write::<KeyOnly>(&[], &[row.key()]).await,
    }
}

/// A row that names somebody, by its keys.
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
