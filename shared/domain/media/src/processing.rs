//! Looking at a file that was put: what can be shown goes to the public prefix, and what the file was goes away.
//!
//! Every step can be done again: what is at a public key depends on the file alone, the row changes once, and the file
//! goes last. So a crash at any point, and a second message, end in the same.

use base::ids::UploadId;
use bytes::{Bytes, BytesMut};
use futures::future::try_join_all;
use image::ImageFormat;
use platform::{App, Result, objects::Bucket, retry_on_conflict};
use tokio::task::spawn_blocking;
use uploads::{Container, Kind, Picture, Reason, Upload, UploadStatus};

use super::{
    pictures::{self, Made},
    videos,
};

/// How long after the request a file may come, and its message: the address is good for a quarter of an hour.
const COMES_WITHIN_SECONDS: i64 = 60 * 60;

/// What a file turned out to be.
enum Outcome {
    Picture(Picture),
    Video,
    Refused(Reason),
    /// There is no file, and there may be one yet.
    Waits,
}

/// Looks at the file at a key of the bucket, unless that is done, and takes it away. Returns its upload; none where
/// nothing is to be shown by it.
///
/// # Errors
/// Fails when the bucket or the table does.
pub async fn process(app: &App, file: &str) -> Result<Option<Upload>> {
    let Some(id) = uploads::of_key(file) else { return Ok(None) };
    let upload = app.table.get::<Upload>(&uploads::key(id)).await?;
    let upload = match upload.filter(|it| it.source == file) {
        Some(upload) => look_at(app, upload, file).await?,
        None => None,
    };
    if upload.as_ref().is_none_or(|it| it.status != UploadStatus::Pending) {
        Bucket::of_uploads(app)?.delete(file).await?;
    }
    Ok(upload)
}

/// Returns an upload; none where there is no such upload any more.
pub async fn find(app: &App, id: UploadId) -> Result<Option<Upload>> {
    app.table.get(&uploads::key(id)).await
}

async fn look_at(app: &App, upload: Upload, file: &str) -> Result<Option<Upload>> {
    if upload.status != UploadStatus::Pending {
        return Ok(Some(upload));
    }
    let outcome = match upload.content_type.kind() {
        Kind::Image(format) => publish_image(app, &upload, file, format).await?,
        Kind::Video(container) => publish_video(app, &upload, file, container).await?,
    };
    let settled = settle(app, upload.id, &outcome).await?;
    // It was swept meanwhile.
    if settled.as_ref().is_none_or(|it| it.status == UploadStatus::Refused) {
        unpublish(app, &upload).await?;
    }
    Ok(settled)
}

/// Takes away all that is shown of an upload.
pub(super) async fn unpublish(app: &App, upload: &Upload) -> Result<()> {
    let bucket = Bucket::of_uploads(app)?;
    try_join_all(upload.shown_keys().iter().map(|it| bucket.delete(it))).await.map(drop)
}

async fn publish_image(app: &App, upload: &Upload, file: &str, format: ImageFormat) -> Result<Outcome> {
    let bucket = Bucket::of_uploads(app)?;
    let Some(bytes) = whole(app, upload, file).await? else { return Ok(without_file(app, upload)) };
    let Made { picture, files } = match make(bytes, format).await {
        Ok(made) => made,
        Err(reason) => return Ok(Outcome::Refused(reason)),
    };
    let keys = upload.shown_keys();
    let puts = keys.iter().zip(files).map(|(key, file)| bucket.put(key, &picture.content_type, file));
    try_join_all(puts).await?;
    Ok(Outcome::Picture(picture))
}

/// Decoding keeps a processor busy for up to some seconds, and a decoder that gives up on a file may panic.
async fn make(file: Bytes, format: ImageFormat) -> Result<Made, Reason> {
    spawn_blocking(move || pictures::make(&file, format)).await.unwrap_or(Err(Reason::Unreadable))
}

async fn publish_video(app: &App, upload: &Upload, file: &str, container: Container) -> Result<Outcome> {
    let Some(bytes) = whole(app, upload, file).await? else { return Ok(without_file(app, upload)) };
    let mut video = BytesMut::from(bytes);
    if let Err(reason) = videos::strip(&mut video, container) {
        return Ok(Outcome::Refused(reason));
    }
    let bucket = Bucket::of_uploads(app)?;
    bucket.put(&upload.key, upload.content_type.name(), video.freeze()).await?;
    Ok(Outcome::Video)
}

/// Returns the file that was put; none where there is none.
async fn whole(app: &App, upload: &Upload, file: &str) -> Result<Option<Bytes>> {
    let most = usize::try_from(upload.content_type.max_bytes()).unwrap_or(usize::MAX);
    Bucket::of_uploads(app)?.get(file, most).await
}

fn without_file(app: &App, upload: &Upload) -> Outcome {
    let late = app.now() > upload.created_at.plus_seconds(COMES_WITHIN_SECONDS);
    if late { Outcome::Refused(Reason::NotUploaded) } else { Outcome::Waits }
}

/// Writes the outcome on the row, once: who finds another there keeps it.
async fn settle(app: &App, id: UploadId, outcome: &Outcome) -> Result<Option<Upload>> {
    retry_on_conflict(async || {
        let Some(before) = find(app, id).await? else { return Ok(None) };
        let Some(after) = settled(&before, outcome) else { return Ok(Some(before)) };
        app.table.write(before.change_write(&after)).await?;
        Ok(Some(after))
    })
    .await
}

fn settled(before: &Upload, outcome: &Outcome) -> Option<Upload> {
    if before.status != UploadStatus::Pending {
        return None;
    }
    let before = before.clone();
    match outcome {
        Outcome::Waits => None,
        Outcome::Picture(picture) => {
            Some(Upload { status: UploadStatus::Ready, picture: Some(picture.clone()), ..before })
        }
        Outcome::Video => Some(Upload { status: UploadStatus::Processing, ..before }),
        Outcome::Refused(reason) => {
            Some(Upload { status: UploadStatus::Refused, reason: Some(*reason), ..before })
        }
    }
}
