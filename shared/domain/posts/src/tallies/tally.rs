//! The rows, and the number that they wait for.

use base::ids::{EventId, PostId, UserId};
use notifications::NotificationEvent;
use platform::{
    App, Result,
    error::Error,
    table::{Attempt, Key, Row, Write},
    time::{HOUR_SECONDS, Time},
};
use serde::{Deserialize, Serialize};
use strum::VariantArray;

use crate::{Counter, partition};

/// How many tallies of the likes are open at once. It stays as it is: whoever knows fewer would leave out what the others
/// hold.
const TALLIES_OF_LIKES: u8 = 16;
/// The same of another counter: a transaction adds one reply, where it adds 97 likes.
const TALLIES_OF_OTHERS: u8 = 4;
/// A tally that was closed is kept for longer than any message: whoever closed it may have ended before the sum was written.
const KEPT_SECONDS: i64 = 30 * 24 * HOUR_SECONDS;

/// Several times as long as it takes from one sum to the next.
const GOES_ON_SECONDS: i64 = 5;

/// That a post is counted in tallies.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Tallied {
    /// The number of the settlement that added up last, or began with tallies.
    pub(crate) after: i64,
    /// When it did.
    pub(crate) at: Time,
}

/// Which tally it is.
#[derive(Clone, Copy, Debug, Serialize, Deserialize)]
pub(crate) struct TallyId {
    post: PostId,
    /// The number of the settlement that it waits for.
    seq: i64,
    /// What it counts.
    pub(super) counter: Counter,
    part: u8,
}

/// A part of the sum: how many there are of what it counts, and of how many the post's author hears.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Tally {
    #[serde(flatten)]
    pub(super) id: TallyId,
    /// How many it adds to the count, less those that were taken back.
    #[serde(default)]
    pub(super) change: i64,
    /// How many were given or taken back.
    #[serde(default)]
    pub(super) settled: i64,
    /// How many of them the post's author hears of. Their events have rows already, and wait to be counted.
    #[serde(default)]
    pub(super) heard: i64,
    /// The first of these events.
    pub(super) since: Option<EventId>,
    /// Who did the newest of them, and when.
    pub(super) last_actor_id: Option<UserId>,
    pub(super) updated_at: Option<Time>,
}

impl Tallied {
    /// Returns the number of the settlement that its tallies wait for.
    pub(crate) fn seq(self) -> i64 {
        self.after + 1
    }

    /// Returns whether tallies are being added up. Else few like the post by now, and its row has room; or who closed its
    /// tallies has ended.
    pub(crate) fn goes_on(self, now: Time) -> bool {
        now < self.at.plus_seconds(GOES_ON_SECONDS)
    }
}

impl TallyId {
    /// Returns one of the post's open tallies. Those whose numbers follow each other seldom meet.
    pub(crate) fn of(post: PostId, tallied: Tallied, counter: Counter, number: u128) -> Self {
        let part = (number % u128::from(tallies_of(counter))) as u8;
        Self { post, seq: tallied.seq(), counter, part }
    }

    /// Returns all tallies that wait for a settlement of the post.
    pub(super) fn all(post: PostId, seq: i64) -> impl Iterator<Item = Self> {
        let parts = move |counter: &Counter| {
            let counter = *counter;
            (0..tallies_of(counter)).map(move |part| Self { post, seq, counter, part })
        };
        Counter::VARIANTS.iter().flat_map(parts)
    }

    /// Returns the write that adds to the tally: stale when it was closed. Costs 2 WRU in a transaction.
    pub(crate) fn add_write(self, change: i64, settled: usize) -> Write {
        self.write().lacks("closed").add("change", change).add("settled", settled as i64)
    }

    /// Closes the tally, and returns what it holds. Repeating changes nothing. Costs 1 call and 1 WRU.
    pub(super) async fn close(self, app: &App) -> Result<Tally> {
        let write = self.write().set("closed", true);
        let write = write.set_once("ttl", app.now().plus_seconds(KEPT_SECONDS).seconds());
        match app.table.attempt(write).await? {
            Attempt::Done(tally) | Attempt::Refused(Some(tally)) => Ok(tally),
            Attempt::Refused(None) => Err(Error::internal(anyhow::anyhow!("a tally was not closed"))),
        }
    }

    fn write(self) -> Write {
        let Self { post, seq, counter, part } = self;
        Write::update(self.key()).set("post", post).set("seq", seq).set("counter", counter).set("part", part)
    }

    fn key(self) -> Key {
        let Self { post, seq, counter, part } = self;
        Key::new(partition(post), format!("TALLY#{seq}#{}#{part}", counter.as_ref()))
    }
}

fn tallies_of(counter: Counter) -> u8 {
    match counter {
        Counter::Likes => TALLIES_OF_LIKES,
        Counter::Replies | Counter::Quotes | Counter::Reposts => TALLIES_OF_OTHERS,
    }
}

/// Adds that the post's author hears of some of them by an event, which has a row.
pub(crate) fn heard(write: Write, event: &NotificationEvent) -> Write {
    let write = write.add("heard", event.actors.ids().len() as i64).set_once("since", event.id);
    write.set("lastActorId", event.actors.newest()).set("updatedAt", event.at)
}

/// `POST#id / TALLY#seq#counter#part`, expires a month after it was closed
impl Row for Tally {
    fn key(&self) -> Key {
        self.id.key()
    }
}
