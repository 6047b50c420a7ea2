//! Operations: the chores that run by the hour, and the check of counters. May use everything.

pub mod housekeeping;
pub mod recount;
