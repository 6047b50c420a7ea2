//! The network as users see it: a stack for each test, over HTTP, with a clock and faults that the test controls.
//!
//! Start at [`World`]; people come from [`World::person`]; what they get back is an [`Answer`].

#![expect(clippy::expect_used, clippy::panic, reason = "a test that cannot go on says why and ends")]

mod answer;
mod authority;
mod budget;
mod builder;
mod client;
mod deployed;
mod elsewhere;
mod page_server;
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
pub use person::Person;
pub use post::Post;
pub use push_service::{Browser, PushService, Pushed};
pub use release::Release;
pub use server::serve;
pub use wire::{Cost, Fault, Faults};
pub use world::{TestStack, World};

/// The password of everybody.
pub const PASSWORD: &str = "correct horse battery";
