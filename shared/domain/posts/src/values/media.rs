//! The files of a post, as they are requested, stored and returned.

use std::collections::HashSet;

use base::UploadId;
use futures::future::try_join_all;
use platform::{
    App, Result,
    text::{is_web_url, optional_text},
};
use serde::{Deserialize, Serialize};
use uploads::{Upload, UploadState};
use utoipa::ToSchema;

const MEDIA_MAX: usize = 10;
const ALT_MAX_CHARS: usize = 1500;
const URL_MAX_BYTES: usize = 2048;

platform::text_types! {
    /// Alternative text for users who cannot see the file.
    #[schema(as = AltText, value_type = String, max_length = 1500, example = "A cat asleep on a keyboard")]
    Alt: alt;

    /// The URL that the upload request returned for the file.
    #[schema(value_type = String, format = "uri", max_length = 2048)]
    FileAddress: file_address;
}

fn alt(text: String) -> Result<String, &'static str> {
    optional_text(&text, ALT_MAX_CHARS, "must have at most 1500 characters")
}

fn file_address(text: String) -> Result<String, &'static str> {
    (is_web_url(&text) && text.len() <= URL_MAX_BYTES)
        .then_some(text)
        .ok_or("must be an http or https URL of at most 2048 bytes")
}

/// A file of a new post. The author must have uploaded the file. A file object from a response is also accepted. Fields
/// other than `id`, `key` and `alt` are ignored.
#[derive(Clone, Debug, Serialize, Deserialize, ToSchema)]
pub struct MediaDraft {
    /// The upload's ID.
    pub id: UploadId,
    /// The upload's key. Optional. If given, it must match the upload.
    pub key: Option<String>,
    /// The upload's URL. Optional. The value is ignored, because the service knows the URL.
    pub url: Option<FileAddress>,
    /// Alternative text.
    pub alt: Option<Alt>,
    /// Ignored.
    #[serde(skip_serializing)]
    pub status: Option<UploadState>,
    /// Ignored.
    #[serde(rename = "type", skip_serializing)]
    #[schema(example = "image/webp")]
    pub kind: Option<String>,
    /// Ignored.
    #[serde(skip_serializing)]
    pub still: Option<String>,
    /// Ignored.
    #[serde(skip_serializing)]
    pub width: Option<u32>,
    /// Ignored.
    #[serde(skip_serializing)]
    pub height: Option<u32>,
    /// Ignored.
    #[serde(skip_serializing)]
    pub blurhash: Option<String>,
}

/// Compares only `id` and `alt`, because the other fields do not affect the post.
impl PartialEq for MediaDraft {
    fn eq(&self, other: &Self) -> bool {
        self.id == other.id && self.alt == other.alt
    }
}

/// The files of a new post. A post can have at most 10 different files.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, ToSchema)]
#[serde(try_from = "Vec<MediaDraft>")]
#[schema(value_type = Vec<MediaDraft>, max_items = 10)]
pub struct MediaDrafts(Vec<MediaDraft>);

impl TryFrom<Vec<MediaDraft>> for MediaDrafts {
    type Error = &'static str;

    fn try_from(media: Vec<MediaDraft>) -> Result<Self, Self::Error> {
        let distinct: HashSet<_> = media.iter().map(|draft| draft.id).collect();
        match () {
            () if media.len() > MEDIA_MAX => Err("must have at most 10 items"),
            () if distinct.len() < media.len() => Err("must not contain an upload twice"),
            () => Ok(Self(media)),
        }
    }
}

impl MediaDrafts {
    /// Returns the files in display order.
    pub fn files(&self) -> &[MediaDraft] {
        &self.0
    }
}

/// A file as it is stored with its post.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Media {
    id: UploadId,
    key: String,
    /// URL of the file. For an image, the URL of the size `large`.
    url: String,
    status: UploadState,
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    is_animated: bool,
    #[serde(rename = "type", skip_serializing_if = "Option::is_none")]
    kind: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    width: Option<u32>,
    #[serde(skip_serializing_if = "Option::is_none")]
    height: Option<u32>,
    #[serde(skip_serializing_if = "Option::is_none")]
    blurhash: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    alt: Option<Alt>,
}

/// The files as they are stored with their post.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct MediaList(Vec<Media>);

/// A file of a post in a response.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, ToSchema)]
#[schema(as = Media)]
pub struct MediaView {
    /// The upload's ID.
    pub id: String,
    /// The storage key of the displayed file.
    pub key: String,
    /// The URL of the displayed file, or null if there is none yet. The URL of an image without animation ends in
    /// `large`. Replace `large` with `medium` or `small` for other sizes.
    #[schema(format = "uri")]
    pub url: Option<String>,
    /// The URL of the first frame of an animated image. Null for other files. The URL ends in `large`. Replace `large`
    /// with `medium` or `small` for other sizes.
    #[schema(format = "uri")]
    pub still: Option<String>,
    /// The state of the file: `PENDING` until the file is uploaded and checked. `REFUSED` is permanent.
    pub status: UploadState,
    /// The media type of the displayed file.
    #[serde(rename = "type")]
    pub kind: Option<String>,
    /// The width of an image in pixels.
    pub width: Option<u32>,
    /// The height of an image in pixels.
    pub height: Option<u32>,
    /// BlurHash placeholder of an image.
    pub blurhash: Option<String>,
    /// Alternative text for users who cannot see the file.
    pub alt: Option<Alt>,
}

impl Media {
    /// Returns the file that a post stores for an upload.
    pub fn new(upload: &Upload, url: String, alt: Option<Alt>) -> Self {
        let picture = upload.picture.as_ref();
        Self {
            id: upload.id,
            key: upload.key.clone(),
            url,
            status: upload.state(),
            is_animated: upload.animation().is_some(),
            kind: upload.shown_type().map(str::to_owned),
            width: picture.map(|picture| picture.width),
            height: picture.map(|picture| picture.height),
            blurhash: picture.map(|picture| picture.blurhash.clone()),
            alt,
        }
    }
}

impl From<Vec<Media>> for MediaList {
    fn from(media: Vec<Media>) -> Self {
        Self(media)
    }
}

impl MediaList {
    /// Returns a copy of the list in which the file of `upload` has the upload's current state.
    pub fn with(&self, upload: &Upload) -> Self {
        let current = |media: &Media| match media.id == upload.id {
            true => Media::new(upload, media.url.clone(), media.alt.clone()),
            false => media.clone(),
        };
        Self(self.0.iter().map(current).collect())
    }

    /// Returns the IDs of the uploads.
    pub fn uploads(&self) -> impl Iterator<Item = UploadId> {
        self.0.iter().map(|media| media.id)
    }

    /// Returns the alternative texts.
    pub fn alts(&self) -> impl Iterator<Item = &str> {
        self.0.iter().filter_map(|media| media.alt.as_ref()).map(|Alt(alt)| alt.as_str())
    }

    /// Returns the files for a response.
    pub fn into_views(self) -> Vec<MediaView> {
        self.0.into_iter().map(MediaView::from).collect()
    }

    /// Returns the key of the main file of each upload.
    pub fn keys(&self) -> impl Iterator<Item = (UploadId, &str)> {
        self.0.iter().map(|media| (media.id, media.key.as_str()))
    }

    /// Returns the files for a response, with signed URLs that are valid for 5 minutes. `key_of` maps the key of
    /// an upload's file to the key to sign.
    ///
    /// # Errors
    /// Fails if no bucket is configured.
    pub async fn into_signed_views(
        self,
        app: &App,
        key_of: impl Fn(UploadId, &str) -> String,
    ) -> Result<Vec<MediaView>> {
        let key_of = &key_of;
        let signed = |media: Media| async move {
            signed(app, |key| key_of(media.id, key), media.clone().into()).await
        };
        try_join_all(self.0.into_iter().map(signed)).await
    }
}

impl From<Media> for MediaView {
    fn from(media: Media) -> Self {
        let Media { id, key, url, status, is_animated, kind, width, height, blurhash, alt } = media;
        let url = status.is_shown().then_some(url);
        let still = url.clone().filter(|_| is_animated);
        let url = still.as_deref().map(uploads::animation_of).or(url);
        Self { id: id.to_string(), key, url, still, status, kind, width, height, blurhash, alt }
    }
}

async fn signed(app: &App, key_of: impl Fn(&str) -> String, file: MediaView) -> Result<MediaView> {
    let shown = if file.still.is_some() { uploads::animation_of(&file.key) } else { file.key.clone() };
    let (shown, large) = (key_of(&shown), key_of(&file.key));
    let (url, still) = (sign(app, file.url, &shown), sign(app, file.still, &large));
    let (url, still) = futures::try_join!(url, still)?;
    Ok(MediaView { url, still, ..file })
}

/// Returns the signed URL of a file that has a public URL.
async fn sign(app: &App, public: Option<String>, key: &str) -> Result<Option<String>> {
    match public {
        Some(_) => uploads::signed_address(app, key).await.map(Some),
        None => Ok(None),
    }
}
