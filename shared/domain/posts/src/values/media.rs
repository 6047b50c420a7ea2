//! The files of a post: as a client names them, as they are stored, and as a viewer sees them.

use base::ids::UploadId;
use platform::decode::Object;
use serde::{Deserialize, Serialize};
use uploads::{Upload, UploadState};
use utoipa::ToSchema;

const MEDIA_MAX: usize = 10;
const ALT_MAX_CHARS: usize = 1500;
const URL_MAX_BYTES: usize = 2048;

platform::text_types! {
    /// What a file shows, for who does not see it.
    #[schema(value_type = String, max_length = 1500, example = "A cat asleep on a keyboard")]
    Alt: alt;

    /// The address of a file, as the request for its upload answered it.
    #[schema(value_type = String, format = "uri", max_length = 2048)]
    FileAddress: file_address;
}

fn alt(text: String) -> Result<String, &'static str> {
    let fits = text.chars().count() <= ALT_MAX_CHARS;
    fits.then_some(text).ok_or("must have at most 1500 characters")
}

fn file_address(text: String) -> Result<String, &'static str> {
    let web = url::Url::parse(&text).is_ok_and(|url| matches!(url.scheme(), "http" | "https"));
    (web && text.len() <= URL_MAX_BYTES).then_some(text).ok_or("must be an http or https address")
}

/// A file for a new post: an upload of its author.
#[derive(Clone, Debug, Serialize, Deserialize, ToSchema)]
pub struct MediaDraft {
    /// The upload's id.
    pub id: UploadId,
    /// The upload's key. It may be left out, and must be the upload's own.
    pub key: Option<String>,
    /// The upload's address. It may be left out: the post shows the upload's own.
    pub url: Option<FileAddress>,
    /// What the file shows.
    pub alt: Option<Alt>,
}

/// The files for a new post, at most 10, each once.
#[derive(Clone, Debug, Default, Serialize, Deserialize, ToSchema)]
#[serde(try_from = "Vec<Object<MediaDraft>>")]
#[schema(value_type = Vec<MediaDraft>, max_items = 10)]
pub struct MediaDrafts(Vec<MediaDraft>);

impl TryFrom<Vec<Object<MediaDraft>>> for MediaDrafts {
    type Error = &'static str;

    fn try_from(media: Vec<Object<MediaDraft>>) -> Result<Self, Self::Error> {
        let media: Vec<_> = media.into_iter().map(|Object(draft)| draft).collect();
        let twice = |(position, draft): (usize, &MediaDraft)| {
            media[..position].iter().any(|other| other.id == draft.id)
        };
        match () {
            () if media.len() > MEDIA_MAX => Err("must have at most 10 items"),
            () if media.iter().enumerate().any(twice) => Err("must name each upload once"),
            () => Ok(Self(media)),
        }
    }
}

impl MediaDrafts {
    /// Returns the files, in the order in which the post shows them.
    pub fn files(&self) -> &[MediaDraft] {
        &self.0
    }
}

/// A file of a post, as it is stored with the post.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Media {
    id: UploadId,
    key: String,
    url: String,
    status: UploadState,
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

/// The files of a post, as they are stored with the post.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct MediaList(Vec<Media>);

/// A file of a post, as a viewer sees it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, ToSchema)]
pub struct MediaView {
    /// The upload's id.
    pub id: String,
    /// The key of what is shown.
    pub key: String,
    /// The address of what is shown: of an image the size `large`, and with `medium` or `small` in place of the last
    /// word that size. Null while there is nothing to show.
    #[schema(format = "uri")]
    pub url: Option<String>,
    /// Whether it can be shown: `PENDING` until its file was uploaded and looked at, `REFUSED` for good.
    pub status: UploadState,
    /// The type of what is shown.
    #[serde(rename = "type")]
    pub kind: Option<String>,
    /// An image's width in pixels.
    pub width: Option<u32>,
    /// An image's height in pixels.
    pub height: Option<u32>,
    /// What an image looks like from afar.
    pub blurhash: Option<String>,
    /// What it shows, for who does not see it.
    pub alt: Option<Alt>,
}

impl Media {
    /// Returns an upload as a post shows it.
    pub fn new(upload: &Upload, url: String, alt: Option<Alt>) -> Self {
        let picture = upload.picture.as_ref();
        Self {
            id: upload.id,
            key: upload.key.clone(),
            url,
            status: upload.state(),
            kind: upload.shown_type().map(str::to_owned),
            width: picture.map(|it| it.width),
            height: picture.map(|it| it.height),
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
    /// Returns the list with an upload as it is now.
    pub fn with(&self, upload: &Upload) -> Self {
        let now = |media: &Media| match media.id == upload.id {
            true => Media::new(upload, media.url.clone(), media.alt.clone()),
            false => media.clone(),
        };
        Self(self.0.iter().map(now).collect())
    }

    /// Returns the uploads of the list.
    pub fn uploads(&self) -> impl Iterator<Item = UploadId> {
        self.0.iter().map(|it| it.id)
    }

    /// Returns what the files show, where their author said it.
    pub fn alts(&self) -> impl Iterator<Item = &str> {
        self.0.iter().filter_map(|media| media.alt.as_ref()).map(|Alt(alt)| alt.as_str())
    }

    /// Returns the list as viewers see it.
    pub fn into_views(self) -> Vec<MediaView> {
        self.0.into_iter().map(MediaView::from).collect()
    }
}

impl From<Media> for MediaView {
    fn from(media: Media) -> Self {
        let Media { id, key, url, status, kind, width, height, blurhash, alt } = media;
        let url = status.is_shown().then_some(url);
        Self { id: id.to_string(), key, url, status, kind, width, height, blurhash, alt }
    }
}
