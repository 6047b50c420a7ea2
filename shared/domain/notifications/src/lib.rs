//! Notifications: events that concern a user, grouped by their subject.
//!
//! The transaction of an action also records its event. The event is counted in the subject's pending record
//! ([`Pending`]). This record lists the first events with their actors. Each later event has its own row.
//!
//! Every 40 seconds a job *flushes* the pending records. The job adds each record's count to its notification, and then
//! deletes the record. The notification stores which events it includes. So after a crash, no event is lost or counted
//! twice.
//!
//! A recipient *hides* an actor if the recipient mutes the actor, or if a block exists between the two users.
//!
//! May use `people` and `conversations`.

mod actors;
mod avatars;
mod batch;
mod duplicates;
mod entries;
mod erase;
mod event_row;
mod events;
mod flush;
mod flushed_count;
mod friend_requests;
mod from_bus;
mod list;
mod merge;
mod notification;
mod notification_event;
mod pending;
mod preferences;
mod read_marks;
mod reads;
mod recent_events;
mod recipient_snapshot;
mod subject;
mod unread;
mod view;

pub use actors::Actors;
pub use erase::erase_actor;
pub use events::{NotificationNew, NotificationsFlushed};
pub use flush::{Tick, flush};
pub use friend_requests::{FriendRequests, friend_requests};
pub use from_bus::{record, record_all};
pub use from_bus::{record_wanted, withdraw_follow};
pub use list::{find_unread, is_unread, list};
pub use notification::Notification;
pub use notification_event::{ActorChanges, NotificationEvent};
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
