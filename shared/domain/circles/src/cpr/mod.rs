//! A CPR is an attempt to rescue a dying circle. It succeeds if one post gets enough good comments within a day.
//!
//! `row` is the stored row. `begin` and `status` serve requests. `check` is the worker that ends failed CPRs.
//! `posts::judging` marks a CPR as successful when it judges the last required comment.
//!
//! This module may use the parent module, and everything that the parent module may use.

mod begin;
mod check;
mod context;
mod row;
mod status;

pub use begin::{CprBegun, CprDraft, TargetComments, begin};
pub use check::{CprJob, check};
pub use row::Cpr;
pub use row::key;
pub use status::{CprStatus, status};
