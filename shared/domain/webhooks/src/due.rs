//! Retries failed webhook deliveries.

use base::{Chore, Due, DuePage, OutboundJob, due};
use platform::{App, Deadline, Result, caused::CausedBy};

use super::row::Delivery;

/// Sends a chore for the first page of due deliveries, if any delivery is due.
pub async fn begin(app: &App) -> Result<()> {
    due::begin::<Delivery, _>(app, Due::Webhook, Chore::RetryWebhooks).await
}

/// Sends a job for each due delivery, page by page until the deadline. If a job is sent twice, the webhook may get the
/// message twice.
pub async fn send_pages(app: &App, deadline: &Deadline, page: DuePage) -> Result<()> {
    let send = async |delivery: Delivery| {
        let (webhook, announcement) = (delivery.webhook, delivery.announcement.id);
        let retry = OutboundJob::RetryDelivery { webhook, announcement };
        app.queues.send(&CausedBy::new(delivery.request_id, retry)).await
    };
    due::pages(app, deadline, Due::Webhook, page, send, Chore::RetryWebhooks).await
}
