//! How much there is of what: counted where it changes, in the same transaction.
//!
//! The counts are spread over rows by the id of what is counted, so that no row is written by
//! everybody, and a reader adds them up.

use platform::{
    App, Result,
    table::{Key, Row, Write},
    time::Time,
};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

/// Rows that the counts are spread over. Raising it later is safe.
const SHARDS: u128 = 16;

/// Something that is counted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Count {
    /// Accounts.
    Users,
    /// Accounts that are banned.
    Banned,
    /// Accounts that are locked.
    Locked,
    /// Posts, quotes and reposts that exist. Posts are counted by the worker of the search index.
    Posts,
    /// Replies that exist.
    Replies,
    /// Reports that no administrator has decided.
    ReportsPending,
}

impl Count {
    fn attribute(self) -> &'static str {
        match self {
            Self::Users => "users",
            Self::Banned => "banned",
            Self::Locked => "locked",
            Self::Posts => "posts",
            Self::Replies => "replies",
            Self::ReportsPending => "reportsPending",
        }
    }
}

/// A step that counts, for the transaction that makes it true: 2 WRU. `random` are the random bits
/// of the id of what is counted.
pub fn count(random: u128, what: Count, by: i64) -> Write {
    Write::update(key(random % SHARDS)).add(what.attribute(), by)
}

/// A step that counts several changes of one thing; none where nothing changes.
pub fn count_all(random: u128, changes: impl IntoIterator<Item = (Count, i64)>) -> Option<Write> {
    changes.into_iter().fold(None, |step, (what, by)| {
        let step = step.unwrap_or_else(|| Write::update(key(random % SHARDS)));
        Some(step.add(what.attribute(), by))
    })
}

/// How much there is.
#[derive(Clone, Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct Stats {
    /// Accounts.
    pub users: i64,
    /// Accounts that are neither banned nor locked.
    pub active_users: i64,
    /// Accounts that are banned.
    pub banned_users: i64,
    /// Posts, quotes and reposts that exist.
    pub posts: i64,
    /// Replies that exist.
    pub replies: i64,
    /// Reports that no administrator has decided.
    pub reports_pending: i64,
    /// When they were added up.
    pub generated_at: Time,
}

/// Adds the counts up. 1 call, 8 RRU. While proposed features are off, nothing is read and all are 0.
///
/// # Errors
/// Internal only.
pub async fn read(app: &App) -> Result<Stats> {
    let keys: Vec<_> = (0..SHARDS).map(key).collect();
    let rows: Vec<Shard> = match *app.settings.proposed_features {
        true => app.table.batch_get_eventual(&keys).await?,
        false => Vec::new(),
    };
    let sum = |count: fn(&Shard) -> i64| rows.iter().map(count).sum::<i64>();
    let (users, banned) = (sum(|it| it.users), sum(|it| it.banned));
    Ok(Stats {
        users,
        active_users: users - banned - sum(|it| it.locked),
        banned_users: banned,
        posts: sum(|it| it.posts),
        replies: sum(|it| it.replies),
        reports_pending: sum(|it| it.reports_pending),
        generated_at: app.now(),
    })
}

#[derive(Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
struct Shard {
    pk: String,
    #[serde(default)]
    users: i64,
    #[serde(default)]
    banned: i64,
    #[serde(default)]
    locked: i64,
    #[serde(default)]
    posts: i64,
    #[serde(default)]
    replies: i64,
    #[serde(default)]
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
