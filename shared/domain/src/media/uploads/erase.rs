//! Deleting an upload with its file, when its owner leaves the network.

use platform::{
    App, Result,
    objects::Bucket,
    table::{KeyOnly, Row},
};

use super::row::{Upload, key};
use crate::ids::{UploadId, UserId};

/// Deletes a user's upload: its file first, so that the row leads to it until it is gone. Costs 2 calls, 1 RRU, 2 WRU and 1
/// request to S3.
pub(crate) async fn erase(app: &App, owner: UserId, id: UploadId) -> Result<()> {
    let found = app.table.get::<Upload>(&key(id)).await?;
    let Some(upload) = found.filter(|it| it.owner == owner) else { return Ok(()) };
    Bucket::of_uploads(app)?.delete(&upload.key).await?;
    app.table.batch_write::<KeyOnly>(&[], &[Row::key(&upload)]).await
}
