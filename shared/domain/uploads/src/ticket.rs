//! The signed address that takes exactly one file.

use std::{collections::BTreeMap, time::Duration};

use base::ids::UploadId;
use http::Method;
use platform::{App, Result, objects::Bucket};
use serde::Serialize;
use utoipa::ToSchema;

use super::row::Upload;

/// How long a file may be put. Later none comes any more.
pub(crate) const EXPIRES_IN: Duration = Duration::from_secs(15 * 60);

/// The address for an upload, and how to use it.
#[derive(Clone, Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct Ticket {
    /// The upload's id. A post's media takes it.
    pub id: UploadId,
    /// The key at which the file will be shown: for an image that of its largest size.
    pub key: String,
    /// The address at which the file will be read, once the upload is READY.
    pub url: String,
    /// The address for the PUT, valid for `expiresIn` seconds.
    pub upload_url: String,
    /// The headers to send with the PUT: they are part of the signature.
    pub headers: BTreeMap<String, String>,
    /// The number of seconds for which the address is valid.
    #[schema(example = 900)]
    pub expires_in: u64,
}

/// Signs the address for an upload: a PUT of another type or length, or over a file, does not match.
pub(super) async fn ticket(app: &App, upload: Upload) -> Result<Ticket> {
    let length = upload.size.to_string();
    let headers = [
        ("content-length", length.as_str()),
        ("content-type", upload.content_type.name()),
        // S3 takes it only where there is no such file yet: the address is good for one PUT.
        ("if-none-match", "*"),
    ];
    let bucket = Bucket::of_uploads(app)?;
    let upload_url = bucket.presign(Method::PUT, &upload.source, &headers, EXPIRES_IN).await?;
    let headers = headers.map(|(name, value)| (name.to_owned(), value.to_owned())).into();
    let url = super::address(app, &upload.key)?;
    let Upload { id, key, .. } = upload;
    Ok(Ticket { id, key, url, upload_url, headers, expires_in: EXPIRES_IN.as_secs() })
}
