//! Counting again: what counters say, beside the rows that they count. A chore for after an accident.
//!
//! The table is read page by page while people go on writing, so what differs may only have moved. It is a
//! drift when a second reading finds the same, and it is mended unless the counter moves at that moment.

use std::collections::{BTreeMap, HashSet};

use platform::{
    App, Result,
    error::Error,
    table::{Key, Next, Write},
};
use serde::Deserialize;

use crate::posts::PostType;

const POST: &str = "POST";
const PROFILE: &str = "PROFILE";

/// A counter that does not say what its rows say.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Drift {
    pk: String,
    sk: &'static str,
    /// Which counter.
    pub counter: &'static str,
    /// What it says.
    pub says: i64,
    /// How many rows there are.
    pub is: i64,
}

impl Drift {
    /// Whose counter it is: `POST#id` or `USER#id`.
    pub fn owner(&self) -> &str {
        &self.pk
    }
}

/// The counters of all posts and users, or of those whose ids are given.
#[derive(Default)]
pub struct Recount {
    only: HashSet<String>,
    says: BTreeMap<(String, &'static str), i64>,
    is: BTreeMap<(String, &'static str), i64>,
}

impl Recount {
    /// Of these ids; of all when there are none.
    pub fn of(ids: impl IntoIterator<Item = String>) -> Self {
        Self { only: ids.into_iter().collect(), ..Self::default() }
    }

    /// Reads the next page. 1 call, 128 RRU at most. How many rows it had, and where to go on.
    ///
    /// # Errors
    /// Internal only.
    pub async fn read(&mut self, app: &App, from: Option<Next>) -> Result<(usize, Option<Next>)> {
        let (rows, next) = app.table.scan::<Any>(from).await?;
        rows.iter().for_each(|it| self.take(it));
        Ok((rows.len(), next))
    }

    /// What differs, now that everything was read.
    pub fn drifts(&self) -> Vec<Drift> {
        let drift = |((pk, counter), says): (&(String, &'static str), &i64)| {
            let is = self.is.get(&(pk.clone(), *counter)).copied().unwrap_or_default();
            let sk = if pk.starts_with(POST) { POST } else { PROFILE };
            (is != *says).then(|| Drift { pk: pk.clone(), sk, counter, says: *says, is })
        };
        self.says.iter().filter_map(drift).collect()
    }

    fn take(&mut self, row: &Any) {
        match row.sk.as_str() {
            POST => self.take_post(row),
            PROFILE => {
                self.note(&row.pk, "followersCount", row.followers_count);
                self.note(&row.pk, "followingCount", row.following_count);
            }
            sk if sk.starts_with("ENGAGED#") && row.counted => {
                self.count("POST", row.post.as_ref(), "likesCount")
            }
            sk if sk.starts_with("FOLLOW#") && row.is_following => {
                self.count("USER", row.follower_id.as_ref(), "followingCount");
                self.count("USER", row.following_id.as_ref(), "followersCount");
            }
            _ => {}
        }
    }

    fn take_post(&mut self, row: &Any) {
        self.note(&row.pk, "likesCount", row.likes_count);
        self.note(&row.pk, "repliesCount", row.replies_count);
        self.note(&row.pk, "repostsCount", row.reposts_count);
        self.note(&row.pk, "quotesCount", row.quotes_count);
        match row.kind {
            _ if row.is_deleted => {}
            Some(PostType::Reply) => self.count(POST, row.parent.as_ref(), "repliesCount"),
            Some(PostType::Repost) => self.count(POST, row.origin.as_ref(), "repostsCount"),
            Some(PostType::Quote) => self.count(POST, row.origin.as_ref(), "quotesCount"),
            Some(PostType::Post) | None => {}
        }
    }

    fn note(&mut self, pk: &str, counter: &'static str, says: i64) {
        let id = pk.rsplit('#').next().unwrap_or_default();
        if self.only.is_empty() || self.only.contains(id) {
            self.says.insert((pk.to_owned(), counter), says);
        }
    }

    fn count(&mut self, kind: &str, id: Option<&String>, counter: &'static str) {
        if let Some(id) = id {
            *self.is.entry((format!("{kind}#{id}"), counter)).or_default() += 1;
        }
    }
}

/// Sets a counter to what is there, unless it moved meanwhile. 1 call, 1 to 4 WRU. Whether it was set.
///
/// # Errors
/// Internal only.
pub async fn mend(app: &App, drift: &Drift) -> Result<bool> {
    let Drift { pk, sk, counter, says, is } = drift;
    let write = Write::update(Key::new(pk, *sk)).set(counter, is).equals(counter, says).or(MOVED);
    match app.table.write(write).await {
        Err(Error::Conflict(_)) => Ok(false),
        done => done.map(|()| true),
    }
}

const MOVED: Error = Error::Conflict("the counter moved meanwhile");

/// What of any row counts or is counted.
#[derive(Default, Deserialize)]
#[serde(default, rename_all = "camelCase")]
struct Any {
    pk: String,
    sk: String,
    #[serde(rename = "type")]
    kind: Option<PostType>,
    post: Option<String>,
    parent: Option<String>,
    origin: Option<String>,
    follower_id: Option<String>,
    following_id: Option<String>,
    counted: bool,
    is_deleted: bool,
    is_following: bool,
    likes_count: i64,
    replies_count: i64,
    reposts_count: i64,
    quotes_count: i64,
    followers_count: i64,
    following_count: i64,
}
