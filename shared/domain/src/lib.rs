//! The social network itself: what people can do, and how it is kept.
//!
//! Functions are thin: they turn a request or a message into one call here, and nothing in this
//! crate knows which function it runs in. Each folder is a neighbourhood; its `mod.rs` says what
//! lives there and what it may use.
//!
#![doc = include_str!("../../KEYS.md")]

pub mod accounts;
pub mod announcements;
pub mod circles;
pub mod conversations;
pub mod due;
pub mod feeds;
pub mod ids;
pub mod jobs;
pub mod judge;
pub mod leaving;
pub mod ledger;
pub mod media;
pub mod moderation;
pub mod notifications;
pub mod operations;
pub mod packed;
pub mod people;
pub mod posts;
pub mod quests;
pub mod realtime;
pub mod reasons;
pub mod safety;
pub mod search;
pub mod topic;
pub mod webhooks;
pub mod words;
