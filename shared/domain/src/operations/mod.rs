//! Operations: what keeps the network tidy and its counters right. May use everything.

pub mod housekeeping;
pub mod recount;
