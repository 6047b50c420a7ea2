//! Listing what releases stored that had no list of it: friends, whom one blocks and mutes, quotes, reposts and likers; and
//! for whoever leaves their uploads, reports and requests to join, what mentions and reports them. A chore to be run once
//! after such a release; a repetition finds nothing.

use futures::{StreamExt, stream};
use moderation::reports::{self, Report};
use people::{friendships, relationships};
use platform::{
    App, Result,
    error::Error,
    table::{JsonRow, Next, Write},
};
use posts::{Post, likes, mentioned};
use serde::de::DeserializeOwned;

const AT_ONCE: usize = 16;

/// What of a row is bytes, which JSON has not: who is on a post's open page of likers, and that changes no list.
const BYTES: [&str; 1] = ["likers"];

/// Any row of the table.
struct AnyRow(JsonRow);

/// Lists what the next page of the table has that is in no list and belongs into one. Returns the number of rows that were
/// read, the number of those that were listed, and where the next page begins. A row that changes at that moment is listed
/// by its change, or by a repetition. Costs 1 call and at most 128 RRU; for each row that is listed 1 call and 2 to 5 WRU.
pub async fn relist(app: &App, from: Option<Next>) -> Result<(usize, usize, Option<Next>)> {
    let (rows, next) = app.table.scan(from).await?;
    let read = rows.len();
    let steps = rows.into_iter().flat_map(|it| AnyRow(it).steps());
    let listed = stream::iter(steps).map(|it| list(app, it)).buffer_unordered(AT_ONCE);
    let listed: Vec<_> = listed.collect().await;
    let listed = listed.into_iter().collect::<Result<Vec<_>>>()?;
    Ok((read, listed.into_iter().filter(|it| *it).count(), next))
}

/// Does writes one after the other. Returns whether the row was still as it was read.
async fn list(app: &App, writes: Vec<Write>) -> Result<bool> {
    for write in writes {
        match app.table.write(write).await {
            Err(Error::Stale) => return Ok(false),
            done => done?,
        }
    }
    Ok(true)
}

/// Each write a step of its own: one that is refused keeps no other from being done.
fn alone(writes: Vec<Write>) -> Vec<Vec<Write>> {
    writes.into_iter().map(|it| vec![it]).collect()
}

impl AnyRow {
    /// Returns what lists the row, each step its writes one after the other; none where it is listed, or belongs into no
    /// list.
    fn steps(self) -> Vec<Vec<Write>> {
        match self.kind() {
            "POST" => self.post_steps().unwrap_or_default(),
            "REPORT" => self.report_steps().unwrap_or_default(),
            "DRAFT" => {
                alone(self.parse().map(|it| mentioned::draft_writes(None, Some(&it))).unwrap_or_default())
            }
            _ => self.writes().into_iter().collect(),
        }
    }

    fn post_steps(self) -> Option<Vec<Vec<Write>>> {
        let (is_listed, names_head) = (self.has("gsi2pk"), self.has("headAuthor"));
        let post = self.parse::<Post>()?;
        let relist = posts::relist_write(&post).filter(|_| !is_listed);
        let forget_head = names_head.then(|| posts::forget_head_author_write(&post));
        Some(alone(relist.into_iter().chain(forget_head).chain(mentioned::post_writes(&post)).collect()))
    }

    fn report_steps(self) -> Option<Vec<Vec<Write>>> {
        let is_named = self.has("gsi3pk");
        let report = self.parse::<Report>()?;
        let name = reports::relist_named_write(&report).filter(|_| !is_named);
        Some(alone(reports::relist_made_write(&report).into_iter().chain(name).collect()))
    }

    fn writes(self) -> Option<Vec<Write>> {
        match self.kind() {
            "FREQ" => Some(vec![friendships::relist_write(&self.parse()?)?]),
            "BARRIER" => Some(vec![relationships::relist_write(&self.parse()?)?]),
            "UPLOAD" if !self.has("gsi3pk") => Some(vec![uploads::relist_write(&self.parse()?)]),
            "JOIN" => Some(vec![circles::relist_write(&self.parse()?)]),
            "ENGAGED" => likes::relist_writes(&self.parse()?),
            _ => None,
        }
    }

    fn kind(&self) -> &str {
        self.0.text("sk").and_then(|it| it.split('#').next()).unwrap_or_default()
    }

    fn has(&self, text: &str) -> bool {
        self.0.text(text).is_some()
    }

    fn parse<T: DeserializeOwned>(self) -> Option<T> {
        serde_json::from_value(self.0.without(&BYTES)).ok()
    }
}
