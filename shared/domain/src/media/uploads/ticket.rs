//! The signed address that takes exactly one file.

use std::{collections::BTreeMap, time::Duration};

use anyhow::Result as Anyhow;
use aws_sigv4::{
    http_request::{
        PercentEncodingMode, SignableBody, SignableRequest, SignatureLocation, SigningSettings,
        UriPathNormalizationMode, sign,
    },
    sign::v4::SigningParams,
};
use platform::{App, Result, error::Error, outgoing::system_time, settings::required};
use serde::Serialize;
use utoipa::ToSchema;

use super::row::Upload;
use crate::ids::UploadId;

const EXPIRES_IN: Duration = Duration::from_secs(15 * 60);

/// The address for an upload, and how to use it.
#[derive(Clone, Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct Ticket {
    /// The upload's id. A post's media takes `id`, `key` and `url`.
    pub id: UploadId,
    /// The file's key in the bucket.
    pub key: String,
    /// The address at which the file will be read.
    pub url: String,
    /// The address for the PUT, valid for `expiresIn` seconds.
    pub upload_url: String,
    /// The headers to send with the PUT: they are part of the signature.
    pub headers: BTreeMap<String, String>,
    /// The number of seconds for which the address is valid.
    #[schema(example = 900)]
    pub expires_in: u64,
}

/// Signs the address for an upload. Costs no call.
pub(super) async fn ticket(app: &App, upload: Upload) -> Result<Ticket> {
    let bucket = required(&app.settings.upload_bucket, "UPLOAD_BUCKET")?;
    let standard = || app.outgoing.standard_endpoint(&format!("{bucket}.s3"));
    let base = app.outgoing.endpoint("S3").map_or_else(standard, |it| format!("{it}/{bucket}"));
    let stored_at = format!("{base}/{}", upload.key);
    let url = app.settings.files_url.as_ref().map(|front| format!("{front}/{}", upload.key));
    let length = upload.size.to_string();
    let headers = [
        ("content-length", length.as_str()),
        ("content-type", upload.content_type.name()),
        // S3 takes it only where there is no such file yet: the address is good for one PUT.
        ("if-none-match", "*"),
    ];
    let upload_url = presign(app, &stored_at, &headers).await.map_err(Error::Internal)?;
    let headers = headers.map(|(name, value)| (name.to_owned(), value.to_owned())).into();
    let (id, key, url) = (upload.id, upload.key, url.unwrap_or(stored_at));
    Ok(Ticket { id, key, url, upload_url, headers, expires_in: EXPIRES_IN.as_secs() })
}

/// Signs a PUT with these headers, without its body: a PUT of another type or length, or over a file, does not match.
async fn presign(app: &App, url: &str, headers: &[(&str, &str)]) -> Anyhow<String> {
    let mut settings = SigningSettings::default();
    settings.signature_location = SignatureLocation::QueryParams;
    settings.expires_in = Some(EXPIRES_IN);
    settings.percent_encoding_mode = PercentEncodingMode::Single;
    settings.uri_path_normalization_mode = UriPathNormalizationMode::Disabled;
    let identity = app.outgoing.credentials().await?.into();
    let params = SigningParams::builder().identity(&identity).region(app.outgoing.region()).name("s3");
    let params = params.time(system_time(app.now())).settings(settings).build()?.into();
    let request = SignableRequest::new("PUT", url, headers.iter().copied(), SignableBody::UnsignedPayload)?;
    let (instructions, _) = sign(request, &params)?.into_parts();
    let mut signed = http::Request::put(url).body(())?;
    instructions.apply_to_request_http1x(&mut signed);
    Ok(signed.uri().to_string())
}
