//! Notifications: events that concern a user, grouped by subject (recipient, kind and target).
//!
//! The transaction of an action also records its event. A pending record ([`Pending`]) counts the new events of a
//! subject and lists the first ones with their actors. Each later event has its own row.
//!
//! Every 40 seconds, a job *flushes* the pending records. It adds each record's events to a notification, and then
//! deletes the record. The notification stores which events it includes. So a crash neither loses an event nor counts
//! it twice.
//!
//! *Hidden* users are users that the recipient mutes or blocks, and users that block the recipient.
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

pub use erase::erase_actor;
pub use events::{NotificationNew, NotificationsFlushed};
pub use flush::{Tick, flush};
pub use friend_requests::{FriendRequests, friend_requests};
pub use from_bus::{record, record_all, record_wanted, withdraw_follow, withdraw_friend_request};
pub use list::{find_unread, is_unread, list};
pub use notification_event::{ActorChanges, NotificationEvent, event_id_at};
pub use preferences::{
    From, Preference, PreferenceChange, PreferenceChanges, Preferences, change_preferences, is_pushed,
    preferences,
};
pub use read_marks::{AllRead, MarkedRead, UnreadStatus, mark_all_read, mark_read, unread};
pub use recipient_snapshot::RecipientSnapshot;
pub use subject::{NotificationType, Subject, TargetType};
pub use view::NotificationView;

use actors::Actors;
use notification::Notification;
use pending::Pending;
