//! Votes in polls.

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
    /// Zero-based indexes of the chosen options. Must have exactly one item, unless the poll allows several.
    #[schema(min_items = 1, max_items = 4, example = json!([0]))]
    pub options: Vec<u8>,
}

/// Votes in the poll of a post. Repeating the same vote has no effect.
///
/// # Errors
/// Fails with [`Error::NotFound`] if the post does not exist or has no poll, or if the user may not read the post.
/// Fails with [`Error::Invalid`] if the options are not valid. Fails with [`Error::Conflict`] if the user voted
/// differently before, or if the poll has ended.
pub async fn vote(app: &App, user: UserId, post: PostId, request: VoteRequest) -> Result<PollView> {
    let post = find_readable(app, Some(user), post).await?;
    let chosen = checked_options(post.poll.as_ref().ok_or(NO_POLL)?, request.options)?;
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
            Err(Error::Conflict("you have already voted"))
        }
        Attempt::Done(_) | Attempt::Refused(_) => Ok(()),
    }
}

fn checked_options(poll: &Question, mut options: Vec<u8>) -> Result<Vec<u8>> {
    options.sort_unstable();
    options.dedup();
    let max = if poll.multiple { poll.options.all().len() } else { 1 };
    let exist = options.iter().all(|option| usize::from(*option) < poll.options.all().len());
    match () {
        () if !exist => {
            Err(Error::invalid("options", "must be indexes of the poll's options, starting at 0"))
        }
        () if !(1..=max).contains(&options.len()) => {
            Err(Error::invalid("options", "must have one item, or more if the poll allows several"))
        }
        () => Ok(options),
    }
}

/// Removes a user's vote. Repeating has no effect.
pub async fn remove_vote(app: &App, user: UserId, post: PostId) -> Result<()> {
    let no_options: [u8; 0] = [];
    let write =
        Write::update(vote_key(user, post)).set("chosen", no_options).set("uncountedSince", app.now());
    let write = write.exists().differs("chosen", no_options);
    app.table.try_write(write.then(&LikeJob::Voted { user, post })).await.map(drop)
}
