//! Tests over HTTP: each test has its own stack, clock and fault injection.
//!
//! Start at [`World`]. [`World::person`] creates users, and their requests return an [`Answer`].

#![expect(clippy::expect_used, clippy::panic, reason = "a test fails with a panic")]

mod answer;
mod authority;
mod budget;
mod builder;
mod client;
mod deployed;
mod page_server;
mod passkey_device;
mod person;
mod post;
mod push_service;
mod release;
mod server;
mod templates;
mod uses;
mod world;

pub use answer::Answer;
pub use authority::Authority;
pub use budget::{check as check_budget, check_cost};
pub use builder::{Builder, Settings};
pub use client::{Client, send};
pub use local::keys::Budget;
pub use page_server::PageServer;
pub use passkey_device::PasskeyDevice;
pub use person::{Person, claims};
pub use post::Post;
pub use push_service::{Browser, PushService, Pushed};
pub use release::Release;
pub use server::serve;
pub use wire::{Cost, Fault, Faults};
pub use world::{TestStack, World};

/// The password of all test users.
pub const PASSWORD: &str = "correct horse battery";
