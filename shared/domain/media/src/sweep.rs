//! Removing uploads: what nothing used within a day goes, and what a deleted post showed; and a file whose message was lost
//! is looked at.

use base::{
    ids::{PostId, UploadId, UserId},
    jobs::MediaJob,
};
use futures::future::try_join_all;
use platform::{
    App, Result,
    objects::Bucket,
    retry_on_conflict,
    table::{KeyOnly, Row, Write},
    time::{HOUR_SECONDS, Time},
};
use ulid::Ulid;
use uploads::{DUE_SHARDS, Reason, Upload, UploadStatus};

use super::processing;

/// How long an upload may be used for the first time.
const UNUSED_SECONDS: i64 = 24 * HOUR_SECONDS;
/// The rows of a page, of each shard.
const PAGE_ROWS: usize = 100;

/// Has the media worker look at the uploads of the day before yesterday and earlier that are not done with, those
/// behind `after` first. Returns where the next page begins.
///
/// # Errors
/// Fails when a message could not be sent: the job begins this page again.
pub async fn send_due(app: &App, after: Option<UploadId>) -> Result<Option<UploadId>> {
    let until = first_of(app.now().plus_seconds(-UNUSED_SECONDS));
    let shards = (0..DUE_SHARDS).map(async |shard| {
        app.table.query::<Upload>(&uploads::due(shard, after, until).limit(PAGE_ROWS)).await
    });
    let shards = try_join_all(shards).await?;
    let jobs: Vec<_> = shards.iter().flatten().map(|it| MediaJob::Expire { upload: it.id }).collect();
    app.queues.send_jobs(&jobs).await?;
    // Each full shard has more behind its last row; the others come a second time, which changes nothing.
    let full = shards.iter().filter(|it| it.len() == PAGE_ROWS);
    Ok(full.filter_map(|it| it.last()).map(|it| it.id).min().filter(|it| Some(*it) != after))
}

/// Removes an upload that nothing uses, with its files; looks at the file of another whose file was not looked at.
/// Returns an upload whose posts have to show it.
///
/// # Errors
/// Fails when the bucket or the table does.
pub async fn expire(app: &App, id: UploadId) -> Result<Option<Upload>> {
    let refused = retry_on_conflict(async || refuse_unused(app, id).await).await?;
    let Some(upload) = refused else { return Ok(None) };
    match upload.uses {
        0 => remove(app, &upload).await.map(|()| None),
        _ => processing::process(app, &upload.source).await,
    }
}

/// Refuses an upload that nothing uses, so that no post takes it while its files go.
async fn refuse_unused(app: &App, id: UploadId) -> Result<Option<Upload>> {
    let Some(before) = processing::find(app, id).await? else { return Ok(None) };
    if before.uses > 0 || before.status == UploadStatus::Refused {
        return Ok(Some(before));
    }
    let reason = Some(Reason::Unused);
    let after = Upload { status: UploadStatus::Refused, reason, ..before.clone() };
    app.table.write(before.change_write(&after)).await?;
    Ok(Some(after))
}

/// Has a deleted post let go of an upload. Removes it with its files where nothing else takes it.
///
/// # Errors
/// Fails when the bucket or the table does.
pub async fn release(app: &App, id: UploadId, post: PostId) -> Result<()> {
    let upload = retry_on_conflict(async || {
        let Some(before) = processing::find(app, id).await? else { return Ok(None) };
        let Some(after) = uploads::without_post(&before, post) else { return Ok(Some(before)) };
        app.table.write(before.change_write(&after)).await?;
        Ok(Some(after))
    })
    .await?;
    match upload.filter(|it| it.uses == 0 && it.status == UploadStatus::Refused) {
        Some(unused) => remove(app, &unused).await,
        None => Ok(()),
    }
}

/// Removes an upload of somebody who leaves the network, with its files.
pub async fn erase(app: &App, owner: UserId, id: UploadId) -> Result<()> {
    let found = processing::find(app, id).await?;
    let Some(upload) = found.filter(|it| it.owner == owner) else { return Ok(()) };
    remove_files(app, &upload).await?;
    app.table.batch_write::<KeyOnly>(&[], &[Row::key(&upload)]).await
}

async fn remove_files(app: &App, upload: &Upload) -> Result<()> {
    processing::unpublish(app, upload).await?;
    Bucket::of_uploads(app)?.delete(&upload.source).await
}

/// The row goes last: it is how the files are found.
async fn remove(app: &App, upload: &Upload) -> Result<()> {
    remove_files(app, upload).await?;
    let gone = Write::delete(uploads::key(upload.id)).equals("status", UploadStatus::Refused);
    app.table.try_write(gone).await.map(drop)
}

/// Returns the lowest id of a moment.
fn first_of(at: Time) -> UploadId {
    Ulid::from_parts(at.millis().max(0).cast_unsigned(), 0).into()
}
