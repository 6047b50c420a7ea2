//! Uploads. An upload stands for one file of a user. It has a key in the bucket, a presigned URL for the file, and the
//! file's status.

mod avatars;
mod copies;
mod file;
mod picture;
mod private;
mod row;
mod status;
mod ticket;
mod uses;
mod view;

pub use avatars::{Avatar, CopyState, NewAvatar};
pub use copies::{fetch_copy, new_page_copy};
pub use file::{Container, Kind};
pub use file::{ContentType, Filename};
pub use picture::Picture;
pub use picture::{SIDE_MAX_PIXELS, SIZES, animation_of};
pub use private::{delete_private, private_key};
pub use row::{DUE_SHARDS, due};
pub use row::{Upload, find, hidden_write, key, of_key};
pub use status::{Reason, UploadState, UploadStatus};
pub use ticket::Ticket;
pub use uses::without_post;
pub use uses::{of_url, release_picture_writes, use_write};
pub use view::{UploadView, view};

use std::time::Duration;

use base::{UploadId, UserId};
use http::Method;
use platform::{App, Bucket, Error, HOUR_SECONDS, Once, RateLimit, Result, Write};
use serde::Deserialize;
use utoipa::ToSchema;

/// Limit on uploads per user.
const UPLOADS: RateLimit = RateLimit { what: "upload", most: 200, seconds: 24 * HOUR_SECONDS };
/// Lifetime of the signed URL of a file.
const SIGNED_ADDRESS_LIFETIME: Duration = Duration::from_secs(5 * 60);
const NO_UPLOAD: Error = Error::NotFound("upload");

/// A file to upload.
#[derive(Clone, Debug, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct UploadDraft {
    /// File name.
    pub filename: Filename,
    /// Content type: a JPEG, PNG, GIF or WebP image, or an MP4, QuickTime or WebM video. The format of an image may
    /// differ from its content type.
    pub content_type: ContentType,
    /// Exact size in bytes. At most 10 MiB for an image, and 200 MiB for a video.
    #[schema(minimum = 1, maximum = 209_715_200, example = 48213)]
    pub size: u64,
}

/// Creates an upload, and returns a presigned URL for its file.
///
/// # Errors
/// Fails with [`Error::Invalid`] if the file is too large for its type. Fails with [`Error::LimitReached`] after 200
/// uploads within a day.
pub async fn begin(app: &App, owner: UserId, draft: UploadDraft, once: &Once) -> Result<Ticket> {
    draft.content_type.check(draft.size)?;
    let who = owner.to_string();
    let begun = once.run(app, owner, async || {
        once.count(app, UPLOADS, &who).await?;
        let upload = new_upload(app, owner, draft.clone());
        let writes =
            [Write::create(&upload).marked()].into_iter().chain(once.count_write(app, UPLOADS, &who));
        Ok((writes.collect(), upload))
    });
    ticket::ticket(app, begun.await?).await
}

/// Returns an upload of `owner`.
///
/// # Errors
/// Fails with [`Error::NotFound`] if the upload does not exist or belongs to another user.
pub async fn find_own(app: &App, owner: UserId, id: UploadId) -> Result<Upload> {
    find(app, id).await?.filter(|upload| upload.owner == Some(owner)).ok_or(NO_UPLOAD)
}

/// Returns the uploads in `ids` that belong to `owner`, in no particular order.
pub async fn find_all_own(app: &App, owner: UserId, ids: &[UploadId]) -> Result<Vec<Upload>> {
    let keys: Vec<_> = ids.iter().map(|id| key(*id)).collect();
    let uploads: Vec<Upload> = app.table.batch_get(&keys).await?;
    Ok(uploads.into_iter().filter(|upload| upload.owner == Some(owner)).collect())
}

/// Returns the public URL of an object key. The URL refers to the CDN if a CDN is configured, otherwise to the bucket.
///
/// # Errors
/// Fails if neither a CDN nor a bucket is configured.
pub fn address(app: &App, key: &str) -> Result<String> {
    Ok(match app.settings.files_url.as_ref() {
        Some(cdn) => format!("{cdn}/{key}"),
        None => Bucket::of_uploads(app)?.address(key),
    })
}

/// Returns a signed URL of an object in the bucket, valid for 5 minutes.
///
/// # Errors
/// Fails if no bucket is configured.
pub async fn signed_address(app: &App, key: &str) -> Result<String> {
    Bucket::of_uploads(app)?.presign(Method::GET, key, &[], SIGNED_ADDRESS_LIFETIME).await
}

fn new_upload(app: &App, owner: UserId, draft: UploadDraft) -> Upload {
    Upload { owner: Some(owner), ..new_in_folder(app, &owner.public().to_string(), draft) }
}

/// Returns a new upload without an owner. Its files are in this folder.
fn new_in_folder(app: &App, folder: &str, draft: UploadDraft) -> Upload {
    let now = app.now();
    let id: UploadId = app.ids.next(now);
    let extension = draft.content_type.extension();
    let key = match draft.content_type.kind() {
        Kind::Video(_) => format!("uploads/{folder}/{id}.{extension}"),
        Kind::Image => format!("uploads/{folder}/{id}/{}", picture::LARGE),
    };
    Upload {
        id,
        owner: None,
        filename: draft.filename,
        key,
        source: format!("incoming/{folder}/{id}.{extension}"),
        content_type: draft.content_type,
        size: draft.size,
        status: UploadStatus::Pending,
        reason: None,
        picture: None,
        playback_url: None,
        duration: None,
        uses: 0,
        posts: Vec::new(),
        picture_of: Vec::new(),
        copied_from: None,
        copy_failures: 0,
        is_hidden: false,
        created_at: now,
    }
}
