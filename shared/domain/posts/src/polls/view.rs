//! Polls as a viewer sees them.

use std::collections::HashMap;

use base::{PostId, UserId};
use futures::try_join;
use platform::{App, Result, Time};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use super::{Poll, Vote, poll_key, row::vote_key};
use crate::{PollOption, Post, Question};

/// A poll as a viewer sees it.
#[derive(Clone, Debug, Serialize, Deserialize, ToSchema)]
#[schema(as = Poll)]
#[serde(rename_all = "camelCase")]
pub struct PollView {
    /// The options. A vote refers to them by index.
    pub options: Vec<PollOptionView>,
    /// Whether users may choose several options.
    pub multiple: bool,
    /// The end of the poll.
    pub ends_at: Time,
    /// Whether the poll has ended.
    pub is_ended: bool,
    /// Indexes of the options that the viewer chose. Empty if the viewer did not vote.
    pub chosen: Vec<u8>,
    /// The number of users who voted. Null until the poll has ended, unless the viewer has voted or is the author.
    pub voters_count: Option<i64>,
}

/// An option of a poll.
#[derive(Clone, Debug, Serialize, Deserialize, ToSchema)]
#[schema(as = PollOption)]
#[serde(rename_all = "camelCase")]
pub struct PollOptionView {
    /// The text of the option.
    pub text: PollOption,
    /// The number of votes. Includes the viewer's own vote immediately. Null until the poll has ended, unless the
    /// viewer has voted or is the author.
    pub votes_count: Option<i64>,
}

/// Returns the polls of `posts` as the viewer sees them. The author always sees the counts. Posts without a poll are
/// ignored.
pub async fn seen_by<'a>(
    app: &App,
    viewer: Option<UserId>,
    posts: impl IntoIterator<Item = &'a Post>,
) -> Result<HashMap<PostId, PollView>> {
    let questions: HashMap<_, _> =
        posts.into_iter().filter_map(|post| Some((post.id, (post.poll.as_ref()?, post.author)))).collect();
    let polls: Vec<_> = questions.keys().map(|post| poll_key(*post)).collect();
    let votes: Vec<_> = questions.keys().filter_map(|post| Some(vote_key(viewer?, *post))).collect();
    let (polls, votes) =
        try_join!(app.table.batch_get_eventual::<Poll>(&polls), app.table.batch_get::<Vote>(&votes))?;
    let polls: HashMap<_, _> = polls.into_iter().map(|poll| (poll.post, poll)).collect();
    let votes: HashMap<_, _> = votes.into_iter().map(|vote| (vote.post, vote)).collect();
    let seen = questions.into_iter().map(|(id, (question, author))| {
        let poll = polls.get(&id).cloned().unwrap_or_else(|| Poll::new(id, question.ends_at));
        let is_author = viewer == Some(author);
        let shown = is_author || votes.contains_key(&id) || question.ends_at <= app.now();
        (id, view((question, &poll), votes.get(&id), shown, app.now()))
    });
    Ok(seen.collect())
}

/// Returns the poll of a post as a voter sees it, or `None` if the post has no poll.
pub(super) async fn seen_by_voter(app: &App, post: &Post, vote: &Vote) -> Result<Option<PollView>> {
    let Some(question) = &post.poll else { return Ok(None) };
    let poll = app.table.batch_get_eventual::<Poll>(&[poll_key(post.id)]).await?.pop();
    let poll = poll.unwrap_or_else(|| Poll::new(post.id, question.ends_at));
    Ok(Some(view((question, &poll), Some(vote), true, app.now())))
}

fn view((question, poll): (&Question, &Poll), vote: Option<&Vote>, shown: bool, now: Time) -> PollView {
    let own = |is_counted: &dyn Fn(&[u8]) -> bool| vote.map_or(0, |vote| uncounted(vote, poll, is_counted));
    let option = |(option, text): (usize, &PollOption)| {
        let own = own(&|options| options.iter().any(|chosen| usize::from(*chosen) == option));
        PollOptionView { text: text.clone(), votes_count: shown.then(|| poll.votes(option) + own) }
    };
    PollView {
        options: question.options.all().iter().enumerate().map(option).collect(),
        multiple: question.multiple,
        ends_at: question.ends_at,
        is_ended: question.ends_at <= now,
        chosen: vote.map(|vote| vote.chosen.clone()).unwrap_or_default(),
        voters_count: shown.then(|| poll.voters + own(&|options| !options.is_empty())),
    }
}

/// Returns the number to add to a counter for the viewer's vote: 1, 0 or -1. `is_counted` returns whether the counter
/// must include a vote for the given options.
fn uncounted(vote: &Vote, poll: &Poll, is_counted: &dyn Fn(&[u8]) -> bool) -> i64 {
    let included = vote.seq <= poll.seq && is_counted(&vote.counted_as);
    i64::from(is_counted(&vote.chosen)) - i64::from(included)
}
