//! Compares counters with the rows that they count, for operators after an incident.
//!
//! The table is read page by page while users write, so a counter that differs may still be correct. A difference that
//! a second read confirms is called a drift. Only then is the counter corrected.

use std::collections::{BTreeMap, HashSet};

use base::{PostId, UserId};
use people::users;
use platform::{App, Key, Result, Write, table::Next};
use posts::{Counter, PostType, engagements, polls};
use serde::Deserialize;

/// The sort key of a post.
const POST: &str = "POST";
/// The sort key of a poll's counts.
const POLL: &str = "POLL";
/// The attributes of a poll that count the votes for each option, and the voters.
const POLL_COUNTS: [&str; 5] = ["votes0", "votes1", "votes2", "votes3", VOTERS];
const VOTERS: &str = "voters";
/// The sort key of a user.
const PROFILE: &str = "PROFILE";

/// A counter that differs from the number of rows that it counts.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Drift {
    pk: String,
    sk: &'static str,
    /// The counter's attribute.
    pub counter: &'static str,
    /// The value of the counter.
    pub stored: i64,
    /// The number of rows that the counter should count.
    pub actual: i64,
}

impl Drift {
    /// Returns the partition key of the counter's row: `POST#id` or `USER#id`.
    pub fn owner(&self) -> &str {
        &self.pk
    }
}

/// The counters of all or some posts and users, and for each counter the actual number of rows.
#[derive(Default)]
pub struct Recount {
    only: HashSet<String>,
    stored: BTreeMap<(String, &'static str), i64>,
    actual: BTreeMap<(String, &'static str), i64>,
}

impl Recount {
    /// Returns an empty recount of the posts and users in `ids`. If `ids` is empty, all posts and users are recounted.
    pub fn of(ids: impl IntoIterator<Item = String>) -> Self {
        Self { only: ids.into_iter().collect(), ..Self::default() }
    }

    /// Reads a page of the table. Returns the page's number of rows, and the cursor of the next page.
    pub async fn read(&mut self, app: &App, from: Option<Next>) -> Result<(usize, Option<Next>)> {
        let (rows, next) = app.table.scan::<AnyRow>(from).await?;
        rows.iter().for_each(|row| self.add(row));
        Ok((rows.len(), next))
    }

    /// Returns the counters that differ from the actual number of rows. Call this method after all pages were read.
    pub fn drifts(&self) -> Vec<Drift> {
        let drift = |((pk, counter), stored): (&(String, &'static str), &i64)| {
            let actual = self.actual.get(&(pk.clone(), *counter)).copied().unwrap_or_default();
            let sk = match pk.starts_with(POST) {
                true if POLL_COUNTS.contains(counter) => POLL,
                true => POST,
                false => PROFILE,
            };
            (actual != *stored).then(|| Drift { pk: pk.clone(), sk, counter, stored: *stored, actual })
        };
        self.stored.iter().filter_map(drift).collect()
    }

    fn add(&mut self, row: &AnyRow) {
        match row.sk.as_str() {
            POST => self.add_post(row),
            PROFILE => {
                self.add_stored(&row.pk, "followersCount", row.followers_count);
                self.add_stored(&row.pk, "followingCount", row.following_count);
            }
            POLL => self.add_poll(row),
            sk if sk.starts_with(polls::VOTE_PREFIX) => self.add_vote(row),
            sk if sk.starts_with(engagements::SK_PREFIX) && row.counted => {
                self.add_actual(row.post.map(posts::key), Counter::Likes.attribute())
            }
            sk if sk.starts_with("FOLLOW#") && row.is_following => {
                self.add_actual(row.follower_id.map(users::key), "followingCount");
                self.add_actual(row.following_id.map(users::key), "followersCount");
            }
            _ => {}
        }
    }

    fn add_post(&mut self, row: &AnyRow) {
        self.add_stored(&row.pk, Counter::Likes.attribute(), row.likes_count);
        self.add_stored(&row.pk, Counter::Replies.attribute(), row.replies_count);
        self.add_stored(&row.pk, Counter::Reposts.attribute(), row.reposts_count);
        self.add_stored(&row.pk, Counter::Quotes.attribute(), row.quotes_count);
        let (target, counter) = match row.kind {
            Some(PostType::Reply) => (row.parent, Counter::Replies),
            Some(PostType::Repost) => (row.origin, Counter::Reposts),
            Some(PostType::Quote) => (row.origin, Counter::Quotes),
            Some(PostType::Post) | None => return,
        };
        if !row.is_deleted {
            self.add_actual(target.map(posts::key), counter.attribute());
        }
    }

    fn add_poll(&mut self, row: &AnyRow) {
        let counts = [row.votes0, row.votes1, row.votes2, row.votes3, row.voters];
        for (counter, stored) in POLL_COUNTS.into_iter().zip(counts) {
            self.add_stored(&row.pk, counter, stored);
        }
    }

    fn add_vote(&mut self, row: &AnyRow) {
        let options = row.counted_as.iter().filter_map(|option| POLL_COUNTS.get(usize::from(*option)));
        let voter = (!row.counted_as.is_empty()).then_some(&VOTERS);
        options.chain(voter).for_each(|counter| self.add_actual(row.post.map(polls::poll_key), counter));
    }

    fn add_stored(&mut self, pk: &str, counter: &'static str, stored: i64) {
        let id = pk.rsplit('#').next().unwrap_or_default();
        if self.only.is_empty() || self.only.contains(id) {
            self.stored.insert((pk.to_owned(), counter), stored);
        }
    }

    fn add_actual(&mut self, owner: Option<Key>, counter: &'static str) {
        if let Some(owner) = owner {
            *self.actual.entry((owner.pk, counter)).or_default() += 1;
        }
    }
}

/// Sets a counter to the actual number of rows, unless the counter changed meanwhile. Returns whether the counter was
/// set.
pub async fn fix_drift(app: &App, drift: &Drift) -> Result<bool> {
    let Drift { pk, sk, counter, stored, actual } = drift;
    let write = Write::update(Key::new(pk, *sk)).set(counter, actual).equals(counter, stored);
    app.table.try_write(write).await
}

/// The attributes of a row that contain a counter or affect a counter.
#[derive(Default, Deserialize)]
#[serde(default, rename_all = "camelCase")]
struct AnyRow {
    pk: String,
    sk: String,
    #[serde(rename = "type")]
    kind: Option<PostType>,
    post: Option<PostId>,
    parent: Option<PostId>,
    origin: Option<PostId>,
    follower_id: Option<UserId>,
    following_id: Option<UserId>,
    counted: bool,
    is_deleted: bool,
    is_following: bool,
    likes_count: i64,
    replies_count: i64,
    reposts_count: i64,
    quotes_count: i64,
    followers_count: i64,
    following_count: i64,
    counted_as: Vec<u8>,
    votes0: i64,
    votes1: i64,
    votes2: i64,
    votes3: i64,
    voters: i64,
}
