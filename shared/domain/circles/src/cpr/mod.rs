//! CPR: members save a dying circle with good comments, a fixed number of them within a day.
//!
//! `row` is what is stored, `begin` and `status` answer requests, `check` is the worker that ends a CPR which
//! did not succeed. A CPR succeeds in `posts::judging`, with the comment that completes it.
//!
//! May use what its parent may, and `circles` itself.

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
