//! Pushes events to users, through the channels of the push provider and to users' devices.
//!
//! May use `accounts`, `circles`, `conversations`, `notifications` and `people`, because this crate pushes their
//! events.

mod audience;
pub mod devices;
pub mod events;
mod groups;
pub mod push;
pub mod pusher;
mod pushes;
mod unread;
