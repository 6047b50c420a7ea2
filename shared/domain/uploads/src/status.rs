//! Status of an upload.

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

/// Stored status of an upload. A status that comes later in the process compares as greater.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "SCREAMING_SNAKE_CASE")]
pub enum UploadStatus {
    /// The file has not been uploaded or processed yet.
    Pending,
    /// The video provider is processing the video.
    Processing,
    /// The video provider failed to process the video.
    Failed,
    /// The file can be shown.
    Ready,
    /// The file is deleted and is never shown.
    Refused,
}

/// State of an upload in responses.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "SCREAMING_SNAKE_CASE")]
pub enum UploadState {
    /// The file has not been uploaded or processed yet.
    Pending,
    /// The video provider is processing the video. The original can be played.
    Processing,
    /// The file can be shown.
    Ready,
    /// The file is not shown. If moderators deleted the post with the file, they can show both again.
    Refused,
}

/// The reason why an upload was refused.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "SCREAMING_SNAKE_CASE")]
pub enum Reason {
    /// The content has no accepted format, or is a video whose format differs from the content type.
    OtherType,
    /// The image has the format HEIC or AVIF.
    HeicOrAvif,
    /// The file is damaged.
    Unreadable,
    /// The image exceeds the maximum number of pixels.
    TooManyPixels,
    /// No file was uploaded.
    NotUploaded,
    /// The upload was not used within a day.
    Unused,
    /// The original of the copy could not be fetched.
    NotFetched,
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
    /// Returns whether the file can be shown.
    pub fn is_shown(self) -> bool {
        matches!(self, Self::Processing | Self::Ready)
    }
}

impl Reason {
    /// Returns the reason as text for the owner.
    pub(super) fn sentence(self) -> &'static str {
        match self {
            Self::OtherType => "the file does not match its content type",
            Self::HeicOrAvif => {
                "HEIC and AVIF images are not supported. Save the image as JPEG and upload it again."
            }
            Self::Unreadable => "the file cannot be read",
            Self::TooManyPixels => "the image has more than 60 megapixels",
            Self::NotUploaded => "no file was uploaded",
            Self::Unused => "the file was not used within a day",
            Self::NotFetched => "the picture could not be fetched from its server",
        }
    }
}
