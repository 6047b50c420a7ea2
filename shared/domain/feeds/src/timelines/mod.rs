//! Timelines: for each user a row for each post that FOLLOWING shows, written by a worker.
//!
//! A post reaches its author's followers page by page. The follow that exceeds `FANOUT_MAX_FOLLOWERS` makes the author
//! *popular*: it is marked, as every later one, and a worker marks the earlier ones. When all are marked, the author is
//! *merged*: no timeline gets their posts any more, and FOLLOWING merges them when it is read. Until then timelines get
//! them too, so none is lost. A post that is found both ways is shown once. A merged author stays merged.

mod back_fill;
mod fan_out;
mod mark_follows;
mod progress;
mod work;

pub use work::work;
