//! Search: people and hashtags by their beginning, posts by their words; and what is trending.
//!
//! A worker maintains the index: a message only names what to look at, the worker compares what should be
//! indexed with what was indexed, and writes the difference. A search does not trust the index: it reads
//! what it finds there, and shows only what still matches. May use posts, people and the ledger.

mod find;
mod hashtags;
mod index;
mod indexing;
mod people;
mod people_index;
mod posts;
mod tally;
mod terms;
pub mod trends;

pub use find::{Found, SearchType, count_search, find};
pub use hashtags::{Hashtag, find_hashtags};
pub use index::index;
pub use indexing::{PostWord, index_posts, words_of};
pub use people::{find_people, matches};
pub use people_index::{PersonPosition, UserTerm, index_user, terms as terms_of};
pub use posts::find_posts;
pub use terms::Terms;
