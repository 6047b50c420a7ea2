//! Moderation: reports and their evaluation, what administrators decide, and the list of accounts that
//! administrators see.
//!
//! May use posts, circles, the judge, search, people and the ledger.

pub mod decisions;
pub mod directory;
pub mod evaluation;
pub mod reports;
mod verdicts;
mod written;
