//! The rows of a poll, which store its counts, votes and voters.

use base::{Due, Position, PostId, UserId, packed};
use platform::{HOUR_SECONDS, Index, Key, Row, Time, Write};
use serde::{Deserialize, Serialize};
use ulid::Ulid;

use crate::{Post, partition};

/// The prefix of a vote's sort key.
pub const VOTE_PREFIX: &str = "VOTE#";
/// The prefix of the sort key of a row of voters.
pub(super) const VOTERS_PREFIX: &str = "VOTERS#";
/// The attributes with the counts of the options, in order.
pub(crate) const COUNTS: [&str; 4] = ["votes0", "votes1", "votes2", "votes3"];
/// Delay between the end of a poll and its notifications, so that the last votes are applied first.
const NOTIFY_DELAY_SECONDS: i64 = 30;
/// After the end of a poll, the rows of voters are kept for this time. Voters are notified within this time.
const VOTERS_KEPT_SECONDS: i64 = 24 * HOUR_SECONDS;

/// The counts of a poll.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Poll {
    /// The post of the poll.
    pub post: PostId,
    /// The end of the poll.
    pub ends_at: Time,
    /// Whether the job that notifies the voters of the poll's end was sent.
    pub notified: bool,
    /// The counted votes for the first option.
    pub votes0: i64,
    /// The counted votes for the second option.
    pub votes1: i64,
    /// The counted votes for the third option.
    pub votes2: i64,
    /// The counted votes for the fourth option.
    pub votes3: i64,
    /// The number of users whose votes are counted.
    pub voters: i64,
    /// The number of batches that changed the counts. Comparing this number with a vote's `seq` shows whether the
    /// counts include the vote.
    pub seq: i64,
}

/// A vote of a user.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Vote {
    /// The voter.
    pub user: UserId,
    /// The post of the poll.
    pub post: PostId,
    /// Indexes of the chosen options. Empty after the vote was removed.
    pub chosen: Vec<u8>,
    /// Indexes of the options whose counts include the vote.
    pub counted_as: Vec<u8>,
    /// The value of the poll's `seq` when a batch last counted the vote.
    pub seq: i64,
    /// Time since which the vote waits to be counted, or `None`.
    pub uncounted_since: Option<Time>,
}

/// The users whose votes one batch counted.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(super) struct Voters {
    pub(super) post: PostId,
    pub(super) at: Position,
    #[serde(with = "packed")]
    pub(super) users: Vec<UserId>,
    pub(super) expires: Time,
}

impl Poll {
    /// Returns the counted votes of an option.
    pub fn votes(&self, option: usize) -> i64 {
        [self.votes0, self.votes1, self.votes2, self.votes3].get(option).copied().unwrap_or_default()
    }

    pub(super) fn new(post: PostId, ends_at: Time) -> Self {
        let (votes0, votes1, votes2, votes3) = (0, 0, 0, 0);
        Self { post, ends_at, notified: false, votes0, votes1, votes2, votes3, voters: 0, seq: 0 }
    }

    pub(super) fn voters_expire(&self) -> Time {
        self.ends_at.plus_seconds(VOTERS_KEPT_SECONDS)
    }
}

/// Returns the write that creates the counts of a new post's poll, or `None` if the post has no poll.
pub fn open_write(post: &Post) -> Option<Write> {
    let ends_at = post.poll.as_ref()?.ends_at;
    Some(Write::create(&Poll::new(post.id, ends_at)))
}

/// Returns the key of the poll's counts.
pub fn poll_key(post: PostId) -> Key {
    Key::new(partition(post), "POLL")
}

pub(super) fn vote_key(user: UserId, post: PostId) -> Key {
    Key::new(user.partition(), format!("{VOTE_PREFIX}{post}"))
}

/// `POST#id / POLL`. Until voters are notified of the end, gsi3 `DUE#POLL#shard / time#id`
impl Row for Poll {
    fn key(&self) -> Key {
        poll_key(self.post)
    }

    fn indexes(&self) -> Vec<(Index, Key)> {
        let at = self.ends_at.plus_seconds(NOTIFY_DELAY_SECONDS);
        let due = || (Index::Gsi3, Due::Poll.index_key(Ulid::from(self.post), at));
        (!self.notified).then(due).into_iter().collect()
    }
}

/// `USER#user / VOTE#post`
impl Row for Vote {
    fn key(&self) -> Key {
        vote_key(self.user, self.post)
    }
}

/// `POST#id / VOTERS#position`, expires a day after the poll's end
impl Row for Voters {
    fn key(&self) -> Key {
        Key::new(partition(self.post), format!("{VOTERS_PREFIX}{}", self.at))
    }

    fn expires(&self) -> Option<Time> {
        Some(self.expires)
    }
}
