//! Outgoing webhooks, which deliver events to administrators' services, as specified by Standard Webhooks.
//!
//! The write that causes an event carries a message for the outbound worker. The worker delivers the event to each
//! webhook that subscribes to it. A failed delivery is stored in a row and retried for a day. Then the webhook is
//! switched off.
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
