//! Records that all domain crates write: action log, audit log, security log, statistics, and an index of the rows that
//! a user made.
//!
//! Uses only [`base::ids`] of the domain.

pub mod action_log;
pub mod audit;
pub mod made;
pub mod security;
pub mod statistics;
