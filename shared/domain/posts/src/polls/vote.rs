//! Voting, once and for good.

use base::ids::{PostId, UserId};
use platform::{
    App,
    error::{Error, Result},
    table::{Attempt, Write},
};
use serde::Deserialize;
use utoipa::ToSchema;

use super::{
    row::{Vote, vote_key},
    view::{PollView, seen_by},
};
use crate::{Post, counting::likes::LikeJob, find_readable, values::Question};

const NO_POLL: Error = Error::NotFound("poll");

/// A vote in a poll.
#[derive(Clone, Debug, Deserialize, ToSchema)]
pub struct VoteRequest {
    /// The places of the chosen options, the first is 0; one, unless the poll lets people choose several.
    #[schema(min_items = 1, max_items = 4, example = json!([0]))]
    pub options: Vec<u8>,
}

/// Votes. The same vote again changes nothing.
///
/// # Errors
/// [`Error::NotFound`] when there is no such post, the user may not read it, or it has no poll; [`Error::Invalid`] for
/// options that it does not have; [`Error::Conflict`] after another vote, and for a first one after the end.
pub async fn vote(app: &App, user: UserId, post: PostId, request: VoteRequest) -> Result<PollView> {
    let post = find_readable(app, Some(user), post).await?;
    let chosen = checked(post.poll.as_ref().ok_or(NO_POLL)?, request.options)?;
    cast(app, user, &post, chosen).await?;
    seen_by(app, Some(user), [&post]).await?.remove(&post.id).ok_or(NO_POLL)
}

async fn cast(app: &App, user: UserId, post: &Post, chosen: Vec<u8>) -> Result<()> {
    let now = app.now();
    let vote = Vote { user, post: post.id, chosen, counted_as: vec![], seq: 0, uncounted_since: Some(now) };
    if post.poll.as_ref().is_some_and(|poll| poll.ends_at <= now) {
        let before = app.table.get::<Vote>(&vote_key(user, post.id)).await?;
        let is_repeated = before.is_some_and(|before| before.chosen == vote.chosen);
        return if is_repeated { Ok(()) } else { Err(Error::Conflict("the poll has ended")) };
    }
    let write = Write::create(&vote).then(&LikeJob::Voted { user, post: post.id });
    match app.table.attempt::<Vote>(write).await? {
        Attempt::Refused(Some(before)) if before.chosen != vote.chosen => {
            Err(Error::Conflict("you have voted already"))
        }
        Attempt::Done(_) | Attempt::Refused(_) => Ok(()),
    }
}

fn checked(poll: &Question, mut options: Vec<u8>) -> Result<Vec<u8>> {
    options.sort_unstable();
    options.dedup();
    let most = if poll.multiple { poll.options.all().len() } else { 1 };
    let exist = options.iter().all(|option| usize::from(*option) < poll.options.all().len());
    match () {
        () if !exist => Err(Error::invalid("options", "must be places of options of the poll")),
        () if !(1..=most).contains(&options.len()) => {
            Err(Error::invalid("options", "must be one, or several where the poll says multiple"))
        }
        () => Ok(options),
    }
}

/// Takes back the vote of somebody who leaves; a repetition changes nothing.
pub async fn withdraw(app: &App, user: UserId, post: PostId) -> Result<()> {
    let nothing: [u8; 0] = [];
    let write = Write::update(vote_key(user, post)).set("chosen", nothing).set("uncountedSince", app.now());
    let write = write.exists().differs("chosen", nothing);
    app.table.try_write(write.then(&LikeJob::Voted { user, post })).await.map(drop)
}
