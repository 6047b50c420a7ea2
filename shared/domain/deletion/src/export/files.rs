//! The files of an export: archives of what the person uploaded, each put together by S3's own bytes.

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
/// Uploads of a page.
const PAGE_UPLOADS: usize = 100;
/// The most bytes of the files of an archive: one video of the largest that there are, or some hundred photos.
const ARCHIVE_MAX_BYTES: u64 = 220 * 1024 * 1024;
/// The most archives of an export, some 40 GB. The lines say where the files are read that are in none.
pub(super) const ARCHIVES_MAX: u32 = 200;
/// Lengths that are asked for at the same time.
const SIDE_BY_SIDE: usize = 10;
/// What tar counts in.
const BLOCK_BYTES: u64 = 512;

/// Files for an archive, and where the next begins.
pub(super) struct Files {
    uploads: Vec<(Upload, u64)>,
    /// The upload at which they end; none at the end of all.
    pub(super) behind: Option<String>,
}

/// Returns the files of the next uploads of the owner.
pub(super) async fn next(
    app: &App,
    bucket: &Bucket<'_>,
    export: &Export,
    behind: Option<String>,
) -> Result<Files> {
    let query = Query::index(Index::Gsi3, export.user.named()).prefix("UPLOAD#").after(behind);
    let mut uploads: Vec<Upload> = app.table.query(&query.limit(PAGE_UPLOADS)).await?;
    let lengths = stream::iter(&uploads).map(|it| length(bucket, it)).buffered(SIDE_BY_SIDE);
    let lengths: Vec<_> = lengths.try_collect().await?;
    let is_full_page = uploads.len() == PAGE_UPLOADS;
    let is_last = fitting(&lengths) == uploads.len() && !is_full_page;
    uploads.truncate(fitting(&lengths));
    let last = uploads.last().filter(|_| !is_last).map(|it| format!("UPLOAD#{}", it.id));
    let files = uploads.into_iter().zip(lengths).filter_map(|(upload, length)| Some((upload, length?)));
    Ok(Files { uploads: files.collect(), behind: last })
}

impl Files {
    /// Whether nothing is to be written.
    pub(super) fn is_empty(&self) -> bool {
        self.uploads.is_empty()
    }

    /// Writes them to an archive.
    pub(super) async fn put(&self, bucket: &Bucket<'_>, key: &str) -> Result<()> {
        bucket.put_pieces(key, CONTENT_TYPE, &self.pieces()?).await
    }

    /// Returns what a tar archive of them is made of.
    fn pieces(&self) -> Result<Vec<Piece>> {
        let mut pieces = Vec::new();
        for (upload, length) in &self.uploads {
            pieces.push(Piece::Bytes(Bytes::copy_from_slice(header(upload, *length)?.as_bytes())));
            pieces.push(Piece::Object { key: upload.key.clone(), length: *length });
            pieces.push(zeros(length.next_multiple_of(BLOCK_BYTES) - length));
        }
        pieces.push(zeros(2 * BLOCK_BYTES));
        Ok(pieces)
    }
}

/// Returns the length of an upload's file; none where nothing is shown.
async fn length(bucket: &Bucket<'_>, upload: &Upload) -> Result<Option<u64>> {
    match upload.status {
        UploadStatus::Ready | UploadStatus::Processing => bucket.length(&upload.key).await,
        UploadStatus::Pending | UploadStatus::Failed | UploadStatus::Refused => Ok(None),
    }
}

/// Returns how many of the uploads an archive takes: at least one.
fn fitting(lengths: &[Option<u64>]) -> usize {
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
    // At most two blocks.
    Piece::Bytes(Bytes::from(vec![0; count as usize]))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_archive_takes_what_fits_and_always_one() {
        let megabytes = |it: u64| Some(it * 1024 * 1024);
        assert_eq!(fitting(&[megabytes(100), None, megabytes(120), megabytes(1)]), 3);
        assert_eq!(fitting(&[megabytes(300), megabytes(1)]), 1);
        assert_eq!(fitting(&[None, None]), 2);
        assert_eq!(fitting(&[]), 0);
    }
}
