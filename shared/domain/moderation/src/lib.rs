//! Moderation: reports and their evaluation, administrators' decisions, how authors are informed, appeals, and the
//! list of accounts for administrators.
//!
//! May use posts, circles, the judge, search, people and the ledger.

mod any_post;
pub mod appeals;
pub mod decider;
pub mod decisions;
pub mod directory;
pub mod enforcement;
pub mod evaluation;
pub mod reports;
mod verdicts;
