//! Changing what was written: editing, deleting, hiding.

use platform::{App, Result, error::Error, table::Write, time::Time};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use super::feed_index;
use super::{Content, GONE, Post, PostType, Visibility, find, history::Version, key};
use crate::{
    ids::{PostId, UserId},
    jobs::IndexJob,
    ledger::{
        action_log::{Action, ActionType},
        statistics::{self, Count},
    },
    posts::engagements,
};

const TRIES: usize = 4;
const CHANGED: Error = Error::Conflict("the post was changed meanwhile");

/// What to change: at least one of them.
#[derive(Clone, Debug, Deserialize, ToSchema)]
#[serde(try_from = "RawEdit")]
#[schema(as = PostEdit)]
pub struct Edit {
    /// The new text.
    pub content: Option<Content>,
    /// The new visibility.
    pub visibility: Option<Visibility>,
}

#[derive(Deserialize)]
struct RawEdit {
    content: Option<Content>,
    visibility: Option<Visibility>,
}

impl TryFrom<RawEdit> for Edit {
    type Error = &'static str;

    fn try_from(RawEdit { content, visibility }: RawEdit) -> Result<Self, Self::Error> {
        let empty = content.is_none() && visibility.is_none();
        (!empty).then_some(Self { content, visibility }).ok_or("must have content or visibility")
    }
}

/// What is left of a deleted post.
#[derive(Clone, Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct Deleted {
    /// Which it was.
    pub public_id: PostId,
    /// Always true.
    pub is_deleted: bool,
    /// When.
    pub deleted_at: Time,
}

/// How a post stands after the hide route.
#[derive(Clone, Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct Hidden {
    /// Which.
    pub public_id: PostId,
    /// Whether it is now left out of lists.
    pub is_ghost: bool,
}

/// Edits the caller's own post and keeps the version before. 4 calls, 1 RRU, 14 WRU.
///
/// # Errors
/// [`Error::NotFound`], [`Error::Forbidden`] for somebody else's, [`Error::Invalid`] for a repost.
pub async fn edit(app: &App, caller: UserId, id: PostId, edit: Edit) -> Result<Post> {
    for _ in 0..TRIES {
        let before = find(app, id).await?;
        owned(&before, caller)?;
        if before.kind == PostType::Repost {
            return Err(Error::invalid("body", "a repost has nothing to edit"));
        }
        let after = edited(app, &before, &edit);
        let version = Version::of(app, &before);
        match app.table.transact(vec![edit_step(&before, &after), Write::create(&version)]).await {
            Err(Error::Conflict(_)) => continue,
            done => done?,
        }
        republish(app, &after).await?;
        return Ok(after);
    }
    Err(Error::internal(anyhow::anyhow!("a post kept changing while it was edited")))
}

/// A topic that came from the text follows the text.
fn edited(app: &App, before: &Post, edit: &Edit) -> Post {
    let mut after = before.clone();
    if let Some(content) = &edit.content {
        if before.topic == before.content.as_ref().and_then(Content::first_topic) {
            after.topic = content.first_topic();
        }
        after.content = Some(content.clone());
    }
    after.visibility = edit.visibility.unwrap_or(before.visibility);
    after.updated_at = app.now();
    after
}

fn edit_step(before: &Post, after: &Post) -> Write {
    let step = after.update().set("content", &after.content).set("visibility", after.visibility);
    let step = step.set("updatedAt", after.updated_at).set_or_remove("topic", after.topic.as_ref());
    unchanged(step.add("edits", 1), before)
}

/// Deletes the caller's own post; the row stays, lists lose it, counts go down. 3 calls, 1 RRU, up
/// to 18 WRU, and for a post of type POST 1 send.
///
/// # Errors
/// [`Error::NotFound`] also when it was deleted before; [`Error::Forbidden`] for somebody else's.
pub async fn delete(app: &App, caller: UserId, id: PostId) -> Result<Deleted> {
    for _ in 0..TRIES {
        let before = app.table.get::<Post>(&key(id)).await?.ok_or(GONE)?;
        owned(&before, caller)?;
        if before.is_deleted {
            // The first time, the message may not have been sent.
            republish(app, &before).await?;
            return Err(GONE);
        }
        let now = app.now();
        match app.table.transact(deletion(&before, now)).await {
            Err(Error::Conflict(_)) => continue,
            done => done?,
        }
        republish(app, &before).await?;
        return Ok(Deleted { public_id: id, is_deleted: true, deleted_at: now });
    }
    Err(Error::internal(anyhow::anyhow!("a post kept changing while it was deleted")))
}

/// The steps that delete a post: itself, and what is no longer so when it is gone.
pub(crate) fn deletion(before: &Post, now: Time) -> Vec<Write> {
    let after = Post { is_deleted: true, deleted_at: Some(now), ..before.clone() };
    let gone = unchanged(after.update().set("isDeleted", true).set("deletedAt", now), before);
    [gone].into_iter().chain(consequences(&after, now)).collect()
}

/// A step that hides a post by moderation, or shows it again.
pub(crate) fn hiding(before: &Post, is_hidden: bool) -> Write {
    let after = Post { is_hidden, ..before.clone() };
    unchanged(after.update().set("isHidden", is_hidden), before)
}

/// Tells the feed and the search index that a post of type POST is not what it was. 1 call, 1 send.
///
/// # Errors
/// Internal, when the message could not be sent.
pub(crate) async fn republish(app: &App, post: &Post) -> Result<()> {
    if post.kind != PostType::Post {
        return Ok(());
    }
    feed_index::bump(app, post).await;
    app.queues.send(&IndexJob::Post { post: post.id }).await
}

fn consequences(post: &Post, now: Time) -> Vec<Write> {
    let fewer = |id, count| Write::update(key(id)).add(count, -1).exists();
    let log = |kind, target| Action::on_post(post.author, kind, target, now).log();
    match (post.kind, post.parent, post.origin) {
        (PostType::Reply, Some(parent), _) => {
            vec![fewer(parent, "repliesCount"), statistics::count(post.id.random(), Count::Replies, -1)]
        }
        (PostType::Quote, _, Some(origin)) => vec![
            fewer(origin, "quotesCount"),
            engagements::update(post.author, origin).add("quotes", -1),
            log(ActionType::QuoteDeleted, origin),
            statistics::count(post.id.random(), Count::Posts, -1),
        ],
        (PostType::Repost, _, Some(origin)) => vec![
            fewer(origin, "repostsCount"),
            engagements::update(post.author, origin).remove("repost").equals("repost", post.id),
            log(ActionType::ShareDeleted, origin),
            statistics::count(post.id.random(), Count::Posts, -1),
        ],
        _ => vec![log(ActionType::PostDeleted, post.id)],
    }
}

/// Flips the global flag that leaves a post out of lists. 3 calls, 1 RRU, 8 WRU.
///
/// # Errors
/// [`Error::NotFound`]; [`Error::Invalid`] for the caller's own post.
pub async fn toggle_ghost(app: &App, caller: UserId, id: PostId) -> Result<Hidden> {
    for _ in 0..TRIES {
        let before = find(app, id).await?;
        if before.author == caller {
            return Err(Error::invalid("publicId", "must not be your own post"));
        }
        let after = Post { is_ghost: !before.is_ghost, ..before.clone() };
        let flip = unchanged(after.update().set("isGhost", after.is_ghost), &before);
        match app.table.write(flip).await {
            Err(Error::Conflict(_)) => continue,
            done => done?,
        }
        republish(app, &before).await?;
        return Ok(Hidden { public_id: id, is_ghost: after.is_ghost });
    }
    Err(Error::internal(anyhow::anyhow!("a post kept changing while it was hidden")))
}

/// Only while everything that places the post in lists is as it was read.
fn unchanged(write: Write, before: &Post) -> Write {
    let write = write.equals("isDeleted", before.is_deleted).equals("isHidden", before.is_hidden);
    write.equals("isGhost", before.is_ghost).equals("edits", before.edits).or(CHANGED)
}

fn owned(post: &Post, caller: UserId) -> Result<()> {
    let own = post.author == caller;
    own.then_some(()).ok_or(Error::Forbidden("this post is not yours".into()))
}
