//! Generates the file of a release for `make release-fixture`. Two simulated days leave rows of every kind, and a
//! message in each queue.

mod circles;
mod first_day;
mod posts;
pub(super) mod rules;
pub(super) mod talks;
mod ties;
mod undone;

use std::collections::BTreeMap;

use serde_json::Value;
use tests::{Person, Post, Release, World};

use super::{NAME, Past, SETTINGS};
use crate::circles::{Circle, critic::Critic};

#[tokio::test]
#[ignore = "writes the file of a release: make release-fixture"]
async fn a_release_saves_its_ids_for_later_releases() {
    let mut past = Past::begins().await;
    first_day::run(&mut past).await;
    ties::run(&mut past).await;
    posts::run(&mut past).await;
    talks::run(&mut past).await;
    rules::run(&mut past).await;
    circles::run(&mut past).await;
    ties::a_user_leaves(&past).await;
    past.world.settle().await;
    talks::notifications_are_read(&mut past).await;
    undone::run(&mut past).await;
    Release::of(&past.world, past.known).await.write(NAME);
}

impl Past {
    /// Starts an empty world.
    async fn begins() -> Self {
        let critic = Critic::new().await;
        let settings = [&SETTINGS[..], &critic.settings()].concat();
        let world = World::builder().without_ticks().settings(&settings).start().await;
        Self { world, known: BTreeMap::new() }
    }

    fn saves(&mut self, name: &str, what: impl Into<Value>) {
        assert!(self.known.insert(name.to_owned(), what.into()).is_none(), "the name {name} is used twice");
    }

    fn saves_person(&mut self, person: &Person) {
        self.known.insert(person.name.clone(), person.tokens());
    }

    fn saves_circle(&mut self, name: &str, circle: Circle) -> Circle {
        self.saves(name, circle.id.as_str());
        circle
    }

    /// Stores the ID of the post under a name. Then advances the clock, so that the next post is newer.
    async fn wrote(&mut self, name: &str, post: Post) -> Post {
        self.saves(name, post.id.as_str());
        self.world.advance(1).await;
        post
    }
}
