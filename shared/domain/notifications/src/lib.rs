//! Notifications: events that concern a user, grouped by what they are about.
//!
//! Whoever does something records the event in the same transaction: a write counts it on the subject's
//! pending record ([`Pending`]), which lists the first of them with their actors; each later one has a row that
//! names the actor. Every 40 seconds a job *flushes*: it adds the count of each pending record to the
//! notification that the recipient reads, which remembers that, and then takes the record away. So a crash
//! loses nothing, and nothing counts twice.
//!
//! May use people and conversations.

mod actors;
mod avatars;
mod erase;
mod events;
mod flush;
mod friend_requests;
mod from_bus;
mod list;
mod news;
mod notification;
mod notification_event;
mod pending;
mod preferences;
mod read_marks;
mod reads;
mod recent_events;
mod recipient_snapshot;
mod repetitions;
mod run;
mod subject;
mod unread;
mod view;

pub use actors::Actors;
pub use erase::erase_actor;
pub use events::{NotificationNew, NotificationsFlushed};
pub use flush::{Tick, flush};
pub use friend_requests::{FriendRequests, friend_requests};
pub use from_bus::record_those;
pub use from_bus::{record, record_all};
pub use list::{find_unread, is_unread, list};
pub use notification::Notification;
pub use notification_event::NotificationEvent;
pub use pending::Pending;
pub use preferences::{
    From, Preference, PreferenceChange, PreferenceChanges, Preferences, change_preferences, is_pushed,
    preferences,
};
pub use read_marks::{AllRead, MarkedRead, UnreadStatus, mark_all_read, mark_read, unread};
pub use recipient_snapshot::RecipientSnapshot;
pub use subject::hashed_ulid;
pub use subject::{NotificationType, Subject, TargetType};
pub use unread::Unread;
pub use view::NotificationView;
