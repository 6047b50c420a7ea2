//! `/auth/me` and `/auth/export`: deleting the account, and exporting its data.

use axum::{extract::State, response::Redirect};
use domain::{
    accounts::Proof,
    deletion::{self, AccountDeletion, ExportLink, ExportView, Leave},
};
use platform::App;
use runtime::{
    AnonymousClient, Caller, Envelope, Input, Path, Reply, Respond, Result, SessionEnding, http::Site,
};

/// Delete the caller's account
///
/// The user can no longer sign in. All sessions end immediately, and the profile returns 404. The user's posts,
/// replies, message texts, likes, follows, requests and memberships disappear from lists within minutes. Rows and files
/// are erased within a day. Some data expires within 30 days instead. The counts of other users' posts stay exact.
///
/// Some rows stay without personal data, because other rows depend on them. Examples are the ID and counts of a deleted
/// post, an empty message, and an audit log entry. In each circle that the user owned, the longest-standing ADMIN
/// becomes the owner, or else the longest-standing member. In each message group that the user owned, the
/// longest-standing member becomes the owner. The username stays reserved for 30 days. The email address becomes
/// available immediately.
///
/// Returns 400 for a wrong password, and for a wrong `code` if the account has a second factor. A wrong password or
/// code counts as a failed sign-in attempt. Returns 403 for a SUPER_ADMIN.
#[utoipa::path(delete, path = "/auth/me", tag = "auth", extensions(("x-status" = json!("extension"))),
    security(("bearer" = [])),
    request_body(content = Leave, example = json!({ "password": "correct horse battery" })),
    responses((status = 202, body = Envelope<AccountDeletion>)))]
pub(crate) async fn delete_account(
    State(app): State<App>,
    AnonymousClient(device): AnonymousClient,
    SessionEnding { id, input }: SessionEnding<Leave>,
) -> Respond<AccountDeletion> {
    let deleted = deletion::delete_account(&app, id, input.body, &device, &input.once).await?;
    Ok(Reply::accepted(deleted).message("the account has been deleted"))
}

/// Request an export of the caller's data
///
/// A worker creates the files within minutes. `GET /auth/export` returns links to the files. The data file has gzipped
/// JSON lines of the form `{"kind": …, "data": …}`. The lines contain everything that the service stores about the
/// user, except moderation cases and the content of posts that moderation deleted. Tar archives contain the processed
/// versions of the user's uploads. In an archive, the name of each file is the upload's ID. Requesting an export while one
/// is pending has no effect. The limit is two exports a day.
///
/// Requires a confirmed email address, and the password or a code. The user gets an email.
#[utoipa::path(post, path = "/auth/export", tag = "auth", extensions(("x-status" = json!("extension"))),
    security(("bearer" = [])),
    request_body(content = Proof, example = json!({ "password": "correct horse battery" })),
    responses((status = 202, body = Envelope<ExportView>)))]
pub(crate) async fn request_export(
    State(app): State<App>,
    caller: Caller,
    AnonymousClient(device): AnonymousClient,
    Input { body: proof, once }: Input<Proof>,
) -> Respond<ExportView> {
    Ok(Reply::accepted(deletion::request_export(&app, caller.into(), proof, &device, &once).await?))
}

/// Get the status of the caller's export
///
/// `status` is `NONE`, `PENDING` or `READY`. The files are available for 7 days, until `expiresAt`. `url` is the link
/// to the data file, and `files` has the links to the archives. Anyone with a link can download the file. A new
/// password invalidates the links.
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
/// Redirects to a URL that is valid for 15 minutes. The link is valid while the file exists. A later export, a new
/// password, or the deletion of the account invalidates the link. The link requires no sign-in, so a browser can open it.
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
