//! Timelines. A user's timeline consists of rows that name posts for the user's FOLLOWING feed. A worker writes these
//! rows.
//!
//! The worker adds a post to the timelines of its author's followers, page by page. An author with more than
//! `FANOUT_MAX_FOLLOWERS` followers is *popular*. If a follow is *marked*, the follower's feed merges the author's
//! posts when the feed is read. New follows of a popular author are marked at once, and a worker marks the earlier
//! follows.
//!
//! When all follows are marked, the author is *merged*. The worker then no longer adds the author's posts to timelines,
//! and FOLLOWING merges these posts when it is read. Until then, posts are both added to timelines and merged, so that
//! no post is lost. FOLLOWING shows duplicates once. A merged author stays merged.

mod back_fill;
mod fan_out;
mod mark_follows;
mod progress;
mod work;

pub use work::work;
