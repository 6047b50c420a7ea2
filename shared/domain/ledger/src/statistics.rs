//! Totals of the service. The transaction that changes a total also updates its counter.
//!
//! The counters are sharded over [`SHARDS`] rows by the ID of the counted item. [`read`] returns the sum of all shards.

use platform::{App, Key, Result, Row, Time, Write};
use serde::{Deserialize, Serialize};
use strum::AsRefStr;
use utoipa::ToSchema;

/// The number of shards, enough for 600 changes per second. The number can be raised later, but not lowered.
const SHARDS: u128 = 64;

/// A counted total. Its name is the attribute that stores the count.
#[derive(Clone, Copy, Debug, PartialEq, Eq, AsRefStr)]
#[strum(serialize_all = "camelCase")]
pub enum Count {
    /// Accounts.
    Users,
    /// Banned accounts.
    Banned,
    /// Locked accounts.
    Locked,
    /// Existing posts, quotes and reposts. The worker of the search index counts the posts.
    Posts,
    /// Existing replies.
    Replies,
    /// Undecided reports.
    ReportsPending,
}

/// Returns the write that changes a total. Run it in the transaction of the change. The random bits of the counted
/// item's ID determine the shard.
pub fn count_write(random: u128, what: Count, by: i64) -> Write {
    Write::update(key(random % SHARDS)).add(what.as_ref(), by)
}

/// Returns one write that changes several totals for one item, or `None` if there are no changes.
pub fn counts_write(random: u128, changes: impl IntoIterator<Item = (Count, i64)>) -> Option<Write> {
    let mut changes = changes.into_iter().peekable();
    changes.peek()?;
    let add = |write: Write, (what, by): (Count, i64)| write.add(what.as_ref(), by);
    Some(changes.fold(Write::update(key(random % SHARDS)), add))
}

/// The totals of the service.
#[derive(Clone, Debug, Serialize, ToSchema)]
#[schema(as = ServiceStatistics)]
#[serde(rename_all = "camelCase")]
pub struct Stats {
    /// Accounts.
    pub users: i64,
    /// Accounts that are neither banned nor locked.
    pub active_users: i64,
    /// Banned accounts.
    pub banned_users: i64,
    /// Existing posts, quotes and reposts.
    pub posts: i64,
    /// Existing replies.
    pub replies: i64,
    /// Undecided reports.
    pub reports_pending: i64,
    /// RFC 3339 time at which the totals were read.
    pub generated_at: Time,
}

/// Returns the totals. All totals are 0 if proposed features are off.
pub async fn read(app: &App) -> Result<Stats> {
    let keys: Vec<_> = (0..SHARDS).map(key).collect();
    let rows: Vec<Shard> = match app.has_proposed_features() {
        true => app.table.batch_get_eventual(&keys).await?,
        false => Vec::new(),
    };
    let sum = |count: fn(&Shard) -> i64| rows.iter().map(count).sum::<i64>();
    let (users, banned) = (sum(|shard| shard.users), sum(|shard| shard.banned));
    Ok(Stats {
        users,
        active_users: users - banned - sum(|shard| shard.locked),
        banned_users: banned,
        posts: sum(|shard| shard.posts),
        replies: sum(|shard| shard.replies),
        reports_pending: sum(|shard| shard.reports_pending),
        generated_at: app.now(),
    })
}

#[derive(Default, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", default)]
struct Shard {
    pk: String,
    users: i64,
    banned: i64,
    locked: i64,
    posts: i64,
    replies: i64,
    reports_pending: i64,
}

fn key(shard: u128) -> Key {
    Key::new(format!("STATS#{shard}"), "COUNTS")
}

/// `STATS#shard / COUNTS`
impl Row for Shard {
    fn key(&self) -> Key {
        Key::new(&self.pk, "COUNTS")
    }
}
