//! Media: uploads, and the events of the video provider. Uses nothing else of the domain but ids.

pub mod uploads;
pub mod video_webhook;
