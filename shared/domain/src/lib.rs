//! The social network itself: what people can do, and how it is kept.
//!
//! Functions are thin: they turn a request or a message into one call here, and nothing in this
//! crate knows which function it runs in. Each module is a crate of its own, so that a change compiles
//! only the modules above it; its `lib.rs` says what lives there and what it may use.
//!
#![cfg_attr(doc, doc = include_str!("../../KEYS.md"))]

pub use accounts;
pub use base::{announcements, due, ids, jobs, reasons, topic, words};
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
