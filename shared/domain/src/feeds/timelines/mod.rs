//! What each person finds in FOLLOWING: a row for each post of whom they follow, written by a worker.
//!
//! A post reaches its author's followers page by page. Authors with more than
//! `FANOUT_MAX_FOLLOWERS` are *popular*: from then on each new follow of them is marked, a worker
//! marks the old ones, and when all are marked their posts are no longer written to anyone but
//! *merged* when the feed is read. Until then they are written as anybody's, so none is lost; what
//! is found in both ways is shown once. Whoever was once merged stays so.

mod back_fill;
mod fan_out;
mod mark_follows;
mod progress;
mod work;

pub use work::work;
