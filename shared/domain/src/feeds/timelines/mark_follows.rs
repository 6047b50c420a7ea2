//! Marking the follows of a popular author, so that followers merge the author's posts when they read.

use futures::future::try_join_all;
use platform::{
    App,
    error::Result,
    table::{Attempt, Key, Write},
};

use super::progress;
use crate::{
    ids::{Position, UserId},
    jobs::TimelineJob,
    people::{
        follows::{self, Follow},
        users::{self, User},
    },
};

const MARKED_TOGETHER: usize = 25;

/// Makes the author popular, so that each new follow is marked, and sends the job that marks the others.
/// Costs 1 call and a message. For a popular author it sends the message again, in case it was lost.
pub(super) async fn begin(app: &App, author: &User) -> Result<()> {
    if !author.is_popular {
        app.table.write(Write::update(users::key(author.id)).set("isPopular", true).exists()).await?;
    }
    app.queues.send(&TimelineJob::MarkFollows { author: author.id, after: None }).await
}

/// Marks the next page of follows, the oldest first, and sends the message for the page after; after the
/// last page the author is merged. Costs 3 calls, and 1 call and 4 WRU a follow; once in an author's life.
pub(super) async fn mark_follows(app: &App, author: UserId, after: Option<Position>) -> Result<()> {
    let job = Key::new(users::key(author).pk, "GATHER");
    if progress::is_finished(app, &job, after).await? {
        return Ok(());
    }
    let page = *app.settings.fanout_page_size;
    let follows = follows::oldest_of(app, author, after, page).await?;
    for chunk in follows.chunks(MARKED_TOGETHER) {
        try_join_all(chunk.iter().map(|it| mark(app, it))).await?;
    }
    let last = follows.last().map(|it| it.position);
    match last.filter(|_| follows.len() == page) {
        Some(last) => app.queues.send(&TimelineJob::MarkFollows { author, after: Some(last) }).await?,
        None => app.table.write(Write::update(users::key(author)).set("isMerged", true).exists()).await?,
    }
    match last {
        Some(last) => progress::record(app, &job, last).await,
        None => Ok(()),
    }
}

/// A refusal means that the follow ended meanwhile: one that began anew has its mark.
async fn mark(app: &App, follow: &Follow) -> Result<()> {
    match app.table.attempt::<Follow>(follow.merge_write()).await? {
        Attempt::Done(_) | Attempt::Refused(_) => Ok(()),
    }
}
