//! What writing a post causes elsewhere: counts, notifications, timelines.

use platform::{App, Result, rounds::Rounds, table::Write};

use crate::{
    ids::PostId,
    jobs::TimelineJob,
    notifications::NotificationEvent,
    people::mutes::Mutes,
    posts::{GONE, Post, key, notices, previews::then_preview, timeline, visible::meant_for},
};

/// Returns the write that adds 1 to a count of a post. Its refusal is [`GONE`] when the post was deleted.
pub(super) fn count_write(post: PostId, count: &str) -> Write {
    Write::update(key(post)).add(count, 1).equals("isDeleted", false).or(GONE)
}

/// Returns the writes that notify recipients of a post: those who mute neither its author, nor its thread, nor a
/// word of it. Costs 1 call, and 1.5 RRU for each event; and for each recipient who is notified 3 WRU, 5 where
/// several events wait already.
pub(super) async fn notification_writes(
    app: &App,
    post: &Post,
    events: Vec<NotificationEvent>,
) -> Result<Vec<Write>> {
    notification_writes_in(app, post, &[post.thread()], events).await
}

/// The same for a quote or a repost, for which its mentions and its original's author are notified: not who mutes the
/// original's thread, nor an author for whom the quote is not meant. For a quote for friends 1 call and 2 RRU more.
pub(super) async fn share_notification_writes(
    app: &App,
    post: &Post,
    shared: &Post,
    mut events: Vec<NotificationEvent>,
) -> Result<Vec<Write>> {
    let meant = meant_for(app, Some(shared.root_author()), vec![(post.author, post.visibility)]).await?;
    events.extend(meant.first().map(|_| notices::share(post, shared)));
    notification_writes_in(app, post, &[post.thread(), shared.thread()], events).await
}

async fn notification_writes_in(
    app: &App,
    post: &Post,
    threads: &[PostId],
    events: Vec<NotificationEvent>,
) -> Result<Vec<Write>> {
    let look = NotificationEvent::look(app, &events).await?;
    let mutes_it = |it: &Mutes| it.hides(threads, &post.words());
    let heard = events.iter().filter(|it| it.is_heard(&look));
    let wanted = heard.filter(|it| !look.mutes_of(it.subject.recipient).is_some_and(mutes_it));
    Ok(wanted.flat_map(|it| it.writes_once(app, &look)).collect())
}

/// Returns the write that puts a post in its author's timeline, and has a worker bring it to those of the author's
/// followers afterwards, and another look at its first link. Costs 1 WRU.
pub(super) fn timelines_write(app: &App, post: &Post) -> Write {
    let (post_id, author) = (post.id, Some(post.author));
    let fan_out = TimelineJob::FanOut { post: post_id, author, after: None, rounds: Rounds::default() };
    then_preview(timeline::own_write(app, post).then(&fan_out), post)
}
