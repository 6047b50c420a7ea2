//! Operations: scheduled chores, the check of counters, the search index, and the redelivery of lost outboxes. May use
//! all other domain crates.

pub mod housekeeping;
pub mod recount;
pub mod reindex;
mod rename;
pub mod republish;
