//! How far an upload is.

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

/// The status of an upload, as it is stored. A later one is greater.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "SCREAMING_SNAKE_CASE")]
pub enum UploadStatus {
    /// The file may be uploaded, or was.
    Pending,
    /// A video: the provider processes it.
    Processing,
    /// A video: the provider failed to process it.
    Failed,
    /// It can be shown.
    Ready,
    /// It is never shown, and its file is gone.
    Refused,
}

/// The state of an upload, as clients see it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "SCREAMING_SNAKE_CASE")]
pub enum UploadState {
    /// The file was not uploaded yet, or not looked at.
    Pending,
    /// A video that can be shown as it is, while the provider processes it.
    Processing,
    /// It can be shown.
    Ready,
    /// It is never shown.
    Refused,
}

/// Why an upload is refused.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "SCREAMING_SNAKE_CASE")]
pub enum Reason {
    /// The file's content is of another type than the one that was named.
    OtherType,
    /// The file is damaged.
    Unreadable,
    /// The image has more pixels than a photo.
    TooManyPixels,
    /// No file came.
    NotUploaded,
    /// Nothing used it for a day.
    Unused,
}

impl From<UploadStatus> for UploadState {
    fn from(status: UploadStatus) -> Self {
        match status {
            UploadStatus::Pending => Self::Pending,
            UploadStatus::Processing => Self::Processing,
            UploadStatus::Ready => Self::Ready,
            UploadStatus::Failed | UploadStatus::Refused => Self::Refused,
        }
    }
}

impl UploadState {
    /// Whether there is something to show.
    pub fn is_shown(self) -> bool {
        matches!(self, Self::Processing | Self::Ready)
    }
}

impl Reason {
    /// Returns the reason as a sentence.
    pub(super) fn sentence(self) -> &'static str {
        match self {
            Self::OtherType => "the file is not of the type that was named",
            Self::Unreadable => "the file cannot be read",
            Self::TooManyPixels => "the image has more than 60 megapixels",
            Self::NotUploaded => "no file was uploaded",
            Self::Unused => "nothing used it for a day",
        }
    }
}
