//! Uploads: a place in the bucket for one file, and a signed address that takes exactly that file.

use std::{collections::BTreeMap, time::Duration};

use anyhow::Result as Anyhow;
use aws_sigv4::{
    http_request::{
        PercentEncodingMode, SignableBody, SignableRequest, SignatureLocation, SigningSettings,
        UriPathNormalizationMode, sign,
    },
    sign::v4::SigningParams,
};
use platform::{
    App, Result,
    error::Error,
    idempotency::Once,
    outgoing::system_time,
    settings::required,
    table::{Key, Row, Write},
    time::Time,
};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use crate::ids::{UploadId, UserId};

const EXPIRES_IN: Duration = Duration::from_secs(15 * 60);
const FILENAME_MAX_CHARS: usize = 255;
const MIB: u64 = 1024 * 1024;
const IMAGE_MAX_BYTES: u64 = 10 * MIB;
const VIDEO_MAX_BYTES: u64 = 200 * MIB;
/// What may be uploaded, and how its key ends.
const TYPES: [(&str, &str); 9] = [
    ("image/jpeg", "jpg"),
    ("image/png", "png"),
    ("image/gif", "gif"),
    ("image/webp", "webp"),
    ("image/avif", "avif"),
    ("image/heic", "heic"),
    ("video/mp4", "mp4"),
    ("video/quicktime", "mov"),
    ("video/webm", "webm"),
];

/// What a file is called on the device it comes from. It is not part of the key.
#[derive(Clone, Debug, Serialize, Deserialize, ToSchema)]
#[serde(try_from = "String")]
#[schema(value_type = String, min_length = 1, max_length = 255, example = "cat.jpg")]
pub struct Filename(String);

impl TryFrom<String> for Filename {
    type Error = &'static str;

    fn try_from(text: String) -> Result<Self, Self::Error> {
        let fits =
            (1..=FILENAME_MAX_CHARS).contains(&text.chars().count()) && !text.contains(char::is_control);
        fits.then_some(Self(text)).ok_or("must have 1 to 255 characters")
    }
}

/// A kind of file that may be uploaded.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(try_from = "String", into = "String")]
#[schema(value_type = String, example = "image/jpeg")]
pub struct ContentType(usize);

impl TryFrom<String> for ContentType {
    type Error = &'static str;

    fn try_from(text: String) -> Result<Self, Self::Error> {
        let known = TYPES.iter().position(|(it, _)| text.eq_ignore_ascii_case(it));
        known
            .map(Self)
            .ok_or("must be a JPEG, PNG, GIF, WebP, AVIF or HEIC image or an MP4, QuickTime or WebM video")
    }
}

impl From<ContentType> for String {
    fn from(it: ContentType) -> Self {
        it.name().to_owned()
    }
}

impl ContentType {
    fn name(self) -> &'static str {
        TYPES.get(self.0).map_or("", |(name, _)| name)
    }

    fn ending(self) -> &'static str {
        TYPES.get(self.0).map_or("", |(_, ending)| ending)
    }

    fn max_bytes(self) -> u64 {
        if self.name().starts_with("video/") { VIDEO_MAX_BYTES } else { IMAGE_MAX_BYTES }
    }
}

/// A file to be uploaded.
#[derive(Clone, Debug, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct UploadDraft {
    /// Its name.
    pub filename: Filename,
    /// Its kind.
    pub content_type: ContentType,
    /// Its exact length in bytes: 10 MiB at most for an image, 200 MiB for a video.
    #[schema(minimum = 1, maximum = 209_715_200, example = 48213)]
    pub size: u64,
}

/// How far an upload has come. Only videos go beyond the first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "SCREAMING_SNAKE_CASE")]
pub enum UploadStatus {
    /// It may be uploaded, or was.
    Pending,
    /// The video provider works on it.
    Processing,
    /// The video provider gave up.
    Failed,
    /// It can be played.
    Ready,
}

/// An upload as it is kept.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Upload {
    /// Which.
    pub id: UploadId,
    /// Whose.
    pub owner: UserId,
    /// Its name on the owner's device.
    pub filename: Filename,
    /// Where in the bucket.
    pub key: String,
    /// Its kind.
    pub content_type: ContentType,
    /// Its length in bytes.
    pub size: u64,
    /// How far it has come.
    pub status: UploadStatus,
    /// Where a video plays, once it does.
    pub playback_url: Option<String>,
    /// Seconds that a video takes.
    pub duration: Option<f64>,
    /// When it was asked for.
    pub created_at: Time,
}

/// Where to put the file.
#[derive(Clone, Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct Ticket {
    /// The upload; `id`, `key` and `url` are what a post's media takes.
    pub id: UploadId,
    /// Where in the bucket it will be.
    pub key: String,
    /// Where it will be read.
    pub url: String,
    /// Where to PUT it, within the time.
    pub upload_url: String,
    /// Headers to send with it: they are part of the signature.
    pub headers: BTreeMap<String, String>,
    /// Seconds that the address is good for.
    #[schema(example = 900)]
    pub expires_in: u64,
}

/// Makes room for a file. 1 call, 2 WRU; another with an `Idempotency-Key`.
///
/// # Errors
/// [`Error::Invalid`] when it is too large for its kind.
pub async fn begin(app: &App, owner: UserId, draft: UploadDraft, once: &Once) -> Result<Ticket> {
    let max = draft.content_type.max_bytes();
    if !(1..=max).contains(&draft.size) {
        return Err(Error::invalid("size", &format!("must be 1 to {max} bytes for this content type")));
    }
    let work = async {
        let upload = drawn_up(app, owner, draft);
        Ok((vec![Write::create(&upload)], upload))
    };
    ticket(app, once.run(app, owner, work).await?).await
}

fn drawn_up(app: &App, owner: UserId, draft: UploadDraft) -> Upload {
    let now = app.now();
    let id: UploadId = app.ids.next(now);
    Upload {
        id,
        owner,
        filename: draft.filename,
        key: format!("uploads/{}/{id}.{}", owner.public(), draft.content_type.ending()),
        content_type: draft.content_type,
        size: draft.size,
        status: UploadStatus::Pending,
        playback_url: None,
        duration: None,
        created_at: now,
    }
}

async fn ticket(app: &App, upload: Upload) -> Result<Ticket> {
    let bucket = required(&app.settings.upload_bucket, "UPLOAD_BUCKET")?;
    let standard = || format!("https://{bucket}.s3.{}.amazonaws.com", app.outside.region());
    let base = app.outside.endpoint("S3").map_or_else(standard, |it| format!("{it}/{bucket}"));
    let url = format!("{base}/{}", upload.key);
    let length = upload.size.to_string();
    let headers = [("content-length", length.as_str()), ("content-type", upload.content_type.name())];
    let upload_url = presign(app, &url, &headers).await.map_err(Error::Internal)?;
    let headers = headers.map(|(name, value)| (name.to_owned(), value.to_owned())).into();
    Ok(Ticket { id: upload.id, key: upload.key, url, upload_url, headers, expires_in: EXPIRES_IN.as_secs() })
}

/// Signs a PUT with these headers, body unseen: what has another type or length is another request.
async fn presign(app: &App, url: &str, headers: &[(&str, &str)]) -> Anyhow<String> {
    let mut settings = SigningSettings::default();
    settings.signature_location = SignatureLocation::QueryParams;
    settings.expires_in = Some(EXPIRES_IN);
    settings.percent_encoding_mode = PercentEncodingMode::Single;
    settings.uri_path_normalization_mode = UriPathNormalizationMode::Disabled;
    let identity = app.outside.credentials().await?.into();
    let params = SigningParams::builder().identity(&identity).region(app.outside.region()).name("s3");
    let params = params.time(system_time(app.now())).settings(settings).build()?.into();
    let request = SignableRequest::new("PUT", url, headers.iter().copied(), SignableBody::UnsignedPayload)?;
    let (instructions, _) = sign(request, &params)?.into_parts();
    let mut signed = http::Request::put(url).body(())?;
    instructions.apply_to_request_http1x(&mut signed);
    Ok(signed.uri().to_string())
}

/// Where an upload's row is.
pub fn key(id: UploadId) -> Key {
    Key::new(format!("UPLOAD#{id}"), "UPLOAD")
}

/// The upload that lies there in the bucket, if the key is one of ours.
pub fn of_key(key: &str) -> Option<UploadId> {
    let (path, _) = key.rsplit_once('.')?;
    path.rsplit('/').next()?.parse().ok()
}

/// `UPLOAD#id / UPLOAD`
impl Row for Upload {
    fn key(&self) -> Key {
        key(self.id)
    }
}
