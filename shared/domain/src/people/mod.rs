//! People: who they are, whom they follow, who their friends are, and what stands between two of them.
//!
//! May use the ledger.

pub mod follows;
pub mod friendships;
pub mod profiles;
pub mod relationships;
pub mod unique;
pub mod users;
