//! Records that every neighbourhood writes beside its own rows: actions, audit entries and counts.
//!
//! Uses [`crate::ids`] only.

pub mod action_log;
pub mod audit;
pub mod statistics;
