//! `/upload`: requesting the address for an upload, and what became of it.

use axum::extract::State;
use domain::{
    ids::UploadId,
    uploads::{self, Ticket, UploadDraft, UploadView},
};
use platform::App;
use runtime::{
    caller::Caller,
    http::Routes,
    http::{Create, Envelope, Path, Reply, Respond},
    routes,
};

/// The routes of this function.
pub fn routes() -> Routes {
    routes![begin_upload, get_upload,]
}

/// Request an address to upload a file
///
/// Returns an address for one PUT of exactly this file. Its type and its length are signed, and that there is no
/// file yet: send them as the `headers` say. A second PUT answers 412 or changes nothing. Images up to 10 MiB and 60
/// megapixels (JPEG, PNG, WebP, and GIF, of which the first frame is shown), videos up to 200 MiB (MP4, QuickTime, WebM).
///
/// The file is looked at within seconds: `GET /upload/{id}` tells. An image is shown in three sizes, `large`, `medium`
/// and `small` (the longer side at most 2,048, 960 and 320 pixels), the right way up and without anything else that the
/// file says, such as where it was taken. Of a video only the pictures and sounds are shown: where and when it was taken
/// goes, and so do captions. A file of another type than `contentType` is refused.
///
/// The upload's `id` goes into a post's `media` at once; the post shows the file when it is ready. What no post and no
/// profile uses within a day is removed.
#[utoipa::path(post, path = "/upload", tag = "uploads", extensions(("x-status" = json!("live"))),
    security(("bearer" = []), ("token" = ["write:posts"])),
    request_body(content = UploadDraft,
        example = json!({"filename": "cat.jpg", "contentType": "image/jpeg", "size": 48213})),
    responses((status = 201, body = Envelope<Ticket>)))]
async fn begin_upload(State(app): State<App>, caller: Caller, draft: Create<UploadDraft>) -> Respond<Ticket> {
    Ok(Reply::created(uploads::begin(&app, caller.id, draft.body, &draft.once).await?))
}

/// Get one of your uploads
///
/// `status` is `PENDING` until the file was uploaded and looked at; then an image is `READY` or, with a `reason`,
/// `REFUSED`. A video is `PROCESSING`, and its pictures and sounds are shown, until the video provider has told that it is
/// ready, or that it failed.
#[utoipa::path(get, path = "/upload/{id}", tag = "uploads", extensions(("x-status" = json!("extension"))),
    security(("bearer" = []), ("token" = ["read"])),
    params(("id" = UploadId, Path,)),
    responses((status = 200, body = Envelope<UploadView>),
        (status = 404, description = "there is no such upload, or it is somebody else's")))]
async fn get_upload(State(app): State<App>, caller: Caller, Path(id): Path<UploadId>) -> Respond<UploadView> {
    Ok(Reply::ok(uploads::view(&app, uploads::find_own(&app, caller.id, id).await?)?))
}
