//! Copies of pictures from other servers. Clients load only the copy, so other servers learn nothing about readers.

use std::time::Duration;

use base::ids::{UploadId, UserId};
use http::{
    HeaderMap, HeaderValue,
    header::{ACCEPT, USER_AGENT},
};
use platform::{App, Result, fetches::may_fetch, guarded::Limits, objects::Bucket, outcomes};

use super::{
    UploadDraft,
    file::{ContentType, Filename},
    new_upload,
    row::{Upload, key},
    status::UploadStatus,
};

/// Maximum size of an original in bytes. The function fetches up to ten originals at once, with 256 MB of memory.
const ORIGINAL_MAX_BYTES: usize = 5 * 1024 * 1024;
/// Reads one byte more than allowed, to recognize originals that are too large.
const LIMITS: Limits =
    Limits { wait: Duration::from_secs(6), body_max_bytes: ORIGINAL_MAX_BYTES + 1, is_enough: None };
const AGENT: &str = "SocialPlatform/1.0 (pictures)";

/// Returns a new upload that becomes the copy of the picture at `url`. It is the picture of its owner.
pub fn new_avatar_copy(app: &App, owner: UserId, url: &str) -> Upload {
    let draft = UploadDraft { filename: Filename::of_copy(), content_type: ContentType::JPEG, size: 0 };
    let copied_from = Some(url.to_owned());
    Upload { copied_from, uses: 1, picture_of: vec![owner.into()], ..new_upload(app, owner, draft) }
}

/// Fetches the original of a copy once, and puts it where uploaded files arrive. The media worker processes it. If the
/// fetch fails, the copy stays without a picture.
///
/// # Errors
/// Fails if the table or the bucket fails.
pub async fn fetch_copy(app: &App, id: UploadId) -> Result<()> {
    let found = app.table.get::<Upload>(&key(id)).await?;
    let Some(copy) = found.filter(|upload| upload.status == UploadStatus::Pending) else {
        return outcomes::end("the copy is gone or complete");
    };
    match original(app, &copy).await? {
        Some(file) => {
            let content_type = copy.content_type.name();
            Bucket::of_uploads(app)?.put_private(&copy.source, content_type, file.into()).await
        }
        None => outcomes::end("no picture"),
    }
}

/// Returns the bytes of a copy's original. Returns `None` if the original is too large or cannot be fetched.
async fn original(app: &App, copy: &Upload) -> Result<Option<Vec<u8>>> {
    let Some(url) = copy.copied_from.as_deref().and_then(|url| app.guarded.link(url)) else {
        return Ok(None);
    };
    if !may_fetch(app, &copy.owner.to_string(), &url).await? {
        return Ok(None);
    }
    let mut headers = HeaderMap::new();
    headers.insert(ACCEPT, HeaderValue::from_static("image/*"));
    headers.insert(USER_AGENT, HeaderValue::from_static(AGENT));
    let Ok(answer) = app.guarded.get(url, headers, LIMITS).await else { return Ok(None) };
    let fits = answer.status.is_success() && answer.body.len() <= ORIGINAL_MAX_BYTES;
    Ok(fits.then_some(answer.body))
}
