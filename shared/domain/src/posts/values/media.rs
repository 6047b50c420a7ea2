//! The files of a post.

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

const MEDIA_MAX: usize = 10;
const MEDIA_ID_MAX_CHARS: usize = 128;
const MEDIA_KEY_MAX_CHARS: usize = 1024;
const MEDIA_URL_MAX_BYTES: usize = 2048;

/// A file that was uploaded earlier.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(try_from = "RawMedia")]
pub struct Media {
    /// The upload's id.
    #[schema(max_length = 128)]
    pub id: String,
    /// The file's key in the bucket.
    #[schema(max_length = 1024)]
    pub key: String,
    /// The address at which the file is read.
    #[schema(format = "uri", max_length = 2048)]
    pub url: String,
}

#[derive(Deserialize)]
struct RawMedia {
    id: String,
    key: String,
    url: String,
}

impl TryFrom<RawMedia> for Media {
    type Error = &'static str;

    fn try_from(RawMedia { id, key, url }: RawMedia) -> Result<Self, Self::Error> {
        let web = url::Url::parse(&url).is_ok_and(|it| matches!(it.scheme(), "http" | "https"));
        match () {
            () if !(1..=MEDIA_ID_MAX_CHARS).contains(&id.chars().count()) => {
                Err("id must have 1 to 128 characters")
            }
            () if !(1..=MEDIA_KEY_MAX_CHARS).contains(&key.chars().count()) => {
                Err("key must have 1 to 1024 characters")
            }
            () if !web || url.len() > MEDIA_URL_MAX_BYTES => Err("url must be an http or https address"),
            () => Ok(Self { id, key, url }),
        }
    }
}

/// A post's files, at most 10.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(try_from = "Vec<Media>")]
#[schema(value_type = Vec<Media>, max_items = 10)]
pub struct MediaList(Vec<Media>);

impl TryFrom<Vec<Media>> for MediaList {
    type Error = &'static str;

    fn try_from(media: Vec<Media>) -> Result<Self, Self::Error> {
        (media.len() <= MEDIA_MAX).then_some(Self(media)).ok_or("must have at most 10 items")
    }
}
