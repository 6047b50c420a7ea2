//! Copies of profile pictures from other servers. Other users load only the copy, so other servers learn nothing about
//! them.

use std::time::Duration;

use anyhow::anyhow;
use base::ids::{UploadId, UserId};
use http::{
    HeaderMap, HeaderValue,
    header::{ACCEPT, USER_AGENT},
};
use platform::{
    App, Result,
    breaker::{self, Purpose},
    error::Error,
    fetches::may_fetch,
    guarded::{Failure, Limits},
    objects::Bucket,
    outcomes,
    table::Write,
};

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
/// Number of failed fetches after which the original is not fetched again.
const FAILURES_MAX: u32 = 3;
const AGENT: &str = "SocialPlatform/1.0 (pictures)";

enum Fetched {
    Original(Vec<u8>),
    /// The original does not exist, is too large, or must not be fetched.
    Nothing,
    /// A temporary failure.
    Failure,
}

/// Returns a new upload that becomes the copy of the picture at `url`. It is the picture of its owner.
pub fn new_avatar_copy(app: &App, owner: UserId, url: &str) -> Upload {
    let draft = UploadDraft { filename: Filename::of_copy(), content_type: ContentType::JPEG, size: 0 };
    let copied_from = Some(url.to_owned());
    Upload { copied_from, uses: 1, picture_of: vec![owner.into()], ..new_upload(app, owner, draft) }
}

/// Fetches the original of a pending copy, and puts it where uploaded files arrive. The media worker processes it. After
/// three failed fetches, the copy stays without a picture.
///
/// # Errors
/// Fails with an internal error if the fetch failed for the first or second time. The queue then retries the job. Also
/// fails if the table or the bucket fails.
pub async fn fetch_copy(app: &App, id: UploadId) -> Result<()> {
    let found = app.table.get::<Upload>(&key(id)).await?;
    let Some(copy) = found.filter(|upload| upload.status == UploadStatus::Pending) else {
        return outcomes::end("the copy is gone or complete");
    };
    match original(app, &copy).await? {
        Fetched::Original(file) => {
            let content_type = copy.content_type.name();
            Bucket::of_uploads(app)?.put_private(&copy.source, content_type, file.into()).await
        }
        Fetched::Nothing => outcomes::end("no picture"),
        Fetched::Failure => record_failure(app, &copy).await,
    }
}

/// Fetches the original of a copy.
async fn original(app: &App, copy: &Upload) -> Result<Fetched> {
    let Some(url) = copy.copied_from.as_deref().and_then(|url| app.guarded.link(url)) else {
        return Ok(Fetched::Nothing);
    };
    if !may_fetch(app, &copy.owner.to_string(), &url).await? {
        return Ok(Fetched::Failure);
    }
    let mut headers = HeaderMap::new();
    headers.insert(ACCEPT, HeaderValue::from_static("image/*"));
    headers.insert(USER_AGENT, HeaderValue::from_static(AGENT));
    let request = app.guarded.get(url.clone(), headers, LIMITS);
    Ok(match breaker::ask(app, Purpose::Fetch, &url, request).await? {
        Ok(answer) if answer.status.is_server_error() || answer.status.as_u16() == 429 => Fetched::Failure,
        Ok(answer) if answer.status.is_success() && answer.body.len() <= ORIGINAL_MAX_BYTES => {
            Fetched::Original(answer.body)
        }
        Ok(_) | Err(Failure::Refused(_)) => Fetched::Nothing,
        Err(Failure::Unanswered(_)) => Fetched::Failure,
    })
}

/// Counts a failed fetch. Fails if the job must be retried.
async fn record_failure(app: &App, copy: &Upload) -> Result<()> {
    let failures = copy.copy_failures + 1;
    app.table.write(Write::update(key(copy.id)).set("copyFailures", failures).exists()).await?;
    match failures {
        1..FAILURES_MAX => Err(Error::internal(anyhow!("failed to fetch a picture"))),
        _ => outcomes::end("no picture"),
    }
}
