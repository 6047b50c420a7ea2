//! The life that a release has stored: two days, at the end of which all kinds of rows are there and each queue
//! has something left to do. `make release-fixture` lives it and writes the file.

mod circles;
mod first_day;
mod posts;
pub(super) mod rules;
pub(super) mod talks;
mod ties;
mod undone;

use serde_json::Value;
use tests::{Person, Post, Release, World};

use super::{NAME, Past, SETTINGS};
use crate::circles::{Circle, critic::Critic};

#[tokio::test]
#[ignore = "writes a release's file: make release-fixture"]
async fn a_release_writes_its_file() {
    let mut past = Past::begins().await;
    first_day::happens(&mut past).await;
    ties::happen(&mut past).await;
    posts::happen(&mut past).await;
    talks::happen(&mut past).await;
    rules::happen(&mut past).await;
    circles::happen(&mut past).await;
    ties::somebody_leaves(&past).await;
    past.world.settle().await;
    talks::are_heard_of(&mut past).await;
    undone::happens(&mut past).await;
    Release::of(&past.world, past.known).await.write(NAME);
}

impl Past {
    /// Before anything has happened.
    async fn begins() -> Self {
        let critic = Critic::new().await;
        let world = World::builder()
            .without_ticks()
            .settings(&[&SETTINGS[..], &critic.settings()].concat())
            .start()
            .await;
        Self { world, known: Default::default() }
    }

    fn knows(&mut self, name: &str, what: impl Into<Value>) {
        assert!(self.known.insert(name.to_owned(), what.into()).is_none(), "{name} is known");
    }

    fn knows_person(&mut self, person: &Person) {
        self.known.insert(person.name.clone(), person.tokens());
    }

    fn knows_circle(&mut self, name: &str, circle: Circle) -> Circle {
        self.knows(name, circle.id.as_str());
        circle
    }

    /// Remembers a post. A second goes by, so that what is written next is newer.
    async fn wrote(&mut self, name: &str, post: Post) -> Post {
        self.knows(name, post.id.as_str());
        self.world.advance(1).await;
        post
    }
}
