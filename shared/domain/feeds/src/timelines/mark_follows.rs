//! Marking the follows of a popular author, so that followers merge the author's posts when they read.

use base::jobs::TimelineJob;
use futures::future::join_all;
use platform::{
    App,
    deadline::Deadline,
    error::{Error, Result},
    outbox::letter_write,
    rounds::{Bound, End, Rest, Rounds},
    table::Write,
};

use super::lanes::{Cursor, Lane, Page};
use people::{
    follows::Follow,
    users::{self, User},
};

/// The messages that mark the follows of an author at the same time.
const LANES: u8 = 4;
const MARKED_TOGETHER: usize = 25;
/// Where four lanes whose messages do one page of 500 come to 12 million followers.
const MARK_FOLLOWS: Bound = Bound { job: "marking of follows", rounds_max: 6_000, rest: Rest::DeadLetters };

/// Makes an author popular whom more than `FANOUT_MAX_FOLLOWERS` follow, so that each new follow is marked; then jobs
/// mark the others. Costs 2 calls, 1 RRU and 8 WRU, once in an author's life. For an author who is popular and whose jobs
/// stand still it sends their messages again, at the same cost; while they go on it does nothing, for 1 call and 1 RRU.
pub(super) async fn begin_if_popular(app: &App, author: &User) -> Result<()> {
    if !author.is_popular && author.followers_count <= *app.settings.fanout_max_followers {
        return Ok(());
    }
    let Some(begin_write) = Cursor::begin_write(app, author.id).await? else { return Ok(()) };
    let popular_write = Write::update(users::key(author.id)).set("isPopular", true).exists();
    let letter_write = (0..LANES).fold(letter_write(app), |letter, lane| {
        letter.then(&TimelineJob::MarkFollows { author: author.id, lane, rounds: Rounds::default() })
    });
    // A refusal means that another post or follow began it.
    app.table.try_transact(vec![popular_write, begin_write, letter_write]).await.map(drop)
}

/// Marks follows of an author in one of the lanes, the oldest first, page by page while there is time, and sends the
/// message for the rest of the lane; after the last page of all lanes the author is merged. A message reads the page
/// again that the one before it was at. Costs 4 calls and 4 WRU a page, and 1 call and 4 WRU a follow; once in an
/// author's life.
pub(super) async fn mark_follows(app: &App, deadline: &Deadline, lane: Lane, rounds: Rounds) -> Result<()> {
    let last = lane.last_page(app).await?;
    mark_all(app, &last.follows).await?;
    let page = async |done: Option<_>| {
        let page = lane.next_page(app, done.as_ref()).await?;
        let Some(Page { claim, follows }) = page else { return Ok(None) };
        mark_all(app, &follows).await?;
        Ok(Some(claim))
    };
    let Lane { author, number } = lane;
    let next = |_, rounds| TimelineJob::MarkFollows { author, lane: number, rounds };
    match MARK_FOLLOWS.pages(app, deadline, (last.claim, rounds), page, next).await? {
        End::Cut => Cursor::stall(app, author).await,
        End::Done | End::Continued => Ok(()),
    }
}

/// Marks those that are not marked: 25 at a time, and fewer while a limit of the table holds some back.
async fn mark_all(app: &App, follows: &[Follow]) -> Result<()> {
    let mut left: Vec<_> = follows.iter().filter(|it| !it.merges).collect();
    let mut together = MARKED_TOGETHER;
    while !left.is_empty() {
        let chunk = left.split_off(left.len().saturating_sub(together));
        let mut held_back = mark_together(app, &chunk).await?;
        together = match held_back.pop() {
            None => MARKED_TOGETHER.min(together + 1),
            Some((_, error)) if together == 1 => return Err(error),
            Some((follow, _)) => {
                left.push(follow);
                together / 2
            }
        };
        left.extend(held_back.into_iter().map(|(follow, _)| follow));
    }
    Ok(())
}

/// Returns those that a limit of the table held back.
async fn mark_together<'a>(app: &App, follows: &[&'a Follow]) -> Result<Vec<(&'a Follow, Error)>> {
    let mut held_back = Vec::new();
    for (follow, marked) in join_all(follows.iter().map(async |it| (*it, mark(app, it).await))).await {
        match marked {
            Ok(()) => {}
            Err(error @ Error::Busy(_)) => held_back.push((follow, error)),
            Err(error) => return Err(error),
        }
    }
    Ok(held_back)
}

/// A refusal means that the follow ended meanwhile: one that began anew has its mark.
async fn mark(app: &App, follow: &Follow) -> Result<()> {
    app.table.try_write(follow.merge_write()).await.map(drop)
}
