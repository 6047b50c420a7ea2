//! Scheduled chores, and tools for operators: the check of counters, the rebuild of the search index, and the
//! redelivery of messages. May use all other domain crates.

pub mod housekeeping;
pub mod recount;
pub mod reindex;
mod rename;
pub mod republish;
