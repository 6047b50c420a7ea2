//! Making an export, page by page.

use std::io::Write as _;

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
    lines::{self, SOURCES, Source},
    row::{self, Export},
};
use crate::ids::{ExportId, UserId};

const CONTENT_TYPE: &str = "application/gzip";
/// The most bytes of a part, and of the file.
const PART_MAX_BYTES: usize = 32 * 1024 * 1024;
const FILE_MAX_BYTES: usize = 512 * 1024 * 1024;

/// Where a page of an export begins.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct ExportPosition {
    source: Source,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    behind: Option<String>,
    part: u32,
}

/// Writes the next part of an export; after the last one the whole file. Returns where the next part begins. Nothing happens
/// where another export began since, or the person left. A part costs a page of a place, 1 call and 1 RRU, 1 call and 1 WRU,
/// and 1 request to S3; the file 1 request for each part, to read and to delete it, and 1 more.
pub(in crate::leaving) async fn make(
    app: &App,
    user: UserId,
    id: ExportId,
    after: Option<ExportPosition>,
) -> Result<Option<ExportPosition>> {
    let found = app.table.get::<Export>(&row::key(user)).await?;
    let Some(export) = found.filter(|it| it.id == id) else { return Ok(None) };
    let bucket = Bucket::of_uploads(app)?;
    if export.made_at.is_some() {
        return delete_parts(&bucket, &export).await.map(|()| None);
    }
    let first = || ExportPosition { source: Source::Own, behind: None, part: 0 };
    let ExportPosition { source, behind, part } = after.unwrap_or_else(first);
    let (lines, behind) = lines::page(app, user, source, behind).await?;
    count_part(app, &export, part + 1).await?;
    bucket.put_private(&export.part(part), CONTENT_TYPE, packed(&lines)?).await?;
    let next = match behind {
        Some(behind) => Some((source, Some(behind))),
        None => SOURCES.iter().copied().skip_while(|it| *it != source).nth(1).map(|it| (it, None)),
    };
    match next {
        Some((source, behind)) => Ok(Some(ExportPosition { source, behind, part: part + 1 })),
        None => finish(app, &bucket, &Export { parts: part + 1, ..export }).await.map(|()| None),
    }
}

/// Notes a part before it is written, so that it is found when the person leaves.
async fn count_part(app: &App, export: &Export, parts: u32) -> Result<()> {
    let write = Write::update(export.key()).set("parts", parts).equals("id", export.id);
    app.table.try_write(write.below_or_lacks("parts", parts)).await.map(drop)
}

/// Puts the parts together, and deletes them.
async fn finish(app: &App, bucket: &Bucket<'_>, export: &Export) -> Result<()> {
    let mut file = BytesMut::new();
    for part in 0..export.parts {
        let bytes = bucket.get(&export.part(part), PART_MAX_BYTES).await?.unwrap_or_default();
        if file.len() + bytes.len() > FILE_MAX_BYTES {
            return Err(Error::internal(anyhow::anyhow!("an export is too large")));
        }
        file.extend_from_slice(&bytes);
    }
    bucket.put_private(&export.file(), CONTENT_TYPE, file.freeze()).await?;
    let made = Export { made_at: Some(app.now()), ..*export };
    let write = Write::update(made.key()).set("madeAt", made.made_at).set("ttl", made.ends().seconds());
    match app.table.write(write.clear_outbox().equals("id", made.id)).await {
        // The person left meanwhile, or another export began: the file is nobody's.
        Err(Error::Stale) => bucket.delete(&made.file()).await?,
        done => done?,
    }
    delete_parts(bucket, export).await
}

async fn delete_parts(bucket: &Bucket<'_>, export: &Export) -> Result<()> {
    for part in 0..export.parts {
        bucket.delete(&export.part(part)).await?;
    }
    Ok(())
}

fn packed(lines: &[Value]) -> Result<Bytes> {
    let mut gzip = GzEncoder::new(Vec::new(), Compression::default());
    for line in lines {
        writeln!(gzip, "{line}").map_err(Error::internal)?;
    }
    gzip.finish().map(Bytes::from).map_err(Error::internal)
}
