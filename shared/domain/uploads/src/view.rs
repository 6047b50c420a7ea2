//! An upload as its owner sees it.

use std::collections::BTreeMap;

use base::{UploadId, UserId};
use platform::{App, Error, Result, Time};
use serde::Serialize;
use utoipa::ToSchema;

use super::{ContentType, Filename, SIZES, Upload, UploadState, UploadStatus, find, of_url};

/// An upload with the state of its file.
#[derive(Clone, Debug, Serialize, ToSchema)]
#[schema(as = Upload)]
#[serde(rename_all = "camelCase")]
pub struct UploadView {
    /// Upload ID.
    pub id: UploadId,
    /// State of the upload.
    pub status: UploadState,
    /// The reason why the upload was refused or failed. Null otherwise.
    pub reason: Option<&'static str>,
    /// File name on the owner's device.
    pub filename: Filename,
    /// Type of the uploaded file.
    pub content_type: ContentType,
    /// Size of the uploaded file in bytes.
    pub size: u64,
    /// Key of the processed, public file.
    pub key: String,
    /// Public URL of the file. Null until the file can be shown. For an image, the URL of the animation or of the size
    /// `large`.
    pub url: Option<String>,
    /// URL of the size `large` if the image is animated. Null otherwise.
    pub still: Option<String>,
    /// URLs of an image's sizes `large`, `medium` and `small`, which are not animated. An image has at most as many
    /// pixels as a square with a side of 2,048, 960 or 320 pixels.
    pub sizes: Option<BTreeMap<&'static str, String>>,
    /// Content type of the file at `url`.
    #[serde(rename = "type")]
    pub kind: Option<String>,
    /// Width of the size `large` in pixels.
    pub width: Option<u32>,
    /// Height of the size `large` in pixels.
    pub height: Option<u32>,
    /// Blurhash of an image. Clients show the blurhash until the file is loaded.
    pub blurhash: Option<String>,
    /// Playback URL of a video at the video provider.
    pub playback_url: Option<String>,
    /// Duration of a video in seconds.
    pub duration: Option<f64>,
    /// Time at which the upload was requested.
    pub created_at: Time,
}

/// Returns a user's own picture, and the URL of its smallest size.
///
/// # Errors
/// Fails with [`Error::Invalid`] if the user has no such upload, or if the upload is not a processed picture.
pub(super) async fn own_picture(app: &App, owner: UserId, id: UploadId) -> Result<(Upload, String)> {
    let upload = find_shown(app, owner, id).await?.ok_or_else(no_own_picture)?;
    let url = upload.small(app)?.ok_or_else(no_own_picture)?;
    Ok((upload, url))
}

/// Returns the user's own picture that has the URL `url`, and `url` itself.
///
/// # Errors
/// Fails with [`Error::Invalid`] if the user has no such picture.
pub(super) async fn own_picture_url(app: &App, owner: UserId, url: String) -> Result<(Upload, String)> {
    let id = of_url(&url).ok_or_else(foreign_file)?;
    let upload = find_shown(app, owner, id).await?.filter(|upload| upload.picture.is_some());
    let upload = upload.ok_or_else(foreign_file)?;
    for key in upload.public_keys() {
        if super::address(app, &key)? == url {
            return Ok((upload, url));
        }
    }
    Err(foreign_file())
}

async fn find_shown(app: &App, owner: UserId, id: UploadId) -> Result<Option<Upload>> {
    let is_shown = |upload: &Upload| upload.state().is_shown() && !upload.is_hidden;
    Ok(find(app, id).await?.filter(|upload| upload.owner == Some(owner) && is_shown(upload)))
}

fn no_own_picture() -> Error {
    Error::invalid(
        "avatar",
        "must be the ID of a processed picture that you uploaded. Processing takes some seconds.",
    )
}

fn foreign_file() -> Error {
    Error::invalid(
        "avatar",
        "is the URL of a file that is not your picture. Upload the picture, and send its ID or URL.",
    )
}

impl Upload {
    /// Returns the state for responses.
    pub fn state(&self) -> UploadState {
        self.status.into()
    }

    /// Returns the content type of the public file, or `None` until the file is processed.
    pub fn shown_type(&self) -> Option<&str> {
        let own = (self.picture.is_none() && self.state().is_shown()).then(|| self.content_type.name());
        let still = self.picture.as_ref().map(|picture| picture.content_type.as_str());
        self.animation().or(still).or(own)
    }

    fn sentence(&self) -> Option<&'static str> {
        let failed = self.status == UploadStatus::Failed;
        let failed = failed.then_some("the video provider failed to process the video");
        let hidden = self.is_hidden.then_some("moderators deleted the post with this file");
        self.reason.map(|reason| reason.sentence()).or(failed).or(hidden)
    }

    /// Returns the URL of the smallest size, or `None` if the upload is not a processed picture.
    ///
    /// # Errors
    /// Fails if neither a CDN nor a bucket is configured.
    pub fn small(&self, app: &App) -> Result<Option<String>> {
        self.of_size(app, "small")
    }

    /// Returns the URL of the medium size, or `None` if the upload is not a processed picture.
    ///
    /// # Errors
    /// Fails if neither a CDN nor a bucket is configured.
    pub fn medium(&self, app: &App) -> Result<Option<String>> {
        self.of_size(app, "medium")
    }

    fn of_size(&self, app: &App, name: &str) -> Result<Option<String>> {
        Ok(self.sizes(app)?.and_then(|mut sizes| sizes.remove(name)))
    }

    fn sizes(&self, app: &App) -> Result<Option<BTreeMap<&'static str, String>>> {
        let Some(_) = &self.picture else { return Ok(None) };
        let keys = self.public_keys();
        let named = SIZES.iter().zip(&keys).map(|((name, _), key)| Ok((*name, super::address(app, key)?)));
        named.collect::<Result<_>>().map(Some)
    }
}

/// Returns an upload as its owner sees it.
///
/// # Errors
/// Fails if neither a CDN nor a bucket is configured.
pub fn view(app: &App, upload: Upload) -> Result<UploadView> {
    let status = if upload.is_hidden { UploadState::Refused } else { upload.state() };
    let (reason, sizes) = (upload.sentence(), upload.sizes(app)?.filter(|_| status.is_shown()));
    let url = status.is_shown().then(|| super::address(app, &upload.shown_key())).transpose()?;
    let still = upload.animation().filter(|_| status.is_shown());
    let still = still.map(|_| super::address(app, &upload.key)).transpose()?;
    let kind = upload.shown_type().filter(|_| status.is_shown()).map(str::to_owned);
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
        still,
        sizes,
        kind,
        width: picture.as_ref().map(|picture| picture.width),
        height: picture.as_ref().map(|picture| picture.height),
        blurhash: picture.map(|picture| picture.blurhash),
        playback_url: upload.playback_url,
        duration: upload.duration,
        created_at: upload.created_at,
    })
}
