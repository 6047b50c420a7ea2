//! The presigned URL for exactly one file.

use std::{collections::BTreeMap, time::Duration};

use base::UploadId;
use http::Method;
use platform::{App, Bucket, Result};
use serde::Serialize;
use utoipa::ToSchema;

use super::row::Upload;

const EXPIRES_IN: Duration = Duration::from_secs(15 * 60);

/// The presigned URL for an upload, and the data that is needed to use the URL.
#[derive(Clone, Debug, Serialize, ToSchema)]
#[schema(as = UploadTicket)]
#[serde(rename_all = "camelCase")]
pub struct Ticket {
    /// Upload ID. Use it in a post's `media`.
    pub id: UploadId,
    /// Key of the processed, public file. For an image, the key of the largest size.
    pub key: String,
    /// Public URL of the file, available once the upload is READY. For an animated image, the URL of the first frame.
    pub url: String,
    /// URL for the PUT request, valid for `expiresIn` seconds.
    pub upload_url: String,
    /// Headers of the PUT request. The headers are part of the signature.
    pub headers: BTreeMap<String, String>,
    /// Lifetime of the upload URL in seconds.
    #[schema(example = 900)]
    pub expires_in: u64,
}

/// Returns an upload with its presigned URL. The signed headers fix the content type and the length, and prevent
/// overwriting a file.
pub(super) async fn ticket(app: &App, upload: Upload) -> Result<Ticket> {
    let length = upload.size.to_string();
    let headers = [
        ("content-length", length.as_str()),
        ("content-type", upload.content_type.name()),
        // With this header, S3 refuses to overwrite a file, so the URL works for only one PUT.
        ("if-none-match", "*"),
    ];
    let bucket = Bucket::of_uploads(app)?;
    let upload_url = bucket.presign(Method::PUT, &upload.source, &headers, EXPIRES_IN).await?;
    let headers = headers.map(|(name, value)| (name.to_owned(), value.to_owned())).into();
    let url = super::address(app, &upload.key)?;
    let Upload { id, key, .. } = upload;
    Ok(Ticket { id, key, url, upload_url, headers, expires_in: EXPIRES_IN.as_secs() })
}
