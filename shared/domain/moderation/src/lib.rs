//! Moderation: reports and their evaluation, what administrators decide, what authors are told of it, their appeals,
//! and the list of accounts that administrators see.
//!
//! May use posts, circles, the judge, search, people and the ledger.

pub mod appeals;
pub mod decider;
pub mod decisions;
pub mod directory;
pub mod enforcement;
pub mod evaluation;
pub mod reports;
mod verdicts;
mod written;
