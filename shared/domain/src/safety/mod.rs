//! Safety: what one person does to be left alone by another. A block ends what ties two people, so
//! it may use people and conversations.

mod block;
mod mute;

pub use block::{BlockRequest, Blocked, block};
pub use mute::{MuteRequest, Muted, mute};
