//! Writes posts and comments in a circle. The judge grades them afterwards.

use base::{CircleId, PostId, UserId};
use ledger::{
    action_log::{Action, ActionType},
    post_limits,
};
use platform::{App, Error, Once, Result, Time, Write};
use posts::Content;
use serde::Deserialize;
use utoipa::ToSchema;

use super::{
    CirclePost, CirclePostKind, CirclePostView, JudgeJob, key,
    post_rate::{self, PostRate},
    preview::then_preview,
};
use crate::{Circle, Member, NO_CIRCLE, energy, member_key};
use people::{User, relationships, users};

const NOT_A_MEMBER: &str = "only members can write in a circle";

/// A request to write a post or comment in a circle.
#[derive(Clone, Debug, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct CirclePostDraft {
    /// The text.
    pub content: Content,
    /// The post or comment in the same circle to which this comment replies. Omit it to begin a thread.
    pub parent_id: Option<PostId>,
}

/// Writes a post or comment, which is judged afterwards.
///
/// # Errors
/// - [`Error::NotFound`] if the circle does not exist.
/// - [`Error::Forbidden`] if the author is not a member or gave karma to the circle in the last 48 hours.
/// - [`Error::Forbidden`] if a block exists between the author and the parent's author.
/// - [`Error::Invalid`] if the parent is not in the circle.
/// - [`Error::LimitReached`] for the sixth post within an hour, or if the author has written too many posts elsewhere.
pub async fn create(
    app: &App,
    author: UserId,
    circle: CircleId,
    draft: CirclePostDraft,
    once: &Once,
) -> Result<CirclePostView> {
    let still_unblocked = async |earlier: CirclePost| {
        if let Some(parent_author) = other_parent_author(app, &earlier).await? {
            relationships::check_unblocked(app, author, parent_author).await?;
        }
        Ok(earlier)
    };
    post_limits::count(app, once, author).await?;
    let work = async || {
        let (writes, post) = writes(app, author, circle, draft.clone()).await?;
        Ok((writes.into_iter().chain(post_limits::count_writes(app, once, author)).collect(), post))
    };
    once.run_while(app, author, still_unblocked, work).await.map(CirclePostView::from)
}

/// Returns the author of a comment's parent, or `None` if that user also wrote the comment.
async fn other_parent_author(app: &App, comment: &CirclePost) -> Result<Option<UserId>> {
    let Some(parent) = comment.parent else { return Ok(None) };
    let parent = app.table.get_eventual::<CirclePost>(&key(parent)).await?;
    Ok(parent.map(|author| author.author).filter(|author| *author != comment.author))
}

async fn writes(
    app: &App,
    author: UserId,
    circle: CircleId,
    draft: CirclePostDraft,
) -> Result<(Vec<Write>, CirclePost)> {
    let context = PostContext::of(app, author, circle, draft.parent_id).await?;
    let now = app.now();
    context.check_unrestricted(now)?;
    let post = context.post(app, draft.content, now);
    let parent = context.parent.as_ref().filter(|parent| parent.author != author);
    let unblocked = parent.map(|parent| relationships::check_unblocked_write(author, parent.author));
    let writes = create_writes(&post, parent, context.rate.count_write(now)?);
    Ok((writes.into_iter().chain(unblocked).collect(), post))
}

/// The rows that writing a post depends on.
struct PostContext {
    author: User,
    member: Member,
    rate: PostRate,
    parent: Option<CirclePost>,
}

impl PostContext {
    async fn of(app: &App, author: UserId, circle: CircleId, parent: Option<PostId>) -> Result<Self> {
        let parent_key = parent.map(key);
        let (circle_key, member_key) = (crate::key(circle), member_key(circle, author));
        let (rate_key, author_key) = (post_rate::key(circle, author), users::key(author));
        let mut keys = vec![circle_key.clone(), member_key.clone(), rate_key.clone(), author_key.clone()];
        keys.extend(parent_key.clone());
        let mut found = app.table.get_together(&keys).await?;
        found.take::<Circle>(&circle_key)?.filter(Circle::is_alive).ok_or(NO_CIRCLE)?;
        let member = found.take::<Member>(&member_key)?.filter(Member::is_in);
        let parent = match parent_key {
            Some(key) => Some(
                found
                    .take(&key)?
                    .filter(|post: &CirclePost| post.circle == circle && !post.is_deleted())
                    .ok_or(Error::invalid("parentId", "must be a post in this circle"))?,
            ),
            None => None,
        };
        Ok(Self {
            member: member.ok_or(Error::Forbidden(NOT_A_MEMBER.into()))?,
            author: found.take(&author_key)?.ok_or(Error::NotFound("user"))?,
            rate: found.take(&rate_key)?.unwrap_or(PostRate::new(circle, author)),
            parent,
        })
    }

    fn check_unrestricted(&self, now: Time) -> Result<()> {
        match self.member.restricted_until.filter(|until| now < *until) {
            Some(until) => {
                let why = format!(
                    "you gave karma to this circle, so you cannot post or comment in it for 48 hours. You can write \
                     in it again at {until}."
                );
                Err(Error::Forbidden(why.into()))
            }
            None => Ok(()),
        }
    }

    fn post(&self, app: &App, content: Content, now: Time) -> CirclePost {
        let kind = if self.parent.is_some() { CirclePostKind::Comment } else { CirclePostKind::Post };
        let new = (app.ids.next(now), self.member.circle, kind);
        CirclePost::new(new, &self.author, content, now).with_parent(self.parent.as_ref())
    }
}

/// Returns the writes of a new post. Pass `parent` only if a different user wrote the parent. The writes then publish
/// an event that notifies this user.
fn create_writes(post: &CirclePost, parent: Option<&CirclePost>, count_write: Write) -> Vec<Write> {
    let log = Action::on_post(post.author, ActionType::PostCreated, post.id, post.created_at).log_write();
    let log = then_preview(log.then(&JudgeJob::Judge { post: post.id }), post);
    let log = if parent.is_some() { log.then_publish(&post.commented_event()) } else { log };
    let last_post = energy::last_post_write(post.circle, post.created_at);
    let mut writes = vec![Write::create(post), count_write, log, last_post];
    if post.kind == CirclePostKind::Post {
        writes.push(quests::first_post_write(post.author, post.id, post.created_at));
    }
    writes
}
