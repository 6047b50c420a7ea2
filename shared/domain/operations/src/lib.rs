//! Operations: scheduled chores, the check of counters, and the redelivery of lost outboxes. May use
//! everything.

pub mod housekeeping;
pub mod recount;
pub mod republish;
