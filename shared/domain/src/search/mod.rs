//! Finding people and hashtags by how they begin, posts by their words.
//!
//! A worker keeps the index: a message says only where to look, the worker compares what should be
//! found with what was indexed, and writes the difference. A search trusts none of it: what it finds
//! it looks up, and shows what is still so.

mod hashtags;
mod indexing;
mod people;
mod posts;
mod tally;
pub mod trends;
mod words;

pub use hashtags::{Hashtag, find_hashtags};
pub use indexing::index_post;
pub use people::{find_people, index_user, matches};
pub use posts::find_posts;
pub use words::Terms;
