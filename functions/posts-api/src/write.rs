//! Writing, editing and deleting posts.

use axum::extract::State;
use domain::{
    PostId,
    circles::posts::by_id::{self, AnyPostView},
    posts::{self, Deleted, Edit, PostDraft, PostView, QuoteDraft, ReplyDraft},
};
use platform::App;
use runtime::{Caller, Empty, Envelope, Input, Path, Reply, Respond};

/// Write a post
///
/// The post's topic is the field `topic`, or else the first hashtag in the content. `mentions` accepts usernames, public
/// IDs and internal IDs. In the response, `mentions` contains public IDs.
#[utoipa::path(post, path = "/posts", tag = "posts", extensions(("x-status" = json!("live"))),
    security(("bearer" = []), ("token" = ["write:posts"])),
    request_body(content = PostDraft, example = json!({"content": "Hello #world"})),
    responses((status = 201, body = Envelope<PostView>)))]
pub(crate) async fn create_post(
    State(app): State<App>,
    caller: Caller,
    draft: Input<PostDraft>,
) -> Respond<PostView> {
    let post = posts::create(&app, caller.id, draft.body, &draft.once).await?;
    Ok(Reply::created(posts::view_of_new(&app, post).await?))
}

/// Edit a post
///
/// Only the author can edit a post. The body has at least one field. An edit that changes nothing has no effect and
/// adds no version. A topic that was a hashtag in the content changes with the content. Mentions do not change. `GET
/// /posts/{publicId}/history` lists earlier versions. A repost cannot be edited.
///
/// In a circle, members can edit only the `content` of their own posts and comments. A body with `visibility` returns
/// 400. Earlier versions are not kept. A post that has not been judged yet is judged by its new text. A judged post can
/// be edited for 15 minutes after it was written. Later edits return 403. The new text is judged again, which can only
/// lower the score: the circle then loses the difference of HP and EXP. Progress in quests does not change.
#[utoipa::path(patch, path = "/posts/{publicId}", tag = "posts", extensions(("x-status" = json!("live"))),
    security(("bearer" = []), ("token" = ["write:posts"])), params(("publicId" = PostId, Path,)),
    request_body(content = Edit, example = json!({"content": "Hello again #world"})),
    responses((status = 200, body = Envelope<AnyPostView>)))]
pub(crate) async fn edit_post(
    State(app): State<App>,
    caller: Caller,
    Path(id): Path<PostId>,
    Input { body: edit, .. }: Input<Edit>,
) -> Respond<AnyPostView> {
    Ok(Reply::ok(by_id::edit(&app, caller.id, id, edit).await?))
}

/// Delete a post
///
/// Only the author can delete a post. In a circle, the OWNER and ADMINs can also delete it. The post is removed from
/// lists and counts and can no longer be read. A post that was written for a CPR cannot be edited or deleted.
#[utoipa::path(delete, path = "/posts/{publicId}", tag = "posts", extensions(("x-status" = json!("live"))),
    security(("bearer" = []), ("token" = ["write:posts"])), params(("publicId" = PostId, Path,)),
    responses((status = 200, body = Envelope<Deleted>)))]
pub(crate) async fn delete_post(
    State(app): State<App>,
    caller: Caller,
    Path(id): Path<PostId>,
    Input { once, .. }: Input<Empty>,
) -> Respond<Deleted> {
    Ok(Reply::ok(by_id::delete(&app, caller.id, id, &once).await?))
}

/// Reply to a post
///
/// Returns 403 if the parent's `replyPermission` excludes the caller. The parent's author can always reply.
#[utoipa::path(post, path = "/posts/{publicId}/reply", tag = "posts", extensions(("x-status" = json!("live"))),
    security(("bearer" = []), ("token" = ["write:posts"])), params(("publicId" = PostId, Path,)),
    request_body(content = ReplyDraft, example = json!({"content": "Well said"})),
    responses((status = 201, body = Envelope<PostView>)))]
pub(crate) async fn create_reply(
    State(app): State<App>,
    caller: Caller,
    Path(parent): Path<PostId>,
    draft: Input<ReplyDraft>,
) -> Respond<PostView> {
    let post = posts::reply(&app, caller.id, parent, draft.body, &draft.once).await?;
    Ok(Reply::created(posts::view_of_new(&app, post).await?))
}

/// Repost a post
///
/// The request has no body. Reposting the same post again returns 200 with the existing repost. Reposting a repost
/// reposts its original.
#[utoipa::path(post, path = "/posts/{publicId}/repost", tag = "posts", extensions(("x-status" = json!("live"))),
    security(("bearer" = []), ("token" = ["write:posts"])), params(("publicId" = PostId, Path,)),
    responses((status = 201, body = Envelope<PostView>),
        (status = 200, description = "The caller had already reposted the post. Returns the existing repost.", body = Envelope<PostView>)))]
pub(crate) async fn create_repost(
    State(app): State<App>,
    caller: Caller,
    Path(origin): Path<PostId>,
    Input { once, .. }: Input<Empty>,
) -> Respond<PostView> {
    let reposted = posts::repost(&app, caller.id, origin, &once).await?;
    let view = posts::view(&app, Some(caller.id), reposted.post).await?;
    Ok(if reposted.is_earlier { Reply::ok(view) } else { Reply::created(view) })
}

/// Quote a post
///
/// The body has the same fields as a new post. Quoting a repost quotes its original.
#[utoipa::path(post, path = "/posts/{publicId}/quote", tag = "posts", extensions(("x-status" = json!("live"))),
    security(("bearer" = []), ("token" = ["write:posts"])), params(("publicId" = PostId, Path,)),
    request_body(content = QuoteDraft, example = json!({"content": "Read this"})),
    responses((status = 201, body = Envelope<PostView>)))]
pub(crate) async fn create_quote(
    State(app): State<App>,
    caller: Caller,
    Path(origin): Path<PostId>,
    draft: Input<QuoteDraft>,
) -> Respond<PostView> {
    let post = posts::quote(&app, caller.id, origin, draft.body, &draft.once).await?;
    Ok(Reply::created(posts::view_of_new(&app, post).await?))
}
