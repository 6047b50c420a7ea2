//! How far the marking of an author's follows came: a cursor that its lanes share, and the page that each lane is at.
//!
//! A lane claims a page by moving the cursor behind it and writing down the page, in one transaction. So a page that
//! the cursor has passed is marked, or is on the row of a lane, whoever crashed; and an author is merged only when no
//! such row is left, and the cursor stands where the lane that ended last had found nothing more.
//!
//! The index of followers lags behind the follows. What is not marked was committed before the author became popular,
//! and may come into the index behind the cursor. So when no page is left the lanes look again, from minutes before
//! the author became popular: by then all that was marked meanwhile has gone by, thousands of writes.

use base::ids::{Position, UserId};
use platform::{
    App,
    error::Result,
    retry_stale,
    table::{Key, Query, Row, Write},
    time::Time,
};
use serde::{Deserialize, Serialize};
use ulid::Ulid;

use super::progress;
use people::{
    follows::{self, Follow},
    users,
};

/// Longer than an index lags, a request takes and clocks differ, together.
const LOOKED_AT_AGAIN_SECONDS: i64 = 5 * 60;

/// One of the lanes in which the follows of an author are marked.
#[derive(Clone, Copy, Debug)]
pub(super) struct Lane {
    /// The author.
    pub(super) author: UserId,
    /// Which lane.
    pub(super) number: u8,
}

/// A page of follows, and what a lane has to know of it to claim the next.
#[derive(Default)]
pub(super) struct Page {
    /// What the lane's row says.
    pub(super) claim: Option<Claim>,
    /// The follows; some may be marked.
    pub(super) follows: Vec<Follow>,
}

/// The page that a lane marks: the follows behind `from`, until `to`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Claim {
    pk: String,
    sk: String,
    #[serde(default)]
    from: Option<Position>,
    to: Position,
}

/// What the lanes share.
#[derive(Debug, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Cursor {
    pk: String,
    sk: String,
    /// Where the last claimed page ends.
    #[serde(default)]
    after: Option<Position>,
    #[serde(default)]
    pass: Pass,
    /// When the author became popular, or a moment later.
    #[serde(default)]
    since: Option<Time>,
    /// When a lane came so far; none when no message does the rest.
    #[serde(default)]
    moved_at: Option<Time>,
}

/// How often all follows have been looked at.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
enum Pass {
    /// Each is looked at for the first time.
    #[default]
    First,
    /// The newest are looked at again.
    Second,
    /// The author is merged.
    Over,
}

impl Lane {
    /// Returns the page that a message before this one was at: it may have marked all of it, or have crashed. Costs 2
    /// calls, 1 RRU and 0.5 for each 4 KB of follows; 1 call and 1 RRU for the lane's first message.
    pub(super) async fn last_page(self, app: &App) -> Result<Page> {
        let Some(claim) = app.table.get::<Claim>(&self.key()).await? else { return Ok(Page::default()) };
        let follows = follows::between(app, self.author, claim.from, claim.to).await?;
        Ok(Page { claim: Some(claim), follows })
    }

    /// Returns the page that the lane has to mark after the page `done`; none when it has nothing more to do. The
    /// last lane that has nothing more makes the author merged. Costs 4 calls, 2 RRU and 0.5 for each 4 KB of follows,
    /// and 4 WRU; at the end 3 calls more, 1 RRU and 7 WRU.
    ///
    /// # Errors
    /// Fails when other lanes were faster eight times.
    pub(super) async fn next_page(self, app: &App, done: Option<&Claim>) -> Result<Option<Page>> {
        retry_stale(async || match app.table.get::<Claim>(&self.key()).await?.as_ref() == done {
            true => self.claim(app, done).await,
            // The lane's message came twice, and the other one goes on.
            false => Ok(None),
        })
        .await
    }

    async fn claim(self, app: &App, done: Option<&Claim>) -> Result<Option<Page>> {
        let Some(cursor) = Cursor::open(app, self.author).await? else { return Ok(None) };
        let page_size = *app.settings.fanout_page_size;
        let follows = follows::oldest_of(app, self.author, cursor.after, page_size).await?;
        match follows.last().map(|it| it.position) {
            Some(last) if follows.len() == page_size || follows.iter().any(|it| !it.merges) => {
                let claim = self.claim_of(cursor.after, last);
                let claim_write = claim.write_after(done);
                app.table
                    .transact(vec![cursor.move_write(app, Some(last), cursor.pass), claim_write])
                    .await?;
                Ok(Some(Page { claim: Some(claim), follows }))
            }
            // Nobody who follows from now on is unmarked.
            _ if cursor.pass == Pass::First => {
                app.table.write(cursor.look_again_write(app)).await?;
                Ok(Some(Page { claim: done.cloned(), follows: Vec::new() }))
            }
            _ => self.end(app, &cursor, done).await.map(|()| None),
        }
    }

    /// Ends the lane, and with the last one the marking.
    async fn end(self, app: &App, cursor: &Cursor, done: Option<&Claim>) -> Result<()> {
        if let Some(done) = done {
            app.table.try_write(done.unchanged(Write::delete(done.key()))).await?;
        }
        let lanes = Query::partition(self.author.partition()).prefix("GATHER#").consistent();
        if !app.table.query::<Claim>(&lanes).await?.is_empty() {
            return Ok(());
        }
        let merged = Write::update(users::key(self.author)).set("isMerged", true).exists();
        let over = cursor.move_write(app, cursor.after, Pass::Over);
        // A refusal means that another lane has claimed a page since, or has come here first.
        app.table.try_transact(vec![merged, over]).await.map(drop)
    }

    fn claim_of(self, from: Option<Position>, to: Position) -> Claim {
        let Key { pk, sk } = self.key();
        Claim { pk, sk, from, to }
    }

    fn key(self) -> Key {
        Key::new(self.author.partition(), format!("GATHER#{}", self.number))
    }
}

impl Claim {
    /// Returns the write of the claim. It is stale unless the lane's row says `done`.
    fn write_after(&self, done: Option<&Self>) -> Write {
        match done {
            Some(done) => done.unchanged(Write::put(self)),
            None => Write::create(self),
        }
    }

    fn unchanged<K>(&self, write: Write<K>) -> Write<K> {
        write.equals("to", self.to).is_still("from", self.from)
    }
}

impl Cursor {
    /// Returns the write that begins a marking, or has one begin again that stands still; none while one goes on.
    /// It is stale when another has begun one. Costs 1 call and 1 RRU.
    pub(super) async fn begin_write(app: &App, author: UserId) -> Result<Option<Write>> {
        let found = app.table.get::<Self>(&key(author)).await?;
        let moved_at = found.and_then(|it| it.moved_at);
        let begin = || touch(app, Write::update(key(author))).is_still("movedAt", moved_at);
        Ok((!progress::goes_on(app, moved_at)).then(begin))
    }

    /// Says that no message does the rest, so that the author's next post or follower begins the marking again. Costs 1 call and
    /// 1 WRU.
    pub(super) async fn stall(app: &App, author: UserId) -> Result<()> {
        app.table.write(Write::update(key(author)).remove("movedAt")).await
    }

    /// Returns the cursor of an author who is not merged.
    async fn open(app: &App, author: UserId) -> Result<Option<Self>> {
        let Key { pk, sk } = key(author);
        if let Some(found) = app.table.get::<Self>(&key(author)).await? {
            return Ok(Some(found).filter(|it| it.pass != Pass::Over));
        }
        // No marking began, or a late message comes after its cursor was swept.
        let is_merged = users::find(app, author).await?.is_some_and(|it| it.is_merged);
        let start = Self { pk, sk, after: None, pass: Pass::First, since: None, moved_at: None };
        Ok((!is_merged).then_some(start))
    }

    fn look_again_write(&self, app: &App) -> Write {
        let since = self.since.unwrap_or(app.now()).plus_seconds(-LOOKED_AT_AGAIN_SECONDS);
        let start = Position::from(Ulid::from_parts(since.millis().max(0).cast_unsigned(), 0));
        self.move_write(app, self.after.min(Some(start)), Pass::Second)
    }

    /// Returns the write that moves the cursor. It is stale when another lane has moved it.
    fn move_write(&self, app: &App, after: Option<Position>, pass: Pass) -> Write {
        let write = touch(app, Write::update(self.key()));
        let write = write.set_or_remove("after", after).set("pass", pass).is_still("after", self.after);
        match self.pass {
            Pass::First => write.equals_or_lacks("pass", Pass::First),
            later => write.equals("pass", later),
        }
    }
}

fn touch(app: &App, write: Write) -> Write {
    let (now, expires) = (app.now(), app.now().plus_seconds(progress::KEPT_SECONDS));
    write.set_once("since", now).set("movedAt", now).set("ttl", expires.seconds())
}

fn key(author: UserId) -> Key {
    Key::new(author.partition(), "GATHER")
}

/// `USER#author / GATHER#lane`, until the lane has ended: the only trace of a page that the cursor has passed
impl Row for Claim {
    fn key(&self) -> Key {
        Key::new(&self.pk, &self.sk)
    }
}

/// `USER#author / GATHER`, swept after a day without a claim: then a marking begins at the first follow
impl Row for Cursor {
    fn key(&self) -> Key {
        Key::new(&self.pk, &self.sk)
    }
}
