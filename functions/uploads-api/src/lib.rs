//! `/upload`: upload URLs, and the status of uploads.

use axum::extract::State;
use domain::{
    UploadId,
    uploads::{self, Ticket, UploadDraft, UploadView},
};
use platform::App;
use runtime::{Caller, Envelope, Input, Path, Reply, Respond, Routes, routes};

/// Returns this Lambda function's HTTP routes.
pub fn routes() -> Routes {
    routes![begin_upload, get_upload]
}

/// Request a URL to upload a photo or a video
///
/// Returns a URL for one PUT of this file. Send the returned `headers` unchanged, because the signature covers the content
/// type and the length. A second PUT returns 412 or has no effect. Images can have up to 10 MiB and 60
/// megapixels (JPEG, PNG, GIF, WebP). Videos can have up to 200 MiB (MP4, QuickTime, WebM).
///
/// The file is processed within seconds. `GET /upload/{id}` returns the status. An image gets three sizes: `large`,
/// `medium` and `small`. Their areas are at most 2,048 × 2,048, 960 × 960 and 320 × 320 pixels. An image is turned
/// upright, and its metadata, such as the location, is removed. An image may have a different format than its
/// `contentType`. Everything except picture and sound is removed from a video, for example metadata and captions. A
/// video is refused if its type differs from `contentType`.
///
/// An animated GIF, PNG or WebP image stays animated: `url` is the animation, and `still` is its first frame. An
/// animation can have up to 1,000 frames, 4,194,304 pixels per frame and 300 million pixels in all frames. If it has
/// more, or if a frame is damaged, only the first frame is shown.
///
/// The upload's `id` can be used in a post's `media` immediately. The post shows the file once the file is ready. A
/// file that no post, profile or message group uses within a day is deleted.
#[utoipa::path(post, path = "/upload", tag = "uploads", extensions(("x-status" = json!("live"))),
    security(("bearer" = []), ("token" = ["write:posts"])),
    request_body(content = UploadDraft,
        example = json!({"filename": "cat.jpg", "contentType": "image/jpeg", "size": 48213})),
    responses((status = 201, body = Envelope<Ticket>)))]
async fn begin_upload(State(app): State<App>, caller: Caller, draft: Input<UploadDraft>) -> Respond<Ticket> {
    Ok(Reply::created(uploads::begin(&app, caller.id, draft.body, &draft.once).await?))
}

/// Get one of the caller's uploads
///
/// `status` is `PENDING` until the file has been uploaded and processed. The status of an image is then `READY`, or
/// `REFUSED` with a `reason`. The status of a video is then `PROCESSING`, until the video provider reports that the
/// video is ready or failed. A video can be played while it is `PROCESSING`. While a post is deleted by moderators, its
/// files are `REFUSED`.
#[utoipa::path(get, path = "/upload/{id}", tag = "uploads", extensions(("x-status" = json!("extension"))),
    security(("bearer" = []), ("token" = ["read"])),
    params(("id" = UploadId, Path,)),
    responses((status = 200, body = Envelope<UploadView>),
        (status = 404, description = "`NOT_FOUND`: the upload does not exist or belongs to another user")))]
async fn get_upload(State(app): State<App>, caller: Caller, Path(id): Path<UploadId>) -> Respond<UploadView> {
    Ok(Reply::ok(uploads::view(&app, uploads::find_own(&app, caller.id, id).await?)?))
}
