//! Tallies: where the likes of a post are counted that very many like at once. Transactions change a row some 40 times a
//! second, however many likes each has; so those of such a post each change one of 16 rows, and [`add_up()`] brings the sum
//! to the post.
//!
//! Tallies belong to the number that the post's `likesSeq` will have once they are added up. An engagement stores that
//! number at once, so a reader knows that the post's count does not include the like yet. Whoever adds up closes the tallies
//! first: a settlement that comes later is refused, and begins again with those of the next number.
//!
//! [`add_up()`]: super::add_up::add_up

use platform::{
    App, Result,
    error::Error,
    table::{Attempt, Key, Row, Write},
    time::{HOUR_SECONDS, Time},
};
use serde::{Deserialize, Serialize};

use super::row::number_of;
use crate::{
    ids::{EventId, Position, PostId, UserId},
    notifications::NotificationEvent,
    posts::partition,
};

/// How many tallies are open at once. It stays as it is: whoever knows fewer would leave out what the others hold.
pub(super) const TALLIES: u8 = 16;
/// A tally that was closed is kept for longer than any message: whoever closed it may have ended before the sum was written.
const KEPT_SECONDS: i64 = 30 * 24 * HOUR_SECONDS;

/// That the likes of a post are counted in tallies.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Tallied {
    /// The number of the settlement that added up last, or began with tallies.
    pub(super) after: i64,
    /// When it did.
    pub(super) at: Time,
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
    pub(super) fn seq(self) -> i64 {
        self.after + 1
    }
}

/// Returns which tally a settlement adds to. Those of one batch, whose positions mostly follow each other, seldom meet.
pub(super) fn part_of(at: Position) -> u8 {
    (number_of(at) % u128::from(TALLIES)) as u8
}

/// Returns the write that adds likes to a tally: stale when it was closed. Costs 2 WRU in a transaction.
pub(super) fn add_write(tally: (PostId, i64, u8), change: i64, settled: usize) -> Write {
    tally_write(tally).lacks("closed").add("change", change).add("settled", settled as i64)
}

/// Adds that the post's author hears of some of them by an event, which has a row.
pub(super) fn heard(write: Write, event: &NotificationEvent) -> Write {
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
