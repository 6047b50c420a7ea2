//! What a release stored is read, shown and changed by the code as it is now.
//!
//! `tests/release/README.md` says what the files are. Each test opens the same file in a world of its own.

mod accounts;
mod admin;
mod circles;
mod feeds;
mod kinds;
mod messages;
mod museum;
mod notifications;
mod posts;
mod quests;
mod recount;
mod search;
mod story;
mod ties;
mod uploads;

use std::{collections::BTreeMap, sync::LazyLock};

use serde_json::{Value, json};
use tests::{Person, Post, Release, World};
use tokio::sync::OnceCell;

use crate::circles::{Circle, critic::Critic};

/// The release that tests read, and that `make release-fixture` writes.
const NAME: &str = "1";
/// What a release was run with: fixed secrets, for what they sealed is in its table; three followers make popular.
const SETTINGS: [(&str, &str); 4] = [
    ("JWT_SECRET", "the secret of a release, of 32 bytes"),
    ("HLS_SECRET", crate::uploads::SECRET),
    ("FANOUT_MAX_FOLLOWERS", "3"),
    ("FANOUT_PAGE_SIZE", "2"),
];

static LEFT: LazyLock<Release> = LazyLock::new(|| Release::read(NAME));
static SETTLED: OnceCell<Release> = OnceCell::const_new();

/// A network that goes on from where a release left it.
pub(crate) struct Past {
    pub(crate) world: World,
    known: BTreeMap<String, Value>,
}

impl Past {
    /// As it was left: nobody has done anything since, and what the queues hold is still to be done.
    async fn left() -> Self {
        Self::of(&LEFT).await
    }

    /// The same after its workers have done what the queues held: once, for all tests together.
    async fn settled() -> Self {
        let settled = async || {
            let past = Self::left().await;
            past.world.settle().await;
            Release::of(&past.world, past.known).await
        };
        Self::of(SETTLED.get_or_init(settled).await).await
    }

    async fn of(release: &Release) -> Self {
        let critic = Critic::new().await;
        let world = World::builder()
            .release(release)
            .settings(&[&SETTINGS[..], &critic.settings()].concat())
            .start()
            .await;
        // What is new is newer than all that was stored.
        world.advance(1).await;
        Self { world, known: release.known.clone() }
    }

    /// Somebody, with the tokens that the release gave them.
    fn user(&self, name: &str) -> Person {
        Person::of_tokens(&self.world.anyone, name, &self.known[name])
    }

    /// What the release answered or gave to be remembered.
    fn known(&self, name: &str) -> &Value {
        &self.known[name]
    }

    fn id(&self, name: &str) -> &str {
        self.known[name].as_str().unwrap()
    }

    /// The identifiers of several, in this order.
    fn ids<const N: usize>(&self, names: [&str; N]) -> Vec<Value> {
        names.map(|name| self.known[name].clone()).into()
    }

    fn post(&self, name: &str) -> Post {
        Post { id: self.id(name).to_owned(), json: Value::Null }
    }

    fn circle(&self, name: &str) -> Circle {
        Circle { id: self.id(name).to_owned() }
    }

    /// A tick of the schedule that makes notifications of what is pending.
    async fn ticks(&self) {
        self.sends("notification-tick", &json!({})).await;
        self.world.settle().await;
    }

    /// What an instance remembers of feeds is a second old at most.
    async fn lets_memories_fade(&self) {
        self.world.advance(1).await;
    }

    /// Puts a message on a queue.
    async fn sends(&self, queue: &str, body: &Value) {
        let send = self.world.clients().sqs.send_message().queue_url(self.world.stack.queue_url(queue));
        send.message_body(body.to_string()).send().await.unwrap();
    }
}
