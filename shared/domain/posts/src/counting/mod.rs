//! Likes and the other engagements, counted on the post.

pub(crate) mod apply;
pub(crate) mod attempts;
pub mod engagements;
pub mod feed_index;
pub mod likes;
pub(crate) mod placed;
