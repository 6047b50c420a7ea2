//! Moderation: reports, the judge that evaluates them, what administrators decide, and the list of
//! accounts that administrators see.
//!
//! May use posts, search, people and the ledger.

pub mod decisions;
pub mod directory;
pub mod evaluation;
pub mod judge;
pub mod reports;
