//! Bringing a post to the timelines of its author's followers.

use platform::{App, error::Result, table::Key};

use super::{mark_follows, progress};
use crate::{
    ids::{Position, PostId},
    jobs::TimelineJob,
    people::{
        follows,
        users::{self, User},
    },
    posts::{self, Post, timeline::TimelineEntry},
};

/// Writes a post to the timelines of the next page of its author's followers, the oldest follow first, and
/// sends the message for the page after. A page of 500 costs 25 calls, 24 RRU and 501 WRU.
pub(super) async fn fan_out(app: &App, post: PostId, after: Option<Position>) -> Result<()> {
    let job = Key::new(posts::partition(post), "FANOUT");
    if progress::is_finished(app, &job, after).await? {
        return Ok(());
    }
    let Some(author) = unmerged_author(app, post).await? else { return Ok(()) };
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
    progress::record(app, &job, last).await
}

/// Returns the post's author; none when the post was deleted, or when the author is merged and needs no
/// fan-out.
async fn unmerged_author(app: &App, post: PostId) -> Result<Option<User>> {
    let found = app.table.get::<Post>(&posts::key(post)).await?;
    let Some(found) = found.filter(|it| !it.is_deleted) else { return Ok(None) };
    Ok(users::find(app, found.author).await?.filter(|it| !it.is_merged))
}
