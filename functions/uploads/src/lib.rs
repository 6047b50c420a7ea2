//! `/upload`: requesting the address for an upload.

use axum::extract::State;
use domain::media::uploads::{self, Ticket, UploadDraft};
use platform::App;
use runtime::{
    caller::Caller,
    http::{Create, Envelope, Reply, Respond},
};
use utoipa_axum::{router::OpenApiRouter, routes};

/// The routes of this function.
pub fn routes() -> OpenApiRouter<App> {
    OpenApiRouter::new().routes(routes!(begin_upload))
}

/// Request an address to upload a file
///
/// Returns an address for one PUT of exactly this file. Its type and its length are signed, and that there is no
/// file yet: send them as the `headers` say. A second PUT answers 412. Images up to 10 MiB, videos up to 200 MiB. `id`, `key` and `url` then go into a
/// post's `media`.
#[utoipa::path(post, path = "/upload", tag = "uploads", extensions(("x-status" = json!("live"))),
    security(("bearer" = []), ("token" = ["write:posts"])),
    request_body(content = UploadDraft,
        example = json!({"filename": "cat.jpg", "contentType": "image/jpeg", "size": 48213})),
    responses((status = 201, body = Envelope<Ticket>)))]
async fn begin_upload(State(app): State<App>, caller: Caller, draft: Create<UploadDraft>) -> Respond<Ticket> {
    Ok(Reply::created(uploads::begin(&app, caller.id, draft.body, &draft.once).await?))
}
