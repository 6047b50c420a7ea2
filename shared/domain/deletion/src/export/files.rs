//! Archives of a user's uploads. S3 composes them from the uploaded objects.

use bytes::Bytes;
use futures::{StreamExt, TryStreamExt, stream};
use platform::{
    App,
    error::{Error, Result},
    objects::{Bucket, Piece},
    table::{Index, Query},
};
use tar::Header;
use uploads::{Upload, UploadStatus};

use super::row::Export;

const CONTENT_TYPE: &str = "application/x-tar";
const PAGE_UPLOADS: usize = 100;
/// Maximum total size of the files in an archive. One video of maximum size fits.
const ARCHIVE_MAX_BYTES: u64 = 220 * 1024 * 1024;
/// Maximum number of archives of an export. Files beyond this limit are only linked in the JSON lines.
pub(super) const ARCHIVES_MAX: u32 = 200;
const PARALLEL_REQUESTS: usize = 10;
const BLOCK_BYTES: u64 = 512;

/// The files of an archive, and the start of the next archive.
pub(super) struct Files {
    uploads: Vec<(Upload, u64)>,
    /// Cursor of the next archive, or `None` if no uploads remain.
    pub(super) cursor: Option<String>,
}

/// Returns the owner's next uploads that fit into one archive.
pub(super) async fn next(
    app: &App,
    bucket: &Bucket<'_>,
    export: &Export,
    cursor: Option<String>,
) -> Result<Files> {
    let query = Query::index(Index::Gsi3, export.user.named()).prefix("UPLOAD#").after(cursor);
    let mut uploads: Vec<Upload> = app.table.query(&query.limit(PAGE_UPLOADS)).await?;
    let lengths = stream::iter(&uploads).map(|upload| length(bucket, upload)).buffered(PARALLEL_REQUESTS);
    let lengths: Vec<_> = lengths.try_collect().await?;
    let is_full_page = uploads.len() == PAGE_UPLOADS;
    let is_last = fitting_count(&lengths) == uploads.len() && !is_full_page;
    uploads.truncate(fitting_count(&lengths));
    let last = uploads.last().filter(|_| !is_last).map(|upload| format!("UPLOAD#{}", upload.id));
    let files = uploads.into_iter().zip(lengths).filter_map(|(upload, length)| Some((upload, length?)));
    Ok(Files { uploads: files.collect(), cursor: last })
}

impl Files {
    pub(super) fn is_empty(&self) -> bool {
        self.uploads.is_empty()
    }

    /// Writes the files to an archive.
    pub(super) async fn put(&self, bucket: &Bucket<'_>, key: &str) -> Result<()> {
        bucket.put_pieces(key, CONTENT_TYPE, &self.pieces()?).await
    }

    fn pieces(&self) -> Result<Vec<Piece>> {
        let mut pieces = Vec::new();
        for (upload, length) in &self.uploads {
            pieces.push(Piece::Bytes(Bytes::copy_from_slice(header(upload, *length)?.as_bytes())));
            pieces.push(Piece::Object { key: upload.shown_key(), length: *length });
            pieces.push(zeros(length.next_multiple_of(BLOCK_BYTES) - length));
        }
        pieces.push(zeros(2 * BLOCK_BYTES));
        Ok(pieces)
    }
}

/// Returns the length of an upload's file, or `None` if the file is not exported.
async fn length(bucket: &Bucket<'_>, upload: &Upload) -> Result<Option<u64>> {
    match upload.status {
        UploadStatus::Ready | UploadStatus::Processing => bucket.length(&upload.shown_key()).await,
        UploadStatus::Pending | UploadStatus::Failed | UploadStatus::Refused => Ok(None),
    }
}

/// Returns the number of uploads that fit into one archive, at least one.
fn fitting_count(lengths: &[Option<u64>]) -> usize {
    let sums = lengths.iter().scan(0, |sum, length| {
        *sum += length.unwrap_or_default();
        Some(*sum)
    });
    sums.take_while(|sum| *sum <= ARCHIVE_MAX_BYTES).count().max(1).min(lengths.len())
}

fn header(upload: &Upload, length: u64) -> Result<Header> {
    let mut header = Header::new_ustar();
    header.set_path(upload.file_name()).map_err(Error::internal)?;
    header.set_size(length);
    header.set_mode(0o644);
    header.set_mtime(upload.created_at.seconds().unsigned_abs());
    header.set_cksum();
    Ok(header)
}

fn zeros(count: u64) -> Piece {
    // `count` is at most 1,024 bytes.
    Piece::Bytes(Bytes::from(vec![0; count as usize]))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_archive_has_as_many_uploads_as_fit_but_at_least_one() {
        let mebibytes = |count: u64| Some(count * 1024 * 1024);
        assert_eq!(fitting_count(&[mebibytes(100), None, mebibytes(120), mebibytes(1)]), 3);
        assert_eq!(fitting_count(&[mebibytes(300), mebibytes(1)]), 1);
        assert_eq!(fitting_count(&[None, None]), 2);
        assert_eq!(fitting_count(&[]), 0);
    }
}
