//! The hourly chores. Each runs in pages, through a queue, so that no run takes too long.

use platform::{App, Result};

use crate::{accounts, circles::purge, jobs::Chore};

/// The number of accounts in a page.
const PAGE_ROWS: usize = 25;

/// Does a page of a chore, and sends the message for the next when there may be one. Repeating changes
/// nothing; after a failure the message comes again.
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
        app.queues.send(&chore).await?;
    }
    Ok(())
}
