//! Export: all that somebody made and all that is kept of them, as one file of JSON lines, and archives of their uploads.
//!
//! A worker reads the same places that leaving does, and writes each page to a part of its own in a private prefix of the
//! bucket; then a page of uploads after the other to an archive. At last it puts the parts together: pieces of gzip one
//! after the other are one.

mod files;
mod line;
mod lines;
mod link;
mod messages;
mod pages;
mod request;
mod row;

pub use link::{ExportLink, follow};
pub use pages::ExportPosition;
pub(super) use pages::make;
pub use request::{ExportView, find, request};
pub(super) use row::{began_at, delete_files, key};
