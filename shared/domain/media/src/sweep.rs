//! Removes unused uploads and the files of deleted posts, and processes files whose messages were lost.

use base::{MediaJob, PostId, UploadId, UserId, first_id};
use futures::future::try_join_all;
use platform::{
    App, Bucket, HOUR_SECONDS, Result, Write,
    outcomes::{self, note},
};
use uploads::{DUE_SHARDS, Reason, Upload, UploadStatus};

use super::processing;

/// Time after which an unused upload is deleted.
const UNUSED_SECONDS: i64 = 24 * HOUR_SECONDS;
/// Rows per page and shard.
const PAGE_ROWS: usize = 100;

/// Sends a job for each upload in the next page that is older than a day and still unused or unprocessed. The page
/// starts after `after`. Returns the cursor of the next page, or `None` if there is none.
///
/// # Errors
/// Fails if a job could not be sent. A retry repeats the page.
pub async fn send_due(app: &App, after: Option<UploadId>) -> Result<Option<UploadId>> {
    let until = first_id(app.now().plus_seconds(-UNUSED_SECONDS));
    let shards = (0..DUE_SHARDS).map(async |shard| {
        app.table.query::<Upload>(&uploads::due(shard, after, until).limit(PAGE_ROWS)).await
    });
    let shards = try_join_all(shards).await?;
    let jobs: Vec<_> = shards.iter().flatten().map(|upload| MediaJob::Expire { upload: upload.id }).collect();
    app.queues.send_jobs(&jobs).await?;
    // Only shards with a full page have more rows. The next page repeats rows of the other shards, which has no effect.
    let full = shards.iter().filter(|shard| shard.len() == PAGE_ROWS);
    Ok(full
        .filter_map(|shard| shard.last())
        .map(|upload| upload.id)
        .min()
        .filter(|last| Some(*last) != after))
}

/// Removes an unused upload and its files. If the upload is used but was not processed, processes its file. Returns the
/// upload if its posts must show the new status.
///
/// # Errors
/// Fails if the bucket or the table fails.
pub async fn expire(app: &App, id: UploadId) -> Result<Option<Upload>> {
    // An unused upload is refused before its files are deleted, so that no post starts to use the upload meanwhile.
    let Some(upload) = processing::change(app, id, refused_if_unused).await? else {
        note("the upload is gone");
        return Ok(None);
    };
    match upload.uses {
        0 => remove(app, &upload).await.map(|()| None),
        _ => processing::process(app, &upload.source).await,
    }
}

/// Returns the refused upload, or `None` if `before` is in use or already refused.
fn refused_if_unused(before: &Upload) -> Option<Upload> {
    let is_kept = before.uses > 0 || before.status == UploadStatus::Refused;
    let reason = Some(Reason::Unused);
    (!is_kept).then(|| Upload { status: UploadStatus::Refused, reason, ..before.clone() })
}

/// Records that a post or draft no longer uses an upload. If the upload has no other use, deletes the upload and its
/// files.
///
/// # Errors
/// Fails if the bucket or the table fails.
pub async fn release(app: &App, id: UploadId, post: PostId) -> Result<()> {
    let upload = processing::change(app, id, |before| uploads::without_post(before, post)).await?;
    match upload.filter(|upload| upload.uses == 0 && upload.status == UploadStatus::Refused) {
        Some(unused) => remove(app, &unused).await,
        None => outcomes::end("the upload is gone or used"),
    }
}

/// Deletes an upload of a deleted user, and the upload's files.
pub async fn erase(app: &App, owner: UserId, id: UploadId) -> Result<()> {
    let found = uploads::find(app, id).await?;
    let Some(upload) = found.filter(|upload| upload.owner == Some(owner)) else { return Ok(()) };
    remove_files(app, &upload).await?;
    app.table.delete_rows(vec![uploads::key(id)]).await
}

async fn remove_files(app: &App, upload: &Upload) -> Result<()> {
    upload.delete_public(app).await?;
    Bucket::of_uploads(app)?.delete(&upload.source).await
}

/// Deletes an upload and its files. The row is deleted last, because it contains the keys of the files.
async fn remove(app: &App, upload: &Upload) -> Result<()> {
    remove_files(app, upload).await?;
    let delete = Write::delete(uploads::key(upload.id)).equals("status", UploadStatus::Refused);
    app.table.try_write(delete).await.map(drop)
}
