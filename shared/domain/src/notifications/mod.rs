//! Notifications: what happened that concerns somebody, grouped by what it happened to.
//!
//! Whoever does something writes, in the same transaction, that it happened: once on the record that
//! counts what is pending ([`Pending`]), once as a row of its own that names the actor. Every 40
//! seconds a job *flushes*: one transaction takes the count off the pending record and adds it to the
//! group that the recipient reads, so whatever crashes, nothing is lost and nothing counts twice.

mod actors;
mod events;
mod flush;
mod friend_requests;
mod from_bus;
mod group;
mod kinds;
mod list;
mod marks;
mod notification_event;
mod outbox;
mod pending;
mod view;

pub use actors::Actors;
pub use events::{NotificationNew, NotificationsFlushed};
pub use flush::{Tick, run};
pub use friend_requests::{FriendRequests, friend_requests};
pub use from_bus::note;
pub use group::Notification;
pub use kinds::{NotificationType, Subject, TargetType};
pub use list::{list, unread_group};
pub use marks::{AllRead, MarkedRead, UnreadStatus, mark_all_read, mark_read, unread};
pub use notification_event::NotificationEvent;
pub use pending::Pending;
pub use view::NotificationView;
