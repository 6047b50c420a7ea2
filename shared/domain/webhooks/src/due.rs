//! What a webhook did not take, and falls due again.

use base::{
    due::{self, Due},
    jobs::{Chore, OutboundJob},
};
use platform::{App, Result, deadline::Deadline, rounds::Rounds};

use super::row::Waiting;

/// Sends a chore for the first page of what falls due. Costs 1 call and 0.5 RRU, and a message where there is something.
pub async fn begin(app: &App) -> Result<()> {
    let first = |shard| Chore::TellWebhooks { shard, after: None, rounds: Rounds::default() };
    due::begin::<Waiting, _>(app, Due::Webhook, first).await
}

/// Has the outbound worker send again what is due, page by page while there is time. A page costs 1 call and 0.5 RRU for
/// each 4 KB, and 1 send for each message. The same again finds a message that is no longer due, or sends it twice.
pub async fn send_pages(
    app: &App,
    deadline: &Deadline,
    shard: u8,
    from: (Option<String>, Rounds),
) -> Result<()> {
    let next = |after, rounds| Chore::TellWebhooks { shard, after, rounds };
    let send = async |it: Waiting| {
        let (webhook, announcement) = (it.webhook, it.announcement.id);
        app.queues.send(&OutboundJob::TellAgain { webhook, announcement }).await
    };
    due::pages(app, deadline, (Due::Webhook, shard), from, send, next).await
}
