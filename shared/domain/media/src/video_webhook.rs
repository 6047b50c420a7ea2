//! Receives events from the video provider. An event must be signed and recent, and is handled once.

use base::MediaJob;
use http::HeaderMap;
use platform::{
    App, Error, Key, Result, Row, Time, Write,
    decode::{NOT_AN_OBJECT, decode},
    retry_on_conflict,
    settings::required,
    signatures,
    text::is_web_url,
};
use serde::{Deserialize, Serialize};
use serde_json::Value;
use uploads::{Upload, UploadStatus};
use utoipa::ToSchema;

const PLAYBACK_URL_MAX_BYTES: usize = 2048;
const EVENT_ID_MAX_CHARS: usize = 200;
const KEPT_SECONDS: i64 = 30 * 24 * 60 * 60;
const NO_UPLOAD: Error = Error::NotFound("upload");

/// An event from the video provider.
#[derive(Deserialize, ToSchema)]
pub struct HlsEvent {
    /// Event ID. Events with the same ID are handled once.
    #[schema(example = "evt_1")]
    pub id: EventId,
    /// Event type. Known types are `video.processing`, `video.ready` and `video.failed`.
    #[serde(rename = "type")]
    #[schema(example = "video.ready")]
    pub kind: String,
    /// Progress of the video. Events of unknown types need no `data`.
    #[serde(default)]
    #[schema(value_type = HlsData)]
    pub data: Value,
}

platform::text_types! {
    /// ID of an event.
    #[schema(as = HlsEventId, value_type = String, min_length = 1, max_length = 200)]
    EventId: event_id;

    /// Playback URL of a video.
    Playback: playback;
}

fn event_id(text: String) -> Result<String, &'static str> {
    let fits = (1..=EVENT_ID_MAX_CHARS).contains(&text.chars().count());
    fits.then_some(text).ok_or("must have 1 to 200 characters")
}

fn playback(text: String) -> Result<String, &'static str> {
    (is_web_url(&text) && text.len() <= PLAYBACK_URL_MAX_BYTES)
        .then_some(text)
        .ok_or("must be an http or https URL of at most 2048 bytes")
}

/// Progress of a video at the video provider.
#[derive(Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct HlsData {
    /// Key of the upload in the bucket.
    pub key: String,
    /// Status of the video. Case is ignored.
    #[serde(deserialize_with = "any_case")]
    pub status: UploadStatus,
    /// Playback URL.
    #[schema(value_type = Option<String>)]
    pub playback_url: Option<Playback>,
    /// Duration in seconds.
    #[serde(default, deserialize_with = "not_negative")]
    #[schema(minimum = 0)]
    pub duration: Option<f64>,
}

/// The fields that are required only in events of known types.
#[derive(Deserialize)]
struct Progress {
    data: HlsData,
}

/// The response to an event.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = HlsEventReceipt)]
pub struct Received {
    /// False if the event was already handled, or if its type is unknown.
    pub handled: bool,
}

#[derive(Serialize, Deserialize)]
struct HandledEvent {
    event: String,
    at: Time,
}

/// Handles an event.
///
/// # Errors
/// Fails with [`Error::Unauthenticated`] if the signature is invalid or expired. The signature is checked before the
/// body is parsed. Fails with [`Error::Invalid`] if the body is malformed, and with [`Error::NotFound`] if the upload
/// does not exist.
pub async fn receive(app: &App, headers: &HeaderMap, body: &[u8]) -> Result<Received> {
    verify(app, headers, body).await?;
    let json: Value = serde_json::from_slice(body).map_err(|_| NOT_AN_OBJECT)?;
    let event: HlsEvent = decode(json.clone())?;
    if !matches!(event.kind.as_str(), "video.processing" | "video.ready" | "video.failed") {
        return Ok(Received { handled: false });
    }
    let Progress { data } = decode(json)?;
    let upload = uploads::of_key(&data.key).ok_or(NO_UPLOAD)?;
    retry_on_conflict(async || {
        let handled = HandledEvent { event: event.id.0.clone(), at: app.now() };
        let (key, upload_key) = (handled.key(), uploads::key(upload));
        let rows = (app.table.get::<HandledEvent>(&key), app.table.get::<Upload>(&upload_key));
        let (earlier, upload) = futures::try_join!(rows.0, rows.1)?;
        let upload = upload.filter(|upload| upload.key == data.key).ok_or(NO_UPLOAD)?;
        if earlier.is_some() {
            return Ok(Received { handled: false });
        }
        let event_write = Write::create(&handled);
        // A post that starts to use the upload sees the new status, or conflicts with this write.
        let event_write = match upload.posts.is_empty() {
            true => event_write,
            false => event_write.then(&MediaJob::Show { upload: upload.id }),
        };
        app.table.transact(vec![event_write, progress_write(&upload, &data)]).await?;
        Ok(Received { handled: true })
    })
    .await
}

/// Returns the write that records the progress. An event with an earlier status than the recorded status has no effect.
fn progress_write(upload: &Upload, data: &HlsData) -> Write {
    if data.status < upload.status {
        return upload.change_write(upload);
    }
    let playback = data.playback_url.as_ref().map(|url| url.0.clone());
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
    // Only this service refuses files, so the provider cannot set this status.
    let status = status.filter(|status| *status != UploadStatus::Refused);
    status.ok_or_else(|| serde::de::Error::custom("must be one of pending, processing, failed, ready"))
}

fn not_negative<'de, D: serde::Deserializer<'de>>(deserializer: D) -> Result<Option<f64>, D::Error> {
    let duration = Option::<f64>::deserialize(deserializer)?;
    let is_valid = duration.is_none_or(|seconds| seconds >= 0.0);
    is_valid.then_some(duration).ok_or_else(|| serde::de::Error::custom("must be at least 0"))
}

/// `EVENT#id / HLS`, expires after 30 days
impl Row for HandledEvent {
    fn key(&self) -> Key {
        Key::new(format!("EVENT#{}", self.event), "HLS")
    }

    fn expires(&self) -> Option<Time> {
        Some(self.at.plus_seconds(KEPT_SECONDS))
    }
}
