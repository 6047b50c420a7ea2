//! Media: processing and removal of uploaded files, and events of the video provider. May use only the domain crates
//! `uploads` and `base`.

mod pictures;
pub mod processing;
pub mod sweep;
pub mod video_webhook;
mod videos;
