//! Pushes events to users, through the channels of the push provider and to users' devices.
//!
//! May use `accounts`, `circles`, `conversations`, `notifications` and `people`, because it pushes their events.

mod audience;
pub mod devices;
pub mod events;
mod groups;
pub mod push;
pub mod pusher;
mod pushes;
mod unread;
