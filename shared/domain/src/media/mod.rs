//! Media: uploads, and what the video provider says of them.

pub mod uploads;
pub mod video_webhook;
