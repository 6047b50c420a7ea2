//! An upload as its owner sees it.

use std::collections::BTreeMap;

use base::ids::UploadId;
use platform::{App, Result, time::Time};
use serde::Serialize;
use utoipa::ToSchema;

use super::{
    SIZES,
    file::{ContentType, Filename},
    row::Upload,
    status::{UploadState, UploadStatus},
};

/// An upload, and what became of its file.
#[derive(Clone, Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct UploadView {
    /// The upload's id.
    pub id: UploadId,
    /// The state.
    pub status: UploadState,
    /// Why it is refused.
    pub reason: Option<&'static str>,
    /// The file's name on the owner's device.
    pub filename: Filename,
    /// The type of the file that is uploaded.
    pub content_type: ContentType,
    /// The length of the file that is uploaded, in bytes.
    pub size: u64,
    /// The key at which the file is shown.
    pub key: String,
    /// The address at which it is shown: for an image that of `large`. Null until there is something to show.
    pub url: Option<String>,
    /// The addresses of an image's sizes: `large`, `medium` and `small`, the longer side at most 2,048, 960 and 320
    /// pixels.
    pub sizes: Option<BTreeMap<&'static str, String>>,
    /// The type of what `url` shows.
    #[serde(rename = "type")]
    pub kind: Option<String>,
    /// The width of `large` in pixels.
    pub width: Option<u32>,
    /// The height of `large` in pixels.
    pub height: Option<u32>,
    /// What an image looks like from afar.
    pub blurhash: Option<String>,
    /// The address at which the video provider plays a video.
    pub playback_url: Option<String>,
    /// A video's length in seconds.
    pub duration: Option<f64>,
    /// The time of the request.
    pub created_at: Time,
}

impl Upload {
    /// Returns the state as clients see it.
    pub fn state(&self) -> UploadState {
        self.status.into()
    }

    /// Returns the type of what is shown; none while it is not known.
    pub fn shown_type(&self) -> Option<&str> {
        let own = (self.picture.is_none() && self.state().is_shown()).then(|| self.content_type.name());
        self.picture.as_ref().map(|it| it.content_type.as_str()).or(own)
    }

    fn sentence(&self) -> Option<&'static str> {
        let failed = self.status == UploadStatus::Failed;
        let failed = failed.then_some("the video provider failed to process it");
        self.reason.map(|it| it.sentence()).or(failed)
    }

    fn sizes(&self, app: &App) -> Result<Option<BTreeMap<&'static str, String>>> {
        let Some(_) = &self.picture else { return Ok(None) };
        let keys = self.shown_keys();
        let named = SIZES.iter().zip(&keys).map(|((name, _), key)| Ok((*name, super::address(app, key)?)));
        named.collect::<Result<_>>().map(Some)
    }
}

/// Returns an upload as its owner sees it.
///
/// # Errors
/// Fails when the function has no bucket.
pub fn view(app: &App, upload: Upload) -> Result<UploadView> {
    let (status, reason, sizes) = (upload.state(), upload.sentence(), upload.sizes(app)?);
    let url = status.is_shown().then(|| super::address(app, &upload.key)).transpose()?;
    let kind = upload.shown_type().map(str::to_owned);
    let picture = upload.picture;
    Ok(UploadView {
        id: upload.id,
        status,
        reason,
        filename: upload.filename,
        content_type: upload.content_type,
        size: upload.size,
        key: upload.key,
        url,
        sizes,
        kind,
        width: picture.as_ref().map(|it| it.width),
        height: picture.as_ref().map(|it| it.height),
        blurhash: picture.map(|it| it.blurhash),
        playback_url: upload.playback_url,
        duration: upload.duration,
        created_at: upload.created_at,
    })
}
