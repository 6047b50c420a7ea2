//! What a webhook did not take, and falls due again.

use base::{
    due::{self, Due, DuePage},
    jobs::{Chore, OutboundJob},
};
use platform::{App, Result, deadline::Deadline};

use super::row::Waiting;

/// Sends a chore for the first page of what falls due.
pub async fn begin(app: &App) -> Result<()> {
    due::begin::<Waiting, _>(app, Due::Webhook, Chore::RetryWebhooks).await
}

/// Has the outbound worker send again what is due, page by page while there is time. The same again finds a message
/// that is no longer due, or sends it twice.
pub async fn send_pages(app: &App, deadline: &Deadline, page: DuePage) -> Result<()> {
    let send = async |it: Waiting| {
        let (webhook, announcement) = (it.webhook, it.announcement.id);
        app.queues.send(&OutboundJob::RetryDelivery { webhook, announcement }).await
    };
    due::pages(app, deadline, Due::Webhook, page, send, Chore::RetryWebhooks).await
}
