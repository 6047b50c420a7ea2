//! Compatibility: the current code reads and changes the data of an earlier release.
//!
//! `tests/release/README.md` describes the files. Each test loads the same file into its own world.

mod accounts;
mod admin;
mod circles;
mod feeds;
mod identity;
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

use crate::{
    circles::{Circle, critic::Critic},
    workers::put,
};

/// Name of the stored release: tests read the file, and `make release-fixture` writes it.
const NAME: &str = "1";
/// Settings of the release. The secrets must not change, because they signed or encrypted the stored data.
const SETTINGS: [(&str, &str); 4] = [
    ("JWT_SECRET", "the secret of a release, of 32 bytes"),
    ("HLS_SECRET", crate::uploads::SECRET),
    ("FANOUT_MAX_FOLLOWERS", "3"),
    ("FANOUT_PAGE_SIZE", "2"),
];

static STORED: LazyLock<Release> = LazyLock::new(|| Release::read(NAME));
static SETTLED: OnceCell<Release> = OnceCell::const_new();

/// A world with the stored data of a release.
pub(crate) struct Past {
    pub(crate) world: World,
    known: BTreeMap<String, Value>,
}

impl Past {
    /// Returns a world with the stored rows, whose queued messages are not delivered yet.
    async fn stored() -> Self {
        Self::of(&STORED).await
    }

    /// Returns a world after the delivery of the queued messages. The tests share one delivery.
    async fn settled() -> Self {
        let settled = async || {
            let past = Self::stored().await;
            past.world.settle().await;
            Release::of(&past.world, past.known).await
        };
        Self::of(SETTLED.get_or_init(settled).await).await
    }

    async fn of(release: &Release) -> Self {
        let critic = Critic::new().await;
        let settings = [&SETTINGS[..], &critic.settings()].concat();
        let world = World::builder().release(release).settings(&settings).start().await;
        // Advances the clock, because new rows must be newer than the stored rows.
        world.advance(1).await;
        Self { world, known: release.known.clone() }
    }

    /// Returns a user of the release, signed in with stored tokens.
    fn user(&self, name: &str) -> Person {
        Person::of_tokens(&self.world.anyone, name, &self.known[name])
    }

    /// Returns the value that the release stored under a name.
    fn known(&self, name: &str) -> &Value {
        &self.known[name]
    }

    fn id(&self, name: &str) -> &str {
        self.known[name].as_str().unwrap()
    }

    /// Returns the IDs that the release stored under these names.
    fn ids<const N: usize>(&self, names: [&str; N]) -> Vec<Value> {
        names.map(|name| self.known[name].clone()).into()
    }

    fn post(&self, name: &str) -> Post {
        Post { id: self.id(name).to_owned(), json: Value::Null }
    }

    fn circle(&self, name: &str) -> Circle {
        Circle { id: self.id(name).to_owned() }
    }

    /// Runs a notification tick, which flushes pending events.
    async fn ticks(&self) {
        self.sends("notification-tick", &json!({})).await;
        self.world.settle().await;
    }

    /// Advances the clock by a second, so that cached feeds expire.
    async fn expire_caches(&self) {
        self.world.advance(1).await;
    }

    /// Sends a message to a queue.
    async fn sends(&self, queue: &str, body: &Value) {
        put(&self.world, queue, &body.to_string()).await;
    }
}
