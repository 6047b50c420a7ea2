//! Listing what releases stored that had no list of it: friends, whom one blocks and mutes, quotes, reposts and likers; and
//! for whoever leaves their uploads, reports and requests to join. A chore to be run once after such a release; a repetition
//! finds nothing.

use futures::{StreamExt, stream};
use platform::{
    App, Result,
    error::Error,
    table::{Next, Write},
};
use serde::{Deserialize, de::DeserializeOwned};
use serde_json::{Map, Value};

use crate::{
    circles,
    media::uploads,
    moderation::reports,
    people::{friendships, relationships},
    posts::{self, Post, likes},
};

const AT_ONCE: usize = 16;

/// Any row of the table.
#[derive(Deserialize)]
struct AnyRow {
    sk: String,
    gsi2pk: Option<String>,
    gsi3pk: Option<String>,
    #[serde(flatten)]
    fields: Map<String, Value>,
}

/// Lists what the next page of the table has that is in no list and belongs into one. Returns the number of rows that were
/// read, the number of those that were listed, and where the next page begins. A row that changes at that moment is listed
/// by its change, or by a repetition. Costs 1 call and at most 128 RRU; for each row that is listed 1 call and 2 to 5 WRU.
pub async fn relist(app: &App, from: Option<Next>) -> Result<(usize, usize, Option<Next>)> {
    let (rows, next) = app.table.scan::<AnyRow>(from).await?;
    let read = rows.len();
    let steps: Vec<_> = rows.into_iter().filter_map(AnyRow::writes).collect();
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

impl AnyRow {
    /// Returns the writes that list the row; none where it is listed, or belongs into no list.
    fn writes(self) -> Option<Vec<Write>> {
        let kind = self.sk.split('#').next().unwrap_or_default();
        match kind {
            "POST" if self.gsi2pk.is_none() => {
                let post = self.parse::<Post>()?;
                Some(vec![posts::relist_write(&post)?])
            }
            "FREQ" => Some(vec![friendships::relist_write(&self.parse()?)?]),
            "BARRIER" => Some(vec![relationships::relist_write(&self.parse()?)?]),
            "UPLOAD" if self.gsi3pk.is_none() => Some(vec![uploads::relist_write(&self.parse()?)]),
            "REPORT" => Some(vec![reports::relist_write(&self.parse()?)?]),
            "JOIN" => Some(vec![circles::relist_write(&self.parse()?)]),
            "ENGAGED" => likes::relist_writes(&self.parse()?),
            _ => None,
        }
    }

    fn parse<T: DeserializeOwned>(self) -> Option<T> {
        serde_json::from_value(Value::Object(self.fields)).ok()
    }
}
