//! Follows: who follows whom. Uses [`super::users`], [`super::relationships`] and the ledger.

mod change;
mod events;
mod follow;
mod list;

pub use change::{FollowRequest, Following, count_request, set};
pub use events::Followed;
pub use follow::{Follow, among, between, find_all, is_following, merged_by, oldest_of};
pub use list::{FollowRow, followers, following};

pub(crate) use follow::check_not_following;
