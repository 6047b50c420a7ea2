//! `/auth/me` and `/auth/export`: leaving, and taking along what is kept.

use axum::extract::State;
use domain::leaving::{self, AccountDeletion, ExportView, Leave};
use platform::App;
use runtime::{
    anonymous_client::AnonymousClient,
    caller::Caller,
    http::{Body, Envelope, Reply, Respond},
};

/// Delete one's own account
///
/// From that moment nobody can sign in to it, all its sessions have ended, and the profile answers 404. Posts, replies, the
/// text of messages, likes, follows, requests and memberships are gone from lists within minutes, rows and files within a
/// day, and what expires by itself within 30 days; counts of others stay exact. What others hang on stays without the
/// person: a deleted post's id and counts, an empty message, an administrator's entry in the log. A circle goes to its
/// eldest administrator, else to its eldest member; a message group to its eldest member. Nobody can take the username for
/// 30 days; the e-mail is free at once. A wrong password answers 400, as does a wrong `code` where the account has a second
/// factor; both count as failed tries to sign in. A SUPER_ADMIN answers 403.
#[utoipa::path(delete, path = "/auth/me", tag = "auth", extensions(("x-status" = json!("extension"))),
    security(("bearer" = [])),
    request_body(content = Leave, example = json!({ "password": "correct horse battery" })),
    responses((status = 202, body = Envelope<AccountDeletion>)))]
pub(crate) async fn delete_account(
    State(app): State<App>,
    AnonymousClient(device): AnonymousClient,
    caller: Caller,
    Body(request): Body<Leave>,
) -> Respond<AccountDeletion> {
    let deleted = leaving::leave(&app, caller.id, request, &device).await?;
    Ok(Reply::accepted(deleted).message("the account is deleted"))
}

/// Ask for all that is kept of oneself
///
/// A worker makes one file within minutes, which `GET /auth/export` then leads to: all that the person wrote, did and is
/// tied to, and all that is kept of them, as lines of JSON packed with gzip, each `{"kind": …, "data": …}`. Files that were
/// uploaded are listed with their addresses. While one is being made, another request starts no other; two a day are made.
#[utoipa::path(post, path = "/auth/export", tag = "auth", extensions(("x-status" = json!("extension"))),
    security(("bearer" = [])), responses((status = 202, body = Envelope<ExportView>)))]
pub(crate) async fn request_export(State(app): State<App>, caller: Caller) -> Respond<ExportView> {
    Ok(Reply::accepted(leaving::request(&app, caller.id).await?))
}

/// Ask where one's export is
///
/// `status` is `NONE`, `PENDING` or `READY`. The file can be had for 7 days after it was made, until `expiresAt`; each
/// `url` is good for 15 minutes, and each answer has a new one.
#[utoipa::path(get, path = "/auth/export", tag = "auth", extensions(("x-status" = json!("extension"))),
    security(("bearer" = [])), responses((status = 200, body = Envelope<ExportView>)))]
pub(crate) async fn get_export(State(app): State<App>, caller: Caller) -> Respond<ExportView> {
    Ok(Reply::ok(leaving::find(&app, caller.id).await?))
}
