//! The events of the video provider: signed, fresh, and each handled once.

use base::jobs::MediaJob;
use http::HeaderMap;
use platform::{
    App, Result,
    decode::decode,
    error::Error,
    retry_on_conflict,
    settings::required,
    signatures,
    table::{Key, Row, Write},
    time::Time,
};
use serde::{Deserialize, Serialize};
use serde_json::Value;
use uploads::{Upload, UploadStatus};
use utoipa::ToSchema;

const PLAYBACK_URL_MAX_BYTES: usize = 2048;
const EVENT_ID_MAX_CHARS: usize = 200;
const KEPT_SECONDS: i64 = 30 * 24 * 60 * 60;
const NO_UPLOAD: Error = Error::NotFound("upload");

/// An event of the video provider.
#[derive(Deserialize, ToSchema)]
pub struct HlsEvent {
    /// The event's id: an event is handled once, however often it is sent.
    #[schema(example = "evt_1")]
    pub id: EventId,
    /// The event's type; `video.processing`, `video.ready` and `video.failed` are known.
    #[serde(rename = "type")]
    #[schema(example = "video.ready")]
    pub kind: String,
    /// The upload's progress.
    #[schema(value_type = HlsData)]
    pub data: Value,
}

/// The id of an event.
#[derive(Deserialize, ToSchema)]
#[serde(try_from = "String")]
#[schema(as = HlsEventId, value_type = String, min_length = 1, max_length = 200)]
pub struct EventId(String);

impl TryFrom<String> for EventId {
    type Error = &'static str;

    fn try_from(text: String) -> Result<Self, Self::Error> {
        let fits = (1..=EVENT_ID_MAX_CHARS).contains(&text.chars().count());
        fits.then_some(Self(text)).ok_or("must have 1 to 200 characters")
    }
}

/// The address at which a video plays.
#[derive(Deserialize)]
#[serde(try_from = "String")]
pub struct Playback(String);

impl TryFrom<String> for Playback {
    type Error = &'static str;

    fn try_from(text: String) -> Result<Self, Self::Error> {
        let web = url::Url::parse(&text).is_ok_and(|it| matches!(it.scheme(), "http" | "https"));
        (web && text.len() <= PLAYBACK_URL_MAX_BYTES).then_some(Self(text)).ok_or("must be the URL of a page")
    }
}

/// An upload's progress at the video provider.
#[derive(Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct HlsData {
    /// The upload's key in the bucket.
    pub key: String,
    /// The status, in any case of letters.
    #[serde(deserialize_with = "any_case")]
    pub status: UploadStatus,
    /// The address at which it plays.
    #[schema(value_type = Option<String>)]
    pub playback_url: Option<Playback>,
    /// The video's length in seconds.
    pub duration: Option<f64>,
}

/// The answer to an event.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = HlsEventReceived)]
pub struct Received {
    /// Whether it was handled: not when it came before, or when its type is unknown.
    pub handled: bool,
}

/// An event that was handled.
#[derive(Serialize, Deserialize)]
struct HandledEvent {
    event: String,
    at: Time,
}

/// Handles an event.
///
/// # Errors
/// [`Error::Unauthenticated`] without a fresh and valid signature, before the body is parsed;
/// [`Error::Invalid`] for a malformed body; [`Error::NotFound`] when there is no such upload.
pub async fn receive(app: &App, headers: &HeaderMap, body: &[u8]) -> Result<Received> {
    verify(app, headers, body).await?;
    let json = serde_json::from_slice(body).map_err(|_| Error::invalid("body", "must be JSON"))?;
    let event: HlsEvent = decode(json)?;
    if !matches!(event.kind.as_str(), "video.processing" | "video.ready" | "video.failed") {
        return Ok(Received { handled: false });
    }
    let data: HlsData = decode(event.data)?;
    let upload = uploads::of_key(&data.key).ok_or(NO_UPLOAD)?;
    retry_on_conflict(async || {
        let handled = HandledEvent { event: event.id.0.clone(), at: app.now() };
        let (key, upload_key) = (handled.key(), uploads::key(upload));
        let rows = (app.table.get::<HandledEvent>(&key), app.table.get::<Upload>(&upload_key));
        let (earlier, upload) = futures::try_join!(rows.0, rows.1)?;
        let upload = upload.filter(|it| it.key == data.key).ok_or(NO_UPLOAD)?;
        if earlier.is_some() {
            return Ok(Received { handled: false });
        }
        let heard = Write::create(&handled);
        // Posts that take it from now on see the status that this writes, or make it stale.
        let heard = match upload.posts.is_empty() {
            true => heard,
            false => heard.then(&MediaJob::Show { upload: upload.id }),
        };
        app.table.transact(vec![heard, progress_write(&upload, &data)]).await?;
        Ok(Received { handled: true })
    })
    .await
}

/// Returns the write that records the upload's progress. An event that a later one overtook changes nothing.
fn progress_write(upload: &Upload, data: &HlsData) -> Write {
    if data.status < upload.status {
        return upload.change_write(upload);
    }
    let playback = data.playback_url.as_ref().map(|it| it.0.clone());
    upload.change_write(&Upload {
        status: data.status,
        playback_url: playback.or_else(|| upload.playback_url.clone()),
        duration: data.duration.or(upload.duration),
        ..upload.clone()
    })
}

async fn verify(app: &App, headers: &HeaderMap, body: &[u8]) -> Result<()> {
    let secret = required(&app.settings.hls_secret, "HLS_SECRET")?;
    let header = headers.get(app.settings.hls_signature_header.as_str());
    signatures::verify(app, secret, header, body).await
}

fn any_case<'de, D: serde::Deserializer<'de>>(deserializer: D) -> Result<UploadStatus, D::Error> {
    let text = String::deserialize(deserializer)?.to_uppercase();
    let status = serde_json::from_value(Value::String(text)).ok();
    // What a file is refused for is not the provider's to say.
    let status = status.filter(|it| *it != UploadStatus::Refused);
    status.ok_or_else(|| serde::de::Error::custom("must be one of pending processing failed ready"))
}

/// `EVENT#id / HLS`, swept after 30 days
impl Row for HandledEvent {
    fn key(&self) -> Key {
        Key::new(format!("EVENT#{}", self.event), "HLS")
    }

    fn expires(&self) -> Option<Time> {
        Some(self.at.plus_seconds(KEPT_SECONDS))
    }
}
