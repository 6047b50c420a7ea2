//! Votes in polls.

use base::{PostId, UserId};
use platform::{App, Error, Once, Result, Write, table::Attempt};
use serde::Deserialize;
use utoipa::ToSchema;

use super::{PollView, Vote, row::vote_key, view::seen_by_voter};
use crate::{Post, Question, counting::likes::LikeJob, reading::visible::find_engageable};

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
/// Fails with [`Error::Invalid`] if the options are not valid, if the user voted differently before, or if the poll has
/// ended. Fails with [`Error::Forbidden`] if a block exists between the user and the author.
pub async fn vote(
    app: &App,
    user: UserId,
    post: PostId,
    request: VoteRequest,
    once: &Once,
) -> Result<PollView> {
    once.run(app, user, async || {
        let post = find_engageable(app, user, post).await?;
        let chosen = checked_options(post.poll.as_ref().ok_or(NO_POLL)?, request.options.clone())?;
        let (writes, vote) = cast(app, user, &post, chosen, once).await?;
        Ok((writes, seen_by_voter(app, &post, &vote).await?.ok_or(NO_POLL)?))
    })
    .await
}

/// Returns the user's vote, and the writes of a request with an idempotency key. Without a key, stores the vote
/// immediately and returns no writes.
async fn cast(
    app: &App,
    user: UserId,
    post: &Post,
    chosen: Vec<u8>,
    once: &Once,
) -> Result<(Vec<Write>, Vote)> {
    let now = app.now();
    let vote = Vote { user, post: post.id, chosen, counted_as: vec![], seq: 0, uncounted_since: Some(now) };
    let has_ended = post.poll.as_ref().is_some_and(|poll| poll.ends_at <= now);
    let write = Write::create(&vote).then(&LikeJob::Voted { user, post: post.id });
    let (before, writes) = if has_ended || once.is_keyed() {
        (app.table.get::<Vote>(&vote_key(user, post.id)).await?, vec![write])
    } else {
        match app.table.attempt::<Vote>(write).await? {
            Attempt::Done(vote) => (Some(vote), Vec::new()),
            Attempt::Refused(before) => (before, Vec::new()),
        }
    };
    match before {
        Some(before) if before.chosen == vote.chosen => Ok((Vec::new(), before)),
        _ if has_ended => Err(Error::invalid("options", "cannot be chosen, because the poll has ended")),
        Some(_) => Err(Error::invalid("options", "cannot be changed after a vote")),
        None => Ok((writes, vote)),
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
