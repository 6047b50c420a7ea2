//! Searches for users and hashtags by prefix, and for posts by words. Also computes the trending hashtags.
//!
//! A worker maintains the index. A message contains the ID of a changed post or user. The worker compares the required
//! index entries with the existing entries, and writes the difference. The index may be outdated. So a search also
//! reads each post or user that the index returns, and omits results that no longer match. This crate may use posts,
//! people and the ledger.

mod counts;
mod find;
mod hashtags;
mod index;
mod indexing;
mod people;
mod people_index;
mod posts;
mod terms;
pub mod trends;

pub use find::{Found, FoundHashtag, FoundUser, SearchType, count_search, find};
pub use hashtags::{Hashtag, find_hashtags};
pub use index::index;
pub use indexing::{PostWord, index_posts, words_of};
pub use people::{find_people, matches};
pub use people_index::{PersonPosition, UserTerm, index_user, terms as terms_of};
pub use posts::find_posts;
pub use terms::{Terms, index_keys};
