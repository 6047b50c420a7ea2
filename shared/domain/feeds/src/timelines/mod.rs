//! Timelines: rows of the posts that FOLLOWING shows to a user, written by a worker.
//!
//! A post is added to the timelines of its author's followers page by page. An author with more than
//! `FANOUT_MAX_FOLLOWERS` followers is *popular*. Further follows are marked at once, and a worker marks the earlier
//! ones.
//!
//! When all are marked, the author is *merged*: posts are no longer added to timelines, and FOLLOWING merges them when
//! it is read. Until then they are added as well, so that none is lost. Duplicates are shown once. A merged author
//! stays merged.

mod back_fill;
mod fan_out;
mod mark_follows;
mod progress;
mod work;

pub use work::work;
