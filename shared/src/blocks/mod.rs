//! What stands between two people: a block, for both; a mute, for one.

mod barrier;
mod block;
mod mute;

pub(crate) use barrier::unblocked;
pub use barrier::{
    Barrier, Place, before, between, find, hidden_from, none_between, refuse, refuse_any, unseen, update,
};
pub use block::{BlockWish, Blocked, block};
pub use mute::{MuteWish, Muted, mute};
