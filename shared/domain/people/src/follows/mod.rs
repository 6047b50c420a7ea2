//! Follows of users and of hashtags.

mod change;
mod deletion;
mod events;
mod follow;
mod list;
mod merged;
mod topics;

pub use change::{FollowRequest, Following, set};
pub use deletion::{end_followed_page, end_follower_page, erase_follower};
pub use events::Followed;
pub(crate) use follow::key;
pub use follow::{
    Follow, among, check_not_following, find, find_all, is_following, newest_followed, oldest_of,
};
pub use list::{FollowList, FollowRow, list, rows_of, visible_rows_of};
pub use merged::{Joined, Merged, merged_by};
pub use topics::{FollowedTopic, TopicFollowing, follow_topic, followed_topics};
