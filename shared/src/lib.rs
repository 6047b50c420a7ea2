//! The social network itself: what people can do, and how it is kept.
//!
//! Functions are thin: they turn a request or a message into one call here, and nothing in this
//! crate knows which function it runs in. Start at [`app::App`], which everything takes; then
//! [`table`], which everything is kept in; then the noun you came for.
//!
#![doc = include_str!("../KEYS.md")]

pub mod access;
pub mod accounts;
pub mod actions;
pub mod app;
pub mod audit;
pub mod blocks;
pub mod caller;
pub mod circles;
pub mod clock;
pub mod engagements;
pub mod error;
pub mod evaluations;
pub mod events;
pub mod feeds;
pub mod feeds_by_author;
pub mod follows;
pub mod friends;
pub mod groups;
pub mod housekeeping;
pub mod http;
pub mod id;
pub mod idempotency;
pub mod ids;
pub mod jobs;
pub mod judge;
pub mod likes;
pub mod limits;
pub mod lists;
pub mod logs;
pub mod mails;
pub mod measure;
pub mod memory;
pub mod moderation;
pub mod museum;
pub mod notifications;
pub mod one_time;
pub mod openapi;
pub mod outside;
pub mod page;
pub mod passwords;
pub mod post_office;
pub mod posts;
pub mod profiles;
pub mod pusher;
pub mod quests;
pub mod queues;
pub mod realtime;
pub mod reasons;
pub mod recount;
pub mod reports;
pub mod saved;
pub mod search;
pub mod secrets;
pub mod sessions;
pub mod settings;
mod signatures;
pub mod stats;
pub mod table;
pub mod time;
pub mod timelines;
pub mod trends;
mod trust;
pub mod uploads;
pub mod users;
pub mod visitor;
pub mod webhooks;
mod words;
pub mod worker;

pub use app::App;
pub use error::{Error, Result};
