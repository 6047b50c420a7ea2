//! What the network promises, one file a noun.

#![expect(
    clippy::expect_used,
    clippy::panic,
    clippy::unwrap_used,
    reason = "what is not there fails the test, and that is the point"
)]

mod admin;
mod auth;
mod blocks;
mod budgets;
mod circles;
mod compression;
mod console;
mod cursors;
mod deletion;
mod docs;
mod dollars;
mod envelope;
mod feeds;
mod friends;
mod front;
mod hashtags;
mod hot_rows;
mod kept;
mod likes;
mod limits;
mod logs;
mod matrix;
mod messages;
mod moderation;
mod museum;
mod mutes;
mod notifications;
mod outbox;
mod panics;
mod parsers;
mod people;
mod posts;
mod production;
mod quests;
mod realtime;
mod recounts;
mod release;
mod reports;
mod rights;
mod routes;
mod samples;
mod scale;
mod search;
mod security;
mod stack;
mod start;
mod streams;
mod ties;
mod timeline;
mod toggles;
mod torture;
mod uploads;
mod wire;
mod workers;
