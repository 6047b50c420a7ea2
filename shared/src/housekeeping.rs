//! What has to be tidied up by the hour: in pages, through a queue, so a run is never too long.

use serde::{Deserialize, Serialize};

use crate::{App, Result, accounts, circles::purge, id::CircleId, queues::Job, settings::QueueUrls};

/// Accounts of a page.
const PAGE_ROWS: usize = 25;

/// A message that something is to be tidied up.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(tag = "job", rename_all = "camelCase")]
pub enum Chore {
    /// Bans whose time has come are to end.
    LiftBans,
    /// Circles that died 24 hours ago are to be purged.
    PurgeCircles,
    /// Some of them.
    PurgePage {
        /// Of which shard.
        shard: u8,
        /// The last one of the page before; none at first.
        after: Option<String>,
    },
    /// One of them.
    PurgeCircle {
        /// Which.
        circle: CircleId,
    },
}

/// Does a page of a chore, and asks for the next where there may be one. Doing it twice changes
/// nothing.
///
/// # Errors
/// Internal, when something was not done: the message comes again.
pub async fn tidy_up(app: &App, chore: Chore) -> Result<()> {
    let more = match chore.clone() {
        Chore::LiftBans => accounts::lift_due(app, PAGE_ROWS).await?,
        Chore::PurgeCircles => {
            purge::begin(app).await?;
            false
        }
        Chore::PurgePage { shard, after } => {
            purge::purge_page(app, shard, after).await?;
            false
        }
        Chore::PurgeCircle { circle } => purge::purge(app, circle).await?,
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
