//! Processes an uploaded file. Writes the public files, and then deletes the original.
//!
//! Every step can be repeated after a crash or for a repeated message. The public files depend only on the original.
//! The upload's row changes only once, and the original is deleted last.

use base::UploadId;
use bytes::{Bytes, BytesMut};
use futures::future::try_join_all;
use platform::{App, Bucket, Result, outcomes::note, retry_on_conflict};
use tokio::task::spawn_blocking;
use uploads::{Container, Kind, Picture, Reason, Upload, UploadStatus};

use super::{
    pictures::{self, Made},
    videos,
};

/// Time after which a missing file can no longer arrive. The upload URL is valid for 15 minutes.
const ARRIVES_WITHIN_SECONDS: i64 = 60 * 60;

enum Outcome {
    Picture(Picture),
    Video,
    Refused(Reason),
    /// The file does not exist yet, but can still be uploaded.
    Missing,
}

impl Outcome {
    fn name(&self) -> &'static str {
        match self {
            Self::Picture(_) => "a picture",
            Self::Video => "a video",
            Self::Refused(_) => "the file was refused",
            Self::Missing => "the file is missing",
        }
    }
}

/// Processes the file with the key `file`, unless it was already processed, and then deletes the file. Returns the
/// file's upload, or `None` if the key does not belong to an upload.
///
/// # Errors
/// Fails if the bucket or the table fails.
pub async fn process(app: &App, file: &str) -> Result<Option<Upload>> {
    let Some(id) = uploads::of_key(file) else {
        note("not a file of an upload");
        return Ok(None);
    };
    let upload = match uploads::find(app, id).await?.filter(|upload| upload.source == file) {
        Some(upload) => process_upload(app, upload).await?,
        None => {
            note("the upload is gone");
            None
        }
    };
    if upload.as_ref().is_none_or(|upload| upload.status != UploadStatus::Pending) {
        Bucket::of_uploads(app)?.delete(file).await?;
    }
    Ok(upload)
}

/// Replaces an upload with the result of `changed`, unless the result is `None`. Returns the stored upload, or `None`
/// if it no longer exists.
pub(super) async fn change(
    app: &App,
    id: UploadId,
    changed: impl Fn(&Upload) -> Option<Upload>,
) -> Result<Option<Upload>> {
    retry_on_conflict(async || {
        let Some(before) = uploads::find(app, id).await? else { return Ok(None) };
        let Some(after) = changed(&before) else { return Ok(Some(before)) };
        app.table.write(before.change_write(&after)).await?;
        Ok(Some(after))
    })
    .await
}

async fn process_upload(app: &App, upload: Upload) -> Result<Option<Upload>> {
    if upload.status != UploadStatus::Pending {
        note("repeated");
        return Ok(Some(upload));
    }
    let outcome = match (read_file(app, &upload).await?, upload.content_type.kind()) {
        (None, _) => without_file(app, &upload),
        (Some(file), Kind::Image) => publish_image(app, &upload, file).await?,
        (Some(file), Kind::Video(container)) => publish_video(app, &upload, file, container).await?,
    };
    note(outcome.name());
    let recorded = change(app, upload.id, |before| with_outcome(before, &outcome)).await?;
    // The upload was removed or refused during the processing, so its new files are deleted.
    if recorded.as_ref().is_none_or(|upload| upload.status == UploadStatus::Refused) {
        upload.delete_public(app).await?;
    }
    Ok(recorded)
}

async fn publish_image(app: &App, upload: &Upload, file: Bytes) -> Result<Outcome> {
    let bucket = Bucket::of_uploads(app)?;
    let Made { picture, files } = match make(file).await {
        Ok(made) => made,
        Err(reason) => return Ok(Outcome::Refused(reason)),
    };
    let keys = upload.public_keys();
    let puts = keys.iter().zip(files).map(|(key, (content_type, file))| bucket.put(key, content_type, file));
    try_join_all(puts).await?;
    Ok(Outcome::Picture(picture))
}

/// Returns the public files of an image. Runs the decoder on a blocking thread, because it can take seconds and panic
/// on a broken file.
async fn make(file: Bytes) -> Result<Made, Reason> {
    spawn_blocking(move || pictures::make(&file)).await.unwrap_or(Err(Reason::Unreadable))
}

async fn publish_video(app: &App, upload: &Upload, file: Bytes, container: Container) -> Result<Outcome> {
    let mut video = BytesMut::from(file);
    if let Err(reason) = videos::strip(&mut video, container) {
        return Ok(Outcome::Refused(reason));
    }
    let bucket = Bucket::of_uploads(app)?;
    bucket.put(&upload.key, upload.content_type.name(), video.freeze()).await?;
    Ok(Outcome::Video)
}

/// Returns the uploaded file, or `None` if it does not exist.
async fn read_file(app: &App, upload: &Upload) -> Result<Option<Bytes>> {
    let max_bytes = usize::try_from(upload.content_type.max_bytes()).unwrap_or(usize::MAX);
    Bucket::of_uploads(app)?.get(&upload.source, max_bytes).await
}

fn without_file(app: &App, upload: &Upload) -> Outcome {
    let is_late = app.now() > upload.created_at.plus_seconds(ARRIVES_WITHIN_SECONDS);
    if is_late { Outcome::Refused(Reason::NotUploaded) } else { Outcome::Missing }
}

/// Returns the upload with an outcome, or `None` if an outcome was already recorded or the file is missing.
fn with_outcome(before: &Upload, outcome: &Outcome) -> Option<Upload> {
    if before.status != UploadStatus::Pending {
        return None;
    }
    let before = before.clone();
    match outcome {
        Outcome::Missing => None,
        Outcome::Picture(picture) => {
            Some(Upload { status: UploadStatus::Ready, picture: Some(picture.clone()), ..before })
        }
        Outcome::Video => Some(Upload { status: UploadStatus::Processing, ..before }),
        Outcome::Refused(reason) => {
            Some(Upload { status: UploadStatus::Refused, reason: Some(*reason), ..before })
        }
    }
}
