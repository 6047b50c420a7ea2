//! People: accounts as others see them, follows, friend requests, and the blocks and mutes between
//! two people.
//!
//! Uses the ledger and [`crate::jobs`].

pub mod follows;
pub mod friendships;
pub mod profiles;
pub mod relationships;
pub mod unique;
pub mod users;
