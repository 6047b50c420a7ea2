//! Bringing a post to the timelines of its author's followers.

use platform::{
    App,
    deadline::Deadline,
    error::Result,
    rounds::{Bound, Rest, Rounds},
    table::Key,
};

use super::{
    mark_follows,
    progress::{self, Share},
};
use crate::{
    ids::{Position, PostId},
    jobs::TimelineJob,
    people::{
        follows::{self, Follow},
        users::{self, User},
    },
    posts::{self, Post, timeline::TimelineEntry},
};

/// Where a message that does one page of 500 comes to half a million followers.
const FAN_OUT: Bound = Bound { job: "fan-out", rounds_max: 1_000, rest: Rest::DeadLetters };

/// Writes a post to the timelines of its author's followers, the oldest follow first, page by page while there is
/// time, and sends the message for the rest. A message with a page of 500 costs 25 calls, 24 RRU and 501 WRU;
/// each page more 21 calls, 20 RRU and 500 WRU.
pub(super) async fn fan_out(
    app: &App,
    deadline: &Deadline,
    post: PostId,
    (after, rounds): (Option<Position>, Rounds),
) -> Result<()> {
    let job = Key::new(posts::partition(post), "FANOUT");
    let Share::Behind(start) = progress::share(app, &job, after).await? else { return Ok(()) };
    let Some(author) = unmerged_author(app, post).await? else { return Ok(()) };
    if after.is_none() && author.followers_count > *app.settings.fanout_max_followers {
        mark_follows::begin(app, &author).await?;
    }
    let mut last = None;
    let page = async |after| {
        let followers = follows::oldest_of(app, author.id, after, *app.settings.fanout_page_size).await?;
        write_entries(app, post, &followers).await?;
        last = followers.last().map(|it| it.position).or(last);
        Ok((followers.len() == *app.settings.fanout_page_size).then_some(last))
    };
    let next = |after, rounds| TimelineJob::FanOut { post, after, rounds };
    let end = FAN_OUT.pages(app, deadline, (start, rounds), page, next).await?;
    match last {
        Some(last) => progress::record(app, &job, last, end).await,
        None => Ok(()),
    }
}

async fn write_entries(app: &App, post: PostId, followers: &[Follow]) -> Result<()> {
    let entries: Vec<_> = followers.iter().map(|it| TimelineEntry::new(app, it.follower_id, post)).collect();
    app.table.batch_write(&entries, &[]).await
}

/// Returns the post's author; none when the post was deleted, or when the author is merged and needs no
/// fan-out.
async fn unmerged_author(app: &App, post: PostId) -> Result<Option<User>> {
    let found = app.table.get::<Post>(&posts::key(post)).await?;
    let Some(found) = found.filter(|it| !it.is_deleted) else { return Ok(None) };
    Ok(users::find(app, found.author).await?.filter(|it| !it.is_merged))
}
