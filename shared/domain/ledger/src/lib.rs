//! Records that every neighbourhood writes beside its own rows: actions, what somebody made elsewhere, audit entries, counts, and the log of security.
//!
//! Uses [`base::ids`] only.

pub mod action_log;
pub mod audit;
pub mod made;
pub mod security;
pub mod statistics;
