//! Operations on a post by its ID. The post may be inside or outside of circles.

use std::sync::OnceLock;

use base::{PostId, UserId};
use ledger::action_log::{Action, ActionType};
use people::mutes;
use platform::{App, Error, Once, Result, Write, retry_on_conflict};
use posts::{Deleted, Edit, PostView, ThreadMuteRequest, ThreadMuted};
use serde::Serialize;
use utoipa::ToSchema;

use super::{
    CirclePost, CirclePostKind, CirclePostView, JudgeJob, find, preview::changed_preview_write,
    uncount::uncount_write,
};
use crate::{Permission, permissions, withdraw_comment_write};

const NOT_IN_CIRCLES: &str = "must be omitted for a post in a circle";
const NOT_AUTHOR: &str = "this post is not yours";
const TOO_OLD: &str = "a judged post can be edited only within 15 minutes after it was written";
const OF_CPR: &str = "the post of a CPR cannot be edited or deleted";

/// A post outside of circles, or a post or comment in a circle. `kind` says which.
#[derive(Clone, Debug, Serialize, ToSchema)]
#[schema(as = AnyPost, discriminator(property_name = "kind", mapping(
    ("POST" = "#/components/schemas/Post"),
    ("CIRCLE_POST" = "#/components/schemas/CirclePost"),
)))]
#[serde(untagged)]
pub enum AnyPostView {
    /// A post outside of circles.
    Post(Box<PostView>),
    /// A post or comment in a circle.
    CirclePost(Box<CirclePostView>),
}

/// Returns a post as the viewer sees it.
///
/// # Errors
/// Fails with [`Error::NotFound`] if the post does not exist or its circle is dead.
pub async fn detail(app: &App, viewer: Option<UserId>, id: PostId) -> Result<AnyPostView> {
    match posts::detail(app, viewer, id).await {
        Err(Error::NotFound(_)) => find_in_living(app, id).await.map(AnyPostView::from),
        post => post.map(AnyPostView::from),
    }
}

/// Edits the caller's own post.
///
/// Has no effect if no field changes. In a circle, only the text can be edited. The judge then judges the new text.
///
/// # Errors
/// Fails as [`posts::edit`] does. In a circle, also fails:
///
/// - with [`Error::Forbidden`] for the post of a CPR, and if the caller is no longer a member.
/// - with [`Error::Forbidden`] for a judged post that is older than 15 minutes.
/// - with [`Error::Invalid`] if a field other than the text is set.
pub async fn edit(app: &App, caller: UserId, id: PostId, edit: Edit) -> Result<AnyPostView> {
    edit.check_not_empty()?;
    match posts::edit(app, caller, id, edit.clone()).await {
        Err(Error::NotFound(_)) => edit_in_circle(app, caller, id, edit).await.map(AnyPostView::from),
        post => posts::view(app, Some(caller), post?).await.map(AnyPostView::from),
    }
}

/// Deletes the caller's own post. The owner and administrators of a circle can delete all its posts. A comment that is
/// deleted before the end of a CPR does not count for the CPR.
///
/// # Errors
/// Fails as [`posts::delete`] does, and with [`Error::Forbidden`] for the post of a CPR.
pub async fn delete(app: &App, caller: UserId, id: PostId, once: &Once) -> Result<Deleted> {
    match posts::delete(app, caller, id, once).await {
        Err(Error::NotFound(_)) => delete_in_circle(app, caller, id, once).await,
        deleted => deleted,
    }
}

/// Mutes or unmutes the thread of a post.
///
/// # Errors
/// Fails with [`Error::NotFound`] if the post does not exist, the user may not read it, or its circle is dead.
pub async fn mute_thread(
    app: &App,
    user: UserId,
    id: PostId,
    request: ThreadMuteRequest,
    once: &Once,
) -> Result<ThreadMuted> {
    match posts::mute_thread(app, user, id, request, once).await {
        Err(Error::NotFound(_)) => mute_in_circle(app, user, id, request, once).await,
        muted => muted,
    }
}

async fn mute_in_circle(
    app: &App,
    user: UserId,
    id: PostId,
    request: ThreadMuteRequest,
    once: &Once,
) -> Result<ThreadMuted> {
    once.run(app, user, async || {
        let first = find_in_living(app, id).await?.first_of_thread();
        let (writes, is_muted) = mutes::thread_writes(app, user, first, request.is_muted).await?;
        Ok((writes, ThreadMuted { is_muted }))
    })
    .await
}

/// Returns a post or comment in a living circle.
///
/// # Errors
/// Fails with [`Error::NotFound`] if the post does not exist or its circle is dead.
pub async fn find_in_living(app: &App, id: PostId) -> Result<CirclePost> {
    let post = find(app, id).await?;
    crate::find(app, post.circle).await.map(|_| post)
}

async fn edit_in_circle(app: &App, caller: UserId, id: PostId, edit: Edit) -> Result<CirclePost> {
    let content = match edit {
        Edit { content: Some(content), visibility: None, sensitive: None, spoiler: None } => content,
        Edit { sensitive: Some(_), .. } => return Err(Error::invalid("sensitive", NOT_IN_CIRCLES)),
        Edit { spoiler: Some(_), .. } => return Err(Error::invalid("spoiler", NOT_IN_CIRCLES)),
        _ => return Err(Error::invalid("visibility", NOT_IN_CIRCLES)),
    };
    retry_on_conflict(async || {
        let before = find(app, id).await?;
        check_changeable(&before)?;
        if before.author != caller {
            return Err(Error::Forbidden(NOT_AUTHOR.into()));
        }
        let granted = permissions::require(app, before.circle, caller, Permission::Write).await?;
        if before.content == content {
            return Ok(before);
        }
        if !before.is_editable(app.now()) {
            return Err(Error::Forbidden(TOO_OLD.into()));
        }
        let after = before.with_text(content.clone(), app.now());
        let preview = changed_preview_write(app, &before, &after);
        let writes = [edit_write(&before, &after)].into_iter().chain(preview).collect();
        granted.commit(app, writes).await.map(|()| after)
    })
    .await
}

/// Returns the write that stores the new text and sends a new judge job. A later verdict on the old text is ignored.
fn edit_write(before: &CirclePost, after: &CirclePost) -> Write {
    let write = after.edit_write();
    // If the link is the same, keep the preview. A worker may have written the preview after the post was read.
    let write = if before.has_same_link(&after.content) { write } else { write.remove("preview") };
    write.then(&JudgeJob::Judge { post: after.id })
}

async fn delete_in_circle(app: &App, caller: UserId, id: PostId, once: &Once) -> Result<Deleted> {
    let circle = OnceLock::new();
    let deleted = once.run(app, caller, async || {
        let now = app.now();
        let post = find(app, id).await?;
        circle.get_or_init(|| post.circle);
        check_changeable(&post)?;
        let uncount = uncount_write(app, &post).await?;
        let check_write = match post.author == caller {
            true => Action::on_post(caller, ActionType::PostDeleted, id, now).log_write(),
            false => {
                let granted = permissions::require(app, post.circle, caller, Permission::RemovePosts).await?;
                granted.check_role_write()
            }
        };
        let writes = [post.delete_write(now), check_write].into_iter().chain(uncount);
        let writes = writes.chain(withdraw_comment_write(app, &post)).collect();
        Ok((writes, Deleted { public_id: id, is_deleted: true, deleted_at: now }))
    });
    let deleted = deleted.await;
    if let (Err(Error::Forbidden(_)), Some(circle)) = (&deleted, circle.get()) {
        permissions::invalidate(app, caller, *circle);
    }
    deleted
}

/// Checks that the post is not the post of a CPR. No user can change that post, because its comments decide the CPR.
fn check_changeable(post: &CirclePost) -> Result<()> {
    match post.kind {
        CirclePostKind::Cpr => Err(Error::Forbidden(OF_CPR.into())),
        _ => Ok(()),
    }
}

impl From<PostView> for AnyPostView {
    fn from(post: PostView) -> Self {
        Self::Post(Box::new(post))
    }
}

impl From<CirclePost> for AnyPostView {
    fn from(post: CirclePost) -> Self {
        Self::CirclePost(Box::new(post.into()))
    }
}
