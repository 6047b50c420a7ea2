//! What has to be tidied up by the hour: in pages, through a queue, so a run is never too long.

use serde::{Deserialize, Serialize};

use crate::{App, Result, accounts, queues::Job, settings::QueueUrls};

/// Accounts of a page.
const PAGE_ROWS: usize = 25;

/// A message that something is to be tidied up.
#[derive(Clone, Copy, Debug, Serialize, Deserialize)]
#[serde(tag = "job", rename_all = "camelCase")]
pub enum Chore {
    /// Bans whose time has come are to end.
    LiftBans,
}

/// Does a page of a chore, and asks for the next where there may be one. Doing it twice changes
/// nothing.
///
/// # Errors
/// Internal, when something was not done: the message comes again.
pub async fn tidy_up(app: &App, chore: Chore) -> Result<()> {
    let more = match chore {
        Chore::LiftBans => accounts::lift_due(app, PAGE_ROWS).await?,
    };
    if more {
        app.queues.send(app, &chore).await?;
    }
    Ok(())
}

impl Job for Chore {
    fn queue<'a>(&self, urls: &'a QueueUrls) -> (&'a Option<String>, &'static str) {
        (&urls.housekeeping, "HOUSEKEEPING_QUEUE_URL")
    }
}
