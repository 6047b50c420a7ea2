//! People: public profiles, follows, friend requests, blocks between users, and mutes of users, words and threads.
//!
//! This crate uses the ledger and [`base::jobs`].

pub mod addresses;
pub mod follows;
pub mod friendships;
pub mod mutes;
pub mod profiles;
pub mod relationships;
pub mod unique;
pub mod users;
