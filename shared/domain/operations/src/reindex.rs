//! Rebuilds the search index and the lists of hashtags, for operators after a release that changes how texts are indexed.
//! Muted words need no rebuild, because they are stored as users wrote them.

use base::{IndexJob, PostId, Topic, UserId};
use platform::{App, Result, table::Next};
use serde::Deserialize;

#[derive(Deserialize)]
struct AnyRow {
    pk: String,
    sk: String,
    topic: Option<String>,
}

impl AnyRow {
    /// Returns the job that indexes the post or user of this row. Returns `None` for other rows.
    fn job(&self) -> Option<IndexJob> {
        match (self.pk.split_once('#')?, self.sk.as_str()) {
            (("POST", id), "POST") => id.parse::<PostId>().ok().map(|post| IndexJob::Post { post }),
            (("USER", id), "PROFILE") => id.parse::<UserId>().ok().map(|user| IndexJob::User { user }),
            _ => None,
        }
    }

    /// Returns the post of this row if its stored hashtag differs from the current form of the hashtag.
    fn outdated_topic(&self) -> Option<PostId> {
        let stored = self.topic.as_deref()?;
        let is_current = stored.parse::<Topic>().is_ok_and(|topic| topic.as_str() == stored);
        match self.job() {
            Some(IndexJob::Post { post }) if !is_current => Some(post),
            _ => None,
        }
    }
}

/// Indexes the posts and users of a page of the table, and renews the hashtags of its posts. Returns the page's number of rows, and the cursor of the next
/// page. Repeating a page has no effect.
///
/// # Errors
/// Fails with the first error if a post or user cannot be indexed.
pub async fn reindex(app: &App, from: Option<Next>) -> Result<(usize, Option<Next>)> {
    let (rows, next) = app.table.scan::<AnyRow>(from).await?;
    for post in rows.iter().filter_map(AnyRow::outdated_topic) {
        posts::renew_topic(app, post).await?;
    }
    let jobs: Vec<_> = rows.iter().filter_map(AnyRow::job).collect();
    match search::index(app, &jobs).await.into_iter().next() {
        Some((_, error)) => Err(error),
        None => Ok((rows.len(), next)),
    }
}
