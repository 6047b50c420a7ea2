//! Devices: browsers that somebody's notifications are pushed to, by the push service of each (Web Push).
//!
//! A device belongs to the session that registered it: it is pushed to while that session lives, so it ends with a sign-out,
//! a ban, a lock, a new password and the account.

mod deliver;
mod register;
mod row;

pub use deliver::deliver;
pub use register::{Device, DeviceDraft, Owner, Platform, PushKey, list, push_key, register, remove};
