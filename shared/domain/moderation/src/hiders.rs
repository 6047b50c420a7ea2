//! Counts how many posts each user hid in a month, so that administrators see who hides most.

use base::UserId;
use futures::future::try_join_all;
use people::{UserCard, users};
use platform::{App, HOUR_SECONDS, Index, Key, Query, Result, Row, Time, Write};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use crate::month::Month;

/// The index has four partitions per month, so that concurrent requests do not contend for one partition.
const SHARDS: u128 = 4;
const HIDERS_MAX: usize = 10;
/// Time for which a count is kept after the user's first request in the month.
const KEPT_SECONDS: i64 = 92 * 24 * HOUR_SECONDS;

/// The number of posts that a user hid in a month.
#[derive(Clone, Debug, Serialize, Deserialize)]
struct Hides {
    user: UserId,
    month: Month,
    count: i64,
    since: Time,
}

/// A user who hid posts of other users.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub struct Hider {
    /// The user who hid the posts.
    pub user: UserCard,
    /// The number of posts that the user hid in the month. Posts that were shown again count, too.
    pub hides: i64,
}

/// Returns the write that counts a post hidden by `user`. The write fails with a conflict if a concurrent request counted
/// a post first.
pub(crate) async fn count_write(app: &App, user: UserId) -> Result<Write> {
    let (now, month) = (app.now(), Month::of(app.now()));
    let key = key(user, &month);
    // Most users have no such row, and `get_eventual` reads twice if a row is missing.
    let found = app.table.batch_get_eventual::<Hides>(&[key]).await?.pop();
    Ok(match found {
        None => Write::create(&Hides { user, month, count: 1, since: now }),
        Some(before) => {
            let after = Hides { count: before.count + 1, ..before.clone() };
            Write::reindex(&after).set("count", after.count).equals("count", before.count)
        }
    })
}

/// Returns the 10 users who hid the most posts in a month, most first. Omits deleted accounts.
pub(crate) async fn most(app: &App, month: &Month) -> Result<Vec<Hider>> {
    let newest = |shard| Query::index(Index::Gsi1, partition(month, shard)).newest_first().limit(HIDERS_MAX);
    let queries: Vec<_> = (0..SHARDS).map(newest).collect();
    let rows = try_join_all(queries.iter().map(|query| app.table.query::<Hides>(query))).await?;
    let mut rows = rows.concat();
    rows.sort_by_key(|row| -row.count);
    rows.truncate(HIDERS_MAX);
    let ids: Vec<_> = rows.iter().map(|row| row.user).collect();
    let mut cards = users::cards(app, &ids).await?;
    let hider = |row: Hides| Some(Hider { user: cards.remove(&row.user)?, hides: row.count });
    Ok(rows.into_iter().filter_map(hider).collect())
}

fn key(user: UserId, month: &Month) -> Key {
    Key::new(user.partition(), format!("HIDES#{month}"))
}

fn partition(month: &Month, shard: u128) -> String {
    format!("HIDERS#{month}#{shard}")
}

/// `USER#u / HIDES#month`, gsi1 `HIDERS#month#shard / count and user`, expires after 3 months
impl Row for Hides {
    fn key(&self) -> Key {
        key(self.user, &self.month)
    }

    fn indexes(&self) -> Vec<(Index, Key)> {
        let position = format!("{:06}#{}", self.count, self.user);
        vec![(Index::Gsi1, Key::new(partition(&self.month, self.user.random() % SHARDS), position))]
    }

    fn expires(&self) -> Option<Time> {
        Some(self.since.plus_seconds(KEPT_SECONDS))
    }
}
