//! Uploads: a key in the bucket for one file, and a signed address that takes exactly that file.

mod erase;
mod file;
mod row;
mod ticket;

pub(crate) use erase::erase;
pub use file::{ContentType, Filename};
pub use row::{Upload, UploadStatus, key, of_key};
pub use ticket::Ticket;

use platform::{
    App, Result, error::Error, idempotency::Once, rate_limit::RateLimit, table::Write, time::HOUR_SECONDS,
};
use serde::Deserialize;
use utoipa::ToSchema;

use crate::ids::{UploadId, UserId};

/// The uploads of one user.
const UPLOADS: RateLimit = RateLimit { what: "upload", most: 200, seconds: 24 * HOUR_SECONDS };

/// A file to be uploaded.
#[derive(Clone, Debug, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct UploadDraft {
    /// The file's name.
    pub filename: Filename,
    /// The file's type.
    pub content_type: ContentType,
    /// The file's exact length in bytes: 10 MiB at most for an image, 200 MiB for a video.
    #[schema(minimum = 1, maximum = 209_715_200, example = 48213)]
    pub size: u64,
}

/// Creates an upload and signs the address for it. Costs 2 calls and 3 WRU; 1 call more with an
/// `Idempotency-Key`.
///
/// # Errors
/// [`Error::Invalid`] when it is too large for its kind; [`Error::LimitReached`] for the 201st within a day.
pub async fn begin(app: &App, owner: UserId, draft: UploadDraft, once: &Once) -> Result<Ticket> {
    let max = draft.content_type.max_bytes();
    if !(1..=max).contains(&draft.size) {
        return Err(Error::invalid("size", &format!("must be 1 to {max} bytes for this content type")));
    }
    UPLOADS.count(app, &owner.to_string()).await?.enforce()?;
    let work = async {
        let upload = new_upload(app, owner, draft);
        Ok((vec![Write::create(&upload)], upload))
    };
    ticket::ticket(app, once.run(app, owner, work).await?).await
}

fn new_upload(app: &App, owner: UserId, draft: UploadDraft) -> Upload {
    let now = app.now();
    let id: UploadId = app.ids.next(now);
    Upload {
        id,
        owner,
        filename: draft.filename,
        key: format!("uploads/{}/{id}.{}", owner.public(), draft.content_type.extension()),
        content_type: draft.content_type,
        size: draft.size,
        status: UploadStatus::Pending,
        playback_url: None,
        duration: None,
        created_at: now,
    }
}
