//! Deletion: a person takes along all that is kept of them, or deletes their account, and all of it goes.
//!
//! [`begin`](begin::leave) is one transaction: from then on there is no such user. What they wrote and are tied to follows
//! in two passes over the same places, page by page through a queue. The first takes at once what others see: posts, likes,
//! follows, requests, memberships. An hour later, when all that was under way has ended, the second looks at all of it again
//! and erases what is left, what no list shows, and what names the person elsewhere. [`places`] is the list of them.
//!
//! Each page can be done twice, late and in any order: it looks at what is there. The row [`Deletion`](row::Deletion) stays
//! until nothing else is left; while it is there, the second pass begins again every hour.
//!
//! Uses all other neighbourhoods but `operations`.

mod begin;
mod circles;
mod export;
mod groups;
mod job;
mod likes;
mod log;
mod mentions;
mod named;
mod pass;
mod places;
mod posts;
mod progress;
mod rest;
mod row;
mod ties;
mod votes;

pub use begin::{AccountDeletion, Leave, leave};
pub use export::{ExportLink, ExportPosition, ExportView, find, follow, request};
pub use job::{DeletionJob, work};
