//! An upload's row.

use platform::{
    table::{Index, Key, Row},
    time::Time,
};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use super::file::{ContentType, Filename};
use crate::ids::{UploadId, UserId};

/// The status of an upload. Only videos get beyond PENDING.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "SCREAMING_SNAKE_CASE")]
pub enum UploadStatus {
    /// The file may be uploaded, or was.
    Pending,
    /// The video provider processes it.
    Processing,
    /// The video provider failed to process it.
    Failed,
    /// It can be played.
    Ready,
}

/// An upload as it is stored.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Upload {
    /// The upload's id.
    pub id: UploadId,
    /// The user who uploads the file.
    pub owner: UserId,
    /// The file's name on the owner's device.
    pub filename: Filename,
    /// The file's key in the bucket.
    pub key: String,
    /// The file's type.
    pub content_type: ContentType,
    /// The file's length in bytes.
    pub size: u64,
    /// The status.
    pub status: UploadStatus,
    /// The address at which a video plays, once it is ready.
    pub playback_url: Option<String>,
    /// A video's length in seconds.
    pub duration: Option<f64>,
    /// The time of the request.
    pub created_at: Time,
}

/// Returns the key of an upload's row.
pub fn key(id: UploadId) -> Key {
    Key::new(format!("UPLOAD#{id}"), "UPLOAD")
}

/// Returns the upload that a key in the bucket belongs to; none when the key is not an upload's.
pub fn of_key(key: &str) -> Option<UploadId> {
    let (path, _) = key.rsplit_once('.')?;
    path.rsplit('/').next()?.parse().ok()
}

/// `UPLOAD#id / UPLOAD`, gsi3 `NAMED#owner / UPLOAD#id`
impl Row for Upload {
    fn key(&self) -> Key {
        key(self.id)
    }

    fn indexes(&self) -> Vec<(Index, Key)> {
        vec![(Index::Gsi3, Key::new(self.owner.named(), format!("UPLOAD#{}", self.id)))]
    }
}
