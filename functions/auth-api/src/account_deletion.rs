//! `/auth/me` and `/auth/export`: leaving, and taking along what is kept.

use axum::{extract::State, response::Redirect};
use domain::deletion::{self, AccountDeletion, ExportLink, ExportView, Leave};
use platform::App;
use runtime::{
    anonymous_client::AnonymousClient,
    caller::Caller,
    error::Result,
    http::{Body, Envelope, Path, Reply, Respond, Site},
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
    let deleted = deletion::leave(&app, caller.id, request, &device).await?;
    Ok(Reply::accepted(deleted).message("the account is deleted"))
}

/// Ask for all that is kept of oneself
///
/// A worker makes the files within minutes, which `GET /auth/export` then leads to: all that the person wrote, did and is
/// tied to, and all that is kept of them, as lines of JSON packed with gzip, each `{"kind": …, "data": …}`; and archives
/// (tar) of the files that were uploaded, as they are shown, each named after its upload's id. While they are being made,
/// another request starts no other; two a day are made.
#[utoipa::path(post, path = "/auth/export", tag = "auth", extensions(("x-status" = json!("extension"))),
    security(("bearer" = [])), responses((status = 202, body = Envelope<ExportView>)))]
pub(crate) async fn request_export(State(app): State<App>, caller: Caller) -> Respond<ExportView> {
    Ok(Reply::accepted(deletion::request(&app, caller.id).await?))
}

/// Ask where one's export is
///
/// `status` is `NONE`, `PENDING` or `READY`. The files can be had for 7 days after they were made, until `expiresAt`: `url`
/// leads to the lines, `files` to the archives. Whoever has a link can follow it.
#[utoipa::path(get, path = "/auth/export", tag = "auth", extensions(("x-status" = json!("extension"))),
    security(("bearer" = [])), responses((status = 200, body = Envelope<ExportView>)))]
pub(crate) async fn get_export(
    State(app): State<App>,
    caller: Caller,
    Site(site): Site,
) -> Respond<ExportView> {
    Ok(Reply::ok(deletion::find(&app, caller.id, &site).await?))
}

/// Follow a link to one's export
///
/// Leads to the file, at an address that is good for 15 minutes. The link itself is good for as long as the file is there; a
/// later export, or the end of the account, ends it. It needs no sign-in, so that a browser can follow it.
#[utoipa::path(get, path = "/auth/export/{link}", tag = "auth", extensions(("x-status" = json!("extension"))),
    params(("link" = String, Path, description = "The end of a link of `GET /auth/export`.")),
    responses(
        (status = 307, description = "The file is at `location`.",
            headers(("location" = String, description = "The address of the file."))),
        (status = 404, description = "`NOT_FOUND`: no such file, or no longer")))]
pub(crate) async fn download_export(
    State(app): State<App>,
    client: AnonymousClient,
    Path(link): Path<ExportLink>,
) -> Result<Redirect> {
    client.rate_limit(&app, "export", &link.owner().to_string()).await?;
    Ok(Redirect::temporary(&deletion::follow(&app, &link).await?))
}
