//! `/me/drafts`: drafts, and posts that are published later.

use axum::extract::State;
use domain::{
    ids::DraftId,
    posts::drafts::{self, DraftDeleted, DraftEdit, DraftView},
};
use platform::{App, page::Cursor};
use runtime::{
    caller::Caller,
    http::{Body, Create, Envelope, List, ListEnvelope, Path, Query, Reply, Respond, RespondList},
};

/// Write a draft
///
/// The body is that of a post, of a reply with `parentPublicId`, or of a quote with `originPublicId`; nobody else sees it.
/// With `publishAt` it is published within a minute of that time, as if it were written then: with a new id, and with all
/// that follows from it. What cannot be published then, because the account is banned or the post that it answers is gone,
/// stays a draft without `publishAt`, and `problem` says why. At most 100 drafts, 50 of them with `publishAt`: one more is a
/// 400.
#[utoipa::path(post, path = "/me/drafts", tag = "posts", extensions(("x-status" = json!("extension"))),
    security(("bearer" = []), ("token" = ["write:posts"])),
    request_body(content = DraftEdit, example = json!({"content": "Hello #world", "publishAt": null})),
    responses((status = 201, body = Envelope<DraftView>)))]
pub(crate) async fn create_draft(
    State(app): State<App>,
    caller: Caller,
    draft: Create<DraftEdit>,
) -> Respond<DraftView> {
    let saved = drafts::create(&app, caller.id, draft.body, &draft.once).await?;
    Ok(Reply::created(saved.into()))
}

/// List the caller's drafts
///
/// The newest first, those with `publishAt` among them. A draft that was published is gone.
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
/// Only its author sees it. `problem` says why it could not be published at its time.
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
/// Changes the fields that the body has. `publishAt: null` has it wait for its author. An edit takes `problem` away.
#[utoipa::path(patch, path = "/me/drafts/{id}", tag = "posts", extensions(("x-status" = json!("extension"))),
    security(("bearer" = []), ("token" = ["write:posts"])), params(("id" = DraftId, Path,)),
    request_body(content = DraftEdit, example = json!({"content": "Hello again #world"})),
    responses((status = 200, body = Envelope<DraftView>)))]
pub(crate) async fn edit_draft(
    State(app): State<App>,
    caller: Caller,
    Path(id): Path<DraftId>,
    Body(edit): Body<DraftEdit>,
) -> Respond<DraftView> {
    Ok(Reply::ok(drafts::edit(&app, caller.id, id, edit).await?.into()))
}

/// Delete a draft
///
/// A draft that was published is gone already: 404.
#[utoipa::path(delete, path = "/me/drafts/{id}", tag = "posts", extensions(("x-status" = json!("extension"))),
    security(("bearer" = []), ("token" = ["write:posts"])), params(("id" = DraftId, Path,)),
    responses((status = 200, body = Envelope<DraftDeleted>)))]
pub(crate) async fn delete_draft(
    State(app): State<App>,
    caller: Caller,
    Path(id): Path<DraftId>,
) -> Respond<DraftDeleted> {
    Ok(Reply::ok(drafts::delete(&app, caller.id, id).await?))
}
