//! Export of a user's data: a file of JSON lines, and archives of the user's uploads.
//!
//! A worker reads the same places as account deletion. It writes each page to a part, a file in a private prefix of the
//! bucket. Then it writes the uploads to archives, and concatenates the parts. The parts are gzip streams, so the
//! result is a valid gzip file.

mod files;
mod line;
mod lines;
mod link;
mod messages;
mod pages;
mod request;
mod row;
mod users;

pub use link::{ExportLink, download_url};
pub use pages::ExportPosition;
pub(super) use pages::make;
pub use request::{ExportView, find_export, request_export};
pub(super) use row::{began_at, delete_files, key};
