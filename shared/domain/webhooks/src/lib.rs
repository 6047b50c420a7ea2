//! Outgoing webhooks, which deliver events to services of administrators, as the Standard Webhooks specification
//! defines.
//!
//! The write that causes an event also sends a message to the outbound worker. The worker delivers the event to each
//! webhook that subscribes to it. A failed delivery is stored in a row and retried for a day. If all attempts fail, the
//! webhook is switched off.
//!
//! May use `ledger`.

mod deliver;
mod due;
mod manage;
mod row;

pub use deliver::{announce, retry_delivery, test_now};
pub use due::{begin, send_pages};
pub use manage::{
    AnnouncedEvents, NewWebhook, WebhookChange, WebhookDraft, WebhookTest, WebhookView, change, create,
    delete, list, test,
};
