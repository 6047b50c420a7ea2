//! Likes and other engagements, and their counts on posts.

pub(crate) mod apply;
pub(crate) mod attempts;
pub mod engagements;
pub mod feed_index;
pub mod likes;
pub(crate) mod user_list;
