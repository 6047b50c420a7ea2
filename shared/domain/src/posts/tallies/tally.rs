//! The rows, and the number that they wait for.

use platform::{
    App, Result,
    error::Error,
    table::{Attempt, Key, Row, Write},
    time::{HOUR_SECONDS, Time},
};
use serde::{Deserialize, Serialize};

use crate::{
    ids::{EventId, PostId, UserId},
    notifications::NotificationEvent,
    posts::partition,
};

/// How many tallies are open at once. It stays as it is: whoever knows fewer would leave out what the others hold.
pub(in crate::posts) const TALLIES: u8 = 16;
/// A tally that was closed is kept for longer than any message: whoever closed it may have ended before the sum was written.
const KEPT_SECONDS: i64 = 30 * 24 * HOUR_SECONDS;

/// That the likes of a post are counted in tallies.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Tallied {
    /// The number of the settlement that added up last, or began with tallies.
    pub(in crate::posts) after: i64,
    /// When it did.
    pub(in crate::posts) at: Time,
}

/// A part of the sum: of how many likes it is, and how many of them the post's author hears of.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Tally {
    post: PostId,
    seq: i64,
    part: u8,
    /// How many likes it adds to the count, less those that were taken back.
    #[serde(default)]
    pub(super) change: i64,
    /// How many likes were given or taken back.
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
    pub(in crate::posts) fn seq(self) -> i64 {
        self.after + 1
    }
}

/// Returns the write that adds likes to a tally: stale when it was closed. Costs 2 WRU in a transaction.
pub(in crate::posts) fn add_write(tally: (PostId, i64, u8), change: i64, settled: usize) -> Write {
    tally_write(tally).lacks("closed").add("change", change).add("settled", settled as i64)
}

/// Adds that the post's author hears of some of them by an event, which has a row.
pub(in crate::posts) fn heard(write: Write, event: &NotificationEvent) -> Write {
    let write = write.add("heard", event.actors.ids().len() as i64).set_once("since", event.id);
    write.set("lastActorId", event.actors.newest()).set("updatedAt", event.at)
}

/// Closes a tally, and returns what it holds. Repeating changes nothing. Costs 1 call and 1 WRU.
pub(super) async fn close(app: &App, post: PostId, seq: i64, part: u8) -> Result<Tally> {
    let write = tally_write((post, seq, part)).set("closed", true);
    let write = write.set_once("ttl", app.now().plus_seconds(KEPT_SECONDS).seconds());
    match app.table.attempt(write).await? {
        Attempt::Done(tally) | Attempt::Refused(Some(tally)) => Ok(tally),
        Attempt::Refused(None) => Err(Error::internal(anyhow::anyhow!("a tally was not closed"))),
    }
}

fn tally_write((post, seq, part): (PostId, i64, u8)) -> Write {
    Write::update(key(post, seq, part)).set("post", post).set("seq", seq).set("part", part)
}

fn key(post: PostId, seq: i64, part: u8) -> Key {
    Key::new(partition(post), format!("TALLY#{seq}#{part}"))
}

/// `POST#id / TALLY#seq#part`, expires a month after it was closed
impl Row for Tally {
    fn key(&self) -> Key {
        key(self.post, self.seq, self.part)
    }
}
