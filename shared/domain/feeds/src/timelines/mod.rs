//! Timelines: for each user a row for each post that FOLLOWING shows, written by a worker.
//!
//! A post reaches its author's followers page by page. Authors with more than `FANOUT_MAX_FOLLOWERS` are
//! *popular*: from that follow on each new one is marked, and a worker marks the old ones, in several lanes at
//! once. When all are marked, the author is *merged*: no timeline gets their posts any more, and FOLLOWING merges them when it
//! is read. Until then timelines get them too, so none is lost; a post that is found both ways is shown
//! once. A merged author stays merged.

mod back_fill;
mod fan_out;
mod lanes;
mod mark_follows;
mod progress;
mod work;

pub use work::work;
