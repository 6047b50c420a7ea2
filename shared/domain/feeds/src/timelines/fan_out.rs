//! Adds a post to the timelines of its author's followers.

use base::{Position, PostId, TimelineJob, UserId};
use platform::{
    App, Deadline, Key, Paged, Result,
    outcomes::{self, note},
    paged::{Bound, End, Remainder},
    table::Together,
};
use posts::{Post, timeline::TimelineEntry};

use super::progress::{self, Share};
use people::{Follow, User, follows, users};

/// Limit of 1,000 messages per fan-out, enough for 500,000 followers with one page of 500 followers per message.
const FAN_OUT: Bound = Bound { job: "fan-out", messages_max: 1_000, remainder: Remainder::DeadLetters };

/// Adds a post to the timelines of its author's followers, starting with the oldest follow. Works page by page until
/// the deadline, and then sends a message for the remaining followers.
pub(super) async fn fan_out(
    app: &App,
    deadline: &Deadline,
    (post, author): (PostId, UserId),
    at: Paged<Position>,
) -> Result<()> {
    let job = Key::new(posts::partition(post), "FANOUT");
    let keys = [job.clone(), posts::key(post), users::key(author)];
    let mut found = app.table.get_together(&keys).await?;
    let Share::After(start) = progress::share(app, found.take(&job)?, at.after) else {
        return outcomes::end("repeated");
    };
    let Some(author) = unmerged_author(post, author, found)? else { return Ok(()) };
    let (mut last, mut pages) = (None, 0);
    let page = async |after| {
        let followers = follows::oldest_of(app, author.id, after, *app.settings.fanout_page_size).await?;
        write_entries(app, post, &followers).await?;
        last = followers.last().map(|follower| follower.position).or(last);
        pages += 1;
        Ok(last.filter(|_| followers.len() == *app.settings.fanout_page_size))
    };
    let next = |page| TimelineJob::FanOut { post, author: author.id, page };
    let end = FAN_OUT.pages(app, deadline, at.at(start), page, next).await?;
    match last {
        // A fan-out with a single page records no progress. If its message is delivered again, the fan-out is repeated.
        Some(_) if end == End::Done && start.is_none() && pages == 1 => Ok(()),
        Some(last) => progress::record(app, &job, last, end).await,
        None => Ok(()),
    }
}

async fn write_entries(app: &App, post: PostId, followers: &[Follow]) -> Result<()> {
    let entries: Vec<_> =
        followers.iter().map(|follow| TimelineEntry::new(app, follow.follower_id, post)).collect();
    app.table.batch_write(&entries, &[]).await
}

/// Returns the post's author if the post needs a fan-out. Returns `None` if the post was deleted or the author is
/// merged. See [`super`].
fn unmerged_author(post: PostId, author: UserId, mut found: Together) -> Result<Option<User>> {
    let post: Option<Post> = found.take(&posts::key(post))?;
    let author: Option<User> = found.take(&users::key(author))?;
    if post.is_none_or(|post| post.is_deleted) {
        note("the post is gone");
        return Ok(None);
    }
    let unmerged = author.filter(|author| !author.is_merged);
    if unmerged.is_none() {
        note("the author is gone or merged");
    }
    Ok(unmerged)
}
