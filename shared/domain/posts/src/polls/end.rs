//! Ends polls, and notifies their authors and voters.

use base::{Chore, Due, DuePage, EventId, PostId, UserId, due};
use notifications::{NotificationEvent, NotificationType, TargetType};
use people::mutes;
use platform::{
    App, Deadline, Error, Index, Paged, Query, Result, Row, Write, outcomes,
    paged::{Bound, Remainder},
};
use ulid::Ulid;

use super::row::{Poll, VOTERS_PREFIX, Voters};
use crate::{Post, find, partition};

/// Number of [`Voters`] rows in a page. Each row has up to 97 voters.
const PAGE_ROWS: usize = 2;
/// Limit on messages for the voters of one poll. Even if each message processes only one page, 194,000 voters are
/// notified.
const NOTIFY_VOTERS: Bound =
    Bound { job: "notification of voters", messages_max: 1_000, remainder: Remainder::DeadLetters };

/// Sends a job for each shard that has ended polls. The job calls [`end_pages`].
pub async fn begin(app: &App) -> Result<()> {
    due::begin::<Poll, _>(app, Due::Poll, Chore::EndPolls).await
}

/// Ends the due polls of a shard, page by page until the deadline. Repeating has no effect.
pub async fn end_pages(app: &App, deadline: &Deadline, page: DuePage) -> Result<()> {
    due::pages(app, deadline, Due::Poll, page, |poll| end(app, poll), Chore::EndPolls).await
}

/// Sends the job that notifies the voters of an ended poll. The poll stays due until the job is sent, so a failure is
/// retried.
async fn end(app: &App, poll: Poll) -> Result<()> {
    app.queues.send(&Chore::NotifyPollEnded { post: poll.post, page: Paged::FIRST }).await?;
    let notified = Write::update(poll.key()).set("notified", true).index_key(Index::Gsi3, None);
    app.table.try_write(notified.exists()).await.map(drop)
}

/// Notifies the author and the voters of an ended poll, page by page until the deadline.
///
/// Notifies each user once. Skips users who mute the thread. Does nothing if the post was deleted.
pub async fn notify_voters(app: &App, deadline: &Deadline, post: PostId, from: Paged<String>) -> Result<()> {
    let post = match find(app, post).await {
        Err(Error::NotFound(_)) => return outcomes::end("the post is gone"),
        found => found?,
    };
    let notify = async |after| notify_page(app, &post, after).await;
    let next = |page| Chore::NotifyPollEnded { post: post.id, page };
    NOTIFY_VOTERS.pages(app, deadline, from, notify, next).await.map(drop)
}

async fn notify_page(app: &App, post: &Post, after: Option<String>) -> Result<Option<String>> {
    let author = after.is_none().then_some(post.author);
    // `!` sorts before all characters of a sort key, so the page starts right after the row with the key `after`.
    let from = after.map(|after| after + "!");
    let query = Query::partition(partition(post.id)).prefix_from(VOTERS_PREFIX, from).consistent();
    let (rows, last) = app.table.next_page::<Voters>(query, PAGE_ROWS).await?;
    let voters = rows.iter().flat_map(|row| &row.users).copied().filter(|user| *user != post.author);
    let people: Vec<_> = author.into_iter().chain(voters).collect();
    let mutes = mutes::of_all(app, &people.iter().copied().collect()).await?;
    let is_notified = |user: UserId| !mutes.get(&user).is_some_and(|mutes| mutes.has_thread(post.thread()));
    let events: Vec<_> = people.into_iter().filter_map(|user| event(post, user)).collect();
    notifications::record_wanted(app, &events, |event| is_notified(event.subject.recipient)).await?;
    Ok(last)
}

/// Returns the event for a recipient, or `None` if the post has no poll. The event's ID depends only on the poll, so
/// that a retry does not notify twice.
fn event(post: &Post, recipient: UserId) -> Option<NotificationEvent> {
    let at = post.poll.as_ref()?.ends_at;
    let id = Ulid::from_parts(at.millis().max(0).cast_unsigned(), post.id.random());
    let target = if recipient == post.author { TargetType::OwnPoll } else { TargetType::Post };
    let kinds = (NotificationType::PollEnded, target);
    Some(NotificationEvent::without_actor(recipient, kinds, Ulid::from(post.id), (EventId::from(id), at)))
}
