//! Realtime: pushes events to users, on the channels of the push provider and to their devices.
//!
//! May use accounts, circles, conversations, notifications and people, whose events it pushes.

mod audience;
pub mod devices;
pub mod events;
mod groups;
pub mod push;
pub mod pusher;
mod pushes;
mod unread;
