//! Devices are browsers that receive a user's notifications through a push service (Web Push).
//!
//! A device belongs to the session that registered it, and receives pushes until that session ends. A sign-out, a ban,
//! a lock, a new password or the deletion of the account ends the session.

mod deliver;
mod register;
mod row;

pub use deliver::deliver;
pub use register::{Device, DeviceDraft, Owner, Platform, PushKey, list, push_key, register, remove};
