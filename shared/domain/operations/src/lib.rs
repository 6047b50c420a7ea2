//! Operations: scheduled chores, the check of counters, and the redelivery of lost outboxes. May use all other domain
//! crates.

pub mod housekeeping;
pub mod recount;
mod rename;
pub mod republish;
