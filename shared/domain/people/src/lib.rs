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

pub use addresses::Address;
pub use follows::{Follow, FollowRow, Joined, Merged};
pub use friendships::FriendRequest;
pub use mutes::{Mutes, PostText};
pub use relationships::{Listed, Relationship, ViewContext};
pub use unique::UniqueName;
pub use users::{
    Administrator, AvatarUrl, Bio, Email, EmailStatus, Name, NewName, NewUsername, Permission, Person, Role,
    Status, User, UserCard, UserRef, Username,
};
