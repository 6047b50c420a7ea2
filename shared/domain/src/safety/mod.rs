//! Safety: blocks and mutes.
//!
//! Uses people and conversations, because a block ends follows and friend requests and closes the
//! private group.

mod block;
mod mute;

pub use block::{BlockRequest, Blocked, block};
pub use mute::{MuteRequest, Muted, mute};
