//! Makes an export page by page.

use std::io::Write as _;

use base::ids::{ExportId, UserId};
use bytes::{Bytes, BytesMut};
use flate2::{Compression, write::GzEncoder};
use platform::{
    App,
    error::{Error, Result},
    objects::Bucket,
    table::{Row, Write},
};
use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::{
    files::{self, ARCHIVES_MAX},
    lines::{self, SOURCES, Source},
    row::{self, Export},
};

const CONTENT_TYPE: &str = "application/gzip";
const PART_MAX_BYTES: usize = 32 * 1024 * 1024;
const FILE_MAX_BYTES: usize = 512 * 1024 * 1024;

/// The position at which a page of an export starts.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct ExportPosition {
    source: Source,
    #[serde(skip_serializing_if = "Option::is_none")]
    cursor: Option<String>,
    part: u32,
    archive: u32,
}

impl ExportPosition {
    const FIRST: Self = Self { source: Source::Own, cursor: None, part: 0, archive: 0 };

    /// Returns the position of the next page. If `cursor` is `None`, the next page is the first page of the next
    /// source. Returns `None` after the last source.
    fn next(self, cursor: Option<String>) -> Option<Self> {
        if cursor.is_some() {
            return Some(Self { cursor, ..self });
        }
        let next = SOURCES.iter().copied().skip_while(|source| *source != self.source).nth(1)?;
        Some(Self { source: next, cursor, ..self })
    }
}

/// Writes the next part or archive of an export. After the last archive, writes the complete file. Returns the position
/// of the next page, or `None` at the end. Has no effect if a newer export has started, or the account was deleted.
pub(crate) async fn make(
    app: &App,
    user: UserId,
    id: ExportId,
    after: Option<ExportPosition>,
) -> Result<Option<ExportPosition>> {
    let found = app.table.get::<Export>(&row::key(user)).await?;
    let Some(export) = found.filter(|export| export.id == id) else { return Ok(None) };
    let bucket = Bucket::of_uploads(app)?;
    if export.made_at.is_some() {
        return export.delete_parts(&bucket).await.map(|()| None);
    }
    let at = after.unwrap_or(ExportPosition::FIRST);
    let parts = at.part;
    let next = match at.source {
        Source::Files => add_archive(app, &bucket, &export, at).await?,
        _ => add_part(app, &bucket, &export, at).await?,
    };
    if next.is_none() {
        finish(app, &bucket, &Export { parts, ..export }).await?;
    }
    Ok(next)
}

async fn add_part(
    app: &App,
    bucket: &Bucket<'_>,
    export: &Export,
    at: ExportPosition,
) -> Result<Option<ExportPosition>> {
    let (lines, cursor) = lines::page(app, export.user, at.source, at.cursor.clone()).await?;
    count(app, export, "parts", at.part + 1).await?;
    bucket.put_private(&export.part(at.part), CONTENT_TYPE, compress(&lines)?).await?;
    Ok(ExportPosition { part: at.part + 1, ..at }.next(cursor))
}

async fn add_archive(
    app: &App,
    bucket: &Bucket<'_>,
    export: &Export,
    at: ExportPosition,
) -> Result<Option<ExportPosition>> {
    let files = files::next(app, bucket, export, at.cursor.clone()).await?;
    let archives = at.archive + u32::from(!files.is_empty());
    if !files.is_empty() {
        count(app, export, "archives", archives).await?;
        files.put(bucket, &export.archive(at.archive)).await?;
    }
    let cursor = files.cursor.filter(|_| archives < ARCHIVES_MAX);
    Ok(ExportPosition { archive: archives, ..at }.next(cursor))
}

/// Records the number of parts or archives, including the file that is written next. Account deletion uses this number
/// to find the files.
async fn count(app: &App, export: &Export, what: &str, count: u32) -> Result<()> {
    let write = Write::update(export.key()).set(what, count).equals("id", export.id);
    app.table.try_write(write.below_or_lacks(what, count)).await.map(drop)
}

/// Concatenates the parts to the complete file, and deletes the parts.
async fn finish(app: &App, bucket: &Bucket<'_>, export: &Export) -> Result<()> {
    let mut file = BytesMut::new();
    for part in 0..export.parts {
        let bytes = bucket.get(&export.part(part), PART_MAX_BYTES).await?.unwrap_or_default();
        if file.len() + bytes.len() > FILE_MAX_BYTES {
            return Err(Error::internal(anyhow::anyhow!("the export exceeds {FILE_MAX_BYTES} bytes")));
        }
        file.extend_from_slice(&bytes);
    }
    bucket.put_private(&export.file(), CONTENT_TYPE, file.freeze()).await?;
    let made = Export { made_at: Some(app.now()), ..*export };
    let write = Write::update(made.key()).set("madeAt", made.made_at).set("ttl", made.ends().seconds());
    match app.table.write(write.clear_outbox().equals("id", made.id)).await {
        // The account was deleted, or a newer export has started.
        Err(Error::WriteConflict) => bucket.delete(&made.file()).await?,
        result => result?,
    }
    export.delete_parts(bucket).await
}

fn compress(lines: &[Value]) -> Result<Bytes> {
    let mut gzip = GzEncoder::new(Vec::new(), Compression::default());
    for line in lines {
        writeln!(gzip, "{line}").map_err(Error::internal)?;
    }
    gzip.finish().map(Bytes::from).map_err(Error::internal)
}
