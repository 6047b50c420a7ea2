//! The domain of the social network: its rules and its storage.
//!
//! A Lambda function turns each request or message into one call of the domain. The domain does not know which function
//! calls it. Each module is its own crate, so that a change compiles only the modules above it. The `lib.rs` of a
//! module describes its content and the modules it may use.
//!
#![cfg_attr(doc, doc = include_str!("../../KEYS.md"))]

pub use accounts;
pub use base::*;
pub use circles;
pub use conversations;
pub use deletion;
pub use feeds;
pub use judge;
pub use ledger;
pub use media;
pub use moderation;
pub use notifications;
pub use operations;
pub use people;
pub use posts;
pub use quests;
pub use realtime;
pub use safety;
pub use search;
pub use uploads;
pub use webhooks;
