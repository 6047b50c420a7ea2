//! Copies of pictures from other servers. Users load the copies, so the other servers learn nothing about the users.

use std::time::Duration;

use anyhow::anyhow;
use base::{MediaJob, OutboundJob, UploadId, UserId};
use platform::{
    App, Bucket, Error, Result, Write,
    fetches::{self, FAILURES_MAX, Fetched},
    guarded::Limits,
    outbox_record_write, outcomes,
};
use ulid::Ulid;

use super::{
    ContentType, Filename, Reason, Upload, UploadDraft, UploadStatus, find, key, new_in_folder, new_upload,
};

/// Maximum size of an original in bytes. The function fetches up to ten originals at once, with 256 MB of memory.
const ORIGINAL_MAX_BYTES: usize = 5 * 1024 * 1024;
/// Reads one byte more than allowed, to recognize originals that are too large.
const LIMITS: Limits =
    Limits { wait: Duration::from_secs(6), body_max_bytes: ORIGINAL_MAX_BYTES + 1, is_enough: None };
/// Content types to ask for, and the name of the client.
const REQUEST: (&str, &str) = ("image/*", "SocialPlatform/1.0 (pictures)");
/// Name of the limit on copies per user. The limit is as high as the limit on link previews.
const LIMIT: &str = "preview-picture";
/// The folder of the copies that no user owns.
const PAGES_FOLDER: &str = "pages";

/// Returns a new upload that becomes the copy of the picture at `url`. The upload is the picture of the user or message
/// group `of`.
pub(super) fn new_avatar_copy(app: &App, owner: UserId, of: Ulid, url: &str) -> Upload {
    Upload { picture_of: vec![of], ..new_upload(app, owner, draft()).copy_of(url) }
}

/// Returns a new upload that becomes the copy of a page's image. The copy stays when posts with a link to the page are
/// deleted.
pub fn new_page_copy(app: &App, url: &str) -> Upload {
    new_in_folder(app, PAGES_FOLDER, draft()).copy_of(url)
}

fn draft() -> UploadDraft {
    UploadDraft { filename: Filename::of_copy(), content_type: ContentType::JPEG, size: 0 }
}

impl Upload {
    fn copy_of(self, url: &str) -> Self {
        Self { copied_from: Some(url.to_owned()), uses: 1, ..self }
    }
}

/// Fetches the original of a pending copy, and stores it in the bucket like an uploaded file. The media worker then
/// processes it. Refuses the copy after three failed fetches, or if there is no picture at the URL. While a limit or the
/// circuit breaker prevents the fetch, the job waits for up to 6 hours.
///
/// # Errors
/// Fails with an internal error if the fetch failed for the first or second time. The queue then retries the job. Also
/// fails if the table or the bucket fails.
pub async fn fetch_copy(app: &App, id: UploadId) -> Result<()> {
    let Some(copy) = find(app, id).await?.filter(|upload| upload.status == UploadStatus::Pending) else {
        return outcomes::end("the copy is gone or complete");
    };
    match fetch_original(app, &copy).await? {
        Fetched::Answer(answer) if answer.body.len() <= ORIGINAL_MAX_BYTES => {
            let content_type = copy.content_type.name();
            Bucket::of_uploads(app)?.put_private(&copy.source, content_type, answer.body.into()).await
        }
        Fetched::Answer(_) | Fetched::Nothing => refuse(app, &copy).await,
        Fetched::Failure => record_failure(app, &copy).await,
        Fetched::Later(seconds) => {
            let job = OutboundJob::CopyPicture { upload: id };
            let waits = fetches::wait(app, &job, copy.created_at, seconds).await?;
            if waits { Ok(()) } else { refuse(app, &copy).await }
        }
    }
}

async fn fetch_original(app: &App, copy: &Upload) -> Result<Fetched> {
    let Some(url) = copy.copied_from.as_deref().and_then(|url| app.guarded.link(url)) else {
        return Ok(Fetched::Nothing);
    };
    let owner = copy.owner.map(|owner| owner.to_string());
    let limit = owner.as_deref().map(|owner| (LIMIT, owner));
    match fetches::seconds_to_wait(app, limit, &url).await? {
        Some(seconds) => Ok(Fetched::Later(seconds)),
        None => fetches::fetch(app, url, REQUEST, LIMITS).await,
    }
}

/// Counts a failed fetch. Fails if the job must be retried.
async fn record_failure(app: &App, copy: &Upload) -> Result<()> {
    let failures = copy.copy_failures + 1;
    if failures >= FAILURES_MAX {
        return refuse(app, copy).await;
    }
    app.table.write(Write::update(key(copy.id)).set("copyFailures", failures).exists()).await?;
    Err(Error::internal(anyhow!("failed to fetch a picture")))
}

/// Refuses a copy whose original cannot be fetched. The media worker then shows the failure to the copy's owner.
async fn refuse(app: &App, copy: &Upload) -> Result<()> {
    outcomes::note("the picture cannot be fetched");
    let (status, reason) = (UploadStatus::Refused, Some(Reason::NotFetched));
    let refused = copy.change_write(&Upload { status, reason, ..copy.clone() });
    let show = outbox_record_write(app).then(&MediaJob::Show { upload: copy.id });
    app.table.transact(vec![refused, show]).await
}
