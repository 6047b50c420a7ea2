//! Records that every neighbourhood writes beside its own rows: actions, audit entries, counts, and the log of security.
//!
//! Uses [`crate::ids`] only.

pub mod action_log;
pub mod audit;
pub mod security;
pub mod statistics;
