//! Polls. Each user has one vote, which is final. A worker counts votes in batches, and counts each vote exactly once.
//!
//! A vote stores the options that the user chose, and the options whose counts include the vote. A request writes the
//! vote and sends a message. The worker then updates the counts of the options that differ. The counts have a row of
//! their own, so a vote does not rewrite the post in its indexes.

mod apply;
mod end;
mod row;
mod view;
mod vote;

pub use apply::apply;
pub use end::{begin, end_pages, notify_voters};
pub use row::VOTE_PREFIX;
pub use row::open_write;
pub use row::{Poll, Vote, poll_key};
pub use view::seen_by;
pub use view::{PollOptionView, PollView};
pub use vote::remove_vote;
pub use vote::{VoteRequest, vote};
