//! Tallies: where the likes, replies, quotes and reposts of a post are counted that very many like at once. Transactions
//! change a row some 40 times a second, however many likes each has; so those of such a post each change one of 28 rows, and
//! [`add_up()`] brings the sums to the post, and to the pending records of its author's notifications.
//!
//! Tallies belong to the number that the post's `likesSeq` will have once they are added up. An engagement stores that
//! number at once, so a reader knows that the post's count does not include the like yet. Whoever adds up closes the tallies
//! first: a settlement that comes later is refused, and begins again with those of the next number.
//!
//! [`add_up()`]: add_up()

mod add_up;
mod tally;

pub use add_up::add_up_all;
pub(super) use add_up::{add_up, try_add_up};
pub use tally::Tallied;
pub(super) use tally::{TallyId, heard};
