//! A post reaches its author's followers.

use platform::{App, error::Result, table::Key};

use super::{mark_follows, progress};
use crate::{
    ids::{Position, PostId},
    jobs::TimelineJob,
    people::{follows, users},
    posts::{self, Post, timeline::TimelineEntry},
};

/// Writes a post to the next page of its author's followers, the oldest follow first, and sends for
/// the page after. A page of 500 takes 25 calls, 24 RRU and 501 WRU.
pub(super) async fn fan_out(app: &App, post: PostId, after: Option<Position>) -> Result<()> {
    let key = posts::key(post);
    let job = Key::new(key.pk.clone(), "FANOUT");
    let (found, past) = futures::try_join!(app.table.get::<Post>(&key), progress::is_past(app, &job, after))?;
    let Some(found) = found.filter(|it| !it.is_deleted && !past) else { return Ok(()) };
    let author = users::find(app, found.author).await?;
    // Once merged, all followers find it without a row.
    let Some(author) = author.filter(|it| !it.is_merged) else { return Ok(()) };
    if after.is_none() && author.followers_count > *app.settings.fanout_max_followers {
        mark_follows::begin(app, &author).await?;
    }
    let page = *app.settings.fanout_page_size;
    let followers = follows::oldest_of(app, author.id, after, page).await?;
    let Some(last) = followers.last().map(|it| it.position) else { return Ok(()) };
    let entries: Vec<_> = followers.iter().map(|it| TimelineEntry::new(app, it.follower_id, post)).collect();
    app.table.batch_write(&entries, &[]).await?;
    if followers.len() == page {
        app.queues.send(&TimelineJob::FanOut { post, after: Some(last) }).await?;
    }
    progress::note(app, &job, last).await
}
