//! Operations: the chores that run by the hour, the check of counters, and what was lost delivered again. May use
//! everything.

pub mod housekeeping;
pub mod recount;
pub mod republish;
