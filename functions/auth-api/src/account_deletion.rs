//! `/auth/me` and `/auth/export`: deleting the account, and exporting its data.

use axum::{extract::State, response::Redirect};
use domain::deletion::{self, AccountDeletion, ExportLink, ExportView, Leave};
use platform::App;
use runtime::{
    anonymous_client::AnonymousClient,
    caller::Caller,
    error::Result,
    http::{Body, Envelope, Path, Reply, Respond, Site},
};

/// Delete the caller's account
///
/// Signing in becomes impossible immediately. All sessions end, and the profile returns 404. Posts, replies, message
/// texts, likes, follows, requests and memberships disappear from lists within minutes. Rows and files are erased
/// within a day, and data that expires by itself within 30 days. Counts of other users' posts stay exact.
///
/// Some rows stay without personal data, because others depend on them. These are a deleted post's ID and counts, an
/// empty message, and an audit log entry. A circle goes to its longest-standing ADMIN, or else to its longest-standing
/// member. A message group goes to its longest-standing member. The username is reserved for 30 days. The email address
/// is free immediately.
///
/// A wrong password returns 400. So does a wrong `code` if the account has a second factor. Both count as failed
/// sign-in attempts. A SUPER_ADMIN gets 403.
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
    let deleted = deletion::delete_account(&app, caller.id, request, &device).await?;
    Ok(Reply::accepted(deleted).message("the account has been deleted"))
}

/// Request an export of the caller's data
///
/// A worker creates the files within minutes. `GET /auth/export` returns links to them. The data are gzipped JSON
/// lines, each `{"kind": …, "data": …}`. They contain everything that the service stores about the user. Uploaded files
/// come as tar archives, processed as they are shown, each named after its upload ID. Requesting again while an export
/// is pending has no effect. The limit is two exports a day.
#[utoipa::path(post, path = "/auth/export", tag = "auth", extensions(("x-status" = json!("extension"))),
    security(("bearer" = [])), responses((status = 202, body = Envelope<ExportView>)))]
pub(crate) async fn request_export(State(app): State<App>, caller: Caller) -> Respond<ExportView> {
    Ok(Reply::accepted(deletion::request_export(&app, caller.id).await?))
}

/// Get the status of the caller's export
///
/// `status` is `NONE`, `PENDING` or `READY`. The files are available for 7 days, until `expiresAt`. `url` is the link
/// to the data, `files` are the links to the archives. Anyone who has a link can download its file.
#[utoipa::path(get, path = "/auth/export", tag = "auth", extensions(("x-status" = json!("extension"))),
    security(("bearer" = [])), responses((status = 200, body = Envelope<ExportView>)))]
pub(crate) async fn get_export(
    State(app): State<App>,
    caller: Caller,
    Site(site): Site,
) -> Respond<ExportView> {
    Ok(Reply::ok(deletion::find_export(&app, caller.id, &site).await?))
}

/// Download a file of an export
///
/// Redirects to an address that is valid for 15 minutes. The link is valid while the file exists. A later export, or
/// deleting the account, invalidates it. It requires no sign-in, so a browser can follow it.
#[utoipa::path(get, path = "/auth/export/{link}", tag = "auth", extensions(("x-status" = json!("extension"))),
    params(("link" = String, Path, description = "Last segment of a link from `GET /auth/export`")),
    responses(
        (status = 307, description = "The file is at `location`",
            headers(("location" = String, description = "Address of the file"))),
        (status = 404, description = "`NOT_FOUND`: the file does not exist or has expired")))]
pub(crate) async fn download_export(
    State(app): State<App>,
    client: AnonymousClient,
    Path(link): Path<ExportLink>,
) -> Result<Redirect> {
    client.rate_limit(&app, "export", &link.owner().to_string()).await?;
    Ok(Redirect::temporary(&deletion::download_url(&app, &link).await?))
}
