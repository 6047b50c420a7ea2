//! Polls: one vote a user and poll, which stays as it is; counted by a worker, in batches, exactly, as likes are.
//!
//! A vote lies with the voter and stores what they chose, and what of it the poll's counts include. A request writes it, and
//! a message follows from that; the worker makes the two agree and adds the difference to the counts. The counts lie on a
//! row of their own, so that a vote rewrites no index of the post.

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
pub use vote::withdraw;
pub use vote::{VoteRequest, vote};
