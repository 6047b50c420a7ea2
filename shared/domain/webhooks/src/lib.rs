//! Outgoing webhooks: addresses of administrators' services, which are told what happened. They follow the specification
//! Standard Webhooks.
//!
//! What happened is a message of the write that did it. The outbound worker tells each webhook that wants to know. What one
//! does not take waits in a row, and falls due again, for a day; then the webhook is switched off.
//!
//! Uses ledger.

mod deliver;
mod due;
mod manage;
mod row;

pub use deliver::{announce, retry_delivery, test_now};
pub use due::{begin, send_pages};
pub use manage::{
    AnnouncedEvents, NewWebhook, WebhookDraft, WebhookTest, WebhookView, create, delete, list, test,
};
