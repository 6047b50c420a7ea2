//! Safety: blocks and mutes.
//!
//! May use `people` and `conversations`, because a block ends follows and friend requests, and closes the private
//! group.

mod block;
mod lists;
mod mute;

pub use block::{BlockRequest, Blocked, block};
pub use lists::{blocked, muted};
pub use mute::{MuteRequest, Muted, mute};
