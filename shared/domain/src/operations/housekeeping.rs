//! What has to be tidied up by the hour: in pages, through a queue, so a run is never too long.

use platform::{App, Result};

use crate::{accounts, circles::purge, jobs::Chore};

/// Accounts of a page.
const PAGE_ROWS: usize = 25;

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
        app.queues.send(&chore).await?;
    }
    Ok(())
}
