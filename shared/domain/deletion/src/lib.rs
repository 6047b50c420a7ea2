//! Account deletion, and the export of a user's data.
//!
//! [`delete_account`] is one transaction. After this transaction, the user does not exist. A queue worker then deletes
//! the user's data page by page, in two passes over [`places`]. The first pass starts immediately and removes what
//! other users see: posts, likes, follows, requests and memberships. The second pass starts an hour later, when no
//! request by the user is still in progress. It erases the remaining rows, and references to the user in other users'
//! rows.
//!
//! Each pass first adds the deletion to a list outside the table. After a restore of the table, operators repeat the
//! deletions in this list with [`repeat_deletions`].
//!
//! Pages are idempotent. The row [`Deletion`](row::Deletion) is deleted last. While this row exists, the second pass
//! starts again every hour.
//!
//! May use all other domain crates except `operations`.

mod begin;
mod circles;
mod export;
mod groups;
mod job;
mod likes;
mod list;
mod log;
mod named;
mod pass;
mod places;
mod posts;
mod progress;
mod repeat;
mod rest;
mod row;
mod ties;
mod votes;

pub use begin::{AccountDeletion, Leave, delete_account};
pub use export::{ExportLink, ExportPosition, ExportView, download_url, find_export, request_export};
pub use job::{DeletionJob, work};
pub use repeat::repeat_deletions;
