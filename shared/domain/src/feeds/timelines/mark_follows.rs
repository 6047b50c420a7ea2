//! Marking the follows of a popular author, so that followers merge the author's posts when they read.

use futures::future::try_join_all;
use platform::{
    App,
    deadline::Deadline,
    error::Result,
    outbox::letter_write,
    rounds::{Bound, End, Rest, Rounds},
    table::{Attempt, Key, Write},
};

use super::progress::{self, Share};
use crate::{
    ids::{Position, UserId},
    jobs::TimelineJob,
    people::{
        follows::{self, Follow},
        users::{self, User},
    },
};

const MARKED_TOGETHER: usize = 25;
/// Where a message that does one page of 500 comes to half a million followers.
const MARK_FOLLOWS: Bound = Bound { job: "marking of follows", rounds_max: 1_000, rest: Rest::DeadLetters };

/// Makes the author popular, so that each new follow is marked; then a job marks the others. Costs 1 call and 6 WRU,
/// once in an author's life. For a popular author it sends the message again, in case the job was cut off: 1 send.
pub(super) async fn begin(app: &App, author: &User) -> Result<()> {
    let mark = TimelineJob::MarkFollows { author: author.id, after: None, rounds: Rounds::default() };
    if author.is_popular {
        return app.queues.send(&mark).await;
    }
    let popular_write = Write::update(users::key(author.id)).set("isPopular", true).exists();
    app.table.transact(vec![popular_write, letter_write(app).then(&mark)]).await
}

/// Marks the follows of an author, the oldest first, page by page while there is time, and sends the message for
/// the rest; after the last page the author is merged. Costs 3 calls, 1 call a page, and 1 call and 4 WRU a
/// follow; once in an author's life.
pub(super) async fn mark_follows(
    app: &App,
    deadline: &Deadline,
    author: UserId,
    (after, rounds): (Option<Position>, Rounds),
) -> Result<()> {
    let job = Key::new(users::key(author).pk, "GATHER");
    let Share::Behind(start) = progress::share(app, &job, after).await? else { return Ok(()) };
    let mut last = None;
    let page = async |after| {
        let follows = follows::oldest_of(app, author, after, *app.settings.fanout_page_size).await?;
        mark_all(app, &follows).await?;
        last = follows.last().map(|it| it.position).or(last);
        Ok((follows.len() == *app.settings.fanout_page_size).then_some(last))
    };
    let next = |after, rounds| TimelineJob::MarkFollows { author, after, rounds };
    let end = MARK_FOLLOWS.pages(app, deadline, (start, rounds), page, next).await?;
    if end == End::Done {
        app.table.write(Write::update(users::key(author)).set("isMerged", true).exists()).await?;
    }
    match last {
        Some(last) => progress::record(app, &job, last, end).await,
        None => Ok(()),
    }
}

async fn mark_all(app: &App, follows: &[Follow]) -> Result<()> {
    for chunk in follows.chunks(MARKED_TOGETHER) {
        try_join_all(chunk.iter().map(|it| mark(app, it))).await?;
    }
    Ok(())
}

/// A refusal means that the follow ended meanwhile: one that began anew has its mark.
async fn mark(app: &App, follow: &Follow) -> Result<()> {
    match app.table.attempt::<Follow>(follow.merge_write()).await? {
        Attempt::Done(_) | Attempt::Refused(_) => Ok(()),
    }
}
