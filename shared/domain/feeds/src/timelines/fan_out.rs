//! Bringing a post to the timelines of its author's followers.

use base::{
    ids::{Position, PostId, UserId},
    jobs::TimelineJob,
};
use platform::{
    App,
    deadline::Deadline,
    error::Result,
    rounds::{Bound, End, Rest, Rounds},
    table::{Key, Together},
};
use posts::{Post, timeline::TimelineEntry};

use super::{
    mark_follows,
    progress::{self, Share},
};
use people::{
    follows::{self, Follow},
    users::{self, User},
};

/// Where a message that does one page of 500 comes to half a million followers.
const FAN_OUT: Bound = Bound { job: "fan-out", rounds_max: 1_000, rest: Rest::DeadLetters };

/// Writes a post to the timelines of its author's followers, the oldest follow first, page by page while there is
/// time, and sends the message for the rest. A message with a page of 500 costs 22 calls, 23 RRU and 500 WRU;
/// each page more 21 calls, 20 RRU and 500 WRU, and then 1 call and 1 WRU for how far it came.
pub(super) async fn fan_out(
    app: &App,
    deadline: &Deadline,
    (post, author): (PostId, Option<UserId>),
    (after, rounds): (Option<Position>, Rounds),
) -> Result<()> {
    let job = Key::new(posts::partition(post), "FANOUT");
    let keys = [job.clone(), posts::key(post)].into_iter().chain(author.map(users::key));
    let mut found = app.table.get_together(&keys.collect::<Vec<_>>()).await?;
    let Share::Behind(start) = progress::share(app, found.take(&job)?, after) else { return Ok(()) };
    let Some(author) = unmerged_author(app, post, found).await? else { return Ok(()) };
    if after.is_none() {
        mark_follows::begin_if_popular(app, &author).await?;
    }
    let (mut last, mut pages) = (None, 0);
    let page = async |after| {
        let followers = follows::oldest_of(app, author.id, after, *app.settings.fanout_page_size).await?;
        write_entries(app, post, &followers).await?;
        last = followers.last().map(|it| it.position).or(last);
        pages += 1;
        Ok((followers.len() == *app.settings.fanout_page_size).then_some(last))
    };
    let next = |after, rounds| TimelineJob::FanOut { post, author: Some(author.id), after, rounds };
    let end = FAN_OUT.pages(app, deadline, (start, rounds), page, next).await?;
    match last {
        // A message that did all of it in one page does it again, should it come again.
        Some(_) if end == End::Done && start.is_none() && pages == 1 => Ok(()),
        Some(last) => progress::record(app, &job, last, end).await,
        None => Ok(()),
    }
}

async fn write_entries(app: &App, post: PostId, followers: &[Follow]) -> Result<()> {
    let entries: Vec<_> = followers.iter().map(|it| TimelineEntry::new(app, it.follower_id, post)).collect();
    app.table.batch_write(&entries, &[]).await
}

/// Returns the post's author; none when the post was deleted, or when the author is merged and needs no
/// fan-out. Costs nothing where the author was found with the post; else 1 call and 1 RRU.
async fn unmerged_author(app: &App, post: PostId, mut found: Together) -> Result<Option<User>> {
    let post: Option<Post> = found.take(&posts::key(post))?;
    let Some(post) = post.filter(|it| !it.is_deleted) else { return Ok(None) };
    let author = match found.take(&users::key(post.author))? {
        Some(author) => Some(author),
        None => users::find(app, post.author).await?,
    };
    Ok(author.filter(|it: &User| !it.is_merged))
}
