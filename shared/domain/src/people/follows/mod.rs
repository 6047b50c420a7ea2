//! Follows: who follows whom. Uses [`super::users`], [`super::relationships`] and the ledger.

mod change;
mod events;
mod follow;
mod list;
mod merged;
mod withdraw;

pub use change::{FollowRequest, Following, count_request, set};
pub use events::Followed;
pub use follow::{Follow, among, between, find, find_all, is_following, oldest_of};
pub use list::{FollowRow, followers, following, rows_of, shown_rows_of};
pub use merged::{Joined, Merged, merged_by};
pub(crate) use withdraw::{end_followed_page, end_follower_page, forget_follower};

pub(crate) use follow::check_not_following;
