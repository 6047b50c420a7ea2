//! Moderation: reports, who judges them, and what administrators decide.
//!
//! May use posts, search, accounts, people and the ledger.

pub mod decisions;
pub mod directory;
pub mod evaluation;
pub mod judge;
pub mod reports;
