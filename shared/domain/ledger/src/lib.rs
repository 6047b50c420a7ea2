//! Records that all domain crates write: action log, audit log, security log and statistics. Also an index of the rows
//! that a user made, and the counts that limit posts.
//!
//! Of the domain crates, uses only [`base::ids`].

pub mod action_log;
pub mod audit;
pub mod made;
pub mod post_limits;
pub mod security;
pub mod statistics;
