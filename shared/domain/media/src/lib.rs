//! Media: uploads, what is made of their files, and the events of the video provider. Uses nothing else of the domain
//! but ids and jobs.

mod pictures;
pub mod processing;
pub mod sweep;
pub mod video_webhook;
mod videos;
