//! People: accounts as others see them, follows, friend requests, the blocks and mutes between
//! two people, and what else somebody mutes.
//!
//! Uses the ledger, [`base::jobs`] and [`base::words`].

pub mod follows;
pub mod friendships;
pub mod mutes;
pub mod profiles;
pub mod relationships;
pub mod unique;
pub mod users;
