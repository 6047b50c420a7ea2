//! `/me/drafts`: drafts and scheduled posts.

use axum::extract::State;
use domain::{
    DraftId,
    posts::drafts::{self, DraftDeleted, DraftEdit, DraftView},
};
use platform::{App, Cursor};
use runtime::{Caller, Empty, Envelope, Input, List, ListEnvelope, Path, Query, Reply, Respond, RespondList};

/// Create a draft
///
/// The body has the same fields as a new post. A reply also has `parentPublicId`, and a quote has `originPublicId`.
/// Only the author can see a draft. A draft with `publishAt` is published as a new post, with a new ID, within a minute
/// after that time. If publishing fails, the draft stays without `publishAt`, and `publishError` gives the reason. The
/// author gets a notification of type `MODERATION` with the target type `DRAFT` and the draft's ID. Publishing fails if
/// the account is banned, or if the parent or the original was deleted. It also fails if the author may no longer reply
/// to the parent or quote the original. Publishing also fails if a file of the draft is already used in too many posts.
///
/// A user can have at most 100 drafts, including at most 50 with `publishAt`. Creating one more returns 400.
#[utoipa::path(post, path = "/me/drafts", tag = "posts", extensions(("x-status" = json!("extension"))),
    security(("bearer" = []), ("token" = ["write:posts"])),
    request_body(content = DraftEdit, example = json!({"content": "Hello #world", "publishAt": null})),
    responses((status = 201, body = Envelope<DraftView>)))]
pub(crate) async fn create_draft(
    State(app): State<App>,
    caller: Caller,
    draft: Input<DraftEdit>,
) -> Respond<DraftView> {
    let saved = drafts::create(&app, caller.id, draft.body, &draft.once).await?;
    Ok(Reply::created(saved.into()))
}

/// List the caller's drafts
///
/// Returns all drafts, newest first, including drafts with `publishAt`. Published drafts are omitted.
#[utoipa::path(get, path = "/me/drafts", tag = "posts", extensions(("x-status" = json!("extension"))),
    security(("bearer" = []), ("token" = ["read"])), params(Cursor<DraftId>),
    responses((status = 200, body = ListEnvelope<DraftView>)))]
pub(crate) async fn list_drafts(
    State(app): State<App>,
    caller: Caller,
    Query(cursor): Query<Cursor<DraftId>>,
) -> RespondList<DraftView> {
    Ok(List(drafts::list(&app, caller.id, cursor).await?))
}

/// Read a draft
///
/// Only the author can read a draft. `publishError` is the reason why scheduled publishing failed.
#[utoipa::path(get, path = "/me/drafts/{id}", tag = "posts", extensions(("x-status" = json!("extension"))),
    security(("bearer" = []), ("token" = ["read"])), params(("id" = DraftId, Path,)),
    responses((status = 200, body = Envelope<DraftView>)))]
pub(crate) async fn get_draft(
    State(app): State<App>,
    caller: Caller,
    Path(id): Path<DraftId>,
) -> Respond<DraftView> {
    Ok(Reply::ok(drafts::find(&app, caller.id, id).await?.into()))
}

/// Edit a draft
///
/// Changes the fields in the body. `publishAt: null` cancels scheduled publishing. An edit clears `publishError`.
#[utoipa::path(patch, path = "/me/drafts/{id}", tag = "posts", extensions(("x-status" = json!("extension"))),
    security(("bearer" = []), ("token" = ["write:posts"])), params(("id" = DraftId, Path,)),
    request_body(content = DraftEdit, example = json!({"content": "Hello again #world"})),
    responses((status = 200, body = Envelope<DraftView>)))]
pub(crate) async fn edit_draft(
    State(app): State<App>,
    caller: Caller,
    Path(id): Path<DraftId>,
    Input { body: edit, .. }: Input<DraftEdit>,
) -> Respond<DraftView> {
    Ok(Reply::ok(drafts::edit(&app, caller.id, id, edit).await?.into()))
}

/// Delete a draft
///
/// Returns 404 if the draft does not exist or was published.
#[utoipa::path(delete, path = "/me/drafts/{id}", tag = "posts", extensions(("x-status" = json!("extension"))),
    security(("bearer" = []), ("token" = ["write:posts"])), params(("id" = DraftId, Path,)),
    responses((status = 200, body = Envelope<DraftDeleted>)))]
pub(crate) async fn delete_draft(
    State(app): State<App>,
    caller: Caller,
    Path(id): Path<DraftId>,
    Input { once, .. }: Input<Empty>,
) -> Respond<DraftDeleted> {
    Ok(Reply::ok(drafts::delete(&app, caller.id, id, &once).await?))
}
